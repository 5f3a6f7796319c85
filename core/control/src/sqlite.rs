//! The store in one SQLite file that all processes of a user share.

mod admission;
mod chore;
mod column;
mod command;
pub(crate) mod event;
mod expiry;
mod image;
mod operation;
mod pool;
mod retention;
mod sandbox;
mod small;
mod snapshot;
mod volume;

pub(crate) use admission::prepare;
pub(crate) use event::LAST_SEQUENCE;

use crate::engine::Engine;
use crate::options::Options;
use crate::record::{
    ActionRequest, Begun, CreateRequest, Created, EventFilter, EventPage, Handout, ImageChange, ImageList, Limits,
    NewEvent, NewPool, Offered, OperationEntry, OperationFilter, Outcome, OwnerEntry, Page, PoolEntry, ProcessEntry,
    Pruned, Queue, Retention, SandboxChange, SandboxEntry, SandboxFilter, SnapshotEntry, Standing, Stats, Take,
    Transition, VolumeEntry,
};
use crate::store::Store;
use async_trait::async_trait;
use isobox_contract::{
    Error, OperationId, OwnerId, PostMortem, ProviderKind, Report, Result, SandboxId, SandboxRecord, SnapshotId,
    SnapshotState, State, VolumeId, VolumeState,
};
use std::path::Path;
use std::time::Duration;

/// The store in one SQLite file, usually `control.db` in isobox's directory.
///
/// A process opens it once and shares it. In a forked child every call fails at once; the child opens its own.
/// Dropping it lets what is queued be finished, and waits for nothing.
#[derive(Debug)]
pub struct SqliteStore {
    engine: Engine,
}

