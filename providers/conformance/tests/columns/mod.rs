//! The page: a column for each run.

use isobox_conformance::{Report, Suite, Target};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One run, as it was written down.
#[derive(Deserialize)]
pub struct Column {
    title: String,
    report: Read,
}

/// What the page takes from a report's JSON.
#[derive(Deserialize)]
struct Read {
    isolation: Option<String>,
    not_run: Option<String>,
    checks: Vec<Row>,
    duration_ms: u64,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    outcome: String,
    #[serde(default)]
    reason: String,
}

impl Column {
    /// A report as [`read`](Self::read) takes it.
    pub fn json(title: &str, report: &Report) -> String {
        json!({ "title": title, "report": report }).to_string()
    }

    pub fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap()
    }

    fn rows(&self) -> BTreeMap<&str, &Row> {
        self.report.checks.iter().map(|row| (row.name.as_str(), row)).collect()
    }

    fn count(&self, outcome: &str, refusals: bool) -> usize {
        let counted = |row: &&Row| row.outcome == outcome && row.name.starts_with("refuses.") == refusals;
        self.report.checks.iter().filter(counted).count()
    }

    /// Its line in the summary.
    fn summary(&self) -> String {
        if let Some(reason) = &self.report.not_run {
            return format!("| {} | | not run: {} | | | | |", self.title, line(reason));
        }
        let failed = self.count("failed", false) + self.count("failed", true);
        let isolation = self.report.isolation.as_deref().unwrap_or_default();
        let (passed, refused, skipped) =
            (self.count("passed", false), self.count("passed", true), self.count("skipped", false));
        let seconds = self.report.duration_ms / 1000;
        format!("| {} | {isolation} | {passed} | {refused} | {skipped} | {failed} | {seconds} s |", self.title)
    }
}

const HEAD: &str = "<!-- Written by `cargo xtask conformance`; do not change it by hand. -->
# Conformance

What each provider does, by [one suite](../guide/conformance.md): `isobox conformance --provider KIND` runs it on your machine. A
check is made where the provider claims the capabilities that it is about; what it does not claim has to be refused by its dotted
name. `-` is a check of a capability that is not claimed; every other reason for which a check was not made is in the notes. The
isolation is the strongest that the provider has, and the time is that of one run beside whatever else the machine did.

";

/// The page of these runs.
pub fn page(columns: &[Column]) -> String {
    let mut text = HEAD.to_owned();
    let _ = writeln!(
        text,
        "| run | isolation | passed | refusals passed | not made | failed | took |\n|---|---|---|---|---|---|---|"
    );
    for column in columns {
        let _ = writeln!(text, "{}", column.summary());
    }
    let mut notes = Notes::default();
    let about: BTreeMap<_, _> = Suite::new(Target::built_in("any"))
        .table()
        .into_iter()
        .map(|check| (check.name.to_string(), check.about))
        .collect();
    let order: Vec<_> =
        Suite::new(Target::built_in("any")).table().into_iter().map(|check| check.name.to_string()).collect();
    let _ = writeln!(text, "\n## Checks\n\n{}", head("check | what has to hold", columns));
    for name in &order {
        let cells = columns.iter().map(|column| notes.cell(column, name));
        let cells: Vec<_> = cells.collect();
        let _ = writeln!(text, "| `{name}` | {} | {} |", about[name], cells.join(" | "));
    }
    refusals(&mut text, columns, &mut notes);
    if !notes.all.is_empty() {
        let _ = writeln!(text, "\n## Notes\n");
        for (at, note) in notes.all.iter().enumerate() {
            let _ = writeln!(text, "{}. {note}", at + 1);
        }
    }
    text
}

/// What is not claimed and was asked for: a row for each capability.
fn refusals(text: &mut String, columns: &[Column], notes: &mut Notes) {
    let mut names: Vec<_> =
        columns.iter().flat_map(|column| &column.report.checks).map(|row| row.name.as_str()).collect();
    names.retain(|name| name.starts_with("refuses."));
    names.sort_unstable();
    names.dedup();
    let _ = writeln!(
        text,
        "\n## Refusals\n\n<details>\n<summary>What is refused by its name, {} capabilities</summary>\n",
        names.len()
    );
    let _ = writeln!(text, "{}", head("capability", columns));
    for name in names {
        let cells: Vec<_> = columns.iter().map(|column| notes.refusal(column, name)).collect();
        let _ = writeln!(text, "| `{}` | {} |", name.trim_start_matches("refuses."), cells.join(" | "));
    }
    let _ = writeln!(text, "\n</details>");
}

fn head(first: &str, columns: &[Column]) -> String {
    let titles: Vec<_> = columns.iter().map(|column| column.title.as_str()).collect();
    let width = first.split('|').count() + titles.len();
    format!("| {first} | {} |\n|{}", titles.join(" | "), "---|".repeat(width))
}

/// Reasons, each once.
#[derive(Default)]
struct Notes {
    all: Vec<String>,
}

impl Notes {
    fn cell(&mut self, column: &Column, name: &str) -> String {
        match column.rows().get(name) {
            None => String::new(),
            Some(row) if row.reason.ends_with(" is not claimed") => "-".to_owned(),
            Some(row) => self.outcome(row),
        }
    }

    /// Where there is no such check, the capability is claimed.
    fn refusal(&mut self, column: &Column, name: &str) -> String {
        match column.rows().get(name) {
            None => "claimed".to_owned(),
            Some(row) => self.outcome(row).replace("passed", "refused"),
        }
    }

    fn outcome(&mut self, row: &Row) -> String {
        match row.outcome.as_str() {
            "passed" => "passed".to_owned(),
            "failed" => format!("**failed** ({})", self.number(&row.reason)),
            _ => format!("not made ({})", self.number(&row.reason)),
        }
    }

    fn number(&mut self, reason: &str) -> usize {
        let reason = line(reason);
        let found = self.all.iter().position(|note| *note == reason).unwrap_or_else(|| {
            self.all.push(reason);
            self.all.len() - 1
        });
        found + 1
    }
}

fn line(text: &str) -> String {
    text.replace(['\n', '|'], " ")
}
