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
use isobox::{DeathCause, Detail, Ended, ErrorCode, State};
use std::time::Duration;

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
    let process = sandbox.shell("echo; sleep 1000").timeout(Duration::from_millis(700)).spawn().await.unwrap();
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
