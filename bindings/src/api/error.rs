//! The one error, as data.

use super::{Action, OutputStream, PostMortem, State, Termination};
use crate::cross::{Cross, words};
use crate::{Path, Text};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What a call gives.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What happened. The words are the same in every language and on the wire, and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// What was named does not exist.
    NotFound,
    /// What was to be made exists.
    AlreadyExists,
    /// It belongs to another owner.
    NotOwned,
    /// The provider cannot do this; the detail names the capability.
    Unsupported,
    /// The request is wrong; the detail names the field.
    InvalidSpec,
    /// The sandbox is in a state in which this cannot be done.
    InvalidState,
    /// The operation did not end in time. A command that runs into its timeout is a result, not this.
    Timeout,
    /// The caller gave up.
    Cancelled,
    /// The credential is missing or wrong.
    Unauthenticated,
    /// The credential, or the user, may not do this.
    PermissionDenied,
    /// Too many requests; the error says when to try again, where that is known.
    RateLimited,
    /// A limit of the machine is reached, and nothing was started.
    Overloaded,
    /// Something is larger than it may be.
    LimitExceeded,
    /// Memory ran out.
    OutOfMemory,
    /// A disk is full.
    OutOfDisk,
    /// There is no such image.
    ImageNotFound,
    /// The image could not be fetched.
    ImagePullFailed,
    /// The engine does not answer.
    EngineUnavailable,
    /// The sandbox is gone; the detail is how it died.
    SandboxGone,
    /// The policy refused it.
    PolicyDenied,
    /// The connection to the sandbox broke.
    Transport,
    /// It was begun and its end is not known.
    Incomplete,
    /// Something else is being done to it.
    Conflict,
    /// A command failed whose success was asked for.
    CommandFailed,
    /// An operation on files or devices failed.
    Io,
    /// A fault of this library.
    Internal,
}

words!(ErrorCode, isobox::ErrorCode {
    NotFound, AlreadyExists, NotOwned, Unsupported, InvalidSpec, InvalidState, Timeout, Cancelled, Unauthenticated,
    PermissionDenied, RateLimited, Overloaded, LimitExceeded, OutOfMemory, OutOfDisk, ImageNotFound, ImagePullFailed,
    EngineUnavailable, SandboxGone, PolicyDenied, Transport, Incomplete, Conflict, CommandFailed, Io, Internal,
} else Internal);

/// Whose failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// That of the program in the sandbox.
    Program,
    /// That of whoever called.
    Caller,
    /// The policy's: it was refused on purpose.
    Policy,
    /// That of the machine, the engine, the network or this library.
    Infrastructure,
}

words!(Fault, isobox::Fault { Program, Caller, Policy, Infrastructure } else Infrastructure);

/// What went wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileErrorKind {
    /// It does not exist.
    NotFound,
    /// The user may not do this.
    PermissionDenied,
    /// It exists.
    AlreadyExists,
    /// It is a directory.
    IsADirectory,
    /// It is no directory.
    NotADirectory,
    /// The directory has something in it.
    NotEmpty,
    /// Links lead in a circle.
    TooManyLinks,
    /// The name is too long.
    NameTooLong,
    /// The disk is full.
    NoSpace,
    /// The filesystem is read-only.
    ReadOnly,
    /// The path cannot be one.
    InvalidPath,
    /// It is too large.
    TooLarge,
    /// It is in use.
    Busy,
    /// The two places are on different filesystems.
    CrossDevice,
    /// Something else.
    Other,
}

words!(FileErrorKind, isobox::FileErrorKind {
    NotFound, PermissionDenied, AlreadyExists, IsADirectory, NotADirectory, NotEmpty, TooManyLinks, NameTooLong, NoSpace,
    ReadOnly, InvalidPath, TooLarge, Busy, CrossDevice, Other,
} else Other);

/// How a command failed whose success was asked for.
#[derive(Clone, Debug)]
pub struct ExecFailure {
    /// The caller's name for it.
    pub label: Option<String>,
    /// What ended it.
    pub termination: Termination,
    /// Its exit code, where it has one.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// How long it ran.
    pub duration: Duration,
    /// What may help.
    pub hint: Option<String>,
    /// What it wrote to stdout.
    pub stdout: Text,
    /// What it wrote to stderr.
    pub stderr: Text,
    /// More about that stdout: what was omitted.
    pub stdout_info: OutputStream,
    /// More about that stderr: what was omitted.
    pub stderr_info: OutputStream,
}

impl Cross<ExecFailure> for isobox::ExecFailure {
    fn cross(self) -> ExecFailure {
        ExecFailure {
            label: self.label,
            termination: self.termination.cross(),
            exit_code: self.exit_code,
            signal: self.signal,
            duration: self.duration,
            hint: self.hint,
            stdout_info: OutputStream::of(&self.stdout),
            stderr_info: OutputStream::of(&self.stderr),
            stdout: self.stdout.bytes.cross(),
            stderr: self.stderr.bytes.cross(),
        }
    }
}

