//! A sandbox that a pool keeps ready.

use crate::control::in_background;
use crate::sandbox::Sandbox;
use futures::{FutureExt, StreamExt};
use isobox_contract::Result;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// How many sandboxes are removed at once when a pool is closed.
const REMOVED_AT_ONCE: usize = 8;

/// A sandbox that nobody has used.
pub(super) struct Ready {
    sandbox: Sandbox,
    since: Instant,
    /// Whether other processes may have taken it.
    offered: bool,
    /// Tells the keeper when it dies.
    watch: JoinHandle<()>,
}

impl Ready {
    /// One that was made just now. `needed` is told when it dies.
    pub(super) fn new(sandbox: Sandbox, offered: bool, needed: Arc<Notify>) -> Self {
        let raw = sandbox.shared();
        let watch = tokio::spawn(async move {
            if raw.ended().await.is_ok() {
                needed.notify_one();
            }
        });
        Self { sandbox, since: Instant::now(), offered, watch }
    }

    pub(super) fn since(&self) -> Instant {
        self.since
    }

    pub(super) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// It was taken by this process, and no other will have it. Whether others might have.
    pub(super) fn claim(&mut self) -> bool {
        std::mem::take(&mut self.offered)
    }

    /// Removes what nobody will use. What another process has taken is left alone.
    async fn remove(self) -> Result<()> {
        if self.offered && !self.sandbox.isobox().control().store().withdraw(self.sandbox.id()).await? {
            return Ok(());
        }
        self.sandbox.delete().await
    }

    /// The same in the background. One whose keeper was killed has nobody else who does.
    pub(super) fn discard(self) {
        in_background(async move {
            if let Err(error) = self.remove().await {
                tracing::warn!(code = %error.code(), "a sandbox of a pool is not removed");
            }
        });
    }

    pub(super) fn is_dead(&self) -> bool {
        // One whose end cannot be told is looked at when it is taken.
        self.sandbox.raw().ended().now_or_never().is_some_and(|ended| ended.is_ok())
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        self.watch.abort();
    }
}

/// Removes all; the first error, when there is one.
pub(super) async fn remove_all(ready: VecDeque<Ready>) -> Result<()> {
    let removed = futures::stream::iter(ready).map(Ready::remove);
    let mut removed = removed.buffer_unordered(REMOVED_AT_ONCE);
    let mut first = Ok(());
    while let Some(one) = removed.next().await {
        first = first.and(one);
    }
    first
}
