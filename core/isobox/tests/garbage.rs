//! Collecting garbage: what nobody needs goes, and everything else stays.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "common/crashes.rs"]
#[allow(dead_code, reason = "each test binary uses its own part")]
mod crashes;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use common::limited::{MIB, WithQuota};
use common::{Lab, PROVIDERS};
use crashes::{Crash, crash, left, open, tidy};
use elsewhere::{Elsewhere, settles};
use isobox::{DiskKind, ErrorCode, GarbageKind, Isobox, SandboxFilter, State};
use isobox_disk::Project;
use rustix::process::Signal;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[test]
#[ignore = "a process of the other tests"]
fn doomed() {
    crashes::doomed();
}

/// Owns a sandbox of each provider.
#[test]
#[ignore = "a process of the other tests"]
fn owner() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = open(&home).await;
        let mut owned = Vec::new();
        for provider in PROVIDERS {
            let builder = isobox.sandbox().provider(provider).name(format!("on-{provider}"));
            owned.push(builder.owner_lease(Duration::from_secs(1000)).create().await.unwrap());
        }
        elsewhere::say("made");
        while elsewhere::hear().is_some() {}
    });
}

/// Makes one that is to live on, and says which.
#[test]
#[ignore = "a process of the other tests"]
fn detacher() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = open(&home).await;
        elsewhere::say("open");
        let provider = elsewhere::hear().unwrap();
        let sandbox = isobox.sandbox().provider(provider).detached().create().await.unwrap();
        elsewhere::say(sandbox.id().as_str());
        while elsewhere::hear().is_some() {}
    });
}

#[test]
#[ignore = "a process of the other tests"]
fn collector() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = quiet(&home).await;
        elsewhere::say("open");
        elsewhere::hear();
        isobox.collect_garbage().await.unwrap();
        elsewhere::say("collected");
    });
}

/// A library that does nothing that it is not told to.
async fn quiet(home: &Path) -> Isobox {
    Isobox::builder().home(home).no_clean_up().open().await.unwrap()
}

/// A process that collects, and has a fault.
fn collecting(home: &Path, fault: &str) -> Elsewhere {
    let mut collector = Elsewhere::start_with("collector", home, &[("ISOBOX_FAULT", fault)]);
    assert_eq!(collector.hear(), "open");
    collector.tell("now");
    collector
}

fn is_stopped(process: &Elsewhere) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.pid())).unwrap();
    stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('T'))
}

/// Whoever collects reads that it is being made; then it is made, its process is killed, and only then is it looked whether
/// that lives.
#[tokio::test]
async fn what_is_made_and_left_while_somebody_collects_stays() {
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        let start = |role, fault| Elsewhere::start_with(role, home.path(), &[("ISOBOX_FAULT", fault)]);
        let mut maker = start("detacher", "create.made=stop");
        let mut collector = start("collector", "reconcile.read=stop");
        assert_eq!((maker.hear(), collector.hear()), ("open".to_owned(), "open".to_owned()));
        maker.tell(provider);
        settles("the create", || is_stopped(&maker)).await;
        collector.tell("now");
        settles("the reading", || is_stopped(&collector)).await;
        maker.signal(Signal::CONT);
        let id = maker.hear();
        maker.kill();
        collector.signal(Signal::CONT);
        assert_eq!(collector.hear(), "collected");
        collector.finish();
        let isobox = open(home.path()).await;
        let sandbox = isobox.connect(&id).await.unwrap();
        assert!(sandbox.exec(["true"]).await.unwrap().success(), "on {provider}");
        sandbox.delete().await.unwrap();
    }
}

/// Two processes have read that a dead one was making it. One of them begins to remove it and dies of that.
#[tokio::test]
async fn what_was_never_made_leaves_no_death_whoever_collects() {
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        crash(home.path(), provider, "create", "create.made", Crash::Alone, &elsewhere::mark()).await;
        let mut second = collecting(home.path(), "reconcile.read=stop");
        settles("the reading", || is_stopped(&second)).await;
        collecting(home.path(), "reconcile.taken=kill").killed();
        second.signal(Signal::CONT);
        assert_eq!(second.hear(), "collected");
        never_was(home.path()).await;
    }
}

#[tokio::test]
async fn what_was_never_made_is_not_found_by_who_takes_over_from_a_dead_collector() {
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        crash(home.path(), provider, "create", "create.made", Crash::Alone, &elsewhere::mark()).await;
        collecting(home.path(), "reconcile.taken=kill").killed();
        let isobox = quiet(home.path()).await;
        let refused = isobox.connect(crashes::NAME).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::NotFound, "on {provider}: {refused}");
        never_was(home.path()).await;
    }
}

#[tokio::test]
async fn what_was_never_made_is_not_found_once_any_of_many_collectors_is_done() {
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        crash(home.path(), provider, "create", "create.made", Crash::Alone, &elsewhere::mark()).await;
        let collecting = (0..8).map(|_| async {
            let isobox = open(home.path()).await;
            isobox.collect_garbage().await.unwrap();
            let refused = isobox.connect(crashes::NAME).await.unwrap_err();
            assert_eq!(refused.code(), ErrorCode::NotFound, "on {provider}: {refused}");
        });
        futures::future::join_all(collecting).await;
        never_was(home.path()).await;
    }
}

