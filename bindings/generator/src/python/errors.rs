//! The table of errors: a class for each code, which also is the one of Python's own that says the same.

use super::HEAD;
use super::records::docstring;
use crate::description::{Description, Variant};
use crate::text::{sentence, word};
use heck::ToUpperCamelCase;
use std::fmt::Write;

/// Of which of Python's own classes an error of a code is too.
const ALSO: [(&str, &str); 9] = [
    ("invalid_spec", "ValueError"),
    ("timeout", "TimeoutError"),
    ("permission_denied", "PermissionError"),
    ("policy_denied", "PermissionError"),
    ("engine_unavailable", "ConnectionError"),
    ("transport", "ConnectionError"),
    ("unsupported", "NotImplementedError"),
    ("out_of_disk", "OSError"),
    ("io", "OSError"),
];

/// The classes for what can be wrong with a file, each with the class of its code and Python's own.
const FILES: [(&str, &str, &str, &str, &str); 5] = [
    (
        "not_found",
        "FileMissingError",
        "not_found",
        "FileNotFoundError",
        "A file or directory in a sandbox is not there.",
    ),
    (
        "already_exists",
        "FileThereError",
        "already_exists",
        "FileExistsError",
        "There is a file or directory in a sandbox already.",
    ),
    ("is_a_directory", "FileIsADirectoryError", "io", "IsADirectoryError", "A path in a sandbox is a directory."),
    ("not_a_directory", "FileNotADirectoryError", "io", "NotADirectoryError", "A path in a sandbox is no directory."),
    (
        "permission_denied",
        "FilePermissionError",
        "permission_denied",
        "",
        "The user may not do this to a file in a sandbox.",
    ),
];

/// The class for a code. Names that Python has itself get a word in front.
pub(crate) fn class(code: &str) -> String {
    match code {
        "timeout" => "SandboxTimeoutError".to_owned(),
        "io" => "SandboxIOError".to_owned(),
        "cancelled" => "OperationCancelledError".to_owned(),
        code => format!("{}Error", code.to_upper_camel_case()),
    }
}

/// Python's own class that says the same as a code.
pub(crate) fn builtin(code: &str) -> Option<&'static str> {
    ALSO.iter().find(|(of, _)| *of == code).map(|(_, builtin)| *builtin)
}

/// The classes for files, each with Python's own.
pub(crate) fn file_classes() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().filter(|(_, _, _, builtin, _)| !builtin.is_empty()).map(|(_, class, _, builtin, _)| (*class, *builtin))
}

fn codes(description: &Description) -> Result<&[Variant], String> {
    let codes = description.enumeration("ErrorCode").ok_or("ErrorCode is not described")?;
    Ok(&codes.variants)
}

/// Every class of the file.
pub(super) fn names(description: &Description) -> Result<Vec<String>, String> {
    let codes = codes(description)?.iter().map(|code| class(&word(&code.name)));
    let files = FILES.iter().map(|(_, class, ..)| (*class).to_owned());
    Ok(["SandboxError".to_owned()].into_iter().chain(codes).chain(files).collect())
}

const BASE: &str = r#"
class SandboxError(Exception):
    """What every call of this library can raise.

    Neither it nor its message holds a command, its output, a value of the environment, a token or what is in a file; those are only in
    the detail.
    """

    code: ErrorCode = "internal"
    """What happened: the same words in every language and on the wire."""

    message: str
    """What happened, to what, and what to do about it."""

    retryable: bool = False
    """Whether the same call may succeed later."""

    retry_after: float | None = None
    """Seconds after which to try again, where that is known."""

    fault: Fault = "infrastructure"
    """Whose failure it is."""

    provider: str | None = None
    """The provider that it comes from."""

    sandbox: str | None = None
    """The id of the sandbox that it is about."""

    operation: str | None = None
    """The call that failed."""

    detail: Detail | None = None
    """The typed facts."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message

    @property
    def is_infrastructure(self) -> bool:
        """Whether it is a failure of the machine, the engine, the network or this library, and not of the program or the caller."""
        return self.fault == "infrastructure"

    @property
    def post_mortem(self) -> PostMortem | None:
        """How the sandbox died, when that is why."""
        return self.detail.post_mortem if isinstance(self.detail, DiedDetail) else None

    @property
    def failure(self) -> ExecFailure | None:
        """How the command failed, with its output, when that is why."""
        return self.detail.failure if isinstance(self.detail, ExecDetail) else None

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.message,), self.__dict__)
"#;

const MAKE: &str = r#"

def make(code: str, kind: str | None, message: str, facts: Mapping[str, Any]) -> SandboxError:
    """The error for a code, and for what is wrong with a file. For the native module."""
    error = (FILES.get(kind) if kind else None) or CODES.get(code, InternalError)
    made = error(message)
    made.__dict__.update(facts)
    return made
"#;

/// `_errors.py`.
pub(super) fn render(description: &Description) -> Result<String, String> {
    let mut text = String::from(HEAD);
    text.push_str(
        "\"\"\"The errors: one class for each code, which also is the one of Python's own that says the same.\"\"\"\n\n\
         from __future__ import annotations\n\nfrom collections.abc import Mapping\nfrom typing import Any\n\n\
         from ._records import Detail, DiedDetail, ErrorCode, ExecDetail, ExecFailure, Fault, PostMortem\n",
    );
    text.push_str(BASE);
    for code in codes(description)? {
        let word = word(&code.name);
        let also = builtin(&word).map_or(String::new(), |also| format!(", {also}"));
        let class = class(&word);
        let docs = docstring(&sentence(&code.docs), "    ");
        let _ = write!(text, "\n\nclass {class}(SandboxError{also}):\n{docs}\n\n    code: ErrorCode = \"{word}\"\n");
    }
    for (_, name, code, also, docs) in FILES {
        let also = if also.is_empty() { String::new() } else { format!(", {also}") };
        let _ = write!(text, "\n\nclass {name}({}{also}):\n    \"\"\"{docs}\"\"\"\n", class(code));
    }
    let table = |rows: Vec<(String, String)>| {
        rows.iter().map(|(word, class)| format!("    \"{word}\": {class},\n")).collect::<String>()
    };
    let by_code = codes(description)?.iter().map(|code| word(&code.name)).map(|word| (word.clone(), class(&word)));
    let by_file = FILES.iter().map(|(kind, class, ..)| ((*kind).to_owned(), (*class).to_owned()));
    let _ = write!(text, "\n\nCODES: dict[str, type[SandboxError]] = {{\n{}}}\n", table(by_code.collect()));
    text.push_str("\"\"\"The class for each code.\"\"\"\n");
    let _ = write!(text, "\nFILES: dict[str, type[SandboxError]] = {{\n{}}}\n", table(by_file.collect()));
    text.push_str("\"\"\"The class for each thing that can be wrong with a file and has one.\"\"\"\n");
    text.push_str(MAKE);
    let _ = write!(text, "\n\n__all__ = [\n    \"{}\",\n]\n", names(description)?.join("\",\n    \""));
    Ok(text)
}
