//! Why a tree could not be packed, unpacked, copied or removed.

use std::io;

/// What went wrong, and where.
///
/// Paths are relative to the directory that the call was given. A message shows them lossily and with control
/// characters escaped, because they may come from a sandbox; the field has the bytes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system refused an action.
    #[error("cannot {action} {}: {source}", show(path))]
    Io {
        /// The entry that it was about.
        path: Vec<u8>,
        /// What was being done, as a verb.
        action: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// A stream or a caller named something that could lead out of the tree.
    #[error("refused {}: {reason}", show(path))]
    Unsafe {
        /// The path as it was given.
        path: Vec<u8>,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A pattern of entries to leave out means nothing.
    #[error("refused the pattern \"{}\": {reason}", pattern.escape_debug())]
    Pattern {
        /// The pattern as it was given.
        pattern: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The tree is larger than the options allow.
    #[error("the tree has more than {limit} {what}")]
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// How much is allowed.
        limit: u64,
    },
    /// The bytes are not a tree stream, or not a whole one.
    #[error("the tree stream is corrupt: {reason}")]
    Corrupt {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Something is in the way, or somebody else changes the same tree.
    #[error("conflict at {}: {reason}", show(path))]
    Conflict {
        /// The entry in question.
        path: Vec<u8>,
        /// What is in the way.
        reason: &'static str,
    },
}

impl Error {
    /// The system's error number, when the system refused something.
    pub fn raw_os_error(&self) -> Option<i32> {
        match self {
            Error::Io { source, .. } => source.raw_os_error(),
            _ => None,
        }
    }

    /// The path that the error is about, when it is about one.
    pub fn path(&self) -> Option<&[u8]> {
        match self {
            Error::Io { path, .. } | Error::Unsafe { path, .. } | Error::Conflict { path, .. } => Some(path),
            Error::Pattern { .. } | Error::Limit { .. } | Error::Corrupt { .. } => None,
        }
    }

    pub(crate) fn io(path: &[u8], action: &'static str, source: impl Into<io::Error>) -> Error {
        Error::Io { path: path.to_vec(), action, source: source.into() }
    }

    pub(crate) fn conflict(path: &[u8], reason: &'static str) -> Error {
        Error::Conflict { path: path.to_vec(), reason }
    }

    pub(crate) fn refused(path: &[u8], reason: &'static str) -> Error {
        Error::Unsafe { path: path.to_vec(), reason }
    }
}

fn show(path: &[u8]) -> String {
    if path.is_empty() { ".".to_owned() } else { String::from_utf8_lossy(path).escape_debug().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_carry_control_characters() {
        let error = Error::refused(b"a\n\x1b[2J\xff", "its name is bad");
        assert_eq!(error.to_string(), "refused a\\n\\u{1b}[2J\u{fffd}: its name is bad");
        assert_eq!(error.path(), Some(&b"a\n\x1b[2J\xff"[..]));
    }

    #[test]
    fn the_number_of_the_system_is_kept() {
        let error = Error::io(b"", "open", rustix::io::Errno::NOSPC);
        assert_eq!(error.raw_os_error(), Some(28));
        assert!(error.to_string().starts_with("cannot open .: "), "{error}");
        assert_eq!(Error::Corrupt { reason: "x" }.raw_os_error(), None);
    }
}
