//! A sandbox: one container, and the connection to the agent in it.

mod access;
mod contract;
mod copies;
mod informed;
mod life;
mod logs;
mod measure;
mod ownership;
mod stillness;

use crate::client::Caller;
use crate::failure::refusal;
use crate::gvisor;
use crate::keeper::{Asked, Keeper};
use crate::place::Place;
use crate::provider::Inner;
use crate::reach::{Reach, Reached};
use crate::record::DockerRecord;
use crate::workspace;
use isobox_contract::{
    Action, Capabilities, Capability, Ended, Error, ExternalId, Platform, Resources, Result, SandboxId, SandboxImage,
    SandboxPath, State,
};
use isobox_guest::{Greeting, Guest};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use tokio::sync::watch;

/// How long a container of a sandbox that died is still there.
const LOOK: std::time::Duration = std::time::Duration::from_secs(3);

/// A sandbox in Docker.
pub(crate) struct DockerSandbox {
    /// The process that has this handle. A child that was forked off it has a copy that may do nothing.
    process: u32,
    pub(crate) inner: Arc<Inner>,
    pub(crate) core: Arc<Core>,
    capabilities: Capabilities,
    image: Option<SandboxImage>,
    /// Its limits, as far as this handle knows.
    limits: Arc<Mutex<Resources>>,
    /// Whether the end of this handle is the end of the sandbox.
    owned: Arc<AtomicBool>,
}

/// What the watch over a sandbox needs of it. It must not keep the engine's thread, on which it runs.
pub(crate) struct Core {
    pub(crate) id: SandboxId,
    pub(crate) external: ExternalId,
    pub(crate) place: Place,
    caller: Caller,
    pub(crate) guest: Guest,
    /// The connection of the owner, in a handle that has adopted the sandbox.
    adopted: RwLock<Option<Guest>>,
    /// The run of now, or the last one; none for a sandbox that was found stopped.
    keeper: RwLock<Option<Arc<Keeper>>>,
    record: Mutex<DockerRecord>,
    /// Exit codes that are a stop.
    stops: Vec<u8>,
    /// Whether it stands still, as far as this handle knows.
    paused: Arc<watch::Sender<bool>>,
    /// Held while that is changed or looked at.
    steady: tokio::sync::Mutex<()>,
    /// Whether this handle has removed it.
    gone: AtomicBool,
    owned: Arc<AtomicBool>,
}

/// What a handle is made from.
pub(crate) struct Parts {
    pub(crate) id: SandboxId,
    pub(crate) external: ExternalId,
    pub(crate) place: Place,
    pub(crate) guest: Guest,
    /// None for a sandbox that is stopped.
    pub(crate) keeper: Option<Arc<Keeper>>,
    pub(crate) record: DockerRecord,
    pub(crate) stops: Vec<u8>,
    pub(crate) paused: bool,
    pub(crate) owned: bool,
    pub(crate) capabilities: Capabilities,
    pub(crate) limits: Resources,
}

impl DockerSandbox {
    pub(crate) fn of(inner: Arc<Inner>, parts: Parts) -> Self {
        let owned = Arc::new(AtomicBool::new(parts.owned));
        let core = Arc::new(Core {
            id: parts.id,
            external: parts.external,
            place: parts.place,
            caller: inner.engine.caller().clone(),
            guest: parts.guest,
            adopted: RwLock::default(),
            keeper: RwLock::default(),
            record: Mutex::new(parts.record),
            stops: parts.stops,
            paused: Arc::new(watch::Sender::new(parts.paused)),
            steady: tokio::sync::Mutex::default(),
            gone: AtomicBool::new(false),
            owned: owned.clone(),
        });
        core.guard();
        inner.pay_attention(&core);
        let (process, image, capabilities) = (std::process::id(), core.record().image, parts.capabilities);
        let limits = Arc::new(Mutex::new(parts.limits));
        let sandbox = Self { process, inner, core, capabilities, image, limits, owned };
        if let Some(keeper) = parts.keeper {
            sandbox.watch(keeper);
        }
        sandbox
    }

    /// Has a run of the container watched.
    pub(crate) fn watch(&self, keeper: Arc<Keeper>) {
        keeper.witnessed_by(self.core.guest.witness());
        *self.core.keeper.write().unwrap_or_else(PoisonError::into_inner) = Some(keeper.clone());
        let (inner, core) = (Arc::downgrade(&self.inner), Arc::downgrade(&self.core));
        let keeper = Arc::downgrade(&keeper);
        let closed = self.core.guest.until_closed();
        self.inner.engine.errands().watch(async move {
            attend(core.clone(), keeper.clone(), closed).await;
            clear_away(inner, core, keeper).await;
        });
    }

    /// Refuses everything in a child that was forked.
    pub(crate) fn here(&self) -> Result<()> {
        if std::process::id() == self.process { Ok(()) } else { Err(Error::forked()) }
    }

    /// Refuses what the engine can and this sandbox cannot.
    pub(crate) fn require(&self, capability: Capability) -> Result<()> {
        let why = |error| self.why_missing(capability).map_or(error, |reason| refusal(capability, &reason));
        self.capabilities.require(capability).map_err(why)
    }

