//! One command and how to run it. `Debug` shows no argument, no value and no input.

use crate::ids::ExecId;
use crate::path::SandboxPath;
use crate::words::words;
use bytes::Bytes;
use std::fmt;
use std::time::Duration;

/// What to run.
#[derive(Clone, PartialEq, Eq)]
pub enum Command {
    /// A program and its arguments, run as they are. The program is looked up on the `PATH` of the command's
    /// environment.
    Argv(Vec<Vec<u8>>),
    /// A script for `sh -c`.
    Shell(Vec<u8>),
}

impl Command {
    /// The vector that is executed.
    pub fn argv(&self) -> Vec<Vec<u8>> {
        match self {
            Command::Argv(argv) => argv.clone(),
            Command::Shell(script) => vec![b"sh".to_vec(), b"-c".to_vec(), script.clone()],
        }
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Argv(argv) => write!(f, "Argv({} words)", argv.len()),
            Command::Shell(script) => write!(f, "Shell({} bytes)", script.len()),
        }
    }
}

/// Where a command's input comes from.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Stdin {
    /// `/dev/null`.
    #[default]
    None,
    /// These bytes, then the end. A command that does not read them is not an error.
    Bytes(Bytes),
    /// [`Process::write`](super::Process::write), until [`Process::close_stdin`](super::Process::close_stdin).
    Stream,
}

impl fmt::Debug for Stdin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stdin::None => f.write_str("None"),
            Stdin::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
            Stdin::Stream => f.write_str("Stream"),
        }
    }
}

/// A size in character cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct TerminalSize {
    /// Lines.
    pub rows: u16,
    /// Characters of a line.
    pub cols: u16,
}

impl Default for TerminalSize {
    fn default() -> Self {
        Self { rows: 24, cols: 80 }
    }
}

/// Where the whole output goes when it is larger than what is captured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Spill {
    /// Nowhere: what is omitted is lost, and counted.
    #[default]
    Off,
    /// Files that the agent names, in a temporary directory of the sandbox; see
    /// [`Captured::spill`](super::Captured::spill).
    Temporary,
    /// Files `<exec id>.stdout` and `<exec id>.stderr` in this directory of the sandbox.
    Directory(SandboxPath),
}

words! {
    /// What is taken out of output before it is delivered, captured and counted. Never applied to a terminal.
    pub enum Sanitize {
        /// Nothing.
        Raw = "raw",
        /// ANSI escape sequences, also when split over chunks.
        StripAnsi = "strip_ansi",
        /// ANSI escape sequences and all control characters but line feed and tab.
        StripAll = "strip_all",
    }
}

/// How much output is captured, for each stream.
///
/// It limits what [`ExecResult`](super::ExecResult) holds, never what a consumer of
/// [`Process::next`](super::Process::next) gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLimits {
    /// Bytes kept from the start.
    pub head: u64,
    /// Bytes kept from the end.
    pub tail: u64,
    /// Where the whole goes.
    pub spill: Spill,
    /// What is taken out first.
    pub sanitize: Sanitize,
}

impl OutputLimits {
    /// Bytes kept of a stream by default: 10 MiB, half from the start and half from the end.
    pub const DEFAULT_BYTES: u64 = 10 * 1024 * 1024;

    /// Keeps that many bytes of each stream, half from the start and half from the end.
    pub fn bytes(total: u64) -> Self {
        Self { head: total - total / 2, tail: total / 2, spill: Spill::Off, sanitize: Sanitize::Raw }
    }

    /// Keeps nothing, for a consumer that reads the events itself.
    pub fn none() -> Self {
        Self::bytes(0)
    }

    /// What one stream retains at most.
    pub fn total(&self) -> u64 {
        self.head.saturating_add(self.tail)
    }
}

impl Default for OutputLimits {
    fn default() -> Self {
        Self::bytes(Self::DEFAULT_BYTES)
    }
}

