//! Snapshots: copies of the files of a sandbox.

use crate::disk::Tree;
use crate::fleet::Fleet;
use crate::place::Place;
use crate::sync::locked;
use async_trait::async_trait;
use isobox_contract::{
    Capability, Context, Error, ExternalId, Resource, Result, SnapshotId, SnapshotOptions, SnapshotSource,
    SnapshotSpec, SnapshotState, SnapshotStatus, Snapshots,
};

/// A snapshot and its files.
pub(crate) struct Kept {
    status: SnapshotStatus,
    tree: Tree,
}

/// The files of a snapshot.
pub(crate) fn tree(fleet: &Fleet, id: &ExternalId) -> Result<Tree> {
    let kept = locked(&fleet.snapshots);
    let found = kept.iter().find(|kept| kept.status.external == *id);
    found.map(|kept| kept.tree.clone()).ok_or_else(|| Error::not_found(Resource::Snapshot, id))
}

impl Place {
    /// Takes a snapshot of it.
    pub(crate) fn snapshot(&self, id: &SnapshotId, options: &SnapshotOptions) -> Result<SnapshotStatus> {
        if options.include_memory {
            return Err(Error::unsupported(Capability::SnapshotsLiveProcessState));
        }
        let tree = self.disk.copied();
        let status = SnapshotStatus {
            id: Some(*id),
            external: (*id).into(),
            name: options.name.clone(),
            state: SnapshotState::Active,
            kind: None,
            regions: Vec::new(),
            resources: None,
            error: None,
            size: Some(tree.bytes()),
            labels: options.labels.clone(),
            created_at: Some(self.fleet.clock.now()),
        };
        let mut kept = locked(&self.fleet.snapshots);
        if let Some(name) =
            options.name.as_ref().filter(|name| kept.iter().any(|kept| kept.status.name.as_ref() == Some(name)))
        {
            return Err(Error::already_exists(Resource::Snapshot, name));
        }
        kept.push(Kept { status: status.clone(), tree });
        Ok(status)
    }
}

#[async_trait]
impl Snapshots for Fleet {
    async fn create(&self, id: &SnapshotId, spec: &SnapshotSpec, _: &Context) -> Result<SnapshotStatus> {
        let SnapshotSource::Sandbox { id: sandbox, include_memory, .. } = &spec.source else {
            return Err(Error::unsupported(Capability::SnapshotsImageContainer));
        };
        let (name, labels) = (spec.name.clone(), spec.labels.clone());
        self.there(sandbox)?.snapshot(id, &SnapshotOptions { name, include_memory: *include_memory, labels })
    }

    async fn get(&self, id: &ExternalId) -> Result<SnapshotStatus> {
        let kept = locked(&self.snapshots);
        let found = kept.iter().find(|kept| kept.status.external == *id);
        found.map(|kept| kept.status.clone()).ok_or_else(|| Error::not_found(Resource::Snapshot, id))
    }

    async fn list(&self, name: Option<&str>) -> Result<Vec<SnapshotStatus>> {
        let all: Vec<_> = locked(&self.snapshots).iter().map(|kept| kept.status.clone()).collect();
        Ok(all.into_iter().filter(|status| name.is_none_or(|name| status.name.as_deref() == Some(name))).collect())
    }

    async fn delete(&self, id: &ExternalId, _: &Context) -> Result<()> {
        locked(&self.snapshots).retain(|kept| kept.status.external != *id);
        Ok(())
    }
}
