//! Wakes whoever waits for events.
//!
//! A commit of this process tells the number of its last event. For those of other processes a thread asks SQLite every
//! [`INTERVAL`], while somebody waits and a little longer, whether the file has changed (`PRAGMA data_version`, which
//! reads a counter in shared memory).

use crate::failure::from_sqlite;
use crate::fork;
use crate::open;
use isobox_contract::{Error, Result};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often another process's events are looked for.
pub(crate) const INTERVAL: Duration = Duration::from_millis(15);
/// How long the thread stays when nobody waits any more.
const LINGER: Duration = Duration::from_secs(2);

/// The number of the last event, as far as it is known here.
#[derive(Clone, Debug)]
enum Seen {
    Last(u64),
    /// No more will be heard.
    Ended(Error),
}

/// Where waiters wait.
#[derive(Debug)]
pub(crate) struct Wake {
    seen: watch::Sender<Seen>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiters: usize,
    thread: Option<JoinHandle<()>>,
    running: bool,
    closed: bool,
}

impl Wake {
    /// Nobody waits.
    pub(crate) fn new() -> Self {
        Self { seen: watch::Sender::new(Seen::Last(0)), state: Mutex::default(), changed: Condvar::new() }
    }

    /// An event with this number is in the file, and all before it.
    pub(crate) fn committed(&self, last: u64) {
        self.seen.send_if_modified(|seen| match seen {
            Seen::Last(known) if *known < last => {
                *known = last;
                true
            }
            _ => false,
        });
    }

    /// Waits for an event after `sequence`, and gives the number of the last. Cancel safe.
    pub(crate) async fn past(self: &Arc<Self>, path: &Path, sequence: u64) -> Result<u64> {
        let mut seen = self.seen.subscribe();
        let _waiter = self.enter(path)?;
        let found = seen.wait_for(|seen| !matches!(seen, Seen::Last(last) if *last <= sequence)).await;
        match found.as_deref() {
            Ok(Seen::Last(last)) => Ok(*last),
            Ok(Seen::Ended(error)) => Err(error.clone()),
            Err(_) => Err(super::queue::closed()),
        }
    }

    /// Ends every wait, and the thread.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
        self.end(super::queue::closed());
    }

    /// The thread, to be waited for after [`close`](Self::close).
    pub(crate) fn take_thread(&self) -> Option<JoinHandle<()>> {
        self.lock().thread.take()
    }

    fn end(&self, error: Error) {
        self.seen.send_replace(Seen::Ended(error));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(self: &Arc<Self>, path: &Path) -> Result<Waiter> {
        let mut state = self.lock();
        if state.closed {
            return Err(super::queue::closed());
        }
        if !state.running {
            // Whatever ended the last thread may be over.
            self.seen.send_if_modified(|seen| match seen {
                Seen::Ended(_) => {
                    *seen = Seen::Last(0);
                    true
                }
                Seen::Last(_) => false,
            });
            let (wake, path) = (self.clone(), path.to_owned());
            let thread = std::thread::Builder::new().name("isobox-events".into()).spawn(move || wake.look(path));
            state.thread = Some(thread.map_err(|error| Error::io("the thread for events", error))?);
            state.running = true;
        }
        state.waiters += 1;
        Ok(Waiter(self.clone()))
    }

    /// The thread: looks until nobody has waited for a while.
    fn look(self: Arc<Self>, path: PathBuf) {
        let looked = Looker::open(&path).and_then(|mut looker| {
            let looked = self.look_on(&mut looker, &path);
            let _inside = fork::enter();
            drop(looker);
            looked
        });
        if let Err(error) = looked {
            self.lock().running = false;
            self.end(error);
        }
    }

    fn look_on(&self, looker: &mut Looker, path: &Path) -> Result<()> {
        loop {
            if let Some(last) = looker.look(path)? {
                self.committed(last);
            }
            if !self.is_needed() {
                return Ok(());
            }
        }
    }

    /// Sleeps for an interval; false when the thread is to end, which is decided under the lock.
    fn is_needed(&self) -> bool {
        let mut state = self.lock();
        let idle = Instant::now();
        while !state.closed {
            let (after, _) = self.changed.wait_timeout(state, INTERVAL).unwrap_or_else(PoisonError::into_inner);
            state = after;
            if state.waiters > 0 {
                return !state.closed;
            }
            if idle.elapsed() > LINGER {
                break;
            }
        }
        state.running = false;
        false
    }
}

/// One who waits.
struct Waiter(Arc<Wake>);

impl Drop for Waiter {
    fn drop(&mut self) {
        self.0.lock().waiters -= 1;
    }
}

/// A connection that sees whether the file changes.
struct Looker {
    connection: Connection,
    version: i64,
}

impl Looker {
    fn open(path: &Path) -> Result<Self> {
        let _inside = fork::enter();
        Ok(Self { connection: open::reader(path)?, version: -1 })
    }

    /// The number of the last event, if anything has changed.
    fn look(&mut self, path: &Path) -> Result<Option<u64>> {
        let _inside = fork::enter();
        self.try_look().map_err(|error| from_sqlite(&error, path))
    }

    fn try_look(&mut self) -> rusqlite::Result<Option<u64>> {
        let ask = |sql| self.connection.prepare_cached(sql)?.query_row([], |row| row.get::<_, i64>(0));
        let version = ask("PRAGMA data_version")?;
        if version == self.version {
            return Ok(None);
        }
        self.version = version;
        ask(crate::sqlite::LAST_SEQUENCE).map(|last| u64::try_from(last).ok())
    }
}
