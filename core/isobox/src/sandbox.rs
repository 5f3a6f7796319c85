//! A handle of one sandbox.
//!
//! Everything passes here on its way to a provider: what the sandbox does not claim is refused with its dotted name, and
//! an error that comes back is told the provider, the sandbox and the call.

use crate::builder::DEFAULT_DETACHED_TTL;
use crate::command::Command;
use crate::control::{Told, Watch, in_background, tell_last};
use crate::files::Files;
use crate::git::Git;
use crate::isobox::Isobox;
use crate::process::Process;
use crate::search::Search;
use crate::services::Services;
use crate::session::SessionBuilder;
use crate::why::explained;
use isobox_contract::{
    Action, Capabilities, Capability, Context, Ended, EventKind, EventSink, ExecId, ExecRequest, Exit, ExternalId,
    Labels, Lifetime, Lifetimes, Metrics, Owner, OwnerId, Platform, ProcessInfo, ProcessState, Provider, ProviderKind,
    Replay, Resources, Result, SandboxId, SandboxImage, SandboxPath, SandboxSpec, State, Status, Subject, Termination,
    Timestamp,
};
use isobox_control::{ProcessEntry, SandboxChange, SandboxEntry};
use std::fmt;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long one change of a sandbox's state may take.
const CHANGE_TIMEOUT: Duration = Duration::from_secs(60);

/// One place to run commands in. Cheap to clone; all clones are the same sandbox.
///
/// Dropping the last clone, with every [`Process`] and [`Files`] of it, ends the sandbox and everything in it, in the
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

/// What was said about a sandbox when it was taken from a pool.
#[derive(Clone, Debug)]
struct Taken {
    /// How old it was. Its lifetimes count from then on.
    age: Duration,
    name: Option<String>,
    labels: Labels,
}

impl Taken {
    fn of(entry: &SandboxEntry) -> Option<Self> {
        let age = entry.taken_at?.since(entry.id.created_at());
        Some(Self { age, name: entry.name.clone(), labels: entry.labels.clone() })
    }
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

    /// Waits for its end and says how it came about. Cancel safe.
    pub async fn ended(&self) -> Result<Ended> {
        self.require("ended", Capability::ObserveEnded)?;
        self.told("ended", self.raw().ended().await)
    }
}

/// Running commands.
impl Sandbox {
    /// A program and its arguments, run as they are, with no shell. Await it for the result, or say more first.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> isobox::Result<()> {
    /// # let home = tempfile::tempdir().unwrap();
    /// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
    /// # let sandbox = isobox.sandbox().create().await?;
    /// let result = sandbox.exec(["echo", "$HOME; no shell looks at this"]).await?;
    /// assert_eq!(result.stdout.text(), "$HOME; no shell looks at this\n");
    /// # sandbox.delete().await
    /// # }
    /// ```
    pub fn exec<T: Into<Vec<u8>>>(&self, argv: impl IntoIterator<Item = T>) -> Command {
        self.request(ExecRequest::argv(argv))
    }

    /// A script for `sh -c`. Await it for the result, or say more first.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> isobox::Result<()> {
    /// # let home = tempfile::tempdir().unwrap();
    /// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
    /// # let sandbox = isobox.sandbox().create().await?;
    /// let result = sandbox.shell("echo hello | tr a-z A-Z").await?;
    /// assert_eq!(result.stdout.text(), "HELLO\n");
    /// # sandbox.delete().await
    /// # }
    /// ```
    pub fn shell(&self, script: impl Into<Vec<u8>>) -> Command {
        self.request(ExecRequest::shell(script))
    }

    /// The same as [`exec`](Self::exec), for a command that is said more about, or started with [`Command::spawn`].
    pub fn command<T: Into<Vec<u8>>>(&self, argv: impl IntoIterator<Item = T>) -> Command {
        self.exec(argv)
    }

    /// A command from a whole request.
    pub fn request(&self, request: ExecRequest) -> Command {
        Command::new(self.clone(), request)
    }

    /// Every command that runs, and those that ended recently.
    pub async fn processes(&self) -> Result<Vec<ProcessInfo>> {
        self.require("exec.processes", Capability::ExecAttach)?;
        self.told("exec.processes", self.raw().exec().processes().await)
    }

    /// A handle of a command that was started elsewhere. Its output is replayed as far as it is kept, then followed.
    /// Dropping this handle leaves the command alone. `not_found` for an unknown id.
    pub async fn process(&self, id: &ExecId) -> Result<Process> {
        self.process_from(id, Replay::All).await
    }

    /// The same, from another point of the output on.
    pub async fn process_from(&self, id: &ExecId, from: Replay) -> Result<Process> {
        self.require("exec.attach", Capability::ExecAttach)?;
        let process = self.told("exec.attach", self.raw().exec().attach(id, from).await)?;
        Ok(Process::new(self.clone(), process))
    }

    /// Its files.
    pub fn files(&self) -> Files {
        Files::new(self.clone())
    }

