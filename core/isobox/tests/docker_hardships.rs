//! What an engine may be like, and what may happen to it: each has its own code, says whose failure it is, and nothing is half made.
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

use docker::{DockerLab, TINY};
use dockerd::{Dockerd, tool};
use isobox::{
    DeathCause, DockerOptions, Ended, ErrorCode, NetworkPolicy, PostMortem, ProviderOptions, Resources,
    SnapshotOptions, Source, State,
};
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;
/// How long an engine and what it runs may take on a machine that has other work.
const LONG: Duration = Duration::from_secs(120);

/// Waits until something works that does not at once.
async fn in_time<T, E: std::fmt::Display>(what: &str, mut attempt: impl AsyncFnMut() -> Result<T, E>) -> T {
    let deadline = Instant::now() + LONG;
    loop {
        match attempt().await {
            Ok(done) => return done,
            Err(error) => assert!(Instant::now() < deadline, "{what}: {error}"),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Goes on until it is told to end, and says what it has seen.
const PATIENT: &str = "echo begun > /begun; while ! test -e /go; do sleep 0.1; done; echo went on > /went";

#[tokio::test(flavor = "multi_thread")]
async fn what_an_engine_with_live_restore_runs_goes_on_without_it() {
    let Some(mut daemon) = Dockerd::with(&["--live-restore"], |_| Ok(())) else { return };
    if !daemon.has_image(TINY) {
        return;
    }
    let (near, far) = (daemon.socket().to_owned(), docker::tcp(daemon.socket()).await);
    let (near, far) = (DockerLab::with(&near).await, DockerLab::with(&far).await);
    let mut all = Vec::new();
    for lab in [&near, &far] {
        // The engine is gone for longer than owners usually may be, and so is the way to what runs behind it.
        let sandbox = lab.tiny().owner_lease(Duration::from_secs(3000)).create().await.unwrap();
        let command = sandbox.shell(PATIENT).detached().spawn().await.unwrap();
        in_time("the command", async || sandbox.files().read("/begun").await).await;
        all.push((lab, sandbox, *command.id()));
    }
    daemon.kill();
    // What is on this machine needs no engine for a command.
    let alive = all[0].1.shell("echo alive").await.unwrap();
    assert_eq!(alive.stdout.text(), "alive\n");
    let refused = all[1].1.describe().await.unwrap_err();
    assert!(refused.code() == ErrorCode::EngineUnavailable && refused.is_infrastructure(), "{refused:?}");
    daemon.restart();
    for (lab, sandbox, command) in &all {
        in_time("the sandbox", async || sandbox.files().write("/go", "").await).await;
        in_time("the command", async || sandbox.files().read("/went").await).await;
        let listed = sandbox.processes().await.unwrap();
        assert!(listed.iter().any(|process| process.id == *command), "it is another one: {listed:?}");
        assert_eq!(sandbox.describe().await.unwrap().state, State::Running);
        assert!(lab.isobox.post_mortem(sandbox.id()).await.unwrap().is_none());
        sandbox.delete().await.unwrap();
        lab.assert_gone(sandbox.id().as_str());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_the_infrastructures_failure_and_leaves_nothing_half_made() {
    let small =
        |root: &std::path::Path| tool(&["mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", root.to_str().unwrap()]);
    let Some(daemon) = Dockerd::with(&["--storage-driver=overlay2"], small) else { return };
    if !daemon.has_image(TINY) {
        return;
    }
    let lab = DockerLab::with(daemon.socket()).await;
    let sandbox = lab.sandbox().await;
    let before = lab.ours();
    let error = sandbox.files().write("/large", vec![7; 128 << 20]).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::OutOfDisk, "{error}");
    sandbox.shell("rm -f /large; cat /dev/zero > /fill").await.unwrap();

    let content = format!("FROM {TINY}\nRUN cat /dev/zero > /built\n");
    let source = Source::Dockerfile { content: content.into(), context: None };
    let failures = [
        ("create", lab.tiny().create().await.map(drop).unwrap_err()),
        ("snapshot", sandbox.snapshot(SnapshotOptions::default()).await.map(drop).unwrap_err()),
        ("build", lab.isobox.sandbox().provider("docker").source(source).create().await.map(drop).unwrap_err()),
    ];
    for (what, error) in failures {
        assert_eq!((error.code(), error.is_infrastructure()), (ErrorCode::OutOfDisk, true), "{what}: {error:?}");
        assert!(error.message().contains("make room"), "{what}: {error}");
    }
    // What the engine could not write down as gone it still has, until somebody makes room.
    sandbox.shell("rm -f /fill").await.unwrap();
    lab.isobox.collect_garbage().await.unwrap();
    assert_eq!(lab.ours(), before);
    assert_eq!(lab.left_over(), [sandbox.id().to_string()]);
    let again = lab.sandbox().await;
    assert_eq!(again.shell("echo room").await.unwrap().stdout.text(), "room\n");
    for sandbox in [again, sandbox] {
        sandbox.delete().await.unwrap();
    }
    assert_eq!(lab.ours(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_without_a_free_address_is_a_limit_and_says_what_to_do() {
    let Some(daemon) = Dockerd::start() else { return };
    if !daemon.has_image(TINY) {
        return;
    }
    let lab = DockerLab::with(daemon.socket()).await;
    // Of four addresses two are taken by the network and one by its bridge.
    if let Err(reason) = lab.docker(&["network", "create", "--subnet", "10.213.77.0/30", "narrow"]) {
        eprintln!("skipped: the engine makes no network here: {reason}");
        return;
    }
    let builder = || {
        let options = DockerOptions { network: Some("narrow".into()), ..DockerOptions::default() };
        lab.tiny().network(NetworkPolicy::ProviderDefault).options(ProviderOptions::Docker(Box::new(options)))
    };
    let first = builder().create().await.unwrap();
    let error = builder().create().await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::LimitExceeded, "{error}");
    assert!(error.message().contains("remove networks") || error.message().contains("address"), "{error}");
    assert_eq!(lab.left_over(), [first.id().to_string()]);
    first.delete().await.unwrap();
    let again = builder().create().await.unwrap();
    again.delete().await.unwrap();
    assert_eq!(lab.ours(), "");
    lab.docker(&["network", "rm", "narrow"]).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_that_its_limit_of_memory_ends_says_so_and_that_is_kept() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.tiny().memory(32 * MIB).create().await.unwrap();
    // What is written there counts for the sandbox and for no process, so in the end the agent is killed.
    let fill = "while :; do cat /dev/zero > /dev/shm/fill$$; cat /dev/zero >> /dev/shm/fill; done";
    let filling = tokio::spawn({
        let sandbox = sandbox.clone();
        async move { while sandbox.shell(fill).await.is_ok() {} }
    });
    let ended = tokio::time::timeout(LONG, sandbox.ended()).await.unwrap().unwrap();
    let Ended::Died(post_mortem) = ended else { panic!("{ended:?}") };
    let all = Some(32 * MIB);
    let memory = |post_mortem: &PostMortem| (post_mortem.cause, post_mortem.memory_limit, post_mortem.peak_memory);
    assert_eq!(memory(&post_mortem), (DeathCause::Oom, all, all), "{post_mortem:?}");
    filling.await.unwrap();
    let error = sandbox.exec(["true"]).await.unwrap_err();
    assert_eq!((error.code(), error.is_infrastructure()), (ErrorCode::SandboxGone, false), "{error:?}");
    sandbox.delete().await.unwrap();
    lab.assert_gone(sandbox.id().as_str());
    let kept = lab.isobox.post_mortem(sandbox.id()).await.unwrap().unwrap();
    assert_eq!(memory(&kept), (DeathCause::Oom, all, all));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_maps_users_runs_sandboxes_as_any_other() {
    let known = std::fs::read_to_string("/etc/subuid").unwrap_or_default();
    let Some(user) = known.lines().find_map(|line| line.split(':').next().filter(|user| !user.is_empty())) else {
        eprintln!("skipped: no user of this machine has subordinate ids");
        return;
    };
    let Some(daemon) = Dockerd::with(&[&format!("--userns-remap={user}")], |_| Ok(())) else { return };
    if !daemon.has_image(TINY) {
        return;
    }
    let lab = DockerLab::with(daemon.socket()).await;
    let sandbox = lab.sandbox().await;
    let mapped = sandbox.shell("id -u; head -1 /proc/self/uid_map").await.unwrap().stdout.text().to_string();
    assert!(mapped.starts_with("0\n") && !mapped.contains(" 0 4294967295"), "{mapped}");
    sandbox.files().write("/file", "mine").await.unwrap();
    assert_eq!(sandbox.shell("stat -c %u /file").await.unwrap().stdout.text(), "0\n");
    sandbox.stop(None).await.unwrap();
    sandbox.start().await.unwrap();
    assert_eq!(sandbox.files().read_text("/file").await.unwrap(), "mine");
    sandbox.delete().await.unwrap();
    lab.assert_gone(sandbox.id().as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn gpus_are_refused_by_an_engine_without_them_and_it_says_why() {
    let Some(lab) = DockerLab::open().await else { return };
    if lab.docker(&["info", "--format", "{{json .Runtimes}}"]).unwrap().contains("nvidia") {
        eprintln!("skipped: this engine has a runtime for gpus");
        return;
    }
    let resources = Resources { gpus: Some(1), ..Resources::default() };
    let refused = lab.tiny().resources(resources).create().await.unwrap_err();
    assert_eq!((refused.code(), refused.is_retryable()), (ErrorCode::Unsupported, false), "{refused}");
    for word in ["gpu", "NVIDIA container toolkit"] {
        assert!(refused.message().contains(word), "{refused}");
    }
    assert_eq!(lab.left_over(), Vec::<String>::new());
}
