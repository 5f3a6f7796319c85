//! A shell that keeps its state between commands.

use super::Result;
use crate::cross::Cross;
use crate::held::Held;
use crate::{Argument, Path, Text};
use isobox::SessionBuilder;
use std::collections::BTreeMap;
use std::time::Duration;

/// How a session is opened.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// The shell; `bash` where it is there, `sh` otherwise, by default.
    pub shell: Option<String>,
    /// Variables.
    pub env: BTreeMap<String, Argument>,
    /// Where it begins.
    pub cwd: Option<Path>,
    /// Its user.
    pub user: Option<String>,
    /// Lines of its terminal; 24 by default.
    pub rows: Option<u16>,
    /// Characters of a line of its terminal; 80 by default.
    pub cols: Option<u16>,
}

impl SessionOptions {
    pub(super) fn apply(self, mut builder: SessionBuilder) -> SessionBuilder {
        for (name, value) in self.env {
            builder = builder.env(name, value.0);
        }
        if let Some(shell) = self.shell {
            builder = builder.shell(shell);
        }
        if let Some(cwd) = self.cwd {
            builder = builder.cwd(cwd.0);
        }
        if let Some(user) = self.user {
            builder = builder.user(user);
        }
        if self.rows.is_some() || self.cols.is_some() {
            builder = builder.size(self.rows.unwrap_or(24), self.cols.unwrap_or(80));
        }
        builder
    }
}

/// What a script of a session wrote and how it ended.
#[derive(Clone, Debug)]
pub struct SessionOutput {
    /// What it wrote to the terminal.
    pub output: Text,
    /// Bytes that are not here, because they were too many.
    pub omitted: u64,
    /// Its exit code; none when it was not known in time.
    pub exit_code: Option<i32>,
    /// Whether it ran into its timeout.
    pub timed_out: bool,
    /// Whether it ended the shell.
    pub closed: bool,
}

impl Cross<SessionOutput> for isobox::SessionOutput {
    fn cross(self) -> SessionOutput {
        let isobox::SessionOutput { output, omitted, exit_code, timed_out, closed } = self;
        SessionOutput { output: output.cross(), omitted, exit_code, timed_out, closed }
    }
}

/// A shell that keeps its directory, variables and functions between commands.
#[derive(Clone)]
pub struct Session {
    session: Held<isobox::Session>,
}

impl Session {
    pub(super) fn new(session: isobox::Session) -> Self {
        Self { session: Held::new(session) }
    }

    /// Runs a script in it. One that runs into its timeout is interrupted, and the session stays usable.
    pub async fn run(&self, script: Argument, timeout: Option<Duration>) -> Result<SessionOutput> {
        let run = self.session.get()?.run(script.0);
        let run = match timeout {
            Some(timeout) => run.timeout(timeout),
            None => run,
        };
        Ok(run.await?.cross())
    }

    /// Interrupts what runs in it, as Ctrl-C does.
    pub async fn interrupt(&self) -> Result<()> {
        Ok(self.session.get()?.interrupt().await?)
    }

    /// Ends it and everything that it started. Again is fine.
    pub async fn close(&self) -> Result<()> {
        Ok(self.session.get()?.close().await?)
    }
}
