//! The one error that crosses crates, languages and the wire.
//!
//! It says what happened ([`ErrorCode`], stable), whose failure it is ([`Fault`]), whether trying again can help, and
//! the typed facts ([`Detail`]). The message is lower case, names the thing and what to do about it, and never holds a
//! command, its output, an environment value, a token or file contents; those are only reachable through [`Detail`]'s
//! accessors, on purpose.

mod code;
mod detail;
mod report;

pub use code::{ErrorCode, Fault};
pub use detail::{Detail, ExecFailure, FileErrorKind, GitFailure, LaunchStep, Resource};
pub use report::Report;

use crate::exec::SandboxPath;
use crate::ids::{ProviderKind, SandboxId};
use crate::post_mortem::PostMortem;
use crate::state::{Action, State};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What every fallible call of the contract returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure. Cheap to move and to clone.
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    code: ErrorCode,
    message: String,
    retryable: bool,
    infrastructure: Option<bool>,
    retry_after: Option<Duration>,
    provider: Option<ProviderKind>,
    sandbox: Option<SandboxId>,
    operation: Option<String>,
    detail: Detail,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error with the code's own answers to whether it can be retried and whose failure it is.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            code,
            message: message.into(),
            retryable: code.is_retryable(),
            infrastructure: None,
            retry_after: None,
            provider: None,
            sandbox: None,
            operation: None,
            detail: Detail::None,
            source: None,
        }))
    }

    /// What happened.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The sentence for a person. Free of commands, output, values, tokens and contents.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Whether the same call may succeed later without a change by the caller.
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// How long to wait before the next try, when the other side said so.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Whose failure it is.
    pub fn fault(&self) -> Fault {
        match self.0.infrastructure {
            Some(true) => Fault::Infrastructure,
            given => match self.0.detail.fault().unwrap_or_else(|| self.0.code.fault()) {
                Fault::Infrastructure if given == Some(false) => Fault::Caller,
                fault => fault,
            },
        }
    }

    /// Whether neither the program nor the caller nor the policy is to blame, so that a result must not be scored.
    pub fn is_infrastructure(&self) -> bool {
        self.fault() == Fault::Infrastructure
    }

    /// The provider that failed.
    pub fn provider(&self) -> Option<&ProviderKind> {
        self.0.provider.as_ref()
    }

    /// The sandbox that the call was about.
    pub fn sandbox(&self) -> Option<&SandboxId> {
        self.0.sandbox.as_ref()
    }

    /// The call that failed, such as `exec.run`.
    pub fn operation(&self) -> Option<&str> {
        self.0.operation.as_deref()
    }

    /// The typed facts.
    pub fn detail(&self) -> &Detail {
        &self.0.detail
    }

    /// How the sandbox died, when that is what happened.
    pub fn post_mortem(&self) -> Option<&PostMortem> {
        match &self.0.detail {
            Detail::PostMortem(post_mortem) => Some(post_mortem),
            _ => None,
        }
    }

    /// Names the provider, unless one is named.
    pub fn with_provider(mut self, provider: &ProviderKind) -> Self {
        self.0.provider.get_or_insert_with(|| provider.clone());
        self
    }

    /// Names the sandbox, unless one is named.
    pub fn with_sandbox(mut self, sandbox: &SandboxId) -> Self {
        self.0.sandbox.get_or_insert(*sandbox);
        self
    }

    /// Names the call, unless one is named: the innermost knows best.
    pub fn with_operation(mut self, operation: impl Into<String>) -> Self {
        self.0.operation.get_or_insert_with(|| operation.into());
        self
    }

    /// Replaces the facts.
    pub fn with_detail(mut self, detail: Detail) -> Self {
        self.0.detail = detail;
        self
    }

    /// Adds the cause. Its `Display` ends up in reports, so it must be as discreet as a message.
    pub fn with_source(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// Overrides whether trying again can help.
    pub fn retryable(mut self, retryable: bool) -> Self {
        self.0.retryable = retryable;
        self
    }

    /// Says when to try again, and that it can help.
    pub fn with_retry_after(mut self, after: Duration) -> Self {
        self.0.retry_after = Some(after);
        self.0.retryable = true;
        self
    }

    /// Overrides whether the infrastructure is to blame.
    pub fn infrastructure(mut self, infrastructure: bool) -> Self {
        self.0.infrastructure = Some(infrastructure);
        self
    }
}

/// The usual failures.
impl Error {
    /// A field of a request cannot be honoured; `reason` says why and what to do.
    pub fn invalid_spec(field: impl Into<String>, reason: impl Into<String>) -> Self {
        let (field, reason) = (field.into(), reason.into());
        let message = format!("{field} {reason}");
        Self::new(ErrorCode::InvalidSpec, message).with_detail(Detail::InvalidSpec { field, reason })
    }

    /// The provider or the sandbox does not have a capability.
    pub fn unsupported(capability: impl Into<String>) -> Self {
        let capability = capability.into();
        let message = format!("{capability} is not supported here, choose a provider whose capabilities include it");
        Self::new(ErrorCode::Unsupported, message).with_detail(Detail::Unsupported { capability })
    }

    /// There is no such thing.
    pub fn not_found(resource: Resource, id: impl fmt::Display) -> Self {
        Self::resource(ErrorCode::NotFound, resource, id, "does not exist")
    }

    /// There is such a thing already.
    pub fn already_exists(resource: Resource, id: impl fmt::Display) -> Self {
        Self::resource(ErrorCode::AlreadyExists, resource, id, "already exists")
    }

