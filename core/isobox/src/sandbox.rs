//! A handle of one sandbox.
//!
//! Everything passes here on its way to a provider: what the sandbox does not claim is refused with its dotted name, and
//! an error that comes back is told the provider, the sandbox and the call.

mod life;
mod lifetimes;
mod ownership;
mod running;

use crate::control::{Told, Watch, as_intended, in_background, settle, tell_last};
use crate::isobox::Isobox;
use crate::why::explained_of;
use futures::future::{Either, select};
use isobox_contract::{
    Action, Capabilities, Capability, Context, Ended, Error, EventKind, EventSink, Exit, ExternalId, Lifetime,
    Lifetimes, Metrics, Owner, Platform, ProcessState, Provider, ProviderKind, Result, SandboxId, SandboxImage,
    SandboxPath, SandboxSpec, State, Status, Subject, Termination,
};
use isobox_control::{ProcessEntry, SandboxEntry};
use ownership::Taken;
use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long one change of a sandbox's state may take.
const CHANGE_TIMEOUT: Duration = Duration::from_secs(60);
/// How long the result of a command that has ended waits for the books to say that nobody deletes its sandbox.
const GLANCE: Duration = Duration::from_secs(1);

/// One place to run commands in. Cheap to clone; all clones are the same sandbox.
///
/// Dropping the last clone, with every [`Process`](crate::Process) and [`Files`](crate::Files) of it, ends the sandbox and everything in it, in the
/// background, unless it was detached. [`delete`](Self::delete) ends it now and says how that went.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
/// let sandbox = isobox.sandbox().create().await?;
/// let result = sandbox.exec(["sh", "-c", "kill -9 $$"]).await?;
/// assert_eq!((result.signal, result.exit_code), (Some(9), 137));
/// sandbox.delete().await?;
/// assert!(sandbox.exec(["true"]).await.is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Sandbox {
    inner: Arc<Inner>,
}

struct Inner {
    sandbox: Arc<dyn isobox_contract::Sandbox>,
    lifetimes: Mutex<Lifetimes>,
    provider: Arc<dyn Provider>,
    /// The library is open as long as something of it is used.
    isobox: Isobox,
    /// Whether the end of this handle is the end of the sandbox.
    owned: AtomicBool,
    watch: std::sync::Mutex<Option<Watch>>,
    told: Told,
    /// What was said when it was taken from a pool, which its provider does not know.
    taken: Option<Taken>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        if !self.owned.load(Ordering::Relaxed) {
            return;
        }
        // The sandbox ends with the handle that is dropped here.
        let told = tell_last(&*self.sandbox, self.isobox.control().store().clone());
        let isobox = self.isobox.clone();
        in_background(async move {
            told.await;
            drop(isobox);
        });
    }
}

impl Sandbox {
    pub(crate) fn new(
        isobox: Isobox,
        provider: Arc<dyn Provider>,
        sandbox: Arc<dyn isobox_contract::Sandbox>,
        spec: &SandboxSpec,
    ) -> Self {
        let name = spec.name.clone();
        Self::with(isobox, provider, sandbox, name, spec.lifetimes, spec.owner == Owner::Process, None)
    }

    /// A handle of a sandbox that somebody else has made.
    pub(crate) fn found(
        isobox: Isobox,
        provider: Arc<dyn Provider>,
        sandbox: Arc<dyn isobox_contract::Sandbox>,
        entry: &SandboxEntry,
    ) -> Self {
        Self::with(isobox, provider, sandbox, entry.name.clone(), entry.spec.lifetimes, false, Taken::of(entry))
    }

    fn with(
        isobox: Isobox,
        provider: Arc<dyn Provider>,
        sandbox: Arc<dyn isobox_contract::Sandbox>,
        name: Option<String>,
        lifetimes: Lifetimes,
        owned: bool,
        taken: Option<Taken>,
    ) -> Self {
        let subject = Subject::Sandbox { id: *sandbox.id(), external: Some(sandbox.external_id().clone()), name };
        let told = isobox.control().told(provider.kind(), subject, None);
        sandbox.observe(Arc::new(told.clone()));
        if matches!(lifetimes.ttl, Some(Lifetime::After(_))) {
            isobox.expires_anew();
        }
        let (lifetimes, owned, watch) = (Mutex::new(lifetimes), AtomicBool::new(owned), std::sync::Mutex::default());
        let made = Self { inner: Arc::new(Inner { sandbox, lifetimes, provider, isobox, owned, watch, told, taken }) };
        made.watch();
        made
    }

    /// Has its end written down from now on.
    fn watch(&self) {
        if self.capabilities().has(Capability::ObserveEnded) {
            let watch = Watch::over(self.inner.sandbox.clone(), self.inner.isobox.control().store().clone());
            *self.inner.watch.lock().unwrap_or_else(PoisonError::into_inner) = Some(watch);
        }
    }

    async fn act(&self, name: &str, action: Action, after: State, act: impl Future<Output = Result<()>>) -> Result<()> {
        let act = async {
            isobox_fault::point!("action.intended");
            act.await?;
            isobox_fault::point!("action.done");
            Ok(())
        };
        let acted = self.inner.isobox.control().act(&self.inner.sandbox, action, after, act).await;
        isobox_fault::point!("action.confirmed");
        self.told(name, acted)
    }

    /// The library that it was made or found with.
    pub fn isobox(&self) -> &Isobox {
        &self.inner.isobox
    }

    /// Its id, unique for ever.
    pub fn id(&self) -> &SandboxId {
        self.raw().id()
    }

    /// The backend's id of it.
    pub fn external_id(&self) -> &ExternalId {
        self.raw().external_id()
    }

