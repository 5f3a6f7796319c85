//! A sandbox on this machine: everything that does not depend on how it is isolated.

use crate::cgroups::Cgroups;
use crate::copies::Copies;
use crate::keeper::{Keeper, Leave};
use crate::launch::{Launch, Launched, launch};
use crate::life::{Found, find};
use crate::record::LocalRecord;
use crate::stopped::Stopped;
use async_trait::async_trait;
use isobox_contract::{
    Action, Capabilities, Capability, Context, Ended, Error, ErrorCode, Exec, ExternalId, Files, ForkOptions, Lifetime,
    Lifetimes, Metrics, Owner, Platform, Ports, ProviderKind, Resource, Resources, Result, Sandbox, SandboxId,
    SandboxImage, SandboxPath, SandboxRecord, SandboxSpec, SnapshotId, SnapshotOptions, SnapshotStatus, State, Status,
    Timestamp, WorkspaceOwnership,
};
use isobox_guest::Guest;
use isobox_wire::system::SetLifetimes;
use isobox_wire::{Blob, Settings, settings};
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;

/// How long a sandbox outlives its owner's connection unless the spec says otherwise.
const LEASE: Duration = Duration::from_secs(5);
/// Bytes of a token.
const TOKEN: usize = 32;

/// Whose directory a sandbox works in, where it is one of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workspace(pub WorkspaceOwnership);

/// A sandbox with the agent as a process of this machine.
pub struct LocalSandbox {
    pub(crate) id: SandboxId,
    external: ExternalId,
    pub(crate) kind: ProviderKind,
    capabilities: Capabilities,
    pub(crate) guest: Guest,
    pub(crate) cgroups: Option<Cgroups>,
    /// The process of now, or the last one; none for a sandbox that was found stopped.
    keeper: RwLock<Option<Arc<Keeper>>>,
    pub(crate) record: LocalRecord,
    workspace: Option<Workspace>,
    /// On the bare host the sandbox's own directory; elsewhere there is no need for one.
    runtime_dir: Option<SandboxPath>,
    name: Option<String>,
    labels: isobox_contract::Labels,
    /// Whether the end of this handle is the end of the sandbox.
    pub(crate) owned: AtomicBool,
    /// Whether this handle has removed it.
    pub(crate) gone: AtomicBool,
    copies: OnceLock<Arc<dyn Copies>>,
}

/// A fresh secret.
fn token() -> Result<Vec<u8>> {
    let mut token = vec![0; TOKEN];
    let filled = rustix::rand::getrandom(&mut token, rustix::rand::GetRandomFlags::empty());
    match filled {
        Ok(TOKEN) => Ok(token),
        _ => Err(Error::internal("the system has no random numbers")),
    }
}

/// The agent's settings for a spec.
///
/// # Errors
/// When the system has no random numbers for the token.
pub fn settings(spec: &SandboxSpec, place: settings::Place) -> Result<Settings> {
    let blob = |text: &str| Blob::from(text.as_bytes().to_vec());
    let after = |lifetime: Option<Lifetime>| match lifetime {
        Some(Lifetime::After(duration)) => Some(duration),
        _ => None,
    };
    Ok(Settings {
        build: isobox_agent::BUILD_ID.into(),
        token: Blob::from(token()?),
        env: spec.env.iter().map(|(name, value)| (blob(name), blob(value))).collect(),
        user: spec.user.clone(),
        workdir: spec.workdir.as_ref().map(|workdir| Blob::from(workdir.as_bytes().to_vec())),
        make_workdir: false,
        temporary: None,
        place,
        lease: match spec.owner {
            Owner::Process => Some(spec.lifetimes.owner_lease.unwrap_or(LEASE)),
            Owner::Detached => None,
        },
        ttl: after(spec.lifetimes.ttl),
        idle_timeout: after(spec.lifetimes.idle_timeout),
        pause_after: crate::pause_after(&spec.lifetimes),
    })
}