/// The typed facts of an error.
#[derive(Clone, Debug)]
pub enum Detail {
    /// A field of the request is wrong.
    InvalidSpec {
        /// Which, as a dotted path.
        field: String,
        /// What is wrong with it, and the way out.
        reason: String,
    },
    /// A capability is missing.
    Unsupported {
        /// Its dotted name.
        capability: String,
    },
    /// The sandbox is in another state.
    InvalidState {
        /// In which.
        state: State,
        /// What was tried.
        action: Action,
    },
    /// Something took too long.
    Timeout {
        /// What.
        operation: String,
        /// How long it was waited for.
        elapsed: Duration,
    },
    /// How far something came whose end is not known.
    Incomplete {
        /// Whether output was given up.
        output_abandoned: bool,
        /// Whether the stop was heard.
        stop_acknowledged: bool,
        /// Whether nothing runs any more.
        termination_confirmed: bool,
        /// Whether nothing is left.
        cleanup_confirmed: bool,
    },
    /// Something is wrong with a file.
    File {
        /// Which.
        path: Path,
        /// What.
        kind: FileErrorKind,
    },
    /// A sandbox or command could not be started.
    Launch {
        /// The step that failed, such as `namespaces`, `mounts` or `exec`.
        step: String,
        /// The number of the system's error.
        errno: Option<i32>,
        /// What may help.
        hint: Option<String>,
    },
    /// A thing is missing, is there, or belongs to somebody else.
    Resource {
        /// What it is, such as `sandbox` or `snapshot`.
        resource: String,
        /// Its id or name.
        id: String,
    },
    /// A limit is reached.
    Limit {
        /// Which.
        limit: String,
        /// What it is.
        max: Option<u64>,
    },
    /// How the sandbox died.
    Died {
        /// What is known.
        post_mortem: PostMortem,
    },
    /// How the command failed.
    Exec {
        /// What is known.
        failure: ExecFailure,
    },
    /// How git failed.
    Git {
        /// What it was to do.
        operation: String,
        /// What went wrong, such as `auth_rejected` or `ref_not_found`.
        kind: String,
    },
    /// What a provider says in its own words.
    Provider {
        /// Its code.
        code: Option<String>,
        /// All of it, as JSON.
        json: String,
    },
}

impl Cross<Option<Detail>> for isobox::Detail {
    /// None for what has none, and for what is not known here.
    fn cross(self) -> Option<Detail> {
        use isobox::Detail as From;
        Some(match self {
            From::InvalidSpec { field, reason } => Detail::InvalidSpec { field, reason },
            From::Unsupported { capability } => Detail::Unsupported { capability },
            From::InvalidState { state, action } => {
                Detail::InvalidState { state: state.cross(), action: action.cross() }
            }
            From::Timeout { operation, elapsed } => Detail::Timeout { operation, elapsed },
            From::Incomplete { output_abandoned, stop_acknowledged, termination_confirmed, cleanup_confirmed } => {
                Detail::Incomplete { output_abandoned, stop_acknowledged, termination_confirmed, cleanup_confirmed }
            }
            From::File { path, kind } => Detail::File { path: path.cross(), kind: kind.cross() },
            From::Launch { step, errno, hint } => Detail::Launch { step: step.to_string(), errno, hint },
            From::Resource { resource, id } | From::ReadOnly { resource, id, .. } => {
                Detail::Resource { resource: resource.to_string(), id }
            }
            From::Limit { limit, max } => Detail::Limit { limit, max },
            From::PostMortem(post_mortem) => Detail::Died { post_mortem: post_mortem.cross() },
            From::Exec(failure) => Detail::Exec { failure: failure.cross() },
            From::Git { operation, kind, .. } => Detail::Git { operation, kind: kind.to_string() },
            From::Provider { code, json } => Detail::Provider { code, json: json.to_string() },
            _ => return None,
        })
    }
}

/// The error of every call. Neither it nor its message holds a command, its output, a value of the environment, a token or what is in a
/// file; those are only in the detail.
#[derive(Clone)]
pub struct Error(Arc<isobox::Error>);

impl Error {
    /// What happened.
    pub fn code(&self) -> ErrorCode {
        self.0.code().cross()
    }

    /// What happened, to what, and what to do about it.
    pub fn message(&self) -> String {
        self.0.message().to_owned()
    }

    /// Whether the same call may succeed later.
    pub fn retryable(&self) -> bool {
        self.0.is_retryable()
    }

    /// When to try again, where that is known.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after()
    }

    /// Whose failure it is.
    pub fn fault(&self) -> Fault {
        self.0.fault().cross()
    }

    /// The provider that it comes from.
    pub fn provider(&self) -> Option<String> {
        self.0.provider().cloned().cross()
    }

    /// The sandbox that it is about.
    pub fn sandbox(&self) -> Option<String> {
        self.0.sandbox().copied().cross()
    }

    /// The call that failed.
    pub fn operation(&self) -> Option<String> {
        self.0.operation().map(str::to_owned)
    }

    /// The typed facts, where there are some.
    pub fn detail(&self) -> Option<Detail> {
        self.0.detail().clone().cross()
    }
}

impl From<isobox::Error> for Error {
    fn from(error: isobox::Error) -> Self {
        Self(Arc::new(error))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl std::error::Error for Error {}

/// An error that is part of an event or a state.
#[derive(Clone, Debug)]
pub struct Report {
    /// What happened.
    pub code: ErrorCode,
    /// What happened, to what, and what to do about it.
    pub message: String,
    /// Whether the same may succeed later.
    pub retryable: bool,
    /// Whether it is a failure of the infrastructure.
    pub infrastructure: bool,
    /// What caused it, from the nearest to the farthest.
    pub causes: Vec<String>,
}

impl Cross<Report> for isobox::Report {
    fn cross(self) -> Report {
        let isobox::Report { kind, message, retryable, infrastructure, causes, .. } = self;
        Report { code: kind.cross(), message, retryable, infrastructure, causes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::Words;

    #[test]
    fn every_word_has_its_variant() {
        for lost in [ErrorCode::lost(), Fault::lost(), FileErrorKind::lost()] {
            assert!(lost.is_empty(), "{lost:?}");
        }
    }
}
