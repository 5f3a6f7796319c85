//! The life of a double: states, lifetimes, owners, copies, volumes, ports, and what it does not claim.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use isobox::{
    Capability, DeathCause, Detail, Ended, Error, ErrorCode, EventFilter, EventKind, Expiry, Followed, Health,
    HealthStatus, NetworkPolicy, Resources, SandboxFilter, SandboxSpec, SnapshotOptions, State, VolumeMount,
};
use isobox_testing::{Clock, Fault, FaultPlan, Operation, Reply, Script, TestProvider};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const MINUTE: Duration = Duration::from_secs(60);

async fn open() -> Lab {
    Lab::open(TestProvider::builder().script(Script::new().otherwise(Reply::ok().after(MINUTE)))).await
}

fn refused(error: &Error) -> &str {
    match error.detail() {
        Detail::Unsupported { capability } => capability,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn states_refuse_what_does_not_fit() {
    let lab = open().await;
    let sandbox = lab.sandbox().await;
    sandbox.files().write("kept", "yes").await.unwrap();
    sandbox.pause().await.unwrap();
    assert_eq!(sandbox.describe().await.unwrap().state, State::Paused);
    let error = sandbox.exec(["a"]).await.unwrap_err();
    assert!(matches!(error.detail(), Detail::InvalidState { state: State::Paused, .. }), "{error:?}");
    sandbox.resume().await.unwrap();
    sandbox.stop(None).await.unwrap();
    assert_eq!(sandbox.exec(["a"]).await.unwrap_err().code(), ErrorCode::InvalidState);
    assert_eq!(sandbox.files().read_text("kept").await.unwrap(), "yes");
    sandbox.start().await.unwrap();
    assert!(sandbox.exec(["a"]).await.unwrap().success());
    sandbox.delete().await.unwrap();
    sandbox.delete().await.unwrap();
    assert_eq!(sandbox.exec(["a"]).await.unwrap_err().code(), ErrorCode::SandboxGone);
    assert_eq!(lab.isobox.connect(sandbox.id().as_str()).await.unwrap_err().code(), ErrorCode::SandboxGone);
}

#[tokio::test]
async fn a_paused_command_stands_still_and_its_timeout_does_not() {
    let script = Script::new().otherwise(Reply::says("a").after(MINUTE).stdout("b").after(MINUTE));
    let lab = Lab::open(TestProvider::builder().script(script).clock(Clock::manual())).await;
    let (sandbox, clock) = (lab.sandbox().await, lab.provider.clock());
    let process = sandbox.exec(["a"]).spawn().await.unwrap();
    sandbox.pause().await.unwrap();
    clock.advance(10 * MINUTE);
    assert_eq!(sandbox.describe().await.unwrap().state, State::Paused);
    sandbox.resume().await.unwrap();
    clock.advance(MINUTE);
    assert_eq!(process.wait().await.unwrap().stdout.text(), "ab");

    let timed = sandbox.exec(["a"]).timeout(MINUTE / 2).spawn().await.unwrap();
    sandbox.pause().await.unwrap();
    clock.advance(MINUTE);
    sandbox.resume().await.unwrap();
    assert!(timed.wait().await.unwrap().timed_out);
}

#[tokio::test]
async fn lifetimes_end_by_the_clock_as_they_say() {
    let lab = open().await;
    let clock = lab.provider.clock();
    let make = async |expiry| lab.isobox.sandbox().ttl(10 * MINUTE).on_expiry(expiry).create().await.unwrap();
    let (deleted, stopped, paused) = (make(Expiry::Delete).await, make(Expiry::Stop).await, make(Expiry::Pause).await);
    let longer = make(Expiry::Delete).await;
    longer.set_ttl(20 * MINUTE).await.unwrap();
    clock.advance(10 * MINUTE - Duration::from_nanos(1));
    assert!(deleted.exec(["a"]).await.is_err(), "the minute that it takes goes beyond its end");
    let Ended::Died(post_mortem) = deleted.ended().await.unwrap() else { panic!("it did not die") };
    assert_eq!((post_mortem.cause, post_mortem.running.len()), (DeathCause::Expired, 1));
    assert!(matches!(stopped.ended().await.unwrap(), Ended::Stopped));
    assert_eq!(paused.describe().await.unwrap().state, State::Paused);
    assert_eq!(longer.describe().await.unwrap().state, State::Running);
    clock.advance(10 * MINUTE);
    assert!(matches!(longer.ended().await.unwrap(), Ended::Died(_)));
}

#[tokio::test]
async fn idle_time_begins_anew_with_every_use() {
    let lab = open().await;
    let clock = lab.provider.clock();
    let sandbox = lab.isobox.sandbox().idle_timeout(5 * MINUTE).create().await.unwrap();
    let running = |what: &str| assert_eq!(lab.provider.sandboxes()[0].state(), State::Running, "{what}");
    clock.advance(4 * MINUTE);
    sandbox.touch().await.unwrap();
    clock.advance(4 * MINUTE);
    running("it was touched");
    sandbox.files().write("a", "b").await.unwrap();
    clock.advance(4 * MINUTE);
    running("it was written to");
    let process = sandbox.exec(["a"]).spawn().await.unwrap();
    process.wait().await.unwrap();
    clock.advance(4 * MINUTE);
    running("a command ran");
    clock.advance(MINUTE);
    assert_eq!(lab.provider.sandboxes()[0].state(), State::Error);
}

#[tokio::test]
async fn a_sandbox_ends_with_its_owner_unless_it_is_detached() {
    let lab = open().await;
    let owned = lab.sandbox().await;
    let detached = lab.isobox.sandbox().name("stays").detached().create().await.unwrap();
    assert_eq!(lab.provider.left().len(), 2);
    drop((owned, detached));
    let (provider, left) = (
        lab.provider.clone(),
        tokio::spawn({
            let provider = lab.provider.clone();
            async move { provider.assert_nothing_left().await }
        }),
    );
    let shown = left.await.unwrap_err().into_panic();
    assert_eq!(*shown.downcast_ref::<String>().unwrap(), "1 sandboxes are left: stays (running)");
    assert_eq!(provider.left()[0].name(), Some("stays"));
    let found = lab.isobox.connect("stays").await.unwrap();
    found.adopt().await.unwrap();
    drop(found);
    lab.provider.assert_nothing_left().await;
}

#[tokio::test]
async fn a_death_is_told_with_its_cause() {
    let lab = open().await;
    let sandbox = lab.isobox.sandbox().memory(64 << 20).create().await.unwrap();
    let filter = EventFilter { sandboxes: vec![*sandbox.id()], kinds: vec!["died".into()] };
    let mut events = lab.isobox.events(0, filter);
    lab.provider.sandbox(sandbox.id()).die(DeathCause::Oom);
    let Followed::Event(event) = events.next().await.unwrap() else { panic!("nothing is gone") };
    let EventKind::Died { post_mortem } = &event.kind else { panic!("no other kind was asked for") };
    assert_eq!((post_mortem.cause, post_mortem.memory_limit), (DeathCause::Oom, Some(64 << 20)));
    let error = sandbox.exec(["a"]).await.unwrap_err();
    assert_eq!(error.post_mortem().unwrap().cause, DeathCause::Oom);
    assert!(lab.isobox.list(SandboxFilter::default()).await.unwrap().iter().all(|entry| entry.state != State::Running));
}

#[tokio::test]
async fn snapshots_and_forks_are_copies_of_the_files() {
    let lab = open().await;
    let sandbox = lab.isobox.sandbox().env("A", "1").create().await.unwrap();
    sandbox.files().write("f", "before").await.unwrap();
    let snapshot = sandbox.snapshot(SnapshotOptions { name: Some("s".into()), ..Default::default() }).await.unwrap();
    let copies = sandbox.fork(2).await.unwrap();
    sandbox.files().write("f", "after").await.unwrap();
    copies[0].files().write("f", "mine").await.unwrap();
    assert_eq!(copies[1].files().read_text("f").await.unwrap(), "before");
    let restored = lab.isobox.sandbox().snapshot("s").create().await.unwrap();
    assert_eq!(restored.files().read_text("f").await.unwrap(), "before");
    assert_eq!(restored.describe().await.unwrap().snapshot, Some(snapshot.external));
    assert_eq!(sandbox.files().read_text("f").await.unwrap(), "after");
}

#[tokio::test]
async fn volumes_are_shared_and_outlive_sandboxes() {
    let lab = open().await;
    lab.isobox.volumes().create("cache").await.unwrap();
    let writer = lab.isobox.sandbox().volume("cache", "/cache").create().await.unwrap();
    writer.files().write("/cache/d/state", "prepared").await.unwrap();
    writer.files().write("own", "x").await.unwrap();
    let across = writer.files().rename("own", "/cache/own").await.unwrap_err();
    assert!(matches!(across.detail(), Detail::File { kind: isobox::FileErrorKind::CrossDevice, .. }));
    writer.files().symlink("/cache/d", "via").await.unwrap();
    let mount = VolumeMount::new("cache".parse().unwrap(), "/in").subpath("d").read_only();
    let reader = lab.isobox.sandbox().volume_mount(mount).create().await.unwrap();
    writer.files().write("via/state", "changed").await.unwrap();
    assert_eq!(reader.files().read_text("/in/state").await.unwrap(), "changed");
    let error = reader.files().write("/in/state", "no").await.unwrap_err();
    assert!(matches!(error.detail(), Detail::File { kind: isobox::FileErrorKind::ReadOnly, .. }), "{error:?}");
    let all = reader.files().list_depth("/", 3).await.unwrap();
    assert!(all.iter().any(|entry| entry.path == "in/state".into()));
    assert_eq!(lab.isobox.volumes().delete("cache").await.unwrap_err().code(), ErrorCode::Conflict);
    writer.delete().await.unwrap();
    reader.delete().await.unwrap();
    let third = lab.isobox.sandbox().volume("cache", "/v").create().await.unwrap();
    assert_eq!(third.files().read_text("/v/d/state").await.unwrap(), "changed");
}

#[tokio::test]
async fn ports_are_served_by_closures() {
    let builder = TestProvider::builder().port(80, async |mut stream| {
        let mut name = String::new();
        stream.read_to_string(&mut name).await.unwrap();
        stream.write_all(format!("hello {name}").as_bytes()).await.unwrap();
    });
    let lab = Lab::open(builder).await;
    let sandbox = lab.sandbox().await;
    let mut stream = sandbox.connect(80).await.unwrap();
    stream.write_all(b"you").await.unwrap();
    stream.shutdown().await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert_eq!(answer, "hello you");
    let nobody = sandbox.wait_for_port(81, MINUTE).await.unwrap_err();
    assert_eq!(nobody.code(), ErrorCode::Timeout);
    lab.provider.sandbox(sandbox.id()).listen(81, async |_| {});
    sandbox.wait_for_port(81, MINUTE).await.unwrap();
}

#[tokio::test]
async fn what_is_not_claimed_is_refused_by_its_name() {
    let builder = TestProvider::builder()
        .script(Script::new().otherwise(Reply::ok()))
        .without(Capability::ExecPty)
        .without(Capability::LifecyclePause)
        .without(Capability::ResourcesMemory)
        .without(Capability::VolumesSupported);
    let lab = Lab::open(builder).await;
    let sandbox = lab.sandbox().await;
    assert_eq!(refused(&sandbox.exec(["a"]).pty(24, 80).spawn().await.unwrap_err()), "exec.pty");
    assert_eq!(refused(&sandbox.pause().await.unwrap_err()), "lifecycle.pause");
    assert_eq!(refused(&lab.isobox.sandbox().memory(1 << 30).create().await.unwrap_err()), "resources.memory");
    assert_eq!(refused(&lab.isobox.volumes().create("v").await.unwrap_err()), "volumes.supported");
    // Never claimed.
    let bind = isobox::Mount::bind("/usr", "/usr");
    assert_eq!(refused(&lab.isobox.sandbox().mount(bind).create().await.unwrap_err()), "mounts.bind");
    assert_eq!(lab.provider.recording().count(Operation::Create), 1);
}

#[tokio::test]
async fn images_are_those_that_the_test_has() {
    let builder = TestProvider::builder().image("app:1", [("/app/main.py", "print()")]);
    let lab = Lab::open(builder).await;
    let sandbox = lab.isobox.sandbox().image("app:1").workdir("/app").create().await.unwrap();
    assert_eq!(sandbox.files().read_text("main.py").await.unwrap(), "print()");
    assert_eq!(sandbox.image().unwrap().reference, "app:1");
    let error = lab.isobox.sandbox().image("app:2").create().await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ImageNotFound);
    assert!(error.message().contains("app:2"), "{error}");
}

#[tokio::test]
async fn limits_and_policies_are_kept_and_told() {
    let lab = open().await;
    let spec = SandboxSpec { network: NetworkPolicy::Public, ..SandboxSpec::default() };
    let sandbox = lab.isobox.sandbox().spec(spec).cpus(1.5).memory(1 << 30).create().await.unwrap();
    sandbox.resize(Resources { memory: Some(2 << 30), ..Resources::default() }).await.unwrap();
    let status = sandbox.describe().await.unwrap();
    let resources = status.resources.unwrap();
    assert_eq!((resources.cpus, resources.memory), (Some(1.5), Some(2 << 30)));
    assert_eq!(status.network, Some(NetworkPolicy::Public));
    assert_eq!(sandbox.metrics().await.unwrap().memory_limit, Some(2 << 30));
}

#[tokio::test]
async fn a_create_that_hangs_runs_into_its_timeout_and_leaves_nothing() {
    let plan = FaultPlan::seeded(1).with(Fault::on(Operation::Create).nth(1).hangs());
    let lab = Lab::open(TestProvider::builder().faults(plan)).await;
    let late = lab.isobox.sandbox().create_timeout(Duration::from_millis(50)).create().await.unwrap_err();
    assert_eq!(late.code(), ErrorCode::Timeout);
    lab.provider.assert_nothing_left().await;
    lab.sandbox().await;
}

#[tokio::test]
async fn a_sick_provider_says_so() {
    let lab = open().await;
    lab.provider.set_health(Health { status: HealthStatus::Unreachable, ..Health::default() });
    let health = lab.isobox.provider("testing").await.unwrap().health().await;
    assert_eq!(health.status, HealthStatus::Unreachable);
}