/// Nobody finds what was being made, and it did not die.
async fn never_was(home: &Path) {
    let isobox = quiet(home).await;
    assert_eq!(isobox.connect(crashes::NAME).await.unwrap_err().code(), ErrorCode::NotFound);
    let all = isobox.list(SandboxFilter { deleted: true, ..SandboxFilter::default() }).await.unwrap();
    let [only] = &all[..] else { panic!("{all:?}") };
    assert_eq!(only.state, State::Deleted);
    assert!(isobox.post_mortem(&only.id).await.unwrap().is_none());
    assert_eq!(isobox.connect(only.id.as_str()).await.unwrap_err().code(), ErrorCode::NotFound);
}

#[tokio::test]
async fn a_dry_run_says_what_would_go_and_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let isobox = open(home.path()).await;
    // Its first look at dead processes is over before there is one.
    isobox.collect_garbage().await.unwrap();
    let mut owner = Elsewhere::start("owner", home.path());
    owner.hear();
    owner.kill();
    let before = isobox.last_event().await.unwrap();
    let would = isobox.collect_garbage().dry_run().await.unwrap();
    assert_eq!((would.processes, would.removed, would.leftovers), (1, 2, 0), "{would:?}");
    let named: Vec<_> = would.found.iter().filter_map(|garbage| garbage.name.clone()).collect();
    assert!(named.contains(&"on-host".to_owned()) && named.contains(&"on-namespace".to_owned()), "{named:?}");
    assert!(would.found.iter().all(|garbage| !garbage.reason.is_empty()));
    assert_eq!(isobox.last_event().await.unwrap(), before, "nothing was written");
    assert_eq!(isobox.list(SandboxFilter::default()).await.unwrap().len(), 2);
    for provider in PROVIDERS {
        assert!(isobox.connect(&format!("on-{provider}")).await.unwrap().exec(["true"]).await.unwrap().success());
    }
    let done = isobox.collect_garbage().await.unwrap();
    assert_eq!((done.removed, done.failed), (2, vec![]));
    assert_eq!(isobox.collect_garbage().await.unwrap().found, vec![]);
    for provider in PROVIDERS {
        settles("everything going", || left(home.path(), provider).is_empty()).await;
    }
}

#[tokio::test]
async fn what_is_left_of_a_deleted_sandbox_goes_and_what_is_not_isoboxs_stays() {
    let lab = Lab::open().await;
    for provider in PROVIDERS {
        let sandbox = lab.sandbox(provider).await;
        let id = *sandbox.id();
        sandbox.delete().await.unwrap();
        let places = lab.home().join(provider);
        // As if its keeper had been killed before it was done.
        let leftover = places.join(id.as_str());
        std::fs::create_dir_all(leftover.join("upper/deep")).unwrap();
        std::fs::write(leftover.join("upper/deep/file"), vec![7; 300_000]).unwrap();
        // Somebody's own, and one that a program may be making with a provider right now.
        let (notes, file, making) =
            (places.join("notes"), places.join("file.project"), places.join(isobox::SandboxId::generate().as_str()));
        std::fs::create_dir(&notes).unwrap();
        std::fs::write(&file, "mine").unwrap();
        std::fs::create_dir(&making).unwrap();

        let usage = lab.isobox.disk_usage().await.unwrap().of(DiskKind::Sandboxes);
        assert!((300_000..600_000).contains(&usage.reclaimable), "{provider}: {usage:?}");
        let done = lab.isobox.collect_garbage().await.unwrap();
        let found: Vec<_> = done.found.iter().map(|garbage| (garbage.kind, garbage.id.clone())).collect();
        assert_eq!(found, [(GarbageKind::Leftover, id.to_string())], "{provider}");
        assert!(!leftover.exists() && notes.exists() && file.exists() && making.exists(), "{provider}");
        std::fs::remove_dir(&notes).unwrap();
        std::fs::remove_file(&file).unwrap();
        std::fs::remove_dir(&making).unwrap();
    }
}

#[tokio::test]
async fn a_process_of_another_pid_namespace_is_not_taken_for_dead() {
    let home = tempfile::tempdir().unwrap();
    let words = ["unshare", "-rpf", "--mount-proc", "--kill-child"];
    let Some(mut owner) = Elsewhere::start_behind(&words, "owner_of_one", home.path()) else {
        println!("skipped: no pid namespace can be made here");
        return;
    };
    let id = owner.hear();
    let isobox = open(home.path()).await;
    for _ in 0..2 {
        let done = isobox.collect_garbage().await.unwrap();
        assert_eq!((done.processes, done.removed, done.leftovers), (0, 0, 0), "{done:?}");
    }
    assert_eq!(isobox.inspect(&id).await.unwrap().state, State::Running);
    owner.tell("is it there?");
    assert_eq!(owner.hear(), "it is");
    owner.kill();
    // Its lock is free now, which shows from everywhere that it is dead; what it had run has ended with its namespace.
    let gone = tokio::time::timeout(elsewhere::PATIENCE, async {
        while isobox.inspect(&id).await.unwrap().state != State::Deleted {
            tidy(&isobox).await;
        }
    });
    gone.await.expect("it is known to be dead");
    assert_eq!(left(home.path(), "host"), Vec::<PathBuf>::new());
}

