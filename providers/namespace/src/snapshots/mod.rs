//! Snapshots and forks: copies of what a sandbox has written, as layers for other sandboxes.
//!
//! ```text
//! sandbox: upper ──copied while everything stands still──▶ layer A
//!            on base                                        snapshot: A on base ──restore──▶ sandbox: upper on A on base
//!                                                                                              └─ snapshot: B on A on base
//! ```
//!
//! Restoring costs a mount, however large the snapshot is: nothing is copied before it is written to.

mod export;
mod import;
mod origin;
mod store;
mod take;

pub(crate) use origin::{Origin, Root, volumes as volumes_of};
pub(crate) use store::{Lock, Manifest, Store, gone};
pub(crate) use take::{Taken, take};

use async_trait::async_trait;
use isobox_contract::{
    Capability, Context, Error, ExportOptions, ExportedImage, ExternalId, ImportOptions, Resource, Result, SandboxId,
    SnapshotId, SnapshotOptions, SnapshotSource, SnapshotSpec, SnapshotStatus, Snapshots, Timestamp,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

impl Store {
    /// Takes a snapshot of a sandbox, as [`isobox_contract::Sandbox::snapshot`].
    pub(crate) async fn snapshot(
        &self,
        sandbox: &SandboxId,
        id: &SnapshotId,
        options: &SnapshotOptions,
    ) -> Result<SnapshotStatus> {
        if options.include_memory {
            return Err(Error::unsupported(Capability::SnapshotsLiveProcessState));
        }
        if self.get(id.as_str()).is_some() {
            return Err(Error::already_exists(Resource::Snapshot, id));
        }
        let store = self.clone();
        blocking(move || {
            store.tidy();
            Ok(())
        })
        .await?;
        let taken = take(self, sandbox).await?;
        isobox_fault::point!("snapshot.copied");
        let manifest = Manifest {
            id: *id,
            name: options.name.clone(),
            labels: options.labels.clone(),
            created_at: Timestamp::now(),
            size: taken.bytes,
            root: taken.root,
            defaults: Manifest::defaults_of(&taken.origin.spec),
        };
        let (store, layer) = (self.clone(), taken.layer);
        let given_up = GivenUp::default();
        let cancelled = given_up.0.clone();
        blocking(move || {
            // The sandbox keeps them until it is deleted, and the snapshot from before that on.
            let kept =
                store.library.keep(manifest.id.as_str(), &store.manifest(manifest.id.as_str()), &manifest.root)?;
            let added = store.add(&manifest, layer, &cancelled).map(|()| manifest.status());
            drop(kept);
            added
        })
        .await
    }
}

/// Whether nobody waits for a snapshot any more: set when this is dropped.
#[derive(Default)]
struct GivenUp(Arc<AtomicBool>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Runs what may wait for a lock or a disk.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Error::internal("the runtime is ending")))
}

#[async_trait]
impl Snapshots for Store {
    async fn create(&self, id: &SnapshotId, spec: &SnapshotSpec, context: &Context) -> Result<SnapshotStatus> {
        context.remaining("snapshot")?;
        match &spec.source {
            SnapshotSource::Sandbox { id: sandbox, include_memory, .. } => {
                let options = SnapshotOptions {
                    name: spec.name.clone(),
                    include_memory: *include_memory,
                    labels: spec.labels.clone(),
                };
                self.snapshot(sandbox, id, &options).await
            }
            SnapshotSource::Dockerfile { .. } => Err(Error::unsupported(Capability::SnapshotsDockerfileContainer)),
            _ => Err(Error::unsupported(Capability::SnapshotsImageContainer)),
        }
    }

    async fn get(&self, id: &ExternalId) -> Result<SnapshotStatus> {
        let found = Store::get(self, id.as_str()).map(|manifest| manifest.status());
        found.ok_or_else(|| Error::not_found(Resource::Snapshot, id))
    }

    async fn list(&self, name: Option<&str>) -> Result<Vec<SnapshotStatus>> {
        let wanted = |manifest: &Manifest| name.is_none_or(|name| manifest.name.as_deref() == Some(name));
        Ok(self.all().iter().filter(|manifest| wanted(manifest)).map(Manifest::status).collect())
    }

    async fn delete(&self, id: &ExternalId, _context: &Context) -> Result<()> {
        let (store, id) = (self.clone(), id.clone());
        blocking(move || store.remove(id.as_str())).await
    }

    async fn export(
        &self,
        id: &ExternalId,
        to: &Path,
        options: &ExportOptions,
        context: &Context,
    ) -> Result<ExportedImage> {
        context.remaining("export")?;
        self.export_image(id, to, options, context).await
    }

    async fn import(
        &self,
        id: &SnapshotId,
        from: &Path,
        options: &ImportOptions,
        context: &Context,
    ) -> Result<SnapshotStatus> {
        context.remaining("import")?;
        let given_up = GivenUp::default();
        self.import_archive(id, from, options, context, given_up.0.clone()).await
    }
}
