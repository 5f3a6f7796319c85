//! A sandbox on this machine: everything that does not depend on how it is isolated.

use crate::keeper::Keeper;
use crate::launch::{Launch, launch};
use crate::record::LocalRecord;
use async_trait::async_trait;
use isobox_contract::{
    Capabilities, Context, Ended, Error, ErrorCode, Exec, ExternalId, Files, Lifetime, Lifetimes, Metrics, Owner,
    Platform, Ports, ProviderKind, Resource, Result, Sandbox, SandboxId, SandboxPath, SandboxRecord, SandboxSpec,
    State, Status, Timestamp, WorkspaceOwnership,
};
use isobox_guest::{Greeting, Guest};
use isobox_wire::launch::SOCKET_NAME;
use isobox_wire::system::SetLifetimes;
use isobox_wire::{Blob, Settings, settings};
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::UnixStream;

/// How long a sandbox outlives its owner's connection unless the spec says otherwise.
const LEASE: Duration = Duration::from_secs(5);
/// Bytes of a token.
const TOKEN: usize = 32;

/// Whose directory a sandbox works in, where it is one of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workspace(pub WorkspaceOwnership);

/// A sandbox with the agent as a process of this machine.
pub struct LocalSandbox {
    id: SandboxId,
    external: ExternalId,
    kind: ProviderKind,
    capabilities: Capabilities,
    guest: Guest,
    keeper: Arc<Keeper>,
    record: LocalRecord,
    workspace: Option<Workspace>,
    name: Option<String>,
    labels: isobox_contract::Labels,
    /// Whether the end of this handle is the end of the sandbox.
    owned: AtomicBool,
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
        temporary: None,
        place,
        lease: match spec.owner {
            Owner::Process => Some(spec.lifetimes.owner_lease.unwrap_or(LEASE)),
            Owner::Detached => None,
        },
        ttl: after(spec.lifetimes.ttl),
        idle_timeout: after(spec.lifetimes.idle_timeout),
    })
}

impl LocalSandbox {
    /// Starts a sandbox's process and takes it over.
    ///
    /// # Errors
    /// What the launcher could not do, with the step and the way out; `timeout` when it says nothing for a minute.
    pub async fn create(
        request: Launch,
        spec: &SandboxSpec,
        kind: ProviderKind,
        capabilities: Capabilities,
        state_dir: PathBuf,
        workspace: Option<Workspace>,
    ) -> Result<Self> {
        let (id, token) = (request.id, request.token.clone());
        let (guest, keeper) = launch(request).await.map_err(|error| error.with_provider(&kind).with_sandbox(&id))?;
        let record = LocalRecord::of(state_dir, keeper.pid(), token);
        let sandbox = |record| Self {
            id,
            external: external(&id),
            kind,
            capabilities,
            guest,
            keeper: keeper.clone(),
            record,
            workspace,
            name: spec.name.clone(),
            labels: spec.labels.clone(),
            owned: AtomicBool::new(spec.owner == Owner::Process),
        };
        record.map(sandbox).inspect_err(|_| keeper.terminate())
    }

    /// Finds a sandbox that somebody else started, and connects as a visitor.
    ///
    /// # Errors
    /// `not_found` when its process is gone.
    pub async fn attach(record: &SandboxRecord, kind: ProviderKind, capabilities: Capabilities) -> Result<Self> {
        let local = LocalRecord::parse(&record.data)?;
        local.check(&record.id)?;
        let keeper = Keeper::watch(record.id, local.pid, None)?;
        // Between the check and the watch the number could have changed hands.
        local.check(&record.id)?;
        let stream = dial(&local.state_dir).await.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::ConnectionRefused => {
                Error::not_found(Resource::Sandbox, record.id)
            }
            _ => Error::transport("cannot connect to the sandbox's agent").with_source(error),
        })?;
        // The socket is the process's own: another process that was given its number and its time is not taken for it.
        let peer = stream.peer_cred().ok().and_then(|peer| peer.pid());
        if peer.map(i32::unsigned_abs) != Some(local.pid) {
            return Err(Error::not_found(Resource::Sandbox, record.id));
        }
        let greeting = Greeting { token: local.token.clone(), build: isobox_agent::BUILD_ID.into(), owner: false };
        let guest = Guest::connect(stream, greeting, keeper.obituary()).await?;
        keeper.listen(guest.clone());
        Ok(Self {
            id: record.id,
            external: external(&record.id),
            kind,
            capabilities,
            guest,
            keeper,
            record: local,
            workspace: None,
            name: None,
            labels: isobox_contract::Labels::new(),
            owned: AtomicBool::new(false),
        })
    }

    /// Ends the sandbox and waits until everything of it is gone.
    async fn end(&self) -> Result<()> {
        self.keeper.end().await?;
        remove(&self.record.state_dir)
    }
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
    removed.map_err(|error| Error::new(ErrorCode::Incomplete, format!("the sandbox's directory is left over: {error}")))
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
        sandbox.keeper.end().await?;
    }
    checked
}

/// Connects to the agent's socket. Through the open directory, because a socket's path may be 108 bytes and no longer.
async fn dial(state_dir: &Path) -> std::io::Result<UnixStream> {
    let directory = openat(CWD, state_dir, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    UnixStream::connect(format!("/proc/self/fd/{}/{SOCKET_NAME}", directory.as_raw_fd())).await
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
        SandboxRecord { id: self.id, external: self.external.clone(), data: self.record.to_json() }
    }

    async fn describe(&self) -> Result<Status> {
        let (state, post_mortem) = match self.keeper.ended() {
            None => (State::Running, None),
            Some(Ended::Died(post_mortem)) => (State::Error, Some(post_mortem)),
            Some(_) => (State::Deleted, None),
        };
        let mut status = Status::new(self.external.clone(), self.kind.clone(), state);
        status.id = Some(self.id);
        status.name = self.name.clone();
        status.labels = self.labels.clone();
        status.post_mortem = post_mortem;
        status.workspace = self.workspace.map(|workspace| workspace.0);
        status.created_at = Some(self.id.created_at());
        if state == State::Running {
            let lifetimes = self.guest.lifetimes(SetLifetimes::default()).await?;
            status.expires_at = lifetimes.ttl.and_then(|left| Timestamp::now().checked_add(left));
        }
        Ok(status)
    }

    fn workdir(&self) -> &SandboxPath {
        self.guest.workdir()
    }

    async fn platform(&self) -> Result<Platform> {
        Ok(self.guest.platform().clone())
    }

    async fn start(&self, _context: &Context) -> Result<()> {
        match self.keeper.ended() {
            None => Ok(()),
            Some(_) => Err(Error::unsupported("lifecycle.start")),
        }
    }

    async fn stop(&self, _grace: Option<Duration>, _context: &Context) -> Result<()> {
        Err(Error::unsupported("lifecycle.stop"))
    }

    async fn delete(&self, _context: &Context) -> Result<()> {
        self.end().await
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
        self.guest.lifetimes(set).await.map(drop)
    }

    async fn detach(&self) -> Result<()> {
        self.guest.lifetimes(SetLifetimes { lease: Some(None), ..SetLifetimes::default() }).await?;
        self.owned.store(false, Ordering::Relaxed);
        Ok(())
    }

    async fn keepalive(&self) -> Result<()> {
        self.refresh_activity().await
    }

    async fn ended(&self) -> Result<Ended> {
        Ok(self.keeper.wait().await)
    }

    async fn metrics(&self) -> Result<Metrics> {
        self.guest.metrics().await
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
        self.keeper.hush();
        if self.owned.load(Ordering::Relaxed) {
            self.keeper.terminate();
        }
    }
}