impl LocalSandbox {
    /// Nothing here runs; another process may have started it, or removed it.
    fn state_when_stopped(&self) -> State {
        let state_dir = &self.record.state_dir;
        match (Stopped::is_in(state_dir), state_dir.symlink_metadata().is_ok()) {
            (true, _) => State::Stopped,
            (false, true) => State::Unknown,
            (false, false) => State::Deleted,
        }
    }

    /// Starts a sandbox's process and takes it over.
    ///
    /// # Errors
    /// What the launcher could not do, with the step and the way out; `timeout` when it says nothing for a minute.
    pub async fn create(
        request: Launch,
        spec: &SandboxSpec,
        kind: ProviderKind,
        capabilities: Capabilities,
        workspace: Option<Workspace>,
    ) -> Result<Self> {
        let id = request.id;
        let (state_dir, token) = (request.state_dir.clone(), request.token.clone());
        let cgroups = request.cgroups.clone();
        let image = request.image.clone();
        let launched = launch(request, None).await.map_err(|error| error.with_provider(&kind).with_sandbox(&id))?;
        let Launched { guest, keeper, disk } = launched;
        let record = LocalRecord { state_dir, token, cgroups: cgroups.as_ref().map(Cgroups::snapshot), disk, image };
        let mut sandbox = Self::handle(id, kind, capabilities, record, guest, Some(keeper));
        sandbox.workspace = workspace;
        sandbox.name = spec.name.clone();
        sandbox.labels = spec.labels.clone();
        sandbox.owned = AtomicBool::new(spec.owner == Owner::Process);
        Ok(sandbox)
    }

    fn handle(
        id: SandboxId,
        kind: ProviderKind,
        capabilities: Capabilities,
        record: LocalRecord,
        guest: Guest,
        keeper: Option<Arc<Keeper>>,
    ) -> Self {
        let cgroups = record.cgroups.clone().map(Cgroups::of);
        cgroups.iter().for_each(|cgroups| guard(&guest, cgroups));
        Self {
            id,
            external: external(&id),
            runtime_dir: runtime_dir(&kind, &record),
            kind,
            capabilities,
            guest,
            cgroups,
            keeper: RwLock::new(keeper),
            record,
            workspace: None,
            name: None,
            labels: isobox_contract::Labels::new(),
            owned: AtomicBool::new(false),
            gone: AtomicBool::new(false),
            copies: OnceLock::new(),
        }
    }

    /// Finds a sandbox that somebody else made, and connects as a visitor if it runs.
    ///
    /// # Errors
    /// `not_found` when it neither runs nor is stopped.
    pub async fn attach(record: &SandboxRecord, kind: ProviderKind, capabilities: Capabilities) -> Result<Self> {
        let (id, local) = (record.id, LocalRecord::parse(&record.data)?);
        if let Some(Found { guest, keeper }) = find(&local, &id, false).await? {
            keeper.listen(guest.clone());
            return Ok(Self::handle(id, kind, capabilities, local, guest, Some(keeper)));
        }
        let stopped = Stopped::read(&local.state_dir, &kind)?;
        let stopped = stopped.ok_or_else(|| Error::not_found(Resource::Sandbox, id))?;
        if stopped.settings.token.as_slice() != local.token {
            let message = "the record's token is not the sandbox's, pass on what `record` gave";
            return Err(Error::new(ErrorCode::Unauthenticated, message));
        }
        let workdir =
            stopped.settings.workdir.map_or(SandboxPath::from("/"), |path| SandboxPath::from(path.into_vec()));
        let guest = Guest::absent(platform(), workdir);
        Ok(Self::handle(id, kind, capabilities, local, guest, None))
    }

    /// Sets who copies it, where the provider can.
    pub fn copied_by(&self, copies: Arc<dyn Copies>) {
        let _ = self.copies.set(copies);
    }

