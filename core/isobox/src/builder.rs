//! What sandbox to make.

mod bounds;
mod source;

pub use source::ImageReference;

use crate::isobox::Isobox;
use crate::mount::Mount;
use crate::order::Order;
use crate::sandbox::Sandbox;
use isobox_contract::{
    Context, Error, EventSink, Isolation, NetworkPolicy, Owner, ProviderKind, ProviderOptions, Result, SandboxPath,
    SandboxSpec, Secret, Source, VolumeMount,
};
use isobox_control::Admission;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How long a sandbox may take to be made by default.
pub const DEFAULT_CREATE_TIMEOUT: Duration = Duration::from_secs(300);

/// How long a sandbox that is detached without any lifetime may exist: a day.
pub const DEFAULT_DETACHED_TTL: Duration = Duration::from_secs(24 * 60 * 60);

/// What sandbox to make; [`create`](Self::create) makes it. What is not set is the provider's default.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
/// use isobox::{Isolation, Mount};
/// use std::time::Duration;
///
/// let sandbox = isobox
///     .sandbox()
///     .env("LANG", "C.UTF-8")
///     .mount(Mount::bind("/usr/share", "/mnt/share").read_only())
///     .ttl(Duration::from_secs(600))
///     .least_isolation(Isolation::Container)
///     .create()
///     .await?;
/// assert_eq!(sandbox.shell("echo $LANG").await?.stdout.text(), "C.UTF-8\n");
/// # sandbox.delete().await
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is made before create is called"]
pub struct SandboxBuilder {
    isobox: Isobox,
    provider: Option<String>,
    spec: SandboxSpec,
    source: Option<Source>,
    network: Option<NetworkPolicy>,
    timeout: Duration,
    problem: Option<Error>,
    events: Events,
    key: Option<String>,
}

impl SandboxBuilder {
    pub(crate) fn new(isobox: Isobox) -> Self {
        Self {
            isobox,
            provider: None,
            spec: SandboxSpec::default(),
            source: None,
            network: None,
            timeout: DEFAULT_CREATE_TIMEOUT,
            problem: None,
            events: Events(Context::quiet().events),
            key: None,
        }
    }

    /// Starts again from a whole spec, which may say what has no method here. The provider's name is kept.
    pub fn spec(mut self, spec: SandboxSpec) -> Self {
        self.source = Some(spec.source.clone());
        self.network = Some(spec.network.clone());
        self.spec = spec;
        self
    }

    /// Sets the provider: `auto`, `namespace`, `host`, or the kind of one of your own. The default is that of
    /// [`IsoboxBuilder::default_provider`](crate::IsoboxBuilder::default_provider).
    pub fn provider(mut self, name: impl Into<String>) -> Self {
        self.provider = Some(name.into());
        self
    }

