//! The fleet.

use crate::capabilities::capabilities;
use crate::cgroups::Machine;
use crate::ids::Ids;
use crate::images::Library;
use crate::spec::{config, users};
use async_trait::async_trait;
use isobox_contract::{
    Capabilities, Capability, Context, Error, Filter, Health, Images, Provider, ProviderKind, Result, Sandbox,
    SandboxId, SandboxRecord, SandboxSpec, Status,
};
use isobox_local::{Fleet, Launch, LocalSandbox, settings};
use isobox_wire::launch::{IdRange, LaunchConfig};
use isobox_wire::settings::Place;
use std::path::Path;
use std::sync::Arc;

/// Makes sandboxes from Linux namespaces.
pub struct NamespaceProvider {
    fleet: Fleet,
    ids: Ids,
    cgroups: Machine,
    library: Library,
}

impl NamespaceProvider {
    /// A provider that keeps its sandboxes below `home`. Starts nothing.
    ///
    /// # Errors
    /// When there is no directory for sandboxes, and none can be made.
    pub fn open(home: &Path) -> Result<Self> {
        let (ids, cgroups) = (Ids::here(), Machine::open());
        let capabilities = capabilities(ids.several(), cgroups.claims());
        let fleet = Fleet::open(home, ProviderKind::NAMESPACE, capabilities)?;
        Ok(Self { fleet, ids, cgroups, library: Library::new(home) })
    }
}

#[async_trait]
impl Provider for NamespaceProvider {
    fn kind(&self) -> &ProviderKind {
        self.fleet.kind()
    }

    fn capabilities(&self) -> &Capabilities {
        self.fleet.capabilities()
    }

    fn why_not(&self, capability: Capability) -> Option<String> {
        self.cgroups.why_not(capability)
    }

    async fn create(&self, id: &SandboxId, spec: &SandboxSpec, context: &Context) -> Result<Arc<dyn Sandbox>> {
        context.remaining("create")?;
        let state_dir = self.fleet.place(id)?;
        let image = self.library.prepare(id, spec, &state_dir, context).await?;
        let spec = image.as_ref().map_or(spec, |image| &image.spec);
        let settings = settings(spec, Place::Sandbox)?;
        let maps = self.ids.maps(spec, users(spec))?;
        let capabilities = maps.narrow(self.fleet.capabilities());
        let mut config = config(id, spec, image.as_ref().map(|image| &image.root), &state_dir, maps, &settings)?;
        let owner = rustix::process::geteuid().is_root().then(|| root_of(&config));
        let born = self.cgroups.make(id, spec, owner)?;
        config.cgroups = born.for_launch();
        let disk = config.disk_in_memory;
        let frame = config
            .to_frame()
            .map_err(|_| Error::limit_exceeded("spec", isobox_wire::launch::MAX_LAUNCH_CONFIG as u64))?;
        let token = settings.token.into_vec();
        let launch =
            Launch { id: *id, state_dir, role: "launch", config: frame, token, cgroups: born.for_sandbox(), disk };
        let kind = self.kind().clone();
        let sandbox = LocalSandbox::create(launch, spec, kind, capabilities, None).await?;
        born.hand_over();
        self.cgroups.sweep();
        isobox_local::confirm(&sandbox, spec).await?;
        Ok(Arc::new(sandbox))
    }

    async fn attach(&self, record: &SandboxRecord, _context: &Context) -> Result<Arc<dyn Sandbox>> {
        self.fleet.attach(record).await
    }

    async fn delete(&self, record: &SandboxRecord, context: &Context) -> Result<()> {
        self.fleet.delete(record, context).await
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Status>> {
        Ok(self.fleet.list(filter))
    }

    fn images(&self) -> Option<&dyn Images> {
        Some(&self.library)
    }

    async fn health(&self) -> Health {
        isobox_local::probe(self).await
    }
}

/// The user and group outside that are root in the sandbox.
fn root_of(config: &LaunchConfig) -> (u32, u32) {
    let root = |map: &[IdRange]| map.iter().find(|range| range.inside == 0).map_or(0, |range| range.outside);
    (root(&config.uid_map), root(&config.gid_map))
}
