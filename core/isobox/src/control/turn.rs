//! Waiting for room on the machine.
//!
//! ```text
//!   ask ─▶ room ──────────────────────────────────────────────────────────────────▶ begun
//!      └─▶ ticket ─▶ the line of this process ─▶ the first in it watches the store ─▶ ask again
//!                      └─ its time is over: overloaded        └─ dropped: the ticket goes
//! ```
//!
//! The wait is a task of its own: a caller that does not look at its future holds up nobody.

use super::{Control, in_background};
use futures::future::BoxFuture;
use isobox_contract::event::{Progress, ProgressUnit};
use isobox_contract::{Action, Error, EventKind, EventSink, OperationId, Report, Result, State};
use isobox_control::{Held, Standing, Store, bury};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

/// How long to wait for a change before looking whether processes have died, which nothing announces.
const LOOK: Duration = Duration::from_millis(500);
/// How long another request may have a turn and not take it, as one of a process that is stopped.
const STALLED: Duration = Duration::from_secs(5);

/// How a request waits.
#[derive(Clone)]
pub(crate) struct Patience {
    /// When its caller gives up, if that is before its time in the queue is over.
    pub(crate) until: Option<Instant>,
    /// Who is told that it waits.
    pub(crate) events: Arc<dyn EventSink>,
}

/// A request that may have to wait.
pub(super) struct Waiting {
    pub(super) operation: OperationId,
    /// What is begun with it.
    pub(super) others: Vec<OperationId>,
    pub(super) action: Action,
    /// The state of its sandbox when it was begun and nobody wants it any more.
    pub(super) undone: State,
    pub(super) background: bool,
    pub(super) patience: Patience,
}

/// What the store says to a request.
pub(super) enum Answer<R, T> {
    /// It needs no room, or has it.
    Here(T),
    /// It has a ticket.
    Queued(R, Held),
}

/// Asks the store.
pub(super) type Ask<R, T> = fn(Arc<dyn Store>, R) -> BoxFuture<'static, Result<Answer<R, T>>>;

/// Those of this process that wait: the first watches the store for all of them.
#[derive(Debug, Default)]
pub(super) struct Lines {
    callers: Arc<Mutex<()>>,
    background: Arc<Mutex<()>>,
}

impl Control {
    /// Asks, and waits for a turn when there is no room. `overloaded` when none comes in time.
    pub(super) async fn admitted<R, T>(&self, waiting: Waiting, request: R, ask: Ask<R, T>) -> Result<T>
    where
        R: Send + 'static,
        T: Send + 'static,
    {
        // Before it is asked: whoever stops waiting for that does not know whether there is a ticket.
        let mut ticket = Ticket::of(self.store.clone(), &waiting);
        match ask(self.store.clone(), request).await {
            Ok(Answer::Queued(request, held)) => {
                waiting.tell(&held);
                let turn = self.turn(&waiting, held);
                let answer = ticket.wait.insert(tokio::spawn(turn.taken(request, ask))).await;
                ticket.settled = true;
                answer.unwrap_or_else(|_| Err(Error::internal("a wait for room ended without a word")))
            }
            Ok(Answer::Here(answer)) => {
                ticket.is_none();
                Ok(answer)
            }
            Err(error) => {
                ticket.is_none();
                Err(error)
            }
        }
    }

    fn turn(&self, waiting: &Waiting, held: Held) -> Turn {
        let line = if waiting.background { &self.lines.background } else { &self.lines.callers };
        let (now, wait) = (Instant::now(), held.wait);
        // Waits are a day at most.
        let until = now.checked_add(wait).unwrap_or(now);
        Turn {
            home: self.home.clone(),
            store: self.store.clone(),
            line: line.clone(),
            operation: waiting.operation,
            until: waiting.patience.until.map_or(until, |other| other.min(until)),
            held,
        }
    }
}

impl Waiting {
    fn tell(&self, held: &Held) {
        let progress = Progress {
            code: "queue.wait".to_owned(),
            message: Some(format!("waits for room: the limit {} of {} is reached", held.limit, held.max)),
            completed: None,
            total: Some(held.waiting),
            unit: Some(ProgressUnit::Items),
        };
        self.patience.events.emit(EventKind::OperationProgress { action: self.action, progress });
    }
}

