//! Sandboxes from images: what is in them, what the image says, and what keeps an image.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
mod image;

use common::Lab;
use image::Image;
use isobox::{Detail, Error, ErrorCode, Lifetime, OutputEvent, Sandbox, SandboxBuilder};
use serde_json::json;
use std::fs;
use std::path::Path;

fn from(lab: &Lab, archive: &Path) -> SandboxBuilder {
    lab.isobox.sandbox().provider("namespace").archive(archive)
}

async fn out(sandbox: &Sandbox, script: &str) -> String {
    let result = sandbox.shell(script).await.unwrap();
    assert_eq!(result.exit_code, 0, "{script}: {}", result.stderr.text());
    result.stdout.text().into_owned()
}

fn field(error: &Error) -> &str {
    match error.detail() {
        Detail::InvalidSpec { field, .. } => field,
        Detail::Unsupported { capability } => capability,
        other => panic!("{error}: {other:?}"),
    }
}

fn is_root() -> bool {
    std::os::unix::fs::MetadataExt::uid(&fs::metadata("/proc/self").unwrap()) == 0
}

#[tokio::test]
async fn layers_lie_on_each_other_as_the_image_says() {
    let mut image = Image::busybox();
    image.layer(&[], |root| {
        for file in ["kept", "gone", "dir/old", "opaque/old", "was-dir/x"] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), file).unwrap();
        }
        fs::hard_link(root.join("kept"), root.join("same")).unwrap();
    });
    image.layer(&[], |root| {
        fs::write(root.join(".wh.gone"), "").unwrap();
        fs::create_dir_all(root.join("dir")).unwrap();
        fs::write(root.join("dir/new"), "new").unwrap();
        fs::create_dir_all(root.join("opaque")).unwrap();
        fs::write(root.join("opaque/.wh..wh..opq"), "").unwrap();
        fs::write(root.join("opaque/new"), "new").unwrap();
        fs::write(root.join("was-dir"), "a file now").unwrap();
    });
    let lab = Lab::open().await;
    let sandbox = from(&lab, &image.archive("layers:1")).create().await.unwrap();
    assert_eq!(
        out(&sandbox, "ls / dir opaque; cat was-dir").await,
        "/:\nbin\ndev\ndir\netc\nkept\nopaque\nproc\nsame\nsys\ntmp\nwas-dir\n\ndir:\nnew\nold\n\nopaque:\nnew\na file now"
    );
    assert_eq!(out(&sandbox, "test kept -ef same && stat -c %h kept").await, "2\n");
    // What it writes is its own.
    out(&sandbox, "echo changed > kept; rm -r dir; touch gone").await;
    sandbox.delete().await.unwrap();
    let again = from(&lab, &image.archive("layers:1")).create().await.unwrap();
    assert_eq!(out(&again, "cat kept; ls dir; test ! -e gone && echo fine").await, "keptnew\nold\nfine\n");
    again.delete().await.unwrap();
}

