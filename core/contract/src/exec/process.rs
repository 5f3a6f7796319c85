//! A command that runs.
//!
//! ```text
//!   spawn ──▶ running ──▶ leader exited ──▶ drained ──▶ ended
//!               │  ▲            descendants may hold the pipes
//!       stop ───┤  └── write, signal, resize, next at the same time
//!               ▼
//!        TERM ─(grace)─▶ KILL the tree
//! ```
//!
//! All methods take `&self`, so that one task can read while another writes. Each output event is delivered once: two
//! tasks in `next` share them.

use super::{ExecResult, Exit, TerminalSize};
use crate::error::Result;
use crate::ids::ExecId;
use crate::time::{Timestamp, optional_micros};
use crate::words::words;
use async_trait::async_trait;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// A handle of a running or ended command.
///
/// Dropping the handle that `spawn` gave ends the tree, unless the request or [`detach`](Self::detach) said otherwise.
/// Dropping one from `attach` only disconnects.
#[async_trait]
pub trait Process: Send + Sync {
    /// Its id in the sandbox.
    fn id(&self) -> &ExecId;

    /// The leader's process id as seen in the sandbox, when it is known.
    fn pid(&self) -> Option<u32>;

    /// The next piece of output, in the order of each stream; last [`OutputEvent::Exited`], then `None` for ever.
    ///
    /// Every byte comes, with backpressure: a consumer that does not read slows this command down and nothing else.
    /// Cancel safe: dropping the future loses nothing.
    async fn next(&self) -> Result<Option<OutputEvent>>;

    /// Writes to its input and returns when the bytes are accepted. `invalid_state` without a stream or after its end;
    /// a command that has stopped reading is `io`, and its result is still to be had.
    async fn write(&self, data: Bytes) -> Result<()>;

    /// Ends its input. Again is fine. On a terminal it sends the end-of-file character.
    async fn close_stdin(&self) -> Result<()>;

    /// Sends exactly this signal, once. TERM does not escalate. An ended command is fine.
    async fn signal(&self, signal: Signal, target: SignalTarget) -> Result<()>;

    /// Changes the terminal's size. `invalid_state` without a terminal.
    async fn resize(&self, size: TerminalSize) -> Result<()>;

    /// Ends the tree: TERM, the grace, KILL. `None` takes the request's grace; zero, or none anywhere, is KILL at once.
    /// A second call can only shorten the grace. Returns when nothing of the tree runs any more; `incomplete` when that
    /// cannot be confirmed.
    async fn stop(&self, grace: Option<Duration>) -> Result<()>;

    /// Its end, with the output captured so far, whether read by `next` or not. Again gives the same.
    ///
    /// Drains the output that nobody reads, so that a command never hangs on a full pipe because it is waited for.
    /// Cancel safe. `sandbox_gone` when the sandbox ended first.
    async fn wait(&self) -> Result<ExecResult>;

    /// Lets the command go on when this handle is dropped.
    async fn detach(&self) -> Result<()>;
}

words! {
    /// One of the two outputs.
    pub enum Stream {
        /// Standard output, or the terminal.
        Stdout = "stdout",
        /// Standard error.
        Stderr = "stderr",
    }
}

/// What comes out of a command. `Debug` shows no output.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputEvent {
    /// Bytes of stdout or the terminal; never empty.
    Stdout(Bytes),
    /// Bytes of stderr; never empty.
    Stderr(Bytes),
    /// Bytes that are not kept any more, or that a transport lost. Only in a replay or with such a transport.
    Gap {
        /// The stream they belonged to.
        stream: Stream,
        /// How many.
        bytes: u64,
    },
    /// The command has ended and all its output has come.
    Exited(Exit),
}

impl fmt::Debug for OutputEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutputEvent::Stdout(bytes) => write!(f, "Stdout({} bytes)", bytes.len()),
            OutputEvent::Stderr(bytes) => write!(f, "Stderr({} bytes)", bytes.len()),
            OutputEvent::Gap { stream, bytes } => write!(f, "Gap({bytes} bytes of {stream})"),
            OutputEvent::Exited(exit) => f.debug_tuple("Exited").field(exit).finish(),
        }
    }
}

