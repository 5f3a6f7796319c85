//! Events from any point on, then as they happen.
//!
//! A follower reads from the store at its own pace, so it loses nothing and slows nobody, however late it comes.

use crate::record::EventFilter;
use crate::store::Store;
use futures::Stream;
use isobox_contract::{Event, Result};
use std::collections::VecDeque;
use std::sync::Arc;

/// What a follower gets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Followed {
    /// An event. Each that matches comes once, in the order of the numbers.
    Event(Box<Event>),
    /// Events from the point that was asked for are not kept any more; those from `oldest` on follow.
    Gone {
        /// The number of the oldest that is kept.
        oldest: u64,
    },
}

/// Follows the events after a number: 0 is from the beginning, [`Store::last_sequence`] is from now on.
pub fn follow(store: Arc<dyn Store>, after: u64, filter: EventFilter) -> Follow {
    Follow { store, filter, position: after, ready: VecDeque::new() }
}

/// A follower.
#[derive(Debug)]
pub struct Follow {
    store: Arc<dyn Store>,
    filter: EventFilter,
    /// Everything up to here was looked at.
    position: u64,
    ready: VecDeque<Followed>,
}

/// How many events are read at once.
const PAGE: usize = 500;

impl Follow {
    /// The next event; waits when there is none. Cancel safe: nothing is lost. After an error it can be called again.
    pub async fn next(&mut self) -> Result<Followed> {
        loop {
            if let Some(followed) = self.ready.pop_front() {
                return Ok(followed);
            }
            self.read().await?;
            if self.ready.is_empty() {
                self.store.wait_past(self.position).await?;
            }
        }
    }

    /// The next event that is there already; nothing when there is no more for now. Cancel safe. After nothing it can be
    /// called again.
    pub async fn next_now(&mut self) -> Result<Option<Followed>> {
        loop {
            if let Some(followed) = self.ready.pop_front() {
                return Ok(Some(followed));
            }
            let before = self.position;
            self.read().await?;
            if self.ready.is_empty() && self.position == before {
                return Ok(None);
            }
        }
    }

    /// Reads a page.
    async fn read(&mut self) -> Result<()> {
        let page = self.store.events_after(self.position, self.filter.clone(), PAGE).await?;
        self.ready.extend(page.gone.map(|oldest| Followed::Gone { oldest }));
        self.ready.extend(page.events.into_iter().map(|event| Followed::Event(Box::new(event))));
        self.position = page.through;
        Ok(())
    }

    /// The same as a stream, which ends after an error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Followed>> + Send + 'static {
        futures::stream::unfold(Some(self), |follow| async move {
            let mut follow = follow?;
            match follow.next().await {
                Ok(followed) => Some((Ok(followed), Some(follow))),
                Err(error) => Some((Err(error), None)),
            }
        })
    }
}
