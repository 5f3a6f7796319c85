//! A paused sandbox stands still, refuses what would need it to run, and keeps its deadlines.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::limited::{counter, line, pausable};
use common::{Lab, processes_with};
use isobox::{Capability, DeathCause, Detail, Ended, ErrorCode, Expiry, Sandbox, State};
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[tokio::test]
async fn nothing_moves_until_it_is_resumed() {
    let lab = Lab::open().await;
    let Some(sandbox) = pausable(&lab, |builder| builder).await else { return };
    let process = counter(&sandbox).await;
    line(&process).await;
    sandbox.pause().await.unwrap();
    sandbox.pause().await.unwrap();
    assert_eq!(sandbox.describe().await.unwrap().state, State::Paused);
    let before = sandbox.metrics().await.unwrap().cpu_time.unwrap();
    // What was in the pipe comes, and then nothing more.
    let quiet = async { while tokio::time::timeout(Duration::from_millis(300), process.next()).await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(20), quiet).await.expect("it goes on writing");
    let spent = sandbox.metrics().await.unwrap().cpu_time.unwrap() - before;
    assert!(spent < Duration::from_millis(200), "it used {spent:?} while it stood still");
    sandbox.resume().await.unwrap();
    assert_eq!(sandbox.describe().await.unwrap().state, State::Running);
    line(&process).await;
    process.kill().await.unwrap();
    assert!(sandbox.exec(["true"]).await.unwrap().success());
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn what_needs_it_to_run_is_refused_and_says_why() {
    let lab = Lab::open().await;
    let Some(sandbox) = pausable(&lab, |builder| builder).await else { return };
    sandbox.pause().await.unwrap();
    let refusals = [
        sandbox.exec(["true"]).await.map(drop).unwrap_err(),
        sandbox.files().write("/tmp/a", "b").await.map(drop).unwrap_err(),
    ];
    for error in refusals {
        assert_eq!(error.code(), ErrorCode::InvalidState, "{error}");
        assert!(matches!(error.detail(), Detail::InvalidState { state: State::Paused, .. }), "{error:?}");
    }
    sandbox.start().await.unwrap();
    assert!(sandbox.exec(["true"]).await.unwrap().success());
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn it_can_be_killed_and_deleted_as_it_is() {
    let lab = Lab::open().await;
    let mark = format!("frozen-{}", std::process::id());
    let Some(sandbox) = pausable(&lab, |builder| builder.env("MARK", &mark)).await else { return };
    let process = counter(&sandbox).await;
    line(&process).await;
    sandbox.pause().await.unwrap();
    process.kill().await.unwrap();
    assert_eq!(process.wait().await.unwrap().signal, Some(9));
    sandbox.resume().await.unwrap();
    let process = counter(&sandbox).await;
    line(&process).await;
    sandbox.pause().await.unwrap();
    sandbox.delete().await.unwrap();
    assert_eq!(processes_with(&mark), Vec::<u32>::new());
    assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn a_timeout_goes_on() {
    let lab = Lab::open().await;
    let Some(sandbox) = pausable(&lab, |builder| builder).await else { return };
    let process = sandbox.shell("echo; sleep 1000").timeout(Duration::from_millis(1500)).spawn().await.unwrap();
    line(&process).await;
    sandbox.pause().await.unwrap();
    let result = tokio::time::timeout(Duration::from_secs(20), process.wait()).await.unwrap().unwrap();
    assert!(result.timed_out, "{result:?}");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn its_life_goes_on_to_its_end() {
    let lab = Lab::open().await;
    let mark = format!("ttl-{}", std::process::id());
    let Some(sandbox) = pausable(&lab, |builder| builder.env("MARK", &mark)).await else { return };
    let process = counter(&sandbox).await;
    line(&process).await;
    sandbox.pause().await.unwrap();
    sandbox.set_ttl(Duration::from_secs(1)).await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(30), sandbox.ended()).await.unwrap().unwrap();
    assert!(matches!(ended, Ended::Died(post_mortem) if post_mortem.cause == DeathCause::Expired));
    assert_eq!(processes_with(&mark), Vec::<u32>::new());
    sandbox.delete().await.unwrap();
}

/// Waits until its lifetimes have paused it.
async fn paused(sandbox: &Sandbox) {
    let waited = async {
        while sandbox.describe().await.unwrap().state != State::Paused {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), waited).await.expect("nothing pauses it");
}

#[tokio::test]
async fn a_ttl_that_pauses_ends_nothing_and_begins_anew_with_a_resume() {
    let lab = Lab::open().await;
    let ttl = Duration::from_secs(1);
    let Some(sandbox) = pausable(&lab, |builder| builder.ttl(ttl).on_expiry(Expiry::Pause)).await else { return };
    let process = counter(&sandbox).await;
    line(&process).await;
    for _ in 0..2 {
        paused(&sandbox).await;
        let error = sandbox.exec(["true"]).await.unwrap_err();
        assert!(matches!(error.detail(), Detail::InvalidState { state: State::Paused, .. }), "{error:?}");
        // Neither a question nor a sign of life lets it run.
        sandbox.touch().await.unwrap();
        assert_eq!(sandbox.describe().await.unwrap().state, State::Paused);
        let begun = Instant::now();
        sandbox.resume().await.unwrap();
        let expires = sandbox.describe().await.unwrap().expires_at.unwrap();
        assert!(expires.since(isobox::Timestamp::now()) <= ttl, "it has an end again");
        while begun.elapsed() < ttl / 4 {
            line(&process).await;
        }
    }
    paused(&sandbox).await;
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_sandbox_that_idleness_has_paused_is_woken_by_a_start_and_has_everything() {
    let lab = Lab::open().await;
    let idle = Duration::from_secs(2);
    let settings = |builder: isobox::SandboxBuilder| {
        builder.idle_timeout(idle).on_idle(Expiry::Pause).ttl(Duration::from_secs(600))
    };
    let Some(sandbox) = pausable(&lab, settings).await else { return };
    // What goes on keeps it from being idle, for as long as it likes.
    sandbox.shell("sleep 3; echo kept > /tmp/kept").await.unwrap();
    paused(&sandbox).await;
    sandbox.start().await.unwrap();
    assert_eq!(sandbox.files().read("/tmp/kept").await.unwrap().as_ref(), b"kept\n");
    paused(&sandbox).await;
    sandbox.stop(None).await.unwrap();
    sandbox.start().await.unwrap();
    assert_eq!(sandbox.files().read("/tmp/kept").await.unwrap().as_ref(), b"kept\n");
    paused(&sandbox).await;
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_pause_at_the_end_is_refused_where_nothing_can_be_paused() {
    let lab = Lab::open().await;
    let builder = lab.isobox.sandbox().provider("host").ttl(Duration::from_secs(60)).on_expiry(Expiry::Pause);
    let error = builder.create().await.unwrap_err();
    assert!(
        matches!(error.detail(), Detail::Unsupported { capability } if capability == "lifecycle.expiry_pause"),
        "{error:?}"
    );
    let provider = lab.isobox.provider("namespace").await.unwrap();
    if provider.capabilities().has(Capability::LifecycleExpiryPause) {
        println!("skipped: namespace sandboxes can be paused here");
        return;
    }
    let builder = lab.isobox.sandbox().provider("namespace").ttl(Duration::from_secs(60)).on_expiry(Expiry::Pause);
    let error = builder.create().await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unsupported);
    assert!(error.message().contains(&provider.why_not(Capability::LifecycleExpiryPause).unwrap()), "{error}");
}

#[tokio::test]
async fn limits_and_pause_outlast_a_stop() {
    let lab = Lab::open().await;
    let Some(sandbox) = pausable(&lab, |builder| builder).await else { return };
    sandbox.pause().await.unwrap();
    sandbox.stop(Some(Duration::from_secs(1))).await.unwrap();
    assert_eq!(sandbox.describe().await.unwrap().state, State::Stopped);
    sandbox.start().await.unwrap();
    assert_eq!(sandbox.describe().await.unwrap().state, State::Running);
    let process = counter(&sandbox).await;
    line(&process).await;
    sandbox.pause().await.unwrap();
    assert_eq!(sandbox.describe().await.unwrap().state, State::Paused);
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new());
}
