//! What was asked of a double, in order, to be looked at afterwards.

use crate::call::{Call, line};
use crate::faults::Operation;
use crate::place::Place;
use crate::script::words_line;
use crate::sync::locked;
use bytes::Bytes;
use isobox_contract::{Error, ErrorCode, Exit, Result, SandboxId, Signal, Stdin};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What was asked of a provider, in order. Cheap to clone; all clones are the same.
///
/// An assertion that fails prints everything that was asked. It shows commands and paths, which `Debug` does not, and the
/// values of secrets nowhere.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// use isobox_testing::{Operation, Reply, Script, TestProvider};
/// use std::sync::Arc;
///
/// let provider = TestProvider::builder().script(Script::new().otherwise(Reply::ok())).build();
/// let isobox = isobox::Isobox::builder()
///     .home(home.path())
///     .with_provider(Arc::new(provider.clone()))
///     .default_provider("testing")
///     .open()
///     .await?;
/// let sandbox = isobox.sandbox().create().await?;
/// sandbox.exec(["make", "test"]).input("yes\n").await?;
/// sandbox.files().write("report.txt", "fine").await?;
/// sandbox.delete().await?;
///
/// let recording = provider.recording();
/// recording.assert_ran(["make", "test"]);
/// recording.assert_count(Operation::Write, 1);
/// assert_eq!(recording.commands()[0].stdin, "yes\n");
/// provider.assert_nothing_left().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Recording {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    entries: Vec<Entry>,
    commands: u64,
    secrets: Vec<String>,
}

#[derive(Clone)]
struct Entry {
    done: Done,
    command: Option<RecordedCommand>,
}

/// One operation that was asked for. `Debug` shows no command and no path.
#[derive(Clone)]
pub struct Done {
    /// What.
    pub operation: Operation,
    /// Of which sandbox; none while it is being made.
    pub sandbox: Option<SandboxId>,
    /// What it is about: a command's line, a path, a sandbox's name.
    pub about: String,
    /// When, by the clock.
    pub at: Duration,
    /// The code with which it failed, if it did.
    pub failed: Option<ErrorCode>,
}

/// One command that was asked for. `Debug` shows no arguments, values and input.
#[derive(Clone)]
pub struct RecordedCommand {
    /// The program and its arguments.
    pub argv: Vec<Vec<u8>>,
    /// The variables of the call itself.
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// Everything that was given as input, so far.
    pub stdin: Bytes,
    /// Where it ran, absolute.
    pub cwd: String,
    /// Its sandbox.
    pub sandbox: SandboxId,
    /// When it was asked for, by the clock.
    pub at: Duration,
    /// How it ended, if it did.
    pub exit: Option<Exit>,
    /// The signals that it was sent.
    pub signals: Vec<Signal>,
    /// No script answered it.
    pub unexpected: bool,
}

impl Recording {
    /// Every command that was asked for.
    pub fn commands(&self) -> Vec<RecordedCommand> {
        locked(&self.state).entries.iter().filter_map(|entry| entry.command.clone()).collect()
    }

    /// Everything that was asked for, commands too.
    pub fn operations(&self) -> Vec<Done> {
        locked(&self.state).entries.iter().map(|entry| entry.done.clone()).collect()
    }

    /// How often an operation was asked for.
    pub fn count(&self, operation: Operation) -> usize {
        locked(&self.state).entries.iter().filter(|entry| entry.done.operation == operation).count()
    }

    /// How often exactly this command was asked for.
    pub fn times<T: Into<Vec<u8>>>(&self, argv: impl IntoIterator<Item = T>) -> usize {
        let argv = vector(argv);
        self.commands().iter().filter(|command| command.argv == argv).count()
    }
}

/// Assertions. Each panics with everything that was asked for.
impl Recording {
    /// Exactly this command was asked for, at least once.
    #[track_caller]
    pub fn assert_ran<T: Into<Vec<u8>>>(&self, argv: impl IntoIterator<Item = T>) {
        let argv = vector(argv);
        self.assert(self.times(argv.clone()) > 0, || format!("`{}` did not run", words_line(&argv)));
    }

    /// Exactly this script of a shell was asked for, at least once.
    #[track_caller]
    pub fn assert_ran_shell(&self, script: &str) {
        self.assert_ran(["sh", "-c", script]);
    }

    /// Exactly this command was never asked for.
    #[track_caller]
    pub fn assert_never_ran<T: Into<Vec<u8>>>(&self, argv: impl IntoIterator<Item = T>) {
        self.assert_ran_times(argv, 0);
    }

    /// Exactly this command was asked for that often.
    #[track_caller]
    pub fn assert_ran_times<T: Into<Vec<u8>>>(&self, argv: impl IntoIterator<Item = T>, times: usize) {
        let argv = vector(argv);
        let ran = self.times(argv.clone());
        self.assert(ran == times, || format!("`{}` ran {ran} times and not {times}", words_line(&argv)));
    }

    /// These commands were asked for in this order, others perhaps in between.
    #[track_caller]
    pub fn assert_ran_in_order(&self, commands: &[&[&str]]) {
        let ran = self.commands();
        let mut rest = ran.iter();
        for command in commands {
            let argv = vector(command.iter().copied());
            let found = rest.any(|ran| ran.argv == argv);
            self.assert(found, || format!("`{}` did not run, or not in this order", words_line(&argv)));
        }
    }