    /// Every reason for which this one lacks what its engine can, since the way out of one of them alone leads nowhere.
    fn why_missing(&self, capability: Capability) -> Option<String> {
        if self.capabilities.has(capability) || !self.inner.capabilities().has(capability) {
            return None;
        }
        let is_copy = matches!(capability, Capability::LifecycleSnapshot | Capability::LifecycleForkFilesystem);
        let has_workspace = || self.core.place.origin().is_some_and(|spec| workspace::is_wanted(&spec));
        let workspace = (is_copy && has_workspace()).then_some(workspace::WHY_NO_COPIES);
        let reasons: Vec<_> = gvisor::why_not_in(&self.capabilities, capability).into_iter().chain(workspace).collect();
        (!reasons.is_empty()).then(|| reasons.join("; and "))
    }

    /// Refuses an action on a sandbox that does not run.
    pub(crate) fn alive(&self, action: Action) -> Result<()> {
        self.here()?;
        match self.core.ended() {
            None => Ok(()),
            Some(Ended::Stopped) => Err(Error::invalid_state(State::Stopped, action)),
            Some(Ended::Died(post_mortem)) => Err(Error::sandbox_gone(*post_mortem)),
            Some(_) => Err(Error::invalid_state(State::Deleted, action)),
        }
    }

    fn limits(&self) -> Resources {
        *self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches one run, over as many connections as it takes.
async fn attend(core: Weak<Core>, keeper: Weak<Keeper>, closed: impl Future<Output = ()> + Send + 'static) {
    let mut closed: std::pin::Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(closed);
    loop {
        let again = || -> std::pin::Pin<Box<dyn Future<Output = bool> + Send>> {
            let (core, keeper) = (core.clone(), keeper.clone());
            Box::pin(async move {
                match (core.upgrade(), keeper.upgrade()) {
                    (Some(core), Some(keeper)) => core.connect_again(&keeper).await,
                    _ => false,
                }
            })
        };
        if !Keeper::attend(keeper.clone(), closed, again).await {
            return;
        }
        let Some(core) = core.upgrade() else { return };
        closed = Box::pin(core.guest.until_closed());
    }
}

/// Removes a container whose sandbox has died, once everybody else who watches had time to look at why, and one that was half removed
/// when the engine went away.
async fn clear_away(inner: Weak<Inner>, core: Weak<Core>, keeper: Weak<Keeper>) {
    let over = keeper.upgrade().is_some_and(|keeper| matches!(keeper.ended(), Some(Ended::Died(_) | Ended::Deleted)));
    if !over {
        return;
    }
    tokio::time::sleep(LOOK).await;
    if let (Some(inner), Some(core)) = (inner.upgrade(), core.upgrade())
        && !core.gone.load(Ordering::Acquire)
    {
        inner.abandon(core.container(), core.id);
    }
}

impl Core {
    pub(crate) fn container(&self) -> &str {
        self.external.as_str()
    }

    pub(crate) fn keeper(&self) -> Option<Arc<Keeper>> {
        self.keeper.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn record(&self) -> DockerRecord {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The agent's process has another number.
    fn note(&self, agent: Option<u32>) {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).agent = agent;
    }

    fn reach(&self) -> Reach<'_> {
        Reach { caller: &self.caller, container: self.container(), place: &self.place }
    }

    fn greeting(&self, owner: bool) -> Greeting {
        Greeting { token: self.record().token, build: isobox_agent::BUILD_ID.into(), owner }
    }

    /// How it ended, if it has, as far as this handle knows.
    pub(crate) fn ended(&self) -> Option<Ended> {
        if self.gone.load(Ordering::Acquire) {
            return Some(Ended::Deleted);
        }
        self.keeper().map_or(Some(Ended::Stopped), |keeper| keeper.ended())
    }

    /// The connection was lost, and the container runs: the engine was started again, or a runtime of the caller has ended.
    async fn connect_again(&self, keeper: &Arc<Keeper>) -> bool {
        let owner = self.owned.load(Ordering::Relaxed);
        keeper.hope();
        match self.reach().again(self.record().agent, self.greeting(owner), keeper.obituary()).await {
            Ok(Reached { guest, agent }) => {
                self.note(agent);
                self.guest.continue_with(&guest);
                true
            }
            Err(_) => false,
        }
    }
}

/// What a sandbox runs on of which only the engine is known.
pub(crate) fn platform(architecture: &str) -> Platform {
    Platform { os: "linux".into(), arch: architecture.to_owned(), version: String::new() }
}

/// The agent of a sandbox that does not run, or stands still.
pub(crate) fn absent(architecture: &str, workdir: Option<&[u8]>) -> Guest {
    Guest::absent(platform(architecture), SandboxPath::from(workdir.unwrap_or(b"/")))
}

impl Drop for DockerSandbox {
    fn drop(&mut self) {
        if self.here().is_err() || !self.owned.load(Ordering::Relaxed) || self.core.gone.load(Ordering::Acquire) {
            return;
        }
        if let Some(keeper) = self.core.keeper() {
            keeper.ask(Asked::Delete);
            keeper.publish(Ended::Deleted);
        }
        self.inner.abandon(self.core.container(), self.core.id);
    }
}
