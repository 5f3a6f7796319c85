//! The fleet.

use crate::address::Address;
use crate::client::Engine;
use crate::{images, volumes};
use async_trait::async_trait;
use isobox_contract::{
    Capabilities, Context, Error, Filter, Images, Isolation, Provider, ProviderKind, Result, Sandbox, SandboxId,
    SandboxRecord, SandboxSpec, Status, Volumes,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Makes sandboxes in Docker.
pub struct DockerProvider {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) engine: Engine,
    pub(crate) home: PathBuf,
    pub(crate) library: images::Library,
    pub(crate) volumes: volumes::Store,
    pub(crate) capabilities: Capabilities,
}

impl DockerProvider {
    /// A provider with the engine that `DOCKER_HOST` names, or else listens at the usual place. Connects to nothing; what belongs
    /// to sandboxes on this machine is kept below `home`.
    ///
    /// # Errors
    /// `invalid_spec` when `DOCKER_HOST` is of a kind that is not spoken.
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
        let library = images::Library::new(engine.clone(), home);
        let capabilities = Capabilities::of(Isolation::Container, images::CLAIMS.into_iter().chain(volumes::CLAIMS));
        let volumes = volumes::Store::new(engine.clone());
        let inner = Inner { engine, home: home.to_owned(), library, volumes, capabilities };
        Ok(Self { inner: Arc::new(inner) })
    }
}

#[async_trait]
impl Provider for DockerProvider {
    fn kind(&self) -> &ProviderKind {
        &ProviderKind::DOCKER
    }

    fn capabilities(&self) -> &Capabilities {
        &self.inner.capabilities
    }

    async fn create(&self, _id: &SandboxId, _spec: &SandboxSpec, _context: &Context) -> Result<Arc<dyn Sandbox>> {
        self.inner.engine.facts().await?;
        Err(Error::unsupported("lifecycle.owner"))
    }

    async fn attach(&self, record: &SandboxRecord, _context: &Context) -> Result<Arc<dyn Sandbox>> {
        Err(Error::not_found(isobox_contract::Resource::Sandbox, record.id))
    }

    async fn list(&self, _filter: &Filter) -> Result<Vec<Status>> {
        Ok(Vec::new())
    }

    fn images(&self) -> Option<&dyn Images> {
        Some(&self.inner.library)
    }

    fn volumes(&self) -> Option<&dyn Volumes> {
        Some(&self.inner.volumes)
    }
}