    /// An operation was asked for that often.
    #[track_caller]
    pub fn assert_count(&self, operation: Operation, count: usize) {
        let counted = self.count(operation);
        self.assert(counted == count, || format!("{operation} was asked for {counted} times and not {count}"));
    }

    /// Every command had a reply, also those whose error the program hid.
    #[track_caller]
    pub fn assert_nothing_unexpected(&self) {
        let unexpected: Vec<_> = self.commands().into_iter().filter(|command| command.unexpected).collect();
        let lines: Vec<_> = unexpected.iter().map(|command| format!("`{}`", words_line(&command.argv))).collect();
        self.assert(lines.is_empty(), || format!("no reply is scripted for {}", lines.join(", ")));
    }

    #[track_caller]
    fn assert(&self, holds: bool, what: impl FnOnce() -> String) {
        assert!(holds, "{}\nwhat was asked for:\n{self}", self.redacted(&what()));
    }

    fn redacted(&self, text: &str) -> String {
        locked(&self.state).redacted(text)
    }
}

fn vector<T: Into<Vec<u8>>>(argv: impl IntoIterator<Item = T>) -> Vec<Vec<u8>> {
    argv.into_iter().map(Into::into).collect()
}

impl State {
    fn redacted(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "[redacted]"))
    }
}

/// What the doubles write down.
impl Recording {
    /// A value that is shown nowhere.
    pub(crate) fn hide(&self, secret: &str) {
        if !secret.is_empty() {
            locked(&self.state).secrets.push(secret.to_owned());
        }
    }

    pub(crate) fn next_command(&self) -> u64 {
        let mut state = locked(&self.state);
        state.commands += 1;
        state.commands
    }

    pub(crate) fn operation<T>(
        &self,
        operation: Operation,
        sandbox: Option<SandboxId>,
        about: String,
        at: Duration,
        result: &Result<T>,
    ) {
        let failed = result.as_ref().err().map(Error::code);
        let done = Done { operation, sandbox, about, at, failed };
        locked(&self.state).entries.push(Entry { done, command: None });
    }

    /// A command is asked for; its number in the recording.
    pub(crate) fn command(&self, place: &Place, call: &Call) -> usize {
        let (at, sandbox) = (place.fleet.clock.elapsed(), place.id);
        let request = call.request();
        let stdin = match &request.stdin {
            Stdin::Bytes(bytes) => bytes.clone(),
            _ => Bytes::new(),
        };
        let command = RecordedCommand {
            argv: call.argv(),
            env: request.env.clone(),
            stdin,
            cwd: call.cwd().to_string(),
            sandbox,
            at,
            exit: None,
            signals: Vec::new(),
            unexpected: false,
        };
        let about = line(&request.command);
        let done = Done { operation: Operation::Exec, sandbox: Some(sandbox), about, at, failed: None };
        let mut state = locked(&self.state);
        state.entries.push(Entry { done, command: Some(command) });
        state.entries.len() - 1
    }

    fn change(&self, number: usize, change: impl FnOnce(&mut RecordedCommand)) {
        if let Some(Entry { command: Some(command), .. }) = locked(&self.state).entries.get_mut(number) {
            change(command);
        }
    }

    pub(crate) fn input(&self, number: usize, data: &[u8]) {
        self.change(number, |command| command.stdin = [&command.stdin, data].concat().into());
    }

    pub(crate) fn signal(&self, number: usize, signal: Signal) {
        self.change(number, |command| command.signals.push(signal));
    }

    pub(crate) fn unexpected(&self, number: usize) {
        self.change(number, |command| command.unexpected = true);
    }

    pub(crate) fn refused(&self, number: usize, error: &Error) {
        if let Some(entry) = locked(&self.state).entries.get_mut(number) {
            entry.done.failed = Some(error.code());
        }
    }

    pub(crate) fn ended(&self, number: usize, end: &Result<Exit>) {
        match end {
            Ok(exit) => self.change(number, |command| command.exit = Some(exit.clone())),
            Err(error) => self.refused(number, error),
        }
    }
}

/// Everything that was asked for, a line each.
impl fmt::Display for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = locked(&self.state);
        if state.entries.is_empty() {
            return f.write_str("  nothing\n");
        }
        for Entry { done, command } in &state.entries {
            let end = match (&done.failed, command.as_ref().map(|command| &command.exit)) {
                (Some(code), _) => format!(" failed: {code}"),
                (None, Some(Some(exit))) => format!(" exit {}", exit.exit_code),
                (None, Some(None)) => " runs".to_owned(),
                (None, None) => String::new(),
            };
            let about = state.redacted(&done.about);
            writeln!(f, "  {:>9.3}s {:<8} {about}{end}", done.at.as_secs_f64(), done.operation)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording").field("operations", &locked(&self.state).entries.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Done")
            .field("operation", &self.operation)
            .field("sandbox", &self.sandbox)
            .field("at", &self.at)
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for RecordedCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordedCommand")
            .field("words", &self.argv.len())
            .field("stdin_bytes", &self.stdin.len())
            .field("sandbox", &self.sandbox)
            .field("at", &self.at)
            .field("exit", &self.exit)
            .field("signals", &self.signals)
            .field("unexpected", &self.unexpected)
            .finish_non_exhaustive()
    }
}