/// Owns a sandbox, and says whether it can be used.
#[test]
#[ignore = "a process of the other tests"]
fn owner_of_one() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = open(&home).await;
        let sandbox = isobox.sandbox().provider("host").create().await.unwrap();
        elsewhere::say(sandbox.id().as_str());
        while elsewhere::hear().is_some() {
            assert!(sandbox.exec(["true"]).await.unwrap().success());
            elsewhere::say("it is");
        }
    });
}

/// The numbers of projects that sandboxes below a home have, or are about to have.
fn numbers(home: &Path) -> Vec<u32> {
    let entries = std::fs::read_dir(home.join("namespace")).into_iter().flatten().flatten();
    let number = |path: PathBuf| {
        let reserved = std::fs::read_to_string(&path).ok().and_then(|text| text.parse().ok());
        reserved.or_else(|| Project::of(&path.join("disk")).map(Project::number))
    };
    entries.filter_map(|entry| number(entry.path())).collect()
}

#[tokio::test]
async fn the_quota_of_a_sandbox_that_never_was_is_given_back() {
    let disk = match WithQuota::mount("ext4") {
        Ok(disk) => disk,
        Err(reason) => return println!("skipped: no filesystem with project quotas can be mounted here: {reason}"),
    };
    for point in ["create.disk_made", "launch.up", "create.made"] {
        let home = tempfile::tempdir_in(disk.path()).unwrap();
        crash(home.path(), "namespace", "create_limited", point, Crash::WithItsOwn, &elsewhere::mark()).await;
        let numbers = numbers(home.path());
        assert_eq!(numbers.len(), 1, "{point}");
        let project = Project::numbered(numbers[0]).unwrap();
        assert_eq!(project.limit(home.path()).unwrap(), 16 * MIB, "{point}");
        tidy(&open(home.path()).await).await;
        assert_eq!(left(home.path(), "namespace"), Vec::<PathBuf>::new(), "{point}");
        assert_eq!(project.limit(home.path()).unwrap(), 0, "{point}");
    }
}

#[tokio::test]
async fn what_takes_room_is_told_by_what_it_is() {
    let lab = Lab::open().await;
    let empty = lab.isobox.disk_usage().await.unwrap();
    assert_eq!(empty.kinds.iter().map(|usage| usage.kind).collect::<Vec<_>>(), DiskKind::ALL);
    assert_eq!(empty.of(DiskKind::Sandboxes).count, 0);
    assert!(empty.of(DiskKind::Database).bytes > 10_000);
    let mut made = Vec::new();
    for provider in PROVIDERS {
        let sandbox = lab.sandbox(provider).await;
        sandbox.files().write("large", vec![7; 1 << 20]).await.unwrap();
        made.push(sandbox);
    }
    let usage = lab.isobox.disk_usage().await.unwrap();
    let sandboxes = usage.of(DiskKind::Sandboxes);
    assert_eq!((sandboxes.count, sandboxes.reclaimable), (2, 0));
    // What belongs to a sandbox's other users cannot be looked into by an ordinary user.
    assert!(sandboxes.bytes >= 2 << 20 || sandboxes.unreadable > 0, "{sandboxes:?}");
    assert!(usage.bytes() > empty.bytes());
    for sandbox in made {
        sandbox.delete().await.unwrap();
    }
    assert_eq!(lab.isobox.disk_usage().await.unwrap().of(DiskKind::Sandboxes).count, 0);
}

#[tokio::test]
async fn half_of_a_snapshot_goes() {
    let lab = Lab::open().await;
    let provider = lab.isobox.provider("namespace").await.unwrap();
    if !provider.capabilities().has(isobox::Capability::SnapshotsFilesystem) {
        return println!("skipped: no snapshots here");
    }
    let sandbox = lab.sandbox("namespace").await;
    let snapshot = sandbox.snapshot(isobox::SnapshotOptions::default()).await.unwrap();
    let layers = lab.home().join("snapshots/layers");
    let half = layers.join("half.new");
    std::fs::create_dir(&half).unwrap();
    std::fs::write(half.join("file"), "half").unwrap();
    lab.isobox.collect_garbage().await.unwrap();
    assert!(!half.exists());
    assert_eq!(std::fs::read_dir(&layers).unwrap().count(), 1, "what a snapshot needs stays");
    lab.isobox.snapshots().delete(&snapshot.external).await.unwrap();
    sandbox.delete().await.unwrap();
}