impl SqliteStore {
    /// Opens the file, and makes it, readable for this user only, if it is not there.
    ///
    /// `unsupported` for a file of a newer version; `io` for one that is damaged, no database or another program's;
    /// `permission_denied`, `out_of_disk`, and `overloaded` when other processes keep it locked for 15 seconds.
    pub async fn open(path: impl AsRef<Path>, options: Options) -> Result<Self> {
        let path = path.as_ref().to_owned();
        let (tell, told) = tokio::sync::oneshot::channel();
        let open = move || drop(tell.send(Engine::open(&path, &options)));
        let thread = std::thread::Builder::new().name("isobox-open".into()).spawn(open);
        thread.map_err(|error| Error::io("a thread of the control plane", error))?;
        let engine = told.await.map_err(|_| Error::internal("opening the control plane panicked"))??;
        Ok(Self { engine })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.engine.path()
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn begin_create(&self, request: CreateRequest) -> Result<Created> {
        self.engine.write(move |session| operation::begin_create(session, request)).await
    }

    async fn begin(&self, request: ActionRequest) -> Result<Begun> {
        self.engine.write(move |session| operation::begin(session, request)).await
    }

    async fn note(&self, operation: &OperationId, record: SandboxRecord) -> Result<()> {
        let id = *operation;
        self.engine.write(move |session| operation::note(session, &id, &record)).await
    }

    async fn confirm(&self, operation: &OperationId, outcome: Outcome) -> Result<OperationEntry> {
        let id = *operation;
        self.engine.write(move |session| operation::confirm(session, &id, &outcome)).await
    }

    async fn fail(&self, operation: &OperationId, error: Report, state: Option<State>) -> Result<OperationEntry> {
        let id = *operation;
        self.engine.write(move |session| operation::fail(session, &id, error, state)).await
    }

    async fn operation(&self, id: &OperationId) -> Result<OperationEntry> {
        let id = *id;
        self.engine.read(move |sql| operation::get(sql, &id)).await
    }

    async fn operations(&self, filter: OperationFilter, limit: usize) -> Result<Vec<OperationEntry>> {
        self.engine.read(move |sql| operation::list(sql, &filter, limit)).await
    }

    async fn transition(&self, id: &SandboxId, transition: Transition) -> Result<SandboxEntry> {
        let id = *id;
        self.engine.write(move |session| sandbox::transition(session, &id, &transition)).await
    }

    async fn change(&self, id: &SandboxId, change: SandboxChange) -> Result<SandboxEntry> {
        let id = *id;
        self.engine.write(move |session| sandbox::change(session, &id, &change)).await
    }

    async fn sandbox(&self, id: &SandboxId) -> Result<SandboxEntry> {
        let id = *id;
        self.engine.read(move |sql| sandbox::get(sql, &id)).await
    }

    async fn state(&self, id: &SandboxId) -> Result<State> {
        let id = *id;
        self.engine.read(move |sql| sandbox::state(sql, &id)).await
    }

    async fn sandbox_by_name(&self, name: &str) -> Result<Option<SandboxEntry>> {
        let name = name.to_owned();
        self.engine.read(move |sql| sandbox::by_name(sql, &name)).await
    }

    async fn sandboxes(&self, filter: SandboxFilter, page: Page) -> Result<Vec<SandboxEntry>> {
        self.engine.read(move |sql| sandbox::list(sql, &filter, page)).await
    }

    async fn record_death(&self, post_mortem: PostMortem, state: State) -> Result<SandboxEntry> {
        self.engine.write(move |session| sandbox::record_death(session, post_mortem, state)).await
    }

    async fn post_mortem(&self, id: &SandboxId) -> Result<Option<PostMortem>> {
        let id = *id;
        self.engine.read(move |sql| sandbox::post_mortem(sql, &id)).await
    }

    async fn put_process(&self, process: ProcessEntry) -> Result<()> {
        self.engine.write(move |session| small::put_process(session, &process)).await
    }

    async fn processes(&self, sandbox: &SandboxId) -> Result<Vec<ProcessEntry>> {
        let sandbox = *sandbox;
        self.engine.read(move |sql| small::processes(sql, &sandbox)).await
    }

    async fn put_snapshot(&self, snapshot: SnapshotEntry) -> Result<()> {
        self.engine.write(move |session| snapshot::put(session, &snapshot)).await
    }

    async fn snapshot(&self, provider: &ProviderKind, id_or_name: &str) -> Result<SnapshotEntry> {
        let (provider, wanted) = (provider.clone(), id_or_name.to_owned());
        self.engine.read(move |sql| snapshot::get(sql, &provider, &wanted)).await
    }

    async fn snapshots(&self) -> Result<Vec<SnapshotEntry>> {
        self.engine.read(snapshot::list).await
    }

    async fn move_snapshot(&self, snapshot: SnapshotEntry, from: Vec<SnapshotState>) -> Result<()> {
        self.engine.write(move |session| snapshot::replace(session, &snapshot, &from)).await
    }

    async fn remove_snapshot(&self, id: &SnapshotId) -> Result<()> {
        let id = *id;
        self.engine.write(move |session| snapshot::remove(session, &id)).await
    }

    async fn put_volume(&self, volume: VolumeEntry) -> Result<()> {
        self.engine.write(move |session| volume::put(session, &volume)).await
    }

    async fn volume(&self, provider: &ProviderKind, id_or_name: &str) -> Result<VolumeEntry> {
        let (provider, wanted) = (provider.clone(), id_or_name.to_owned());
        self.engine.read(move |sql| volume::get(sql, &provider, &wanted)).await
    }

    async fn volumes(&self) -> Result<Vec<VolumeEntry>> {
        self.engine.read(volume::list).await
    }

    async fn move_volume(&self, volume: VolumeEntry, from: Vec<VolumeState>) -> Result<()> {
        self.engine.write(move |session| volume::replace(session, &volume, &from)).await
    }

    async fn volume_users(&self, id: &VolumeId) -> Result<Vec<SandboxId>> {
        let id = *id;
        self.engine.read(move |sql| volume::users(sql, &id)).await
    }

    async fn remove_volume(&self, id: &VolumeId) -> Result<()> {
        let id = *id;
        self.engine.write(move |session| volume::remove(session, &id)).await
    }

    async fn images(&self, provider: &ProviderKind) -> Result<ImageList> {
        let provider = provider.clone();
        self.engine.read(move |sql| image::list(sql, &provider)).await
    }

    async fn begin_image_change(&self, change: ImageChange) -> Result<()> {
        self.engine.write(move |session| image::begin(session, &change)).await
    }

    async fn image_changes(&self) -> Result<Vec<ImageChange>> {
        self.engine.read(image::changes).await
    }

    async fn settle_images(&self, provider: &ProviderKind, list: ImageList, ended: Vec<OperationId>) -> Result<bool> {
        let provider = provider.clone();
        self.engine.write(move |session| image::settle(session, &provider, &list, &ended)).await
    }

    async fn hand_out(&self, handout: Handout) -> Result<SandboxEntry> {
        self.engine.write(move |session| sandbox::hand_out(session, &handout)).await
    }

    async fn put_pool(&self, pool: NewPool) -> Result<()> {
        self.engine.write(move |session| pool::put(session, &pool)).await
    }

    async fn pool(&self, name: &str) -> Result<Option<PoolEntry>> {
        let name = name.to_owned();
        self.engine.read(move |sql| pool::find(sql, &name)).await
    }

    async fn pools(&self) -> Result<Vec<PoolEntry>> {
        self.engine.read(pool::list).await
    }

    async fn set_pool_failure(&self, name: &str, owner: &OwnerId, failure: Option<Report>) -> Result<()> {
        let (name, owner) = (name.to_owned(), *owner);
        self.engine.write(move |session| pool::set_failure(session, &name, &owner, failure)).await
    }

    async fn end_pool(&self, name: &str, owner: Option<OwnerId>) -> Result<PoolEntry> {
        let name = name.to_owned();
        self.engine.write(move |session| pool::ask_end(session, &name, owner)).await
    }

    async fn remove_pool(&self, name: &str, owner: &OwnerId) -> Result<()> {
        let (name, owner) = (name.to_owned(), *owner);
        self.engine.write(move |session| pool::remove(session, &name, &owner)).await
    }

    async fn offered(&self, pool: &str, owner: &OwnerId) -> Result<Offered> {
        let (name, owner) = (pool.to_owned(), *owner);
        self.engine.read(move |sql| pool::offered(sql, &name, &owner)).await
    }

    async fn offer(&self, id: &SandboxId) -> Result<()> {
        let id = *id;
        self.engine.write(move |session| sandbox::offer(session, &id)).await
    }

    async fn withdraw(&self, id: &SandboxId) -> Result<bool> {
        let id = *id;
        self.engine.write(move |session| sandbox::withdraw(session, &id)).await
    }

    async fn take(&self, take: Take) -> Result<Option<SandboxEntry>> {
        self.engine.write(move |session| sandbox::take(session, &take)).await
    }

    async fn limits(&self) -> Result<Limits> {
        self.engine.read(admission::limits).await
    }

    async fn set_limits(&self, limits: Limits) -> Result<()> {
        self.engine.write(move |session| admission::set_limits(session, &limits)).await
    }

    async fn queue(&self) -> Result<Queue> {
        self.engine.read(admission::queue).await
    }

    async fn standing(&self, operation: &OperationId) -> Result<Standing> {
        let id = *operation;
        self.engine.read(move |sql| admission::standing(sql, &id)).await
    }

    async fn leave_queue(&self, operation: &OperationId) -> Result<()> {
        let id = *operation;
        self.engine.write(move |session| admission::leave(session, &id)).await
    }

    async fn put_owner(&self, owner: OwnerEntry) -> Result<()> {
        self.engine.write(move |session| small::put_owner(session, &owner)).await
    }

    async fn end_owner(&self, id: &OwnerId) -> Result<()> {
        let id = *id;
        self.engine.write(move |session| small::end_owner(session, &id)).await
    }

    async fn owner(&self, id: &OwnerId) -> Result<Option<OwnerEntry>> {
        let id = *id;
        self.engine.read(move |sql| small::owner(sql, &id)).await
    }

    async fn owners(&self) -> Result<Vec<OwnerEntry>> {
        self.engine.read(small::owners).await
    }

    async fn append_events(&self, events: Vec<NewEvent>) -> Result<u64> {
        self.engine.write(move |session| event::append_all(session, events)).await
    }

    async fn events_after(&self, sequence: u64, filter: EventFilter, limit: usize) -> Result<EventPage> {
        self.engine.read(move |sql| event::after(sql, sequence, &filter, limit)).await
    }

    async fn last_sequence(&self) -> Result<u64> {
        self.engine.read(event::last).await
    }

    async fn wait_past(&self, sequence: u64) -> Result<u64> {
        self.engine.past(sequence).await
    }

    async fn prune(&self, retention: &Retention) -> Result<Pruned> {
        retention::prune(&self.engine, retention).await
    }

    async fn claim(&self, chore: &str, every: Duration) -> Result<bool> {
        let chore = chore.to_owned();
        self.engine.write(move |session| chore::claim(session, &chore, every)).await
    }

    async fn stats(&self) -> Result<Stats> {
        self.engine.read(retention::stats).await
    }

    async fn close(&self) -> Result<()> {
        self.engine.close().await
    }
}
