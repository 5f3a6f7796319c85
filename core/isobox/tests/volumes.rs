//! Volumes: what is in one outlives sandboxes, is shared by them, and goes when nobody uses it and somebody says so.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use common::Lab;
use common::limited::WithQuota;
use elsewhere::{Elsewhere, PATIENCE};
use isobox::{
    Capability, ErrorCode, Isobox, Mount, NamespaceOptions, NamespaceUsers, ProviderOptions, Sandbox, SandboxBuilder,
    SnapshotOptions, VolumeMount, VolumeSpec, VolumeState, Volumes,
};
use isobox_disk::Project;
use std::path::{Path, PathBuf};
use std::time::Duration;

async fn says(sandbox: &Sandbox, script: &str) -> String {
    let result = sandbox.shell(script).await.unwrap();
    format!("{}{}", result.stdout.text(), result.stderr.text()).trim_end().to_owned()
}

fn volumes(isobox: &Isobox) -> Volumes {
    isobox.volumes().provider("namespace")
}

fn with(lab: &Lab, volume: &str, target: &str) -> SandboxBuilder {
    lab.isobox.sandbox().provider("namespace").volume(volume, target)
}

fn part(volume: &str, part: &str) -> VolumeMount {
    VolumeMount::new(volume.parse().unwrap(), "/part").subpath(part)
}

/// What is on the disk of volumes.
fn left(home: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(home.join("volumes")).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.file_name().unwrap() != "lock").collect()
}

#[tokio::test]
async fn what_one_sandbox_writes_others_see_and_it_outlives_them_all() {
    let lab = Lab::open().await;
    let spec = VolumeSpec { labels: [("team".to_owned(), "blue".to_owned())].into(), ..VolumeSpec::named("data") };
    let made = volumes(&lab.isobox).create_with(spec).await.unwrap();
    assert_eq!((made.state, made.name.as_str(), made.attached), (VolumeState::Ready, "data", 0));
    let one = with(&lab, "data", "/data").create().await.unwrap();
    // By its id, in another place, and only to be read.
    let mount = VolumeMount::new(made.id.into(), "/srv/shared").read_only();
    let two = lab.isobox.sandbox().provider("namespace").volume_mount(mount).create().await.unwrap();
    assert_eq!(says(&one, "echo first > /data/file; cat /data/file").await, "first");
    assert_eq!(says(&two, "cat /srv/shared/file").await, "first");
    let refused = says(&two, "echo second > /srv/shared/file").await;
    assert!(refused.contains("Read-only"), "{refused}");
    one.stop(None).await.unwrap();
    one.start().await.unwrap();
    assert_eq!(says(&one, "cat /data/file").await, "first");
    let seen = volumes(&lab.isobox).inspect("data").await.unwrap();
    assert_eq!(seen.used_by, [*one.id(), *two.id()]);
    assert_eq!((seen.entry.attached, seen.entry.labels["team"].as_str()), (2, "blue"));
    assert!((4096..1 << 20).contains(&seen.usage.unwrap()), "{:?}", seen.usage);
    one.delete().await.unwrap();
    two.delete().await.unwrap();
    let three = with(&lab, "data", "/data").create().await.unwrap();
    assert_eq!(says(&three, "cat /data/file").await, "first");
    three.delete().await.unwrap();
    let listed = volumes(&lab.isobox).list().await.unwrap();
    assert_eq!(listed, [made]);
}