/// The ticket of a request, as far as is known here. Dropping it ends the wait, undoes what came of it that nobody has
/// heard of, and takes the ticket back.
struct Ticket<T: Send + 'static> {
    store: Arc<dyn Store>,
    operation: OperationId,
    others: Vec<OperationId>,
    undone: State,
    wait: Option<JoinHandle<Result<T>>>,
    settled: bool,
    none: bool,
}

impl<T: Send + 'static> Ticket<T> {
    fn of(store: Arc<dyn Store>, waiting: &Waiting) -> Self {
        let (operation, others, undone) = (waiting.operation, waiting.others.clone(), waiting.undone);
        Self { store, operation, others, undone, wait: None, settled: false, none: false }
    }

    /// There is none.
    fn is_none(&mut self) {
        self.none = true;
    }
}

impl<T: Send + 'static> Drop for Ticket<T> {
    fn drop(&mut self) {
        if self.none {
            return;
        }
        let (store, operation, undone) = (self.store.clone(), self.operation, self.undone);
        let others = std::mem::take(&mut self.others);
        let wait = self.wait.take().filter(|_| !self.settled);
        in_background(async move {
            if let Some(wait) = wait {
                wait.abort();
                // What it has asked may still be done until it has ended.
                if !wait.is_finished() {
                    drop(wait.await);
                }
                let given_up = Report::from(&Error::cancelled("the wait for room"));
                // Usually nothing was begun.
                for operation in std::iter::once(operation).chain(others) {
                    let _ = store.fail(&operation, given_up.clone(), Some(undone)).await;
                }
            }
            if let Err(error) = store.leave_queue(&operation).await {
                tracing::warn!(code = %error.code(), "a ticket is not taken back, and holds others up for some seconds");
            }
        });
    }
}

/// The wait of one request.
struct Turn {
    home: PathBuf,
    store: Arc<dyn Store>,
    line: Arc<Mutex<()>>,
    operation: OperationId,
    until: Instant,
    held: Held,
}

impl Turn {
    /// Waits and asks until the answer is another than to wait.
    async fn taken<R, T>(mut self, mut request: R, ask: Ask<R, T>) -> Result<T> {
        let line = self.line.clone();
        let Ok(_first) = timeout_at(self.until, line.lock()).await else { return Err(self.held.overloaded()) };
        loop {
            if !self.comes().await? {
                return Err(self.held.overloaded());
            }
            // Without a deadline of its own: what was begun must be known.
            match ask(self.store.clone(), request).await? {
                Answer::Here(answer) => return Ok(answer),
                Answer::Queued(again, held) => (request, self.held) = (again, held),
            }
        }
    }

    /// Waits for the turn; false when the time is over.
    async fn comes(&self) -> Result<bool> {
        let mut stalled: Option<(OperationId, Instant)> = None;
        while Instant::now() < self.until {
            // Asked for first: the change may come between the two.
            let last = self.store.last_sequence().await?;
            match self.store.standing(&self.operation).await? {
                Standing::Full => stalled = None,
                Standing::Behind(other) => stalled = Some(self.outlast(other, stalled).await?),
                _ => return Ok(true),
            }
            let look = (Instant::now() + LOOK).min(self.until);
            match timeout_at(look, self.store.wait_past(last)).await {
                Ok(seen) => drop(seen?),
                // The dead hold no room once they are known.
                Err(_) => drop(bury(&self.home, &*self.store).await?),
            }
        }
        Ok(false)
    }

    /// Minds a request that has the turn and does not take it, since when it was seen, and takes its ticket for it when that
    /// is too long ago. It gets another if it still lives.
    async fn outlast(
        &self,
        other: OperationId,
        seen: Option<(OperationId, Instant)>,
    ) -> Result<(OperationId, Instant)> {
        let now = Instant::now();
        match seen {
            Some((known, since)) if known == other => {
                if now.duration_since(since) > STALLED {
                    tracing::warn!(operation = %other, "a request did not take its turn and is passed over");
                    self.store.leave_queue(&other).await?;
                }
                Ok((other, since))
            }
            _ => Ok((other, now)),
        }
    }
}

impl fmt::Debug for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patience").field("until", &self.until).finish_non_exhaustive()
    }
}
