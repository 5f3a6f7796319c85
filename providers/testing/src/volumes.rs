//! Volumes: trees that outlive sandboxes and are shared by them.

use crate::disk::{Author, Key, Mounted, Shared, Tree, names};
use crate::fleet::Fleet;
use crate::sync::locked;
use async_trait::async_trait;
use isobox_contract::{
    Context, Error, ErrorCode, ExternalId, Resource, Result, VolumeId, VolumeMount, VolumeSpec, VolumeState,
    VolumeStatus, Volumes,
};
use std::sync::{Arc, Mutex};

/// The volumes of a provider.
#[derive(Default)]
pub(crate) struct Store(Mutex<Vec<Volume>>);

struct Volume {
    status: VolumeStatus,
    tree: Shared,
}

impl Store {
    fn find<T>(&self, id: &ExternalId, with: impl FnOnce(&Volume) -> T) -> Result<T> {
        let all = locked(&self.0);
        let found = all.iter().find(|volume| volume.status.external == *id);
        found.map(with).ok_or_else(|| Error::not_found(Resource::Volume, id))
    }

    /// What a mount of one puts into a sandbox.
    pub(crate) fn mounted(&self, mount: &VolumeMount) -> Result<Mounted> {
        let tree = self.find(&mount.volume, |volume| volume.tree.clone())?;
        let part: Key = mount.subpath.as_ref().map(|part| names(part.as_bytes()).collect()).unwrap_or_default();
        if locked(&tree).get(&part).is_none() {
            return Err(Error::invalid_spec("volumes.subpath", "is not in the volume, name a part that is there"));
        }
        Ok(Mounted {
            at: names(mount.target.as_bytes()).collect(),
            tree,
            part,
            read_only: mount.read_only,
            volume: Some(mount.volume.clone()),
            order: mount.volume.to_string(),
        })
    }
}

#[async_trait]
impl Volumes for Fleet {
    async fn create(&self, id: &VolumeId, spec: &VolumeSpec, _: &Context) -> Result<VolumeStatus> {
        spec.validate_against(&self.capabilities)?;
        let author = Author { now: self.clock.now(), ..self.root() };
        let mut tree = Tree::empty(&author);
        tree.limit = spec.size;
        let status = VolumeStatus {
            id: Some(*id),
            external: (*id).into(),
            name: Some(spec.name.clone()),
            state: VolumeState::Ready,
            size: spec.size,
            error: None,
            labels: spec.labels.clone(),
            created_at: Some(self.clock.now()),
        };
        let mut all = locked(&self.volumes.0);
        if all.iter().any(|volume| volume.status.name == status.name) {
            return Err(Error::already_exists(Resource::Volume, &spec.name));
        }
        all.push(Volume { status: status.clone(), tree: Arc::new(Mutex::new(tree)) });
        Ok(status)
    }

    async fn get(&self, id: &ExternalId) -> Result<VolumeStatus> {
        self.volumes.find(id, |volume| volume.status.clone())
    }

    async fn list(&self) -> Result<Vec<VolumeStatus>> {
        Ok(locked(&self.volumes.0).iter().map(|volume| volume.status.clone()).collect())
    }

    async fn usage(&self, id: &ExternalId, _: &Context) -> Result<Option<u64>> {
        let tree = self.volumes.find(id, |volume| volume.tree.clone())?;
        let bytes = locked(&tree).bytes();
        Ok(Some(bytes))
    }

    async fn delete(&self, id: &ExternalId, _: &Context) -> Result<()> {
        let has =
            |place: &crate::place::Place| place.disk.mounts().iter().any(|mounted| mounted.volume.as_ref() == Some(id));
        if let Some(place) = self.all().into_iter().find(|place| !place.is_gone() && has(place)) {
            let message = format!("the volume {id} is mounted in the sandbox {}, delete that first", place.id);
            return Err(Error::new(ErrorCode::Conflict, message));
        }
        locked(&self.volumes.0).retain(|volume| volume.status.external != *id);
        Ok(())
    }
}
