//! Events on their way in and out.

use isobox_contract::{Event, EventKind, OperationId, ProviderKind, SandboxId, Subject, Timestamp};

/// Something that happened, before it has a number.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// When it happened; the time at which it is written down when absent. It has no part in the order of events.
    pub at: Option<Timestamp>,
    /// Where it happened.
    pub provider: Option<ProviderKind>,
    /// What it happened to.
    pub subject: Subject,
    /// The operation that it belongs to.
    pub operation: Option<OperationId>,
    /// The caller's own mark.
    pub correlation: Option<String>,
    /// What happened. At most 64 KiB as JSON, without any command, output, value or content. The output in the post-mortem
    /// of a death is left out.
    pub kind: EventKind,
}

/// Which events; all by default.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// Of these sandboxes; of everything when empty. At most 1,000.
    pub sandboxes: Vec<SandboxId>,
    /// Of these kinds, by the words of `type` in their JSON, such as `exec_exited`; all when empty. At most 100.
    pub kinds: Vec<String>,
}

/// A part of what happened.
#[derive(Clone, Debug)]
pub struct EventPage {
    /// The events, by their numbers.
    pub events: Vec<Event>,
    /// The number to go on after: everything up to it was looked at.
    pub through: u64,
    /// The number of the oldest event that is kept, when some that were asked for are not.
    pub gone: Option<u64>,
}
