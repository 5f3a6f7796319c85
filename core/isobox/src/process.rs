//! A command that runs.

use crate::sandbox::Sandbox;
use bytes::Bytes;
use isobox_contract::{Capability, ExecId, ExecResult, OutputEvent, Result, Signal, SignalTarget, TerminalSize};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A command that runs, or has ended. Cheap to clone; all clones are the same, and can be used at the same time: one
/// task may read while another writes.
///
/// Dropping the last clone of a handle that [`Command::spawn`](crate::Command::spawn) gave ends the command's whole
/// tree, unless it was detached.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
/// # let sandbox = isobox.sandbox().create().await?;
/// use isobox::OutputEvent;
///
/// let process = sandbox.exec(["cat"]).stdin_stream().spawn().await?;
/// process.write("ping\n").await?;
/// assert_eq!(process.next().await?, Some(OutputEvent::Stdout("ping\n".into())));
/// process.close_stdin().await?;
/// assert!(process.wait().await?.success());
/// # sandbox.delete().await
/// # }
/// ```
#[derive(Clone)]
pub struct Process {
    sandbox: Sandbox,
    process: Arc<dyn isobox_contract::Process>,
}

impl Process {
    pub(crate) fn new(sandbox: Sandbox, process: Box<dyn isobox_contract::Process>) -> Self {
        Self { sandbox, process: process.into() }
    }

    /// Its id, for [`Sandbox::process`].
    pub fn id(&self) -> &ExecId {
        self.process.id()
    }

    /// Its process id as seen in the sandbox, when it is known.
    pub fn pid(&self) -> Option<u32> {
        self.process.pid()
    }

    /// The sandbox that it runs in.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// The next piece of output, in the order of each stream; last [`OutputEvent::Exited`], then `None` for ever.
    ///
    /// Every byte comes. A consumer that does not read slows this command down and nothing else. Cancel safe.
    pub async fn next(&self) -> Result<Option<OutputEvent>> {
        self.told("process.next", self.process.next().await)
    }

    /// Writes to its input and returns when the bytes are accepted. `invalid_state` without
    /// [`stdin_stream`](crate::Command::stdin_stream) or after the end of the input, `io` when the command has stopped
    /// reading. When the future is dropped, some or all of the bytes still arrive, in order and before whatever is
    /// written next.
    pub async fn write(&self, data: impl Into<Bytes>) -> Result<()> {
        self.told("process.write", self.process.write(data.into()).await)
    }

    /// Ends its input. Again is fine. In a terminal it sends the end-of-file character.
    pub async fn close_stdin(&self) -> Result<()> {
        self.told("process.close_stdin", self.process.close_stdin().await)
    }

    /// Sends this signal, once, to everything that came out of the command. TERM does not become KILL: see
    /// [`stop`](Self::stop). A command that has ended is fine.
    pub async fn signal(&self, signal: Signal) -> Result<()> {
        self.signal_to(signal, SignalTarget::Tree).await
    }

    /// Sends this signal to the whole tree, or to the process that was started alone.
    pub async fn signal_to(&self, signal: Signal, target: SignalTarget) -> Result<()> {
        self.require("process.signal", Capability::ExecSignals)?;
        self.told("process.signal", self.process.signal(signal, target).await)
    }

    /// Ends its tree: TERM, the grace of the command, KILL; KILL at once when it has no grace. Nothing of the tree runs
    /// when this returns; `incomplete` when that cannot be confirmed.
    pub async fn stop(&self) -> Result<()> {
        self.end(None).await
    }

    /// The same with another grace.
    pub async fn stop_within(&self, grace: Duration) -> Result<()> {
        self.end(Some(grace)).await
    }

    /// Ends its tree with KILL, at once.
    pub async fn kill(&self) -> Result<()> {
        self.end(Some(Duration::ZERO)).await
    }

    async fn end(&self, grace: Option<Duration>) -> Result<()> {
        self.require("process.stop", Capability::ExecStop)?;
        self.told("process.stop", self.process.stop(grace).await)
    }

    /// Changes the size of its terminal. `invalid_state` when it has none.
    pub async fn resize(&self, rows: u16, cols: u16) -> Result<()> {
        self.require("process.resize", Capability::ExecPtyResize)?;
        self.told("process.resize", self.process.resize(TerminalSize { rows, cols }).await)
    }

    /// Its end, with its output as far as it is captured, whether that was read with [`next`](Self::next) or not. Again
    /// gives the same. Output that nobody reads is drained, so that the command never hangs because of it. Cancel safe.
    pub async fn wait(&self) -> Result<ExecResult> {
        self.told("process.wait", self.process.wait().await)
    }

    /// Lets it go on when this handle is dropped.
    pub async fn detach(&self) -> Result<()> {
        self.require("process.detach", Capability::ExecDetached)?;
        self.told("process.detach", self.process.detach().await)
    }

    fn require(&self, operation: &str, capability: Capability) -> Result<()> {
        self.sandbox.require(operation, capability)
    }

    fn told<T>(&self, operation: &str, result: Result<T>) -> Result<T> {
        self.sandbox.told(operation, result)
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process")
            .field("id", self.id())
            .field("pid", &self.pid())
            .field("sandbox", self.sandbox.id())
            .finish_non_exhaustive()
    }
}
