//! Snapshots from images in archives.

use super::commit::unnamed;
use super::{ROLE, Store, relabel, status};
use crate::images::own_tag;
use crate::labels;
use isobox_contract::{Context, Error, ImportOptions, Resource, Result, SnapshotId, SnapshotStatus};
use std::path::Path;

impl Store {
    pub(super) async fn import_archive(
        &self,
        id: &SnapshotId,
        from: &Path,
        options: &ImportOptions,
        context: &Context,
    ) -> Result<SnapshotStatus> {
        let tag = own_tag(ROLE, id.as_str());
        if self.look(&tag).await?.is_some() {
            return Err(Error::already_exists(Resource::Snapshot, id));
        }
        let found = self.library.of_archive(from, options.image.as_deref(), context).await?;
        let own = self.labels(id.as_str(), ROLE, options.name.as_deref(), &options.labels)?;
        let (engine, name) = (self.engine.clone(), tag.clone());
        let labelling = |_| async move { relabel::derive(&engine, &found, &name, own).await };
        let labelled = self.engine.make(labelling, unnamed(&self.engine, &tag)).await?;
        let made = self.look(&tag).await?;
        let missing = || Error::transport("docker made an image that it does not know");
        let mut snapshot = made.as_ref().and_then(status).ok_or_else(missing)?;
        snapshot.labels = labels::own(made.as_ref().and_then(|found| found.labels()).ok_or_else(missing)?);
        labelled.keep();
        Ok(snapshot)
    }
}