#[tokio::test]
async fn one_that_is_used_is_not_deleted_and_the_refusal_says_by_whom() {
    let lab = Lab::open().await;
    volumes(&lab.isobox).create("data").await.unwrap();
    let one = with(&lab, "data", "/a").create().await.unwrap();
    let two = with(&lab, "data", "/b").create().await.unwrap();
    two.stop(None).await.unwrap();
    let used = volumes(&lab.isobox).delete("data").await.unwrap_err();
    assert_eq!(used.code(), ErrorCode::Conflict, "{used}");
    assert!(used.message().contains(one.id().as_str()) && used.message().contains(two.id().as_str()), "{used}");
    assert!(!used.is_retryable());
    assert_eq!(volumes(&lab.isobox).get("data").await.unwrap().state, VolumeState::Ready);
    one.delete().await.unwrap();
    assert_eq!(volumes(&lab.isobox).delete("data").await.unwrap_err().code(), ErrorCode::Conflict, "the stopped one");
    // The provider itself looks, whatever is written down.
    let provider = lab.isobox.provider("namespace").await.unwrap();
    let external = volumes(&lab.isobox).get("data").await.unwrap().external.unwrap();
    let context = isobox::contract::Context::quiet();
    let raw = provider.volumes().unwrap().delete(&external, &context).await.unwrap_err();
    assert_eq!(raw.code(), ErrorCode::Conflict);
    assert!(raw.message().contains(two.id().as_str()), "{raw}");
    two.delete().await.unwrap();
    volumes(&lab.isobox).delete("data").await.unwrap();
    volumes(&lab.isobox).delete("data").await.unwrap();
    assert_eq!(volumes(&lab.isobox).get("data").await.unwrap_err().code(), ErrorCode::NotFound);
    assert_eq!(left(lab.home()), Vec::<PathBuf>::new());
    let missing = with(&lab, "data", "/a").create().await.unwrap_err();
    assert_eq!(missing.code(), ErrorCode::NotFound, "{missing}");
    assert!(lab.left_over().is_empty());
}

#[tokio::test]
async fn every_sandbox_sees_the_same_owners() {
    let lab = Lab::open().await;
    let provider = lab.isobox.provider("namespace").await.unwrap();
    if !provider.capabilities().has(Capability::FilesOwnership) {
        return println!("skipped: sandboxes have one user here");
    }
    volumes(&lab.isobox).create("data").await.unwrap();
    let one = with(&lab, "data", "/data").create().await.unwrap();
    let two = with(&lab, "data", "/data").user("1234:5678").create().await.unwrap();
    says(&one, "cd /data; touch root; mkdir -m 755 own; chown 1234:5678 own; touch far; chown 65000:65000 far").await;
    assert_eq!(
        says(&two, "cd /data; touch mine own/mine && stat -c '%u:%g %n' root far own own/mine mine").await,
        "0:0 root\n65000:65000 far\n1234:5678 own\n1234:5678 own/mine\n1234:5678 mine"
    );
    assert_eq!(says(&one, "stat -c '%u:%g' /data/mine /data/own/mine").await, "1234:5678\n1234:5678");
    // The volume is sticky: what is another's stays.
    assert!(says(&two, "rm -f /data/root").await.contains("not permitted"));
    one.delete().await.unwrap();
    two.delete().await.unwrap();
    volumes(&lab.isobox).delete("data").await.unwrap();
    assert_eq!(left(lab.home()), Vec::<PathBuf>::new());
}

/// Sandboxes with one user can be copied by everybody.
fn single(builder: SandboxBuilder) -> SandboxBuilder {
    let options = NamespaceOptions { users: NamespaceUsers::Single, ..NamespaceOptions::default() };
    builder.options(ProviderOptions::Namespace(options))
}

#[tokio::test]
async fn a_fork_has_the_volumes_of_the_original_and_a_snapshot_nothing_of_them() {
    let lab = Lab::open().await;
    volumes(&lab.isobox).create("data").await.unwrap();
    let sandbox = single(with(&lab, "data", "/data")).create().await.unwrap();
    says(&sandbox, "echo shared > /data/file; echo own > /root/file").await;
    let fork = sandbox.fork(1).await.unwrap().pop().unwrap();
    assert_eq!(says(&fork, "cat /data/file /root/file; echo more >> /data/file").await, "shared\nown");
    assert_eq!(says(&sandbox, "cat /data/file").await, "shared\nmore");
    let used = volumes(&lab.isobox).inspect("data").await.unwrap().used_by;
    assert_eq!(used, [*sandbox.id(), *fork.id()]);
    let snapshot = sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
    sandbox.delete().await.unwrap();
    assert_eq!(volumes(&lab.isobox).delete("data").await.unwrap_err().code(), ErrorCode::Conflict, "the fork has it");
    let restored = lab.isobox.sandbox().provider("namespace").snapshot(snapshot.external).create().await.unwrap();
    assert_eq!(says(&restored, "ls -A /data; cat /root/file").await, "own");
    fork.delete().await.unwrap();
    volumes(&lab.isobox).delete("data").await.unwrap();
    restored.delete().await.unwrap();
}

