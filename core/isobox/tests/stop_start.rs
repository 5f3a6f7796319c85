//! Stop and start: what was written stays, everything else is new, and every handle goes on.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use common::{Lab, PROVIDERS, on_each_provider, processes_with};
use elsewhere::{Elsewhere, PATIENCE, keeper, mark, settles};
use isobox::contract::{Context, SandboxRecord};
use isobox::{
    Ended, ErrorCode, ExecRequest, Expiry, Isobox, Lifetime, Lifetimes, Sandbox, SandboxId, SandboxSpec, State,
};
use rustix::process::{Signal, kill_process};
use std::path::{Path, PathBuf};
use std::time::Duration;

async fn output(sandbox: &Sandbox, script: &str) -> String {
    let result = sandbox.shell(script).await.unwrap();
    format!("{}{}", result.stdout.text(), result.stderr.text()).trim_end().to_owned()
}

async fn state(sandbox: &Sandbox) -> State {
    sandbox.describe().await.unwrap().state
}

#[tokio::test]
async fn what_was_written_stays_and_what_ran_is_gone() {
    on_each_provider(async |provider, sandbox| {
        let mark = mark();
        let script =
            format!("echo one > kept; mkdir -p d/e; ln -s kept link; chmod 640 kept; sleep {mark} & sleep 0.1");
        sandbox.shell(&*script).await.unwrap();
        let root = output(&sandbox, "pwd").await;
        for round in 0..3 {
            sandbox.stop(None).await.unwrap();
            assert_eq!(state(&sandbox).await, State::Stopped, "{provider}");
            assert_eq!(processes_with(&mark), Vec::<u32>::new(), "{provider}");
            assert!(matches!(sandbox.ended().await.unwrap(), Ended::Stopped));
            sandbox.start().await.unwrap();
            assert_eq!(state(&sandbox).await, State::Running, "{provider}");
            let seen = output(&sandbox, "cat link; stat -c %a kept; ls -d d/e; pwd; cat round; echo x >> round").await;
            let rounds = "x\n".repeat(round);
            let missing = if round == 0 { "cat: round: No such file or directory" } else { "" };
            let wanted = format!("one\n640\nd/e\n{root}\n{rounds}");
            assert!(seen.starts_with(wanted.trim_end()), "{provider} {round}: {seen}");
            assert!(seen.contains(missing), "{seen}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_stopped_sandbox_says_so_to_every_call() {
    on_each_provider(async |provider, sandbox| {
        let running = sandbox.exec(["sleep", "1000"]).spawn().await.unwrap();
        let process = *running.id();
        let waited = tokio::spawn(async move { running.wait().await });
        sandbox.stop(None).await.unwrap();
        let cut = waited.await.unwrap().unwrap_err();
        assert_eq!(cut.code(), ErrorCode::InvalidState, "{provider}: {cut}");
        let files = sandbox.files();
        for (error, action) in [
            (sandbox.exec(["true"]).await.unwrap_err(), "run a command in"),
            (files.read("x").await.unwrap_err(), "use the files of"),
            (sandbox.touch().await.unwrap_err(), "count the use of"),
        ] {
            assert_eq!(error.code(), ErrorCode::InvalidState, "{provider}: {error}");
            let told = format!("cannot {action} a sandbox that is stopped, start it first");
            assert!(error.message().contains(&told), "{provider}: {error}");
        }
        // Idempotent, and the old handles go on.
        sandbox.stop(Some(Duration::from_secs(1))).await.unwrap();
        sandbox.start().await.unwrap();
        sandbox.start().await.unwrap();
        files.write("x", "y").await.unwrap();
        assert_eq!(sandbox.process(&process).await.unwrap_err().code(), ErrorCode::NotFound, "{provider}");
    })
    .await;
}

#[tokio::test]
async fn the_grace_is_for_everything_that_wants_to_end_well() {
    on_each_provider(async |provider, sandbox| {
        let well = "trap 'echo ended > well; exit' TERM; echo > ready; while :; do sleep 0.01; done";
        let stubborn = "trap '' TERM; echo > stubborn; while :; do sleep 0.01; done";
        let _running = sandbox.shell(format!("({well}) & {stubborn}")).spawn().await.unwrap();
        sandbox.shell("until [ -e ready -a -e stubborn ]; do sleep 0.01; done").await.unwrap();
        sandbox.stop(Some(Duration::from_millis(300))).await.unwrap();
        sandbox.start().await.unwrap();
        assert_eq!(output(&sandbox, "cat well").await, "ended", "{provider}");
    })
    .await;
}

#[tokio::test]
async fn starts_and_stops_at_once_come_one_after_the_other() {
    on_each_provider(async |provider, sandbox| {
        sandbox.files().write("kept", "x").await.unwrap();
        let all = (0..12).map(|index| {
            let sandbox = sandbox.clone();
            tokio::spawn(async move { if index % 2 == 0 { sandbox.stop(None).await } else { sandbox.start().await } })
        });
        for done in all.collect::<Vec<_>>() {
            done.await.unwrap().unwrap();
        }
        sandbox.start().await.unwrap();
        assert_eq!(output(&sandbox, "cat kept").await, "x", "{provider}");
    })
    .await;
}

#[tokio::test]
async fn names_and_settings_are_the_same_after_a_start() {
    let lab = Lab::open().await;
    let sandbox =
        lab.isobox.sandbox().provider("namespace").env("GIVEN", "value").workdir("/tmp").create().await.unwrap();
    let look = "echo $GIVEN; pwd; hostname; id -u; cat /etc/hosts /etc/passwd; ls -ld /tmp /root /etc; ls /";
    output(&sandbox, "echo changed >> /etc/hosts; rm /etc/group; mkdir /new").await;
    let before = output(&sandbox, look).await;
    sandbox.stop(None).await.unwrap();
    sandbox.start().await.unwrap();
    assert_eq!(output(&sandbox, look).await, before);
    assert_eq!(output(&sandbox, "cat /etc/group >/dev/null 2>&1 || echo none").await, "none");
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_stopped_sandbox_is_deleted_like_any_other() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.sandbox(provider).await;
        sandbox.stop(None).await.unwrap();
        assert_eq!(lab.left_over().len(), 1, "{provider}");
        sandbox.delete().await.unwrap();
        assert_eq!(lab.left_over(), Vec::<PathBuf>::new(), "{provider}");
        assert!(sandbox.start().await.is_err(), "{provider}");
        assert_eq!(state(&sandbox).await, State::Deleted);
        // And with its last handle, since it belongs to this process.
        let sandbox = lab.sandbox(provider).await;
        sandbox.stop(None).await.unwrap();
        drop(sandbox);
        settles("the directory going", || lab.left_over().is_empty()).await;
    }
}

#[tokio::test]
async fn the_end_of_a_lifetime_can_be_a_stop() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let builder = lab.isobox.sandbox().provider(provider).on_expiry(Expiry::Stop);
        let sandbox = builder.idle_timeout(Duration::from_secs(3)).create().await.unwrap();
        sandbox.files().write("kept", "x").await.unwrap();
        let ended = tokio::time::timeout(PATIENCE, sandbox.ended()).await.unwrap().unwrap();
        assert!(matches!(ended, Ended::Stopped), "{provider}: {ended:?}");
        assert_eq!(sandbox.exec(["true"]).await.unwrap_err().code(), ErrorCode::InvalidState, "{provider}");
        sandbox.start().await.unwrap();
        assert_eq!(output(&sandbox, "cat kept").await, "x", "{provider}");
        sandbox.delete().await.unwrap();
        assert_eq!(lab.left_over(), Vec::<PathBuf>::new(), "{provider}");
    }
}

#[tokio::test]
async fn lifetimes_go_on_where_they_were() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.isobox.sandbox().provider(provider).ttl(Duration::from_secs(1000)).create().await.unwrap();
        let expires = async || sandbox.describe().await.unwrap().expires_at.unwrap();
        let before = expires().await;
        sandbox.stop(None).await.unwrap();
        sandbox.start().await.unwrap();
        let after = expires().await;
        let drift = after.since(before).max(before.since(after));
        assert!(drift < Duration::from_secs(5), "{provider}: {drift:?}");
        sandbox.stop(None).await.unwrap();
        sandbox.set_ttl(Lifetime::Never).await.unwrap();
        sandbox.start().await.unwrap();
        assert!(sandbox.describe().await.unwrap().expires_at.is_none(), "{provider}");
        sandbox.delete().await.unwrap();
    }
}

