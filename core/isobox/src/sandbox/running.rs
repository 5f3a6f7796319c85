//! Running commands, and what is made of them.

use super::Sandbox;
use crate::command::Command;
use crate::files::Files;
use crate::git::Git;
use crate::process::Process;
use crate::search::Search;
use crate::services::Services;
use crate::session::SessionBuilder;
use isobox_contract::{Capability, ExecId, ExecRequest, ProcessInfo, Replay, Result};

impl Sandbox {
    /// A program and its arguments, run as they are, with no shell. Await it for the result, or say more first.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> isobox::Result<()> {
    /// # let home = tempfile::tempdir().unwrap();
    /// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
    /// # let sandbox = isobox.sandbox().create().await?;
    /// let result = sandbox.exec(["echo", "$HOME; no shell looks at this"]).await?;
    /// assert_eq!(result.stdout.text(), "$HOME; no shell looks at this\n");
    /// # sandbox.delete().await
    /// # }
    /// ```
    pub fn exec<T: Into<Vec<u8>>>(&self, argv: impl IntoIterator<Item = T>) -> Command {
        self.request(ExecRequest::argv(argv))
    }

    /// A script for `sh -c`. Await it for the result, or say more first.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> isobox::Result<()> {
    /// # let home = tempfile::tempdir().unwrap();
    /// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
    /// # let sandbox = isobox.sandbox().create().await?;
    /// let result = sandbox.shell("echo hello | tr a-z A-Z").await?;
    /// assert_eq!(result.stdout.text(), "HELLO\n");
    /// # sandbox.delete().await
    /// # }
    /// ```
    pub fn shell(&self, script: impl Into<Vec<u8>>) -> Command {
        self.request(ExecRequest::shell(script))
    }

    /// The same as [`exec`](Self::exec), for a command that is said more about, or started with [`Command::spawn`].
    pub fn command<T: Into<Vec<u8>>>(&self, argv: impl IntoIterator<Item = T>) -> Command {
        self.exec(argv)
    }

    /// A command from a whole request.
    pub fn request(&self, request: ExecRequest) -> Command {
        Command::new(self.clone(), request)
    }

    /// Every command that runs, and those that ended recently.
    pub async fn processes(&self) -> Result<Vec<ProcessInfo>> {
        self.require("exec.processes", Capability::ExecAttach)?;
        self.told("exec.processes", self.raw().exec().processes().await)
    }

    /// A handle of a command that was started elsewhere. Its output is replayed as far as it is kept, then followed.
    /// Dropping this handle leaves the command alone. `not_found` for an unknown id.
    pub async fn process(&self, id: &ExecId) -> Result<Process> {
        self.process_from(id, Replay::All).await
    }

    /// The same, from another point of the output on.
    pub async fn process_from(&self, id: &ExecId, from: Replay) -> Result<Process> {
        self.require("exec.attach", Capability::ExecAttach)?;
        let process = self.told("exec.attach", self.raw().exec().attach(id, from).await)?;
        Ok(Process::new(self.clone(), process))
    }

    /// Its files.
    pub fn files(&self) -> Files {
        Files::new(self.clone())
    }

    /// Git, by the program in it.
    pub fn git(&self) -> Git {
        Git::new(self.clone())
    }

    /// Searching its files.
    pub fn search(&self) -> Search {
        Search::new(self.clone())
    }

    /// Its background services: commands with names that run until they are stopped.
    pub fn services(&self) -> Services {
        Services::new(self.clone())
    }

    /// A shell that keeps its directory, variables and functions between scripts. Await it, or say more about it first.
    pub fn session(&self) -> SessionBuilder {
        SessionBuilder::new(self.clone())
    }
}
