//! A fleet of doubles.

use crate::capabilities::capabilities;
use crate::clock::Clock;
use crate::faults::{Effect, FaultPlan, Faults, Operation};
use crate::files::TestFiles;
use crate::fleet::{Fleet, Seed};
use crate::place::Place;
use crate::ports::{Server, server};
use crate::recording::Recording;
use crate::sandbox::{Handle, status_of};
use crate::script::Script;
use crate::sync::locked;
use async_trait::async_trait;
use bytes::Bytes;
use isobox_contract::{
    Capabilities, Capability, Context, DeathCause, Denial, Error, EventKind, Filter, Health, HealthStatus, Isolation,
    Owner, Provider, ProviderKind, Result, Sandbox, SandboxId, SandboxPath, SandboxRecord, SandboxSpec, Snapshots,
    State, Status, Volumes,
};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::DuplexStream;

/// How long a sandbox may take to end whose last handle was dropped.
const PATIENCE: Duration = Duration::from_secs(5);

/// A provider whose sandboxes are doubles: commands do what a script says, files are in memory, time is a clock's, and
/// nothing touches the machine. Cheap to clone; all clones are the same.
///
/// It is a provider like any other: `Isobox::builder().with_provider(..)` takes it, under the kind `testing` or the one that it
/// was given.
#[derive(Clone)]
pub struct TestProvider {
    inner: Arc<Inner>,
}

struct Inner {
    fleet: Arc<Fleet>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The fleet knows its sandboxes, and they their fleet.
        drop(std::mem::take(&mut *locked(&self.fleet.places)));
    }
}

impl TestProvider {
    /// A provider with every default: a script that answers nothing, no faults, a clock that skips.
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// Says what it is like.
    pub fn builder() -> TestProviderBuilder {
        TestProviderBuilder::new()
    }

    /// Which command gets which reply; it may be added to at any time.
    pub fn script(&self) -> Script {
        self.inner.fleet.script.clone()
    }

    /// Its clock.
    pub fn clock(&self) -> Clock {
        self.inner.fleet.clock.clone()
    }

    /// What was asked of it.
    pub fn recording(&self) -> Recording {
        self.inner.fleet.recording.clone()
    }

    /// Every sandbox that it has ever made, oldest first, those that are gone too.
    pub fn sandboxes(&self) -> Vec<TestSandbox> {
        self.inner.fleet.all().into_iter().map(|place| TestSandbox { place }).collect()
    }

    /// The sandbox with this id.
    ///
    /// # Panics
    /// When it has never made one with this id.
    #[track_caller]
    pub fn sandbox(&self, id: &SandboxId) -> TestSandbox {
        let found = locked(&self.inner.fleet.places).get(id).cloned();
        match found {
            Some(place) => TestSandbox { place },
            None => panic!("the provider has never made a sandbox {id}"),
        }
    }

    /// Sets how it is, from now on.
    pub fn set_health(&self, health: Health) {
        *locked(&self.inner.fleet.health) = health;
    }

    /// The sandboxes that are there: neither deleted nor dead.
    pub fn left(&self) -> Vec<TestSandbox> {
        self.sandboxes().into_iter().filter(|sandbox| !sandbox.place.is_gone()).collect()
    }

    /// No sandbox is left. Those whose last handle was dropped end in the background, and are waited for.
    ///
    /// # Panics
    /// When one is left after five seconds, with the names of all such.
    pub async fn assert_nothing_left(&self) {
        let gone = async {
            for place in self.inner.fleet.all() {
                place.gone().await;
            }
        };
        if tokio::time::timeout(PATIENCE, gone).await.is_err() {
            let left: Vec<_> =
                self.left().iter().map(|left| format!("{} ({})", left.place.about(), left.state())).collect();
            assert!(left.is_empty(), "{} sandboxes are left: {}", left.len(), left.join(", "));
        }
    }
}

impl Default for TestProvider {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for TestProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestProvider")
            .field("kind", &self.inner.fleet.kind)
            .field("sandboxes", &self.inner.fleet.all().len())
            .finish_non_exhaustive()
    }
}

