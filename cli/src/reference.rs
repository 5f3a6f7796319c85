//! The reference page of the command, written from what it understands.

use crate::args::Cli;
use clap::{Command, CommandFactory};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Set to write the page anew.
const BLESS: &str = "ISOBOX_BLESS";
/// How wide the page is.
const WIDTH: usize = 100;

fn page() -> String {
    let mut text = String::from(
        "<!-- Written by `ISOBOX_BLESS=1 cargo test -p isobox-cli --bin isobox reference`; do not change it by hand. -->\n\
         # The command\n\n\
         What `isobox` understands. How the verbs go together is in the [guide](../guide/command-line.md), what the exit codes \
         say in [their table](exit-codes.md).\n",
    );
    let mut command = Cli::command().term_width(WIDTH);
    command.build();
    verb(&mut text, &command, "isobox");
    text
}

fn verb(text: &mut String, command: &Command, name: &str) {
    let help = command.clone().term_width(WIDTH).bin_name(name).render_long_help().to_string();
    let lines: Vec<_> = help.lines().map(str::trim_end).collect();
    // What is the same for all verbs is said once.
    let end = if name == "isobox" { None } else { lines.iter().position(|line| *line == "Exit codes:") };
    let lines = &lines[..end.unwrap_or(lines.len())];
    let level = "#".repeat(1 + name.split(' ').count());
    let _ = write!(text, "\n{level} {name}\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        verb(text, sub, &format!("{name} {}", sub.get_name()));
    }
}

#[test]
fn the_reference_is_what_the_command_understands() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/cli.md");
    let page = page();
    if std::env::var_os(BLESS).is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == page, "docs/reference/cli.md is stale: run this test with {BLESS}=1");
}
