//! What is wrong with an image, before it is known who asked for it.

use isobox_contract::{Detail, Error, ErrorCode, LaunchStep};
use std::io;

/// Why an image could not be read or unpacked. Names that come out of an image are shown with control characters
/// escaped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    /// The system refused something.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was being done.
        action: String,
        /// The system's reason.
        source: io::Error,
    },
    /// The bytes are not what they should be.
    #[error("{what} is damaged: {reason}")]
    Corrupt {
        /// What was being read.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An entry of a layer could reach out of it, or means nothing.
    #[error("the layer's entry {} is refused: {reason}", show(path))]
    Refused {
        /// Its name.
        path: Vec<u8>,
        /// What is wrong with it.
        reason: String,
    },
    /// More than the limits allow.
    #[error("a layer has more than {max} {what}")]
    Limit {
        /// Of what.
        what: &'static str,
        /// How much is allowed.
        max: u64,
    },
    /// The contents are not those that were named.
    #[error("{what} has the digest {found} and not {expected}")]
    Digest {
        /// What was read.
        what: String,
        /// What it should have.
        expected: String,
        /// What it has.
        found: String,
    },
    /// Nobody waits for it any more.
    #[error("cancelled")]
    Cancelled,
}

pub(crate) type Outcome<T = ()> = Result<T, Problem>;

/// Where an image came from, for who is to blame when it is bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The caller named a file.
    Archive,
    /// A registry or an engine gave it.
    Remote,
}

impl Problem {
    pub(crate) fn io(action: impl Into<String>, source: impl Into<io::Error>) -> Self {
        Problem::Io { action: action.into(), source: source.into() }
    }

    pub(crate) fn corrupt(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Problem::Corrupt { what: what.into(), reason: reason.into() }
    }

    pub(crate) fn refused(path: &[u8], reason: impl Into<String>) -> Self {
        Problem::Refused { path: path.to_vec(), reason: reason.into() }
    }

    /// The error for the caller; `image` is what was asked for.
    pub(crate) fn explain(self, image: &str, origin: Origin) -> Error {
        let message = format!("the image {}: {self}", image.escape_debug());
        match self {
            Problem::Cancelled => Error::cancelled("image"),
            Problem::Io { ref source, .. } if is_full(source) => Error::new(
                ErrorCode::OutOfDisk,
                format!("{message}; free some space, or remove images that are not used"),
            )
            .with_detail(step(source)),
            Problem::Io { source, .. } => Error::new(ErrorCode::Io, message).with_detail(step(&source)),
            Problem::Limit { what, max } => Error::new(ErrorCode::LimitExceeded, message)
                .with_detail(Detail::Limit { limit: format!("image.{what}"), max: Some(max) }),
            _ if origin == Origin::Archive => {
                let field = "source.path".to_owned();
                Error::new(ErrorCode::InvalidSpec, message.clone())
                    .with_detail(Detail::InvalidSpec { field, reason: message })
            }
            // Fetching it again gives the same.
            _ => Error::new(ErrorCode::ImagePullFailed, message).retryable(false).infrastructure(false),
        }
    }
}

fn step(source: &io::Error) -> Detail {
    Detail::Launch { step: LaunchStep::Image, errno: source.raw_os_error(), hint: None }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Bytes for a message.
pub(crate) fn show(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).escape_debug().to_string();
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// A failed read, whose cause may be one of ours that crossed a [`std::io::Read`].
pub(crate) fn reading(what: &str, error: io::Error) -> Problem {
    match error.downcast::<Problem>() {
        Ok(problem) => problem,
        Err(error) => match error.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
                Problem::corrupt(what, error.to_string())
            }
            io::ErrorKind::Other if error.raw_os_error().is_none() => Problem::corrupt(what, error.to_string()),
            _ => Problem::io(format!("read {what}"), error),
        },
    }
}

impl From<Problem> for io::Error {
    fn from(problem: Problem) -> Self {
        io::Error::other(problem)
    }
}
