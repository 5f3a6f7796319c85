//! What takers and the keeper of a pool share.

use super::builder::needs;
use super::closed;
use super::handout::TakeOptions;
use super::served::Served;
use crate::control::in_background;
use crate::order::Order;
use crate::sandbox::Sandbox;
use futures::{FutureExt, StreamExt};
use isobox_contract::{Error, Result, SandboxId};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

/// How many sandboxes are removed at once when a pool is closed.
const REMOVED_AT_ONCE: usize = 8;

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

    fn is_dead(&self) -> bool {
        // One whose end cannot be told is looked at when it is taken.
        self.sandbox.raw().ended().now_or_never().is_some_and(|ended| ended.is_ok())
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        self.watch.abort();
    }
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
        let is_old = |ready: &Ready| self.settings.max_age.is_some_and(|age| ready.since.elapsed() >= age);
        let mut state = self.state();
        let (stale, good) = std::mem::take(&mut state.ready).into_iter().partition(|one| one.is_dead() || is_old(one));
        state.ready = good;
        Vec::from(stale)
    }

    /// When the first gets too old.
    pub(super) fn next_old(&self) -> Option<Instant> {
        let age = self.settings.max_age?;
        self.state().ready.iter().filter_map(|ready| ready.since.checked_add(age)).min()
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
            (Ok(sandbox), Some(served)) => offer(sandbox, served).await,
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
        let ready = made.map(|sandbox| self.watched(sandbox));
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

    fn watched(&self, sandbox: Sandbox) -> Ready {
        let (raw, needed) = (sandbox.shared(), self.needed.clone());
        let watch = tokio::spawn(async move {
            if raw.ended().await.is_ok() {
                needed.notify_one();
            }
        });
        Ready { sandbox, since: Instant::now(), offered: self.served.is_some(), watch }
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

/// What a pool has to do with other processes.
impl Shared {
    /// Whether other processes see it.
    pub(super) fn is_served(&self) -> bool {
        self.served.is_some()
    }

    /// Lets go of what others have taken, and closes when somebody has asked for that.
    pub(super) async fn mind_others(&self) {
        let Some(served) = &self.served else { return };
        match served.offered().await {
            Ok(offered) => {
                // Each belongs to somebody else, whom the end of the handle here is nothing to.
                drop(self.not_among(&offered.sandboxes));
                if offered.ending {
                    self.ask_end();
                }
            }
            Err(error) => {
                tracing::warn!(code = %error.code(), "what others have taken from a pool is not known, it is looked again");
            }
        }
    }

    fn not_among(&self, offered: &[SandboxId]) -> Vec<Ready> {
        let mut state = self.state();
        let all = std::mem::take(&mut state.ready).into_iter();
        let (kept, taken) = all.partition(|one| offered.contains(one.sandbox.id()));
        state.ready = kept;
        state.taken += taken.len() as u64;
        Vec::from(taken)
    }

    /// Waits until other processes may have done something.
    pub(super) async fn others(&self) {
        match &self.served {
            Some(served) => served.changed().await,
            None => std::future::pending().await,
        }
    }

    /// Hands nothing out any more, and lets the keeper do the rest.
    pub(super) fn ask_end(&self) {
        self.state().closed = true;
        self.needed.notify_one();
        self.changed.notify_waiters();
    }

    /// Removes what nobody has taken, and forgets the pool.
    pub(super) async fn wind_up(&self) {
        let ended = match &self.served {
            Some(served) => served.end().await,
            None => Ok(()),
        };
        let removed = remove_all(self.close()).await;
        let forgotten = match &self.served {
            Some(served) => served.forget().await,
            None => Ok(()),
        };
        self.over.send_replace(Some(ended.and(removed).and(forgotten)));
    }

    /// Whether nothing of it is left.
    pub(super) fn is_over(&self) -> bool {
        self.over.borrow().is_some()
    }

    /// Waits for its end, and says how that went.
    pub(super) async fn over(&self) -> Result<()> {
        let mut over = self.over.subscribe();
        let over = over.wait_for(Option::is_some).await.ok().and_then(|over| over.clone());
        over.unwrap_or_else(|| Err(Error::internal("the end of a pool is not known")))
    }
}

/// Removes all; the first error, when there is one.
async fn remove_all(ready: VecDeque<Ready>) -> Result<()> {
    let removed = futures::stream::iter(ready).map(Ready::remove);
    let mut removed = removed.buffer_unordered(REMOVED_AT_ONCE);
    let mut first = Ok(());
    while let Some(one) = removed.next().await {
        first = first.and(one);
    }
    first
}

/// Lets every process take one. When that fails nobody will.
async fn offer(sandbox: Sandbox, served: &Served) -> Result<Sandbox> {
    let offered = async {
        sandbox.relinquish()?;
        isobox_fault::point!("pool.relinquished");
        served.offer(sandbox.id()).await?;
        isobox_fault::point!("pool.offered");
        Ok(())
    };
    match offered.await {
        Ok(()) => Ok(sandbox),
        Err(error) => {
            in_background(async move {
                // Its lease ends it in any case.
                drop(sandbox.delete().await);
            });
            Err(error)
        }
    }
}
