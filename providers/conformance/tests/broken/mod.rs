//! The provider `host` with one thing broken.

mod process;
mod sandbox;

use async_trait::async_trait;
use isobox::contract::{
    Context, Filter, Health, Provider, Result, Sandbox, SandboxId, SandboxRecord, SandboxSpec, Status,
};
use isobox::{Capabilities, Capability, ProviderKind};
use isobox_host::HostProvider;
use sandbox::BrokenSandbox;
use std::path::Path;
use std::sync::Arc;

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// What a command writes to stderr is lost.
    DropsStderr,
    /// A timeout is accepted and forgotten.
    IgnoresTimeout,
    /// Output comes when the command has ended.
    CollectsOutput,
    /// Input that is written later is thrown away.
    LosesLateInput,
    /// A new size of a terminal is accepted and forgotten.
    IgnoresResize,
    /// Pause is claimed, and nothing is paused.
    ClaimsPause,
    /// The refusal of pause names something else.
    NamesAnother,
    /// A second delete fails.
    DeletesOnce,
    /// What is captured is counted wrong.
    Miscounts,
    /// An exit code above 127 is cut.
    CutsExitCodes,
    /// New files are everybody's to write.
    LooseModes,
    /// A lifetime that is set later is accepted and forgotten.
    IgnoresLifetimes,
    /// What is missing reads as a failure of the provider.
    BlamesItself,
}

/// The provider `host`, broken.
pub struct Broken {
    inner: HostProvider,
    capabilities: Capabilities,
    fault: Fault,
}

impl Broken {
    pub fn open(home: &Path, fault: Fault) -> Result<Arc<dyn Provider>> {
        let inner = HostProvider::open(home)?;
        let mut capabilities = inner.capabilities().clone();
        if fault == Fault::ClaimsPause {
            capabilities.set(Capability::LifecyclePause, true);
        }
        Ok(Arc::new(Self { inner, capabilities, fault }))
    }

    fn broken(&self, inner: Arc<dyn Sandbox>) -> Arc<dyn Sandbox> {
        Arc::new(BrokenSandbox::new(inner, self.fault))
    }
}

#[async_trait]
impl Provider for Broken {
    fn kind(&self) -> &ProviderKind {
        self.inner.kind()
    }
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }
    async fn create(&self, id: &SandboxId, spec: &SandboxSpec, context: &Context) -> Result<Arc<dyn Sandbox>> {
        Ok(self.broken(self.inner.create(id, spec, context).await?))
    }
    async fn attach(&self, record: &SandboxRecord, context: &Context) -> Result<Arc<dyn Sandbox>> {
        Ok(self.broken(self.inner.attach(record, context).await?))
    }
    async fn delete(&self, record: &SandboxRecord, context: &Context) -> Result<()> {
        self.inner.delete(record, context).await
    }
    async fn list(&self, filter: &Filter) -> Result<Vec<Status>> {
        self.inner.list(filter).await
    }
    async fn leavings(&self) -> Result<Vec<SandboxId>> {
        self.inner.leavings().await
    }
    async fn health(&self) -> Health {
        self.inner.health().await
    }
}