/// What a [`TestProvider`] is like.
#[must_use = "nothing is made before build is called"]
pub struct TestProviderBuilder {
    kind: ProviderKind,
    capabilities: Capabilities,
    clock: Clock,
    script: Script,
    faults: FaultPlan,
    files: Seed,
    images: BTreeMap<String, Seed>,
    servers: BTreeMap<u16, Server>,
}

impl TestProviderBuilder {
    fn new() -> Self {
        Self {
            kind: kind("testing"),
            capabilities: capabilities(),
            clock: Clock::skipping(),
            script: Script::new(),
            faults: FaultPlan::default(),
            files: Seed::new(),
            images: BTreeMap::new(),
            servers: BTreeMap::new(),
        }
    }

    /// Sets its kind; `testing` by default. With the kind of a real provider it takes the place of that one.
    ///
    /// # Panics
    /// When that is no kind: 1 to 64 lower-case letters, digits and hyphens.
    #[track_caller]
    pub fn kind(mut self, name: &str) -> Self {
        self.kind = kind(name);
        self
    }

    /// Sets which command gets which reply.
    pub fn script(mut self, script: Script) -> Self {
        self.script = script;
        self
    }

    /// Sets what fails, and what takes its time.
    pub fn faults(mut self, faults: FaultPlan) -> Self {
        self.faults = faults;
        self
    }

    /// Sets the clock; one that skips by default.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Adds a file to every sandbox; a relative path starts at `/work`.
    pub fn file(mut self, path: impl Into<SandboxPath>, contents: impl Into<Bytes>) -> Self {
        self.files.push((path.into(), contents.into()));
        self
    }

    /// Adds an image that has these files. Once there is one, a reference to any other is `image_not_found`; without any,
    /// every image is there and has no files of its own.
    pub fn image<P: Into<SandboxPath>, C: Into<Bytes>>(
        mut self,
        reference: impl Into<String>,
        files: impl IntoIterator<Item = (P, C)>,
    ) -> Self {
        let files = files.into_iter().map(|(path, contents)| (path.into(), contents.into())).collect();
        self.images.insert(reference.into(), files);
        self
    }

    /// Has something listen on a port of every sandbox, which serves each connection so.
    pub fn port<F, T>(mut self, port: u16, serve: F) -> Self
    where
        F: Fn(DuplexStream) -> T + Send + Sync + 'static,
        T: Future<Output = ()> + Send + 'static,
    {
        self.servers.insert(port, server(serve));
        self
    }

    /// Claims a capability no more: it is refused by its name.
    pub fn without(mut self, capability: Capability) -> Self {
        self.capabilities.set(capability, false);
        self
    }

    /// Sets the isolation that it claims; `container` by default. Nothing runs that could be kept apart.
    pub fn isolation(mut self, isolation: Isolation) -> Self {
        self.capabilities.isolation = isolation;
        self
    }

    /// Makes it.
    pub fn build(self) -> TestProvider {
        let fleet = Fleet {
            kind: self.kind,
            capabilities: self.capabilities,
            clock: self.clock,
            script: self.script,
            faults: Faults::new(self.faults),
            recording: Recording::default(),
            files: self.files,
            images: self.images,
            servers: self.servers,
            health: Mutex::new(Health { status: HealthStatus::Ok, ..Health::default() }),
            places: Mutex::default(),
            snapshots: Mutex::default(),
            volumes: crate::volumes::Store::default(),
        };
        TestProvider { inner: Arc::new(Inner { fleet: Arc::new(fleet) }) }
    }
}

#[track_caller]
fn kind(name: &str) -> ProviderKind {
    match name.parse() {
        Ok(kind) => kind,
        Err(error) => panic!("{name:?} is no kind of provider: {error}"),
    }
}

impl fmt::Debug for TestProviderBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestProviderBuilder").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// A sandbox as a test sees it, from outside and also when it is gone. Cheap to clone.
#[derive(Clone)]
pub struct TestSandbox {
    place: Arc<Place>,
}

impl TestSandbox {
    /// Its id.
    pub fn id(&self) -> &SandboxId {
        &self.place.id
    }

