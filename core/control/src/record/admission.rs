//! What may be at once on this machine, and who waits for room.

use isobox_contract::{
    Action, Detail, Error, ErrorCode, OperationId, OwnerId, ProviderKind, Result, SandboxId, Timestamp,
};
use std::time::Duration;

/// What may be at once on this machine, counted over all processes that share a store. Kept in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Sandboxes that are being made or started at once: 1 to 1,000,000. By default 16 for each processor that this
    /// process may use, and at least 32.
    pub concurrent_creates: u64,
    /// Sandboxes that are there and not stopped, also those that a pool keeps ready: at least 1. No limit by default.
    pub live_sandboxes: Option<u64>,
    /// Requests that may wait for room: up to 1,000,000; 10,000 by default. With 0 nobody waits.
    pub queue_length: u64,
    /// How long a request waits: up to a day; 60 s by default. With zero nobody waits.
    pub queue_wait: Duration,
}

impl Limits {
    /// The name of [`concurrent_creates`](Self::concurrent_creates) in refusals.
    pub(crate) const CREATES: &'static str = "limits.concurrent_creates";
    /// The name of [`live_sandboxes`](Self::live_sandboxes) in refusals.
    pub(crate) const LIVE: &'static str = "limits.live_sandboxes";
    /// The name of [`queue_length`](Self::queue_length) in refusals.
    pub(crate) const LENGTH: &'static str = "limits.queue_length";

    /// Refuses values that make no sense, by their names.
    pub fn validate(&self) -> Result<()> {
        const MOST: u64 = 1_000_000;
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        let refuse = |field: &str, reason: String| Err(Error::invalid_spec(field, reason));
        if !(1..=MOST).contains(&self.concurrent_creates) {
            return refuse(Self::CREATES, format!("must be 1 to {MOST}"));
        }
        if self.live_sandboxes.is_some_and(|live| live == 0 || i64::try_from(live).is_err()) {
            return refuse(Self::LIVE, "must be at least 1, leave it out for no limit".to_owned());
        }
        if self.queue_length > MOST {
            return refuse(Self::LENGTH, format!("must be at most {MOST}"));
        }
        if self.queue_wait > DAY {
            return refuse("limits.queue_wait", "must be at most a day".to_owned());
        }
        Ok(())
    }
}

impl Default for Limits {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
        Self {
            concurrent_creates: (16 * processors).max(32),
            live_sandboxes: None,
            queue_length: 10_000,
            queue_wait: Duration::from_secs(60),
        }
    }
}

/// How a request minds the limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Admission {
    /// Not at all.
    #[default]
    Unchecked,
    /// It begins when it has a turn: at once when nobody waits and there is room.
    InTurn,
    /// The same, after all others.
    Background,
}

/// What a request waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// How many wait, with this one.
    pub waiting: u64,
    /// The name of the limit that is reached.
    pub limit: &'static str,
    /// Its value.
    pub max: u64,
    /// How long to wait at most.
    pub wait: Duration,
}

impl Held {
    /// The error when nothing came of the waiting.
    pub fn overloaded(&self) -> Error {
        overloaded(self.limit, self.max)
    }
}

/// The error for a limit of this machine.
pub(crate) fn overloaded(limit: &str, max: u64) -> Error {
    let message = format!(
        "the limit {limit} of {max} is reached and nothing was started, delete sandboxes, try again later or raise it"
    );
    Error::new(ErrorCode::Overloaded, message)
        .with_detail(Detail::Limit { limit: limit.to_owned(), max: Some(max) })
        .with_retry_after(Duration::from_secs(1))
}

/// Where a request that waits stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// It may begin: ask again.
    Turn,
    /// There is no room.
    Full,
    /// There is room for another, which does not take it.
    Behind(OperationId),
    /// It does not wait.
    Gone,
}

/// Who waits for room and who has it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Queue {
    /// The limits.
    pub limits: Limits,
    /// Sandboxes that are there and not stopped.
    pub live: u64,
    /// What is being made or started, the oldest first; at most 10,000.
    pub making: Vec<QueueEntry>,
    /// What waits, in the order of the turns if nothing changes; at most 10,000.
    pub waiting: Vec<QueueEntry>,
}

/// A request that waits for room or has it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct QueueEntry {
    /// The operation that it is or will be.
    pub operation: OperationId,
    /// What it does: create or start.
    pub action: Action,
    /// The sandbox.
    pub sandbox: SandboxId,
    /// The sandbox's name.
    pub name: Option<String>,
    /// The kind of provider.
    pub provider: ProviderKind,
    /// Whether all others go first.
    pub background: bool,
    /// The process.
    pub owner: Option<OwnerId>,
    /// The process's number, in its own pid namespace.
    pub pid: Option<u32>,
    /// The name of the process's program.
    pub program: Option<String>,
    /// Since when it waits, or is being made.
    pub since: Timestamp,
    /// Its place among those that wait, from 1; none once it has begun.
    pub position: Option<u64>,
}
