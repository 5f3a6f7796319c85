//! The typed facts of an error.

use super::{ErrorCode, Fault};
use crate::exec::{Captured, SandboxPath, Termination};
use crate::post_mortem::PostMortem;
use crate::state::{Action, State};
use crate::time::{micros, millis};
use crate::words::words;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// What is known beyond the code. `Debug` shows no output, no contents and no backend's raw answer.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Detail {
    /// Which field of a request, and why.
    InvalidSpec {
        /// Dotted path of the field.
        field: String,
        /// Why, and what to do.
        reason: String,
    },
    /// Which capability is missing.
    Unsupported {
        /// Dotted name; a [`crate::Capability`] unless a foreign peer named it.
        capability: String,
    },
    /// Which action in which state.
    InvalidState {
        /// The state at that time.
        state: State,
        /// What was asked for.
        action: Action,
    },
    /// What took too long.
    Timeout {
        /// The operation.
        operation: String,
        /// How long it was waited for.
        #[serde(rename = "elapsed_ms", with = "millis")]
        elapsed: Duration,
    },
    /// What is certain about an operation whose end is not.
    Incomplete {
        /// Output may exist that nobody will get.
        output_abandoned: bool,
        /// The other side confirmed that it was told to stop.
        stop_acknowledged: bool,
        /// Nothing of the command runs any more.
        termination_confirmed: bool,
        /// Nothing that it made is left over.
        cleanup_confirmed: bool,
    },
    /// Which file.
    File {
        /// Its path in the sandbox, as the caller gave it.
        path: SandboxPath,
        /// What is wrong.
        kind: FileErrorKind,
    },
    /// Which step of making a sandbox or starting a command.
    Launch {
        /// The step.
        step: LaunchStep,
        /// The system's number for the reason.
        errno: Option<i32>,
        /// What to do about it.
        hint: Option<String>,
    },
    /// Which thing.
    Resource {
        /// Its kind.
        resource: Resource,
        /// Its id or name.
        id: String,
    },
    /// Which thing refused a change.
    ReadOnly {
        /// Its kind.
        resource: Resource,
        /// Its id or name.
        id: String,
        /// What was asked for.
        action: Action,
    },
    /// Which limit.
    Limit {
        /// Its name.
        limit: String,
        /// Its value.
        max: Option<u64>,
    },
    /// How the sandbox died.
    PostMortem(Box<PostMortem>),
    /// How a command failed.
    Exec(Box<ExecFailure>),
    /// How a git operation failed.
    Git {
        /// The verb, such as `clone`.
        operation: String,
        /// The cause, as far as it can be told.
        kind: GitFailure,
        /// The command behind it, when it was one.
        exec: Option<Box<ExecFailure>>,
        /// Why it failed before, the first time first, when it was tried again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        earlier: Vec<GitFailure>,
    },
    /// What the backend itself said.
    Provider {
        /// Its own error code.
        code: Option<String>,
        /// Its own detail, as it came.
        json: serde_json::Value,
    },
    /// Nothing more is known.
    #[default]
    #[serde(other)]
    None,
}

impl Detail {
    /// Whose failure it is, where the facts decide that.
    pub(super) fn fault(&self) -> Option<Fault> {
        match self {
            Detail::PostMortem(post_mortem) => Some(post_mortem.cause.fault()),
            Detail::File { kind: FileErrorKind::NoSpace, .. } => Some(Fault::Program),
            Detail::File { .. } => Some(Fault::Caller),
            Detail::Git { kind: GitFailure::RemoteUnavailable, .. } => Some(Fault::Infrastructure),
            _ => None,
        }
    }
}

