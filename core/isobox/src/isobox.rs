//! The way in: a directory, the providers, and the sandboxes made with them.

use crate::builder::SandboxBuilder;
use crate::collection::Collection;
use crate::control::{Control, DEFAULT_PERIOD, Herald, Janitor, is_gone};
use crate::home;
use crate::record::Record;
use crate::registry::{AUTO, Registry};
use crate::sandbox::Sandbox;
use isobox_contract::{
    Context, Error, Health, HealthStatus, Isolation, PostMortem, Provider, ProviderKind, Result, State,
};
use isobox_control::{EventFilter, Follow, Limits, ProcessEntry, Queue, Retention, SandboxEntry, SandboxFilter};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The way in. Cheap to clone; all clones are the same.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let directory = tempfile::tempdir().unwrap();
/// let isobox = isobox::Isobox::builder().home(directory.path()).open().await?;
/// let sandbox = isobox.sandbox().env("GREETING", "hello").create().await?;
/// assert_eq!(sandbox.shell("echo $GREETING").await?.stdout.text(), "hello\n");
/// # sandbox.delete().await
/// # }
/// ```
#[derive(Clone)]
pub struct Isobox {
    inner: Arc<Inner>,
}

struct Inner {
    home: PathBuf,
    default_provider: String,
    registry: Registry,
    control: Control,
    janitor: Janitor,
    herald: Herald,
    cleans_up: bool,
}

impl Isobox {
    /// Opens isobox with every default. Starts nothing: no daemon, no process, no download.
    ///
    /// Its directory is `$ISOBOX_HOME`, else `$XDG_DATA_HOME/isobox`, else `~/.local/share/isobox`, and is made if it is
    /// not there. `invalid_spec` when no directory can be told, `io` when it cannot be made.
    pub async fn open() -> Result<Self> {
        Self::builder().open().await
    }

    /// Says how to open it.
    pub fn builder() -> IsoboxBuilder {
        IsoboxBuilder::default()
    }

    /// Says what sandbox to make.
    pub fn sandbox(&self) -> SandboxBuilder {
        SandboxBuilder::new(self.clone())
    }

    /// Its directory, absolute.
    pub fn home(&self) -> &Path {
        &self.inner.home
    }

    /// Every kind of provider that can be named.
    pub fn providers(&self) -> Vec<ProviderKind> {
        self.inner.registry.kinds()
    }

    /// The provider with this name, or the one that `auto` stands for, to ask for its capabilities and its health.
    /// `not_found` when there is none.
    pub async fn provider(&self, name: &str) -> Result<Arc<dyn Provider>> {
        self.inner.registry.choose(name, Isolation::None).await
    }

    /// Whether the control plane works for this process: `unreachable` with the reason while it cannot be read, or what happens
    /// cannot be written down. That of a provider is asked of [`provider`](Self::provider).
    pub async fn health(&self) -> Health {
        let read = self.control().store().last_sequence().await.err().map(|error| error.message().to_owned());
        let trouble = read.or_else(|| self.control().recorder().trouble().map(|trouble| trouble.message));
        match trouble {
            None => Health { status: HealthStatus::Ok, ..Health::default() },
            message => Health { status: HealthStatus::Unreachable, message, ..Health::default() },
        }
    }

    /// Ends what the providers themselves run, such as helpers and forwarded ports, and writes down what has happened so far.
    /// Sandboxes are left alone. Bounded in time.
    pub async fn close(&self) {
        if let Err(error) = self.control().recorder().flush().await {
            tracing::warn!(code = %error.code(), "the last events are not written down");
        }
        for provider in self.inner.registry.all_opened() {
            provider.shutdown().await;
        }
    }

    /// A handle of a sandbox that any process has made, by its id or its name. Dropping it leaves the sandbox alone.
    ///
    /// Waits while it is being made. `not_found` when there is none, `sandbox_gone` when it has ended, with the post-mortem if
    /// it died.
    pub async fn connect(&self, id_or_name: &str) -> Result<Sandbox> {
        let found = self.control().find(id_or_name).await;
        let entry = found.map_err(|error| error.with_operation("connect"))?;
        self.handle_of(entry).await.map_err(|error| error.with_operation("connect"))
    }

    pub(crate) async fn handle_of(&self, entry: SandboxEntry) -> Result<Sandbox> {
        let (entry, record) = self.control().record_of(&self.inner.registry, entry).await?;
        let provider = self.inner.registry.named(entry.provider.as_str())?;
        match provider.attach(&record, &Context::quiet()).await {
            Ok(attached) => Ok(Sandbox::found(self.clone(), provider, attached, &entry)),
            Err(error) if is_gone(&error) => {
                let died = error.post_mortem().cloned().map(Box::new);
                let entry = self.control().lost(&*provider, &entry, died).await?;
                Err(self.control().gone(&entry).await)
            }
            Err(error) => Err(error.with_sandbox(&entry.id).with_provider(&entry.provider)),
        }
    }