type Raw = std::sync::Arc<dyn isobox::contract::Sandbox>;

async fn detached(isobox: &Isobox, provider: &str) -> Raw {
    let lifetimes = Lifetimes { ttl: Some(Duration::from_secs(1000).into()), ..Lifetimes::default() };
    let spec = SandboxSpec::default().lifetimes(lifetimes).detached();
    let opened = isobox.provider(provider).await.unwrap();
    opened.create(&SandboxId::generate(), &spec, &Context::quiet()).await.unwrap()
}

async fn write(sandbox: &Raw, text: &str) {
    let request = ExecRequest::shell(format!("printf %s {text} > kept"));
    assert!(sandbox.exec().run(request).await.unwrap().success());
}

async fn read(sandbox: &Raw) -> String {
    sandbox.exec().run(ExecRequest::shell("cat kept")).await.unwrap().stdout.text().into_owned()
}

#[test]
#[ignore = "a process of the other tests"]
fn stopper() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        for provider in PROVIDERS {
            let sandbox = detached(&isobox, provider).await;
            write(&sandbox, provider).await;
            elsewhere::say(&serde_json::to_string(&sandbox.record()).unwrap());
            elsewhere::hear();
            sandbox.stop(None, &Context::quiet()).await.unwrap();
        }
        elsewhere::say("stopped");
        elsewhere::hear();
    });
}