impl fmt::Debug for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Detail::None => f.write_str("None"),
            Detail::InvalidSpec { field, reason } => write!(f, "InvalidSpec({field}: {reason})"),
            Detail::Unsupported { capability } => write!(f, "Unsupported({capability})"),
            Detail::InvalidState { state, action } => write!(f, "InvalidState({action} while {state})"),
            Detail::Timeout { operation, elapsed } => write!(f, "Timeout({operation} after {elapsed:?})"),
            Detail::Incomplete { output_abandoned, stop_acknowledged, termination_confirmed, cleanup_confirmed } => f
                .debug_struct("Incomplete")
                .field("output_abandoned", output_abandoned)
                .field("stop_acknowledged", stop_acknowledged)
                .field("termination_confirmed", termination_confirmed)
                .field("cleanup_confirmed", cleanup_confirmed)
                .finish(),
            Detail::File { path, kind } => write!(f, "File({path:?}: {kind:?})"),
            Detail::Launch { step, errno, hint } => write!(f, "Launch({step}, errno {errno:?}, {hint:?})"),
            Detail::Resource { resource, id } => write!(f, "Resource({resource} {id})"),
            Detail::ReadOnly { resource, id, action } => write!(f, "ReadOnly({resource} {id}, {action})"),
            Detail::Limit { limit, max } => write!(f, "Limit({limit}, {max:?})"),
            Detail::PostMortem(post_mortem) => fmt::Debug::fmt(post_mortem, f),
            Detail::Exec(failure) => fmt::Debug::fmt(failure, f),
            Detail::Git { operation, kind, exec, earlier } => {
                write!(f, "Git({operation}, {kind}, {exec:?}, {} earlier)", earlier.len())
            }
            Detail::Provider { code, .. } => write!(f, "Provider({code:?})"),
        }
    }
}

/// A command that failed where that is an error. The output is for the caller only: it is in no message, no trace, no
/// report and no store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExecFailure {
    /// The caller's name for the command.
    pub label: Option<String>,
    /// How it ended.
    pub termination: Termination,
    /// Its exit code; 128+n for a signal.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// How long it ran.
    #[serde(rename = "duration_us", with = "micros")]
    pub duration: Duration,
    /// A fixed sentence for well-known failures, such as a name that does not resolve.
    pub hint: Option<String>,
    /// What it wrote.
    #[serde(skip)]
    pub stdout: Captured,
    /// What it wrote.
    #[serde(skip)]
    pub stderr: Captured,
}

words! {
    /// A kind of thing that an error is about.
    pub enum Resource {
        /// A sandbox.
        Sandbox = "sandbox",
        /// A snapshot.
        Snapshot = "snapshot",
        /// A volume.
        Volume = "volume",
        /// An image.
        Image = "image",
        /// A provider.
        Provider = "provider",
        /// A plugin's executable.
        Plugin = "plugin",
        /// A file in a sandbox.
        File = "file",
        /// A command or process in a sandbox.
        Exec = "exec",
        /// A shell session in a sandbox.
        Session = "session",
        /// A background service in a sandbox.
        Service = "service",
        /// An operation.
        Operation = "operation",
        /// A user or group in a sandbox.
        User = "user",
        /// A port of a sandbox.
        Port = "port",
        /// A pool of sandboxes that are kept ready.
        Pool = "pool",
        /// A kind of thing of a newer peer.
        Unknown = "unknown",
    }
    unknown Unknown
}

words! {
    /// Why git failed. Only `RemoteUnavailable` is transient.
    pub enum GitFailure {
        /// The remote refused the credential.
        AuthRejected = "auth_rejected",
        /// The remote does not answer.
        RemoteUnavailable = "remote_unavailable",
        /// There is no such branch, tag or commit.
        RefNotFound = "ref_not_found",
        /// The credential is valid and not allowed to do this.
        AccessDenied = "access_denied",
        /// The target directory exists and is not empty.
        TargetExists = "target_exists",
        /// There is no git in the sandbox.
        GitUnavailable = "git_unavailable",
        /// None of these could be recognised.
        Unclassified = "unclassified",
    }
    unknown Unclassified
}

impl GitFailure {
    /// The code that an error of this kind has.
    pub const fn code(self) -> ErrorCode {
        match self {
            GitFailure::AuthRejected => ErrorCode::Unauthenticated,
            GitFailure::RemoteUnavailable => ErrorCode::Transport,
            GitFailure::RefNotFound => ErrorCode::NotFound,
            GitFailure::AccessDenied => ErrorCode::PermissionDenied,
            GitFailure::TargetExists => ErrorCode::AlreadyExists,
            GitFailure::GitUnavailable => ErrorCode::Unsupported,
            GitFailure::Unclassified => ErrorCode::CommandFailed,
        }
    }
}

