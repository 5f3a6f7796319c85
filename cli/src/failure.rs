//! Telling a person, or a program, on stderr what went wrong.
//!
//! What a message holds may come out of a sandbox, so control characters are escaped. That stderr cannot be written to is
//! nobody's business.

use crate::args::Output;
use crate::exit;
use isobox::{Detail, Error, ErrorCode, Report};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

/// Says what failed: three kinds of lines, or one JSON object for `--output json`.
pub(crate) fn tell(error: &Error, output: Output) {
    let text = match output {
        Output::Json => json(error),
        Output::Table | Output::Id => text(error),
    };
    say(&text);
}

/// Says something that is not the end.
pub(crate) fn note(message: &str) {
    say(&format!("isobox: {}\n", clean(message)));
}

/// Shows a page of help that was asked for, or says what is wrong with the flags.
pub(crate) fn usage(error: &clap::Error, json_wanted: bool) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if json_wanted {
        let first = error.to_string();
        let first = first.lines().next().unwrap_or_default();
        let message = first.strip_prefix("error: ").unwrap_or(first);
        say(&json(&Error::new(ErrorCode::InvalidSpec, message).with_operation("arguments")));
    } else {
        let _ = error.print();
    }
    exit::FAILED.into()
}

fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

fn text(error: &Error) -> String {
    let mut text = format!("isobox: error: {}\n", clean(error.message()));
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let _ = writeln!(text, "  caused by: {}", clean(&error.to_string()));
        cause = error.source();
    }
    if let Some(hint) = hint(error) {
        let _ = writeln!(text, "  hint: {}", clean(hint));
    }
    text
}

fn hint(error: &Error) -> Option<&str> {
    match error.detail() {
        // The library's messages of a failed start end with it already.
        Detail::Launch { hint, .. } => hint.as_deref().filter(|hint| !error.message().ends_with(hint)),
        _ if error.is_retryable() => Some("this may go away by itself, try again"),
        _ => None,
    }
}

fn json(error: &Error) -> String {
    let object = serde_json::json!({ "error": Report::from(error) });
    format!("{object}\n")
}

fn clean(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_has_its_causes_and_a_hint() {
        let cause = std::io::Error::other("the first cause");
        let detail =
            Detail::Launch { step: isobox::LaunchStep::Namespaces, errno: Some(1), hint: Some("ask for leave".into()) };
        let error = Error::io("the namespaces", cause).with_detail(detail);
        assert_eq!(
            text(&error),
            "isobox: error: the namespaces: other error\n  caused by: the first cause\n  hint: ask for leave\n"
        );
    }

    #[test]
    fn a_hint_is_given_once() {
        let detail =
            Detail::Launch { step: isobox::LaunchStep::Namespaces, errno: Some(1), hint: Some("ask for leave".into()) };
        let error = Error::internal("no namespaces; ask for leave").with_detail(detail);
        assert_eq!(text(&error), "isobox: error: no namespaces; ask for leave\n");
    }

    #[test]
    fn what_comes_out_of_a_sandbox_cannot_steer_the_terminal() {
        assert_eq!(text(&Error::internal("a\u{1b}[2J\nb")), "isobox: error: a\\u{1b}[2J\\nb\n");
    }

    #[test]
    fn json_is_one_line_with_the_code() {
        let line = json(&Error::invalid_spec("user", "is empty"));
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!((value["error"]["kind"].as_str(), line.lines().count()), (Some("invalid_spec"), 1));
    }
}
