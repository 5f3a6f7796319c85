//! The fleet.

use crate::capabilities::capabilities;
use crate::{environment, workspace};
use async_trait::async_trait;
use isobox_contract::{
    Capabilities, Context, Error, Filter, Health, HostOptions, Provider, ProviderKind, ProviderOptions, Result,
    Sandbox, SandboxId, SandboxRecord, SandboxSpec, Status,
};
use isobox_local::{Fleet, Launch, LocalSandbox, settings};
use isobox_wire::host::HostConfig;
use isobox_wire::settings::Place;
use isobox_wire::{Blob, Settings, launch};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// Makes sandboxes on the bare host.
pub struct HostProvider {
    fleet: Fleet,
}

impl HostProvider {
    /// A provider that keeps its sandboxes below `home`. Starts nothing.
    ///
    /// # Errors
    /// When there is no directory for sandboxes, and none can be made.
    pub fn open(home: &Path) -> Result<Self> {
        let root = rustix::process::geteuid().is_root();
        Ok(Self { fleet: Fleet::open(home, ProviderKind::HOST, capabilities(root))? })
    }
}

fn options(spec: &SandboxSpec) -> HostOptions {
    match &spec.options {
        Some(ProviderOptions::Host(options)) => options.clone(),
        _ => HostOptions::default(),
    }
}

fn settings_for(spec: &SandboxSpec, state_dir: &Path, workdir: Vec<u8>) -> Result<Settings> {
    let mut settings = settings(spec, Place::Host)?;
    let options = options(spec);
    environment::check(&options.inherit_env)?;
    let inherited = environment::inherited(std::env::vars_os(), &options.inherit_env);
    let own = std::mem::take(&mut settings.env);
    settings.env =
        inherited.into_iter().map(|(name, value)| (Blob::from(name), Blob::from(value))).chain(own).collect();
    settings.workdir = Some(Blob::from(workdir));
    // What the sandbox leaves goes with it, and /tmp is everybody's here.
    settings.temporary = Some(Blob::from(state_dir.as_os_str().as_bytes().to_vec()));
    Ok(settings)
}

#[async_trait]
impl Provider for HostProvider {
    fn kind(&self) -> &ProviderKind {
        self.fleet.kind()
    }

    fn capabilities(&self) -> &Capabilities {
        self.fleet.capabilities()
    }

    async fn create(&self, id: &SandboxId, spec: &SandboxSpec, context: &Context) -> Result<Arc<dyn Sandbox>> {
        context.remaining("create")?;
        let state_dir = self.fleet.place(id)?;
        let place = workspace::workspace(spec, &state_dir)?;
        let settings = settings_for(spec, &state_dir, workspace::workdir(spec, &place))?;
        let config = HostConfig {
            state_dir: state_dir.as_os_str().as_bytes().to_vec(),
            workspace: place.managed,
            again: false,
            stop_after: isobox_local::stop_after(&spec.lifetimes),
            agent: isobox_wire::encode(&settings),
        };
        let frame =
            launch::frame(&config).map_err(|_| Error::limit_exceeded("spec", launch::MAX_LAUNCH_CONFIG as u64))?;
        let token = settings.token.into_vec();
        let request =
            Launch { id: *id, state_dir, role: "host", config: frame, token, cgroups: None, disk: None, image: None };
        let (kind, capabilities) = (self.kind().clone(), self.fleet.capabilities().clone());
        let sandbox = LocalSandbox::create(request, spec, kind, capabilities, Some(place.ownership)).await?;
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
        Ok(self.fleet.list(filter).await)
    }

    async fn leavings(&self) -> Result<Vec<SandboxId>> {
        Ok(self.fleet.leavings().await)
    }

    async fn health(&self) -> Health {
        isobox_local::probe(self).await
    }
}
