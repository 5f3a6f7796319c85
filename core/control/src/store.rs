//! What a store promises.

use crate::record::{
    ActionRequest, Begun, CreateRequest, Created, EventFilter, EventPage, Handout, ImageChange, ImageList, Limits,
    NewEvent, NewPool, Offered, OperationEntry, OperationFilter, Outcome, OwnerEntry, Page, PoolEntry, ProcessEntry,
    Pruned, Queue, Retention, SandboxChange, SandboxEntry, SandboxFilter, SnapshotEntry, Standing, Stats, Take,
    Transition, VolumeEntry,
};
use async_trait::async_trait;
use isobox_contract::{
    OperationId, OwnerId, PostMortem, ProviderKind, Report, Result, SandboxId, SnapshotId, SnapshotState, State,
    VolumeId, VolumeState,
};
use std::fmt::Debug;
use std::time::Duration;

/// The books of the control plane.
///
/// Every call is one transaction: it is done wholly or not at all, also when its future is dropped or the process dies,
/// and what it returned is in the store. The events that tell of a change are written with it. Any number of processes
/// use one store at once. Calls may come from any thread and any executor.
///
/// Refusals are `overloaded` when too much is asked at once, `out_of_disk`, `io` when the store is damaged, and
/// `invalid_state` when it is closed or this process was forked; nothing was written then.
#[async_trait]
pub trait Store: Send + Sync + Debug {
    /// Writes down that a sandbox is about to be made: its record, the operation and the first events.
    ///
    /// A key whose operation was broken off by a crash and undone since is free for the same request.
    ///
    /// `already_exists` for a name that is taken unless [`CreateRequest::get`], and for an id that is; `conflict` for a key
    /// that came with another request; `not_found` and `invalid_state` for a volume that is not there or not ready;
    /// `overloaded` when there is no room on the machine and it cannot wait for any.
    async fn begin_create(&self, request: CreateRequest) -> Result<Created>;

    /// Writes down that something is about to be done to a sandbox, which moves it to the state for that.
    ///
    /// One operation at a time has a sandbox. `not_found` without such a sandbox, `sandbox_gone` when it died,
    /// `invalid_state` when the action is not possible, `conflict` for a key that came with another request, when
    /// [`ActionRequest::instead_of`] is not what runs, and when [`ActionRequest::version`] is another.
    async fn begin(&self, request: ActionRequest) -> Result<Begun>;

    /// Writes down what the provider needs to find what an operation is making, as soon as that is known, so that it is
    /// found after a crash. Fails as [`confirm`](Self::confirm).
    async fn note(&self, operation: &OperationId, record: isobox_contract::SandboxRecord) -> Result<()>;

    /// Writes down that an operation succeeded, and moves its sandbox. Again gives the same.
    ///
    /// The operation's own error when it has failed meanwhile, `sandbox_gone` when the sandbox died; `invalid_state` when the
    /// sandbox cannot be in that state.
    async fn confirm(&self, operation: &OperationId, outcome: Outcome) -> Result<OperationEntry>;

    /// Writes down that an operation failed, and moves its sandbox to a state when one is given; otherwise it stays where it
    /// is. Again gives the same; `invalid_state` when it has succeeded.
    async fn fail(&self, operation: &OperationId, error: Report, state: Option<State>) -> Result<OperationEntry>;

    /// An operation; `not_found` when there is none.
    async fn operation(&self, id: &OperationId) -> Result<OperationEntry>;

    /// The operations that match, oldest first, at most `limit` (1 to 10,000).
    async fn operations(&self, filter: OperationFilter, limit: usize) -> Result<Vec<OperationEntry>>;

    /// Moves a sandbox that no operation is about, such as after an observation.
    ///
    /// `invalid_state` when its state does not allow the move, `conflict` when the version is another or an operation runs.
    /// A move to the state it is in changes nothing.
    async fn transition(&self, id: &SandboxId, transition: Transition) -> Result<SandboxEntry>;

    /// Changes what is not the state. `invalid_state` when it is deleted.
    async fn change(&self, id: &SandboxId, change: SandboxChange) -> Result<SandboxEntry>;

    /// Hands a sandbox out that a pool kept ready, once: `conflict` when it was handed out, `sandbox_gone` or
    /// `invalid_state` when it does not run, `already_exists` for a name that is taken.
    async fn hand_out(&self, handout: Handout) -> Result<SandboxEntry>;

