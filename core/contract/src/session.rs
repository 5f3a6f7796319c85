//! Shell sessions, whose directory, variables and functions are kept between commands: a provider's own way. Without
//! one, they are derived from a terminal, with any POSIX `sh`.

use crate::error::Result;
use crate::exec::TerminalSize;
use crate::path::SandboxPath;
use async_trait::async_trait;
use bytes::Bytes;
use std::time::Duration;

/// The sessions of one sandbox.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Opens one.
    async fn open(&self, options: &SessionOptions) -> Result<Box<dyn Session>>;
}

/// What a session is like. `Debug` shows no values.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SessionOptions {
    /// The shell; `sh` by default.
    pub shell: Option<Vec<u8>>,
    /// Added to the sandbox's environment.
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// Where it starts.
    pub cwd: Option<SandboxPath>,
    /// As whom.
    pub user: Option<String>,
    /// The terminal behind it.
    pub size: TerminalSize,
}

impl std::fmt::Debug for SessionOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionOptions")
            .field("env", &self.env.len())
            .field("cwd", &self.cwd)
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}

/// A shell that waits for commands. Dropping it ends it and everything in it.
#[async_trait]
pub trait Session: Send + Sync {
    /// Runs a script and waits for it, one at a time: a second call is a `conflict`. After the timeout the script is
    /// interrupted and the session is usable again, or gone when [`SessionOutput::closed`] says so.
    async fn run(&self, script: &[u8], timeout: Option<Duration>) -> Result<SessionOutput>;

    /// Interrupts what runs, as Ctrl-C does. The session stays usable.
    async fn interrupt(&self) -> Result<()>;

    /// Ends it. Again is fine.
    async fn close(&self) -> Result<()>;
}

/// What a script in a session did.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionOutput {
    /// What it wrote, both streams in one, without the terminal's carriage returns.
    pub output: Bytes,
    /// Bytes that were too many.
    pub omitted: u64,
    /// Its exit code; none after an interrupt that took it away.
    pub exit_code: Option<i32>,
    /// It was interrupted because of the timeout.
    pub timed_out: bool,
    /// The shell has ended with it.
    pub closed: bool,
}

impl SessionOutput {
    /// Whether the script ended by itself, with 0.
    pub fn success(&self) -> bool {
        self.exit_code == Some(0) && !self.timed_out
    }

    /// The output as text, with replacement characters where it is not UTF-8.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.output)
    }
}

impl std::fmt::Debug for SessionOutput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionOutput")
            .field("bytes", &self.output.len())
            .field("exit_code", &self.exit_code)
            .field("timed_out", &self.timed_out)
            .field("closed", &self.closed)
            .finish_non_exhaustive()
    }
}
