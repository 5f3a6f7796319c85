//! What takers and the keeper of a pool share.

mod others;

use super::builder::needs;
use super::closed;
use super::handout::TakeOptions;
use super::ready::Ready;
use super::served::Served;
use crate::order::Order;
use crate::sandbox::Sandbox;
use isobox_contract::{Error, Result};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};

/// How a pool is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) size: usize,
    pub(super) refills: usize,
    pub(super) max_age: Option<Duration>,
}

/// How a pool is doing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PoolStatus {
    /// How many it keeps.
    pub size: usize,
    /// How many are ready.
    pub ready: usize,
    /// How many are being made.
    pub making: usize,
    /// How many were ready when they were taken.
    pub taken: u64,
    /// How many were made when they were asked for, because none was ready.
    pub made_directly: u64,
    /// Why the last refill failed, until one succeeds.
    pub failure: Option<Error>,
}

/// What takers and the keeper share.
pub(super) struct Shared {
    /// What is kept ready.
    pub(super) order: Order,
    /// What it is when it is taken.
    wanted: Order,
    pub(super) settings: Settings,
    state: Mutex<State>,
    /// Wakes the keeper.
    pub(super) needed: Arc<Notify>,
    /// Wakes those who wait for it to be full.
    changed: Notify,
    /// What other processes see of it.
    served: Option<Served>,
    /// How its end went, once nothing of it is left.
    over: watch::Sender<Option<Result<()>>>,
}

#[derive(Default)]
struct State {
    ready: VecDeque<Ready>,
    making: usize,
    taken: u64,
    made_directly: u64,
    failure: Option<Error>,
    /// Counts failures, so that who waits sees a new one.
    failures: u64,
    closed: bool,
}

impl Shared {
    pub(super) fn new(order: Order, wanted: Order, settings: Settings, served: Option<Served>) -> Self {
        let (state, needed, changed, over) =
            (Mutex::default(), Arc::default(), Notify::new(), watch::Sender::new(None));
        Self { order, wanted, settings, state, needed, changed, served, over }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The order for one that is taken like this.
    pub(super) fn order_for(&self, options: TakeOptions) -> Result<Order> {
        let mut order = self.wanted.clone();
        if options.has_timeout() {
            order.timeout = options.patience();
        }
        if options.change(&mut order.spec) {
            order.check()?;
            needs(&order)?;
        }
        Ok(order)
    }

    pub(super) fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// The one that is ready for longest.
    pub(super) fn next(&self) -> Result<Option<Ready>> {
        let mut state = self.state();
        if state.closed {
            return Err(closed());
        }
        let next = state.ready.pop_front();
        drop(state);
        self.needed.notify_one();
        Ok(next)
    }

    /// Puts one back that was not handed out.
    pub(super) fn put_back(&self, ready: Ready) {
        let mut state = self.state();
        if state.closed {
            drop(state);
            return ready.discard();
        }
        state.ready.push_front(ready);
        drop(state);
        // Another process may have taken it meanwhile.
        self.needed.notify_one();
    }

    pub(super) fn was_taken(&self, ready: bool) {
        let mut state = self.state();
        let count = if ready { &mut state.taken } else { &mut state.made_directly };
        *count += 1;
    }

    pub(super) fn status(&self) -> PoolStatus {
        let state = self.state();
        PoolStatus {
            size: self.settings.size,
            ready: state.ready.len(),
            making: state.making,
            taken: state.taken,
            made_directly: state.made_directly,
            failure: state.failure.clone(),
        }
    }

    /// Takes out those that are dead or too old.
    pub(super) fn stale(&self) -> Vec<Ready> {
        let is_old = |ready: &Ready| self.settings.max_age.is_some_and(|age| ready.since().elapsed() >= age);
        let mut state = self.state();
        let (stale, good) = std::mem::take(&mut state.ready).into_iter().partition(|one| one.is_dead() || is_old(one));
        state.ready = good;
        Vec::from(stale)
    }

    /// When the first gets too old.
    pub(super) fn next_old(&self) -> Option<Instant> {
        let age = self.settings.max_age?;
        self.state().ready.iter().filter_map(|ready| ready.since().checked_add(age)).min()
    }

    /// How many are to be made now, beside those that are being made.
    pub(super) fn lacking(&self, making: usize) -> usize {
        let mut state = self.state();
        state.making = making;
        let lacking = self.settings.size.saturating_sub(state.ready.len() + making);
        lacking.min(self.settings.refills.saturating_sub(making))
    }

    /// Adds one that was made, or says why none was.
    pub(super) async fn refilled(&self, made: Result<Sandbox>) {
        let made = match (made, &self.served) {
            (Ok(sandbox), Some(served)) => others::offer(sandbox, served).await,
            (made, _) => made,
        };
        let before = self.state().failure.is_some();
        if let Some(served) = &self.served
            && (made.is_err() || before)
        {
            served.say(made.as_ref().err()).await;
        }
        self.add(made);
    }

    fn add(&self, made: Result<Sandbox>) {
        let ready = made.map(|sandbox| Ready::new(sandbox, self.served.is_some(), self.needed.clone()));
        let mut state = self.state();
        match ready {
            Ok(ready) if !state.closed => {
                state.failure = None;
                state.ready.push_back(ready);
            }
            Ok(ready) => ready.discard(),
            Err(error) => {
                state.failure = Some(error);
                state.failures += 1;
            }
        }
        drop(state);
        self.changed.notify_waiters();
    }

    /// What refills it has panicked.
    pub(super) fn broke_off(&self) {
        self.add(Err(Error::internal("what refills the pool has panicked and is started again")));
    }

    /// Waits until so many are ready, or a refill fails.
    pub(super) async fn ready(&self, count: usize) -> Result<()> {
        let before = self.state().failures;
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Before it is looked at: the change may come between the two.
            changed.as_mut().enable();
            {
                let state = self.state();
                if state.ready.len() >= count.min(self.settings.size) {
                    return Ok(());
                }
                if state.closed {
                    return Err(closed());
                }
                if let Some(error) = state.failure.as_ref().filter(|_| state.failures > before) {
                    return Err(error.clone());
                }
            }
            changed.await;
        }
    }

    /// Waits for a refill that fails, from now on.
    pub(super) async fn failure(&self) -> Error {
        let before = self.state().failures;
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            {
                let state = self.state();
                if let Some(error) = state.failure.as_ref().filter(|_| state.failures > before) {
                    return error.clone();
                }
            }
            changed.await;
        }
    }

    /// Hands nothing out any more; gives what is ready.
    pub(super) fn close(&self) -> VecDeque<Ready> {
        let mut state = self.state();
        state.closed = true;
        state.making = 0;
        let ready = std::mem::take(&mut state.ready);
        drop(state);
        self.changed.notify_waiters();
        ready
    }
}
