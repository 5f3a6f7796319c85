//! When the sandbox has to end: lease, ttl and idle timeout.
//!
//! ```text
//! lease   runs while no owner is connected        ── over ──> OWNER_LOST     (longer before the first one)
//! ttl     runs always                             ── over ──> EXPIRED
//! idle    runs while no operation is going on     ── over ──> IDLE
//!
//! ttl or idle over, and that is a pause: both rest ──touch──> both begin anew
//! ```
//!
//! All three are kept on the monotonic clock, so a clock that is set does nothing to them. Only clients can change
//! them: nothing in the sandbox has the token.

use isobox_wire::system::SetLifetimes;
use isobox_wire::{Lifetimes, Settings, settings::ended};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// What the first owner has at least. What starts the agent may be late to say so: an engine of containers on a machine that does
/// much else takes longer for it than a lease is.
const BEGINNING: Duration = Duration::from_secs(30);

#[derive(Debug)]
struct State {
    lease: Option<Duration>,
    owners: usize,
    /// Whether there was an owner ever.
    owned: bool,
    ownerless_since: Instant,
    /// The whole of it, for when it begins anew.
    ttl: Option<Duration>,
    ttl_end: Option<Instant>,
    /// Whether the ttl and the idle timeout have done what they are for.
    resting: bool,
    idle_timeout: Option<Duration>,
    busy: usize,
    idle_since: Instant,
}

impl State {
    /// The deadline that passes first, and what its passing means. A deadline that no clock can reach never passes.
    fn next(&self) -> Option<(Instant, u8)> {
        let lease = self.lease.map(|lease| if self.owned { lease } else { lease.max(BEGINNING) });
        let lease = lease.filter(|_| self.owners == 0).and_then(|lease| self.ownerless_since.checked_add(lease));
        let idle = self.idle_timeout.filter(|_| self.busy == 0).and_then(|idle| self.idle_since.checked_add(idle));
        let idle = idle.filter(|_| !self.resting);
        let ttl_end = self.ttl_end.filter(|_| !self.resting);
        let candidates = [(ttl_end, ended::EXPIRED), (lease, ended::OWNER_LOST), (idle, ended::IDLE)];
        candidates.into_iter().filter_map(|(at, code)| Some((at?, code))).min_by_key(|(at, _)| *at)
    }
}

/// The deadlines of this sandbox.
#[derive(Clone)]
pub(crate) struct Deadlines {
    state: Arc<Mutex<State>>,
    changed: Arc<Notify>,
}

/// While it lives, an owner is connected.
pub(crate) struct Hold(Deadlines);

/// While it lives, the sandbox is not idle.
pub(crate) struct Activity(Deadlines);