    /// Opens a pool to every process. `already_exists` when one has its name whose process has not ended.
    async fn put_pool(&self, pool: NewPool) -> Result<()>;

    /// The pool with this name, unless its process has ended.
    async fn pool(&self, name: &str) -> Result<Option<PoolEntry>>;

    /// All pools of processes that have not ended, by their names.
    async fn pools(&self) -> Result<Vec<PoolEntry>>;

    /// Writes down why a pool is not refilled, or that it is. A pool that is not there is fine.
    async fn set_pool_failure(&self, name: &str, owner: &OwnerId, failure: Option<Report>) -> Result<()>;

    /// Asks the process that keeps a pool, or this one if it does, to end it, and gives the pool. Nothing is taken from it any
    /// more. `not_found` when there is none.
    async fn end_pool(&self, name: &str, owner: Option<OwnerId>) -> Result<PoolEntry>;

    /// Forgets a pool, so that nothing is taken from it any more. One that is not there is fine.
    async fn remove_pool(&self, name: &str, owner: &OwnerId) -> Result<()>;

    /// What of a pool is offered to every process and was not taken, in whatever state.
    async fn offered(&self, pool: &str, owner: &OwnerId) -> Result<Offered>;

    /// Lets every process take a sandbox that a pool keeps ready. `conflict` when it was handed out, `sandbox_gone` or
    /// `invalid_state` when it does not run.
    async fn offer(&self, id: &SandboxId) -> Result<()>;

    /// Takes an offer back. False when there is none: the sandbox was taken, and belongs to somebody else.
    async fn withdraw(&self, id: &SandboxId) -> Result<bool>;

    /// Takes the oldest sandbox that a pool offers and that runs, once; nothing when there is none. `not_found` when that
    /// process keeps no such pool or has ended, `already_exists` for a name that is taken.
    async fn take(&self, take: Take) -> Result<Option<SandboxEntry>>;

    /// A sandbox, also one that is deleted while its record is kept; `not_found` when there is none.
    async fn sandbox(&self, id: &SandboxId) -> Result<SandboxEntry>;

    /// The state of a sandbox, without the rest of it; `not_found` when there is none.
    async fn state(&self, id: &SandboxId) -> Result<State>;

    /// The sandbox with this name that is not deleted.
    async fn sandbox_by_name(&self, name: &str) -> Result<Option<SandboxEntry>>;

    /// The sandboxes that match, oldest first.
    async fn sandboxes(&self, filter: SandboxFilter, page: Page) -> Result<Vec<SandboxEntry>>;

    /// The limits of the machine.
    async fn limits(&self) -> Result<Limits>;

    /// Replaces them, for all processes and from now on; what is there beyond them stays. `invalid_spec` for a value that
    /// makes no sense.
    async fn set_limits(&self, limits: Limits) -> Result<()>;

    /// Who waits for room, and who has it.
    async fn queue(&self) -> Result<Queue>;

    /// Where a request stands that was queued. Changes nothing.
    async fn standing(&self, operation: &OperationId) -> Result<Standing>;

    /// Takes the ticket of a request back; none is fine. A request whose ticket is gone gets another when it asks again.
    async fn leave_queue(&self, operation: &OperationId) -> Result<()>;

    /// Writes down how a sandbox died, and that it is in this state now: deleted, stopped or in error. What is being done to it
    /// fails with `sandbox_gone`, but for a delete, which succeeds when it is deleted.
    /// The first post-mortem stays until it is started again; a second
    /// changes nothing.
    async fn record_death(&self, post_mortem: PostMortem, state: State) -> Result<SandboxEntry>;

    /// How a sandbox died, also when its record is gone.
    async fn post_mortem(&self, id: &SandboxId) -> Result<Option<PostMortem>>;

    /// Writes down a command, or its end.
    async fn put_process(&self, process: ProcessEntry) -> Result<()>;

    /// The commands of a sandbox, oldest first.
    async fn processes(&self, sandbox: &SandboxId) -> Result<Vec<ProcessEntry>>;

    /// Adds or replaces a snapshot. `already_exists` when another has its name.
    async fn put_snapshot(&self, snapshot: SnapshotEntry) -> Result<()>;

    /// A snapshot by its id or its name; `not_found` when there is none.
    async fn snapshot(&self, provider: &ProviderKind, id_or_name: &str) -> Result<SnapshotEntry>;

    /// All snapshots, oldest first.
    async fn snapshots(&self) -> Result<Vec<SnapshotEntry>>;

