//! Volumes: directories that outlive sandboxes and that several of them may share.
//!
//! The owners of files are on the disk what they are in the sandbox as root, whose mounts are mapped, and the caller and
//! the caller's subordinate ids otherwise. So every sandbox with the same users sees the same owners.

mod store;
mod usage;

pub(crate) use store::{Store, problem};

use crate::snapshots::blocking;
use async_trait::async_trait;
use isobox_contract::{Context, Error, ExternalId, Resource, Result, VolumeId, VolumeSpec, VolumeStatus, Volumes};

#[async_trait]
impl Volumes for Store {
    async fn create(&self, id: &VolumeId, spec: &VolumeSpec, context: &Context) -> Result<VolumeStatus> {
        context.remaining("volume.create")?;
        self.make(id, spec)
    }

    async fn get(&self, id: &ExternalId) -> Result<VolumeStatus> {
        let found = self.all().into_iter().find(|status| status.external == *id);
        found.ok_or_else(|| Error::not_found(Resource::Volume, id))
    }

    async fn list(&self) -> Result<Vec<VolumeStatus>> {
        Ok(self.all())
    }

    async fn usage(&self, id: &ExternalId, context: &Context) -> Result<Option<u64>> {
        let (contents, deadline) = (self.contents(id)?, context.deadline);
        blocking(move || usage::of(&contents, deadline)).await
    }

    async fn delete(&self, id: &ExternalId, context: &Context) -> Result<()> {
        context.remaining("volume.delete")?;
        let (store, id) = (self.clone(), id.clone());
        blocking(move || store.remove(&id)).await
    }
}
