//! The snapshots that a provider has.

use crate::isobox::Isobox;
use crate::local;
use isobox_contract::{
    Capability, Context, Error, EventSink, ExportOptions, ExportedImage, ExternalId, Isolation, Provider, Result,
    SnapshotStatus,
};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long writing a snapshot as an image may take.
pub const DEFAULT_EXPORT_TIMEOUT: Duration = Duration::from_secs(3600);

/// The snapshots that a provider has; from [`Isobox::snapshots`]. Cheap to clone. They are taken with
/// [`Sandbox::snapshot`](crate::Sandbox::snapshot).
#[derive(Clone, Debug)]
pub struct Snapshots {
    isobox: Isobox,
    provider: Option<String>,
}

impl Isobox {
    /// The snapshots of the default provider.
    pub fn snapshots(&self) -> Snapshots {
        Snapshots { isobox: self.clone(), provider: None }
    }
}

impl Snapshots {
    /// Those of another provider.
    pub fn provider(mut self, name: impl Into<String>) -> Self {
        self.provider = Some(name.into());
        self
    }

    /// All of them, the oldest first.
    pub async fn list(&self) -> Result<Vec<SnapshotStatus>> {
        let provider = self.needs(Capability::SnapshotsSupported).await?;
        facet(&*provider)?.list(None).await
    }

    /// What is known about one. `not_found` when there is none.
    pub async fn get(&self, id: &ExternalId) -> Result<SnapshotStatus> {
        let provider = self.needs(Capability::SnapshotsSupported).await?;
        facet(&*provider)?.get(id).await
    }

    /// Removes one. What is not there is fine; `conflict` while a sandbox is made from it.
    pub async fn delete(&self, id: &ExternalId) -> Result<()> {
        let provider = self.needs(Capability::SnapshotsSupported).await?;
        facet(&*provider)?.delete(id, &Context::quiet()).await
    }

    /// Writes one as an image into the file `to`, which `docker load` and everything that reads OCI layouts take. The file is
    /// replaced if it is there, once all is written; when this fails or is dropped, nothing is left. Takes at most
    /// [`DEFAULT_EXPORT_TIMEOUT`].
    ///
    /// `invalid_spec` with the field `path` or `reference` before anything is written; `unsupported` for a snapshot of a
    /// sandbox on the machine's own programs, and for files that an image cannot hold; `out_of_disk`.
    ///
    /// ```no_run
    /// # async fn example() -> isobox::Result<()> {
    /// # let isobox = isobox::Isobox::open().await?;
    /// let sandbox = isobox.sandbox().image("python:3.13").create().await?;
    /// sandbox.shell("pip install requests").await?;
    /// let snapshot = sandbox.snapshot(isobox::SnapshotOptions::default()).await?;
    /// let options = isobox::ExportOptions::named("with-requests:1");
    /// let image = isobox.snapshots().export(&snapshot.external, "with-requests.tar", options).await?;
    /// println!("docker load --input with-requests.tar gives {}", image.id);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn export(&self, id: &ExternalId, to: impl AsRef<Path>, options: ExportOptions) -> Result<ExportedImage> {
        self.export_with(id, to, options, Context::quiet().events).await
    }

    /// The same, and tells `events` how far it is: `snapshot.export`, in bytes of files.
    pub async fn export_with(
        &self,
        id: &ExternalId,
        to: impl AsRef<Path>,
        options: ExportOptions,
        events: Arc<dyn EventSink>,
    ) -> Result<ExportedImage> {
        let provider = self.needs(Capability::SnapshotsExport).await?;
        let to = local::absolute(to.as_ref());
        let mut context = Context::new(events);
        context.deadline = Instant::now().checked_add(DEFAULT_EXPORT_TIMEOUT);
        let exported = facet(&*provider)?.export(id, &to, &options, &context);
        let done = tokio::time::timeout(DEFAULT_EXPORT_TIMEOUT, exported).await;
        done.unwrap_or_else(|_| Err(Error::timeout("snapshot.export", DEFAULT_EXPORT_TIMEOUT)))
            .map_err(|error| error.with_provider(provider.kind()).with_operation("snapshot.export"))
    }

    async fn needs(&self, capability: Capability) -> Result<Arc<dyn Provider>> {
        let provider = self.isobox.choose(self.provider.as_deref(), Isolation::None).await?;
        provider.capabilities().require(capability).map_err(|error| error.with_provider(provider.kind()))?;
        Ok(provider)
    }
}

fn facet(provider: &dyn Provider) -> Result<&dyn isobox_contract::Snapshots> {
    provider
        .snapshots()
        .ok_or_else(|| Error::unsupported(Capability::SnapshotsSupported).with_provider(provider.kind()))
}
