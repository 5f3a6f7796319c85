//! Names and sentences.

use crate::description::Enum;
use heck::{ToSnakeCase, ToUpperCamelCase};
use std::io::Write;
use std::process::{Command, Stdio};

/// The word of a variant, the same in every language and on the wire.
pub(crate) fn word(variant: &str) -> String {
    variant.to_snake_case()
}

/// The name of the class of one variant of a sum: `StdoutEvent`, `BindMount`.
pub(crate) fn variant_class(of: &Enum, variant: &str) -> String {
    let noun = match of.name.as_str() {
        "OutputEvent" => "Event",
        "SecretDelivery" => "Delivery",
        "NetworkPolicy" => "Network",
        name => name,
    };
    format!("{}{noun}", variant.to_upper_camel_case())
}

/// The lines of a documentation as one text.
pub(crate) fn sentence(docs: &[String]) -> String {
    docs.join(" ").trim().to_owned()
}

/// The text, broken into lines of at most that many characters, each behind the indent.
pub(crate) fn wrapped(text: &str, indent: &str, width: usize) -> String {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && indent.len() + line.len() + 1 + word.len() > width {
            lines.push(format!("{indent}{line}"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(format!("{indent}{line}"));
    lines.join("\n")
}

/// Rust as `cargo fmt` leaves it.
pub(crate) fn formatted(rust: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("rustfmt: {error}");
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024", "--config-path"]).arg(crate::root());
    let mut child = rustfmt.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let mut input = child.stdin.take().expect("it was asked for");
    let writes = std::thread::spawn({
        let rust = rust.to_owned();
        move || input.write_all(rust.as_bytes())
    });
    let output = child.wait_with_output().map_err(failed)?;
    writes.join().map_err(|_| "rustfmt was not given all".to_owned())?.map_err(failed)?;
    match output.status.success() {
        true => String::from_utf8(output.stdout).map_err(|error| error.to_string()),
        false => Err(format!("rustfmt ended with {}", output.status)),
    }
}
