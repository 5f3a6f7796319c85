//! What may be at once on a machine, who waits, and what takes disk.

use crate::cross::Cross;
use std::time::{Duration, SystemTime};

/// What may be at once on this machine, whatever process makes it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Sandboxes that are made at once.
    pub concurrent_creates: u64,
    /// Sandboxes that live at once; no limit when left out.
    pub live_sandboxes: Option<u64>,
    /// Creations that wait at most; more are refused as `overloaded`.
    pub queue_length: u64,
    /// How long one waits at most.
    pub queue_wait: Duration,
}

impl Cross<Limits> for isobox::Limits {
    fn cross(self) -> Limits {
        let isobox::Limits { concurrent_creates, live_sandboxes, queue_length, queue_wait, .. } = self;
        Limits { concurrent_creates, live_sandboxes, queue_length, queue_wait }
    }
}

/// New limits of this machine. What is left out stays as it is.
#[derive(Clone, Debug, Default)]
pub struct LimitsOptions {
    /// Sandboxes that are made at once.
    pub concurrent_creates: Option<u64>,
    /// Sandboxes that live at once.
    pub live_sandboxes: Option<u64>,
    /// Let any number live at once.
    pub unlimited_live_sandboxes: bool,
    /// Creations that wait at most.
    pub queue_length: Option<u64>,
    /// How long one waits at most.
    pub queue_wait: Option<Duration>,
}

impl LimitsOptions {
    pub(super) fn apply(self, now: isobox::Limits) -> isobox::Limits {
        let mut limits = now;
        limits.concurrent_creates = self.concurrent_creates.unwrap_or(limits.concurrent_creates);
        limits.live_sandboxes = match self.unlimited_live_sandboxes {
            true => None,
            false => self.live_sandboxes.or(limits.live_sandboxes),
        };
        limits.queue_length = self.queue_length.unwrap_or(limits.queue_length);
        limits.queue_wait = self.queue_wait.unwrap_or(limits.queue_wait);
        limits
    }
}

/// A creation that is under way or waits.
#[derive(Clone, Debug)]
pub struct QueueEntry {
    /// The sandbox that it makes.
    pub sandbox: String,
    /// The name of that.
    pub name: Option<String>,
    /// The provider that makes it.
    pub provider: String,
    /// The process that asked for it.
    pub pid: Option<u32>,
    /// The program of that process.
    pub program: Option<String>,
    /// Since when.
    pub since: SystemTime,
    /// How many are before it; none once it is being made.
    pub position: Option<u64>,
}

impl Cross<QueueEntry> for isobox::QueueEntry {
    fn cross(self) -> QueueEntry {
        QueueEntry {
            sandbox: self.sandbox.cross(),
            name: self.name,
            provider: self.provider.cross(),
            pid: self.pid,
            program: self.program,
            since: self.since.cross(),
            position: self.position,
        }
    }
}

/// What is made at once on this machine, and who waits.
#[derive(Clone, Debug)]
pub struct Queue {
    /// What may be at once.
    pub limits: Limits,
    /// How many sandboxes live.
    pub live: u64,
    /// What is being made.
    pub making: Vec<QueueEntry>,
    /// What waits, the next first.
    pub waiting: Vec<QueueEntry>,
}

impl Cross<Queue> for isobox::Queue {
    fn cross(self) -> Queue {
        Queue {
            limits: self.limits.cross(),
            live: self.live,
            making: self.making.cross(),
            waiting: self.waiting.cross(),
        }
    }
}

/// What one kind of thing takes of the disk.
#[derive(Clone, Debug)]
pub struct KindUsage {
    /// Which: `sandboxes`, `images`, `snapshots`, `volumes`, `database` or `other`.
    pub kind: String,
    /// How many there are.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Bytes that can be had back.
    pub reclaimable: u64,
}

impl Cross<KindUsage> for isobox::KindUsage {
    fn cross(self) -> KindUsage {
        let isobox::KindUsage { kind, count, bytes, reclaimable, .. } = self;
        KindUsage { kind: kind.as_str().to_owned(), count, bytes, reclaimable }
    }
}