#[tokio::test]
async fn another_process_finds_starts_and_deletes_what_one_has_stopped() {
    let home = tempfile::tempdir().unwrap();
    let mut other = Elsewhere::start("stopper", home.path());
    let mut records: Vec<SandboxRecord> = Vec::new();
    for _ in PROVIDERS {
        records.push(serde_json::from_str(&other.hear()).unwrap());
        other.tell("go on");
    }
    assert_eq!(other.hear(), "stopped");
    other.kill();
    let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
    for (provider, record) in PROVIDERS.iter().zip(&records) {
        let opened = isobox.provider(provider).await.unwrap();
        let listed = opened.list(&isobox::contract::Filter::default()).await.unwrap();
        assert_eq!(listed.iter().map(|status| status.state).collect::<Vec<_>>(), [State::Stopped], "{provider}");
        let context = Context::quiet();
        let (first, second) =
            (opened.attach(record, &context).await.unwrap(), opened.attach(record, &context).await.unwrap());
        assert_eq!(first.describe().await.unwrap().state, State::Stopped);
        let (one, two) = tokio::join!(first.start(&context), second.start(&context));
        one.unwrap();
        two.unwrap();
        for handle in [&first, &second] {
            assert_eq!(read(handle).await, *provider);
        }
        // What the first one stops is stopped for the second one too, which can start it again.
        first.stop(None, &context).await.unwrap();
        assert!(matches!(second.ended().await.unwrap(), Ended::Stopped));
        second.start(&context).await.unwrap();
        first.start(&context).await.unwrap();
        assert_eq!(first.record(), *record, "a record stays good");
        first.stop(None, &context).await.unwrap();
        drop((first, second));
        // Also when there is no handle.
        opened.delete(record, &context).await.unwrap();
        assert_eq!(std::fs::read_dir(home.path().join(provider)).unwrap().count(), 0, "{provider}");
        let gone = opened.attach(record, &context).await.err().unwrap();
        assert_eq!(gone.code(), ErrorCode::NotFound, "{provider}");
    }
}

#[test]
#[ignore = "a process of the other tests"]
fn restless() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        let sandbox = detached(&isobox, "namespace").await;
        write(&sandbox, "x").await;
        elsewhere::say(&serde_json::to_string(&sandbox.record()).unwrap());
        loop {
            sandbox.stop(None, &Context::quiet()).await.unwrap();
            sandbox.start(&Context::quiet()).await.unwrap();
        }
    });
}