    /// Replaces what is written of a snapshot that is in one of these states. `not_found` when there is none, `conflict`
    /// when it is in another state.
    async fn move_snapshot(&self, snapshot: SnapshotEntry, from: Vec<SnapshotState>) -> Result<()>;

    /// Forgets a snapshot. One that is not there is fine.
    async fn remove_snapshot(&self, id: &SnapshotId) -> Result<()>;

    /// Adds or replaces a volume. `already_exists` when another has its name; `conflict` when it is to be deleted and a
    /// sandbox uses it, so that moving it to `deleting` is the way to begin its end.
    async fn put_volume(&self, volume: VolumeEntry) -> Result<()>;

    /// A volume by its id or its name; `not_found` when there is none.
    async fn volume(&self, provider: &ProviderKind, id_or_name: &str) -> Result<VolumeEntry>;

    /// All volumes, oldest first.
    async fn volumes(&self) -> Result<Vec<VolumeEntry>>;

    /// Replaces what is written of a volume that is in one of these states, as [`put_volume`](Self::put_volume).
    /// `not_found` when there is none, `conflict` when it is in another state.
    async fn move_volume(&self, volume: VolumeEntry, from: Vec<VolumeState>) -> Result<()>;

    /// The sandboxes that use a volume, oldest first; none when it is not there.
    async fn volume_users(&self, id: &VolumeId) -> Result<Vec<SandboxId>>;

    /// Forgets a volume. One that is not there is fine; `conflict` when a sandbox uses it.
    async fn remove_volume(&self, id: &VolumeId) -> Result<()>;

    /// The images of a provider, as they were last written down.
    async fn images(&self, provider: &ProviderKind) -> Result<ImageList>;

    /// Writes down that the images of a provider are about to change.
    async fn begin_image_change(&self, change: ImageChange) -> Result<()>;

    /// The changes of images that were begun and are not settled, the oldest first. A create from an image that nobody knew is one.
    async fn image_changes(&self) -> Result<Vec<ImageChange>>;

    /// Replaces what is written down of a provider's images, and ends these changes. [`ImageList::revision`] is the one that was
    /// read before the provider was asked for what it has: false when somebody has written since, and then nothing is done. When
    /// an image was last used is kept.
    async fn settle_images(&self, provider: &ProviderKind, list: ImageList, ended: Vec<OperationId>) -> Result<bool>;

    /// Writes down a process that will own sandboxes.
    async fn put_owner(&self, owner: OwnerEntry) -> Result<()>;

    /// Writes down that a process is gone, takes its tickets back and forgets its pools. Again is fine.
    async fn end_owner(&self, id: &OwnerId) -> Result<()>;

    /// A process; `None` when it is not known, and then nothing is known about its life.
    async fn owner(&self, id: &OwnerId) -> Result<Option<OwnerEntry>>;

    /// The processes that have not ended, as far as was written down, oldest first.
    async fn owners(&self) -> Result<Vec<OwnerEntry>>;

    /// Writes down what happened, in this order, at most 1,000 at once. Gives the number of the last.
    ///
    /// `exec_started` and `exec_exited` also write down the command ([`processes`](Self::processes)), and one that says for the
    /// second time that a command has started or ended is left out. So is an `expiry_soon` of a sandbox and a time that were told.
    async fn append_events(&self, events: Vec<NewEvent>) -> Result<u64>;

    /// What happened after an event, at most `limit` (1 to 10,000) and about 8 MiB; [`EventPage::through`] is where to go on.
    async fn events_after(&self, sequence: u64, filter: EventFilter, limit: usize) -> Result<EventPage>;

    /// The number of the last event; 0 before the first.
    async fn last_sequence(&self) -> Result<u64>;

    /// Waits until there is an event after this one, of any kind, and gives the number of the last. Cancel safe. Events of
    /// other processes are seen within 50 ms.
    async fn wait_past(&self, sequence: u64) -> Result<u64>;

    /// Drops what is over and old, in small transactions, and gives the space back.
    async fn prune(&self, retention: &Retention) -> Result<Pruned>;

    /// Whether a chore that all processes share is the caller's to do now: it is when nobody has claimed it for so long. A
    /// clock that was set back makes it due.
    async fn claim(&self, chore: &str, every: Duration) -> Result<bool>;

    /// How much there is.
    async fn stats(&self) -> Result<Stats>;

    /// Finishes what was asked for and refuses what comes. Again is fine.
    async fn close(&self) -> Result<()>;
}
