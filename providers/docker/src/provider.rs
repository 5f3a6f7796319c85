//! The fleet.

use crate::address::Address;
use crate::attention::Attention;
use crate::capabilities::{capabilities, why_not};
use crate::client::Engine;
use crate::facts::Facts;
use crate::place::Places;
use crate::sandbox::Core;
use crate::{images, record, snapshots, volumes};
use async_trait::async_trait;
use isobox_contract::{
    Capabilities, Capability, Context, ErrorCode, Filter, Health, HealthStatus, Images, Provider, ProviderKind, Result,
    Sandbox, SandboxId, SandboxRecord, SandboxSpec, Snapshots, State, Status, Volumes,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Makes sandboxes in Docker.
pub struct DockerProvider {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) engine: Engine,
    pub(crate) places: Places,
    pub(crate) home: PathBuf,
    pub(crate) library: Arc<images::Library>,
    pub(crate) volumes: volumes::Store,
    pub(crate) snapshots: snapshots::Store,
    pub(crate) attention: Attention,
    /// What can be done here, once the engine has been asked.
    known: OnceLock<Capabilities>,
    /// What can be done with an engine of which nothing is known.
    usual: Capabilities,
    /// Whether the engine turned out to be on another machine, although its socket is on this one.
    elsewhere: AtomicBool,
}

impl DockerProvider {
    /// A provider with the engine that the `docker` command would use: the one that `DOCKER_HOST` names, with TLS when
    /// `DOCKER_TLS_VERIFY` is set, else that of the context in use (`DOCKER_CONTEXT`, or Docker's configuration), else the one that
    /// listens at the usual place. Connects to nothing; what belongs to sandboxes on this machine is kept below `home`.
    ///
    /// # Errors
    /// `invalid_spec` for an address of a kind that is not spoken, certificates that cannot be used, and a context that is not there.
    pub fn open(home: &Path) -> Result<Self> {
        Self::with(home, Address::find(|name| std::env::var(name).ok())?)
    }

    /// A provider with the engine at `host`, as `DOCKER_HOST` would name it: `unix:///path` or `tcp://host:port`.
    ///
    /// # Errors
    /// `invalid_spec` when it is of a kind that is not spoken.
    pub fn at(home: &Path, host: &str) -> Result<Self> {
        Self::with(home, Address::parse(host)?)
    }

    fn with(home: &Path, address: Address) -> Result<Self> {
        let engine = Engine::at(address)?;
        let places = Places::below(home);
        let library = Arc::new(images::Library::new(engine.clone(), home));
        let inner = Inner {
            home: home.to_owned(),
            volumes: volumes::Store::new(engine.clone(), places.clone()),
            snapshots: snapshots::Store::new(engine.clone(), places.clone(), library.clone()),
            attention: Attention::default(),
            places,
            library,
            engine,
            known: OnceLock::new(),
            usual: capabilities(&Facts::usual()),
            elsewhere: AtomicBool::new(false),
        };
        Ok(Self { inner: Arc::new(inner) })
    }
}

impl Inner {
    /// What can be done with this engine. Until it answers, what can be done with most.
    pub(crate) fn capabilities(&self) -> &Capabilities {
        if let Some(known) = self.known.get() {
            return known;
        }
        match self.engine.facts_now() {
            Some(facts) => self.known.get_or_init(|| capabilities(facts)),
            None => &self.usual,
        }
    }

    /// Whether the engine sees the files of this machine.
    pub(crate) fn is_here(&self) -> bool {
        matches!(self.engine.address(), Address::Unix(_)) && !self.elsewhere.load(Ordering::Relaxed)
    }

    /// Has a handle told what somebody else does to its container.
    pub(crate) fn pay_attention(&self, core: &Arc<Core>) {
        match self.places.fleet() {
            Ok(fleet) => self.attention.pay(&self.engine, &fleet, core),
            Err(error) => tracing::warn!(%error, "what others do to a sandbox is not noticed"),
        }
    }

    /// It does not.
    pub(crate) fn not_here(&self) {
        self.elsewhere.store(true, Ordering::Relaxed);
    }
}

#[async_trait]
impl Provider for DockerProvider {
    fn kind(&self) -> &ProviderKind {
        &ProviderKind::DOCKER
    }

    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    fn why_not(&self, capability: Capability) -> Option<String> {
        why_not(self.inner.engine.facts_now()?, capability)
    }

    async fn create(&self, id: &SandboxId, spec: &SandboxSpec, context: &Context) -> Result<Arc<dyn Sandbox>> {
        self.inner.make(id, spec, context).await
    }

    async fn attach(&self, record: &SandboxRecord, _context: &Context) -> Result<Arc<dyn Sandbox>> {
        Ok(Arc::new(self.inner.find(record).await?))
    }

    async fn delete(&self, record: &SandboxRecord, _context: &Context) -> Result<()> {
        // Of a sandbox whose maker did not live to say more, the name is known.
        self.inner.remove(&record::container(&record.id), &record.id).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Status>> {
        Ok(self.inner.all().await?.into_iter().filter(|status| filter.matches(status)).collect())
    }

    async fn states(&self) -> Result<Option<Vec<(SandboxId, State)>>> {
        let all = self.inner.all().await?.into_iter();
        Ok(Some(all.filter_map(|status| Some((status.id?, status.state))).collect()))
    }

    async fn leavings(&self) -> Result<Vec<SandboxId>> {
        self.inner.leavings().await
    }

    async fn health(&self) -> Health {
        match self.inner.engine.version().await {
            Ok(version) => Health { status: HealthStatus::Ok, version: Some(version), ..Health::default() },
            Err(error) => {
                let forbidden = matches!(error.code(), ErrorCode::PermissionDenied | ErrorCode::Unauthenticated);
                let status = if forbidden { HealthStatus::Unauthorized } else { HealthStatus::Unreachable };
                Health { status, message: Some(error.message().to_owned()), ..Health::default() }
            }
        }
    }

    fn images(&self) -> Option<&dyn Images> {
        Some(&*self.inner.library)
    }

    fn snapshots(&self) -> Option<&dyn Snapshots> {
        self.inner.capabilities().has(Capability::SnapshotsSupported).then_some(&self.inner.snapshots as &dyn Snapshots)
    }

    async fn tidy(&self) -> Result<()> {
        self.inner.tidy_images().await?;
        self.inner.tidy_workspaces().await
    }

    fn volumes(&self) -> Option<&dyn Volumes> {
        Some(&self.inner.volumes)
    }
}