#[tokio::test]
async fn what_is_mounted_in_something_else_is_seen_whatever_the_order() {
    let lab = Lab::open().await;
    volumes(&lab.isobox).create("outer").await.unwrap();
    volumes(&lab.isobox).create("inner").await.unwrap();
    let inside = lab.isobox.sandbox().provider("namespace");
    let sandbox =
        inside.volume("inner", "/a/tmp/in").mount(Mount::tmpfs("/a/tmp")).volume("outer", "/a").create().await.unwrap();
    let seen =
        "for place in /a /a/tmp /a/tmp/in; do grep -c \" $place \" /proc/self/mountinfo; touch $place/file; done";
    assert_eq!(says(&sandbox, seen).await, "1\n1\n1");
    assert_eq!(says(&sandbox, "ls /a/file /a/tmp/file /a/tmp/in/file | wc -l").await, "3");
    sandbox.delete().await.unwrap();
    assert_eq!(volumes(&lab.isobox).prune().await.unwrap().names, ["outer", "inner"]);
}

#[tokio::test]
async fn a_part_of_one_is_all_that_is_seen_and_no_link_leads_out() {
    let lab = Lab::open().await;
    volumes(&lab.isobox).create("data").await.unwrap();
    let whole = with(&lab, "data", "/data").create().await.unwrap();
    let prepare = "cd /data; mkdir -p a/b; echo part > a/b/file; ln -s /etc out; ln -s a in; ln -s ../../.. a/up";
    assert_eq!(says(&whole, prepare).await, "");
    let inside = || lab.isobox.sandbox().provider("namespace");
    let sandbox = inside().volume_mount(part("data", "a/b")).create().await.unwrap();
    assert_eq!(says(&sandbox, "ls -A /part; cat /part/file; ls -A /part/..| grep -c part").await, "file\npart\n1");
    says(&sandbox, "echo new > /part/new").await;
    assert_eq!(says(&whole, "cat /data/a/b/new").await, "new");
    sandbox.delete().await.unwrap();
    for (bad, reason) in
        [("out", "link"), ("in/b", "link"), ("a/up", "link"), ("missing", "make it"), ("../x", "relative")]
    {
        let refused = inside().volume_mount(part("data", bad)).create().await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::InvalidSpec, "{bad}: {refused}");
        assert!(refused.message().contains("subpath") && refused.message().contains(reason), "{bad}: {refused}");
    }
    // One that changes from a directory to a link and back is the directory or refused, and never what the link says.
    let flip =
        "cd /data; mkdir flip; touch flip/mine; while :; do mv flip was; ln -s /etc flip; rm flip; mv was flip; done";
    let flipping = whole.shell(flip).spawn().await.unwrap();
    for _ in 0..20 {
        match inside().volume_mount(part("data", "flip")).create().await {
            Ok(sandbox) => {
                assert_eq!(says(&sandbox, "ls -A /part").await, "mine");
                sandbox.delete().await.unwrap();
            }
            Err(error) => assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}"),
        }
    }
    drop(flipping);
    whole.delete().await.unwrap();
}

#[tokio::test]
async fn whatever_a_sandbox_has_left_in_one_is_removed_and_nothing_else() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("precious"), "stays").unwrap();
    let lab = Lab::open().await;
    volumes(&lab.isobox).create("data").await.unwrap();
    let sandbox = with(&lab, "data", "/data").create().await.unwrap();
    let hostile = format!(
        "cd /data; ln -s {0} link; ln -s {0}/precious file; mkfifo pipe; mkdir -p closed/deep; touch closed/deep/file
        i=0; while [ $i -lt 200 ]; do mkdir d; cd d; i=$((i+1)); done; cd /data
        chown -R 1000:1000 closed 2>/dev/null; chmod 0 closed/deep closed; touch 'a b' '-rf'; chmod 0 .",
        outside.path().display()
    );
    says(&sandbox, &hostile).await;
    sandbox.delete().await.unwrap();
    volumes(&lab.isobox).delete("data").await.unwrap();
    assert_eq!(left(lab.home()), Vec::<PathBuf>::new());
    assert_eq!(std::fs::read_to_string(outside.path().join("precious")).unwrap(), "stays");
}

