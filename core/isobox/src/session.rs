//! Shells that keep their state.

use crate::sandbox::Sandbox;
use isobox_contract::session::{SessionOptions, SessionOutput};
use isobox_contract::{Capability, Result, SandboxPath, Sessions, TerminalSize};
use isobox_derived::DerivedSessions;
use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// A session that has not been opened yet: say more about it, then await it.
#[derive(Clone, Debug)]
#[must_use = "there is no session before this is awaited"]
pub struct SessionBuilder {
    sandbox: Sandbox,
    options: SessionOptions,
}

impl SessionBuilder {
    pub(crate) fn new(sandbox: Sandbox) -> Self {
        Self { sandbox, options: SessionOptions::default() }
    }

    /// Sets the shell, a name on the `PATH` or a path; `sh` by default. Any POSIX shell will do.
    pub fn shell(mut self, shell: impl Into<Vec<u8>>) -> Self {
        self.options.shell = Some(shell.into());
        self
    }

    /// Sets a variable.
    pub fn env(mut self, name: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        self.options.env.push((name.into(), value.into()));
        self
    }

    /// Sets where it starts; relative to the sandbox's working directory, which is also the default.
    pub fn cwd(mut self, directory: impl Into<SandboxPath>) -> Self {
        self.options.cwd = Some(directory.into());
        self
    }

    /// Sets as whom it runs: a name, `uid`, `uid:gid` or `name:group`.
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.options.user = Some(user.into());
        self
    }

    /// Sets the size of its terminal; 24 by 80 by default.
    pub fn size(mut self, rows: u16, cols: u16) -> Self {
        self.options.size = TerminalSize { rows, cols };
        self
    }

    /// Opens it; the same as awaiting it.
    pub async fn open(self) -> Result<Session> {
        const NAME: &str = "session.open";
        let Self { sandbox, options } = self;
        sandbox.require(NAME, Capability::SessionsSupported)?;
        if options.user.is_some() {
            sandbox.require(NAME, Capability::ExecUser)?;
        }
        sandbox.stays(NAME).await?;
        let opened = match sandbox.raw().sessions() {
            Some(native) => native.open(&options).await,
            None => DerivedSessions::new(sandbox.shared()).open(&options).await,
        };
        let session = sandbox.told(NAME, opened)?.into();
        Ok(Session { session, sandbox })
    }
}

impl IntoFuture for SessionBuilder {
    type Output = Result<Session>;
    type IntoFuture = Pin<Box<dyn Future<Output = Result<Session>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.open())
    }
}

/// A shell that waits for scripts and keeps its directory, variables, functions and options between them. Cheap to clone.
///
/// Dropping the last clone ends the shell and everything that came out of it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
/// # let sandbox = isobox.sandbox().create().await?;
/// let session = sandbox.session().await?;
/// session.run("cd /usr && greeting=hello").await?;
/// let result = session.run("echo $greeting from $PWD; false").await?;
/// assert_eq!((result.text().as_ref(), result.exit_code), ("hello from /usr\n", Some(1)));
/// # drop(session);
/// # sandbox.delete().await
/// # }
/// ```
#[derive(Clone)]
pub struct Session {
    session: Arc<dyn isobox_contract::Session>,
    sandbox: Sandbox,
}

impl Session {
    /// A script for the shell. Await it for the result, or say more first. A second one at the same time is a
    /// `conflict`. The script has no input: what reads gets the end of file.
    ///
    /// Dropping the future interrupts the script, and kills what does not heed that; the session stays usable.
    pub fn run(&self, script: impl Into<Vec<u8>>) -> SessionRun {
        SessionRun { session: self.clone(), script: script.into(), timeout: None }
    }

    /// Interrupts the script that runs, as Ctrl-C does. The session stays usable.
    pub async fn interrupt(&self) -> Result<()> {
        self.sandbox.told("session.interrupt", self.session.interrupt().await)
    }

    /// Ends the shell and everything that came out of it. Again is fine.
    pub async fn close(&self) -> Result<()> {
        self.sandbox.told("session.close", self.session.close().await)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("sandbox", self.sandbox.id()).finish_non_exhaustive()
    }
}

/// A script that has not been run yet.
#[must_use = "nothing runs before this is awaited"]
pub struct SessionRun {
    session: Session,
    script: Vec<u8>,
    timeout: Option<Duration>,
}

impl SessionRun {
    /// Sets when the script is interrupted at the latest, and what does not heed that killed. None by default.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }
}

impl fmt::Debug for SessionRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionRun").field("bytes", &self.script.len()).field("timeout", &self.timeout).finish()
    }
}

impl IntoFuture for SessionRun {
    type Output = Result<SessionOutput>;
    type IntoFuture = Pin<Box<dyn Future<Output = Result<SessionOutput>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let Self { session, script, timeout } = self;
            session.sandbox.told("session.run", session.session.run(&script, timeout).await)
        })
    }
}
