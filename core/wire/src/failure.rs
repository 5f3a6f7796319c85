//! Why the agent did not do something.

use crate::Blob;
use serde::{Deserialize, Serialize};

/// An operation that did not happen, or not completely.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Its kind.
    pub code: FailureCode,
    /// What happened and what to do, for people. Never holds commands, output, environment or file contents.
    pub message: String,
    /// Which part of the request is at fault, as in `cwd` or `argv[0]`.
    pub field: Option<String>,
    /// The path it is about.
    pub path: Option<Blob>,
    /// The system's error number.
    pub errno: Option<i32>,
    /// The exit code a shell would give: 127 for a program that is not there, 126 for one that cannot run.
    pub exit_code: Option<i32>,
}

/// Kinds of failure. They are a subset of the contract's error codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name is the contract's error code of the same name")]
pub enum FailureCode {
    NotFound,
    AlreadyExists,
    PermissionDenied,
    InvalidSpec,
    InvalidState,
    Unsupported,
    LimitExceeded,
    OutOfMemory,
    OutOfDisk,
    Unauthenticated,
    Conflict,
    Overloaded,
    Timeout,
    Cancelled,
    Incomplete,
    Transport,
    Io,
    Internal,
}

impl Failure {
    /// A failure with a message and nothing else.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), field: None, path: None, errno: None, exit_code: None }
    }

    /// A part of the request that cannot be honoured.
    pub fn invalid(field: &str, message: impl Into<String>) -> Self {
        Self::new(FailureCode::InvalidSpec, message).at(field)
    }

    /// Names the part of the request at fault.
    pub fn at(mut self, field: &str) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Names the path it is about.
    pub fn on(mut self, path: impl Into<Vec<u8>>) -> Self {
        self.path = Some(Blob::from(path.into()));
        self
    }

    /// Keeps the system's error number.
    pub fn errno(mut self, errno: i32) -> Self {
        self.errno = Some(errno);
        self
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