words! {
    /// A step on the way to a running command.
    pub enum LaunchStep {
        /// Checking what the machine can do.
        Preflight = "preflight",
        /// Fetching or unpacking the image.
        Image = "image",
        /// Making namespaces.
        Namespaces = "namespaces",
        /// Mapping user ids.
        UserMapping = "user_mapping",
        /// Making the root filesystem.
        Filesystem = "filesystem",
        /// Making mounts.
        Mounts = "mounts",
        /// Setting limits.
        Limits = "limits",
        /// Setting up the network.
        Network = "network",
        /// Dropping privileges and filtering system calls.
        Security = "security",
        /// Starting the agent.
        Agent = "agent",
        /// The first words with the agent.
        Handshake = "handshake",
        /// Finding the user.
        User = "user",
        /// Entering the working directory.
        WorkingDirectory = "working_directory",
        /// Opening a terminal.
        Terminal = "terminal",
        /// Starting the program.
        Exec = "exec",
        /// A step of a newer peer.
        Unknown = "unknown",
    }
    unknown Unknown
}

words! {
    /// What is wrong with a file operation.
    pub enum FileErrorKind {
        /// There is no such file or directory.
        NotFound = "not_found",
        /// The user may not do this.
        PermissionDenied = "permission_denied",
        /// It exists already.
        AlreadyExists = "already_exists",
        /// It is a directory where a file is needed.
        IsADirectory = "is_a_directory",
        /// Part of the path, or the path, is not a directory.
        NotADirectory = "not_a_directory",
        /// The directory is not empty.
        NotEmpty = "not_empty",
        /// There are too many symbolic links on the way.
        TooManyLinks = "too_many_links",
        /// A name is too long.
        NameTooLong = "name_too_long",
        /// The filesystem is full or the quota is used up.
        NoSpace = "no_space",
        /// The filesystem is read-only.
        ReadOnly = "read_only",
        /// The path cannot name anything, or leads out of where it must stay.
        InvalidPath = "invalid_path",
        /// The file is larger than the limit of this call.
        TooLarge = "too_large",
        /// It is in use.
        Busy = "busy",
        /// It would cross from one filesystem to another.
        CrossDevice = "cross_device",
        /// Reading or writing failed for another reason.
        Other = "other",
    }
    unknown Other
}

impl FileErrorKind {
    /// The kind for a Linux error number, the same on x86-64 and aarch64.
    pub const fn from_errno(errno: i32) -> Self {
        match errno {
            1 | 13 => Self::PermissionDenied,
            2 => Self::NotFound,
            16 | 26 => Self::Busy,
            17 => Self::AlreadyExists,
            18 => Self::CrossDevice,
            20 => Self::NotADirectory,
            21 => Self::IsADirectory,
            22 => Self::InvalidPath,
            27 => Self::TooLarge,
            28 | 122 => Self::NoSpace,
            30 => Self::ReadOnly,
            36 => Self::NameTooLong,
            39 => Self::NotEmpty,
            40 => Self::TooManyLinks,
            _ => Self::Other,
        }
    }

    /// The code that an error of this kind has.
    pub const fn code(self) -> ErrorCode {
        match self {
            Self::NotFound => ErrorCode::NotFound,
            Self::PermissionDenied | Self::ReadOnly => ErrorCode::PermissionDenied,
            Self::AlreadyExists => ErrorCode::AlreadyExists,
            Self::NoSpace => ErrorCode::OutOfDisk,
            Self::InvalidPath | Self::NameTooLong => ErrorCode::InvalidSpec,
            Self::TooLarge => ErrorCode::LimitExceeded,
            Self::IsADirectory
            | Self::NotADirectory
            | Self::NotEmpty
            | Self::TooManyLinks
            | Self::Busy
            | Self::CrossDevice
            | Self::Other => ErrorCode::Io,
        }
    }
}
