//! Shell sessions, whose scripts are answered as shell commands are. What a script would keep for the next one, a directory or
//! a variable, is a matter of the replies.

use crate::place::Place;
use async_trait::async_trait;
use isobox_contract::session::{SessionOptions, SessionOutput};
use isobox_contract::{Error, ErrorCode, ExecRequest, Result, Session, Sessions, Signal, Termination};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) struct Shells(pub(crate) Arc<Place>);

#[async_trait]
impl Sessions for Shells {
    async fn open(&self, options: &SessionOptions) -> Result<Box<dyn Session>> {
        self.0.alive(isobox_contract::Action::Exec)?;
        let (place, options) = (self.0.clone(), options.clone());
        Ok(Box::new(Shell { place, options, closed: AtomicBool::new(false), now: Mutex::default() }))
    }
}

struct Shell {
    place: Arc<Place>,
    options: SessionOptions,
    closed: AtomicBool,
    /// The script that runs.
    now: Mutex<Option<Arc<crate::exec::Running>>>,
}

impl Shell {
    fn request(&self, script: &[u8], timeout: Option<Duration>) -> ExecRequest {
        let mut request = ExecRequest::shell(script).merge_stderr();
        request.env.clone_from(&self.options.env);
        request.cwd.clone_from(&self.options.cwd);
        request.user.clone_from(&self.options.user);
        request.timeout = timeout;
        request
    }

    fn running(&self) -> Option<Arc<crate::exec::Running>> {
        crate::sync::locked(&self.now).clone().filter(|running| !running.ended())
    }
}

#[async_trait]
impl Session for Shell {
    async fn run(&self, script: &[u8], timeout: Option<Duration>) -> Result<SessionOutput> {
        if self.closed.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorCode::InvalidState, "the session is closed, open another one"));
        }
        if self.running().is_some() {
            return Err(Error::new(ErrorCode::Conflict, "a script runs in the session, wait for its end"));
        }
        let request = self.request(script, timeout);
        let limits = request.output.clone();
        let running = self.place.launch(request).await?;
        *crate::sync::locked(&self.now) = Some(running.clone());
        let interrupted = InterruptedWith(running.clone());
        let result = running.wait(&limits).await?;
        drop(interrupted);
        let natural = result.termination == Termination::Exited;
        Ok(SessionOutput {
            output: result.stdout.bytes,
            omitted: result.stdout.omitted,
            exit_code: natural.then_some(result.exit_code),
            timed_out: result.timed_out,
            closed: false,
        })
    }

    async fn interrupt(&self) -> Result<()> {
        if let Some(running) = self.running() {
            running.hear(Signal::INT);
        }
        Ok(())
    }

    async fn close(&self) -> Result<()> {
        self.closed.store(true, Ordering::Relaxed);
        if let Some(running) = self.running() {
            running.end(Termination::Killed, None);
        }
        Ok(())
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        if let Some(running) = self.running() {
            running.end(Termination::Killed, None);
        }
    }
}

/// Interrupts a script that nobody waits for any more.
struct InterruptedWith(Arc<crate::exec::Running>);

impl Drop for InterruptedWith {
    fn drop(&mut self) {
        self.0.hear(Signal::INT);
        self.0.end(Termination::Cancelled, None);
    }
}
