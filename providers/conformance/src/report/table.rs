//! A report for people.

use super::{Outcome, Report};
use crate::text::printable;
use std::fmt::Write as _;

pub(super) fn write(report: &Report) -> String {
    if let Some(reason) = &report.not_run {
        return format!("{}: not run: {}\n", report.provider, printable(reason));
    }
    let width = report.checks.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for row in &report.checks {
        let (word, reason) = match &row.outcome {
            Outcome::Passed => ("passed", String::new()),
            Outcome::Failed { reason } => ("FAILED", printable(reason)),
            Outcome::Skipped { reason } => ("skipped", printable(reason)),
        };
        let line = format!("{:width$}  {word:7}  {:>6.2} s  {reason}", row.name, row.duration.as_secs_f64());
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let (passed, failed, skipped) = report.counts();
    let seconds = report.duration.as_secs_f64();
    let provider = &report.provider;
    let _ = writeln!(text, "{provider}: {passed} passed, {failed} failed, {skipped} skipped, in {seconds:.1} s");
    text
}
