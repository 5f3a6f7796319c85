//! Commands: starting, following, ending.

use crate::Blob;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A command to start.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Exec {
    /// The id that the client chose, unique in the sandbox.
    pub id: String,
    /// Program and arguments, as they are. Never empty.
    pub argv: Vec<Blob>,
    /// Added to the sandbox's environment.
    pub env: Vec<(Blob, Blob)>,
    /// Where it runs; a relative path starts at the sandbox's working directory.
    pub cwd: Option<Blob>,
    /// Who it runs as: `name`, `uid`, `uid:gid` or `name:group`.
    pub user: Option<String>,
    /// Whether input can be fed; otherwise it reads `/dev/null`.
    pub stdin: bool,
    /// What becomes of its output.
    pub output: Output,
    /// Whether stderr goes where stdout goes, in the order of the writes.
    pub merge_stderr: bool,
    /// A terminal instead of three pipes.
    pub pty: Option<Size>,
    /// How long it may run.
    pub timeout: Option<Duration>,
    /// Between TERM and KILL when it is ended; `None` is KILL at once.
    pub grace: Option<Duration>,
    /// How long after the last byte the output is awaited when the command has ended but something still holds it.
    pub drain: Duration,
    /// Whether it lives on when the client goes away.
    pub detached: bool,
    /// The client's name for it.
    pub label: Option<String>,
}

impl std::fmt::Debug for Exec {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Exec").field("id", &self.id).field("output", &self.output).finish_non_exhaustive()
    }
}

/// What becomes of a command's output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// Whether every byte goes to the client as it comes. Otherwise the client gets what was kept, at the end.
    pub stream: bool,
    /// How many bytes of each stream are kept from its beginning.
    pub head: u64,
    /// How many are kept from its end.
    pub tail: u64,
    /// The directory of the sandbox in which a stream that does not fit is written whole; empty for the agent's own choice.
    pub spill: Option<Blob>,
    /// What is taken out of it first.
    pub sanitize: Sanitize,
}

/// What is taken out of output before anything else happens to it. Never applied to a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sanitize {
    /// Nothing.
    Raw,
    /// ANSI escape sequences.
    StripAnsi,
    /// Those and all control characters but line feed and tab.
    StripAll,
}

/// A terminal's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Lines.
    pub rows: u16,
    /// Characters in a line.
    pub columns: u16,
}

/// Who receives a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// The command's first process.
    Leader,
    /// Every process of the command.
    Tree,
}

/// Follows a command that somebody started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attach {
    /// The command.
    pub process: String,
    /// Where to begin.
    pub from: From,
}

/// Where a follower begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum From {
    /// With everything that is still kept.
    Start,
    /// With what comes next.
    Now,
    /// With what was not seen yet.
    Offset {
        /// Bytes of stdout already seen.
        stdout: u64,
        /// Bytes of stderr already seen.
        stderr: u64,
    },
}

/// What the agent knows of a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProcessInfo {
    /// Its id.
    pub id: String,
    /// The first process's number, in the sandbox.
    pub pid: u32,
    /// What runs.
    pub argv: Vec<Blob>,
    /// The client's name for it.
    pub label: Option<String>,
    /// Who it runs as, as the request said.
    pub user: Option<String>,
    /// Bytes written to stdout so far.
    pub stdout: u64,
    /// Bytes written to stderr so far.
    pub stderr: u64,
    /// Processor time of everything that it started so far, in microseconds; in a listing alone.
    pub cpu_micros: Option<u64>,
    /// Bytes of memory that it and all that it started have now; in a listing alone, and while something runs.
    pub memory: Option<u64>,
    /// Since when it runs, in milliseconds since 1970.
    pub started_at: u64,
    /// Whether it outlives the client that started it.
    pub detached: bool,
    /// Whether it has a terminal.
    pub pty: bool,
    /// Whether it was started with input.
    pub stdin: bool,
    /// Whether its standard error goes where its output goes.
    pub merge_stderr: bool,
    /// Time between TERM and KILL when it is stopped and nobody says otherwise.
    pub grace: Option<Duration>,
    /// How it ended, when it has.
    pub exit: Option<Exit>,
    /// Whether anything that it started still runs.
    pub alive: bool,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exit {
    /// The exit code, unless a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Why it ended.
    pub cause: Cause,
    /// Whether the kernel killed it for want of memory.
    pub oom_killed: bool,
    /// Its standard output in numbers.
    pub stdout: Stats,
    /// Its standard error in numbers.
    pub stderr: Stats,
    /// From start to exit.
    pub duration: Duration,
    /// Processor time, user and system.
    pub cpu_time: Duration,
    /// Largest resident size of one of its processes, in bytes.
    pub peak_memory: u64,
    /// Processes that could not be ended, as setuid programs on the bare host. Zero otherwise.
    pub unkillable: u32,
}

/// Why a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// By itself, or by a signal that was none of ours.
    Itself,
    /// It ran into its timeout.
    Timeout,
    /// It was asked to stop and did within its grace.
    Stopped,
    /// It was killed on request.
    Killed,
}

/// A stream in numbers; `retained + omitted = observed`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// Bytes that the command wrote.
    pub observed: u64,
    /// Bytes that were kept.
    pub retained: u64,
    /// Bytes that were not kept.
    pub omitted: u64,
    /// Offset in the kept bytes at which the omitted ones are missing.
    pub gap: u64,
    /// The file in the sandbox that holds the whole stream.
    pub spill: Option<Blob>,
}
