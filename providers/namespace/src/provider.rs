//! The fleet.

use crate::capabilities::capabilities;
use crate::spec::config;
use async_trait::async_trait;
use isobox_contract::{
    Capabilities, Context, Error, ErrorCode, Filter, Health, HealthStatus, Provider, ProviderKind, Resource, Result,
    Sandbox, SandboxId, SandboxRecord, SandboxSpec, Status,
};
use isobox_local::{Launch, LocalSandbox, Places, settings};
use isobox_wire::settings::Place;
use std::path::Path;
use std::sync::Arc;

/// Makes sandboxes from Linux namespaces.
pub struct NamespaceProvider {
    places: Places,
    capabilities: Capabilities,
}

impl NamespaceProvider {
    /// A provider that keeps its sandboxes below `home`. Starts nothing.
    ///
    /// # Errors
    /// When there is no directory for sandboxes, and none can be made.
    pub fn open(home: &Path) -> Result<Self> {
        let root = rustix::process::geteuid().is_root();
        Ok(Self { places: Places::open(home, "namespace")?, capabilities: capabilities(root) })
    }
}

#[async_trait]
impl Provider for NamespaceProvider {
    fn kind(&self) -> &ProviderKind {
        &ProviderKind::NAMESPACE
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    async fn create(&self, id: &SandboxId, spec: &SandboxSpec, context: &Context) -> Result<Arc<dyn Sandbox>> {
        context.remaining("create")?;
        let state_dir = self.places.of(id);
        if state_dir.symlink_metadata().is_ok() {
            return Err(Error::already_exists(Resource::Sandbox, id));
        }
        let settings = settings(spec, Place::Sandbox)?;
        let config = config(id, spec, &state_dir, &settings)?;
        let frame = config
            .to_frame()
            .map_err(|_| Error::limit_exceeded("spec", isobox_wire::launch::MAX_LAUNCH_CONFIG as u64))?;
        let launch = Launch { id: *id, role: "launch", config: frame, token: settings.token.into_vec() };
        let kind = self.kind().clone();
        let sandbox = LocalSandbox::create(launch, spec, kind, self.capabilities.clone(), state_dir, None).await?;
        isobox_local::confirm(&sandbox, spec).await?;
        Ok(Arc::new(sandbox))
    }

    async fn attach(&self, record: &SandboxRecord, _context: &Context) -> Result<Arc<dyn Sandbox>> {
        let sandbox = LocalSandbox::attach(record, self.kind().clone(), self.capabilities.clone()).await?;
        Ok(Arc::new(sandbox))
    }

    async fn delete(&self, record: &SandboxRecord, context: &Context) -> Result<()> {
        match self.attach(record, context).await {
            Ok(sandbox) => sandbox.delete(context).await,
            Err(error) if error.code() == ErrorCode::NotFound => self.places.remove(&record.id),
            Err(error) => Err(error),
        }
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Status>> {
        Ok(self.places.list(self.kind()).into_iter().filter(|status| filter.matches(status)).collect())
    }

    async fn health(&self) -> Health {
        Health { status: HealthStatus::Ok, ..Health::default() }
    }
}
