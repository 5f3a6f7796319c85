//! Cleaning up after other processes for as long as this one has isobox open.
//!
//! ```text
//!   opened ─▶ round ─▶ wait ─▶ round ─▶ ...        every round is a task of its own: when it panics, the next comes all the same
//!     └──────── the task is gone with its runtime ─▶ the next call starts it again, in the runtime of that call
//! ```
//!
//! A round looks whether a process has died, which costs one read and a look at a lock for each process. Only if one has, what
//! dead processes have left is removed. Every process does that, at moments of its own, and the operations of the control plane
//! let only one remove a sandbox. What belongs to nobody is looked after too, in every [`THOROUGH`]th round of the process that
//! has isobox open for the longest. What is over for long is dropped by whoever is the first to find that due.

use super::Control;
use super::garbage::Reconciled;
use super::reconcile::Pass;
use crate::registry::Registry;
use isobox_contract::Result;
use isobox_control::{Life, life};
use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;

/// How often it is looked unless the builder says otherwise.
pub(crate) const DEFAULT_PERIOD: Duration = Duration::from_secs(30);
/// Every so many rounds everything is looked at.
const THOROUGH: u64 = 20;

/// The task that cleans up. It ends with this.
#[derive(Debug)]
pub(crate) struct Janitor {
    period: Duration,
    /// The process whose runtime has the task. In a child that was forked nothing of it is touched.
    process: u32,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Janitor {
    pub(crate) fn new(period: Duration) -> Self {
        Self { period, process: std::process::id(), task: Mutex::default() }
    }

    /// Starts the task if it does not run. `round` gives a round's work, and nothing when isobox is not open any more.
    pub(crate) fn ensure<W, F>(&self, round: impl Fn(u64) -> Option<W> + Send + 'static)
    where
        W: FnOnce() -> F,
        F: Future<Output = Result<()>> + Send + 'static,
    {
        if std::process::id() != self.process {
            return;
        }
        let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        if task.as_ref().is_some_and(|task| !task.is_finished()) {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let period = self.period;
        *task = Some(runtime.spawn(async move {
            for number in 0.. {
                let Some(work) = round(number) else { return };
                let done = tokio::spawn(work()).await;
                match done {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => {
                        tracing::warn!(code = %error.code(), "what dead processes have left could not be removed");
                    }
                    Err(error) if error.is_panic() => tracing::error!("cleaning up after dead processes has panicked"),
                    // The runtime ends.
                    Err(_) => return,
                }
                tokio::time::sleep(period.mul_f64(if number == 0 { jitter() } else { 1.0 })).await;
            }
        }));
    }
}

impl Drop for Janitor {
    fn drop(&mut self) {
        if std::process::id() == self.process
            && let Some(task) = self.task.get_mut().unwrap_or_else(PoisonError::into_inner).take()
        {
            task.abort();
        }
    }
}

/// From 0.5 to 1, so that processes that began together do not all look at once.
fn jitter() -> f64 {
    let now = isobox_contract::Timestamp::now().unix().1;
    0.5 + f64::from(now % 1000) / 2000.0
}

impl Control {
    /// One round of cleaning up.
    pub(crate) async fn clean(&self, registry: &Registry, number: u64) -> Result<Reconciled> {
        let done = self.clean_after_the_dead(registry, number).await;
        if let Err(error) = self.prune_when_due().await {
            tracing::warn!(code = %error.code(), "what is over for long could not be dropped, it is tried again later");
        }
        done
    }

    async fn clean_after_the_dead(&self, registry: &Registry, number: u64) -> Result<Reconciled> {
        isobox_fault::point!("janitor.round");
        let owners = self.store().owners().await?;
        let dead = owners.iter().any(|owner| life(&self.home, owner) == Life::Dead);
        let first = owners.iter().find(|owner| life(&self.home, owner) != Life::Dead);
        let thorough =
            number > 0 && number.is_multiple_of(THOROUGH) && first.is_some_and(|first| first.id == self.owner());
        if number > 0 && !dead && !thorough {
            return Ok(Reconciled::default());
        }
        self.reconcile(registry, Pass { all: thorough, dry_run: false }).await
    }
}
