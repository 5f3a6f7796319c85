//! A report as Markdown, for a page of documentation.

use super::facts::Fact;
use super::report::cells;
use super::row::{Outcome, Row};
use std::fmt;

/// Of the columns that there are for people, those for a page.
const COLUMNS: [&str; 8] = ["measure", "contender", "p50", "p95", "p99", "n", "rate", "target"];

/// Writes the facts, the rows, and then what was not measured and why, or what figures leave out.
pub(super) fn write(f: &mut fmt::Formatter<'_>, facts: &[Fact], rows: &[Row]) -> fmt::Result {
    let facts: Vec<_> = facts.iter().map(|fact| format!("{}: {}", fact.what, escaped(&fact.is))).collect();
    writeln!(f, "{}.\n", facts.join("; "))?;
    writeln!(f, "| {} |\n|---|---|---:|---:|---:|---:|---:|---|", COLUMNS.join(" | "))?;
    let mut measure = "";
    for row in rows.iter().filter(|row| matches!(row.outcome, Outcome::Measured(_))) {
        let [name, contender, p50, p95, p99, _, n, rate, target, verdict] = cells(row).map(|cell| escaped(&cell));
        // Once, for all who were measured.
        let name = if row.measure == measure { String::new() } else { name };
        measure = &row.measure;
        let verdict = if verdict == "missed" { format!("{target}, **missed**") } else { target };
        writeln!(f, "| {name} | {contender} | {p50} | {p95} | {p99} | {n} | {rate} | {verdict} |")?;
    }
    let missing: Vec<_> = rows.iter().filter_map(missing).collect();
    if !missing.is_empty() {
        writeln!(f, "\nMissing:\n")?;
    }
    missing.iter().try_for_each(|line| writeln!(f, "- {line}"))
}

fn missing(row: &Row) -> Option<String> {
    row.words().map(|words| escaped(&format!("{}, {}: {words}", row.measure, row.contender)))
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::super::contender::Contender;
    use super::super::report::{Form, Report};
    use super::super::row::{Figures, Goal};
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_page_has_the_facts_the_figures_and_what_is_missing() {
        let row = |contender, milliseconds| {
            let figures = Figures::of(&[Duration::from_millis(milliseconds)]).unwrap();
            Row::new("exec", "exec true", contender, Outcome::Measured(figures))
        };
        let missed = row(Contender::DockerProvider, 2).goal(Some(Goal::Within(0.001, "p50 ≤ 1 ms")));
        let lossy = row(Contender::DockerPy, 3).note(Some("1 of 2 did not end".into()));
        let absent = Outcome::NotHere { reason: "a | b".into() };
        let absent = Row::new("exec", "exec true", Contender::DockerCommand, absent);
        let facts = vec![Fact { what: "engine", is: "1".into() }];
        let report = Report::new(facts, vec![missed, lossy, absent], Form::Markdown);
        let expected = "\
engine: 1.

| measure | contender | p50 | p95 | p99 | n | rate | target |
|---|---|---:|---:|---:|---:|---:|---|
| exec true | isobox on docker | 2.00 ms | 2.00 ms | 2.00 ms | 1 |  | p50 ≤ 1 ms, **missed** |
|  | docker-py | 3.00 ms | 3.00 ms | 3.00 ms | 1 |  |  |

Missing:

- exec true, docker-py: 1 of 2 did not end
- exec true, docker command: not here: a \\| b
";
        assert_eq!(report.to_string(), expected);
    }
}
