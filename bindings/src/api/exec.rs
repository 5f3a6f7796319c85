//! Running commands: what is asked for and what comes of it.

use crate::cross::{Cross, record, words};
use crate::{Argument, Path, Text};
use bytes::Bytes;
use isobox::{Command, OutputLimits, Spill};
use std::collections::BTreeMap;
use std::time::Duration;

/// What is taken out of output before it is delivered, captured and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanitize {
    /// Nothing.
    Raw,
    /// ANSI escape sequences.
    StripAnsi,
    /// ANSI escape sequences and all control characters but line feed and tab.
    StripAll,
}

words!(Sanitize, isobox::Sanitize { Raw, StripAnsi, StripAll } else Raw);

/// What ended a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// It exited by itself.
    Exited,
    /// A signal ended it that this call did not send.
    Signalled,
    /// Its timeout.
    TimedOut,
    /// The caller stopped it, or went away.
    Cancelled,
    /// The caller killed it, or its grace ran out after a stop.
    Killed,
    /// Nobody can tell.
    Unknown,
}

words!(Termination, isobox::Termination { Exited, Signalled, TimedOut, Cancelled, Killed, Unknown } else Unknown);

/// How to run a command to its end.
#[derive(Clone, Debug, Default)]
pub struct ExecOptions {
    /// Variables beside those of the sandbox; of two values for one name this one holds.
    pub env: BTreeMap<String, Argument>,
    /// Where to run, relative to the sandbox's working directory, which is also the default.
    pub cwd: Option<Path>,
    /// A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default.
    pub user: Option<String>,
    /// Its input; `/dev/null` by default.
    pub input: Option<Argument>,
    /// When its whole process tree is ended at the latest; never by default. The result then says that it timed out.
    pub timeout: Option<Duration>,
    /// When it is stopped: TERM, this long, then KILL. KILL at once by default.
    pub grace: Option<Duration>,
    /// Fail with `command_failed` when it does not exit with 0.
    pub check: bool,
    /// Send stderr where stdout goes, in the order of the writes.
    pub merge_stderr: bool,
    /// Bytes of each stream that are kept at most, half from the start and half from the end; 10 MiB by default.
    pub max_output: Option<u64>,
    /// Write everything to a file in the sandbox when more comes than is kept; the result names it.
    pub spill: bool,
    /// What is taken out of the output; nothing by default.
    pub sanitize: Option<Sanitize>,
    /// How long the call waits, after the command has exited and after each byte, for descendants that hold its output open; 0.2 seconds
    /// by default.
    pub drain: Option<Duration>,
    /// The caller's name for it, in listings, events and errors. Must hold no secrets.
    pub label: Option<String>,
}

/// How to start a command and go on.
#[derive(Clone, Debug, Default)]
pub struct SpawnOptions {
    /// Variables beside those of the sandbox; of two values for one name this one holds.
    pub env: BTreeMap<String, Argument>,
    /// Where to run, relative to the sandbox's working directory, which is also the default.
    pub cwd: Option<Path>,
    /// A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default.
    pub user: Option<String>,
    /// Its whole input; `/dev/null` by default.
    pub input: Option<Argument>,
    /// Keep its input open, for writing to it while it runs.
    pub stdin: bool,
    /// When its whole process tree is ended at the latest; never by default.
    pub timeout: Option<Duration>,
    /// When it is stopped: TERM, this long, then KILL. KILL at once by default.
    pub grace: Option<Duration>,
    /// Run it in a terminal; its output is one stream, stdout.
    pub pty: bool,
    /// Lines of the terminal; 24 by default.
    pub rows: Option<u16>,
    /// Characters of a line of the terminal; 80 by default.
    pub cols: Option<u16>,
    /// Send stderr where stdout goes, in the order of the writes.
    pub merge_stderr: bool,
    /// Bytes of each stream that the result keeps at most; 10 MiB by default. What is read as it comes is whole in any case.
    pub max_output: Option<u64>,
    /// Write everything to a file in the sandbox when more comes than is kept; the result names it.
    pub spill: bool,
    /// What is taken out of the output; nothing by default.
    pub sanitize: Option<Sanitize>,
    /// How long its end waits for descendants that hold its output open; 0.2 seconds by default.
    pub drain: Option<Duration>,
    /// Let it go on when this process is gone, until the sandbox ends.
    pub detached: bool,
    /// The caller's name for it, in listings, events and errors. Must hold no secrets.
    pub label: Option<String>,
}