/// Where to start with a command that runs already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replay {
    /// With the oldest output that is kept.
    #[default]
    All,
    /// Behind that many bytes of each stream, to go on where an earlier connection ended.
    From {
        /// Bytes of stdout already seen.
        stdout: u64,
        /// Bytes of stderr already seen.
        stderr: u64,
    },
    /// With what comes from now on.
    New,
}

/// Whom a signal goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SignalTarget {
    /// The process that was started.
    Leader,
    /// Everything that came out of it.
    #[default]
    Tree,
}

/// A signal's number on Linux.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Signal(i32);

macro_rules! signals {
    ($($name:ident = $number:literal),+ $(,)?) => {
        impl Signal {
            $(#[doc = concat!("`SIG", stringify!($name), "`.")] pub const $name: Signal = Signal($number);)+

            /// The name without `SIG`, where there is one.
            pub const fn name(self) -> Option<&'static str> {
                match self.0 { $($number => Some(stringify!($name)),)+ _ => None }
            }

            /// The signal with this name, with or without `SIG`, or this number.
            pub fn parse(text: &str) -> Option<Signal> {
                let upper = text.to_ascii_uppercase();
                match upper.strip_prefix("SIG").unwrap_or(&upper) {
                    $(stringify!($name) => Some(Signal($number)),)+
                    number => number.parse().ok().and_then(Signal::new),
                }
            }
        }
    };
}

// The numbers of x86-64 and aarch64 are the same (signal(7)).
signals! {
    HUP = 1, INT = 2, QUIT = 3, ILL = 4, TRAP = 5, ABRT = 6, BUS = 7, FPE = 8, KILL = 9, USR1 = 10, SEGV = 11,
    USR2 = 12, PIPE = 13, ALRM = 14, TERM = 15, STKFLT = 16, CHLD = 17, CONT = 18, STOP = 19, TSTP = 20, TTIN = 21,
    TTOU = 22, URG = 23, XCPU = 24, XFSZ = 25, VTALRM = 26, PROF = 27, WINCH = 28, IO = 29, PWR = 30, SYS = 31,
}

impl Signal {
    /// The signal with this number, 1 to 64.
    pub const fn new(number: i32) -> Option<Signal> {
        if matches!(number, 1..=64) { Some(Signal(number)) } else { None }
    }

    /// Its number.
    pub const fn number(self) -> i32 {
        self.0
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "SIG{name}"),
            None => write!(f, "{}", self.0),
        }
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Whether a command still runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ProcessState {
    /// It runs.
    Running,
    /// It has ended.
    Exited(Exit),
}

/// One row of a listing. `Debug` shows no arguments.
#[derive(Clone, Serialize, Deserialize)]
pub struct ProcessInfo {
    /// Its id.
    pub id: ExecId,
    /// The leader's process id as seen in the sandbox.
    pub pid: Option<u32>,
    /// What runs, for the owner's eyes; it may hold secrets.
    #[serde(default)]
    pub argv: Vec<Argument>,
    /// The caller's name for it.
    pub label: Option<String>,
    /// The user it runs as.
    pub user: Option<String>,
    /// Whether it has a terminal.
    pub pty: bool,
    /// Whether it goes on without its caller.
    pub detached: bool,
    /// When it started.
    pub started_at: Timestamp,
    /// Bytes written to stdout so far.
    pub stdout_bytes: u64,
    /// Bytes written to stderr so far.
    pub stderr_bytes: u64,
    /// Processor time of the command and all that it started, in user and kernel mode, by the account of each process; to a
    /// hundredth of a second or so. Absent where it is not counted.
    #[serde(default, rename = "used_cpu_time_us", with = "optional_micros")]
    pub cpu_time: Option<Duration>,
    /// Bytes of memory that the command and all that it started have now: the sum of what each has resident, so what they
    /// share counts for each. Absent once nothing runs, and where it is not counted.
    #[serde(default)]
    pub memory: Option<u64>,
    /// Whether it still runs.
    #[serde(flatten)]
    pub state: ProcessState,
}

/// One argument, as bytes.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Argument(#[serde(with = "crate::path::bytes_or_text")] pub Bytes);

impl fmt::Debug for ProcessInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessInfo")
            .field("id", &self.id)
            .field("pid", &self.pid)
            .field("words", &self.argv.len())
            .field("label", &self.label)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
