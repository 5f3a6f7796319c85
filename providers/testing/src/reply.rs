//! What a scripted command does.

use crate::call::Call;
use crate::files::TestFiles;
use crate::talk::Talk;
use bytes::Bytes;
use isobox_contract::{DeathCause, Error, Exit, SandboxPath, Signal};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// What a scripted command does: writes, takes its time, ends. Without more it ends at once, with 0. `Debug` shows no output.
///
/// ```
/// use isobox_testing::Reply;
/// use std::time::Duration;
///
/// let slow = Reply::ok().stdout("compiling\n").after(Duration::from_secs(30)).stderr("error\n").exit(101);
/// # drop(slow);
/// ```
#[derive(Clone)]
#[must_use = "a reply does nothing before a script has it"]
pub struct Reply {
    pub(crate) steps: Vec<Step>,
    pub(crate) end: End,
    pub(crate) ignores_term: bool,
    pub(crate) cpu_time: Option<Duration>,
    pub(crate) peak_memory: Option<u64>,
}

/// One thing that a command does.
#[derive(Clone)]
pub(crate) enum Step {
    Wait(Duration),
    Stdout(Bytes),
    Stderr(Bytes),
    /// Goes on once so many bytes of input have come, or the input has ended.
    Input(u64),
    Files(Arc<dyn Fn(&TestFiles) + Send + Sync>),
}

/// How a command ends.
#[derive(Clone)]
pub(crate) enum End {
    Exit(i32),
    Signal(Signal),
    OutOfMemory,
    /// As it was recorded.
    Exactly(Exit),
    /// Not by itself.
    Never,
    /// Its caller does not get to know how.
    Lost(Error),
    /// With its sandbox.
    Death(DeathCause),
    Talk(Driver),
    /// It does not even start.
    Refused(Error),
}

pub(crate) type Driver = Arc<dyn Fn(Talk) -> Pin<Box<dyn Future<Output = i32> + Send>> + Send + Sync>;

impl Reply {
    /// Exits with 0.
    pub fn ok() -> Self {
        Self { steps: Vec::new(), end: End::Exit(0), ignores_term: false, cpu_time: None, peak_memory: None }
    }

    /// Writes this to stdout and exits with 0.
    pub fn says(output: impl Into<Bytes>) -> Self {
        Self::ok().stdout(output)
    }

    /// Exits with this code.
    pub fn code(code: i32) -> Self {
        Self::ok().exit(code)
    }

    /// Runs until something ends it: its timeout, its caller, its sandbox.
    pub fn hang() -> Self {
        Self::ok().ending(End::Never)
    }

    /// Does not start: the call fails with this.
    pub fn refused(error: Error) -> Self {
        Self::ok().ending(End::Refused(error))
    }

    /// Reads and writes as this says, and exits with what it returns.
    ///
    /// ```
    /// use isobox_testing::Reply;
    ///
    /// let upper = Reply::talk(async |mut talk| {
    ///     while let Some(line) = talk.read_line().await {
    ///         talk.write(line.to_uppercase() + "\n");
    ///     }
    ///     0
    /// });
    /// # drop(upper);
    /// ```
    pub fn talk<F, T>(driver: F) -> Self
    where
        F: Fn(Talk) -> T + Send + Sync + 'static,
        T: Future<Output = i32> + Send + 'static,
    {
        Self::ok().ending(End::Talk(Arc::new(move |talk| Box::pin(driver(talk)))))
    }

    /// Ends so.
    pub(crate) fn ending(self, end: End) -> Self {
        Self { end, ..self }
    }

    fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// Then writes this to stdout, as one piece.
    pub fn stdout(self, output: impl Into<Bytes>) -> Self {
        self.step(Step::Stdout(output.into()))
    }

    /// Then writes this to stderr, as one piece.
    pub fn stderr(self, output: impl Into<Bytes>) -> Self {
        self.step(Step::Stderr(output.into()))
    }

    /// Then takes that long, by the clock.
    pub fn after(self, delay: Duration) -> Self {
        self.step(Step::Wait(delay))
    }

    /// Then waits until so many bytes of input have come in all, or the input has ended.
    pub fn after_input(self, bytes: u64) -> Self {
        self.step(Step::Input(bytes))
    }

    /// Then writes a file; a relative path starts where the command runs.
    pub fn file(self, path: &str, contents: impl Into<Bytes>) -> Self {
        let (path, contents) = (SandboxPath::from(path), contents.into());
        self.changes(move |files| files.write(&path, contents.clone()))
    }

    /// Then changes the files of its sandbox. It may be the clock that does so, and must not be moved there.
    pub fn changes(self, change: impl Fn(&TestFiles) + Send + Sync + 'static) -> Self {
        self.step(Step::Files(Arc::new(change)))
    }

    /// Exits with this code at the end.
    pub fn exit(mut self, code: i32) -> Self {
        self.end = End::Exit(code);
        self
    }

    /// Is ended by a signal at the end, that nobody here has sent.
    pub fn killed_by(mut self, signal: Signal) -> Self {
        self.end = End::Signal(signal);
        self
    }

    /// Is killed at the limit of memory at the end.
    pub fn out_of_memory(mut self) -> Self {
        self.end = End::OutOfMemory;
        self
    }

    /// Never ends by itself, after what it does.
    pub fn then_hangs(mut self) -> Self {
        self.end = End::Never;
        self
    }

    /// Breaks the connection at the end: what it has written has come, and its end is never known.
    pub fn loses_connection(self) -> Self {
        self.lost(Error::transport("the connection to the sandbox broke, as the script says"))
    }

    /// Lets its caller get this error in place of its end.
    pub fn lost(mut self, error: Error) -> Self {
        self.end = End::Lost(error);
        self
    }

    /// Takes its sandbox along at the end.
    pub fn kills_sandbox(mut self, cause: DeathCause) -> Self {
        self.end = End::Death(cause);
        self
    }

    /// Does not heed TERM, so that only KILL ends it.
    pub fn ignores_term(mut self) -> Self {
        self.ignores_term = true;
        self
    }

    /// Says what it used.
    pub fn used(mut self, cpu_time: Duration, peak_memory: u64) -> Self {
        (self.cpu_time, self.peak_memory) = (Some(cpu_time), Some(peak_memory));
        self
    }

    /// What it writes, cut after so many bytes, and then a broken connection.
    pub(crate) fn cut_after(mut self, bytes: u64) -> Self {
        let mut left = usize::try_from(bytes).unwrap_or(usize::MAX);
        for step in &mut self.steps {
            if let Step::Stdout(output) | Step::Stderr(output) = step {
                output.truncate(left);
                left -= output.len();
            }
        }
        self.loses_connection()
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = match &self.end {
            End::Exit(code) => format!("exit {code}"),
            End::Signal(signal) => format!("signal {signal}"),
            End::Exactly(exit) => format!("exit {}", exit.exit_code),
            End::OutOfMemory => "out of memory".to_owned(),
            End::Never => "never".to_owned(),
            End::Lost(error) => format!("lost: {}", error.code()),
            End::Death(cause) => format!("death: {cause}"),
            End::Talk(_) => "talk".to_owned(),
            End::Refused(error) => format!("refused: {}", error.code()),
        };
        f.debug_struct("Reply").field("steps", &self.steps.len()).field("end", &end).finish_non_exhaustive()
    }
}

/// What answers a call.
pub(crate) type Responder = Arc<dyn Fn(&Call) -> Option<Reply> + Send + Sync>;
