//! A sandbox on this machine: everything that does not depend on how it is isolated.

mod contract;

use crate::about::About;
use crate::born::Born;
use crate::cgroups::Cgroups;
use crate::copies::Copies;
use crate::keeper::{Keeper, Leave};
use crate::launch::{Launch, Launched, launch};
use crate::life::{Found, find};
use crate::record::LocalRecord;
use crate::stopped::Stopped;
use isobox_contract::{
    Action, Capabilities, Capability, Ended, Error, ErrorCode, ExternalId, Owner, Platform, ProviderKind, Resource,
    Result, SandboxId, SandboxPath, SandboxRecord, SandboxSpec, State, WorkspaceOwnership,
};
use isobox_guest::Guest;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// How long an end that was begun may take to show whether it is a stop.
const SETTLING: Duration = Duration::from_secs(2);
/// How often to look for that.
const LOOK: Duration = Duration::from_millis(10);

/// Whose directory a sandbox works in, where it is one of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workspace(pub WorkspaceOwnership);

/// A sandbox with the agent as a process of this machine.
pub struct LocalSandbox {
    /// The process that has this handle. A child that was forked off it has a copy that may do nothing.
    process: u32,
    pub(crate) id: SandboxId,
    external: ExternalId,
    pub(crate) kind: ProviderKind,
    capabilities: Capabilities,
    pub(crate) guest: Guest,
    /// The connection of the owner, in a handle that has adopted the sandbox.
    pub(crate) adopted: RwLock<Option<Guest>>,
    pub(crate) cgroups: Option<Cgroups>,
    /// The process of now, or the last one; none for a sandbox that was found stopped.
    keeper: RwLock<Option<Arc<Keeper>>>,
    pub(crate) record: LocalRecord,
    workspace: Option<Workspace>,
    /// On the bare host the sandbox's own directory; elsewhere there is no need for one.
    runtime_dir: Option<SandboxPath>,
    /// Whether the end of this handle is the end of the sandbox.
    pub(crate) owned: AtomicBool,
    /// Whether this handle has removed it.
    pub(crate) gone: AtomicBool,
    copies: OnceLock<Arc<dyn Copies>>,
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
        // Before the agent begins to count its ttl: when that is over, by this clock it is over too.
        let born = Born::now();
        let launched = launch(request, None).await.map_err(|error| error.with_provider(&kind).with_sandbox(&id))?;
        let Launched { guest, keeper, disk } = launched;
        let cgroups = cgroups.as_ref().map(Cgroups::snapshot);
        let (name, labels) = (spec.name.clone(), spec.labels.clone());
        let record = LocalRecord { state_dir, token, cgroups, disk, image, born, name, labels };
        let mut sandbox = Self::handle(id, kind, capabilities, record, guest, Some(keeper));
        sandbox.workspace = workspace;
        sandbox.owned = AtomicBool::new(spec.owner == Owner::Process);
        if let Err(error) = About::of(&sandbox.record).write(&sandbox.record.state_dir) {
            // Its directory may not be there because it has died meanwhile.
            let error = sandbox.obituary().await.unwrap_or(error);
            sandbox.remove_all().await?;
            return Err(error.with_provider(&sandbox.kind).with_sandbox(&id));
        }
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
        keeper.iter().for_each(|keeper| keeper.witnessed_by(guest.witness(), cgroups.clone()));
        Self {
            process: std::process::id(),
            id,
            external: external(&id),
            runtime_dir: runtime_dir(&kind, &record),
            kind,
            capabilities,
            guest,
            adopted: RwLock::default(),
            cgroups,
            keeper: RwLock::new(keeper),
            record,
            workspace: None,
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
        let patience = Instant::now() + SETTLING;
        let stopped = loop {
            if let Some(Found { guest, keeper }) = find(&local, &id, false).await? {
                keeper.listen(guest.clone());
                return Ok(Self::handle(id, kind, capabilities, local, guest, Some(keeper)));
            }
            if let Some(stopped) = Stopped::read(&local.state_dir, &kind)? {
                break stopped;
            }
            // What has ended is about to be stopped or gone, unless its keeper was killed.
            if !local.state_dir.exists() || Instant::now() >= patience {
                return Err(Error::not_found(Resource::Sandbox, id));
            }
            tokio::time::sleep(LOOK).await;
        };
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

    /// How old it is.
    pub(crate) fn age(&self) -> Duration {
        crate::born::age(self.record.born.as_ref(), &self.id)
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

    /// Refuses everything in a child that was forked.
    pub(crate) fn here(&self) -> Result<()> {
        if std::process::id() == self.process { Ok(()) } else { Err(Error::forked()) }
    }

    /// Refuses an action on a sandbox that does not run.
    pub(crate) fn alive(&self, action: Action) -> Result<()> {
        self.here()?;
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

impl Drop for LocalSandbox {
    fn drop(&mut self) {
        if self.here().is_err() {
            return;
        }
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