#[tokio::test]
async fn what_cannot_be_is_refused_by_name_before_anything_is_made() {
    let lab = Lab::open().await;
    let too_long = "a".repeat(129);
    for name in ["", "..", "../x", "a/b", ".hidden", "-v", "a b", "a\n", "vol_x", "ü", too_long.as_str()] {
        let refused = volumes(&lab.isobox).create(name).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::InvalidSpec, "{name:?}: {refused}");
        assert!(refused.message().contains("name"), "{refused}");
    }
    let zero = VolumeSpec { size: Some(0), ..VolumeSpec::named("a") };
    assert_eq!(volumes(&lab.isobox).create_with(zero).await.unwrap_err().code(), ErrorCode::InvalidSpec);
    let label = VolumeSpec { labels: [(String::new(), String::new())].into(), ..VolumeSpec::named("a") };
    let label = volumes(&lab.isobox).create_with(label).await.unwrap_err();
    assert!(label.message().contains("labels"), "{label}");
    assert_eq!(left(lab.home()), Vec::<PathBuf>::new());
    volumes(&lab.isobox).create("taken").await.unwrap();
    assert_eq!(volumes(&lab.isobox).create("taken").await.unwrap_err().code(), ErrorCode::AlreadyExists);
    for (what, builder) in [
        ("volumes.volume", lab.isobox.sandbox().volume("a b", "/data")),
        ("volumes.target", with(&lab, "taken", "data")),
        ("/proc", with(&lab, "taken", "/proc/x")),
        ("twice", with(&lab, "taken", "/data").volume("taken", "/data/")),
    ] {
        let refused = builder.create().await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::InvalidSpec, "{what}: {refused}");
        assert!(refused.message().contains(what), "{what}: {refused}");
    }
    // On the bare host every sandbox would see every volume, and its target would be a place of the machine.
    let host = lab.isobox.volumes().provider("host").create("data").await.unwrap_err();
    assert_eq!(host.code(), ErrorCode::Unsupported);
    assert!(host.message().contains("volumes.supported"), "{host}");
    let mounted = lab.isobox.sandbox().provider("host").volume("taken", "/data").create().await.unwrap_err();
    assert!(mounted.message().contains("volumes.mount"), "{mounted}");
    assert!(lab.left_over().is_empty());
}

