//! A command that runs.

use super::exec::{ExecResult, Exit, OutputEvent};
use super::{Error, Result};
use crate::cross::Cross;
use crate::held::Held;
use crate::stream::{Source, Stream};
use crate::{Argument, Text};
use isobox::{ProcessState, Replay, Signal};
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

/// Whom a signal goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalTarget {
    /// Everything that came out of the command.
    Tree,
    /// The process that was started.
    Leader,
}

impl Cross<isobox::SignalTarget> for SignalTarget {
    fn cross(self) -> isobox::SignalTarget {
        match self {
            SignalTarget::Tree => isobox::SignalTarget::Tree,
            SignalTarget::Leader => isobox::SignalTarget::Leader,
        }
    }
}

/// Where to start with a command that runs already.
#[derive(Clone, Debug, Default)]
pub struct AttachOptions {
    /// Only what comes from now on; by default first all that is kept.
    pub only_new: bool,
    /// Bytes of stdout that were seen already, to go on behind them.
    pub after_stdout: Option<u64>,
    /// Bytes of stderr that were seen already, to go on behind them.
    pub after_stderr: Option<u64>,
}

impl AttachOptions {
    pub(super) fn replay(&self) -> Replay {
        match (self.only_new, self.after_stdout, self.after_stderr) {
            (true, _, _) => Replay::New,
            (false, None, None) => Replay::All,
            (false, stdout, stderr) => {
                Replay::From { stdout: stdout.unwrap_or_default(), stderr: stderr.unwrap_or_default() }
            }
        }
    }
}

/// A command of a sandbox, as a list of them shows it.
#[derive(Clone, Debug)]
pub struct ProcessInfo {
    /// Its id.
    pub id: String,
    /// Its process id as seen in the sandbox.
    pub pid: Option<u32>,
    /// What runs; it may hold secrets.
    pub argv: Vec<Text>,
    /// The caller's name for it.
    pub label: Option<String>,
    /// The user it runs as.
    pub user: Option<String>,
    /// Whether it has a terminal.
    pub pty: bool,
    /// Whether it goes on without its caller.
    pub detached: bool,
    /// When it started.
    pub started_at: SystemTime,
    /// Bytes written to stdout so far.
    pub stdout_bytes: u64,
    /// Bytes written to stderr so far.
    pub stderr_bytes: u64,
    /// Processor time so far, where it is counted.
    pub cpu_time: Option<Duration>,
    /// Bytes of memory now, where they are counted.
    pub memory: Option<u64>,
    /// How it ended; none while it runs.
    pub exit: Option<Exit>,
}

impl Cross<ProcessInfo> for isobox::ProcessInfo {
    fn cross(self) -> ProcessInfo {
        ProcessInfo {
            id: self.id.cross(),
            pid: self.pid,
            argv: self.argv.into_iter().map(|argument| Text(argument.0)).collect(),
            label: self.label,
            user: self.user,
            pty: self.pty,
            detached: self.detached,
            started_at: self.started_at.cross(),
            stdout_bytes: self.stdout_bytes,
            stderr_bytes: self.stderr_bytes,
            cpu_time: self.cpu_time,
            memory: self.memory,
            exit: match self.state {
                ProcessState::Running => None,
                ProcessState::Exited(exit) => Some(exit.cross()),
            },
        }
    }
}

/// A command that was started. One that was spawned ends with its handle, unless it is detached; one that was found goes on.
#[derive(Clone)]
pub struct Process {
    process: Held<isobox::Process>,
}

impl Process {
    pub(super) fn new(process: isobox::Process) -> Self {
        Self { process: Held::new(process) }
    }

    /// Its id in the sandbox.
    pub fn id(&self) -> String {
        self.process.id().to_string()
    }

    /// Its process id as seen in the sandbox, when it is known.
    pub fn pid(&self) -> Option<u32> {
        self.process.pid()
    }

    /// What comes out of it, last its end. Every byte comes; who does not ask slows down the command and nothing else. Several readers
    /// share what comes. Closing the stream leaves the command alone.
    pub fn events(&self) -> Stream<OutputEvent> {
        Stream::new(Output(self.process.clone()))
    }

    /// Writes to its input and returns when the bytes are accepted. The command must have been started with an open input.
    pub async fn write(&self, data: Argument) -> Result<()> {
        Ok(self.process.get()?.write(data.0).await?)
    }

    /// Ends its input. Again is fine.
    pub async fn close_stdin(&self) -> Result<()> {
        Ok(self.process.get()?.close_stdin().await?)
    }

    /// Sends a signal once, by its name such as `INT` or `SIGINT`, or its number. TERM does not escalate. A command that has ended is
    /// fine.
    pub async fn signal(&self, name: String, target: Option<SignalTarget>) -> Result<()> {
        let reason = "is no signal, give a name such as INT or a number from 1 to 64";
        let signal = Signal::parse(&name).ok_or_else(|| Error::from(isobox::Error::invalid_spec("signal", reason)))?;
        let target = target.unwrap_or(SignalTarget::Tree);
        Ok(self.process.get()?.signal_to(signal, target.cross()).await?)
    }

    /// Ends its whole process tree: TERM, the grace, KILL. Without a grace that of its start counts.
    pub async fn stop(&self, grace: Option<Duration>) -> Result<()> {
        let process = self.process.get()?;
        match grace {
            Some(grace) => process.stop_within(grace).await?,
            None => process.stop().await?,
        }
        Ok(())
    }

    /// Kills its whole process tree.
    pub async fn kill(&self) -> Result<()> {
        Ok(self.process.get()?.kill().await?)
    }

    /// Changes the size of its terminal.
    pub async fn resize(&self, rows: u16, cols: u16) -> Result<()> {
        Ok(self.process.get()?.resize(rows, cols).await?)
    }

    /// Its end, with what was kept of its output, whether that was read or not. Again gives the same.
    pub async fn wait(&self) -> Result<ExecResult> {
        Ok(self.process.get()?.wait().await?.cross())
    }

    /// Lets it go on without this handle, until the sandbox ends.
    pub async fn detach(&self) -> Result<()> {
        Ok(self.process.get()?.detach().await?)
    }
}

struct Output(Held<isobox::Process>);

impl Source<OutputEvent> for Output {
    fn next(&mut self) -> Pin<Box<dyn Future<Output = Result<Option<OutputEvent>>> + Send + '_>> {
        Box::pin(async {
            while let Some(event) = self.0.get()?.next().await? {
                if let Some(event) = event.cross() {
                    return Ok(Some(event));
                }
            }
            Ok(None)
        })
    }
}