    pub(crate) fn keeper(&self) -> Option<Arc<Keeper>> {
        self.keeper.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn put_keeper(&self, keeper: Arc<Keeper>) {
        *self.keeper.write().unwrap_or_else(PoisonError::into_inner) = Some(keeper);
    }

    fn cgroups_for(&self, capability: Capability) -> Result<&Cgroups> {
        self.cgroups.as_ref().ok_or_else(|| Error::unsupported(capability))
    }

    fn disk_limit(&self) -> Option<u64> {
        self.record.disk.map(|disk| disk.limit(&self.record.state_dir))
    }

    fn is_paused(&self) -> bool {
        self.cgroups.as_ref().is_some_and(Cgroups::is_paused)
    }

    /// Refuses an action on a sandbox that does not run.
    fn alive(&self, action: Action) -> Result<()> {
        match self.ended_as() {
            None => Ok(()),
            Some(Ended::Stopped) => Err(Error::invalid_state(State::Stopped, action)),
            Some(Ended::Died(post_mortem)) => Err(Error::sandbox_gone(*post_mortem)),
            Some(_) => Err(Error::invalid_state(State::Deleted, action)),
        }
    }
}

/// What every sandbox of this machine runs on.
fn platform() -> Platform {
    let system = rustix::system::uname();
    Platform {
        os: "linux".into(),
        arch: system.machine().to_string_lossy().into_owned(),
        version: system.release().to_string_lossy().into_owned(),
    }
}

/// Refuses what a paused sandbox cannot do.
fn guard(guest: &Guest, cgroups: &Cgroups) {
    if cgroups.can_pause() {
        let cgroups = cgroups.clone();
        guest.guard(Box::new(move |request| cgroups.admit(request)));
    }
}

/// Takes away what is left of a sandbox on the disk, which is nothing but after a stop or when its keeper was killed.
pub(crate) fn clear(record: &LocalRecord) -> Result<()> {
    let removed = remove(&record.state_dir);
    if let Some(disk) = record.disk {
        disk.end(&record.state_dir);
    }
    removed
}

/// Takes away what a keeper left that was killed before it could clean up. Nothing is there otherwise.
pub(crate) fn remove(state_dir: &Path) -> Result<()> {
    let (Some(parent), Some(name)) = (state_dir.parent(), state_dir.file_name()) else { return Ok(()) };
    if state_dir.symlink_metadata().is_err() {
        return Ok(());
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let open = openat(CWD, parent, flags, Mode::empty());
    let parent = open.map_err(|errno| Error::io("cannot open the sandboxes' directory", errno.into()))?;
    let removed = isobox_tree::remove(std::os::fd::AsFd::as_fd(&parent), std::os::unix::ffi::OsStrExt::as_bytes(name));
    // What belongs to the sandbox's other users is closed to this one.
    let removed = removed
        .or_else(|error| crate::foreign::remove(state_dir).map_err(|other| format!("{error}; {}", other.message())));
    removed.map_err(|error| Error::new(ErrorCode::Incomplete, format!("the sandbox's directory is left over: {error}")))
}

fn runtime_dir(kind: &ProviderKind, record: &LocalRecord) -> Option<SandboxPath> {
    let path = std::os::unix::ffi::OsStrExt::as_bytes(record.state_dir.as_os_str());
    (*kind == ProviderKind::HOST).then(|| SandboxPath::from(path))
}

pub(crate) fn external(id: &SandboxId) -> ExternalId {
    id.as_str().parse().expect("an id is a valid external id")
}

/// Checks in the sandbox what only it can know: that the user exists and the working directory can be used. A sandbox that fails
/// ends as it is dropped.
///
/// # Errors
/// `invalid_spec` or `unsupported`, with the field.
pub async fn confirm(sandbox: &LocalSandbox, spec: &SandboxSpec) -> Result<()> {
    if spec.user.is_none() && spec.workdir.is_none() {
        return Ok(());
    }
    let checked = sandbox.guest.check().await;
    if checked.is_err() {
        sandbox.remove_all().await?;
    }
    checked
}

#[async_trait]
impl Sandbox for LocalSandbox {
    fn id(&self) -> &SandboxId {
        &self.id
    }

    fn external_id(&self) -> &ExternalId {
        &self.external
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn record(&self) -> SandboxRecord {
        let mut record = self.record.clone();
        record.cgroups = self.cgroups.as_ref().map(Cgroups::snapshot);
        SandboxRecord { id: self.id, external: self.external.clone(), data: record.to_json() }
    }

    async fn describe(&self) -> Result<Status> {
        let (state, post_mortem) = match self.ended_as() {
            None if self.is_paused() => (State::Paused, None),
            None => (State::Running, None),
            Some(Ended::Stopped) => (self.state_when_stopped(), None),
            Some(Ended::Died(post_mortem)) => (State::Error, Some(post_mortem)),
            Some(_) => (State::Deleted, None),
        };
        let mut status = Status::new(self.external.clone(), self.kind.clone(), state);
        status.id = Some(self.id);
        status.name = self.name.clone();
        status.labels = self.labels.clone();
        status.image = self.record.image.as_ref().map(SandboxImage::pinned);
        status.post_mortem = post_mortem;
        status.workspace = self.workspace.map(|workspace| workspace.0);
        status.created_at = Some(self.id.created_at());
        status.resources = self.cgroups.as_ref().map(|cgroups| {
            let limits = cgroups.limits();
            let cpus = limits.cpu_millis.map(|millis| millis as f64 / 1000.0);
            Resources { cpus, memory: limits.memory, pids: limits.pids, ..Resources::default() }
        });
        if let Some(limit) = self.disk_limit() {
            status.resources.get_or_insert_default().disk = Some(limit);
        }
        if matches!(state, State::Running | State::Paused) {
            let lifetimes = self.guest.lifetimes(SetLifetimes::default()).await?;
            status.expires_at = lifetimes.ttl.and_then(|left| Timestamp::now().checked_add(left));
        }
        Ok(status)
    }

    fn workdir(&self) -> &SandboxPath {
        self.guest.workdir()
    }

    fn image(&self) -> Option<&SandboxImage> {
        self.record.image.as_ref()
    }

    fn runtime_dir(&self) -> Option<&SandboxPath> {
        self.runtime_dir.as_ref()
    }

    async fn platform(&self) -> Result<Platform> {
        Ok(self.guest.platform().clone())
    }

    async fn start(&self, context: &Context) -> Result<()> {
        if self.ended_as().is_none() && self.is_paused() {
            return self.resume(context).await;
        }
        self.start_again(context).await
    }

    async fn stop(&self, grace: Option<Duration>, context: &Context) -> Result<()> {
        self.stop_now(grace, context).await
    }

    async fn delete(&self, _context: &Context) -> Result<()> {
        self.remove_all().await
    }

    async fn pause(&self, _context: &Context) -> Result<()> {
        self.alive(Action::Pause)?;
        self.cgroups_for(Capability::LifecyclePause)?.pause().await
    }

    async fn resume(&self, _context: &Context) -> Result<()> {
        self.alive(Action::Resume)?;
        let cgroups = self.cgroups_for(Capability::LifecyclePause)?;
        // Before it runs: what its lifetimes have paused has to have an end again.
        self.guest.lifetimes(SetLifetimes { touch: true, ..SetLifetimes::default() }).await?;
        cgroups.resume().await
    }

    async fn resize(&self, resources: &Resources, _context: &Context) -> Result<()> {
        self.alive(Action::Resize)?;
        if resources.gpus.is_some() {
            return Err(Error::invalid_spec(
                "resources.gpus",
                "cannot be changed while the sandbox is there, make a new one",
            ));
        }
        let others = Resources { disk: None, ..*resources };
        if others != Resources::default() {
            self.cgroups_for(Capability::LifecycleResize)?.resize(&others)?;
        }
        match (resources.disk, self.record.disk) {
            (None, _) => Ok(()),
            (Some(bytes), Some(disk)) => disk.resize(&self.record.state_dir, bytes),
            (Some(_), None) => Err(crate::disk::fixed()),
        }
    }

    async fn snapshot(&self, id: &SnapshotId, options: &SnapshotOptions, context: &Context) -> Result<SnapshotStatus> {
        let copies = self.copies.get().ok_or_else(|| Error::unsupported("lifecycle.snapshot"))?;
        copies.snapshot(&self.id, id, options, context).await
    }

    async fn fork(&self, id: &SandboxId, options: &ForkOptions, context: &Context) -> Result<Arc<dyn Sandbox>> {
        let mut made = self.fork_many(std::slice::from_ref(id), options, context).await?;
        made.pop().ok_or_else(|| Error::internal("a fork has made nothing"))
    }

    async fn fork_many(
        &self,
        ids: &[SandboxId],
        options: &ForkOptions,
        context: &Context,
    ) -> Result<Vec<Arc<dyn Sandbox>>> {
        if options.include_memory {
            return Err(Error::unsupported("lifecycle.fork"));
        }
        let copies = self.copies.get().ok_or_else(|| Error::unsupported("lifecycle.fork_filesystem"))?;
        copies.clone().fork(&self.id, ids, options, context).await
    }

    async fn refresh_activity(&self) -> Result<()> {
        self.guest.lifetimes(SetLifetimes { touch: true, ..SetLifetimes::default() }).await.map(drop)
    }

    async fn set_lifetimes(&self, lifetimes: &Lifetimes) -> Result<()> {
        // The agent counts from now on, the contract from the creation.
        let age = Timestamp::now().since(self.id.created_at());
        let left = |lifetime: Option<Lifetime>, age: Duration| match lifetime {
            Some(Lifetime::After(duration)) => Some(duration.saturating_sub(age)),
            _ => None,
        };
        let set = SetLifetimes {
            ttl: Some(left(lifetimes.ttl, age)),
            idle_timeout: Some(left(lifetimes.idle_timeout, Duration::ZERO)),
            lease: lifetimes.owner_lease.filter(|_| self.owned.load(Ordering::Relaxed)).map(Some),
            touch: false,
        };
        if let Some(Ended::Stopped) = self.ended_as() {
            let _turn = self.turn().await?;
            return self.change_stopped(|settings| {
                settings.ttl = set.ttl.flatten().and_then(|left| age.checked_add(left));
                settings.idle_timeout = set.idle_timeout.flatten();
                settings.lease = set.lease.unwrap_or(settings.lease);
            });
        }
        self.guest.lifetimes(set).await.map(drop)
    }

    async fn detach(&self) -> Result<()> {
        if let Some(Ended::Stopped) = self.ended_as() {
            let _turn = self.turn().await?;
            self.change_stopped(|settings| settings.lease = None)?;
            self.owned.store(false, Ordering::Relaxed);
            return Ok(());
        }
        self.guest.lifetimes(SetLifetimes { lease: Some(None), ..SetLifetimes::default() }).await?;
        self.owned.store(false, Ordering::Relaxed);
        Ok(())
    }

    async fn keepalive(&self) -> Result<()> {
        self.refresh_activity().await
    }

    async fn ended(&self) -> Result<Ended> {
        match self.keeper() {
            Some(keeper) if !self.gone.load(Ordering::Acquire) => Ok(keeper.wait().await),
            _ => Ok(self.ended_as().unwrap_or(Ended::Stopped)),
        }
    }

    async fn metrics(&self) -> Result<Metrics> {
        let (mut metrics, on_disk) = self.guest.measure().await?;
        if let Some(disk) = self.record.disk {
            metrics.disk = disk.usage(&self.record.state_dir).or(Some(on_disk));
            metrics.disk_limit = self.disk_limit();
        }
        if let Some(cgroups) = &self.cgroups {
            cgroups.measure(&mut metrics);
        }
        Ok(metrics)
    }

    fn exec(&self) -> &dyn Exec {
        &self.guest
    }

    fn files(&self) -> &dyn Files {
        &self.guest
    }

    fn ports(&self) -> Option<&dyn Ports> {
        Some(&self.guest)
    }
}

impl Drop for LocalSandbox {
    fn drop(&mut self) {
        let keeper = self.keeper();
        if let Some(keeper) = &keeper {
            keeper.hush();
        }
        if !self.owned.load(Ordering::Relaxed) || self.gone.load(Ordering::Acquire) {
            return;
        }
        match keeper {
            Some(keeper) if !matches!(keeper.ended(), Some(Ended::Stopped)) => keeper.terminate(Leave::Nothing),
            _ => self.abandon(),
        }
    }
}
