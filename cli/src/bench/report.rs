//! What was measured, as a table, as JSON or as Markdown.

use super::facts::Fact;
use super::markdown;
use super::row::{Figures, Outcome, Row, Unit};
use serde::Serialize;
use std::fmt;

/// The form of a report.
#[derive(clap::ValueEnum, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// Rows for people
    #[default]
    Table,
    /// One JSON object
    Json,
    /// A table for a page, with what was measured with
    Markdown,
}

/// What was measured. It displays in the form that the options named.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    facts: Vec<Fact>,
    rows: Vec<Row>,
    #[serde(skip)]
    form: Form,
}

const HEADINGS: [&str; 10] = ["measure", "contender", "p50", "p95", "p99", "min", "n", "rate", "target", ""];

impl Report {
    pub(super) fn new(facts: Vec<Fact>, rows: Vec<Row>, form: Form) -> Self {
        Self { facts, rows, form }
    }

    /// Whether every target that could be measured was met.
    pub fn is_within_targets(&self) -> bool {
        self.rows.iter().filter_map(|row| row.target.as_ref()?.met).all(|met| met)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form {
            Form::Json => f.write_str(&serde_json::to_string_pretty(self).map_err(|_| fmt::Error)?),
            Form::Markdown => markdown::write(f, &self.facts, &self.rows),
            Form::Table => self.table(f),
        }
    }
}

impl Report {
    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Fact { what, is } in &self.facts {
            writeln!(f, "{what}: {is}")?;
        }
        writeln!(f)?;
        let lines: Vec<[String; 10]> =
            std::iter::once(HEADINGS.map(str::to_owned)).chain(self.rows.iter().map(cells)).collect();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..HEADINGS.len()).map(width).collect();
        for (line, row) in lines.iter().zip(std::iter::once(None).chain(self.rows.iter().map(Some))) {
            let mut text = format!("{:<1$}  {2:<3$}", line[0], widths[0], line[1], widths[1]);
            if row.is_none_or(|row| matches!(row.outcome, Outcome::Measured(_))) {
                for column in 2..HEADINGS.len() {
                    text.push_str(&format!("  {:>1$}", line[column], widths[column]));
                }
            }
            if let Some(words) = row.and_then(Row::words) {
                text.push_str(&format!("  {words}"));
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

pub(super) fn cells(row: &Row) -> [String; 10] {
    let (measure, contender) = (row.measure.clone(), row.contender.clone());
    let Outcome::Measured(figures) = &row.outcome else {
        return [measure, contender]
            .into_iter()
            .chain(std::iter::repeat(String::new()))
            .take(10)
            .collect::<Vec<_>>()
            .try_into()
            .expect("ten were taken");
    };
    let value = |value: f64| quantity(figures, value);
    let rate = figures.rate.map_or(String::new(), |rate| format!("{:.0} {}", rate.value, rate.unit));
    let target = row.target.as_ref().map_or("", |target| target.text).to_owned();
    let verdict = match row.target.as_ref().and_then(|target| target.met) {
        Some(true) => "ok",
        Some(false) => "missed",
        None => "",
    };
    let n = figures.n.to_string();
    let [p50, p95, p99, min] = [figures.p50, figures.p95, figures.p99, figures.min].map(value);
    [measure, contender, p50, p95, p99, min, n, rate, target, verdict.to_owned()]
}

fn quantity(figures: &Figures, value: f64) -> String {
    match figures.unit {
        Unit::Seconds if value < 1e-3 => format!("{:.0} µs", value * 1e6),
        Unit::Seconds if value < 1.0 => format!("{:.2} ms", value * 1e3),
        Unit::Seconds => format!("{value:.2} s"),
        Unit::Bytes => format!("{:.2} MB", value / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::super::contender::Contender;
    use super::super::row::{Goal, Row};
    use super::*;
    use std::time::Duration;

    fn report(form: Form) -> Report {
        let figures = Figures::of(&[Duration::from_micros(1500)]).unwrap().moving(3_000_000);
        let measured = Row::new("exec", "exec", Contender::Host, Outcome::Measured(figures));
        let absent = Outcome::NotHere { reason: "no daemon".into() };
        let goal = Some(Goal::Within(0.001, "p50 ≤ 1 ms"));
        let absent = Row::new("exec", "exec", Contender::DockerCommand, absent);
        Report::new(Vec::new(), vec![measured.goal(goal), absent], form)
    }

    #[test]
    fn a_table_says_what_was_measured_and_what_was_not_here() {
        let text = report(Form::Table).to_string();
        let lines: Vec<&str> = text.trim_start().lines().collect();
        assert!(
            lines[1].contains("1.50 ms") && lines[1].contains("2000 MB/s") && lines[1].ends_with("missed"),
            "{text}"
        );
        assert!(lines[2].contains("docker") && lines[2].ends_with("not here: no daemon"), "{text}");
        assert!(!report(Form::Table).is_within_targets());
        let mut lossy = report(Form::Table);
        lossy.rows[0].note = Some("1 of 2 did not end".into());
        assert!(lossy.to_string().contains("missed  1 of 2 did not end"), "{lossy}");
    }

    #[test]
    fn json_has_the_same() {
        let json: serde_json::Value = serde_json::from_str(&report(Form::Json).to_string()).unwrap();
        assert_eq!(json["rows"][0]["p50"], 0.0015);
        assert_eq!(json["rows"][0]["target"]["met"], false);
        assert_eq!(json["rows"][1]["outcome"], "not_here");
        assert_eq!(json["rows"][1]["reason"], "no daemon");
    }
}
