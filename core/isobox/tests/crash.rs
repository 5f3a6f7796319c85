//! A crash at every named point: whoever comes next finds what is left and finishes or undoes it.
//!
//! A process is made to get to a point and is killed there with SIGKILL, once alone and once together with the processes that it
//! has started. Then isobox is opened anew.
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
mod crashes;
#[path = "common/elsewhere.rs"]
mod elsewhere;
mod image;

use crashes::{Crash, NAME, crash, left, open, processes_below, tidy};
use elsewhere::{Elsewhere, PATIENCE, settles};
use image::Image;
use isobox::{
    ErrorCode, EventFilter, EventKind, Followed, Isobox, SandboxFilter, SnapshotOptions, SnapshotState, State,
};
use isobox_control::{Options, SqliteStore, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What becomes of the sandbox.
#[derive(Clone, Copy, Debug, PartialEq)]
enum After {
    /// It is gone, and its name is free.
    Gone,
    /// It is there and can be used.
    There,
    /// One of both.
    Either,
}

use After::{Either, Gone, There};

/// What is done, the points in it, and what becomes of the sandbox when only the library's process is killed there.
const POINTS: &[(&str, &[&str], After)] = &[
    (
        "create",
        &[
            "create.asked",
            "create.intended",
            "launch.ready",
            "launch.spawned",
            "launch.told",
            "launch.up",
            "launch.handed_over",
            "create.made",
            "create.confirmed",
        ],
        Gone,
    ),
    ("create", ONLY_NAMESPACE, Gone),
    ("stop", &["action.intended", "stop.taken", "stop.ended", "action.done", "action.confirmed"], There),
    (
        "start",
        &[
            "action.intended",
            "start.taken",
            "start.cgroups_made",
            "launch.spawned",
            "launch.told",
            "launch.up",
            "launch.handed_over",
            "action.done",
            "action.confirmed",
        ],
        There,
    ),
    (
        "delete",
        &["action.intended", "delete.taken", "delete.ended", "delete.cleared", "action.done", "action.confirmed"],
        Gone,
    ),
    ("exec", &["recorder.taken"], There),
    ("fork", FORKS, There),
    ("snapshot", SNAPSHOTS, There),
    ("snapshot_delete", &["snapshot.deleting", "snapshot.deleted"], Gone),
    ("volume", &["volume.intended", "volume.made"], Gone),
    ("volume_delete", &["volume.deleting", "volume.deleted"], Gone),
    ("image", &["image.intended", "image.changed"], Gone),
    ("image_remove", &["image.intended", "image.changed"], Gone),
    ("detach", &["detach.done"], Gone),
    ("adopt", &["adopt.done"], Either),
    (
        "take",
        &["pool.refill", "pool.relinquished", "pool.offered", "take.claimed", "take.adopted", "take.let_go"],
        Gone,
    ),
    ("collect", &["janitor.round", "reconcile.begun", "reconcile.buried", "reconcile.read"], Gone),
    ("collect", &["reconcile.taken", "reconcile.removed"], Gone),
    ("collect", &["nameless.ended", "nameless.removed"], Gone),
    ("collect_owned", &["reconcile.taken", "delete.ended", "reconcile.removed"], Gone),
];

/// Points that only the namespace provider comes by.
const ONLY_NAMESPACE: &[&str] = &["create.disk_made", "create.cgroups_made", "create.origin_written"];
const SNAPSHOTS: &[&str] = &[
    "snapshot.written",
    "snapshot.intended",
    "snapshot.copied",
    "snapshot.layer_kept",
    "snapshot.made",
    "snapshot.taken",
];
const FORKS: &[&str] = &["fork.intended", "fork.copied", "fork.layer_kept", "launch.spawned", "fork.made"];

fn is_for(provider: &str, point: &str) -> bool {
    provider == "namespace"
        || !["fork.", "snapshot.", "volume.", "image."].iter().any(|only| point.starts_with(only))
            && !ONLY_NAMESPACE.contains(&point)
}

#[test]
#[ignore = "a process of the other tests"]
fn doomed() {
    crashes::doomed();
}

async fn each_point_of(provider: &str, all: &[&str]) {
    for (what, points, after) in POINTS.iter().copied().filter(|(what, ..)| all.contains(what)) {
        for point in points.iter().filter(|point| is_for(provider, point) && (what != "fork" || provider != "host")) {
            for how in [Crash::Alone, Crash::WithItsOwn] {
                eprintln!("{provider}: {what} to {point}, {how:?}");
                let after = if how == Crash::WithItsOwn && after == There { Either } else { after };
                at_one_point(provider, what, point, how, after).await;
            }
        }
    }
}

async fn at_one_point(provider: &str, what: &str, point: &str, how: Crash, after: After) {
    let home = tempfile::tempdir().unwrap();
    let mark = elsewhere::mark();
    if what.starts_with("image") {
        std::fs::copy(Image::busybox().archive(NAME), home.path().join("image.tar")).unwrap();
    }
    if what == "image_remove" && provider == "namespace" {
        let images = open(home.path()).await.images().provider(provider);
        images.load(home.path().join("image.tar")).await.unwrap();
    }
    crash(home.path(), provider, what, point, how, &mark).await;

    let isobox = open(home.path()).await;
    if what.starts_with("image") {
        images_agree(&isobox, provider).await;
    }
    tidy(&isobox).await;
    if after == Gone || what == "adopt" {
        settles_records(&isobox, &[]).await;
    }
    let listed = isobox.list(SandboxFilter::default()).await.unwrap();
    let names: Vec<_> = listed.iter().map(|entry| entry.name.as_deref()).collect();
    match after {
        Gone => assert!(names.is_empty(), "{names:?}"),
        There => assert_eq!(names, [Some(NAME)]),
        Either => assert!(names.is_empty() || names == [Some(NAME)], "{names:?}"),
    }
    nothing_more_to_do(home.path()).await;
    // What the record says is so.
    for entry in &listed {
        let sandbox = isobox.connect(entry.id.as_str()).await.unwrap();
        assert_eq!(sandbox.describe().await.unwrap().state, entry.state);
        sandbox.start().await.unwrap();
        assert!(sandbox.exec(["true"]).await.unwrap().success());
        sandbox.delete().await.unwrap();
    }
    for entry in isobox.list(SandboxFilter { deleted: true, ..SandboxFilter::default() }).await.unwrap() {
        assert_eq!(entry.state, State::Deleted);
        settles("its cgroups going", || crashes::cgroups(entry.id.as_str()).is_empty()).await;
    }
    settles("everything going", || left(home.path(), provider).is_empty()).await;
    settles("its processes ending", || processes_below(home.path(), &mark).is_empty()).await;
    common::limited::no_loop_device_below(home.path());
    if what.starts_with("volume") {
        let volumes = isobox.volumes().provider(provider);
        assert!(volumes.list().await.unwrap().is_empty());
        assert_eq!(crashes::volumes(home.path()), Vec::<PathBuf>::new());
        volumes.create(NAME).await.unwrap();
        volumes.delete(NAME).await.unwrap();
    }
    if what.starts_with("snapshot") {
        no_half_snapshot(&isobox, home.path(), point == "snapshot.taken").await;
    }
    // The name is free.
    let again = isobox.sandbox().provider(provider).name(NAME).create().await.unwrap();
    again.delete().await.unwrap();
    assert_eq!(left(home.path(), provider), Vec::<PathBuf>::new());
}

/// What is written down of images is what there is, without anybody asking for it.
async fn images_agree(isobox: &Isobox, provider: &str) {
    let store = SqliteStore::open(isobox.home().join("control.db"), Options::default()).await.unwrap();
    let settled = tokio::time::timeout(PATIENCE, async {
        while !store.image_changes().await.unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    settled.await.expect("what the dead process changed is looked after");
    let provider = isobox.provider(provider).await.unwrap();
    let written = store.images(provider.kind()).await.unwrap().images;
    let there = provider.images().unwrap().list().await.unwrap();
    let names = |all: Vec<(String, Option<String>)>| all.into_iter().collect::<BTreeSet<_>>();
    let written = names(written.into_iter().map(|image| (image.reference, image.id)).collect());
    assert_eq!(written, names(there.into_iter().map(|image| (image.reference, image.id)).collect()));
}

/// A snapshot is there wholly or not at all, and its name is free when it is not.
async fn no_half_snapshot(isobox: &Isobox, home: &Path, is_there: bool) {
    let snapshots = isobox.snapshots().provider("namespace");
    let listed = snapshots.list().await.unwrap();
    assert_eq!(listed.len(), usize::from(is_there), "{listed:?}");
    assert!(listed.iter().all(|snapshot| snapshot.state == SnapshotState::Active), "{listed:?}");
    snapshots.delete(NAME).await.unwrap();
    let sandbox = isobox.sandbox().provider("namespace").create().await.unwrap();
    sandbox.snapshot(SnapshotOptions { name: Some(NAME.into()), ..SnapshotOptions::default() }).await.unwrap();
    sandbox.delete().await.unwrap();
    let restored = isobox.sandbox().provider("namespace").snapshot(NAME).create().await.unwrap();
    restored.delete().await.unwrap();
    snapshots.delete(NAME).await.unwrap();
    assert_eq!(crashes::snapshots(home), Vec::<PathBuf>::new());
}

/// A second one that opens isobox finds nothing to do.
async fn nothing_more_to_do(home: &Path) {
    let isobox = open(home).await;
    let more = isobox.collect_garbage().dry_run().await.unwrap();
    assert_eq!((more.found, more.failed), (vec![], vec![]));
}

/// What an agent ends by itself is written down by whoever looks next.
async fn settles_records(isobox: &Isobox, names: &[&str]) {
    let gone = tokio::time::timeout(PATIENCE, async {
        while isobox.list(SandboxFilter::default()).await.unwrap().len() != names.len() {
            tokio::time::sleep(Duration::from_millis(20)).await;
            tidy(isobox).await;
        }
    });
    gone.await.expect("what is dead is written down as that");
}

/// What is done, in parts that take as long.
const MADE: &[&str] = &["create", "take"];
const CHANGED: &[&str] = &["stop", "start", "exec", "fork", "detach", "adopt"];
const ENDED: &[&str] = &[
    "delete",
    "collect",
    "collect_owned",
    "snapshot",
    "snapshot_delete",
    "volume",
    "volume_delete",
    "image",
    "image_remove",
];

macro_rules! crashes {
    ($($provider:ident: $made:ident, $changed:ident, $ended:ident;)+) => {$(
        #[tokio::test]
        async fn $made() {
            each_point_of(stringify!($provider), MADE).await;
        }

        #[tokio::test]
        async fn $changed() {
            each_point_of(stringify!($provider), CHANGED).await;
        }

        #[tokio::test]
        async fn $ended() {
            each_point_of(stringify!($provider), ENDED).await;
        }
    )+};
}

crashes! {
    host: a_crash_in_making_one_on_the_host_is_made_good, a_crash_in_changing_one_on_the_host_is_made_good,
        a_crash_in_ending_one_on_the_host_is_made_good;
    namespace: a_crash_in_making_one_in_namespaces_is_made_good, a_crash_in_changing_one_in_namespaces_is_made_good,
        a_crash_in_ending_one_in_namespaces_is_made_good;
}

/// The names of the points in the sources, with the files that they are in.
fn points_in_the_code() -> BTreeMap<String, Vec<PathBuf>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut open = vec![top.join("core"), top.join("providers"), top.join("cli")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for (_, rest) in
                text.match_indices("isobox_fault::point!(\"").map(|(at, word)| text.split_at(at + word.len()))
            {
                found.entry(rest.split('"').next().unwrap().to_owned()).or_default().push(path.clone());
            }
        }
    }
    found
}

#[test]
fn there_is_a_crash_at_every_point_in_the_code() {
    let mut in_code = points_in_the_code();
    in_code.retain(|_, files| files.iter().any(|file| !file.ends_with("tests/crash.rs")));
    // Those need an engine, and have tests of their own.
    in_code.retain(|point, _| !point.starts_with("docker."));
    let parts = [MADE, CHANGED, ENDED].concat();
    assert!(POINTS.iter().all(|(what, ..)| parts.contains(what)), "everything in the table is in a test");
    let tested: BTreeSet<&str> = POINTS.iter().flat_map(|(_, points, _)| points.iter().copied()).collect();
    let untested: Vec<_> = in_code.keys().filter(|point| !tested.contains(point.as_str())).collect();
    let unknown: Vec<_> = tested.iter().filter(|point| !in_code.contains_key(**point)).collect();
    assert!(untested.is_empty(), "add these to the table of this test: {untested:?}");
    assert!(unknown.is_empty(), "these are not in the code any more: {unknown:?}");
    let twice: Vec<_> = in_code.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(twice.is_empty(), "each name is for one place: {twice:?}");
}

#[tokio::test]
async fn the_same_key_after_a_crash_makes_the_sandbox_that_was_not_made() {
    for provider in common::PROVIDERS {
        for point in ["create.intended", "launch.up", "create.made"] {
            let home = tempfile::tempdir().unwrap();
            crash(home.path(), provider, "create_with_key", point, Crash::Alone, &elsewhere::mark()).await;
            let isobox = open(home.path()).await;
            let asked = || crashes::with_key(&isobox, provider);
            let made = tokio::time::timeout(PATIENCE, asked().create()).await.expect("it does not wait").unwrap();
            assert!(made.exec(["true"]).await.unwrap().success(), "{provider} {point}");
            assert_eq!(asked().create().await.unwrap().id(), made.id());
            let other = asked().env("OTHER", "x").create().await.unwrap_err();
            assert_eq!(other.code(), ErrorCode::Conflict, "{other}");
            made.delete().await.unwrap();
            settles("everything going", || left(home.path(), provider).is_empty()).await;
        }
    }
}

#[tokio::test]
async fn a_round_of_cleaning_that_panics_is_not_the_last() {
    let home = tempfile::tempdir().unwrap();
    let mut janitor = Elsewhere::start_with("tidies", home.path(), &[("ISOBOX_FAULT", "janitor.round=panic")]);
    assert_eq!(janitor.hear(), "open");
    let mut owner = Elsewhere::start("owner", home.path());
    let id = owner.hear();
    owner.kill();
    janitor.tell(&id);
    assert_eq!(janitor.hear(), "deleted");
}

#[tokio::test]
async fn a_batch_of_events_that_panics_is_not_the_last() {
    let home = tempfile::tempdir().unwrap();
    let mut writer = Elsewhere::start_with("writes", home.path(), &[("ISOBOX_FAULT", "recorder.taken=panic")]);
    let id = writer.hear().parse().unwrap();
    let isobox = open(home.path()).await;
    let told = async |kind: &str| {
        let mut follow = isobox.events(0, EventFilter { sandboxes: vec![id], kinds: vec![kind.into()] });
        let next = tokio::time::timeout(PATIENCE, follow.next()).await;
        match next.expect("what follows is told").unwrap() {
            Followed::Event(event) => event.kind,
            other => panic!("{other:?}"),
        }
    };
    told("exec_exited").await;
    let notice = told("notice").await;
    assert!(matches!(&notice, EventKind::Notice { code, .. } if code == "events_lost"), "{notice:?}");
    writer.tell("enough");
    writer.finish();
}

/// Runs a command again and again, some time after the one before.
#[test]
#[ignore = "a process of the other tests"]
fn writes() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(async {
        let sandbox = open(&home).await.sandbox().provider("host").create().await.unwrap();
        elsewhere::say(sandbox.id().as_str());
        let heard = tokio::task::spawn_blocking(elsewhere::hear);
        while !heard.is_finished() {
            sandbox.exec(["sleep", "0.05"]).await.unwrap();
        }
        sandbox.delete().await.unwrap();
    });
}

/// Has isobox open, and waits for the end of a sandbox of somebody else.
#[test]
#[ignore = "a process of the other tests"]
fn tidies() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(async {
        let opened = Isobox::builder().home(&home).clean_up_every(Duration::from_millis(20)).open().await.unwrap();
        elsewhere::say("open");
        let id = elsewhere::hear().unwrap();
        while opened.inspect(&id).await.unwrap().state != State::Deleted {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        elsewhere::say("deleted");
    });
}

/// Owns a sandbox that would outlive it for long.
#[test]
#[ignore = "a process of the other tests"]
fn owner() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = open(&home).await;
        let builder = isobox.sandbox().provider("host").owner_lease(Duration::from_secs(1000));
        let sandbox = builder.create().await.unwrap();
        elsewhere::say(sandbox.id().as_str());
        while elsewhere::hear().is_some() {}
    });
}
