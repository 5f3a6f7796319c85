//! A provider that writes down what another one does.

use super::format::Line;
use super::recorded::Recorded;
use super::writer::Writer;
use async_trait::async_trait;
use isobox_contract::{
    Capabilities, Capability, Context, Filter, Health, Images, Provider, ProviderKind, Result, Sandbox, SandboxId,
    SandboxRecord, SandboxSpec, Snapshots, Status, Volumes,
};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A provider around a real one that writes what happens to a tape: a file with a line of JSON for each command, each file
/// that is read and each directory that is listed. [`Tape`](super::Tape) plays it.
///
/// Not on the tape: values of variables (unless [`open_with_values`](Self::open_with_values)), input, and wherever they occur the
/// values of the sandbox's secrets and of [`redact`](Self::redact). Ports, logs and what a provider does natively, such as its own
/// search, are passed through.
pub struct TapeRecorder {
    inner: Arc<dyn Provider>,
    writer: Arc<Writer>,
}

impl TapeRecorder {
    /// Begins a tape; a file that is there is replaced.
    ///
    /// # Errors
    /// `io` when the file cannot be written.
    pub fn open(inner: Arc<dyn Provider>, path: impl AsRef<Path>) -> Result<Self> {
        Self::begin(inner, path.as_ref(), false)
    }

    /// The same with the values of variables in clear, which then also tell commands apart.
    ///
    /// # Errors
    /// `io` when the file cannot be written.
    pub fn open_with_values(inner: Arc<dyn Provider>, path: impl AsRef<Path>) -> Result<Self> {
        Self::begin(inner, path.as_ref(), true)
    }

    fn begin(inner: Arc<dyn Provider>, path: &Path, env_values: bool) -> Result<Self> {
        let writer = Arc::new(Writer::create(path, inner.kind(), inner.capabilities(), env_values)?);
        Ok(Self { inner, writer })
    }

    /// Replaces a value wherever it occurs, from now on.
    pub fn redact(self, value: impl AsRef<[u8]>) -> Self {
        self.writer.redact.add(value.as_ref());
        self
    }

    /// Whether everything so far is on the tape.
    ///
    /// # Errors
    /// The first thing that went wrong with the file.
    pub fn check(&self) -> Result<()> {
        self.writer.failed().map_or(Ok(()), Err)
    }

    fn recorded(&self, inner: Arc<dyn Sandbox>, spec: Option<&SandboxSpec>) -> Arc<dyn Sandbox> {
        let sandbox = self.writer.next_sandbox();
        for secret in spec.into_iter().flat_map(|spec| &spec.secrets) {
            self.writer.redact.add(secret.value.expose().as_bytes());
        }
        let (name, workdir) = (spec.and_then(|spec| spec.name.clone()), inner.workdir().clone());
        self.writer.write(&Line::Sandbox { sandbox, name, workdir });
        Arc::new(Recorded::new(inner, self.writer.clone(), sandbox))
    }
}

impl fmt::Debug for TapeRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TapeRecorder").field("kind", self.inner.kind()).finish_non_exhaustive()
    }
}

#[async_trait]
impl Provider for TapeRecorder {
    fn kind(&self) -> &ProviderKind {
        self.inner.kind()
    }

    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    fn why_not(&self, capability: Capability) -> Option<String> {
        self.inner.why_not(capability)
    }

    async fn create(&self, id: &SandboxId, spec: &SandboxSpec, context: &Context) -> Result<Arc<dyn Sandbox>> {
        Ok(self.recorded(self.inner.create(id, spec, context).await?, Some(spec)))
    }

    async fn attach(&self, record: &SandboxRecord, context: &Context) -> Result<Arc<dyn Sandbox>> {
        Ok(self.recorded(self.inner.attach(record, context).await?, None))
    }

    async fn delete(&self, record: &SandboxRecord, context: &Context) -> Result<()> {
        self.inner.delete(record, context).await
    }

    async fn undelete(&self, record: &SandboxRecord, context: &Context) -> Result<Arc<dyn Sandbox>> {
        Ok(self.recorded(self.inner.undelete(record, context).await?, None))
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Status>> {
        self.inner.list(filter).await
    }

    async fn leavings(&self) -> Result<Vec<SandboxId>> {
        self.inner.leavings().await
    }

    async fn tidy(&self) -> Result<()> {
        self.inner.tidy().await
    }

    async fn health(&self) -> Health {
        self.inner.health().await
    }

    fn snapshots(&self) -> Option<&dyn Snapshots> {
        self.inner.snapshots()
    }

    fn volumes(&self) -> Option<&dyn Volumes> {
        self.inner.volumes()
    }

    fn images(&self) -> Option<&dyn Images> {
        self.inner.images()
    }

    async fn shutdown(&self) {
        self.inner.shutdown().await;
    }
}
