//! How a command ended and what it wrote.

use crate::error::{Detail, Error, ErrorCode, ExecFailure, Result};
use crate::path::{SandboxPath, bytes_or_text};
use crate::time::{micros, optional_micros};
use crate::words::words;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

words! {
    /// What ended a command.
    pub enum Termination {
        /// It exited by itself.
        Exited = "exited",
        /// A signal ended it that this call did not send.
        Signalled = "signalled",
        /// Its timeout; also when it answered TERM by exiting.
        TimedOut = "timed_out",
        /// The caller stopped it with TERM, or went away.
        Cancelled = "cancelled",
        /// The caller killed it, or its grace ran out after a stop.
        Killed = "killed",
        /// Nobody can tell.
        Unknown = "unknown",
    }
    unknown Unknown
}

/// The end of a command, without its output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    /// The exit code; 128+n after signal n; -1 when neither is known.
    pub exit_code: i32,
    /// The signal that ended it.
    #[serde(default)]
    pub signal: Option<i32>,
    /// What ended it.
    pub termination: Termination,
    /// The memory limit killed something of its tree.
    #[serde(default)]
    pub oom_killed: bool,
    /// How long it ran.
    #[serde(rename = "duration_us", with = "micros")]
    pub duration: Duration,
    /// Processor time of the whole tree.
    #[serde(default, rename = "cpu_time_us", with = "optional_micros")]
    pub cpu_time: Option<Duration>,
    /// The most memory that the tree used, in bytes.
    #[serde(default)]
    pub peak_memory: Option<u64>,
}

impl Exit {
    /// A natural exit with this code.
    pub fn code(exit_code: i32, duration: Duration) -> Self {
        Self {
            exit_code,
            signal: None,
            termination: Termination::Exited,
            oom_killed: false,
            duration,
            cpu_time: None,
            peak_memory: None,
        }
    }

    /// An end by this signal.
    pub fn signal(signal: i32, termination: Termination, duration: Duration) -> Self {
        Self { signal: Some(signal), termination, ..Self::code(128 + signal, duration) }
    }
}

/// What a command wrote to one stream: the first and the last bytes of it. `Debug` shows counts only.
///
/// `observed = retained + omitted`, always, and `retained` is the length of `bytes`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Captured {
    /// The head, then the tail.
    #[serde(with = "bytes_or_text")]
    pub bytes: Bytes,
    /// Bytes that the command wrote, after sanitizing.
    pub observed: u64,
    /// Bytes that are here.
    pub retained: u64,
    /// Bytes that are not.
    pub omitted: u64,
    /// Where in `bytes` the omitted ones were. Only means something when there are some.
    pub omitted_at: u64,
    /// Bytes that a transport lost before they were counted. Zero unless a backend's own transport is to blame.
    #[serde(default)]
    pub lost: u64,
    /// The file in the sandbox that has everything, when spilling was asked for and happened.
    #[serde(default)]
    pub spill: Option<SandboxPath>,
}

impl Captured {
    /// A whole output.
    pub fn whole(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        let length = bytes.len() as u64;
        Self { bytes, observed: length, retained: length, omitted_at: length, ..Self::default() }
    }

    /// Whether something is missing.
    pub fn truncated(&self) -> bool {
        self.omitted > 0 || self.lost > 0
    }

    /// The output as text, with replacement characters where it is not UTF-8.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

impl fmt::Debug for Captured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Captured")
            .field("observed", &self.observed)
            .field("retained", &self.retained)
            .field("omitted", &self.omitted)
            .field("lost", &self.lost)
            .field("spill", &self.spill)
            .finish()
    }
}

