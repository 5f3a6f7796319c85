//! Snapshots as every process sees them: written down before they are made, found by their names, never half there.
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
use elsewhere::{Elsewhere, PATIENCE, settles};
use isobox::contract::OwnerId;
use isobox::contract::event::ResourceState;
use isobox::{
    Capability, Detail, ErrorCode, EventFilter, EventKind, ExportOptions, ImportOptions, Isobox, Resources, Sandbox,
    SnapshotEntry, SnapshotOptions, SnapshotState, Snapshots, State, Timestamp,
};
use isobox_control::{ActionRequest, Options, OwnerEntry, ProcessIdentity, SqliteStore, Store};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn snapshots(isobox: &Isobox) -> Snapshots {
    isobox.snapshots().provider("namespace")
}

fn named(name: &str) -> SnapshotOptions {
    SnapshotOptions { name: Some(name.into()), ..SnapshotOptions::default() }
}

async fn says(sandbox: &Sandbox, script: &str) -> String {
    let result = sandbox.shell(script).await.unwrap();
    format!("{}{}", result.stdout.text(), result.stderr.text()).trim_end().to_owned()
}

/// The snapshots on the disk, and the layers.
fn on_disk(home: &Path) -> (BTreeSet<String>, Vec<PathBuf>) {
    let list = |path: PathBuf| std::fs::read_dir(path).into_iter().flatten().map(|entry| entry.unwrap().path());
    let manifests = list(home.join("snapshots")).filter(|path| path.extension().is_some_and(|end| end == "json"));
    let ids = manifests.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    (ids, list(home.join("snapshots/layers")).collect())
}

fn ids(listed: &[SnapshotEntry]) -> BTreeSet<String> {
    listed.iter().map(|entry| entry.id.to_string()).collect()
}

/// The states of a sandbox after an event, in words.
async fn states(isobox: &Isobox, sandbox: &Sandbox, after: u64) -> Vec<String> {
    let last = isobox.last_event().await.unwrap();
    let mut events = isobox.events(after, EventFilter { sandboxes: vec![*sandbox.id()], kinds: Vec::new() });
    let mut states = Vec::new();
    let mut seen = after;
    while seen < last {
        let Ok(next) = tokio::time::timeout(Duration::from_secs(1), events.next()).await else { break };
        let isobox::Followed::Event(event) = next.unwrap() else { panic!("events are missing") };
        seen = event.sequence;
        if let EventKind::StateObserved { current: ResourceState::Sandbox(state), .. } = &event.kind {
            states.push(state.to_string());
        }
    }
    states
}

#[tokio::test]
async fn every_process_finds_one_by_its_name_and_knows_where_it_is_from() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    says(&sandbox, "echo kept > /root/file").await;
    let labels = [("team".to_owned(), "blue".to_owned())].into();
    let options = SnapshotOptions { labels, ..named("base") };
    let taken = sandbox.snapshot(options).await.unwrap();
    let another = Isobox::builder().home(lab.home()).open().await.unwrap();
    let listed = snapshots(&another).list().await.unwrap();
    assert_eq!(listed.len(), 1);
    let found = &listed[0];
    assert_eq!(
        (found.name.as_deref(), found.sandbox, found.state),
        (Some("base"), Some(*sandbox.id()), SnapshotState::Active)
    );
    assert_eq!((found.labels["team"].as_str(), found.owner, found.size), ("blue", None, taken.size));
    assert!(found.created_at <= Timestamp::now());
    for word in ["base", found.id.as_str(), taken.external.as_str()] {
        assert_eq!(snapshots(&another).get(word).await.unwrap().id, found.id);
        let restored = another.sandbox().provider("namespace").snapshot(word).create().await.unwrap();
        assert_eq!(says(&restored, "cat /root/file").await, "kept");
        let used = snapshots(&lab.isobox).delete("base").await.unwrap_err();
        assert_eq!(used.code(), ErrorCode::Conflict, "{used}");
        assert!(used.message().contains(restored.id().as_str()), "{used}");
        assert_eq!(snapshots(&another).get("base").await.unwrap().state, SnapshotState::Active);
        restored.delete().await.unwrap();
    }
    sandbox.delete().await.unwrap();
    assert_eq!(snapshots(&another).get("base").await.unwrap().id, found.id, "it outlives the sandbox");
    snapshots(&another).delete("base").await.unwrap();
    snapshots(&another).delete("base").await.unwrap();
    assert!(snapshots(&lab.isobox).list().await.unwrap().is_empty());
    assert_eq!(on_disk(lab.home()), (BTreeSet::new(), Vec::new()));
    assert_eq!(snapshots(&lab.isobox).get("base").await.unwrap_err().code(), ErrorCode::NotFound);
}

