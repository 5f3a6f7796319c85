//! One script in a session, from its first byte to the shell's being idle again.
//!
//! A run is a task of its own, so that the shell comes to rest also when its caller goes away half way.

use super::echoed::Echoed;
use super::{Shell, State, ended, shell};
use crate::private::random;
use isobox_contract::session::SessionOutput;
use isobox_contract::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedMutexGuard, watch};
use tokio::time::Instant;

/// The name of the file that holds the script.
pub(super) const SCRIPT: &str = "script";
/// The name of the file that runs it.
const AROUND: &str = "run";
/// The names of the file that the shell reads when it has given a script up, in turn: what was typed ahead for one
/// script must not read what is written for the next.
const ABANDONED: [&str; 2] = ["abandoned-0", "abandoned-1"];
/// The character that interrupts (`termios(3)`, VINTR).
const INTERRUPT: u8 = 3;
/// How long after a kill until what the script goes on with is interrupted in its turn.
const AGAIN_AFTER: Duration = Duration::from_millis(100);
/// After an interrupt for a timeout: how long until what is in the foreground is killed.
const KILL_AFTER: Duration = Duration::from_secs(2);
/// How long after that until the shell itself is killed.
const CLOSE_AFTER: Duration = Duration::from_secs(5);
/// How long a shell may take to begin with a script before it is interrupted all the same.
const BEGIN: Duration = Duration::from_secs(2);
/// How often a script is tried again that a shell did not begin with.
const MISSED: usize = 3;
/// A time that never comes.
const NEVER: Duration = Duration::from_secs(30 * 365 * 24 * 3600);

/// Tells the run that is on its way to interrupt its script.
pub(super) struct Interrupts(watch::Sender<u64>);

impl Interrupts {
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(0))
    }

    pub(super) fn send(&self) {
        self.0.send_modify(|count| *count += 1);
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.subscribe()
    }
}

pub(super) fn unusable_path() -> Error {
    Error::internal("the path of the sandbox's private directory cannot be typed into a terminal")
}

/// One script.
pub(super) struct Run {
    shell: Arc<Shell>,
    state: OwnedMutexGuard<State>,
    interrupts: watch::Receiver<u64>,
    token: String,
    begun: Instant,
    ending: Option<Ending>,
    interrupted: bool,
    timed_out: bool,
}

/// What comes next when a script has to end and does not heed its interrupt.
struct Ending {
    at: Instant,
    step: Step,
}

#[derive(Clone, Copy)]
enum Step {
    Kill,
    /// What follows in the script begins when what was killed is gone.
    Interrupt,
    Close,
}

/// Tells the run that nobody waits for it any more.
struct Waiter {
    gone: watch::Sender<bool>,
    abandoned: Arc<AtomicBool>,
    waiting: bool,
}

impl Drop for Waiter {
    fn drop(&mut self) {
        if self.waiting {
            self.abandoned.store(true, Ordering::Release);
            self.gone.send_replace(true);
        }
    }
}

impl Run {
    pub(super) fn new(shell: Arc<Shell>, state: OwnedMutexGuard<State>, interrupts: watch::Receiver<u64>) -> Self {
        let begun = Instant::now();
        Self {
            shell,
            state,
            interrupts,
            token: String::new(),
            begun,
            ending: None,
            interrupted: false,
            timed_out: false,
        }
    }

    /// Runs the script and waits for its end. When the future is dropped, the script is ended in the background.
    pub(super) async fn perform(
        self,
        script: Vec<u8>,
        timeout: Option<Duration>,
        abandoned: Arc<AtomicBool>,
    ) -> Result<SessionOutput> {
        let (gone, caller) = watch::channel(false);
        let mut waiter = Waiter { gone, abandoned, waiting: true };
        let done = tokio::spawn(self.work(script, timeout, caller)).await;
        waiter.waiting = false;
        done.map_err(Error::internal)?
    }

    async fn work(
        mut self,
        script: Vec<u8>,
        timeout: Option<Duration>,
        caller: watch::Receiver<bool>,
    ) -> Result<SessionOutput> {
        self.start(&script).await?;
        self.watch(timeout, caller.clone()).await?;
        for _ in 0..MISSED {
            if self.was_missed() {
                self.type_lines().await?;
                self.watch(timeout, caller.clone()).await?;
            }
        }
        let end = self.shell.terminal.end();
        let (output, omitted) = self.shell.terminal.take();
        let mut result = SessionOutput { output, omitted, exit_code: None, timed_out: self.timed_out, closed: false };
        match (end, self.shell.terminal.exit()) {
            (Some(end), _) => {
                result.exit_code = (!(end.abandoned && self.interrupted)).then_some(end.code);
                self.state.status = end.code;
                self.state.options = end.options;
                self.state.echo = end.echo;
            }
            (None, Some(exit)) => {
                self.state.closed = true;
                result.closed = true;
                result.exit_code = Some(exit?.exit_code).filter(|_| !self.timed_out);
                // Nothing of a session outlives its shell.
                self.shell.terminal.stop().await?;
            }
            (None, None) => return Err(ended()),
        }
        Ok(result)
    }