    /// The kind of its provider.
    pub fn provider(&self) -> &ProviderKind {
        self.inner.provider.kind()
    }

    /// What it can do.
    pub fn capabilities(&self) -> &Capabilities {
        self.raw().capabilities()
    }

    /// Its working directory, absolute.
    pub fn workdir(&self) -> &SandboxPath {
        self.raw().workdir()
    }

    /// The image that it was made from, also when a tag stands for another one by now; none for a sandbox that was made
    /// from anything else.
    pub fn image(&self) -> Option<&SandboxImage> {
        self.raw().image()
    }

    /// What it runs on.
    pub async fn platform(&self) -> Result<Platform> {
        self.told("platform", self.raw().platform().await)
    }

    /// Its state, its limits and what else its backend knows about it.
    pub async fn describe(&self) -> Result<Status> {
        let mut status = self.told("describe", self.raw().describe().await)?;
        if let Some(taken) = &self.inner.taken {
            (status.name, status.labels) = (taken.name.clone(), taken.labels.clone());
        }
        Ok(status)
    }

    /// What it uses now. What cannot be measured is left out, never zero.
    pub async fn metrics(&self) -> Result<Metrics> {
        self.require("metrics", Capability::ObserveMetrics)?;
        self.told("metrics", self.raw().metrics().await)
    }

    /// Waits for its end and says how it came about. [`Isobox::inspect`] and [`Isobox::post_mortem`] know it when this returns.
    /// Cancel safe.
    pub async fn ended(&self) -> Result<Ended> {
        self.require("ended", Capability::ObserveEnded)?;
        let ended = self.told("ended", self.raw().ended().await)?;
        let store = self.inner.isobox.control().store();
        settle(store, self.id(), &ended).await;
        Ok(as_intended(store.as_ref(), self.id(), ended).await)
    }
}

impl Sandbox {
    /// A handle of another sandbox of the same provider, with the same lifetimes.
    pub(crate) async fn beside(&self, sandbox: Arc<dyn isobox_contract::Sandbox>, name: Option<String>) -> Self {
        let lifetimes = *self.inner.lifetimes.lock().await;
        let owned = self.inner.owned.load(Ordering::Relaxed);
        Self::with(self.inner.isobox.clone(), self.inner.provider.clone(), sandbox, name, lifetimes, owned, None)
    }

    /// Tells the ends of commands that nobody has told, because the process that started them was killed. Whether there
    /// were any.
    pub(crate) async fn tell_ends(&self, known: &[ProcessEntry]) -> bool {
        let Ok(listed) = self.raw().exec().processes().await else { return false };
        let ends = known.iter().filter(|process| process.ended_at.is_none()).filter_map(|process| {
            let exit = match listed.iter().find(|listed| listed.id == process.id).map(|listed| &listed.state) {
                Some(ProcessState::Running) => return None,
                Some(ProcessState::Exited(exit)) => exit.clone(),
                None => Exit { termination: Termination::Unknown, ..Exit::code(-1, Duration::ZERO) },
            };
            Some(EventKind::ExecExited { exec: process.id, exit })
        });
        let ends: Vec<_> = ends.collect();
        let any = !ends.is_empty();
        ends.into_iter().for_each(|end| self.inner.told.emit(end));
        any
    }

    pub(crate) fn its_provider(&self) -> Arc<dyn Provider> {
        self.inner.provider.clone()
    }

    pub(crate) fn raw(&self) -> &dyn isobox_contract::Sandbox {
        &*self.inner.sandbox
    }

    /// The same, for what is derived from it.
    pub(crate) fn shared(&self) -> Arc<dyn isobox_contract::Sandbox> {
        self.inner.sandbox.clone()
    }

    /// Refuses to begin something in a sandbox that somebody is deleting, in whatever process. The sandbox itself does not know
    /// before the deletion acts.
    pub(crate) async fn stays(&self, operation: &str) -> Result<()> {
        match self.inner.isobox.control().store().state(self.id()).await {
            Ok(State::Deleting) => self.told(operation, Err(Error::invalid_state(State::Deleting, Action::Exec))),
            // Also whoever cannot read the books can use the sandbox.
            _ => Ok(()),
        }
    }

    /// Begins a command, which ends again when somebody turns out to be deleting the sandbox. The books are read beside it and not
    /// before, so that no command begins later for them.
    pub(crate) async fn begin<T>(&self, operation: &str, command: impl Future<Output = Result<T>>) -> Result<T> {
        let (command, stays) = (pin!(command), pin!(self.stays(operation)));
        let begun = match select(command, stays).await {
            // It was quick. Books that do not answer are no reason to keep its result back.
            Either::Left((Ok(begun), stays)) => {
                tokio::time::timeout(GLANCE, stays).await.unwrap_or(Ok(()))?;
                Ok(begun)
            }
            Either::Left((failed, _)) => failed,
            Either::Right((stays, command)) => {
                stays?;
                command.await
            }
        };
        self.told(operation, begun)
    }

    /// Tells an error where it comes from.
    pub(crate) fn told<T>(&self, operation: &str, result: Result<T>) -> Result<T> {
        result.map_err(|error| error.with_provider(self.provider()).with_sandbox(self.id()).with_operation(operation))
    }

    pub(crate) fn require(&self, operation: &str, capability: Capability) -> Result<()> {
        let required = self.capabilities().require(capability);
        self.told(operation, required.map_err(|error| explained_of(self.raw(), &*self.inner.provider, error)))
    }
}

impl fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sandbox").field("id", self.id()).field("provider", self.provider()).finish_non_exhaustive()
    }
}

pub(crate) fn context() -> Context {
    let mut context = Context::quiet();
    context.deadline = Instant::now().checked_add(CHANGE_TIMEOUT);
    context
}