/// What both kinds of options say.
struct Common {
    env: BTreeMap<String, Argument>,
    cwd: Option<Path>,
    user: Option<String>,
    input: Option<Argument>,
    timeout: Option<Duration>,
    grace: Option<Duration>,
    merge_stderr: bool,
    max_output: Option<u64>,
    spill: bool,
    sanitize: Option<Sanitize>,
    drain: Option<Duration>,
    label: Option<String>,
}

macro_rules! common {
    ($options:ident) => {
        Common {
            env: $options.env,
            cwd: $options.cwd,
            user: $options.user,
            input: $options.input,
            timeout: $options.timeout,
            grace: $options.grace,
            merge_stderr: $options.merge_stderr,
            max_output: $options.max_output,
            spill: $options.spill,
            sanitize: $options.sanitize,
            drain: $options.drain,
            label: $options.label,
        }
    };
}

impl ExecOptions {
    pub(super) fn apply(self, command: Command) -> Command {
        let options = self;
        common!(options).apply(command)
    }
}

impl SpawnOptions {
    pub(super) fn apply(self, command: Command) -> Command {
        let options = self;
        let terminal = options.pty.then(|| (options.rows.unwrap_or(24), options.cols.unwrap_or(80)));
        let (stdin, detached) = (options.stdin, options.detached);
        let command = common!(options).apply(command);
        let command = with(command, terminal, |command, (rows, cols)| command.pty(rows, cols));
        let command = if stdin { command.stdin_stream() } else { command };
        if detached { command.detached() } else { command }
    }
}

impl Common {
    fn apply(self, command: Command) -> Command {
        let output = self.output();
        let mut command = command.envs(self.env.into_iter().map(|(name, value)| (name, value.0))).output(output);
        command = with(command, self.cwd, |command, cwd| command.cwd(cwd.0));
        command = with(command, self.user, Command::user);
        command = with(command, self.input, |command, input| command.input(input.0));
        command = with(command, self.timeout, Command::timeout);
        command = with(command, self.grace, Command::grace);
        command = with(command, self.drain, Command::drain);
        command = with(command, self.label, Command::label);
        if self.merge_stderr { command.merge_stderr() } else { command }
    }

    fn output(&self) -> OutputLimits {
        OutputLimits {
            spill: if self.spill { Spill::Temporary } else { Spill::Off },
            sanitize: self.sanitize.map(Cross::cross).unwrap_or(isobox::Sanitize::Raw),
            ..OutputLimits::bytes(self.max_output.unwrap_or(OutputLimits::DEFAULT_BYTES))
        }
    }
}

/// The command with what is given, or as it is.
fn with<T>(command: Command, given: Option<T>, change: impl FnOnce(Command, T) -> Command) -> Command {
    match given {
        Some(given) => change(command, given),
        None => command,
    }
}

/// How a command ended and what it wrote. A command that fails, is killed or runs into its timeout has a result like any other.
#[derive(Clone, Debug)]
pub struct ExecResult {
    /// The exit code; 128 and the number of the signal after a signal; -1 when neither is known.
    pub exit_code: i32,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Whether it exited by itself, with 0.
    pub ok: bool,
    /// Whether it ran into its timeout.
    pub timed_out: bool,
    /// Whether the caller stopped it.
    pub cancelled: bool,
    /// Whether the memory limit killed something of it.
    pub oom_killed: bool,
    /// What ended it.
    pub termination: Termination,
    /// What it wrote to stdout, or to its terminal.
    pub stdout: Text,
    /// What it wrote to stderr.
    pub stderr: Text,
    /// Whether some of its output is not here.
    pub truncated: bool,
    /// What of its stdout is here.
    pub stdout_info: OutputStream,
    /// What of its stderr is here.
    pub stderr_info: OutputStream,
    /// How long it ran.
    pub duration: Duration,
    /// Processor time of its whole process tree.
    pub cpu_time: Option<Duration>,
    /// The most memory that its process tree used, in bytes.
    pub peak_memory: Option<u64>,
}

