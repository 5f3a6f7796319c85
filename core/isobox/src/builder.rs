//! What sandbox to make.

use crate::isobox::Isobox;
use crate::local;
use crate::mount::Mount;
use crate::order::Order;
use crate::sandbox::Sandbox;
use isobox_contract::{
    Context, Error, EventSink, Expiry, ImageSource, Isolation, Lifetime, NetworkPolicy, Owner, ProviderKind,
    ProviderOptions, Resources, Result, SandboxPath, SandboxSpec, Secret, Source, VolumeMount, WorkspaceOwnership,
};
use isobox_control::Admission;
use std::fmt;
use std::path::Path;
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

    /// Makes it from an image, such as `alpine:3.22`.
    pub fn image(self, image: impl Into<ImageReference>) -> Self {
        self.source(Source::Image(image.into().0))
    }

    /// Makes it from an archive or layout folder of this machine, as `docker save` and OCI tools write them. When it holds
    /// several images, say which one with [`image_in_archive`](Self::image_in_archive).
    pub fn archive(self, path: impl AsRef<Path>) -> Self {
        let path = local::absolute(path.as_ref());
        self.source(Source::Archive { path, reference: None })
    }

    /// Makes it from one of the images of an archive, by its name there.
    pub fn image_in_archive(self, path: impl AsRef<Path>, name: impl Into<String>) -> Self {
        let path = local::absolute(path.as_ref());
        self.source(Source::Archive { path, reference: Some(name.into()) })
    }

    /// Makes it from a directory of this machine as the root filesystem, which is never written to.
    pub fn rootfs(self, directory: impl AsRef<Path>) -> Self {
        let path = local::absolute(directory.as_ref());
        self.source(Source::Rootfs { path })
    }

    /// Makes it from a snapshot, by its name or one of its ids.
    pub fn snapshot(self, snapshot: impl AsRef<str>) -> Self {
        match snapshot.as_ref().parse() {
            Ok(snapshot) => self.source(Source::Snapshot { snapshot }),
            Err(error) => self.refuse(Error::invalid_spec("source.snapshot", format!("is no snapshot: {error}"))),
        }
    }

    /// Makes it with a directory of this machine as the workspace, which it may change and which is never removed.
    pub fn workspace(self, directory: impl AsRef<Path>) -> Self {
        let path = Some(local::absolute(directory.as_ref()));
        self.source(Source::HostDirectory { path, ownership: WorkspaceOwnership::Designated })
    }

    /// Makes it from this. A sandbox has one source: a second one is refused by [`create`](Self::create).
    pub fn source(mut self, source: Source) -> Self {
        if self.source.is_some() {
            let reason =
                "is given twice, choose one of image, archive, rootfs, workspace and source, and mount the rest";
            self.problem.get_or_insert_with(|| Error::invalid_spec("source", reason));
        }
        self.source = Some(source);
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

    /// Sets how long it may exist at most, whatever it does. This is no timeout of a command.
    pub fn ttl(mut self, ttl: impl Into<Lifetime>) -> Self {
        self.spec.lifetimes.ttl = Some(ttl.into());
        self
    }

    /// Sets how long it may go without use. Use is a running command, a transfer, or a connection to a port.
    pub fn idle_timeout(mut self, idle: impl Into<Lifetime>) -> Self {
        self.spec.lifetimes.idle_timeout = Some(idle.into());
        self
    }

    /// Sets what happens at the end of a lifetime; it is deleted by default.
    pub fn on_expiry(mut self, expiry: Expiry) -> Self {
        self.spec.lifetimes.on_expiry = expiry;
        self
    }

    /// Sets what happens when it has not been used for too long, where that is something else than
    /// [`on_expiry`](Self::on_expiry).
    pub fn on_idle(mut self, expiry: Expiry) -> Self {
        self.spec.lifetimes.on_idle = Some(expiry);
        self
    }

    /// Sets how long this process may be out of touch before it ends; the provider's default is a few seconds.
    pub fn owner_lease(mut self, lease: Duration) -> Self {
        self.spec.lifetimes.owner_lease = Some(lease);
        self
    }

    /// Lets it live on without its handles and this process, until a lifetime ends or somebody deletes it. Without
    /// [`ttl`](Self::ttl) and [`idle_timeout`](Self::idle_timeout) its ttl is [`DEFAULT_DETACHED_TTL`]; for ever must be said:
    /// [`Lifetime::Never`].
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

    /// Sets all limits.
    pub fn resources(mut self, resources: Resources) -> Self {
        self.spec.resources = resources;
        self
    }

    /// Limits the processors; fractions are fine.
    pub fn cpus(mut self, cpus: f64) -> Self {
        self.spec.resources.cpus = Some(cpus);
        self
    }

    /// Limits the memory, in bytes.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.spec.resources.memory = Some(bytes);
        self
    }

    /// Limits the disk, in bytes.
    pub fn disk(mut self, bytes: u64) -> Self {
        self.spec.resources.disk = Some(bytes);
        self
    }

    /// Limits the processes and threads.
    pub fn pids(mut self, pids: u64) -> Self {
        self.spec.resources.pids = Some(pids);
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

/// An image to make a sandbox from: a reference, or an [`ImageSource`] that also says how to get it.
#[derive(Clone, Debug)]
pub struct ImageReference(ImageSource);

impl ImageReference {
    pub(crate) fn into_source(self) -> ImageSource {
        self.0
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

impl From<ImageSource> for ImageReference {
    fn from(source: ImageSource) -> Self {
        Self(source)
    }
}

impl From<&str> for ImageReference {
    fn from(reference: &str) -> Self {
        reference.to_owned().into()
    }
}

impl From<String> for ImageReference {
    fn from(reference: String) -> Self {
        Self(ImageSource { reference, ..ImageSource::default() })
    }
}
