//! The snapshots that a provider has.

use crate::control::{facets, to_its_end};
use crate::isobox::Isobox;
use crate::local;
use isobox_contract::{
    Capability, Context, Error, EventSink, ExportOptions, ExportedImage, ImportOptions, Isolation, Provider, Result,
};
use isobox_control::SnapshotEntry;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long writing a snapshot as an image may take, and making one from an image.
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

    /// All of them, of all processes, the oldest first. One whose files are gone, or what it stands on, is in the state `error`.
    pub async fn list(&self) -> Result<Vec<SnapshotEntry>> {
        let provider = self.needs(Capability::SnapshotsSupported).await?;
        let listed = self.isobox.control().all_snapshots(&*provider).await;
        listed.map_err(|error| error.with_provider(provider.kind()).with_operation("snapshot.list"))
    }

    /// What is written down of the snapshots of all providers, of whichever these are, the oldest first. No provider is asked.
    pub async fn recorded(&self) -> Result<Vec<SnapshotEntry>> {
        self.isobox.control().store().snapshots().await
    }

    /// What is known about one, by its id or its name. `not_found` when there is none.
    pub async fn get(&self, id_or_name: impl AsRef<str>) -> Result<SnapshotEntry> {
        let provider = self.needs(Capability::SnapshotsSupported).await?;
        let found = self.isobox.control().known_snapshot(&*provider, id_or_name.as_ref()).await;
        found.map_err(|error| error.with_provider(provider.kind()).with_operation("snapshot.get"))
    }

    /// Removes one, by its id or its name. What is not there is fine; `conflict` while a sandbox is made from it. It goes on to its
    /// end when this future is dropped.
    pub async fn delete(&self, id_or_name: impl AsRef<str>) -> Result<()> {
        const NAME: &str = "snapshot.delete";
        let provider = self.needs(Capability::SnapshotsSupported).await?;
        let (isobox, wanted) = (self.isobox.clone(), id_or_name.as_ref().to_owned());
        let work = async move {
            let deleted = isobox.control().delete_snapshot(&*provider, &wanted).await;
            deleted.map_err(|error| error.with_provider(provider.kind()).with_operation(NAME))
        };
        to_its_end(NAME, work).await
    }

    /// Makes one from an image in an archive or layout folder of this machine, as [`export`](Self::export), `docker save` and
    /// OCI tools write them. The archive is not needed any more after that. Takes at most [`DEFAULT_EXPORT_TIMEOUT`].
    ///
    /// `already_exists` for a name that is taken, before anything is read; `invalid_spec` with the field `source.path` for what is no
    /// archive or a hostile one, and with `source.reference` when it is not clear which image is meant.
    ///
    /// ```no_run
    /// # async fn example() -> isobox::Result<()> {
    /// # let isobox = isobox::Isobox::open().await?;
    /// let options = isobox::ImportOptions::named("with-requests");
    /// isobox.snapshots().import("with-requests.tar", options).await?;
    /// let sandbox = isobox.sandbox().snapshot("with-requests").create().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn import(&self, from: impl AsRef<Path>, options: ImportOptions) -> Result<SnapshotEntry> {
        self.import_with(from, options, Context::quiet().events).await
    }

    /// The same, and tells `events` how far the image is.
    pub async fn import_with(
        &self,
        from: impl AsRef<Path>,
        options: ImportOptions,
        events: Arc<dyn EventSink>,
    ) -> Result<SnapshotEntry> {
        const NAME: &str = "snapshot.import";
        let provider = self.needs(Capability::SnapshotsImport).await?;
        let told = |error: Error| error.with_provider(provider.kind()).with_operation(NAME);
        options.validate().map_err(told)?;
        let from = local::absolute(from.as_ref());
        local::exists("source.path", &from).map_err(told)?;
        let control = self.isobox.control();
        let (name, labels) = (options.name.clone(), options.labels.clone());
        let mut taking = control.begin_snapshot(provider.clone(), None, name, labels).await.map_err(told)?;
        let (id, context) = (taking.id, bounded(events));
        let imported = async {
            let status = facets::snapshots(&*provider)?.import(&id, &from, &options, &context).await?;
            taking.taken(&status).await
        };
        let done = tokio::time::timeout(DEFAULT_EXPORT_TIMEOUT, imported).await;
        if let Err(error) = done.unwrap_or_else(|_| Err(Error::timeout(NAME, DEFAULT_EXPORT_TIMEOUT))) {
            taking.failed().await;
            return Err(told(error));
        }
        control.store().snapshot(provider.kind(), id.as_str()).await.map_err(told)
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
    pub async fn export(
        &self,
        id_or_name: impl AsRef<str>,
        to: impl AsRef<Path>,
        options: ExportOptions,
    ) -> Result<ExportedImage> {
        self.export_with(id_or_name, to, options, Context::quiet().events).await
    }

    /// The same, and tells `events` how far it is: `snapshot.export`, in bytes of files.
    pub async fn export_with(
        &self,
        id_or_name: impl AsRef<str>,
        to: impl AsRef<Path>,
        options: ExportOptions,
        events: Arc<dyn EventSink>,
    ) -> Result<ExportedImage> {
        const NAME: &str = "snapshot.export";
        let provider = self.needs(Capability::SnapshotsExport).await?;
        let told = |error: Error| error.with_provider(provider.kind()).with_operation(NAME);
        let found = self.isobox.control().known_snapshot(&*provider, id_or_name.as_ref()).await.map_err(told)?;
        let id = facets::external_of(&found).map_err(told)?;
        let (to, context) = (local::absolute(to.as_ref()), bounded(events));
        let exported = facets::snapshots(&*provider)?.export(&id, &to, &options, &context);
        let done = tokio::time::timeout(DEFAULT_EXPORT_TIMEOUT, exported).await;
        done.unwrap_or_else(|_| Err(Error::timeout(NAME, DEFAULT_EXPORT_TIMEOUT))).map_err(told)
    }

    async fn needs(&self, capability: Capability) -> Result<Arc<dyn Provider>> {
        let provider = self.isobox.choose(self.provider.as_deref(), Isolation::None).await?;
        provider.capabilities().require(capability).map_err(|error| error.with_provider(provider.kind()))?;
        Ok(provider)
    }
}

/// The context of what may take long.
fn bounded(events: Arc<dyn EventSink>) -> Context {
    let mut context = Context::new(events);
    context.deadline = Instant::now().checked_add(DEFAULT_EXPORT_TIMEOUT);
    context
}
