//! One batch on its way through the store's queue.

use super::Shared;
use crate::control::in_background;
use futures::FutureExt;
use futures::future::BoxFuture;
use isobox_contract::Result;
use isobox_control::NewEvent;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Waker};

/// A batch that is in the store's queue. Dropping it lets it be written all the same.
pub(super) struct Batch {
    shared: Arc<Shared>,
    appending: Option<BoxFuture<'static, Result<u64>>>,
    /// What there was in it, in case it cannot be written.
    events: Vec<NewEvent>,
}

impl Batch {
    /// Takes the next batch, if there is anything, and puts it into the store's queue.
    pub(super) fn take(shared: &Arc<Shared>) -> Option<Self> {
        let _turn = shared.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let events = shared.queue().take();
        if events.is_empty() {
            return None;
        }
        let mut batch = Self { shared: shared.clone(), appending: None, events };
        isobox_fault::point!("recorder.taken");
        let (store, given) = (shared.store.clone(), batch.events.clone());
        let mut appending = async move { store.append_events(given).await }.boxed();
        // The first poll is what puts it into the queue.
        if let Poll::Ready(done) = appending.poll_unpin(&mut Context::from_waker(Waker::noop())) {
            appending = futures::future::ready(done).boxed();
        }
        shared.under_way.fetch_add(1, Ordering::AcqRel);
        batch.appending = Some(appending);
        Some(batch)
    }

    /// Waits until it is written.
    pub(super) async fn settled(mut self) -> Result<()> {
        let Some(appending) = &mut self.appending else { return Ok(()) };
        let done = appending.await;
        self.appending = None;
        self.shared.under_way.fetch_sub(1, Ordering::AcqRel);
        self.shared.went(done.as_ref().err());
        match done {
            Ok(_) => self.events.clear(),
            Err(ref error) => {
                tracing::warn!(code = %error.code(), events = self.events.len(), "events are not written down");
            }
        }
        done.map(drop)
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        if self.appending.is_none() {
            // Empty, unless something went wrong.
            self.shared.queue().put_back(std::mem::take(&mut self.events));
        } else {
            let (shared, appending) = (self.shared.clone(), self.appending.take());
            let rest = Self { shared, appending, events: std::mem::take(&mut self.events) };
            in_background(async move { drop(rest.settled().await) });
        }
    }
}
