//! What happens on its way into the books, without holding anybody up.
//!
//! ```text
//!   sinks ──add──▶ queue ──(15 to 100 ms, or 500 events)──▶ batch ──▶ the store's queue ──▶ one transaction
//!              │ full: counted, and told by a notice; of what must not be lost also as an error of the next call
//!              │                                           ▲
//!              └────────── before a change of state ───────┘
//! ```
//!
//! What ends a process by force loses what was in the queue: at most the last 100 ms and what one transaction takes. Whatever is
//! in the store's queue keeps its order, so the events of a sandbox come before the operation that was begun after them.

mod batch;
mod queue;
mod thread;

#[cfg(test)]
mod tests;

use batch::Batch;
use isobox_contract::{Error, ErrorCode, Report, Result};
use isobox_control::{NewEvent, Store};
use queue::Queue;
use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Takes events from anywhere.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    /// The process that has the thread. In a child that was forked, a lock may be held by a thread that is not there.
    process: u32,
    shared: Arc<Shared>,
}

struct Shared {
    store: Arc<dyn Store>,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Held while a batch goes from one queue to the other, so that batches keep their order.
    turn: Mutex<()>,
    under_way: AtomicUsize,
    /// Why the last batch could not be written; nothing when it could.
    trouble: Mutex<Option<Report>>,
}

impl Recorder {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        let shared = Shared {
            store,
            queue: Mutex::default(),
            changed: Condvar::new(),
            turn: Mutex::default(),
            under_way: AtomicUsize::new(0),
            trouble: Mutex::default(),
        };
        Self { process: std::process::id(), shared: Arc::new(shared) }
    }

    fn is_here(&self) -> bool {
        std::process::id() == self.process
    }

    /// Takes an event, to be written soon.
    pub(crate) fn add(&self, event: NewEvent) {
        if !self.is_here() {
            return;
        }
        let mut queue = self.shared.queue();
        if queue.add(event) {
            self.shared.changed.notify_one();
        }
        if queue.needs_thread() {
            thread::start(&self.shared, &mut queue);
        }
    }

    /// Does something in the store that comes after everything that was taken before.
    pub(crate) async fn before<T>(&self, next: impl Future<Output = T>) -> T {
        if !self.is_here() {
            return next.await;
        }
        let batches: Vec<_> = std::iter::from_fn(|| Batch::take(&self.shared)).collect();
        if batches.is_empty() {
            return next.await;
        }
        let settled = futures::future::join_all(batches.into_iter().map(Batch::settled));
        let (done, _) = futures::future::join(next, settled).await;
        done
    }

    /// Fails once when something was lost since that must not be, because the store has failed for long.
    pub(crate) fn check(&self) -> Result<()> {
        // A child that was forked has lost nothing, and a lock may be held in it for ever.
        if !self.is_here() {
            return Ok(());
        }
        let lost = self.shared.queue().take_failed();
        if lost == 0 {
            return Ok(());
        }
        let trouble = self.shared.trouble();
        let code = trouble.as_ref().map_or(ErrorCode::Io, |trouble| trouble.kind);
        let why = trouble.map_or_else(|| "it was too slow".to_owned(), |trouble| trouble.message);
        let message =
            format!("{lost} states and ends of operations are lost that the control plane could not keep: {why}");
        Err(Error::new(code, message).retryable(true))
    }

    /// Why what happens cannot be written down now; nothing when it can.
    pub(crate) fn trouble(&self) -> Option<Report> {
        if self.is_here() { self.shared.trouble() } else { None }
    }

    /// Waits until everything that was taken before is written.
    pub(crate) async fn flush(&self) -> Result<()> {
        if !self.is_here() {
            return Err(Error::forked());
        }
        self.check()?;
        while let Some(batch) = Batch::take(&self.shared) {
            batch.settled().await?;
        }
        if self.shared.under_way.load(Ordering::Acquire) > 0 {
            // Whatever is under way is before this in the store's queue.
            self.shared.store.append_events(Vec::new()).await?;
        }
        Ok(())
    }

    /// Takes no more. What was taken is written all the same.
    pub(crate) fn close(&self) {
        self.shared.queue().close();
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn trouble(&self) -> Option<Report> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers what came of the last batch.
    fn went(&self, error: Option<&Error>) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = error.map(Report::from);
    }

    /// No code of others runs under the lock, so a panic cannot leave the queue half changed.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Shared {
    /// Without the locks, which may be held for ever in a forked child.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").finish_non_exhaustive()
    }
}
