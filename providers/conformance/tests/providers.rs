//! The suite on the providers of this repository.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod targets;

use isobox_conformance::{Report, Suite, Target, is_elsewhere, serve};
use targets::{DOCKER, PROVIDER, target};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a process of the other tests"]
async fn elsewhere() {
    if is_elsewhere() {
        serve(&target(&std::env::var(PROVIDER).unwrap())).await;
    }
}

/// Runs all of it, or what a variable says.
async fn run(provider: &str) -> Report {
    let only = std::env::var("ISOBOX_CONFORMANCE_ONLY").unwrap_or_default();
    let suite = only.split(',').filter(|text| !text.is_empty()).fold(Suite::new(target(provider)), Suite::only);
    let report = suite.run().await;
    println!("{}", report.table());
    report
}

#[tokio::test]
async fn host_passes() {
    let report = run("host").await;
    assert!(report.passed(), "{}", report.table());
}

#[tokio::test]
async fn namespace_passes() {
    let report = run("namespace").await;
    match &report.not_run {
        Some(reason) => println!("skipped: {reason}"),
        None => report.assert(),
    }
}

#[tokio::test]
async fn docker_passes() {
    if std::env::var_os(DOCKER).is_none() {
        println!("skipped: {DOCKER} names no engine, run this with `cargo xtask docker -- ...`");
        return;
    }
    run("docker").await.assert();
}

#[tokio::test]
async fn a_provider_that_is_not_there_has_passed_nothing() {
    let report = Suite::new(Target::built_in("no-such-provider")).run().await;
    assert!(report.not_run.as_ref().is_some_and(|reason| reason.contains("no-such-provider")), "{:?}", report.not_run);
    assert!(!report.passed() && report.checks.is_empty());
}
