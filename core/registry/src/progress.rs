//! Progress: bytes of each layer, as the contract's events.

use crate::manifest::Blob;
use isobox_contract::state::Action;
use isobox_contract::{EventKind, EventSink, Progress, ProgressUnit};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Learns how much of a blob there is. Called often, from the task that fetches: it must not block.
pub trait Watcher: Send + Sync {
    /// There are this many bytes now. Less than before when a fetch had to begin again.
    fn fetched(&self, bytes: u64);
}

impl<F: Fn(u64) + Send + Sync> Watcher for F {
    fn fetched(&self, bytes: u64) {
        self(bytes);
    }
}

/// How often a layer's progress is told at most, apart from its first and its last word.
const EVERY: Duration = Duration::from_millis(100);

/// Tells of a layer's bytes as `image.pull` events: the message is the layer's digest, the total its size.
pub struct LayerProgress {
    events: Arc<dyn EventSink>,
    action: Action,
    digest: String,
    total: u64,
    last: Mutex<Option<(Instant, u64)>>,
}

impl LayerProgress {
    /// For one layer, as part of an operation.
    pub fn new(events: Arc<dyn EventSink>, action: Action, blob: &Blob) -> Self {
        Self { events, action, digest: blob.digest.to_string(), total: blob.size, last: Mutex::new(None) }
    }

    /// Whether it is time, and remembers that it was.
    fn is_due(&self, bytes: u64) -> bool {
        let Ok(mut last) = self.last.lock() else { return false };
        let due = match *last {
            None => true,
            Some((_, before)) if before == bytes => false,
            Some((at, _)) => bytes == self.total || at.elapsed() >= EVERY,
        };
        if due {
            *last = Some((Instant::now(), bytes));
        }
        due
    }
}

impl Watcher for LayerProgress {
    fn fetched(&self, bytes: u64) {
        if !self.is_due(bytes) {
            return;
        }
        let progress = Progress {
            code: "image.pull".to_owned(),
            message: Some(self.digest.clone()),
            completed: Some(bytes),
            total: Some(self.total),
            unit: Some(ProgressUnit::Bytes),
        };
        self.events.emit(EventKind::OperationProgress { action: self.action, progress });
    }
}