    /// The thing belongs to somebody else.
    pub fn not_owned(resource: Resource, id: impl fmt::Display) -> Self {
        Self::resource(ErrorCode::NotOwned, resource, id, "belongs to another owner")
    }

    /// The thing may be looked at but not changed through this handle.
    pub fn read_only(resource: Resource, id: impl fmt::Display, action: Action) -> Self {
        let id = id.to_string();
        let message = format!("{resource} {id} cannot be changed through this handle, {action} was refused");
        Self::new(ErrorCode::PermissionDenied, message).with_detail(Detail::ReadOnly { resource, id, action })
    }

    fn resource(code: ErrorCode, resource: Resource, id: impl fmt::Display, what: &str) -> Self {
        let id = id.to_string();
        Self::new(code, format!("{resource} {id} {what}")).with_detail(Detail::Resource { resource, id })
    }

    /// The action is not possible in this state.
    pub fn invalid_state(state: State, action: Action) -> Self {
        let way_out = match state {
            State::Stopped => ", start it first",
            State::Paused => ", resume it first",
            _ => "",
        };
        let message = format!("cannot {} a sandbox that is {state}{way_out}", in_words(action));
        Self::new(ErrorCode::InvalidState, message).with_detail(Detail::InvalidState { state, action })
    }

    /// A handle is used in a process that was forked off the one that made it: what works behind the handle is not there.
    pub fn forked() -> Self {
        let message = "this process was forked off the one that made the handle, open isobox again in it";
        Self::new(ErrorCode::InvalidState, message)
    }

    /// The operation took longer than it was allowed to.
    pub fn timeout(operation: impl Into<String>, elapsed: Duration) -> Self {
        let operation = operation.into();
        Self::new(ErrorCode::Timeout, format!("{operation} did not finish within {elapsed:?}"))
            .with_detail(Detail::Timeout { operation: operation.clone(), elapsed })
            .with_operation(operation)
    }

    /// The caller gave up.
    pub fn cancelled(operation: impl Into<String>) -> Self {
        let operation = operation.into();
        Self::new(ErrorCode::Cancelled, format!("{operation} was cancelled")).with_operation(operation)
    }

    /// A value or a buffer is larger than its limit, which is named.
    pub fn limit_exceeded(limit: impl Into<String>, max: u64) -> Self {
        let limit = limit.into();
        Self::new(ErrorCode::LimitExceeded, format!("the limit {limit} of {max} was exceeded"))
            .with_detail(Detail::Limit { limit, max: Some(max) })
    }

    /// A limit of concurrency was reached. Nothing was started.
    pub fn overloaded(limit: impl Into<String>, max: Option<u64>) -> Self {
        let limit = limit.into();
        Self::new(
            ErrorCode::Overloaded,
            format!("the limit {limit} is reached and nothing was started, try again later"),
        )
        .with_detail(Detail::Limit { limit, max })
    }

    /// The sandbox ended and the call with it.
    pub fn sandbox_gone(post_mortem: PostMortem) -> Self {
        let message = format!("the sandbox is gone: {}", post_mortem.summary());
        Self::new(ErrorCode::SandboxGone, message).with_detail(Detail::PostMortem(Box::new(post_mortem)))
    }

    /// A file operation failed; the code follows from the kind.
    pub fn file(path: impl Into<SandboxPath>, kind: FileErrorKind) -> Self {
        let path = path.into();
        Self::new(kind.code(), format!("{}: {kind}", path.escaped())).with_detail(Detail::File { path, kind })
    }

    /// The connection to an engine, an agent, a plugin or a server broke.
    pub fn transport(context: impl fmt::Display) -> Self {
        Self::new(ErrorCode::Transport, context.to_string())
    }

    /// Something of this library is wrong.
    pub fn internal(context: impl fmt::Display) -> Self {
        Self::new(ErrorCode::Internal, context.to_string())
    }

    /// A system call on this machine failed; `context` names the thing. `out_of_disk` when that is why.
    pub fn io(context: impl fmt::Display, source: std::io::Error) -> Self {
        if matches!(source.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded) {
            return Self::new(ErrorCode::OutOfDisk, format!("{context}: the disk is full, make room"))
                .with_source(source);
        }
        Self::new(ErrorCode::Io, format!("{context}: {}", source.kind())).with_source(source)
    }

    /// A backend refused; `code` is its own word.
    pub fn provider_failure(provider: &ProviderKind, code: Option<String>, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Internal, message)
            .with_provider(provider)
            .with_detail(Detail::Provider { code, json: serde_json::Value::Null })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { code, message, retryable, provider, sandbox, operation, detail, source, .. } = &*self.0;
        f.debug_struct("Error")
            .field("code", code)
            .field("message", message)
            .field("retryable", retryable)
            .field("provider", provider)
            .field("sandbox", sandbox)
            .field("operation", operation)
            .field("detail", detail)
            .field("source", &source.as_ref().map(ToString::to_string))
            .finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

/// What is done to a sandbox, as it goes into a sentence.
fn in_words(action: Action) -> &'static str {
    match action {
        Action::Attach => "attach to",
        Action::RefreshActivity => "count the use of",
        Action::SetLifetimes => "change the lifetimes of",
        Action::SetLabels => "change the labels of",
        Action::UpdateNetwork => "change the network of",
        Action::Snapshot => "take a snapshot of",
        Action::Exec => "run a command in",
        Action::Files => "use the files of",
        Action::Access => "reach",
        other => other.as_str(),
    }
}
