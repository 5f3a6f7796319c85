//! The pages of the reference that the description knows.

use crate::Written;
use crate::description::Description;
use crate::python::error_class;
use crate::text::{sentence, word};
use std::fmt::Write;

/// All files of it.
pub(crate) fn files(description: &Description) -> Result<Vec<Written>, String> {
    Ok(vec![Written { path: "docs/reference/errors.md", text: errors(description)? }])
}

/// The table of errors.
fn errors(description: &Description) -> Result<String, String> {
    let mut text = String::from(
        "<!-- Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit. -->\n\n# Errors\n\nEvery call fails with one kind of error, \
         which has one of these codes: the same word in every language and in what the command writes as JSON. In Python and Node it is a class, and in \
         Python also the class of Python's own that says the same, if there is one. In Rust it is a variant of `ErrorCode`.\n\n\
         | code | what it means | Python, Node | and in Python |\n|---|---|---|---|\n",
    );
    let codes = description.enumeration("ErrorCode").ok_or("ErrorCode is not described")?;
    for code in &codes.variants {
        let word = word(&code.name);
        let also = crate::python::builtin(&word).map_or(String::new(), |also| format!("`{also}`"));
        let _ = writeln!(text, "| `{word}` | {} | `{}` | {also} |", sentence(&code.docs), error_class(&word));
    }
    text.push_str(
        "\nIn Python, what can be wrong with a file has classes of its own below these, which are also Python's: ",
    );
    let files = crate::python::file_classes().map(|(class, builtin)| format!("`{class}` is a `{builtin}`"));
    let _ = writeln!(text, "{}.", files.collect::<Vec<_>>().join(", "));
    let faults = description.enumeration("Fault").ok_or("Fault is not described")?;
    text.push_str("\n## Whose failure it is\n\n| fault | whose |\n|---|---|\n");
    for fault in &faults.variants {
        let _ = writeln!(text, "| `{}` | {} |", word(&fault.name), sentence(&fault.docs));
    }
    text.push_str("\nWhat the command exits with is on [a page of its own](exit-codes.md).\n");
    Ok(text)
}
