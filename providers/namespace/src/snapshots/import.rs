//! Images of archives as snapshots: their layers stay where images have them, under a layer of the snapshot's own that is
//! empty but for the config.

use super::origin::Root;
use super::store::{Defaults, Manifest, Store};
use super::{blocking, take};
use crate::images::FromArchive;
use isobox_contract::{
    Context, Error, ErrorCode, ImportOptions, Resource, Result, SnapshotId, SnapshotStatus, Timestamp,
};
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How often layers are looked for again that somebody removes just then.
const ATTEMPTS: usize = 3;

impl Store {
    /// As [`isobox_contract::Snapshots::import`].
    pub(super) async fn import_archive(
        &self,
        id: &SnapshotId,
        from: &Path,
        options: &ImportOptions,
        context: &Context,
        cancelled: Arc<AtomicBool>,
    ) -> Result<SnapshotStatus> {
        if self.get(id.as_str()).is_some() {
            return Err(Error::already_exists(Resource::Snapshot, id));
        }
        for attempt in 1.. {
            let image = self.library.unpacked(from, options.image.as_deref(), context).await?;
            let (store, id, options, cancelled) = (self.clone(), *id, options.clone(), cancelled.clone());
            match blocking(move || store.stand_on(id, &image, &options, &cancelled)).await {
                // Somebody has removed a layer since it was unpacked.
                Err(error) if error.code() == ErrorCode::Conflict && attempt < ATTEMPTS => {}
                done => return done,
            }
        }
        unreachable!("the last attempt returns")
    }

    fn stand_on(
        &self,
        id: SnapshotId,
        image: &FromArchive,
        options: &ImportOptions,
        cancelled: &AtomicBool,
    ) -> Result<SnapshotStatus> {
        let layer = self.begin()?;
        let made = || {
            fs::DirBuilder::new().mode(0o755).create(layer.path.join(take::UPPER))?;
            fs::write(layer.path.join(super::store::IMPORTED), "")?;
            image.config.as_ref().map_or(Ok(()), |config| fs::write(layer.path.join(super::store::IMAGE), config))
        };
        made().map_err(|error| Error::io("cannot write down the image of the snapshot", error))?;
        let root = Root { own: vec![layer.name.clone()], ..Root::of(&image.root, false) };
        let _kept = self.library.keep(id.as_str(), &self.manifest(id.as_str()), &root)?;
        let manifest = Manifest {
            id,
            name: options.name.clone(),
            labels: options.labels.clone(),
            created_at: Timestamp::now(),
            size: image.size,
            root,
            defaults: Some(Defaults::of(&image.spec)),
        };
        self.add(&manifest, layer, cancelled).map(|()| manifest.status())
    }
}
