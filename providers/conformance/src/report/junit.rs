//! A report as XML, as the schema of the Jenkins xUnit plugin has it (`junit-10.xsd`).

use super::{Outcome, Report};
use std::fmt::Write as _;

pub(super) fn write(report: &Report) -> String {
    let (_, failed, skipped) = report.counts();
    let (tests, skipped) = match &report.not_run {
        Some(_) => (1, 1),
        None => (report.checks.len(), skipped),
    };
    let name = format!("isobox-conformance.{}", escaped(&report.provider));
    let time = report.duration.as_secs_f64();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{name}\" tests=\"{tests}\" \
         failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\" time=\"{time:.3}\">\n"
    );
    if let Some(reason) = &report.not_run {
        let _ = writeln!(
            text,
            "    <testcase classname=\"{name}\" name=\"not_run\" time=\"0\"><skipped message=\"{}\"/></testcase>",
            escaped(reason)
        );
    }
    for row in &report.checks {
        let inside = match &row.outcome {
            Outcome::Passed => String::new(),
            Outcome::Failed { reason } => format!("<failure message=\"{}\"/>", escaped(reason)),
            Outcome::Skipped { reason } => format!("<skipped message=\"{}\"/>", escaped(reason)),
        };
        let _ = writeln!(
            text,
            "    <testcase classname=\"{name}\" name=\"{}\" time=\"{:.3}\">{inside}</testcase>",
            escaped(&row.name),
            row.duration.as_secs_f64()
        );
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// Text as it may stand in an attribute. XML has no way to write most control characters.
fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut escaped, c| {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
        escaped
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Row;
    use isobox::Capabilities;
    use std::time::Duration;

    #[test]
    fn what_a_provider_says_cannot_break_the_document() {
        let failed = Outcome::Failed { reason: "\"<&>\u{1b}[0m\nnext".to_owned() };
        let row =
            Row { name: "a".into(), about: "b".into(), shows: Vec::new(), outcome: failed, duration: Duration::ZERO };
        let text = write(&Report::new("host".into(), &Capabilities::default(), vec![row]));
        assert!(text.contains("<failure message=\"&quot;&lt;&amp;&gt;\u{fffd}[0m&#10;next\"/>"), "{text}");
        assert!(text.contains("tests=\"1\" failures=\"1\""), "{text}");
    }

    #[test]
    fn a_machine_without_the_provider_has_passed_nothing() {
        let text = write(&Report::not_run("docker".into(), "no daemon".into()));
        assert!(text.contains("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\""), "{text}");
        assert!(text.contains("<skipped message=\"no daemon\"/>"), "{text}");
    }
}
