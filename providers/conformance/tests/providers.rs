//! The suite on the providers that need nothing but this machine.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod targets;

use isobox_conformance::{Report, Suite, Target};
use targets::{Equipped, Which};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a process of the other tests"]
async fn elsewhere() {
    targets::elsewhere().await;
}

async fn run(which: Which) -> Report {
    let report = Equipped::new(which).suite().run().await;
    println!("{}", report.table());
    report
}

#[tokio::test]
async fn host_passes() {
    let report = run(Which::Host).await;
    assert!(report.passed(), "{}", report.table());
}

#[tokio::test]
async fn namespace_passes() {
    let report = run(Which::Namespace).await;
    match &report.not_run {
        Some(reason) => println!("skipped: {reason}"),
        None => report.assert(),
    }
}

#[tokio::test]
async fn a_provider_that_is_not_there_has_passed_nothing() {
    let report = Suite::new(Target::built_in("no-such-provider")).run().await;
    assert!(report.not_run.as_ref().is_some_and(|reason| reason.contains("no-such-provider")), "{:?}", report.not_run);
    assert!(!report.passed() && report.checks.is_empty());
}
