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
use isobox::{
    Detail, Error, ErrorCode, ImageSource, Lifetime, NamespaceOptions, NamespaceUsers, OutputEvent, ProviderOptions,
    PullPolicy, Sandbox, SandboxBuilder,
};
use serde_json::json;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

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

/// Whether sandboxes from images have several users here.
async fn several(lab: &Lab) -> bool {
    lab.isobox.provider("namespace").await.unwrap().capabilities().has(isobox::Capability::ExecUser)
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
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
    if !several(&lab).await {
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

/// An image with things of user 1000: closed to others, with a bit that is lost when a file is given away, and a link.
fn of_a_user() -> Image {
    let mut image = Image::busybox();
    image.layer(&["--owner=1000", "--group=1000"], |root| {
        fs::create_dir_all(root.join("data/closed")).unwrap();
        fs::write(root.join("data/closed/file"), "mine").unwrap();
        fs::write(root.join("data/program"), "").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", root.join("data/link")).unwrap();
        let mode = |path: &str, mode| fs::set_permissions(root.join(path), fs::Permissions::from_mode(mode)).unwrap();
        mode("data/program", 0o4755);
        mode("data/closed/file", 0o600);
        mode("data/closed", 0o700);
    });
    image
}

/// What is on disk of layers, whole or being removed.
fn layers(lab: &Lab) -> usize {
    let below = |path: &Path| fs::read_dir(path).into_iter().flatten().map(|entry| entry.unwrap().path());
    let stores: Vec<_> = below(&lab.home().join("images")).collect();
    stores.iter().flat_map(|store| [store.join("layers"), store.join("trash")]).map(|place| below(&place).count()).sum()
}

#[tokio::test]
async fn what_other_users_own_in_an_image_is_theirs_in_the_sandbox_and_goes_with_the_image() {
    let lab = Lab::open().await;
    if !several(&lab).await {
        println!("skipped: there are no subordinate ids (newuidmap, /etc/subuid)");
        return;
    }
    let (image, images) = (of_a_user(), lab.isobox.images().provider("namespace"));
    let sandbox = from(&lab, &image.archive("user:1")).create().await.unwrap();
    assert_eq!(
        out(&sandbox, "cd data && stat -c '%u:%g %a' . closed closed/file program link /etc/passwd").await,
        "1000:1000 755\n1000:1000 700\n1000:1000 600\n1000:1000 4755\n1000:1000 777\n0:0 644\n"
    );
    let as_user = |user: &'static str, script: &'static str| sandbox.shell(script).user(user);
    let theirs =
        as_user("1000", "cd data/closed && echo more >> file && cat file && touch own && stat -c %u own").await;
    assert_eq!(theirs.unwrap().stdout.text(), "minemore\n1000\n");
    assert_ne!(as_user("1001", "cat data/closed/file").await.unwrap().exit_code, 0);
    sandbox.delete().await.unwrap();
    // The layer is as it was.
    let again = from(&lab, &image.archive("user:1")).create().await.unwrap();
    assert_eq!(out(&again, "cat data/closed/file; ls data/closed").await, "minefile\n");
    again.delete().await.unwrap();
    assert!(layers(&lab) > 0);
    images.remove("user:1").await.unwrap();
    assert_eq!(layers(&lab), 0);
    images.load(image.archive("user:1")).await.unwrap();
    assert_eq!(images.prune(0).await.unwrap().left, 0);
    assert_eq!(layers(&lab), 0);
}

#[tokio::test]
async fn owners_reach_nothing_outside_of_a_layer() {
    let (lab, place) = (Lab::open().await, tempfile::tempdir().unwrap());
    let outside = place.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file"), "").unwrap();
    let tar = |change: &str, paths: &[&str]| {
        let mut command = Command::new("tar");
        command.current_dir(place.path()).args(["--owner=1000", "--group=1000", change, "layer.tar"]).args(paths);
        assert!(command.status().unwrap().success());
    };
    // Files of a user, and then links in the place of their directory and of one of them.
    fs::create_dir_all(place.path().join("dir")).unwrap();
    for name in ["dir/file", "file"] {
        fs::write(place.path().join(name), "").unwrap();
        fs::set_permissions(place.path().join(name), fs::Permissions::from_mode(0o6755)).unwrap();
    }
    tar("-cf", &["dir/file", "file"]);
    fs::remove_dir_all(place.path().join("dir")).unwrap();
    fs::remove_file(place.path().join("file")).unwrap();
    std::os::unix::fs::symlink(&outside, place.path().join("dir")).unwrap();
    std::os::unix::fs::symlink(outside.join("file"), place.path().join("file")).unwrap();
    tar("-rf", &["dir", "file"]);
    let before = fs::metadata(outside.join("file")).unwrap();
    let mut image = Image::busybox();
    image.raw_layer(fs::read(place.path().join("layer.tar")).unwrap());
    let sandbox = from(&lab, &image.archive("links:1")).create().await.unwrap();
    let owner = if several(&lab).await { "1000" } else { "0" };
    assert_eq!(out(&sandbox, "stat -c %u /dir /file").await, format!("{owner}\n{owner}\n"));
    sandbox.delete().await.unwrap();
    let after = fs::metadata(outside.join("file")).unwrap();
    assert_eq!((after.uid(), after.mode()), (before.uid(), before.mode()));
}

#[tokio::test]
async fn a_sandbox_with_one_user_has_layers_of_its_own() {
    let lab = Lab::open().await;
    if is_root() || !several(&lab).await {
        println!("skipped: this is about ordinary users with subordinate ids");
        return;
    }
    let (image, images) = (of_a_user(), lab.isobox.images().provider("namespace"));
    let archive = image.archive("both:1");
    let options = NamespaceOptions { users: NamespaceUsers::Single, ..NamespaceOptions::default() };
    let one = from(&lab, &archive).options(ProviderOptions::Namespace(options.clone())).create().await.unwrap();
    let of_one = || lab.isobox.sandbox().provider("namespace").options(ProviderOptions::Namespace(options.clone()));
    // By its name it is there for this kind only, and that is said.
    let name = ImageSource { reference: "both:1".into(), pull: PullPolicy::Never, ..ImageSource::default() };
    let error = lab.isobox.sandbox().provider("namespace").image(name.clone()).create().await.unwrap_err();
    assert!(error.message().contains("it is here for sandboxes with one user"), "{error}");
    let several = from(&lab, &archive).create().await.unwrap();
    assert_eq!(out(&one, "stat -c %u data data/closed/file").await, "0\n0\n");
    assert_eq!(out(&several, "stat -c %u data data/closed/file").await, "1000\n1000\n");
    for builder in [of_one(), lab.isobox.sandbox().provider("namespace")] {
        builder.image(name.clone()).create().await.unwrap().delete().await.unwrap();
    }
    // For whoever looks it is one image, and both uses count.
    assert_eq!(images.list().await.unwrap().len(), 1);
    let usage = images.usage().await.unwrap();
    assert_eq!((usage.images, usage.layers, usage.in_use), (1, 4, usage.size));
    several.delete().await.unwrap();
    assert_eq!(images.remove("both:1").await.unwrap_err().code(), ErrorCode::Conflict);
    one.delete().await.unwrap();
    images.remove("both:1").await.unwrap();
    assert_eq!((images.list().await.unwrap().len(), layers(&lab)), (0, 0));
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
    if sandbox.capabilities().has(isobox::Capability::LifecycleForkFilesystem) {
        let child = sandbox.fork(1).await.unwrap().remove(0);
        assert_eq!(child.processes().await.unwrap().len(), 0, "what ran does not run again in a fork");
        child.delete().await.unwrap();
    }
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
