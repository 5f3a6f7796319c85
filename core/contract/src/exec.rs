//! Running commands: what is asked for.
//!
//! A command is an argument vector and is run as it is; a shell is asked for by name ([`Command::Shell`]). Environment,
//! user and directory are set by the call itself, never by a wrapper that is looked up in the image. Everything is
//! bytes.
//!
//! What a provider promises: output is drained from both streams at once, always; the call returns when the leader has
//! exited and the drain is over; timeout, cancellation and deletion end the whole tree, also what called `setsid`,
//! forked twice or cleared its environment, and nothing of it runs once the call has returned.

mod process;
mod request;
mod result;
mod validate;

pub use crate::path::SandboxPath;
pub use process::{Argument, OutputEvent, Process, ProcessInfo, ProcessState, Replay, Signal, SignalTarget, Stream};
pub use request::{Command, ExecRequest, OutputLimits, Sanitize, Spill, Stdin, TerminalSize};
pub use result::{Captured, ExecResult, Exit, Termination};
pub(crate) use validate::{validate_user, validate_variable};

use crate::error::Result;
use crate::ids::ExecId;
use async_trait::async_trait;

/// Runs commands in one sandbox. Calls may run at the same time and do not wait for each other.
#[async_trait]
pub trait Exec: Send + Sync {
    /// Runs a command to its end and captures its output within the limits.
    ///
    /// A command that fails, is killed or runs into its timeout is a result, not an error. An error means that it did
    /// not start, or that its end is not known. Dropping the future ends the tree; to cancel and keep the output, use
    /// [`spawn`](Self::spawn), [`Process::stop`] and [`Process::wait`].
    ///
    /// [`Stdin::Stream`] is refused here as `invalid_spec`: nobody could write to it.
    async fn run(&self, request: ExecRequest) -> Result<ExecResult>;

    /// Starts a command and returns as soon as it runs.
    ///
    /// Without a timeout in the request there is none. Unless the request is detached, dropping the process ends its
    /// tree.
    async fn spawn(&self, request: ExecRequest) -> Result<Box<dyn Process>>;

    /// Every command that runs, and those that ended recently.
    async fn processes(&self) -> Result<Vec<ProcessInfo>>;

    /// Connects to a command that was started elsewhere, also by another process of the operating system.
    ///
    /// First what `from` asks for is replayed, as far as it is still kept, with a gap where it is not; then it is
    /// followed. Dropping such a process leaves the command alone. Unknown ids are `not_found`.
    async fn attach(&self, id: &ExecId, from: Replay) -> Result<Box<dyn Process>>;
}
