//! How a step fails: its name, the error number, a sentence that names the thing, and what to do.

use super::hint;
use isobox_wire::launch::{LaunchFailure, LaunchStep};
use rustix::io::Errno;

/// The result of a step.
pub(super) type Outcome<T = ()> = Result<T, LaunchFailure>;

/// Turns the result of a system call into the result of a step.
pub(super) trait At<T> {
    /// Names the step and says what could not be done, as in "cannot mount /proc".
    fn at(self, step: LaunchStep, what: impl FnOnce() -> String) -> Outcome<T>;
}

impl<T> At<T> for Result<T, Errno> {
    fn at(self, step: LaunchStep, what: impl FnOnce() -> String) -> Outcome<T> {
        self.map_err(|errno| failed(step, errno, &what()))
    }
}

/// Adds what to do to a failure.
pub(super) trait OrHint {
    /// Replaces the general hint by this one, unless it is sure of the cause.
    fn or_hint(self, hint: impl FnOnce() -> String) -> Self;
}

impl<T> OrHint for Outcome<T> {
    fn or_hint(self, hint: impl FnOnce() -> String) -> Self {
        self.map_err(|failure| match &failure.hint {
            Some(sure) if hint::is_certain(sure) => failure,
            _ => LaunchFailure { hint: Some(hint()), ..failure },
        })
    }
}

/// The failure of a system call, and what could not be done because of it.
pub(super) fn failed(step: LaunchStep, errno: Errno, what: &str) -> LaunchFailure {
    LaunchFailure {
        step,
        errno: errno.raw_os_error(),
        message: format!("{what}: {}", reason(errno)),
        hint: hint::of(step, errno),
    }
}

/// A failure that no system call reported.
pub(super) fn refused(step: LaunchStep, message: String, hint: &str) -> LaunchFailure {
    LaunchFailure { step, errno: 0, message, hint: Some(hint.to_owned()) }
}

/// A path or a name for a message, of a length that leaves the report below its limit.
pub(super) fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 1024;
    let (start, rest) = bytes.split_at(bytes.len().min(MOST));
    let mut text: String = String::from_utf8_lossy(start).escape_debug().collect();
    if !rest.is_empty() {
        text.push_str("...");
    }
    text
}

/// A line in the launcher's log, for what is not a failure.
pub(super) fn note(line: &str) {
    let line = format!("isobox: {line}\n");
    // The log is a convenience; a closed one must not end a sandbox.
    let _ = rustix::io::write(std::io::stderr(), line.as_bytes());
}

fn reason(errno: Errno) -> String {
    let text = std::io::Error::from(errno).to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut characters = text.chars();
    characters.next().map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_lower_case_and_names_the_cause() {
        let failed: Outcome = Err(Errno::NOENT).at(LaunchStep::BindMount, || "cannot mount /a".into());
        let failure = failed.unwrap_err();
        assert_eq!((failure.errno, failure.message.as_str()), (2, "cannot mount /a: no such file or directory"));
    }

    #[test]
    fn hostile_names_do_not_reach_a_terminal() {
        assert_eq!(shown(b"/a\x1b[2J"), "/a\\u{1b}[2J");
    }
}
