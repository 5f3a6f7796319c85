//! A clock that a test moves.
//!
//! ```text
//!   advance ──▶ the earliest alarm that is due ──▶ its time is now, it rings ──▶ again, up to the target
//! ```
//!
//! Everything of a double that takes time or ends at a time is an alarm of its clock. Alarms ring one after the other, in the
//! order of their times and each at exactly its time, within the call that moves the clock; so what a test sees afterwards
//! does not depend on the machine.

use crate::sync::locked;
use isobox_contract::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

/// A clock that only a test moves. Cheap to clone; all clones are the same.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use isobox_testing::Clock;
/// use std::time::Duration;
///
/// let clock = Clock::skipping();
/// clock.sleep(Duration::from_secs(3600)).await;                       // takes no time
/// assert_eq!(clock.elapsed(), Duration::from_secs(3600));
///
/// let clock = Clock::manual();
/// let sleeper = tokio::spawn({ let clock = clock.clone(); async move { clock.sleep(Duration::from_secs(60)).await } });
/// clock.until_awaited().await;                                        // it sleeps by now
/// clock.advance(Duration::from_secs(60));
/// sleeper.await.unwrap();
/// # }
/// ```
#[derive(Clone)]
pub struct Clock {
    inner: Arc<Inner>,
}

struct Inner {
    skips: bool,
    started: Timestamp,
    state: Mutex<State>,
    /// Alarms ring one at a time.
    turn: Mutex<()>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    now: Duration,
    numbers: u64,
    alarms: BTreeMap<AlarmId, Alarm>,
    /// Until when somebody waits, and which wait it is.
    awaited: BTreeSet<AlarmId>,
}

impl State {
    /// Whether somebody waits for a time that is to come. Who waits for one that has come has just not noticed.
    fn is_awaited(&self) -> bool {
        self.awaited.last().is_some_and(|(until, _)| *until > self.now)
    }
}

/// When an alarm rings, and which one it is.
pub(crate) type AlarmId = (Duration, u64);
type Alarm = Box<dyn FnOnce() + Send>;

impl Clock {
    /// A clock that jumps: whoever waits for a delay moves it there at once, past every alarm that is due on the way. A
    /// delay takes no time then, and the order of events is the one that real time would have given. Lifetimes end when
    /// [`advance`](Self::advance) or a delay passes them, never by themselves.
    pub fn skipping() -> Self {
        Self::new(true)
    }

    /// A clock that stands still but for [`advance`](Self::advance): a delay lasts until a test has moved the clock so far.
    pub fn manual() -> Self {
        Self::new(false)
    }

    fn new(skips: bool) -> Self {
        let inner = Inner {
            skips,
            started: Timestamp::now(),
            state: Mutex::default(),
            turn: Mutex::default(),
            changed: watch::Sender::new(()),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The time now. It begins with the time at which the clock was made.
    pub fn now(&self) -> Timestamp {
        self.at(self.elapsed())
    }

    /// How far the clock has been moved.
    pub fn elapsed(&self) -> Duration {
        locked(&self.inner.state).now
    }

    /// Moves it. Everything that is due up to then has happened when this returns.
    pub fn advance(&self, by: Duration) {
        self.reach(self.elapsed().saturating_add(by));
    }

    /// Moves it to the next alarm; false when there is none.
    pub fn advance_to_next(&self) -> bool {
        let next = locked(&self.inner.state).alarms.keys().next().map(|(at, _)| *at);
        next.is_some_and(|at| {
            self.reach(at);
            true
        })
    }

    /// Waits for that long by this clock. Cancel safe.
    pub async fn sleep(&self, duration: Duration) {
        let until = self.elapsed().saturating_add(duration);
        if self.inner.skips {
            self.reach(until);
            // Whoever was woken on the way has a turn.
            return tokio::task::yield_now().await;
        }
        let (ring, mut rung) = watch::channel(false);
        let id = self.alarm(until, move || {
            ring.send_replace(true);
        });
        let _guard = Sleeping::new(self.clone(), id);
        // An error says that the clock is gone, with everything that could wait for it.
        let _ = rung.wait_for(|rung| *rung).await;
    }

    /// Waits, in real time, until somebody waits for a time to come by this clock: then a test can move it and knows what it moves
    /// past. Returns at once when there is such a wait already.
    pub async fn until_awaited(&self) {
        let mut changed = self.inner.changed.subscribe();
        while !locked(&self.inner.state).is_awaited() {
            // Sent by this clock, which is there.
            let _ = changed.changed().await;
        }
    }

    pub(crate) fn skips(&self) -> bool {
        self.inner.skips
    }

    /// The time at so much of [`elapsed`](Self::elapsed).
    pub(crate) fn at(&self, elapsed: Duration) -> Timestamp {
        self.inner.started.checked_add(elapsed).unwrap_or(Timestamp::MAX)
    }

    /// Rings at a time, or at the next move when that has passed.
    pub(crate) fn alarm(&self, at: Duration, ring: impl FnOnce() + Send + 'static) -> AlarmId {
        let mut state = locked(&self.inner.state);
        state.numbers += 1;
        let id = (at, state.numbers);
        state.alarms.insert(id, Box::new(ring));
        id
    }

    pub(crate) fn silence(&self, id: AlarmId) {
        // What it holds may need the clock when it goes.
        let alarm = locked(&self.inner.state).alarms.remove(&id);
        drop(alarm);
    }

    /// Moves to a time; nothing for one that has passed.
    pub(crate) fn reach(&self, target: Duration) {
        let _turn = locked(&self.inner.turn);
        while let Some(alarm) = self.due(target) {
            alarm();
        }
        let mut state = locked(&self.inner.state);
        state.now = state.now.max(target);
    }

    fn due(&self, target: Duration) -> Option<Alarm> {
        let mut state = locked(&self.inner.state);
        let first = state.alarms.first_entry().filter(|first| first.key().0 <= target)?;
        let ((at, _), alarm) = first.remove_entry();
        state.now = state.now.max(at);
        Some(alarm)
    }

    /// Counts as a wait for this time, for as long as the guard is there.
    pub(crate) fn awaited(&self, until: Duration) -> Awaited {
        let wait = {
            let mut state = locked(&self.inner.state);
            state.numbers += 1;
            let wait = (until, state.numbers);
            state.awaited.insert(wait);
            wait
        };
        self.inner.changed.send_replace(());
        Awaited { clock: self.clone(), wait }
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = locked(&self.inner.state);
        f.debug_struct("Clock")
            .field("elapsed", &state.now)
            .field("skips", &self.inner.skips)
            .field("alarms", &state.alarms.keys().map(|(at, _)| at).collect::<Vec<_>>())
            .finish()
    }
}

/// A wait for a delay.
pub(crate) struct Awaited {
    clock: Clock,
    wait: AlarmId,
}

impl Drop for Awaited {
    fn drop(&mut self) {
        locked(&self.clock.inner.state).awaited.remove(&self.wait);
    }
}

struct Sleeping {
    id: AlarmId,
    awaited: Awaited,
}

impl Sleeping {
    fn new(clock: Clock, id: AlarmId) -> Self {
        Self { id, awaited: clock.awaited(id.0) }
    }
}

impl Drop for Sleeping {
    fn drop(&mut self) {
        self.awaited.clock.silence(self.id);
    }
}