#[tokio::test]
async fn owners_and_modes_are_the_images() {
    let mut image = Image::busybox();
    image.layer(&["--owner=1000", "--group=1000"], |root| {
        fs::create_dir_all(root.join("home/user")).unwrap();
        fs::write(root.join("home/user/file"), "mine").unwrap();
        std::os::unix::fs::symlink("file", root.join("home/user/link")).unwrap();
    });
    image.config = json!({ "Env": ["PATH=/bin"], "User": "user", "WorkingDir": "/home/user" });
    let lab = Lab::open().await;
    let archive = image.archive("owners:1");
    if !is_root() {
        let provider = lab.isobox.provider("namespace").await.unwrap();
        if provider.capabilities().has(isobox::Capability::ExecUser) {
            // Subordinate ids: there are other users, and the files of images are root's.
            let sandbox = from(&lab, &archive).create().await.unwrap();
            assert_eq!(out(&sandbox, "id -u; stat -c %u file").await, "1000\n0\n");
            return sandbox.delete().await.unwrap();
        }
        // One id is not enough for another user, and that is said before anything runs.
        let error = from(&lab, &archive).create().await.unwrap_err();
        assert!(["exec.user", "user", "create.user"].contains(&field(&error)), "{error}");
        let sandbox = from(&lab, &archive).user("root").create().await.unwrap();
        assert_eq!(out(&sandbox, "stat -c %u:%g file link /home").await, "0:0\n0:0\n0:0\n");
        return sandbox.delete().await.unwrap();
    }
    let sandbox = from(&lab, &archive).create().await.unwrap();
    assert_eq!(
        out(&sandbox, "id -u; pwd; stat -c %u:%g file link /bin /").await,
        "1000\n/home/user\n1000:1000\n1000:1000\n0:0\n0:0\n"
    );
    assert_eq!(out(&sandbox, "echo more > file; touch own; stat -c %u own; cat file").await, "1000\nmore\n");
    let denied = sandbox.shell("touch /bin/x").await.unwrap();
    assert_ne!(denied.exit_code, 0);
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn the_images_config_is_the_default_and_the_spec_wins() {
    let mut image = Image::busybox();
    image.config = json!({ "Env": ["PATH=/bin", "A=image", "B=image"], "WorkingDir": "/etc", "Entrypoint": ["/bin/false"], "Cmd": ["x"] });
    let lab = Lab::open().await;
    let archive = image.archive("config:1");
    let sandbox = from(&lab, &archive).env("B", "spec").create().await.unwrap();
    assert_eq!(out(&sandbox, "pwd; echo $PATH $A $B").await, "/etc\n/bin image spec\n");
    sandbox.delete().await.unwrap();
    let sandbox = from(&lab, &archive).workdir("/tmp").create().await.unwrap();
    assert_eq!(out(&sandbox, "pwd").await, "/tmp\n");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn a_working_directory_that_an_image_does_not_have_is_made() {
    let mut image = Image::busybox();
    image.config = json!({ "Env": ["PATH=/bin"], "WorkingDir": "/srv/app" });
    let lab = Lab::open().await;
    let archive = image.archive("workdir:1");
    let sandbox = from(&lab, &archive).create().await.unwrap();
    // As Docker makes it: root's, whoever the image runs as.
    assert_eq!(out(&sandbox, "pwd; stat -c '%u:%g %a' . ..").await, "/srv/app\n0:0 755\n0:0 755\n");
    out(&sandbox, "touch here").await;
    sandbox.delete().await.unwrap();
    // Of others than the image's own it is more likely that they are mistyped.
    let error = from(&lab, &archive).workdir("/srv/other").create().await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::InvalidSpec, "workdir"));
    let mut file = Image::busybox();
    file.config = json!({ "Env": ["PATH=/bin"], "WorkingDir": "/etc/passwd/x" });
    let error = from(&lab, &file.archive("workdir:2")).create().await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::InvalidSpec, "workdir"));
    assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn an_entrypoint_runs_beside_the_commands_when_that_is_asked_for() {
    let mut image = Image::busybox();
    let script = "echo \"$0 $1 $A\" > /tmp/ran && echo told && cat";
    image.config = json!({ "Env": ["PATH=/bin", "A=a"], "Entrypoint": ["sh", "-c", script, "zero"], "Cmd": ["one"] });
    let lab = Lab::open().await;
    let archive = image.archive("entrypoint:1");
    let without = from(&lab, &archive).create().await.unwrap();
    assert_eq!(without.processes().await.unwrap().len(), 0);
    without.delete().await.unwrap();

    let sandbox = from(&lab, &archive).entrypoint().create().await.unwrap();
    let listed = sandbox.processes().await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].label.as_deref(), Some("entrypoint"));
    let process = sandbox.process(&listed[0].id).await.unwrap();
    assert!(matches!(process.next().await.unwrap(), Some(OutputEvent::Stdout(text)) if text == "told\n"));
    assert_eq!(out(&sandbox, "cat /tmp/ran").await, "zero one a\n");
    sandbox.delete().await.unwrap();

    let error = from(&lab, &Image::busybox().archive("none:1")).entrypoint().create().await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::InvalidSpec, "entrypoint"));
    let error = lab.isobox.sandbox().provider("namespace").entrypoint().create().await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::InvalidSpec, "entrypoint"));
    assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn an_image_for_another_machine_is_refused() {
    let mut image = Image::busybox();
    image.platform = isobox_images::Platform::parse("linux/s390x").unwrap();
    let lab = Lab::open().await;
    let error = from(&lab, &image.archive("foreign:1")).create().await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::InvalidSpec, "source.path"));
    assert!(error.message().contains("linux/s390x"), "{error}");
    assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn an_image_without_layers_or_of_an_archive_that_is_none_is_refused() {
    let lab = Lab::open().await;
    let error = from(&lab, &Image::empty().archive("empty:1")).create().await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
    let text = lab.home().join("text");
    fs::write(&text, "no archive").unwrap();
    let error = from(&lab, &text).create().await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::InvalidSpec, "source.path"));
    assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn what_a_sandbox_uses_stays_also_when_its_owner_is_gone() {
    let lab = Lab::open().await;
    let images = lab.isobox.images().provider("namespace");
    let image = Image::busybox();
    let archive = image.archive("used:1");
    images.load(&archive).await.unwrap();
    let detached = from(&lab, &archive).ttl(Lifetime::Never).detached().create().await.unwrap();

    // Another library, as in another process.
    let other = isobox::Isobox::builder().home(lab.home()).open().await.unwrap();
    let theirs = other.images().provider("namespace");
    let error = theirs.remove("used:1").await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Conflict, "{error}");
    assert!(error.message().contains(detached.id().as_str()), "{error}");
    assert_eq!(theirs.prune(0).await.unwrap().images.len(), 0);
    let usage = theirs.usage().await.unwrap();
    assert!(usage.images == 1 && usage.in_use == usage.size && usage.size > 0, "{usage:?}");
    assert_eq!(out(&detached, "cat /etc/group").await, "root:x:0:\nuser:x:1000:\n");

    detached.delete().await.unwrap();
    let pruned = theirs.prune(0).await.unwrap();
    assert_eq!((pruned.images.len(), pruned.left), (1, 0));
    assert_eq!(theirs.list().await.unwrap().len(), 0);
    // It comes back when it is needed.
    from(&lab, &archive).create().await.unwrap().delete().await.unwrap();
}