#[tokio::test]
async fn a_size_is_refused_with_the_way_out_where_there_are_no_quotas() {
    let lab = Lab::open().await;
    if lab.isobox.provider("namespace").await.unwrap().capabilities().has(Capability::VolumesSize) {
        return println!("skipped: there are quotas here");
    }
    let sized = VolumeSpec { size: Some(8 << 20), ..VolumeSpec::named("small") };
    let refused = volumes(&lab.isobox).create_with(sized).await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::Unsupported);
    assert!(refused.message().contains("volumes.size"), "{refused}");
    assert!(volumes(&lab.isobox).list().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_size_is_what_all_sandboxes_can_write_together() {
    for kind in ["ext4", "xfs"] {
        match WithQuota::mount(kind) {
            Ok(disk) => a_size_holds_below(&disk.path()).await,
            Err(reason) => println!("skipped: no {kind} with project quotas can be mounted here: {reason}"),
        }
    }
}

async fn a_size_holds_below(place: &Path) {
    let lab = Lab::open_in(place).await;
    let sized = VolumeSpec { size: Some(8 << 20), ..VolumeSpec::named("small") };
    let made = volumes(&lab.isobox).create_with(sized.clone()).await.unwrap();
    assert_eq!(made.size, Some(8 << 20));
    volumes(&lab.isobox).create("free").await.unwrap();
    let write = |file: &str, mib: u64| format!("head -c {} /dev/zero > {file} 2>&1; stat -c %s {file}", mib << 20);
    let one = with(&lab, "small", "/data").create().await.unwrap();
    let two = with(&lab, "small", "/data").create().await.unwrap();
    assert_eq!(says(&one, &write("/data/one", 6)).await.trim(), (6 << 20).to_string());
    // Whoever they are, and wherever in it.
    let full = says(&two, &format!("mkdir -p /data/deep; {}", write("/data/deep/two", 6))).await;
    let size: u64 = full.lines().last().unwrap().trim().parse().unwrap();
    assert!(size <= 2 << 20, "{full}");
    assert_eq!(says(&two, &write("/root/own", 6)).await.trim(), (6 << 20).to_string(), "its own disk is another");
    says(&one, "rm /data/one").await;
    assert_eq!(
        says(&two, &write("/data/more", 4)).await.trim(),
        (4 << 20).to_string(),
        "what is removed counts no more"
    );

    let other = with(&lab, "free", "/data").create().await.unwrap();
    assert_eq!(
        says(&other, &write("/data/file", 12)).await.trim(),
        (12 << 20).to_string(),
        "without a size there is none"
    );
    let places = left(lab.home());
    let project = places.iter().find_map(|place| Project::of(&place.join("contents"))).expect("one has a quota");
    for sandbox in [one, two, other] {
        sandbox.delete().await.unwrap();
    }
    volumes(&lab.isobox).delete("small").await.unwrap();
    // XFS knows a number no more that nothing has.
    assert_eq!(project.limit(lab.home()).unwrap_or_default(), 0, "the number is free again");
    assert_eq!(left(lab.home()).len(), 1);
    volumes(&lab.isobox).create_with(sized).await.unwrap();
}

#[tokio::test]
async fn those_that_nobody_has_are_pruned() {
    let lab = Lab::open().await;
    for name in ["used", "one", "two"] {
        volumes(&lab.isobox).create(name).await.unwrap();
    }
    let sandbox = with(&lab, "used", "/data").create().await.unwrap();
    let pruned = volumes(&lab.isobox).prune().await.unwrap();
    assert_eq!(pruned.names, ["one", "two"]);
    assert!(pruned.freed > 0);
    assert_eq!(left(lab.home()).len(), 1);
    sandbox.delete().await.unwrap();
    assert_eq!(volumes(&lab.isobox).prune().await.unwrap().names, ["used"]);
    assert_eq!(volumes(&lab.isobox).list().await.unwrap(), []);
}

#[tokio::test]
async fn one_that_is_not_written_down_is_found_and_one_that_is_gone_is_told() {
    let home = tempfile::tempdir().unwrap();
    let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
    let before = volumes(&isobox).create("data").await.unwrap();
    let sandbox = isobox.sandbox().provider("namespace").volume("data", "/data").create().await.unwrap();
    says(&sandbox, "echo kept > /data/file").await;
    sandbox.delete().await.unwrap();
    drop(sandbox);
    isobox.close().await;
    drop(isobox);
    // As if the books were lost.
    for entry in std::fs::read_dir(home.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().starts_with("control.db") {
            std::fs::remove_file(path).unwrap();
        }
    }
    let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
    let found = volumes(&isobox).list().await.unwrap();
    assert_eq!(found.iter().map(|entry| (entry.id, entry.name.as_str())).collect::<Vec<_>>(), [(before.id, "data")]);
    let sandbox = isobox.sandbox().provider("namespace").volume("data", "/data").create().await.unwrap();
    assert_eq!(says(&sandbox, "cat /data/file").await, "kept");
    sandbox.delete().await.unwrap();
    std::fs::remove_dir_all(home.path().join("volumes").join(before.id.as_str())).unwrap();
    assert_eq!(volumes(&isobox).list().await.unwrap()[0].state, VolumeState::Error);
    let gone = isobox.sandbox().provider("namespace").volume("data", "/data").create().await.unwrap_err();
    assert_eq!(gone.code(), ErrorCode::NotFound, "{gone}");
    volumes(&isobox).delete("data").await.unwrap();
    assert_eq!(volumes(&isobox).list().await.unwrap(), []);
}

/// Makes or gets volumes, as it is told.
#[test]
#[ignore = "a process of the other tests"]
fn other() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        while let Some(name) = elsewhere::hear() {
            let made = volumes(&isobox).get_or_create(name).await.unwrap();
            elsewhere::say(made.id.as_str());
        }
    });
}

