//! What somebody does to a container beside isobox, or what comes of one while no process is there to see it.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/docker.rs"]
mod docker;
#[path = "common/dockerd.rs"]
mod dockerd;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use docker::{DockerLab, TINY, library};
use dockerd::Dockerd;
use elsewhere::{Elsewhere, say, settles};
use isobox::{
    DeathCause, ErrorCode, EventFilter, EventKind, Followed, Isobox, ResourceState, Sandbox, SandboxFilter,
    SnapshotOptions, State,
};
use rustix::process::Signal;
use std::time::Duration;

const MIB: u64 = 1 << 20;
/// How long what comes at once may take on a machine that has other work.
const LONG: Duration = Duration::from_secs(60);
const ADDRESS: &str = "ISOBOX_TEST_ENGINE";

/// Waits until a sandbox's handle has taken notice of a state, as its events tell.
async fn told(isobox: &Isobox, sandbox: &Sandbox, after: u64, state: State) {
    let kinds = vec!["state_observed".to_owned()];
    let mut events = isobox.events(after, EventFilter { sandboxes: vec![*sandbox.id()], kinds });
    let waited = async {
        loop {
            let Followed::Event(event) = events.next().await.unwrap() else { continue };
            let EventKind::StateObserved { current, .. } = event.kind else { continue };
            if current == ResourceState::Sandbox(state) {
                return;
            }
        }
    };
    tokio::time::timeout(LONG, waited).await.unwrap_or_else(|_| panic!("nobody has told that it is {state}"));
}