#[tokio::test]
async fn a_process_that_is_killed_amid_stops_and_starts_loses_nothing() {
    for round in 0..8 {
        let home = tempfile::tempdir().unwrap();
        let mut other = Elsewhere::start("restless", home.path());
        let record: SandboxRecord = serde_json::from_str(&other.hear()).unwrap();
        tokio::time::sleep(Duration::from_millis(37 * round)).await;
        other.kill();
        let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
        let opened = isobox.provider("namespace").await.unwrap();
        let context = Context::quiet();
        // It may have ended amid a launch or a stop, which takes a moment to come to its end.
        let found = tokio::time::timeout(PATIENCE, async {
            loop {
                match opened.attach(&record, &context).await {
                    Ok(found) if found.start(&context).await.is_ok() => return found,
                    _ => tokio::time::sleep(Duration::from_millis(10)).await,
                }
            }
        });
        let found = found.await.expect("it runs or can be started");
        assert_eq!(read(&found).await, "x", "{round}");
        found.delete(&context).await.unwrap();
        assert_eq!(std::fs::read_dir(home.path().join("namespace")).unwrap().count(), 0, "{round}");
    }
}

/// As long as it may not be known to have ended, a start can be refused.
async fn started(sandbox: &Sandbox) {
    let started = tokio::time::timeout(PATIENCE, async {
        while sandbox.start().await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    started.await.expect("it can be started");
}

#[tokio::test]
async fn a_start_that_nobody_waits_for_loses_nothing() {
    on_each_provider(async |provider, sandbox| {
        let file = format!("{}/kept", sandbox.workdir());
        sandbox.files().write(&*file, "x").await.unwrap();
        for round in 0..40 {
            sandbox.stop(None).await.unwrap();
            let _ = tokio::time::timeout(Duration::from_micros(150 * round), sandbox.start()).await;
            started(&sandbox).await;
            assert_eq!(sandbox.files().read_text(&*file).await.unwrap(), "x", "{round} on {provider}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_stop_that_nobody_waits_for_loses_nothing() {
    on_each_provider(async |provider, sandbox| {
        let file = format!("{}/kept", sandbox.workdir());
        sandbox.files().write(&*file, "x").await.unwrap();
        for round in 0..40 {
            let _ = tokio::time::timeout(Duration::from_micros(100 * round), sandbox.stop(None)).await;
            sandbox.start().await.unwrap();
            assert_eq!(sandbox.files().read_text(&*file).await.unwrap(), "x", "{round} on {provider}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_start_that_fails_leaves_it_stopped() {
    for _ in 0..20 {
        a_start_fails_and_leaves_it_stopped().await;
    }
}

async fn a_start_fails_and_leaves_it_stopped() {
    let lab = Lab::open().await;
    let place = tempfile::tempdir().unwrap();
    let shared = place.path().join("shared");
    std::fs::create_dir(&shared).unwrap();
    let builder = lab.isobox.sandbox().provider("namespace").mount(isobox::Mount::bind(&shared, "/mnt/shared"));
    let sandbox = builder.create().await.unwrap();
    sandbox.files().write("/kept", "x").await.unwrap();
    sandbox.stop(None).await.unwrap();
    std::fs::rename(&shared, place.path().join("away")).unwrap();
    let error = sandbox.start().await.unwrap_err();
    assert!(error.message().contains("shared"), "{error}");
    assert_eq!(state(&sandbox).await, State::Stopped);
    std::fs::rename(place.path().join("away"), &shared).unwrap();
    sandbox.start().await.unwrap();
    assert_eq!(output(&sandbox, "cat /kept").await, "x");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn a_sandbox_whose_keeper_is_killed_has_died_and_is_not_stopped() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    sandbox.stop(None).await.unwrap();
    sandbox.start().await.unwrap();
    kill_process(keeper(lab.home(), sandbox.id()), Signal::KILL).unwrap();
    assert!(matches!(sandbox.ended().await.unwrap(), Ended::Died(_)));
    assert_eq!(sandbox.start().await.unwrap_err().code(), ErrorCode::SandboxGone);
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

/// What is written down for a start holds the environment.
#[tokio::test]
async fn only_its_owner_can_read_how_it_is_started() {
    use std::os::unix::fs::PermissionsExt;
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.sandbox(provider).await;
        sandbox.stop(None).await.unwrap();
        let state = &lab.left_over()[0];
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(state), mode(&state.join("stopped"))), (0o700, 0o600), "{provider}");
        sandbox.delete().await.unwrap();
    }
}
