//! The stable codes and what each says by itself.

use crate::words::words;

words! {
    /// What happened, as a word that never changes its meaning. The set grows; an unknown word reads as `Internal`.
    pub enum ErrorCode {
        /// There is no such thing.
        NotFound = "not_found",
        /// There is such a thing already.
        AlreadyExists = "already_exists",
        /// The thing belongs to another owner.
        NotOwned = "not_owned",
        /// A capability is missing; the detail has its dotted name.
        Unsupported = "unsupported",
        /// A field of a request cannot be honoured; nothing was started.
        InvalidSpec = "invalid_spec",
        /// The action is not possible in the present state.
        InvalidState = "invalid_state",
        /// An operation took longer than allowed. A command that runs into its own timeout is a result instead.
        Timeout = "timeout",
        /// The caller gave up.
        Cancelled = "cancelled",
        /// The credential is missing or wrong.
        Unauthenticated = "unauthenticated",
        /// The caller, or the user in the sandbox, may not do this.
        PermissionDenied = "permission_denied",
        /// The backend asks to slow down.
        RateLimited = "rate_limited",
        /// A limit of concurrency is reached; nothing was started.
        Overloaded = "overloaded",
        /// A value is larger than its limit.
        LimitExceeded = "limit_exceeded",
        /// The memory limit killed what was asked for.
        OutOfMemory = "out_of_memory",
        /// There is no space left.
        OutOfDisk = "out_of_disk",
        /// The registry does not know the image.
        ImageNotFound = "image_not_found",
        /// The image exists and could not be fetched.
        ImagePullFailed = "image_pull_failed",
        /// The engine, cluster or cloud does not answer.
        EngineUnavailable = "engine_unavailable",
        /// The sandbox ended; the detail has the post-mortem.
        SandboxGone = "sandbox_gone",
        /// The policy forbids it.
        PolicyDenied = "policy_denied",
        /// A connection broke or spoke nonsense.
        Transport = "transport",
        /// The end of the operation is not known for certain; the detail has what is.
        Incomplete = "incomplete",
        /// Somebody else changed the thing at the same time.
        Conflict = "conflict",
        /// A command ended with failure where the caller asked that this be an error.
        CommandFailed = "command_failed",
        /// Reading or writing failed.
        Io = "io",
        /// This library is wrong.
        Internal = "internal",
    }
    unknown Internal
}

words! {
    /// Whose failure it is.
    pub enum Fault {
        /// What ran in the sandbox: it failed, or used more than it may.
        Program = "program",
        /// The caller: the request cannot work as it is.
        Caller = "caller",
        /// The policy: the request was understood and is forbidden.
        Policy = "policy",
        /// None of these; a result with this must not be scored.
        Infrastructure = "infrastructure",
    }
    unknown Infrastructure
}

impl ErrorCode {
    /// Whether an error of this code may go away by itself.
    pub const fn is_retryable(self) -> bool {
        use ErrorCode::*;
        matches!(self, Timeout | RateLimited | Overloaded | ImagePullFailed | EngineUnavailable | Transport | Conflict)
    }

    /// Whose failure an error of this code is when the detail does not know better.
    pub const fn fault(self) -> Fault {
        use ErrorCode::*;
        match self {
            NotFound | AlreadyExists | NotOwned | Unsupported | InvalidSpec | InvalidState | Cancelled
            | Unauthenticated | PermissionDenied | LimitExceeded | ImageNotFound | Conflict => Fault::Caller,
            OutOfMemory | CommandFailed => Fault::Program,
            PolicyDenied => Fault::Policy,
            Timeout | RateLimited | Overloaded | OutOfDisk | ImagePullFailed | EngineUnavailable | SandboxGone
            | Transport | Incomplete | Io | Internal => Fault::Infrastructure,
        }
    }
}