impl Cross<ExecResult> for isobox::ExecResult {
    fn cross(self) -> ExecResult {
        ExecResult {
            exit_code: self.exit_code,
            signal: self.signal,
            ok: self.success(),
            timed_out: self.timed_out,
            cancelled: self.cancelled,
            oom_killed: self.oom_killed,
            termination: self.termination.cross(),
            truncated: self.stdout.truncated() || self.stderr.truncated(),
            stdout_info: OutputStream::of(&self.stdout),
            stderr_info: OutputStream::of(&self.stderr),
            stdout: self.stdout.bytes.cross(),
            stderr: self.stderr.bytes.cross(),
            duration: self.duration,
            cpu_time: self.cpu_time,
            peak_memory: self.peak_memory,
        }
    }
}

/// What of an output was kept: `observed` is always `retained` and `omitted` together.
#[derive(Clone, Debug)]
pub struct OutputStream {
    /// Bytes that the command wrote.
    pub observed: u64,
    /// Bytes that are here.
    pub retained: u64,
    /// Bytes that are not.
    pub omitted: u64,
    /// Where in what is here the omitted ones were.
    pub omitted_at: u64,
    /// Bytes that a backend's transport lost before they were counted.
    pub lost: u64,
    /// The file in the sandbox that has everything.
    pub spill: Option<Path>,
}

impl OutputStream {
    pub(super) fn of(captured: &isobox::Captured) -> Self {
        Self {
            observed: captured.observed,
            retained: captured.retained,
            omitted: captured.omitted,
            omitted_at: captured.omitted_at,
            lost: captured.lost,
            spill: captured.spill.clone().cross(),
        }
    }
}

/// The end of a command, without its output.
#[derive(Clone, Debug)]
pub struct Exit {
    /// The exit code; 128 and the number of the signal after a signal; -1 when neither is known.
    pub exit_code: i32,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What ended it.
    pub termination: Termination,
    /// Whether the memory limit killed something of it.
    pub oom_killed: bool,
    /// How long it ran.
    pub duration: Duration,
    /// Processor time of its whole process tree.
    pub cpu_time: Option<Duration>,
    /// The most memory that its process tree used, in bytes.
    pub peak_memory: Option<u64>,
}

record!(Exit from isobox::Exit { exit_code, signal, termination, oom_killed, duration, cpu_time, peak_memory });

/// What comes out of a command while it runs.
#[derive(Clone, Debug)]
pub enum OutputEvent {
    /// Bytes of stdout or the terminal.
    Stdout {
        /// At least one.
        data: Bytes,
    },
    /// Bytes of stderr.
    Stderr {
        /// At least one.
        data: Bytes,
    },
    /// Bytes that are not kept any more, or that a transport lost.
    Gap {
        /// How many.
        bytes: u64,
        /// Whether they were of stderr.
        of_stderr: bool,
    },
    /// The command has ended and all its output has come.
    Exited {
        /// How.
        exit: Exit,
    },
}

impl Cross<Option<OutputEvent>> for isobox::OutputEvent {
    /// None for what is not known here.
    fn cross(self) -> Option<OutputEvent> {
        Some(match self {
            isobox::OutputEvent::Stdout(data) => OutputEvent::Stdout { data },
            isobox::OutputEvent::Stderr(data) => OutputEvent::Stderr { data },
            isobox::OutputEvent::Gap { stream, bytes } => {
                OutputEvent::Gap { bytes, of_stderr: stream == isobox::Stream::Stderr }
            }
            isobox::OutputEvent::Exited(exit) => OutputEvent::Exited { exit: exit.cross() },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::Words;

    #[test]
    fn every_word_has_its_variant() {
        for lost in [Sanitize::lost(), Termination::lost()] {
            assert!(lost.is_empty(), "{lost:?}");
        }
    }
}