async fn states(isobox: &Isobox, sandbox: &Sandbox) -> [State; 3] {
    let listed = isobox.list(SandboxFilter::default()).await.unwrap();
    let listed = listed.iter().find(|entry| entry.id == *sandbox.id()).unwrap().state;
    let inspected = isobox.inspect(sandbox.id().as_str()).await.unwrap().state;
    [listed, inspected, sandbox.describe().await.unwrap().state]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_and_its_end_from_outside_are_noticed_at_once() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.sandbox().await;
    let container = sandbox.external_id().to_string();
    for _ in 0..2 {
        let before = lab.isobox.last_event().await.unwrap();
        lab.docker(&["pause", &container]).unwrap();
        told(&lab.isobox, &sandbox, before, State::Paused).await;
        let refused = sandbox.exec(["true"]).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::InvalidState, "{refused}");
        assert!(refused.message().contains("paused"), "{refused}");
        assert_eq!(states(&lab.isobox, &sandbox).await, [State::Paused; 3]);
        let before = lab.isobox.last_event().await.unwrap();
        lab.docker(&["unpause", &container]).unwrap();
        told(&lab.isobox, &sandbox, before, State::Running).await;
        assert_eq!(sandbox.shell("echo on").await.unwrap().stdout.text(), "on\n");
        assert_eq!(states(&lab.isobox, &sandbox).await, [State::Running; 3]);
    }
    sandbox.delete().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_no_handle_lists_a_sandbox_as_its_container_is() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.tiny().detached().create().await.unwrap();
    let (id, container) = (sandbox.id().to_string(), sandbox.external_id().to_string());
    // Nobody watches over it any more.
    drop(sandbox);
    let other = lab.again().await;
    lab.docker(&["pause", &container]).unwrap();
    assert_eq!(other.inspect(&id).await.unwrap().state, State::Paused);
    // A handle that is got now knows it, and sees it go on.
    let found = other.connect(&id).await.unwrap();
    assert_eq!(found.exec(["true"]).await.unwrap_err().code(), ErrorCode::InvalidState);
    let before = other.last_event().await.unwrap();
    lab.docker(&["unpause", &container]).unwrap();
    told(&other, &found, before, State::Running).await;
    assert_eq!(found.shell("echo on").await.unwrap().stdout.text(), "on\n");
    assert_eq!(states(&other, &found).await, [State::Running; 3]);
    found.delete().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_is_made_is_no_pause_for_anybody() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.sandbox().await;
    // The engine lets it stand still for as long as this takes to be copied.
    sandbox.shell("dd if=/dev/zero of=/large bs=1048576 count=64 2>/dev/null").await.unwrap();
    let other = lab.again().await.connect(sandbox.id().as_str()).await.unwrap();
    let copying = sandbox.clone();
    let copying = tokio::spawn(async move { copying.snapshot(SnapshotOptions::default()).await.unwrap() });
    while !copying.is_finished() {
        assert_eq!(other.shell("echo on").await.unwrap().stdout.text(), "on\n");
    }
    let snapshot = copying.await.unwrap();
    lab.isobox.snapshots().provider("docker").delete(snapshot.external.as_str()).await.unwrap();
    sandbox.delete().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_container_that_went_while_nobody_watched_is_not_listed_as_if_it_ran() {
    let Some(lab) = DockerLab::open().await else { return };
    let make = async |memory: u64| lab.tiny().memory(memory).detached().create().await.unwrap();
    let (removed, full, kept) = (make(64 * MIB).await, make(32 * MIB).await, make(64 * MIB).await);
    let ids = [&removed, &full, &kept].map(|sandbox| sandbox.id().to_string());
    let containers = [&removed, &full].map(|sandbox| sandbox.external_id().to_string());
    // What is written there counts for the sandbox and for no process, so in the end the agent is killed.
    let fill = "while :; do cat /dev/zero > /dev/shm/fill$$; cat /dev/zero >> /dev/shm/fill; done";
    full.shell(fill).detached().spawn().await.unwrap();
    let _ = (*removed.id(), drop(removed), drop(full), drop(kept));
    lab.docker(&["rm", "--force", &containers[0]]).unwrap();
    lab.docker(&["wait", &containers[1]]).unwrap();

    let other = lab.again().await;
    let running = SandboxFilter { states: vec![State::Running], ..SandboxFilter::default() };
    let listed: Vec<_> = other.list(running).await.unwrap().iter().map(|entry| entry.id.to_string()).collect();
    assert_eq!(listed, ids[2..], "what is gone does not run");
    for (id, cause) in ids.iter().zip([DeathCause::RemovedExternally, DeathCause::Oom]) {
        assert_eq!(other.inspect(id).await.unwrap().state, State::Deleted);
        let post_mortem = other.post_mortem(&id.parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(post_mortem.cause, cause, "{post_mortem:?}");
        lab.assert_gone(id);
    }
    other.connect(&ids[2]).await.unwrap().delete().await.unwrap();
    assert_eq!(lab.ours(), "");
}

#[tokio::test]
#[ignore = "a process of the other test"]
async fn deleter() {
    let Some(home) = elsewhere::home() else { return };
    let isobox = library(&home, &std::env::var(ADDRESS).unwrap()).await;
    let sandbox = isobox.sandbox().provider("docker").image(TINY).create().await.unwrap();
    say(sandbox.id().as_str());
    let error = sandbox.delete().await.unwrap_err();
    say(error.code().as_str());
    say(isobox.inspect(sandbox.id().as_str()).await.unwrap().state.as_str());
    elsewhere::hear();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_that_the_engine_does_not_live_to_do_is_ended_by_who_comes_next() {
    let Some(mut daemon) = Dockerd::start() else { return };
    if !daemon.has_image(TINY) {
        return;
    }
    let lab = DockerLab::with(daemon.socket()).await;
    let variables = [(ADDRESS, daemon.socket()), ("ISOBOX_FAULT", "docker.delete.killed=stop")];
    let mut deleter = Elsewhere::start_with("deleter", lab.home(), &variables);
    let id = deleter.hear();
    settles("the deletion", || deleter.is_stopped()).await;
    daemon.kill();
    deleter.signal(Signal::CONT);
    assert_eq!(deleter.hear(), ErrorCode::EngineUnavailable.as_str());
    assert_eq!(deleter.hear(), State::Deleting.as_str(), "nobody can say that it runs, or that it is gone");
    // Without the engine nothing can be done about it, and it is said.
    deleter.kill();
    let done = lab.isobox.collect_garbage().await.unwrap();
    assert!(done.failed.iter().any(|failed| failed.contains(&id)), "{done:?}");
    assert_eq!(lab.isobox.inspect(&id).await.unwrap().state, State::Deleting);
    daemon.restart();
    settles("the engine", || lab.docker(&["version"]).is_ok()).await;
    let done = lab.isobox.collect_garbage().await.unwrap();
    assert_eq!((done.failed.len(), done.removed), (0, 1), "{done:?}");
    assert_eq!(lab.isobox.inspect(&id).await.unwrap().state, State::Deleted);
    lab.assert_gone(&id);
    assert_eq!(lab.ours(), "");
}
