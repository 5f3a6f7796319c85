//! Shell sessions on a terminal, with any POSIX `sh`.
//!
//! ```text
//!   open ──▶ idle ◀──────────────── end seen ─────────────────┐
//!             │                                               │
//!             └─ run ──▶ running ── interrupt, timeout ──▶ interrupted ── KILL of the foreground ──▶ closed
//!                          └───────── the shell exits ────────────────────────────────────────────▶ closed
//! ```
//!
//! The shell is an interactive one, because only such a shell gives a script up at an interrupt and lives on. It reads
//! two short lines for each script; the script itself is in a private file, so that neither the line length of a
//! terminal nor quotes matter. What is in the script cannot reach those lines: it has no input.

mod capture;
mod echoed;
mod foreground;
mod run;
mod scanner;
mod shell;
mod terminal;

use crate::private::{Private, random};
use async_trait::async_trait;
use echoed::Echoed;
use foreground::Foreground;
use isobox_contract::exec::{ExecRequest, Stdin};
use isobox_contract::session::{SessionOptions, SessionOutput};
use isobox_contract::{Error, ErrorCode, OutputLimits, Resource, Result, Sandbox, Session, Sessions};
use run::{Interrupts, Run};
use shell::Echo;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use terminal::Terminal;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// The shell, unless the caller says otherwise.
const SHELL: &[u8] = b"sh";
/// How long a shell may take until it has run its first script.
const START: Duration = Duration::from_secs(20);
/// After this time the first line is sent again: a line editor that has just started may have dropped it.
const AGAIN: Duration = Duration::from_secs(2);

/// The sessions of a sandbox, made from its commands and its files.
pub struct DerivedSessions {
    sandbox: Arc<dyn Sandbox>,
}

impl DerivedSessions {
    /// Sessions of this sandbox, which must have terminals and input streams.
    pub fn new(sandbox: Arc<dyn Sandbox>) -> Self {
        Self { sandbox }
    }
}

#[async_trait]
impl Sessions for DerivedSessions {
    async fn open(&self, options: &SessionOptions) -> Result<Box<dyn Session>> {
        Ok(Box::new(DerivedSession::open(self.sandbox.clone(), options).await?))
    }
}

/// A shell that waits for scripts.
struct DerivedSession {
    shell: Arc<Shell>,
    interrupts: Interrupts,
    /// Whether the run that holds the shell has lost its caller: the next one waits for it.
    abandoned: Arc<AtomicBool>,
    closed: AtomicBool,
}

/// What a run works with.
struct Shell {
    terminal: Terminal,
    foreground: Foreground,
    private: Private,
    echo: Echo,
    state: Arc<Mutex<State>>,
}

/// What one script leaves for the next.
#[derive(Default)]
struct State {
    status: i32,
    options: String,
    turn: usize,
    /// The terminal shows what is typed: a script has switched that on.
    echo: bool,
    closed: bool,
}

impl DerivedSession {
    async fn open(sandbox: Arc<dyn Sandbox>, options: &SessionOptions) -> Result<Self> {
        let shell = options.shell.clone().unwrap_or_else(|| SHELL.to_vec());
        let kind = kind(&*sandbox, &shell, options).await?;
        let mut request = ExecRequest::argv(shell::argv(&shell, &kind))
            .pty(options.size)
            .stdin(Stdin::Stream)
            .output(OutputLimits::none())
            .label("session");
        request.env = shell::ENVIRONMENT.map(|(name, value)| (name.into(), value.into())).to_vec();
        request.env.extend(options.env.iter().cloned());
        request.cwd.clone_from(&options.cwd);
        request.user.clone_from(&options.user);
        request.validate()?;
        let echo = Echo::of(&kind);
        let private = Private::make(sandbox.clone(), options.user.clone()).await?;
        let token = random()?;
        let kept = |name: &str| options.env.iter().any(|(given, _)| given == name.as_bytes());
        private.write(run::SCRIPT, shell::first(&token, echo, kept)).await?;
        let process = Arc::from(sandbox.exec().spawn(request).await?);
        let terminal = Terminal::new(process);
        let foreground = Foreground::new(&sandbox, shell, options.user.clone(), terminal.pid());
        let shell = Shell { terminal, foreground, private, echo, state: Arc::default() };
        begin(&shell, &token).await?;
        Ok(Self {
            shell: Arc::new(shell),
            interrupts: Interrupts::new(),
            abandoned: Arc::default(),
            closed: AtomicBool::new(false),
        })
    }
}

