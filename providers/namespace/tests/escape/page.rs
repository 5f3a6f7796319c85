//! `docs/reference/escape-suite.md`: written from a run, checked against the rows.

use crate::attempts::all;
use crate::runs::{Results, is_lacking};
use crate::seen::Seen;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const COMMAND: &str = "ISOBOX_BLESS=1 cargo test -p isobox-namespace --test escape";

const HEAD: &str = "\
# The escape suite

What somebody would try to get out of a namespace sandbox or to change what is outside, as real system calls, and what
became of it. The four columns are a run each: as the sandbox's root and as a user in it, with isobox as root; as the
sandbox's root, with isobox as an ordinary user; and on the machine itself as root with nothing in the way, where an
attempt has to succeed for the row to mean anything. `not here` says that the machine of the run lacks what the attempt
is after, so that nothing is shown but the refusal.

`reached` is success. `nothing` is a call that was let through and had no effect, such as reading a masked file. The rest
are the kernel's answers. What each row may answer in a sandbox is in the suite's table, and a test fails when anything
else comes.
";

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/escape-suite.md")
}

fn promise(promise: &[Seen]) -> String {
    promise.iter().map(Seen::to_string).collect::<Vec<_>>().join(" or ")
}

/// What a row says that no run decides.
fn fixed(name: &str, tries: &str, promised: &[Seen]) -> String {
    format!("| `{name}` | {tries} | {} |", promise(promised))
}

/// Writes the page from the results of the four runs.
pub(crate) fn write(columns: &[Results]) {
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut text = format!("<!-- Written by `{COMMAND}` as root. -->\n{HEAD}\n");
    let version: Vec<&str> = kernel.trim().split(['.', '-']).take(2).collect();
    let rows = all();
    let shown = rows.iter().filter(|row| columns[3][row.name] == Seen::Reached).count();
    writeln!(
        text,
        "{} attempts, of which {shown} succeed with nothing in the way, on Linux {} for {}.\n",
        rows.len(),
        version.join("."),
        std::env::consts::ARCH
    )
    .unwrap();
    text.push_str("| attempt | what it tries | promise | root inside | user inside | ordinary user outside | nothing in the way |\n");
    text.push_str("|---|---|---|---|---|---|---|\n");
    for row in rows {
        write!(text, "{}", fixed(row.name, row.tries, row.promise)).unwrap();
        for (index, column) in columns.iter().enumerate() {
            let seen = column[row.name];
            match index == 3 && is_lacking(row.name, seen) {
                true => text.push_str(" not here |"),
                false => write!(text, " {seen} |").unwrap(),
            }
        }
        text.push('\n');
    }
    std::fs::write(path(), text).unwrap();
}

#[test]
fn the_page_has_every_row() {
    if std::env::var_os("ISOBOX_BLESS").is_some() {
        return;
    }
    let page = std::fs::read_to_string(path()).unwrap_or_default();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let wanted: Vec<String> = all().iter().map(|row| fixed(row.name, row.tries, row.promise)).collect();
    assert_eq!(rows.len(), wanted.len(), "stale: {COMMAND}");
    for (row, wanted) in rows.iter().zip(wanted) {
        assert!(row.starts_with(&wanted), "stale: {COMMAND}\n{row}\n{wanted}");
    }
}
