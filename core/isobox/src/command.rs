//! A command that has not been run yet.

use crate::process::Process;
use crate::sandbox::Sandbox;
use bytes::Bytes;
use isobox_contract::{
    Capability, ExecId, ExecRequest, ExecResult, OutputLimits, Result, SandboxPath, Stdin, TerminalSize,
};
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::time::Duration;

/// A command that has not been run yet: say more about it, then await it, or [`spawn`](Self::spawn) it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
/// # let sandbox = isobox.sandbox().create().await?;
/// use std::time::Duration;
///
/// let result = sandbox
///     .shell("cat; echo $WHO; pwd; sleep 1000")
///     .input("hello ")
///     .env("WHO", "you")
///     .cwd("/")
///     .timeout(Duration::from_millis(200))
///     .await?;
/// assert_eq!(result.stdout.text(), "hello you\n/\n");
/// assert!(result.timed_out && !result.success());
/// # sandbox.delete().await
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing runs before the command is awaited or spawned"]
pub struct Command {
    sandbox: Sandbox,
    request: ExecRequest,
}

impl Command {
    pub(crate) fn new(sandbox: Sandbox, request: ExecRequest) -> Self {
        Self { sandbox, request }
    }

    fn with(mut self, change: impl FnOnce(ExecRequest) -> ExecRequest) -> Self {
        self.request = change(self.request);
        self
    }

    /// Gives bytes as its input. Without this and [`stdin_stream`](Self::stdin_stream), the input is `/dev/null`.
    pub fn input(self, bytes: impl Into<Bytes>) -> Self {
        self.with(|request| request.input(bytes))
    }

    /// Lets its input be written while it runs, with [`Process::write`] and [`Process::close_stdin`]. Only for
    /// [`spawn`](Self::spawn).
    pub fn stdin_stream(self) -> Self {
        self.with(|request| request.stdin(Stdin::Stream))
    }

    /// Sets a variable.
    pub fn env(self, name: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        self.with(|request| request.env(name, value))
    }

    /// Sets variables.
    pub fn envs<N: Into<Vec<u8>>, V: Into<Vec<u8>>>(self, variables: impl IntoIterator<Item = (N, V)>) -> Self {
        variables.into_iter().fold(self, |command, (name, value)| command.env(name, value))
    }

    /// Sets where it runs; relative to the sandbox's working directory, which is also the default.
    pub fn cwd(self, directory: impl Into<SandboxPath>) -> Self {
        self.with(|request| request.cwd(directory))
    }

    /// Sets as whom it runs: a name, `uid`, `uid:gid` or `name:group`.
    pub fn user(self, user: impl Into<String>) -> Self {
        self.with(|request| request.user(user))
    }

    /// Sets when its whole tree is ended at the latest. There is no timeout by default.
    pub fn timeout(self, timeout: Duration) -> Self {
        self.with(|request| request.timeout(timeout))
    }

    /// Sets the time between TERM and KILL when it is stopped or times out; without it, it is killed at once.
    pub fn grace(self, grace: Duration) -> Self {
        self.with(|request| request.grace(grace))
    }

    /// Runs it in a terminal of this size, 24 by 80 being the usual one.
    pub fn pty(self, rows: u16, cols: u16) -> Self {
        self.with(|request| request.pty(TerminalSize { rows, cols }))
    }

    /// Sends stderr where stdout goes, in the order of the writes.
    pub fn merge_stderr(self) -> Self {
        self.with(ExecRequest::merge_stderr)
    }

    /// Sets how much of its output the result has; 10 MiB of each stream by default.
    pub fn output(self, limits: OutputLimits) -> Self {
        self.with(|request| request.output(limits))
    }

    /// Sets how long to wait, once it has exited, for others that hold its output open; 200 ms after the last byte by
    /// default.
    pub fn drain(self, drain: Duration) -> Self {
        self.with(|request| request.drain(drain))
    }

    /// Lets it go on when its handle is dropped or this process ends, until the sandbox ends.
    pub fn detached(self) -> Self {
        self.with(ExecRequest::detached)
    }

    /// Names it in listings and errors. Must hold no secrets.
    pub fn label(self, label: impl Into<String>) -> Self {
        self.with(|request| request.label(label))
    }

    /// Gives it an id beforehand. A second command with the id of one that runs is a `conflict`.
    pub fn id(self, id: ExecId) -> Self {
        self.with(|request| request.id(id))
    }

    /// Runs it to its end; the same as awaiting it.
    ///
    /// A command that fails, is killed or times out is a result. An error means that it did not start, or that its end
    /// is not known. Dropping the future ends the command's whole tree.
    pub async fn run(self) -> Result<ExecResult> {
        self.check("exec.run")?;
        self.sandbox.begin("exec.run", self.sandbox.raw().exec().run(self.request)).await
    }

    /// Starts it and returns as soon as it runs.
    pub async fn spawn(self) -> Result<Process> {
        self.sandbox.require("exec.spawn", Capability::ExecSpawn)?;
        self.check("exec.spawn")?;
        let process = self.sandbox.begin("exec.spawn", self.sandbox.raw().exec().spawn(self.request)).await?;
        Ok(Process::new(self.sandbox, process))
    }

    fn check(&self, operation: &str) -> Result<()> {
        let valid = self.request.validate();
        let checked = valid.and_then(|()| self.request.validate_against(self.sandbox.capabilities()));
        self.sandbox.told(operation, checked)
    }
}

impl IntoFuture for Command {
    type Output = Result<ExecResult>;
    type IntoFuture = Pin<Box<dyn Future<Output = Result<ExecResult>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}