    /// What is known about a sandbox, by its id or its name; one that is deleted by its id, for as long as it is remembered. Where
    /// others can change sandboxes beside isobox, its backend is asked, which is given two seconds.
    pub async fn inspect(&self, id_or_name: &str) -> Result<SandboxEntry> {
        let told = |error: Error| error.with_operation("inspect");
        let entry = self.control().find(id_or_name).await.map_err(told)?;
        match self.control().freshen(&self.inner.registry, std::slice::from_ref(&entry)).await {
            0 => Ok(entry),
            _ => self.control().store().sandbox(&entry.id).await.map_err(told),
        }
    }

    /// The sandboxes of all processes that match, oldest first. Their backends are asked as by [`inspect`](Self::inspect), one question
    /// for all of a backend.
    pub async fn list(&self, filter: SandboxFilter) -> Result<Vec<SandboxEntry>> {
        self.control().freshen_all(&self.inner.registry).await;
        self.control().all(&filter).await.map_err(|error| error.with_operation("list"))
    }

    /// What may be at once on this machine, counted over all processes that share isobox's directory.
    pub async fn limits(&self) -> Result<Limits> {
        self.control().store().limits().await.map_err(|error| error.with_operation("limits"))
    }

    /// Replaces the limits, for all processes and from now on. What is there beyond them stays. `invalid_spec` with the name
    /// of a value that makes no sense, and then nothing has changed.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> isobox::Result<()> {
    /// # let home = tempfile::tempdir().unwrap();
    /// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
    /// use isobox::{ErrorCode, Limits};
    /// use std::time::Duration;
    ///
    /// let limits = Limits { live_sandboxes: Some(1), queue_wait: Duration::ZERO, ..isobox.limits().await? };
    /// isobox.set_limits(limits).await?;
    /// let sandbox = isobox.sandbox().create().await?;
    /// assert_eq!(isobox.sandbox().create().await.unwrap_err().code(), ErrorCode::Overloaded);
    /// # sandbox.delete().await
    /// # }
    /// ```
    pub async fn set_limits(&self, limits: Limits) -> Result<()> {
        self.control().store().set_limits(limits).await.map_err(|error| error.with_operation("set_limits"))
    }

    /// Who waits for room on this machine, in the order of the turns, and what is being made, in all processes.
    pub async fn queue(&self) -> Result<Queue> {
        self.control().store().queue().await.map_err(|error| error.with_operation("queue"))
    }

    /// How a sandbox died, by its id, for as long as that is remembered; nothing when it did not die.
    pub async fn post_mortem(&self, id: &isobox_contract::SandboxId) -> Result<Option<PostMortem>> {
        self.control().store().post_mortem(id).await
    }

    /// The commands that run or ran in a sandbox, oldest first, whoever started them, also when it is gone: by its name or its
    /// id, for as long as they are remembered. Without what was executed. Those that run are listed with all that can be told of
    /// them by [`Sandbox::processes`].
    pub async fn processes(&self, id_or_name: &str) -> Result<Vec<ProcessEntry>> {
        let told = |error: Error| error.with_operation("processes");
        let entry = self.control().find(id_or_name).await.map_err(told)?;
        self.control().recorder().flush().await.map_err(told)?;
        let mut known = self.control().store().processes(&entry.id).await.map_err(told)?;
        if entry.state == State::Running && known.iter().any(|process| process.ended_at.is_none()) {
            let id = entry.id;
            // Without the sandbox there is nothing to add.
            if let Ok(sandbox) = self.handle_of(entry).await
                && sandbox.tell_ends(&known).await
            {
                self.control().recorder().flush().await.map_err(told)?;
                known = self.control().store().processes(&id).await.map_err(told)?;
            }
        }
        Ok(known)
    }

    /// What happened to the sandboxes of all processes after the event of this number, and then what happens. 0 is from the
    /// beginning, [`last_event`](Self::last_event) from now on.
    pub fn events(&self, after: u64, filter: EventFilter) -> Follow {
        isobox_control::follow(self.control().store().clone(), after, filter)
    }

    /// The number of the last event; 0 before the first.
    pub async fn last_event(&self) -> Result<u64> {
        self.control().store().last_sequence().await
    }

    /// Removes what processes have left that ended without a word, writes down which sandboxes are gone, and forgets what is
    /// over for long. Await it, or say first that nothing is to be changed ([`Collection::dry_run`]).
    ///
    /// What dead processes have left is also removed when isobox is opened, and by every process that has it open, some time
    /// after ([`IsoboxBuilder::clean_up_every`]). Only what carries an id of isobox is touched, below its own directory and in its
    /// own cgroups, and only when its owner is dead for certain, or it was deleted, or nobody knows it and nothing of it runs.
    pub fn collect_garbage(&self) -> Collection {
        Collection::new(self.clone())
    }

    pub(crate) fn control(&self) -> &Control {
        self.clean_up();
        &self.inner.control
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.inner.registry
    }

