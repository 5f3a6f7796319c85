//! The reference page of what each provider does, written from real runs.
//!
//! `look` runs the suite once, for one column, and leaves its report in a directory; `write` makes the page of all that are there.
//! `cargo xtask conformance` starts the engines and calls both.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod columns;
mod targets;

use columns::{Column, page};
use isobox_conformance::{Suite, Target};
use std::collections::BTreeSet;
use std::path::PathBuf;
use targets::{Equipped, Which};

/// The directory of the reports.
const REPORTS: &str = "ISOBOX_CONFORMANCE_REPORTS";
/// What a report is about: its place among the others, the name of its target, and its title, with spaces between.
const COLUMN: &str = "ISOBOX_CONFORMANCE_COLUMN";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/conformance.md")
}

fn reports() -> PathBuf {
    std::env::var_os(REPORTS).expect("a variable names the directory of the reports").into()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a process of the other tests"]
async fn elsewhere() {
    targets::elsewhere().await;
}

#[tokio::test]
#[ignore = "cargo xtask conformance runs it"]
async fn look() {
    let column = std::env::var(COLUMN).unwrap();
    let [place, which, title] = column.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
    let report = Equipped::new(Which::named(which)).suite().run().await;
    println!("{}", report.table());
    std::fs::write(reports().join(format!("{place}.json")), Column::json(title, &report)).unwrap();
    assert!(report.passed(), "{}", report.table());
}

#[test]
#[ignore = "cargo xtask conformance runs it"]
fn write() {
    let mut files: Vec<_> = std::fs::read_dir(reports()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let columns: Vec<_> = files.iter().map(|file| Column::read(&std::fs::read_to_string(file).unwrap())).collect();
    std::fs::write(path(), page(&columns)).unwrap();
}

#[test]
fn the_page_has_every_check_and_no_other() {
    let page = std::fs::read_to_string(path()).unwrap();
    let checks = page.split("\n## ").find(|part| part.starts_with("Checks")).unwrap();
    let rows = checks.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | ")).map(|(name, _)| name);
    let there: BTreeSet<_> = rows.collect();
    let table = Suite::new(Target::built_in("any")).table();
    let wanted: BTreeSet<_> = table.iter().map(|check| &*check.name).collect();
    assert_eq!(there, wanted, "docs/reference/conformance.md is stale: run `cargo xtask conformance`");
}

/// In its last column a row has the checks and the tests that show it: `name`, `file.rs::name` of `core/isobox/tests`, or
/// `path/of/file.rs::name`.
#[test]
fn each_row_of_what_is_shown_names_checks_and_tests_that_there_are() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/internals/what-is-shown.md")).unwrap();
    let table = Suite::new(Target::built_in("any")).table();
    let is_check =
        |name: &str| table.iter().any(|check| check.name == name) || name == isobox_conformance::NOTHING_IS_LEFT;
    let is_test = |file: &str, name: &str| {
        let file = if file.contains('/') { root.join(file) } else { root.join("core/isobox/tests").join(file) };
        std::fs::read_to_string(file).is_ok_and(|text| text.contains(&format!("fn {name}(")))
    };
    let rows: Vec<_> = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| what")).collect();
    assert!(rows.len() > 100, "there are {} rows", rows.len());
    for row in rows {
        let last = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let names: Vec<_> = last.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty() || last.starts_with('('), "nothing shows this: {row}");
        for name in names {
            let there = match name.split_once("::") {
                Some((file, name)) => is_test(file, name),
                None => is_check(name),
            };
            assert!(there, "{name} is neither a check nor a test: {row}");
        }
    }
}
