//! A bounded queue between callers, who never wait here, and the threads that work.

use isobox_contract::{Error, ErrorCode, Result};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A queue with a limit that can be closed.
pub(crate) struct Queue<J> {
    state: Mutex<State<J>>,
    ready: Condvar,
    capacity: usize,
    name: &'static str,
}

struct State<J> {
    jobs: VecDeque<J>,
    closed: bool,
}

impl<J> Queue<J> {
    /// An empty queue; `name` is the limit's name in refusals.
    pub(crate) fn new(name: &'static str, capacity: usize) -> Self {
        let state = Mutex::new(State { jobs: VecDeque::new(), closed: false });
        Self { state, ready: Condvar::new(), capacity, name }
    }

    /// No code of others runs under the lock, so a panic cannot leave the queue half changed.
    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job: `overloaded` when the queue is full, `invalid_state` once it is closed.
    pub(crate) fn push(&self, job: J) -> Result<()> {
        let mut state = self.lock();
        if state.closed {
            return Err(closed());
        }
        if state.jobs.len() >= self.capacity {
            return Err(Error::overloaded(self.name, u64::try_from(self.capacity).ok()));
        }
        state.jobs.push_back(job);
        drop(state);
        self.ready.notify_one();
        Ok(())
    }

    /// Waits for jobs and takes up to `most`; `None` once the queue is closed and empty.
    pub(crate) fn take(&self, most: usize) -> Option<Vec<J>> {
        let mut state = self.lock();
        while state.jobs.is_empty() && !state.closed {
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let count = state.jobs.len().min(most);
        (count > 0).then(|| state.jobs.drain(..count).collect())
    }

    /// Takes no more; what is there is still worked on.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.ready.notify_all();
    }

    /// Takes no more, and drops what is there: for when nobody is left to work on it.
    pub(crate) fn abandon(&self) {
        let mut state = self.lock();
        state.closed = true;
        let jobs = std::mem::take(&mut state.jobs);
        drop(state);
        drop(jobs);
    }
}

impl<J> std::fmt::Debug for Queue<J> {
    /// Without the lock, which may be held for ever in a forked child.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").field("name", &self.name).field("capacity", &self.capacity).finish_non_exhaustive()
    }
}

/// The error for a store that is closed.
pub(crate) fn closed() -> Error {
    Error::new(ErrorCode::InvalidState, "the control plane is closed, open it again")
}
