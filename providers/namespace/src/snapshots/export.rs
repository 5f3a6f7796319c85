//! Snapshots as images: which layers these are, and whose ids their files have.

use super::{Manifest, Store, blocking, gone, take};
use isobox_contract::{
    Capability, Context, Detail, Error, ErrorCode, ExportOptions, ExportedImage, ExternalId, Resource, Result,
    SnapshotId,
};
use isobox_images::{Export, ExportLayer, Hold, LayerSource};
use isobox_tree::IdShift;
use rustix::process::{getegid, geteuid};
use std::os::fd::OwnedFd;
use std::path::Path;

/// How many ids a sandbox of root has.
const RANGE: u32 = 65_536;

/// What keeps the layers where they are while they are exported, whoever deletes the snapshot.
struct Held {
    _own: Vec<OwnedFd>,
    _images: Vec<Hold>,
}

impl Store {
    /// As [`isobox_contract::Snapshots::export`].
    pub(super) async fn export_image(
        &self,
        id: &ExternalId,
        to: &Path,
        options: &ExportOptions,
        context: &Context,
    ) -> Result<ExportedImage> {
        let (store, id) = (self.clone(), id.clone());
        let (image, _held) = blocking(move || store.prepare(&id)).await?;
        isobox_images::export(image, to, options, context).await
    }

    fn prepare(&self, id: &ExternalId) -> Result<(Export, Held)> {
        let _lock = self.shared()?;
        let manifest = self.get(id.as_str()).ok_or_else(|| Error::not_found(Resource::Snapshot, id))?;
        if manifest.root.host {
            return Err(no_image(id));
        }
        if let Some(path) = manifest.root.missing() {
            return Err(gone(&path));
        }
        let own = manifest.root.own.iter().map(|name| self.hold(name)).collect::<Result<_>>()?;
        // A use for as long as it is held: nothing has this name.
        let holder = format!("export-{}", SnapshotId::generate());
        let images = self.library.keep(&holder, &self.manifest(&holder), &manifest.root)?;
        Ok((self.image(&manifest)?, Held { _own: own, _images: images }))
    }

    fn image(&self, manifest: &Manifest) -> Result<Export> {
        let written =
            manifest.root.own.iter().filter(|name| !self.layers().join(name).join(super::store::IMPORTED).exists());
        let own = written.map(|name| ExportLayer {
            from: LayerSource::Directory(self.layers().join(name).join(take::UPPER)),
            diff_id: None,
            made_by: "isobox snapshot".into(),
        });
        let mut layers: Vec<_> = own.collect();
        for directory in manifest.root.directories() {
            let diff_id = self.library.layer_in(&directory)?;
            let made_by = if diff_id.is_some() { "isobox: a layer of the image" } else { "isobox: a directory" };
            let from = LayerSource::Directory(directory);
            layers.push(ExportLayer { from, diff_id, made_by: made_by.into() });
        }
        layers.reverse();
        let config = manifest.root.own.first().map_or(Ok(None), |top| self.config(top))?;
        let [users, groups] = ids();
        Ok(Export { layers, config, created: manifest.created_at, users, groups })
    }
}

/// What the owners of files are in a sandbox: as root those on disk, else the caller is root and the only one.
fn ids() -> [Vec<IdShift>; 2] {
    let (user, group) = (geteuid(), getegid());
    match user.is_root() {
        true => [0, 0].map(|first| vec![IdShift { from: first, to: 0, count: RANGE }]),
        false => [user.as_raw(), group.as_raw()].map(|own| vec![IdShift { from: own, to: 0, count: 1 }]),
    }
}

fn no_image(id: &ExternalId) -> Error {
    let capability = Capability::SnapshotsExport.into();
    let message = format!(
        "snapshot {id} stands on this machine's own programs, which are no image; to export one, make the sandbox from an \
         image or a directory"
    );
    Error::new(ErrorCode::Unsupported, message).with_detail(Detail::Unsupported { capability })
}