    /// Its name.
    pub fn name(&self) -> Option<&str> {
        self.place.name.as_deref()
    }

    /// What it is doing; `error` when it has died.
    pub fn state(&self) -> State {
        self.place.life().state()
    }

    /// What it was made from and like. It may hold secrets.
    pub fn spec(&self) -> &SandboxSpec {
        &self.place.spec
    }

    /// Its files, relative paths starting at its working directory.
    pub fn files(&self) -> TestFiles {
        self.place.files_at_path(self.place.workdir.clone())
    }

    /// Lets it die now.
    pub fn die(&self, cause: DeathCause) {
        self.place.die(cause);
    }

    /// Tells that its network policy has refused something.
    pub fn deny(&self, denial: Denial) {
        self.place.tell(EventKind::NetworkDenied { denial });
    }

    /// Has something listen on a port from now on, which serves each connection so.
    pub fn listen<F, T>(&self, port: u16, serve: F)
    where
        F: Fn(DuplexStream) -> T + Send + Sync + 'static,
        T: Future<Output = ()> + Send + 'static,
    {
        self.place.listen(port, Some(server(serve)));
    }

    /// Has nothing listen on a port any more.
    pub fn close_port(&self, port: u16) {
        self.place.listen(port, None);
    }
}

impl fmt::Debug for TestSandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestSandbox").field("id", self.id()).field("state", &self.state()).finish_non_exhaustive()
    }
}

#[async_trait]
impl Provider for TestProvider {
    fn kind(&self) -> &ProviderKind {
        &self.inner.fleet.kind
    }

    fn capabilities(&self) -> &Capabilities {
        &self.inner.fleet.capabilities
    }

    async fn create(&self, id: &SandboxId, spec: &SandboxSpec, context: &Context) -> Result<Arc<dyn Sandbox>> {
        let fleet = &self.inner.fleet;
        let (at, about) = (fleet.clock.elapsed(), spec.name.clone().unwrap_or_default());
        let made = async {
            context.remaining("create")?;
            spec.validate_for(&fleet.kind, &fleet.capabilities)?;
            let effect = fleet.meet(Operation::Create, || about.clone()).await?;
            match effect {
                Some(Effect::Hang) => std::future::pending().await,
                Some(Effect::Cut(_)) => {
                    Err(Error::transport("the connection broke during this create, as the fault plan says"))
                }
                effect => {
                    let place = fleet.make(id, spec)?;
                    if let Some(Effect::Death(cause)) = effect {
                        place.die(cause);
                    }
                    Ok(Handle::shared(place, spec.owner == Owner::Process))
                }
            }
        };
        let made = made.await;
        fleet.recording.operation(Operation::Create, Some(*id), about, at, &made);
        made
    }

    async fn attach(&self, record: &SandboxRecord, _: &Context) -> Result<Arc<dyn Sandbox>> {
        let fleet = &self.inner.fleet;
        let at = fleet.clock.elapsed();
        let attached = async {
            let place = fleet.there(&record.id)?;
            place.meet_plainly(Operation::Attach, || place.about()).await?;
            Ok(Handle::shared(place, false))
        };
        let attached = attached.await;
        fleet.recording.operation(Operation::Attach, Some(record.id), record.id.to_string(), at, &attached);
        attached
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Status>> {
        let there = self.inner.fleet.all().into_iter().filter(|place| !place.is_gone());
        Ok(there.map(|place| status_of(&place)).filter(|status| filter.matches(status)).collect())
    }

    async fn health(&self) -> Health {
        locked(&self.inner.fleet.health).clone()
    }

    fn snapshots(&self) -> Option<&dyn Snapshots> {
        let fleet = &self.inner.fleet;
        fleet.capabilities.has(Capability::SnapshotsSupported).then_some(&**fleet as &dyn Snapshots)
    }

    fn volumes(&self) -> Option<&dyn Volumes> {
        let fleet = &self.inner.fleet;
        fleet.capabilities.has(Capability::VolumesSupported).then_some(&**fleet as &dyn Volumes)
    }
}
