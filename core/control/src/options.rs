//! How a store is opened.

use crate::clock::{Clock, SystemClock};
use std::sync::Arc;
use std::time::Duration;

/// How a store is opened. The defaults suit a library in a program.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that read; 2 by default, at least 1.
    pub readers: usize,
    /// The most calls that may wait for a thread; 4,096 by default. One more is refused with `overloaded`.
    pub queue: usize,
    /// How long a write may wait for its turn before it is refused with `overloaded`; 30 s by default. Behind a lock of
    /// another process it may take 15 s longer.
    pub queue_wait: Duration,
    /// What tells the time.
    pub clock: Arc<dyn Clock>,
}

impl Default for Options {
    fn default() -> Self {
        Self { readers: 2, queue: 4096, queue_wait: Duration::from_secs(30), clock: Arc::new(SystemClock) }
    }
}
