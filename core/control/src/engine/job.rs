//! A piece of work for a thread, and the way its answer goes back.

use crate::failure::Outcome;
use isobox_contract::{Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Work on a context `C`, with the type of its answer hidden.
pub(crate) trait Job<C>: Send {
    /// Whether somebody still waits for the answer.
    fn is_wanted(&self) -> bool;

    /// How long it has waited.
    fn waited(&self) -> Duration;

    /// Does the work, once, and keeps the answer. Whether it succeeded, so that its changes stay.
    fn run(&mut self, context: &C, path: &Path) -> bool;

    /// Why the work failed, if it did.
    fn error(&self) -> Option<&Error>;

    /// Gives the answer, or this failure in place of a success that did not come to last.
    fn answer(self: Box<Self>, failure: Option<&Error>);
}

/// A boxed job.
pub(crate) type BoxJob<C> = Box<dyn Job<C>>;

struct Task<F, T> {
    work: Option<F>,
    result: Result<T>,
    reply: oneshot::Sender<Result<T>>,
    since: Instant,
}

/// A job that runs `work`, and where its answer comes.
pub(crate) fn job<C, T, F>(work: F) -> (BoxJob<C>, oneshot::Receiver<Result<T>>)
where
    T: Send + 'static,
    F: FnOnce(&C) -> Outcome<T> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    let unanswered = Err(Error::internal("the work was not done"));
    (Box::new(Task { work: Some(work), result: unanswered, reply, since: Instant::now() }), answer)
}

impl<C, T: Send, F: FnOnce(&C) -> Outcome<T> + Send> Job<C> for Task<F, T> {
    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }

    fn waited(&self) -> Duration {
        self.since.elapsed()
    }

    fn run(&mut self, context: &C, path: &Path) -> bool {
        let Some(work) = self.work.take() else { return false };
        self.result = match catch_unwind(AssertUnwindSafe(|| work(context))) {
            Ok(outcome) => outcome.map_err(|failure| failure.told(path)),
            Err(_) => Err(Error::internal("the control plane panicked and wrote nothing, please report it")),
        };
        self.result.is_ok()
    }

    fn error(&self) -> Option<&Error> {
        self.result.as_ref().err()
    }

    fn answer(self: Box<Self>, failure: Option<&Error>) {
        let result = match failure {
            Some(error) if self.result.is_ok() || self.work.is_some() => Err(error.clone()),
            _ => self.result,
        };
        // Nobody there is fine: the caller went away.
        self.reply.send(result).ok();
    }
}