    async fn start(&mut self, script: &[u8]) -> Result<()> {
        self.token = random()?;
        self.state.turn = self.state.turn.wrapping_add(1);
        let private = &self.shell.private;
        let State { status, echo: shown, .. } = *self.state;
        let around = shell::around(&self.token, &private.file(SCRIPT), status, self.shell.echo, shown);
        tokio::try_join!(
            private.write(SCRIPT, shell::traced(script, &self.state.options)),
            private.write(AROUND, around),
            private.write(self.abandoned_name(), shell::abandoned(&self.token, self.shell.echo)),
        )?;
        self.begun = Instant::now();
        self.type_lines().await
    }

    async fn type_lines(&self) -> Result<()> {
        let first = shell::line(&self.shell.private.file(AROUND)).ok_or_else(unusable_path)?;
        // For a shell that gives the first line up: an error in the script, or an interrupt.
        let second = self.abandoned()?;
        self.shell.terminal.begin(&self.token, Echoed::of(first.trim_ascii_end(), second.trim_ascii_end()));
        self.shell.terminal.write(&[first, second].concat()).await
    }

    /// Whether the shell has read the second line and not the first: an interrupt of the script before took it away.
    fn was_missed(&self) -> bool {
        !self.interrupted && self.shell.terminal.end().is_some_and(|end| end.abandoned && !end.begun)
    }

    fn abandoned_name(&self) -> &'static str {
        ABANDONED[self.state.turn % 2]
    }

    fn abandoned(&self) -> Result<Vec<u8>> {
        shell::line(&self.shell.private.file(self.abandoned_name())).ok_or_else(unusable_path)
    }

    /// Waits for the end, and makes one when it is time for that.
    async fn watch(&mut self, timeout: Option<Duration>, mut caller: watch::Receiver<bool>) -> Result<()> {
        let shell = self.shell.clone();
        let mut settled = std::pin::pin!(shell.terminal.settled());
        let mut interrupts = self.interrupts.clone();
        let begun = self.begun;
        let deadline = begun.checked_add(timeout.unwrap_or(NEVER)).unwrap_or(begun + NEVER);
        let mut left = false;
        loop {
            let step = self.ending.as_ref().map_or(begun + NEVER, |ending| ending.at);
            tokio::select! {
                biased;
                settled = &mut settled => return settled,
                Ok(()) = interrupts.changed() => self.interrupt().await?,
                () = async { drop(caller.wait_for(|gone| *gone).await) }, if !left => {
                    left = true;
                    self.end().await?;
                }
                () = tokio::time::sleep_until(step) => self.step().await?,
                () = tokio::time::sleep_until(deadline), if !self.timed_out => {
                    self.timed_out = true;
                    self.end().await?;
                }
            }
        }
    }

    /// Interrupts the script for good.
    async fn end(&mut self) -> Result<()> {
        self.ending.get_or_insert(Ending { at: Instant::now() + KILL_AFTER, step: Step::Kill });
        self.interrupt().await
    }

    /// Interrupts the script once it has begun: before, the shell would take the interrupt for itself.
    async fn interrupt(&mut self) -> Result<()> {
        self.interrupted = true;
        let begun = tokio::time::timeout(BEGIN, self.shell.terminal.begun()).await;
        if begun.is_ok() && self.shell.foreground.interrupt().await {
            return Ok(());
        }
        // From the keyboard. That takes away what was typed ahead, so it is typed again.
        let typed = [&[INTERRUPT, b'\n'], &self.abandoned()?[..]].concat();
        self.shell.terminal.write_beside(&typed).await
    }

    async fn step(&mut self) -> Result<()> {
        let Some(Ending { step, .. }) = self.ending.take() else { return Ok(()) };
        let next = |step, after| Some(Ending { at: Instant::now() + after, step });
        match step {
            Step::Kill => {
                self.shell.foreground.kill(self.begun).await;
                self.shell.terminal.write_beside(&self.abandoned()?).await?;
                self.ending = next(Step::Interrupt, AGAIN_AFTER);
            }
            Step::Interrupt => {
                self.shell.foreground.interrupt().await;
                self.ending = next(Step::Close, CLOSE_AFTER);
            }
            Step::Close => self.shell.terminal.stop().await?,
        }
        Ok(())
    }
}