    pub(crate) async fn choose(&self, name: Option<&str>, least: Isolation) -> Result<Arc<dyn Provider>> {
        self.inner.registry.choose(name.unwrap_or(&self.inner.default_provider), least).await
    }
}

impl Isobox {
    /// Says that something expires that did not, or at another time.
    pub(crate) fn expires_anew(&self) {
        self.inner.herald.changed();
    }

    /// Has what dead processes have left removed in the background, and what expires soon told, from now on.
    fn clean_up(&self) {
        if !self.inner.cleans_up {
            return;
        }
        let inner = Arc::downgrade(&self.inner);
        self.inner.herald.ensure({
            let inner = inner.clone();
            move || {
                let inner = inner.upgrade()?;
                Some(move |notice| async move { inner.control.announce(notice).await })
            }
        });
        self.inner.janitor.ensure(move |number| {
            let inner = inner.upgrade()?;
            Some(move || async move { inner.control.clean(&inner.registry, number).await.map(drop) })
        });
    }
}

impl fmt::Debug for Isobox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Isobox")
            .field("home", &self.inner.home)
            .field("default_provider", &self.inner.default_provider)
            .finish_non_exhaustive()
    }
}

/// How to open isobox.
#[derive(Default)]
#[must_use = "nothing is opened before open is called"]
pub struct IsoboxBuilder {
    home: Option<PathBuf>,
    default_provider: Option<String>,
    given: Vec<Arc<dyn Provider>>,
    period: Option<Duration>,
    notice: Option<Duration>,
    record: Record,
    retention: Retention,
    no_clean_up: bool,
}

impl IsoboxBuilder {
    /// Sets the directory; the default is that of [`Isobox::open`].
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// Sets the provider of sandboxes that do not name one; `auto` by default. The environment is never asked: it must
    /// not be able to take a program's isolation away.
    pub fn default_provider(mut self, name: impl Into<String>) -> Self {
        self.default_provider = Some(name.into());
        self
    }

    /// Adds a provider of your own, to be named by its kind. It replaces one that is built in with the same kind. `auto`
    /// does not choose it.
    pub fn with_provider(mut self, provider: Arc<dyn Provider>) -> Self {
        self.given.push(provider);
        self
    }

    /// Does nothing in the background, neither now nor later: what dead processes have left is left to other processes and to
    /// [`Isobox::collect_garbage`], and so is telling what expires soon.
    pub fn no_clean_up(mut self) -> Self {
        self.no_clean_up = true;
        self
    }

    /// Sets how often it is looked whether a process has died, to remove what it has left; every 30 seconds by default. The
    /// longest durations are never. `invalid_spec` from [`open`](Self::open) for less than a millisecond.
    pub fn clean_up_every(mut self, period: Duration) -> Self {
        self.period = Some(period);
        self
    }

    /// Sets how long before the end of its ttl it is told that a sandbox expires soon, as the event `expiry_soon`; by default a
    /// minute, or a tenth of its lifetime if that is less. With zero nothing is told by this process. Each process that has isobox
    /// open tells it of all sandboxes, and the first one is who tells it.
    pub fn expiry_notice(mut self, notice: Duration) -> Self {
        self.notice = Some(notice);
        self
    }

    /// Sets what is written down of what happens; everything by default.
    pub fn record(mut self, record: Record) -> Self {
        self.record = record;
        self
    }

    /// Sets how long what is over is remembered, and how much of it. While isobox is open, what is older is dropped every ten
    /// minutes, by one of all processes that have it open; each with what it was told here.
    pub fn retention(mut self, retention: Retention) -> Self {
        self.retention = retention;
        self
    }

    pub(crate) fn home_given(&self) -> Option<PathBuf> {
        self.home.clone()
    }

    /// Opens it.
    pub async fn open(self) -> Result<Isobox> {
        let period = self.period.unwrap_or(DEFAULT_PERIOD);
        if period < Duration::from_millis(1) {
            return Err(Error::invalid_spec("clean_up_every", "is less than a millisecond, give at least that"));
        }
        let home = match self.home {
            Some(home) => home,
            None => home::find(|name| std::env::var_os(name))?,
        };
        let home = home::make(&home)?;
        let registry = Registry::new(home.clone(), self.given);
        let default_provider = self.default_provider.unwrap_or_else(|| AUTO.to_owned());
        if default_provider != AUTO {
            registry.named(&default_provider)?;
        }
        let control = Control::open(&home, self.record, self.retention).await?;
        let (janitor, herald) = (Janitor::new(period), Herald::new(self.notice));
        let cleans_up = !self.no_clean_up;
        let inner = Inner { home, default_provider, registry, control, janitor, herald, cleans_up };
        let isobox = Isobox { inner: Arc::new(inner) };
        isobox.clean_up();
        Ok(isobox)
    }
}

impl fmt::Debug for IsoboxBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IsoboxBuilder")
            .field("home", &self.home)
            .field("default_provider", &self.default_provider)
            .finish_non_exhaustive()
    }
}