    /// Git, by the program in it.
    pub fn git(&self) -> Git {
        Git::new(self.clone())
    }

    /// Searching its files.
    pub fn search(&self) -> Search {
        Search::new(self.clone())
    }

    /// Its background services: commands with names that run until they are stopped.
    pub fn services(&self) -> Services {
        Services::new(self.clone())
    }

    /// A shell that keeps its directory, variables and functions between scripts. Await it, or say more about it first.
    pub fn session(&self) -> SessionBuilder {
        SessionBuilder::new(self.clone())
    }
}

/// Its life.
impl Sandbox {
    /// Starts it again after a stop. One that runs is fine.
    pub async fn start(&self) -> Result<()> {
        let context = context();
        self.act("start", Action::Start, State::Running, self.raw().start(&context)).await?;
        self.watch();
        Ok(())
    }

    /// Ends everything in it, TERM and after the grace KILL, and keeps its files. One that is stopped is fine.
    pub async fn stop(&self, grace: Option<Duration>) -> Result<()> {
        let context = context();
        self.act("stop", Action::Stop, State::Stopped, self.raw().stop(grace, &context)).await
    }

    /// Freezes every command in it and returns when none runs any more. Its deadlines go on, and so do the timeouts of
    /// its commands. Until [`resume`](Self::resume) what needs it to run is refused with `invalid_state`; deleting is not.
    /// One that is paused is fine.
    pub async fn pause(&self) -> Result<()> {
        self.require("pause", Capability::LifecyclePause)?;
        let context = context();
        self.act("pause", Action::Pause, State::Paused, self.raw().pause(&context)).await
    }

    /// Lets its commands go on where they were. One that runs is fine.
    pub async fn resume(&self) -> Result<()> {
        self.require("resume", Capability::LifecyclePause)?;
        let context = context();
        self.act("resume", Action::Resume, State::Running, self.raw().resume(&context)).await
    }

    /// Changes limits while it runs; those that are left out stay as they are. `unsupported` with the reason for one
    /// that cannot be changed here, `invalid_spec` for one that is below what is in use; then nothing has changed.
    pub async fn resize(&self, resources: Resources) -> Result<()> {
        self.require("resize", Capability::LifecycleResize)?;
        self.told("resize", resources.validate())?;
        resources.needs().into_iter().try_for_each(|capability| self.require("resize", capability))?;
        let context = context();
        let resized = self.isobox().control().during(
            &self.inner.sandbox,
            Action::Resize,
            self.raw().resize(&resources, &context),
        );
        self.told("resize", resized.await)
    }

