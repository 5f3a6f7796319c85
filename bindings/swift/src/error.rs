//! What a call fails with.

use crate::convert::Shown;
use crate::generated::{Detail, ErrorCode, Fault};
use isobox_bindings::api;
use std::fmt;

/// The error of every call, with all that is known. Neither it nor its message holds a command, its output, a value of the
/// environment, a token or what is in a file; those are only in the detail.
#[derive(Debug, uniffi::Record)]
pub struct SandboxError {
    /// What happened. The words are the same in every language, and never change.
    pub code: ErrorCode,
    /// What happened, to what, and what to do about it.
    pub message: String,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// When to try again, in seconds, where that is known.
    pub retry_after: Option<f64>,
    /// Whose failure it is.
    pub fault: Fault,
    /// The provider that it comes from.
    pub provider: Option<String>,
    /// The sandbox that it is about.
    pub sandbox: Option<String>,
    /// The call that failed.
    pub operation: Option<String>,
    /// The typed facts, where there are some.
    pub detail: Option<Detail>,
}

/// Why a call gives nothing.
#[derive(Debug, uniffi::Error)]
#[allow(clippy::large_enum_variant, reason = "UniFFI carries no boxes, and one is made for a call that failed")]
pub enum Failure {
    /// It failed.
    Failed {
        /// How.
        error: SandboxError,
    },
    /// Its task was cancelled.
    Cancelled,
}

impl From<api::Error> for Failure {
    fn from(error: api::Error) -> Self {
        Self::Failed {
            error: SandboxError {
                code: error.code().shown(),
                message: error.message(),
                retryable: error.retryable(),
                retry_after: error.retry_after().shown(),
                fault: error.fault().shown(),
                provider: error.provider(),
                sandbox: error.sandbox(),
                operation: error.operation(),
                detail: error.detail().shown(),
            },
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed { error } => f.write_str(&error.message),
            Self::Cancelled => f.write_str("the task was cancelled"),
        }
    }
}

impl std::error::Error for Failure {}
