//! How long what is over is remembered.

use std::time::Duration;

/// How long what is over is remembered, and how much of it. Whichever limit is reached first holds: [`Duration::MAX`] and
/// [`u64::MAX`] are never reached. What is not over, such as a sandbox that is not deleted, is never dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Deleted sandboxes with their commands: 7 days.
    pub sandboxes: Duration,
    /// At most so many of them: 10,000.
    pub max_sandboxes: u64,
    /// Operations that ended, and with them the keys by which they are found: 7 days.
    pub operations: Duration,
    /// At most so many of them: 50,000.
    pub max_operations: u64,
    /// Events: 7 days.
    pub events: Duration,
    /// At most so many of them: 200,000.
    pub max_events: u64,
    /// Commands that ended: 7 days.
    pub processes: Duration,
    /// At most so many of them, of all sandboxes: 100,000.
    pub max_processes: u64,
    /// Post-mortems: 30 days.
    pub post_mortems: Duration,
    /// At most so many of them: 10,000.
    pub max_post_mortems: u64,
}

impl Retention {
    /// Nothing is ever dropped, and the file grows for as long as something happens.
    pub const FOREVER: Self = Self {
        sandboxes: Duration::MAX,
        max_sandboxes: u64::MAX,
        operations: Duration::MAX,
        max_operations: u64::MAX,
        events: Duration::MAX,
        max_events: u64::MAX,
        processes: Duration::MAX,
        max_processes: u64::MAX,
        post_mortems: Duration::MAX,
        max_post_mortems: u64::MAX,
    };
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Default for Retention {
    fn default() -> Self {
        Self {
            sandboxes: DAY * 7,
            max_sandboxes: 10_000,
            operations: DAY * 7,
            max_operations: 50_000,
            events: DAY * 7,
            max_events: 200_000,
            processes: DAY * 7,
            max_processes: 100_000,
            post_mortems: DAY * 30,
            max_post_mortems: 10_000,
        }
    }
}

/// What a prune dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Sandboxes.
    pub sandboxes: u64,
    /// Operations.
    pub operations: u64,
    /// Events.
    pub events: u64,
    /// Commands, beside those that went with their sandboxes.
    pub processes: u64,
    /// Post-mortems.
    pub post_mortems: u64,
    /// Owners.
    pub owners: u64,
    /// Bytes that the file shrank by.
    pub bytes: u64,
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Sandboxes that are not deleted.
    pub live_sandboxes: u64,
    /// Sandboxes that are deleted and remembered.
    pub ended_sandboxes: u64,
    /// Operations that have not ended.
    pub running_operations: u64,
    /// All operations.
    pub operations: u64,
    /// Events.
    pub events: u64,
    /// Commands.
    pub processes: u64,
    /// Post-mortems.
    pub post_mortems: u64,
    /// Bytes of the database.
    pub bytes: u64,
    /// Bytes of it that are free, and are used again or given back by a prune.
    pub free_bytes: u64,
}
