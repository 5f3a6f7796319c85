//! What a provider does wrong is found by the checks that are about it, and by no others.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod broken;

use broken::{Broken, Fault};
use isobox_conformance::{Suite, Target};
use std::time::Duration;

/// Runs the checks whose names hold one of `about`, and gives the names of those that fail.
async fn failures(fault: Fault, about: &[&str]) -> Vec<String> {
    let target = Target::opened("host", move |home| Broken::open(home, fault));
    // What is broken may hang, and that is waited for.
    let suite = Suite::new(target).deadline(Duration::from_secs(60));
    let suite = about.iter().fold(suite, |suite, about| suite.only(*about));
    let report = suite.run().await;
    println!("{fault:?}\n{}", report.table());
    assert!(report.not_run.is_none() && report.counts().0 > 2);
    report.failed().map(|row| row.name.clone()).collect()
}

#[tokio::test]
async fn a_provider_that_is_not_broken_passes() {
    assert_eq!(failures(Fault::None, &["exec_", "input_", "output_", "files_", "refuses."]).await, [""; 0]);
}

#[tokio::test]
async fn lost_stderr_is_found() {
    let failed = failures(Fault::DropsStderr, &["exec_", "input_", "output_"]).await;
    assert_eq!(failed, ["output_streams_are_apart", "output_of_both_streams_is_drained"]);
}

#[tokio::test]
async fn late_output_is_found() {
    let failed = failures(Fault::CollectsOutput, &["exec_", "output_"]).await;
    assert_eq!(failed, ["output_is_live", "output_as_a_stream_is_not_collected"]);
}

#[tokio::test]
async fn lost_input_is_found() {
    let failed = failures(Fault::LosesLateInput, &["exec_", "input_"]).await;
    assert_eq!(failed, ["input_stream_arrives_late", "input_stream_round_trips"]);
}

#[tokio::test]
async fn a_wrong_count_is_found() {
    let failed = failures(Fault::Miscounts, &["exec_", "output_"]).await;
    assert_eq!(failed, ["output_keeps_head_and_tail"]);
}

#[tokio::test]
async fn a_cut_exit_code_is_found() {
    let failed = failures(Fault::CutsExitCodes, &["exec_", "output_"]).await;
    assert_eq!(failed, ["exec_reports_exit_codes"]);
}

#[tokio::test]
async fn a_pause_without_effect_is_found() {
    let failed = failures(Fault::ClaimsPause, &["pause", "create_", "stop_", "refuses.lifecycle"]).await;
    assert_eq!(failed, ["pause_freezes_everything"]);
}

#[tokio::test]
async fn a_wrong_name_in_a_refusal_is_found() {
    let failed = failures(Fault::NamesAnother, &["pause", "provider_", "refuses."]).await;
    assert_eq!(failed, ["refuses.lifecycle.pause"]);
}

#[tokio::test]
async fn a_delete_that_works_once_is_found() {
    let failed = failures(Fault::DeletesOnce, &["delete_is", "create_is", "exec_reports"]).await;
    assert_eq!(failed, ["delete_is_idempotent"]);
}

#[tokio::test]
async fn loose_modes_are_found() {
    let failed = failures(Fault::LooseModes, &["files_"]).await;
    assert_eq!(failed, ["files_belong_to_the_user"]);
}

#[tokio::test]
async fn a_forgotten_lifetime_is_found() {
    let failed = failures(Fault::IgnoresLifetimes, &["ttl_", "touch_", "create_"]).await;
    assert_eq!(failed, ["ttl_can_be_set_later"]);
}

#[tokio::test]
async fn a_fault_of_the_caller_that_reads_as_the_providers_is_found() {
    let failed = failures(Fault::BlamesItself, &["files_"]).await;
    assert_eq!(failed, ["files_missing_are_not_found"]);
}

#[tokio::test]
async fn a_forgotten_timeout_is_found() {
    let failed = failures(Fault::IgnoresTimeout, &["timeout_ends_a_command", "grace_", "exec_"]).await;
    assert_eq!(failed, ["timeout_ends_a_command", "grace_lets_a_timed_out_command_end", "grace_ends_in_a_kill"]);
}

#[tokio::test]
async fn a_forgotten_size_is_found() {
    let failed = failures(Fault::IgnoresResize, &["terminal_"]).await;
    assert_eq!(failed, ["terminal_changes_its_size"]);
}
