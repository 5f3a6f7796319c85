//! The reference page of what each provider does, written from real runs.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod targets;

use isobox_conformance::{Outcome, Report, Row, Suite, Target, is_elsewhere, serve};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use targets::{PROVIDER, target};

const KINDS: [&str; 3] = ["namespace", "host", "docker"];

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/conformance.md")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a process of the other tests"]
async fn elsewhere() {
    if is_elsewhere() {
        serve(&target(&std::env::var(PROVIDER).unwrap())).await;
    }
}

/// What is not claimed has a check of its own for each provider; those are counted and not listed.
fn is_listed(row: &Row) -> bool {
    Suite::new(Target::built_in("any")).table().iter().any(|check| check.name == row.name)
}

fn cell(report: &Report, name: &str) -> String {
    match report.checks.iter().find(|row| row.name == name).map(|row| &row.outcome) {
        None => String::new(),
        Some(Outcome::Passed) => "passed".to_owned(),
        Some(Outcome::Failed { .. }) => "**failed**".to_owned(),
        Some(Outcome::Skipped { reason }) => match reason.strip_suffix(" is not claimed") {
            Some(capability) => format!("no `{capability}`"),
            None => format!("skipped: {reason}"),
        },
    }
}

fn page(reports: &[Report]) -> String {
    let mut text = String::from(
        "<!-- Written by `cargo xtask conformance`; do not change it by hand. -->\n# Conformance\n\nWhat each provider does, by \
         [one suite](../internals/conformance.md): `isobox conformance --provider KIND` runs it on your machine. What a provider \
         claims is looked at for its effect; what it does not claim has to be refused by its dotted name. The runs here were \
         made by root.\n\n",
    );
    let column = |report: &Report| match &report.not_run {
        Some(reason) => format!("not run: {reason}"),
        None => {
            let (passed, failed, skipped) = report.counts();
            let refused = report.checks.iter().filter(|row| !is_listed(row) && row.outcome == Outcome::Passed).count();
            format!("{passed} passed, {refused} of them refusals; {failed} failed, {skipped} skipped")
        }
    };
    let _ = writeln!(text, "| provider | isolation | checks |\n|---|---|---|");
    for report in reports {
        let isolation = report.isolation.map_or_else(String::new, |isolation| isolation.to_string());
        let _ = writeln!(text, "| `{}` | {isolation} | {} |", report.provider, column(report));
    }
    let kinds: Vec<_> = reports.iter().map(|report| format!("`{}`", report.provider)).collect();
    let _ = writeln!(
        text,
        "\n| check | what has to hold | {} |\n|---|---|{}",
        kinds.join(" | "),
        "---|".repeat(kinds.len())
    );
    for check in Suite::new(Target::built_in("any")).table() {
        let cells: Vec<_> = reports.iter().map(|report| cell(report, &check.name)).collect();
        let _ = writeln!(text, "| `{}` | {} | {} |", check.name, check.about, cells.join(" | "));
    }
    text
}

#[tokio::test]
#[ignore = "cargo xtask conformance runs it"]
async fn write() {
    let mut reports = Vec::new();
    for kind in KINDS {
        let report = Suite::new(target(kind)).run().await;
        println!("{}", report.table());
        reports.push(report);
    }
    std::fs::write(path(), page(&reports)).unwrap();
    reports.iter().for_each(Report::assert);
}

#[test]
fn the_page_has_every_check_and_no_other() {
    let page = std::fs::read_to_string(path()).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | ")).map(|(name, _)| name);
    let there: BTreeSet<_> = rows.filter(|name| !KINDS.contains(name)).collect();
    let table = Suite::new(Target::built_in("any")).table();
    let wanted: BTreeSet<_> = table.iter().map(|check| &*check.name).collect();
    assert_eq!(there, wanted, "docs/reference/conformance.md is stale: run `cargo xtask conformance`");
}