#[tokio::test]
async fn what_cannot_be_is_refused_before_the_sandbox_stands_still() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    sandbox.snapshot(named("taken")).await.unwrap();
    let before = lab.isobox.last_event().await.unwrap();
    let taken = sandbox.snapshot(named("taken")).await.unwrap_err();
    assert_eq!(taken.code(), ErrorCode::AlreadyExists, "{taken}");
    for name in ["", "a b", "../x", "snp_x"] {
        let refused = sandbox.snapshot(named(name)).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::InvalidSpec, "{name:?} {refused}");
        assert!(refused.message().contains("name"), "{refused}");
    }
    assert_eq!(lab.isobox.last_event().await.unwrap(), before, "nothing was begun");
    sandbox.delete().await.unwrap();
    let gone = sandbox.snapshot(named("late")).await.unwrap_err();
    assert!(matches!(gone.code(), ErrorCode::InvalidState | ErrorCode::SandboxGone), "{gone}");
    assert_eq!(snapshots(&lab.isobox).list().await.unwrap().len(), 1, "a name of one that failed is free");
    let host = lab.isobox.snapshots().provider("host").import("x", ImportOptions::default()).await.unwrap_err();
    assert!(host.message().contains("snapshots.import"), "{host}");
}

#[tokio::test]
async fn a_sandbox_is_in_one_operation_at_a_time_and_then_as_it_was() {
    let lab = Lab::open().await;
    let limits = lab.isobox.provider("namespace").await.unwrap().capabilities().has(Capability::ResourcesPids);
    let builder = lab.isobox.sandbox().provider("namespace");
    let sandbox = if limits { builder.pids(1000) } else { builder }.create().await.unwrap();
    let start = lab.isobox.last_event().await.unwrap();
    sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
    sandbox.fork(1).await.unwrap();
    assert_eq!(states(&lab.isobox, &sandbox, start).await, ["snapshotting", "running", "forking", "running"]);
    if limits && sandbox.capabilities().has(Capability::LifecycleResize) {
        let start = lab.isobox.last_event().await.unwrap();
        sandbox.resize(Resources { pids: Some(500), ..Resources::default() }).await.unwrap();
        assert_eq!(states(&lab.isobox, &sandbox, start).await, ["resizing", "running"]);
    }
    if sandbox.capabilities().has(Capability::LifecyclePause) {
        sandbox.pause().await.unwrap();
        let start = lab.isobox.last_event().await.unwrap();
        sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
        assert_eq!(states(&lab.isobox, &sandbox, start).await, ["snapshotting", "paused"]);
        sandbox.resume().await.unwrap();
    }
    let start = lab.isobox.last_event().await.unwrap();
    let (one, stopped, two) = tokio::join!(
        sandbox.snapshot(SnapshotOptions::default()),
        sandbox.stop(None),
        sandbox.snapshot(SnapshotOptions::default())
    );
    one.unwrap();
    stopped.unwrap();
    two.unwrap();
    let moves = states(&lab.isobox, &sandbox, start).await;
    let between = moves.chunks(2).map(|pair| pair[0].as_str()).collect::<BTreeSet<_>>();
    assert_eq!(between, BTreeSet::from(["snapshotting", "stopping"]), "{moves:?}");
    assert_eq!((moves.len(), moves.last().map(String::as_str)), (6, Some("stopped")), "{moves:?}");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn one_that_nobody_waits_for_leaves_nothing_and_the_sandbox_goes_on() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    says(&sandbox, "head -c 4000000 /dev/urandom > /root/file").await;
    let begun = std::time::Instant::now();
    sandbox.snapshot(named("given-up")).await.unwrap();
    let took = begun.elapsed();
    snapshots(&lab.isobox).delete("given-up").await.unwrap();
    for part in 0..40 {
        let patience = took * part / 32;
        let _ = tokio::time::timeout(patience, sandbox.snapshot(named("given-up"))).await;
        let quiet = tokio::time::timeout(PATIENCE, async {
            loop {
                let listed = snapshots(&lab.isobox).list().await.unwrap();
                let settled = listed.iter().all(|entry| entry.state == SnapshotState::Active);
                // What was given up at its very beginning may be written down only now: then it is made or undone first.
                if settled && on_disk(lab.home()).0 == ids(&listed) {
                    match snapshots(&lab.isobox).delete("given-up").await {
                        Err(error) if error.code() == ErrorCode::Conflict => {}
                        deleted => return deleted.unwrap(),
                    }
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        if quiet.await.is_err() {
            let listed = snapshots(&lab.isobox).list().await.unwrap();
            panic!("what was given up is not undone: {listed:?}, on disk {:?}", on_disk(lab.home()).0);
        }
        assert_eq!(says(&sandbox, "echo goes on").await, "goes on", "{patience:?}");
    }
    // The next one clears up the layer of one that was given up.
    let last = sandbox.snapshot(named("given-up")).await.unwrap();
    settles("one layer alone", || on_disk(lab.home()).1.len() == 1).await;
    assert_eq!(lab.isobox.inspect(sandbox.id().as_str()).await.unwrap().state, State::Running);
    snapshots(&lab.isobox).delete(&last.external).await.unwrap();
    sandbox.delete().await.unwrap();
}

/// Takes snapshots, makes sandboxes from them and removes them until it is killed.
#[test]
#[ignore = "a process of the other tests"]
fn busy() {
    let Some(home) = elsewhere::home() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        let detached = isobox.sandbox().provider("namespace").ttl(Duration::from_secs(1000)).detached();
        let sandbox = detached.create().await.unwrap();
        elsewhere::say(sandbox.id().as_str());
        let each = (0..3).map(|task| {
            let (isobox, sandbox) = (isobox.clone(), sandbox.clone());
            tokio::spawn(async move {
                for round in 0.. {
                    let name = format!("task-{task}-{round}");
                    sandbox.snapshot(named(&name)).await.unwrap();
                    if round % 2 == 0 {
                        snapshots(&isobox).delete(&name).await.unwrap();
                    }
                }
            })
        });
        futures::future::join_all(each).await;
    });
}

#[tokio::test]
async fn a_process_that_is_killed_at_any_moment_leaves_no_half_of_one() {
    for round in 0..5 {
        let home = tempfile::tempdir().unwrap();
        let mut busy = Elsewhere::start("busy", home.path());
        let id = busy.hear();
        tokio::time::sleep(Duration::from_millis(30 + 37 * round)).await;
        busy.kill();
        let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
        // What it does next finds nothing in its way.
        let sandbox = isobox.connect(&id).await.unwrap();
        sandbox.stop(None).await.unwrap();
        sandbox.start().await.unwrap();
        assert_eq!(says(&sandbox, "echo used").await, "used", "{round}");
        let settled = tokio::time::timeout(PATIENCE, async {
            loop {
                let done = isobox.collect_garbage().await.unwrap();
                let listed = snapshots(&isobox).list().await.unwrap();
                if done.failed.is_empty() && listed.iter().all(|entry| entry.state == SnapshotState::Active) {
                    return listed;
                }
                eprintln!("{round}: {done:?} {listed:?}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        let listed = settled.await.expect("everything is settled");
        assert_eq!(on_disk(home.path()).0, ids(&listed), "{round}");
        for entry in &listed {
            let restored = isobox.sandbox().provider("namespace").snapshot(entry.id).create().await.unwrap();
            restored.delete().await.unwrap();
            snapshots(&isobox).delete(entry.id).await.unwrap();
        }
        sandbox.delete().await.unwrap();
        isobox.collect_garbage().await.unwrap();
        assert_eq!(on_disk(home.path()), (BTreeSet::new(), Vec::new()), "{round}");
    }
}

/// As if a process of before a restart of the machine did something to a sandbox.
async fn done_by_the_dead(home: &Path, sandbox: &Sandbox, action: isobox::contract::Action) {
    let store = SqliteStore::open(home.join("control.db"), Options::default()).await.unwrap();
    let process = ProcessIdentity { pid: 1, started: 1, boot: "an earlier one".into(), pid_namespace: 1 };
    let (created_at, program) = (Timestamp::now(), "gone".into());
    let owner = OwnerEntry { id: OwnerId::generate(), process, lock_inode: 0, program, created_at, ended_at: None };
    store.put_owner(owner.clone()).await.unwrap();
    let request = ActionRequest { owner: Some(owner.id), ..ActionRequest::new(*sandbox.id(), action) };
    store.begin(request).await.unwrap();
    store.close().await.unwrap();
}

#[tokio::test]
async fn nobody_waits_for_what_a_dead_process_did_to_a_sandbox() {
    use isobox::contract::Action;
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    for action in [Action::Snapshot, Action::Fork, Action::Resize] {
        done_by_the_dead(lab.home(), &sandbox, action).await;
        let snapshot = tokio::time::timeout(PATIENCE, sandbox.snapshot(SnapshotOptions::default())).await;
        snapshot.expect("it does not wait").unwrap();
        done_by_the_dead(lab.home(), &sandbox, action).await;
        tokio::time::timeout(PATIENCE, sandbox.stop(None)).await.expect("it does not wait").unwrap();
        sandbox.start().await.unwrap();
        assert_eq!(says(&sandbox, "echo runs").await, "runs");
    }
    done_by_the_dead(lab.home(), &sandbox, Action::Snapshot).await;
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn files_without_a_record_and_a_record_without_files_are_told_apart() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    let provider = lab.isobox.provider("namespace").await.unwrap();
    // As an earlier version took them.
    let spec = isobox::contract::SnapshotSpec {
        name: Some("early".into()),
        source: isobox::contract::SnapshotSource::Sandbox {
            id: *sandbox.id(),
            external: sandbox.external_id().clone(),
            include_memory: false,
        },
        kind: None,
        region: None,
        resources: Resources::default(),
        labels: Default::default(),
        options: None,
    };
    let (id, context) = (isobox::SnapshotId::generate(), isobox::contract::Context::quiet());
    provider.snapshots().unwrap().create(&id, &spec, &context).await.unwrap();
    let listed = snapshots(&lab.isobox).list().await.unwrap();
    assert_eq!((listed.len(), listed[0].id, listed[0].name.as_deref()), (1, id, Some("early")));
    assert_eq!(sandbox.snapshot(named("early")).await.unwrap_err().code(), ErrorCode::AlreadyExists);
    std::fs::remove_file(lab.home().join(format!("snapshots/{id}.json"))).unwrap();
    let gone = snapshots(&lab.isobox).list().await.unwrap();
    assert_eq!(gone[0].state, SnapshotState::Error);
    assert!(gone[0].error.as_ref().unwrap().message.contains("gone"), "{gone:?}");
    assert_eq!(snapshots(&lab.isobox).get("early").await.unwrap().state, SnapshotState::Error);
    let refused = lab.isobox.sandbox().provider("namespace").snapshot("early").create().await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::NotFound, "{refused}");
    snapshots(&lab.isobox).delete("early").await.unwrap();
    assert!(snapshots(&lab.isobox).list().await.unwrap().is_empty());
    sandbox.delete().await.unwrap();
}

/// A root filesystem with nothing but busybox, which must be static.
fn busybox(place: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::{PermissionsExt, symlink};
    std::fs::set_permissions(place, std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = ["/usr/bin/busybox", "/bin/busybox"].iter().find(|path| Path::new(path).exists())?;
    let root = place.join("root");
    std::fs::create_dir_all(root.join("bin")).unwrap();
    std::fs::copy(program, root.join("bin/busybox")).unwrap();
    for applet in ["sh", "cat", "ls", "rm", "mkdir", "ln", "chmod", "stat", "find", "sort", "touch"] {
        symlink("busybox", root.join("bin").join(applet)).unwrap();
    }
    std::fs::write(root.join("gone"), "gone").unwrap();
    Some(root)
}

#[tokio::test]
async fn one_that_is_exported_here_is_imported_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    let Some(root) = busybox(place.path()) else { return println!("skipped: there is no busybox") };
    let here = Lab::open().await;
    let sandbox = here.isobox.sandbox().provider("namespace").rootfs(&root).create().await.unwrap();
    let change =
        "rm /gone; mkdir -m 700 /data; echo kept > /data/file; ln -s file /data/link; ln /data/file /data/hard;
        touch /data/run; chmod 4755 /data/run";
    assert_eq!(says(&sandbox, change).await, "");
    let picture = "cd /; find . -path ./proc -prune -o -path ./sys -prune -o -path ./dev -prune -o -path ./etc -prune -o -type f -print | sort |
        while read -r name; do stat -c '%n %a %u:%g %s %Y' $name; done; cat /data/link";
    let before = says(&sandbox, picture).await;
    let taken = sandbox.snapshot(named("base")).await.unwrap();
    let archive = place.path().join("base.tar");
    let exported = snapshots(&here.isobox).export("base", &archive, ExportOptions::named("base:1")).await.unwrap();
    sandbox.delete().await.unwrap();
    snapshots(&here.isobox).delete(&taken.external).await.unwrap();
    std::fs::remove_dir_all(&root).unwrap();

    let there = Lab::open().await;
    let labels: isobox::Labels = [("from".to_owned(), "here".to_owned())].into();
    let options = ImportOptions { labels: labels.clone(), ..ImportOptions::named("moved") };
    let imported = snapshots(&there.isobox).import(&archive, options.clone()).await.unwrap();
    assert_eq!(
        (imported.state, imported.name.as_deref(), imported.sandbox),
        (SnapshotState::Active, Some("moved"), None)
    );
    assert!(imported.size.unwrap() > 100_000 && imported.labels == labels, "{imported:?}");
    let again = snapshots(&there.isobox).import(&archive, options).await.unwrap_err();
    assert_eq!(again.code(), ErrorCode::AlreadyExists);
    // It stands on its own, and what is used by it is kept.
    let copy = place.path().join("again.tar");
    std::fs::rename(&archive, place.path().join("away.tar")).unwrap();
    there.isobox.images().provider("namespace").prune(0).await.unwrap();
    let sandbox = there.isobox.sandbox().provider("namespace").snapshot("moved").create().await.unwrap();
    assert_eq!(says(&sandbox, picture).await, before);
    says(&sandbox, "echo more > /data/more").await;
    let next = sandbox.snapshot(named("next")).await.unwrap();
    let used = snapshots(&there.isobox).delete("moved").await.unwrap_err();
    assert_eq!(used.code(), ErrorCode::Conflict, "{used}");
    sandbox.delete().await.unwrap();
    let back = snapshots(&there.isobox).export("moved", &copy, ExportOptions::named("base:1")).await.unwrap();
    assert_eq!(back.layers, exported.layers, "what came is what goes");
    snapshots(&there.isobox).delete("moved").await.unwrap();
    let sandbox = there.isobox.sandbox().provider("namespace").snapshot(&next.external).create().await.unwrap();
    assert_eq!(says(&sandbox, "cat /data/file /data/more").await, "kept\nmore");
    sandbox.delete().await.unwrap();
    snapshots(&there.isobox).delete("next").await.unwrap();
    there.isobox.images().provider("namespace").prune(0).await.unwrap();
    assert_eq!(there.isobox.images().provider("namespace").usage().await.unwrap().layers, 0);
    assert_eq!(on_disk(there.home()), (BTreeSet::new(), Vec::new()));
}

#[tokio::test]
async fn what_is_no_archive_is_refused_and_its_name_is_free() {
    let lab = Lab::open().await;
    let place = tempfile::tempdir().unwrap();
    let garbage = place.path().join("garbage.tar");
    std::fs::write(&garbage, vec![7; 100_000]).unwrap();
    for path in [garbage.as_path(), Path::new("/nowhere.tar"), place.path()] {
        let refused = snapshots(&lab.isobox).import(path, ImportOptions::named("free")).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::InvalidSpec, "{refused}");
        assert!(matches!(refused.detail(), Detail::InvalidSpec { field, .. } if field == "source.path"), "{refused:?}");
        assert!(snapshots(&lab.isobox).list().await.unwrap().is_empty());
    }
    let odd = snapshots(&lab.isobox).import(&garbage, ImportOptions::named("a b")).await.unwrap_err();
    assert!(odd.message().contains("name"), "{odd}");
}