/// How a command ended and what it wrote. `Debug` shows no output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecResult {
    /// The exit code; 128+n after signal n; -1 when neither is known.
    pub exit_code: i32,
    /// The signal that ended it.
    #[serde(default)]
    pub signal: Option<i32>,
    /// It ran into its timeout.
    pub timed_out: bool,
    /// The caller stopped it.
    pub cancelled: bool,
    /// The memory limit killed something of its tree.
    pub oom_killed: bool,
    /// What it wrote to stdout, or to its terminal.
    pub stdout: Captured,
    /// What it wrote to stderr.
    pub stderr: Captured,
    /// Whether the two streams were told apart. False for a terminal, for merged streams, and for backends that cannot.
    pub streams_separated: bool,
    /// How long it ran.
    #[serde(rename = "duration_us", with = "micros")]
    pub duration: Duration,
    /// Processor time of the whole tree.
    #[serde(default, rename = "cpu_time_us", with = "optional_micros")]
    pub cpu_time: Option<Duration>,
    /// The most memory that the tree used, in bytes.
    #[serde(default)]
    pub peak_memory: Option<u64>,
    /// What ended it.
    pub termination: Termination,
}

impl ExecResult {
    /// Puts an end and two outputs together.
    pub fn new(exit: Exit, stdout: Captured, stderr: Captured) -> Self {
        Self {
            exit_code: exit.exit_code,
            signal: exit.signal,
            timed_out: exit.termination == Termination::TimedOut,
            cancelled: matches!(exit.termination, Termination::Cancelled | Termination::Killed),
            oom_killed: exit.oom_killed,
            stdout,
            stderr,
            streams_separated: true,
            duration: exit.duration,
            cpu_time: exit.cpu_time,
            peak_memory: exit.peak_memory,
            termination: exit.termination,
        }
    }

    /// The end without the output.
    pub fn exit(&self) -> Exit {
        Exit {
            exit_code: self.exit_code,
            signal: self.signal,
            termination: self.termination,
            oom_killed: self.oom_killed,
            duration: self.duration,
            cpu_time: self.cpu_time,
            peak_memory: self.peak_memory,
        }
    }

    /// Whether it exited by itself, with 0.
    pub fn success(&self) -> bool {
        self.termination == Termination::Exited && self.exit_code == 0
    }

    /// The signal that ended it, also when only a shell's exit code says so: 129 to 192 after a natural exit.
    pub fn signal_or_shell_status(&self) -> Option<i32> {
        let natural = self.termination == Termination::Exited && (129..=192).contains(&self.exit_code);
        self.signal.or_else(|| natural.then(|| self.exit_code - 128))
    }

    /// The result, or `command_failed` (`out_of_memory` after a memory kill) with everything about it.
    pub fn check(self, label: Option<&str>) -> Result<Self> {
        if self.success() { Ok(self) } else { Err(self.into_error(label)) }
    }

    /// The result, or `limit_exceeded` when its output is not complete.
    pub fn require_complete(self) -> Result<Self> {
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if stream.truncated() {
                return Err(Error::limit_exceeded(format!("output.{name}"), stream.retained));
            }
        }
        Ok(self)
    }

    /// This result as a failure. The message has no word of the command or its output.
    pub fn into_error(self, label: Option<&str>) -> Error {
        let name = label.unwrap_or("the command");
        let code = if self.oom_killed { ErrorCode::OutOfMemory } else { ErrorCode::CommandFailed };
        let message = match self.termination {
            _ if self.oom_killed => format!("{name} was killed at the memory limit"),
            Termination::TimedOut => format!("{name} timed out after {:?}", self.duration),
            Termination::Cancelled | Termination::Killed => format!("{name} was stopped"),
            Termination::Exited => format!("{name} exited with {}", self.exit_code),
            Termination::Signalled => format!("{name} was ended by signal {}", self.exit_code - 128),
            Termination::Unknown => format!("{name} ended, and how is not known"),
        };
        Error::new(code, message).with_detail(Detail::Exec(Box::new(ExecFailure {
            label: label.map(str::to_owned),
            termination: self.termination,
            exit_code: (self.exit_code >= 0).then_some(self.exit_code),
            signal: self.signal,
            duration: self.duration,
            hint: None,
            stdout: self.stdout,
            stderr: self.stderr,
        })))
    }
}