    /// Removes it. Nothing of it runs and nothing of it is left when this returns. One that is gone is fine.
    pub async fn delete(&self) -> Result<()> {
        let context = context();
        self.act("delete", Action::Delete, State::Deleted, self.raw().delete(&context)).await?;
        self.inner.owned.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Counts it as used now, for its idle timeout.
    pub async fn touch(&self) -> Result<()> {
        self.require("refresh_activity", Capability::LifecycleRefreshActivity)?;
        self.told("refresh_activity", self.raw().refresh_activity().await)
    }

    /// Replaces how long it may exist at most, counted from its creation, or from when it was taken from a pool. Other lifetimes stay as this handle set them.
    pub async fn set_ttl(&self, ttl: impl Into<Lifetime>) -> Result<()> {
        let ttl = Some(ttl.into());
        let mut lifetimes = self.inner.lifetimes.lock().await;
        let wanted = Lifetimes { ttl, ..*lifetimes };
        self.replace_lifetimes(&wanted).await?;
        *lifetimes = wanted;
        Ok(())
    }

    /// Replaces all its lifetimes.
    pub async fn set_lifetimes(&self, wanted: Lifetimes) -> Result<()> {
        let mut lifetimes = self.inner.lifetimes.lock().await;
        self.replace_lifetimes(&wanted).await?;
        *lifetimes = wanted;
        Ok(())
    }

    async fn replace_lifetimes(&self, wanted: &Lifetimes) -> Result<()> {
        const NAME: &str = "set_lifetimes";
        self.require(NAME, Capability::LifecycleSetLifetimes)?;
        self.told(NAME, wanted.validate())?;
        wanted.needs().into_iter().try_for_each(|capability| self.require(NAME, capability))?;
        let head_start = self.head_start();
        self.told(NAME, self.raw().set_lifetimes(&later(wanted, head_start)).await)?;
        let expires_at = match wanted.ttl {
            Some(Lifetime::After(ttl)) => self.id().created_at().checked_add(ttl.saturating_add(head_start)),
            _ => None,
        };
        let change = SandboxChange { expires_at: Some(expires_at), ..SandboxChange::default() };
        self.told(NAME, self.inner.isobox.control().store().change(self.id(), change).await.map(drop))?;
        self.inner.isobox.expires_anew();
        Ok(())
    }

    /// Lets it live on without its handles and this process. One without a [`ttl`](Self::set_ttl) and without an idle timeout
    /// gets a ttl: it ends [`DEFAULT_DETACHED_TTL`](crate::DEFAULT_DETACHED_TTL) from now. For ever must be said:
    /// [`Lifetime::Never`].
    pub async fn detach(&self) -> Result<()> {
        self.require("detach", Capability::LifecycleDetach)?;
        let mut lifetimes = self.inner.lifetimes.lock().await;
        if lifetimes.ttl.is_none() && lifetimes.idle_timeout.is_none() {
            let age = self.age().saturating_sub(self.head_start());
            let wanted = Lifetimes { ttl: Some((age + DEFAULT_DETACHED_TTL).into()), ..*lifetimes };
            // Before it is detached: somebody may have none but this.
            self.replace_lifetimes(&wanted).await?;
            *lifetimes = wanted;
        }
        self.told("detach", self.raw().detach().await)?;
        isobox_fault::point!("detach.done");
        self.owned_by(None).await
    }

    /// Makes this process its owner, so that it ends with this handle. Whoever owned it before has to detach it first.
    pub async fn adopt(&self) -> Result<()> {
        self.require("adopt", Capability::LifecycleOwner)?;
        self.told("adopt", self.raw().adopt().await)?;
        isobox_fault::point!("adopt.done");
        self.owned_by(Some(self.inner.isobox.control().owner())).await
    }

    async fn owned_by(&self, owner: Option<OwnerId>) -> Result<()> {
        self.inner.owned.store(owner.is_some(), Ordering::Relaxed);
        let detached = Some(owner.is_none());
        let change = SandboxChange { owner: Some(owner), detached, ..SandboxChange::default() };
        self.told("owner", self.inner.isobox.control().store().change(self.id(), change).await.map(drop))
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

    /// The handle of one that a pool kept ready, for whoever takes it. This one leaves it alone from now on.
    pub(crate) fn handed_over(&self, entry: &SandboxEntry) -> Self {
        let (isobox, provider, raw) = (self.inner.isobox.clone(), self.inner.provider.clone(), self.shared());
        let (name, lifetimes) = (entry.name.clone(), entry.spec.lifetimes);
        let owned = self.inner.owned.swap(false, Ordering::Relaxed);
        *self.inner.watch.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Self::with(isobox, provider, raw, name, lifetimes, owned, Taken::of(entry))
    }

    /// Begins the lifetimes that are written down for it now.
    pub(crate) async fn live_from_now(&self) -> Result<()> {
        let lifetimes = *self.inner.lifetimes.lock().await;
        if lifetimes.ttl.is_none() && lifetimes.idle_timeout.is_none() {
            return Ok(());
        }
        self.told("set_lifetimes", self.raw().set_lifetimes(&later(&lifetimes, self.age())).await)
    }

    /// Lets it live on by itself, as is written down.
    pub(crate) async fn let_go(&self) -> Result<()> {
        self.told("detach", self.raw().detach().await)?;
        self.inner.owned.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Leaves it to its lease, and to whatever process adopts it.
    pub(crate) fn relinquish(&self) -> Result<()> {
        self.told("relinquish", self.raw().relinquish())?;
        self.inner.owned.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Makes this process its owner, as is written down.
    pub(crate) async fn take_over(&self) -> Result<()> {
        self.told("adopt", self.raw().adopt().await)?;
        self.inner.owned.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Whether a pool kept it ready before it was taken.
    pub(crate) fn was_pooled(&self) -> bool {
        self.inner.taken.is_some()
    }

    fn age(&self) -> Duration {
        Timestamp::now().since(self.id().created_at())
    }

    /// How old it was when its lifetimes began.
    fn head_start(&self) -> Duration {
        self.inner.taken.as_ref().map_or(Duration::ZERO, |taken| taken.age)
    }

    pub(crate) fn isobox(&self) -> &Isobox {
        &self.inner.isobox
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

    /// Tells an error where it comes from.
    pub(crate) fn told<T>(&self, operation: &str, result: Result<T>) -> Result<T> {
        result.map_err(|error| error.with_provider(self.provider()).with_sandbox(self.id()).with_operation(operation))
    }

    pub(crate) fn require(&self, operation: &str, capability: Capability) -> Result<()> {
        let required = self.capabilities().require(capability);
        self.told(operation, required.map_err(|error| explained(&*self.inner.provider, error)))
    }
}

impl fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sandbox").field("id", self.id()).field("provider", self.provider()).finish_non_exhaustive()
    }
}

/// The same lifetimes of one that is older by `age`.
fn later(lifetimes: &Lifetimes, age: Duration) -> Lifetimes {
    let ttl = match lifetimes.ttl {
        Some(Lifetime::After(ttl)) => Some(Lifetime::After(ttl.saturating_add(age))),
        other => other,
    };
    Lifetimes { ttl, ..*lifetimes }
}

pub(crate) fn context() -> Context {
    let mut context = Context::quiet();
    context.deadline = Instant::now().checked_add(CHANGE_TIMEOUT);
    context
}