/// One command and how to run it.
#[derive(Clone, PartialEq, Eq)]
pub struct ExecRequest {
    /// What to run.
    pub command: Command,
    /// Added to the sandbox's environment; of two values for one name the later holds. Any name without `=` and NUL
    /// arrives, also such that no shell would accept.
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// Where to run; relative to the sandbox's working directory, which is also the default.
    pub cwd: Option<SandboxPath>,
    /// A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default.
    pub user: Option<String>,
    /// Its input.
    pub stdin: Stdin,
    /// When its tree is ended at the latest. None by default: a default belongs to the caller's library.
    pub timeout: Option<Duration>,
    /// When stopped, by timeout or by [`Process::stop`](super::Process::stop): TERM, this long, then KILL. Without it,
    /// KILL at once.
    pub grace: Option<Duration>,
    /// Run in a terminal of this size; its output is one stream, stdout.
    pub pty: Option<TerminalSize>,
    /// Send stderr where stdout goes, in the order of the writes.
    pub merge_stderr: bool,
    /// What is captured.
    pub output: OutputLimits,
    /// How long the call waits, after the leader has exited and after each byte, for descendants that hold the pipes
    /// open. They live on afterwards. [`Duration::MAX`] waits for the end of the streams.
    pub drain: Duration,
    /// Goes on when the caller is gone, until the sandbox ends.
    pub detached: bool,
    /// The caller's name for it, in listings, events and errors. Must hold no secrets.
    pub label: Option<String>,
    /// Its id, when the caller wants to know it before it runs. A second command with a live id is a `conflict`.
    pub id: Option<ExecId>,
}

impl ExecRequest {
    /// How long the pipes are drained by default.
    pub const DEFAULT_DRAIN: Duration = Duration::from_millis(200);

    /// A request with every default.
    pub fn new(command: Command) -> Self {
        Self {
            command,
            env: Vec::new(),
            cwd: None,
            user: None,
            stdin: Stdin::None,
            timeout: None,
            grace: None,
            pty: None,
            merge_stderr: false,
            output: OutputLimits::default(),
            drain: Self::DEFAULT_DRAIN,
            detached: false,
            label: None,
            id: None,
        }
    }

    /// A program and its arguments.
    pub fn argv<T: Into<Vec<u8>>>(argv: impl IntoIterator<Item = T>) -> Self {
        Self::new(Command::Argv(argv.into_iter().map(Into::into).collect()))
    }

    /// A script for `sh -c`.
    pub fn shell(script: impl Into<Vec<u8>>) -> Self {
        Self::new(Command::Shell(script.into()))
    }

    /// A script for a `bash` that reads no startup file, whatever the environment says.
    pub fn bash(script: impl Into<Vec<u8>>) -> Self {
        Self::argv([b"bash".to_vec(), b"--norc".to_vec(), b"--noprofile".to_vec(), b"-c".to_vec(), script.into()])
            .env("BASH_ENV", "")
    }

    /// Sets a variable.
    pub fn env(mut self, name: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Sets the directory.
    pub fn cwd(mut self, cwd: impl Into<SandboxPath>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Sets the user.
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.user = Some(user.into());
        self
    }

    /// Sets the input.
    pub fn stdin(mut self, stdin: Stdin) -> Self {
        self.stdin = stdin;
        self
    }

    /// Gives the bytes as input.
    pub fn input(self, bytes: impl Into<Bytes>) -> Self {
        self.stdin(Stdin::Bytes(bytes.into()))
    }

    /// Sets the timeout.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets the time between TERM and KILL.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = Some(grace);
        self
    }

    /// Runs in a terminal.
    pub fn pty(mut self, size: TerminalSize) -> Self {
        self.pty = Some(size);
        self
    }

    /// Sends stderr where stdout goes.
    pub fn merge_stderr(mut self) -> Self {
        self.merge_stderr = true;
        self
    }

    /// Sets what is captured.
    pub fn output(mut self, output: OutputLimits) -> Self {
        self.output = output;
        self
    }

    /// Sets how long the pipes are drained.
    pub fn drain(mut self, drain: Duration) -> Self {
        self.drain = drain;
        self
    }

    /// Lets it go on when the caller is gone.
    pub fn detached(mut self) -> Self {
        self.detached = true;
        self
    }

    /// Names it.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Gives it an id.
    pub fn id(mut self, id: ExecId) -> Self {
        self.id = Some(id);
        self
    }
}

impl fmt::Debug for ExecRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.env.iter().map(|(name, _)| String::from_utf8_lossy(name)).collect();
        f.debug_struct("ExecRequest")
            .field("command", &self.command)
            .field("env_names", &names)
            .field("cwd", &self.cwd)
            .field("user", &self.user)
            .field("stdin", &self.stdin)
            .field("timeout", &self.timeout)
            .field("grace", &self.grace)
            .field("pty", &self.pty)
            .field("merge_stderr", &self.merge_stderr)
            .field("output", &self.output)
            .field("drain", &self.drain)
            .field("detached", &self.detached)
            .field("label", &self.label)
            .field("id", &self.id)
            .finish()
    }
}