impl Deadlines {
    pub(crate) fn new(settings: &Settings) -> Self {
        let now = Instant::now();
        let state = State {
            lease: settings.lease,
            owners: 0,
            owned: false,
            ownerless_since: now,
            ttl: settings.ttl,
            ttl_end: settings.ttl.and_then(|ttl| now.checked_add(ttl)),
            resting: false,
            idle_timeout: settings.idle_timeout,
            busy: 0,
            idle_since: now,
        };
        Self { state: Arc::new(Mutex::new(state)), changed: Arc::new(Notify::new()) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a deadline has passed, and says which as the agent's exit code.
    pub(crate) async fn expired(&self) -> u8 {
        loop {
            let changed = self.changed.notified();
            let next = self.state().next();
            match next {
                Some((at, code)) if at <= Instant::now() => return code,
                Some((at, _)) => drop(tokio::time::timeout_at(at, changed).await),
                None => changed.await,
            }
        }
    }

    /// Waits until no owner is connected.
    pub(crate) async fn no_owner(&self) {
        loop {
            let changed = self.changed.notified();
            if self.state().owners == 0 {
                return;
            }
            changed.await;
        }
    }

    /// An owner has connected.
    pub(crate) fn hold(&self) -> Hold {
        let mut state = self.state();
        state.owners += 1;
        state.owned = true;
        Hold(self.clone())
    }

    /// Something is going on.
    pub(crate) fn busy(&self) -> Activity {
        self.state().busy += 1;
        Activity(self.clone())
    }

    /// The ttl or the idle timeout has paused the sandbox, and neither counts until somebody touches it.
    pub(crate) fn rest(&self) {
        self.state().resting = true;
    }

    /// What is in force, with what is left of the ttl: all of it while it rests.
    pub(crate) fn lifetimes(&self) -> Lifetimes {
        let state = self.state();
        let left = |end: Instant| end.saturating_duration_since(Instant::now());
        let ttl = if state.resting { state.ttl } else { state.ttl_end.map(left) };
        Lifetimes { lease: state.lease, ttl, idle_timeout: state.idle_timeout }
    }

    /// Changes what `set` names.
    pub(crate) fn set(&self, set: &SetLifetimes) {
        let mut state = self.state();
        let now = Instant::now();
        if let Some(lease) = set.lease {
            state.lease = lease;
        }
        if let Some(ttl) = set.ttl {
            state.ttl = ttl;
            state.ttl_end = ttl.and_then(|ttl| now.checked_add(ttl));
        }
        if let Some(idle_timeout) = set.idle_timeout {
            state.idle_timeout = idle_timeout;
        }
        if set.touch && std::mem::take(&mut state.resting) {
            state.ttl_end = state.ttl.and_then(|ttl| now.checked_add(ttl));
        }
        if set.touch || set.idle_timeout.is_some() {
            state.idle_since = now;
        }
        drop(state);
        self.changed.notify_waiters();
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.owners -= 1;
        state.ownerless_since = Instant::now();
        drop(state);
        self.0.changed.notify_waiters();
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.busy -= 1;
        state.idle_since = Instant::now();
        let idle = state.busy == 0 && state.idle_timeout.is_some();
        drop(state);
        if idle {
            self.0.changed.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox_wire::{Blob, settings::Place};

    fn deadlines(lease: Option<u64>, ttl: Option<u64>, idle: Option<u64>) -> Deadlines {
        let seconds = |given: Option<u64>| given.map(Duration::from_secs);
        Deadlines::new(&Settings {
            build: String::new(),
            token: Blob::new(),
            env: Vec::new(),
            user: None,
            workdir: None,
            make_workdir: false,
            temporary: None,
            place: Place::Sandbox,
            lifeline: None,
            lease: seconds(lease),
            ttl: seconds(ttl),
            idle_timeout: seconds(idle),
            pause_after: Vec::new(),
        })
    }

    #[tokio::test(start_paused = true)]
    async fn the_lease_runs_only_while_no_owner_is_connected() {
        let deadlines = deadlines(Some(5), None, None);
        let begun = Instant::now();
        let held = deadlines.hold();
        assert!(tokio::time::timeout(Duration::from_secs(60), deadlines.expired()).await.is_err());
        drop(held);
        assert_eq!(deadlines.expired().await, ended::OWNER_LOST);
        assert_eq!(begun.elapsed().as_secs(), 65);
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_owner_may_be_late() {
        for (lease, expected) in [(5, BEGINNING.as_secs()), (100, 100)] {
            let deadlines = deadlines(Some(lease), None, None);
            let begun = Instant::now();
            assert_eq!(deadlines.expired().await, ended::OWNER_LOST);
            assert_eq!(begun.elapsed().as_secs(), expected);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_ttl_runs_whoever_is_connected_and_whatever_runs() {
        let deadlines = deadlines(Some(5), Some(100), Some(5));
        let (_held, _busy) = (deadlines.hold(), deadlines.busy());
        let begun = Instant::now();
        assert_eq!(deadlines.expired().await, ended::EXPIRED);
        assert_eq!(begun.elapsed().as_secs(), 100);
    }

    #[tokio::test(start_paused = true)]
    async fn what_has_paused_the_sandbox_rests_until_it_is_touched_and_the_lease_does_not() {
        let deadlines = deadlines(Some(5), Some(100), Some(200));
        let held = deadlines.hold();
        assert_eq!(deadlines.expired().await, ended::EXPIRED);
        deadlines.rest();
        assert!(tokio::time::timeout(Duration::from_secs(1000), deadlines.expired()).await.is_err());
        assert_eq!(deadlines.lifetimes().ttl, Some(Duration::from_secs(100)));
        deadlines.set(&SetLifetimes { touch: true, ..SetLifetimes::default() });
        let begun = Instant::now();
        assert_eq!(deadlines.expired().await, ended::EXPIRED);
        assert_eq!(begun.elapsed().as_secs(), 100);
        deadlines.rest();
        drop(held);
        assert_eq!(deadlines.expired().await, ended::OWNER_LOST);
    }

    #[tokio::test(start_paused = true)]
    async fn idle_starts_again_when_the_last_operation_ends() {
        let deadlines = deadlines(None, None, Some(10));
        let begun = Instant::now();
        let (first, second) = (deadlines.busy(), deadlines.busy());
        drop(first);
        tokio::time::sleep(Duration::from_secs(30)).await;
        drop(second);
        assert_eq!(deadlines.expired().await, ended::IDLE);
        assert_eq!(begun.elapsed().as_secs(), 40);
    }

    #[tokio::test(start_paused = true)]
    async fn a_deadline_beyond_every_clock_is_never() {
        let deadlines = deadlines(None, Some(u64::MAX), Some(u64::MAX));
        deadlines.set(&SetLifetimes { ttl: Some(Some(Duration::MAX)), ..SetLifetimes::default() });
        assert!(tokio::time::timeout(Duration::from_secs(1 << 30), deadlines.expired()).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_shorter_ttl_takes_effect_at_once() {
        let deadlines = deadlines(None, Some(1000), None);
        let begun = Instant::now();
        let waiting = tokio::spawn({
            let deadlines = deadlines.clone();
            async move { deadlines.expired().await }
        });
        tokio::task::yield_now().await;
        deadlines.set(&SetLifetimes { ttl: Some(Some(Duration::from_secs(1))), ..SetLifetimes::default() });
        assert_eq!(waiting.await.unwrap(), ended::EXPIRED);
        assert_eq!(begun.elapsed().as_secs(), 1);
    }
}