#[tokio::test]
async fn prune_takes_the_least_recently_used_first() {
    let lab = Lab::open().await;
    let images = lab.isobox.images().provider("namespace");
    let made: Vec<_> = (0..3)
        .map(|n| {
            let mut image = Image::empty();
            image.layer(&[], |root| fs::write(root.join("data"), vec![n; 1 << 20]).unwrap());
            image
        })
        .collect();
    for (n, image) in made.iter().enumerate() {
        images.load(image.archive(&format!("i{n}:1"))).await.unwrap();
    }
    assert_eq!(images.usage().await.unwrap().size, 3 << 20);
    let pruned = images.prune(2 << 20).await.unwrap();
    assert_eq!((pruned.images.len(), pruned.freed, pruned.left), (1, 1 << 20, 2 << 20));
    let left: Vec<_> = images.list().await.unwrap().into_iter().map(|info| info.reference).collect();
    assert_eq!(left, ["docker.io/library/i1:1", "docker.io/library/i2:1"]);
}

#[tokio::test]
async fn what_a_snapshot_stands_on_stays_when_its_image_is_gone() {
    let lab = Lab::open().await;
    let images = lab.isobox.images().provider("namespace");
    let image = Image::busybox();
    let archive = image.archive("under:1");
    let sandbox = from(&lab, &archive).create().await.unwrap();
    if !sandbox.capabilities().has(isobox::Capability::LifecycleSnapshot) {
        println!("skipped: files of several users cannot be copied by this one");
        return;
    }
    out(&sandbox, "echo kept > /etc/mine").await;
    let snapshot = sandbox.snapshot(Default::default()).await.unwrap().external;
    sandbox.delete().await.unwrap();

    images.prune(0).await.unwrap();
    let restored = lab.isobox.sandbox().provider("namespace").snapshot(snapshot.clone()).create().await.unwrap();
    assert_eq!(out(&restored, "cat /etc/mine").await, "kept\n");

    // A sandbox needs the layers on its own too.
    images.prune(0).await.unwrap();
    assert_eq!(out(&restored, "cat /etc/group /etc/mine").await, "root:x:0:\nuser:x:1000:\nkept\n");
    restored.delete().await.unwrap();
}