    /// Names it; unique among live sandboxes.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.spec.name = Some(name.into());
        self
    }

    /// Runs the image's own entrypoint, with its command, once the sandbox is made: it goes on beside what is run by
    /// [`exec`](Sandbox::exec), is listed like other processes, and may end before the sandbox does.
    pub fn entrypoint(mut self) -> Self {
        self.spec.entrypoint = true;
        self
    }

    /// Sets a variable for every command.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.spec.env.insert(name.into(), value.into());
        self
    }

    /// Sets variables for every command.
    pub fn envs<N: Into<String>, V: Into<String>>(self, variables: impl IntoIterator<Item = (N, V)>) -> Self {
        variables.into_iter().fold(self, |builder, (name, value)| builder.env(name, value))
    }

    /// Sets a label. Not for secrets.
    pub fn label(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.spec.labels.insert(name.into(), value.into());
        self
    }

    /// Sets the user that commands run as: a name, `uid`, `uid:gid` or `name:group`.
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.spec.user = Some(user.into());
        self
    }

    /// Sets the working directory, absolute. It must be there: `invalid_spec` otherwise.
    pub fn workdir(mut self, directory: impl Into<SandboxPath>) -> Self {
        self.spec.workdir = Some(directory.into());
        self
    }

    /// Adds a mount.
    pub fn mount(mut self, mount: Mount) -> Self {
        self.spec.mounts.push(mount.into());
        self
    }

    /// Adds a volume, by the name or the id that [`Volumes::create`](crate::Volumes::create) gave it, at an absolute path. It
    /// must be there: `not_found` otherwise.
    pub fn volume(self, volume: impl AsRef<str>, target: impl Into<SandboxPath>) -> Self {
        match volume.as_ref().parse() {
            Ok(volume) => self.volume_mount(VolumeMount::new(volume, target)),
            Err(error) => {
                self.refuse(Error::invalid_spec("volumes.volume", format!("is no name of a volume: {error}")))
            }
        }
    }

    /// Adds a volume that more is said about: only to be read, or a part of it.
    pub fn volume_mount(mut self, mount: VolumeMount) -> Self {
        self.spec.volumes.push(mount);
        self
    }

    /// Lets [`create`](Self::create) fail so, unless something else was wrong before.
    fn refuse(mut self, problem: Error) -> Self {
        self.problem.get_or_insert(problem);
        self
    }

    /// Adds a secret.
    pub fn secret(mut self, secret: Secret) -> Self {
        self.spec.secrets.push(secret);
        self
    }

    /// Says that something in it will listen on a port; backends that must know beforehand open it.
    pub fn port(mut self, port: u16) -> Self {
        self.spec.ports.push(port);
        self
    }

    /// Sets what it may reach. The default is nothing ([`NetworkPolicy::None`]); the provider `host`, which keeps
    /// nothing apart, has [`NetworkPolicy::ProviderDefault`] instead, which is the machine's own network.
    pub fn network(mut self, network: NetworkPolicy) -> Self {
        self.network = Some(network);
        self
    }

    /// Lets it live on without its handles and this process, until a lifetime ends or somebody deletes it. Without
    /// [`ttl`](Self::ttl) and [`idle_timeout`](Self::idle_timeout) its ttl is [`DEFAULT_DETACHED_TTL`]; for ever must be said:
    /// [`Lifetime::Never`](isobox_contract::Lifetime::Never).
    pub fn detached(mut self) -> Self {
        self.spec.owner = Owner::Detached;
        self
    }

    /// Sets what only one provider knows.
    pub fn options(mut self, options: ProviderOptions) -> Self {
        self.spec.options = Some(options);
        self
    }

    /// Sets the least isolation that is accepted. A provider with less refuses, `auto` passes it over.
    pub fn least_isolation(mut self, isolation: Isolation) -> Self {
        self.spec.isolation = isolation;
        self
    }

    /// Sets how long making it may take; [`DEFAULT_CREATE_TIMEOUT`] by default. Nor does it wait longer than that for room on
    /// the machine ([`Isobox::limits`]).
    pub fn create_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets where progress goes, such as that of an image that is fetched first.
    pub fn events(mut self, events: Arc<dyn EventSink>) -> Self {
        self.events = Events(events);
        self
    }

    /// Sets a key, 1 to 256 bytes: the same request with the same key gives the same sandbox, also after a crash, and makes no
    /// second one; another request with it is a `conflict`.
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Makes it and returns when it runs.
    ///
    /// Everything is checked before anything is made: `invalid_spec` names the field and the way out, `unsupported` the
    /// capability that the provider lacks, `already_exists` a name that another sandbox has. When it fails or the future is
    /// dropped, nothing is left over.
    pub async fn create(self) -> Result<Sandbox> {
        Box::pin(self.create_or(false)).await
    }

    /// Makes it, or gives the sandbox that has the [`name`](Self::name) already, whoever made it and whatever it is like. Of many
    /// processes that ask at once, one makes it. `invalid_spec` without a name.
    pub async fn get_or_create(self) -> Result<Sandbox> {
        if self.spec.name.is_none() {
            let reason = "is missing, give the name that the sandbox is found by";
            return Err(Error::invalid_spec("name", reason).with_operation("create"));
        }
        Box::pin(self.create_or(true)).await
    }

    async fn create_or(self, get: bool) -> Result<Sandbox> {
        let order = self.order().await.map_err(|error| error.with_operation("create"))?;
        Order { get, ..order }.fulfil().await
    }

    /// What is asked for, by whoever is to make it.
    pub(crate) async fn order(self) -> Result<Order> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        let provider = self.isobox.choose(self.provider.as_deref(), self.spec.isolation).await?;
        let (isobox, timeout, events, key) =
            (self.isobox.clone(), self.timeout, self.events.0.clone(), self.key.clone());
        let spec = self.settle(provider.kind());
        let (get, admission, pool) = (false, Admission::InTurn, None);
        Ok(Order { isobox, provider, spec, timeout, events, key, get, admission, pool })
    }

    /// The spec for this kind of provider.
    fn settle(self, kind: &ProviderKind) -> SandboxSpec {
        let mut spec = self.spec;
        spec.source = self.source.unwrap_or_default();
        let default = if *kind == ProviderKind::HOST { NetworkPolicy::ProviderDefault } else { NetworkPolicy::None };
        spec.network = self.network.unwrap_or(default);
        if spec.owner == Owner::Detached && spec.lifetimes.ttl.is_none() && spec.lifetimes.idle_timeout.is_none() {
            spec.lifetimes.ttl = Some(DEFAULT_DETACHED_TTL.into());
        }
        spec
    }
}

/// Where progress goes.
#[derive(Clone)]
struct Events(Arc<dyn EventSink>);

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Events")
    }
}