/// Which shell it is.
async fn kind(sandbox: &dyn Sandbox, shell: &[u8], options: &SessionOptions) -> Result<String> {
    let mut request = ExecRequest::argv([shell, b"-c", shell::PROBE.as_bytes()]).timeout(START);
    request.cwd.clone_from(&options.cwd);
    request.user.clone_from(&options.user);
    let result = sandbox.exec().run(request).await?;
    if !result.success() {
        return Err(result.into_error(Some("the shell")));
    }
    Ok(result.stdout.text().trim().to_owned())
}

/// Waits until the shell has run its first script.
async fn begin(shell: &Shell, token: &str) -> Result<()> {
    let line = shell::line(&shell.private.file(run::SCRIPT)).ok_or_else(run::unusable_path)?;
    shell.terminal.begin(token, Echoed::default());
    let deadline = tokio::time::Instant::now() + START;
    while tokio::time::Instant::now() < deadline {
        shell.terminal.write(&line).await?;
        match tokio::time::timeout(AGAIN, shell.terminal.settled()).await {
            Err(_) => {}
            Ok(Ok(())) if shell.terminal.end().is_some() => return Ok(()),
            Ok(Ok(())) => {
                let message = "the shell ended at once, it must be a POSIX shell that can be interactive";
                return Err(Error::new(ErrorCode::CommandFailed, message));
            }
            Ok(Err(error)) => return Err(error),
        }
    }
    Err(Error::timeout("session.open", START))
}

#[async_trait]
impl Session for DerivedSession {
    async fn run(&self, script: &[u8], timeout: Option<Duration>) -> Result<SessionOutput> {
        if script.contains(&0) {
            return Err(Error::invalid_spec("script", "contains a NUL byte, which no shell can read"));
        }
        let state = self.take().await?;
        if state.closed || self.closed.load(Ordering::Acquire) || self.shell.terminal.exit().is_some() {
            return Err(ended());
        }
        self.abandoned.store(false, Ordering::Release);
        let run = Run::new(self.shell.clone(), state, self.interrupts.subscribe());
        run.perform(script.to_vec(), timeout, self.abandoned.clone()).await
    }

    async fn interrupt(&self) -> Result<()> {
        self.interrupts.send();
        Ok(())
    }

    async fn close(&self) -> Result<()> {
        self.closed.store(true, Ordering::Release);
        self.shell.terminal.stop().await?;
        self.shell.private.remove().await
    }
}

impl DerivedSession {
    /// The shell, when no script runs in it. One that nobody waits for any more is waited for: it is on its way out.
    async fn take(&self) -> Result<OwnedMutexGuard<State>> {
        match self.shell.state.clone().try_lock_owned() {
            Ok(state) => Ok(state),
            Err(_) if self.abandoned.load(Ordering::Acquire) => Ok(self.shell.state.clone().lock_owned().await),
            Err(_) => {
                let message = "a script runs in the session already, wait for it or interrupt it";
                Err(Error::new(ErrorCode::Conflict, message))
            }
        }
    }
}

/// The shell is not there any more.
fn ended() -> Error {
    let detail = isobox_contract::Detail::Resource { resource: Resource::Session, id: String::new() };
    let message = "the session's shell has ended, open another session";
    Error::new(ErrorCode::InvalidState, message).with_detail(detail)
}