#[tokio::test]
async fn one_name_is_for_one_volume_however_many_processes_ask() {
    let home = tempfile::tempdir().unwrap();
    let mut others: Vec<Elsewhere> = (0..4).map(|_| Elsewhere::start("other", home.path())).collect();
    for round in 0..5 {
        for other in &mut others {
            other.tell(&format!("same-{round}"));
        }
        let mut ids: Vec<String> = others.iter_mut().map(Elsewhere::hear).collect();
        ids.dedup();
        assert_eq!(ids.len(), 1, "{ids:?}");
    }
    assert_eq!(left(home.path()).len(), 5);
}

/// Makes volumes, uses them and removes them until it is killed.
#[test]
#[ignore = "a process of the other tests"]
fn busy() {
    let Some(home) = elsewhere::home() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        elsewhere::say("open");
        let each = (0..4).map(|task| {
            let isobox = isobox.clone();
            tokio::spawn(async move {
                let mut round = 0;
                loop {
                    let name = format!("task-{task}-{round}");
                    round += 1;
                    volumes(&isobox).create(&name).await.unwrap();
                    if round % 5 == 0 {
                        let sandbox =
                            isobox.sandbox().provider("namespace").volume(&name, "/v").create().await.unwrap();
                        sandbox.shell("mkdir -p /v/a/b; touch /v/a/b/c").await.unwrap();
                        sandbox.delete().await.unwrap();
                    }
                    volumes(&isobox).delete(&name).await.unwrap();
                }
            })
        });
        futures::future::join_all(each).await;
    });
}

#[tokio::test]
async fn a_process_that_is_killed_at_any_moment_leaves_no_half_of_one() {
    for round in 0..6 {
        let home = tempfile::tempdir().unwrap();
        let mut busy = Elsewhere::start("busy", home.path());
        busy.hear();
        tokio::time::sleep(Duration::from_millis(20 + 31 * round)).await;
        busy.kill();
        let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
        let settled = tokio::time::timeout(PATIENCE, async {
            loop {
                let done = isobox.collect_garbage().await.unwrap();
                let listed = volumes(&isobox).list().await.unwrap();
                if done.failed.is_empty()
                    && listed.iter().all(|entry| entry.state == VolumeState::Ready && entry.attached == 0)
                {
                    return listed;
                }
                eprintln!("{round}: {done:?} {listed:?}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        let listed = settled.await.expect("everything is settled");
        let mut on_disk: Vec<String> =
            left(home.path()).iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
        on_disk.sort();
        assert_eq!(on_disk, listed.iter().map(|entry| entry.id.to_string()).collect::<Vec<_>>(), "{round}");
        volumes(&isobox).prune().await.unwrap();
        assert_eq!(left(home.path()), Vec::<PathBuf>::new(), "{round}");
    }
}

#[tokio::test]
async fn using_one_and_deleting_it_at_once_is_one_or_the_other() {
    let lab = Lab::open().await;
    for _ in 0..10 {
        volumes(&lab.isobox).create("data").await.unwrap();
        let handle = volumes(&lab.isobox);
        let (made, deleted) = tokio::join!(with(&lab, "data", "/data").create(), handle.delete("data"));
        match (made, deleted) {
            (Ok(sandbox), Err(error)) => {
                assert_eq!(error.code(), ErrorCode::Conflict, "{error}");
                assert_eq!(says(&sandbox, "touch /data/x; ls /data").await, "x");
                sandbox.delete().await.unwrap();
                volumes(&lab.isobox).delete("data").await.unwrap();
            }
            (Err(error), Ok(())) => {
                assert!(matches!(error.code(), ErrorCode::NotFound | ErrorCode::InvalidState), "{error}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!((left(lab.home()).len(), lab.left_over().len()), (0, 0));
    }
}
