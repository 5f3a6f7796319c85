//! What a fleet of doubles is like.

use crate::capabilities::capabilities;
use crate::clock::Clock;
use crate::faults::{FaultPlan, Faults};
use crate::fleet::{Fleet, Seed};
use crate::ports::{Server, server};
use crate::provider::TestProvider;
use crate::recording::Recording;
use crate::script::Script;
use crate::tape::Player;
use bytes::Bytes;
use isobox_contract::{Capabilities, Capability, Health, HealthStatus, Isolation, ProviderKind, SandboxPath};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use tokio::io::DuplexStream;

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
    player: Option<Arc<Player>>,
}

impl TestProviderBuilder {
    pub(crate) fn new() -> Self {
        Self {
            kind: kind("testing"),
            capabilities: capabilities(),
            clock: Clock::skipping(),
            script: Script::new(),
            faults: FaultPlan::default(),
            files: Seed::new(),
            images: BTreeMap::new(),
            servers: BTreeMap::new(),
            player: None,
        }
    }

    /// One that plays a tape.
    pub(crate) fn playing(player: Arc<Player>) -> Self {
        Self { player: Some(player), ..Self::new() }
    }

    /// Claims no more than this, and its isolation.
    pub(crate) fn able(mut self, other: &Capabilities) -> Self {
        self.capabilities = Capabilities { isolation: other.isolation, ..self.capabilities.narrowed_to(other) };
        self
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
            player: self.player,
            made: AtomicU64::new(0),
        };
        TestProvider::of(fleet)
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
