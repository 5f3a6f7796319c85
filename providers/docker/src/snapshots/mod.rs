//! Snapshots and forks: images that the engine makes of what a sandbox has written.
//!
//! ```text
//! sandbox ──commit, while everything in it stands still──▶ image  isobox.invalid/snapshot:snp_…     kept until it is deleted
//!                                                                 isobox.invalid/fork:sbx_…         goes with the copy
//!          ◀──────────────── create from it ─────────────────┘
//! ```
//!
//! A snapshot is known by the id of its image, which is a digest of all that is in it: nobody can put another one in its place.
//! It is ours when the image has both our labels and our name. What is mounted in a sandbox, and with that the agent, is in no
//! image.

mod commit;
mod export;
mod import;
mod relabel;
mod saved;

pub(crate) use commit::Origin;

use crate::client::Engine;
use crate::images::{Found, Library, Named, own_tag};
use crate::labels;
use crate::place::Places;
use async_trait::async_trait;
use bollard::query_parameters::ListImagesOptions;
use isobox_contract::{
    Capability, Context, Error, ErrorCode, ExportOptions, ExportedImage, ExternalId, ImportOptions, Resource, Result,
    SandboxId, SandboxKind, SnapshotId, SnapshotOptions, SnapshotSource, SnapshotSpec, SnapshotState, SnapshotStatus,
    Snapshots,
};
use std::path::Path;
use std::sync::Arc;

/// The role of a snapshot's image in labels.
pub(crate) const ROLE: &str = "snapshot";
/// The role of an image that a copy of a sandbox stands on.
pub(crate) const FORK: &str = "fork";

/// What can be done with snapshots.
pub(crate) const CLAIMS: [Capability; 7] = [
    Capability::SourceSnapshot,
    Capability::SnapshotsSupported,
    Capability::SnapshotsFilesystem,
    Capability::SnapshotsExport,
    Capability::SnapshotsImport,
    Capability::LifecycleSnapshot,
    Capability::LifecycleForkFilesystem,
];

/// The snapshots of an engine.
pub(crate) struct Store {
    engine: Engine,
    places: Places,
    library: Arc<Library>,
}

impl Store {
    pub(crate) fn new(engine: Engine, places: Places, library: Arc<Library>) -> Self {
        Self { engine, places, library }
    }

    /// Takes a snapshot of a sandbox.
    ///
    /// # Errors
    /// `already_exists` for an id that there is; `out_of_disk`.
    pub(crate) async fn take(
        &self,
        origin: &Origin,
        id: &SnapshotId,
        options: &SnapshotOptions,
        context: &Context,
    ) -> Result<SnapshotStatus> {
        context.remaining("snapshot")?;
        if options.include_memory {
            return Err(Error::unsupported(Capability::SnapshotsLiveProcessState));
        }
        let tag = own_tag(ROLE, id.as_str());
        if self.look(&tag).await?.is_some() {
            return Err(Error::already_exists(Resource::Snapshot, id));
        }
        let own = self.labels(id.as_str(), ROLE, options.name.as_deref(), &options.labels)?;
        let image = commit::commit(&self.engine, origin, &tag, own, context).await?;
        let id = image.parse().map_err(|_| Error::transport("docker gave an image an id that is none"))?;
        let taken = self.get(&id).await?;
        image.keep();
        Ok(taken)
    }

    /// Makes the image that copies of a sandbox stand on, one name of it for each, so that it goes with the last of them.
    pub(crate) async fn take_for_copies(
        &self,
        origin: &Origin,
        copies: &[SandboxId],
        context: &Context,
    ) -> Result<Found> {
        context.remaining("fork")?;
        let [first, others @ ..] = copies else {
            return Err(Error::invalid_spec("count", "is zero, give at least one"));
        };
        let (tag, own) = (fork_tag(first), self.labels(first.as_str(), FORK, None, &isobox_contract::Labels::new())?);
        let image = commit::commit(&self.engine, origin, &tag, own, context).await?;
        for copy in others {
            relabel::name(&self.engine, &image, &fork_tag(copy)).await?;
        }
        let found = self.library.look(&Named::Id(image.clone())).await?;
        let gone = || Error::new(ErrorCode::Conflict, "the copy of the sandbox was removed just now, try again");
        let found = found.ok_or_else(gone)?;
        image.keep();
        Ok(found)
    }

    /// Takes away what a copy stands on, if it was one.
    pub(crate) async fn forget_copy(&self, copy: &SandboxId) -> Result<()> {
        self.library.remove_name(&fork_tag(copy)).await
    }

    /// The image of a snapshot, to make a sandbox from.
    ///
    /// # Errors
    /// `not_found`.
    pub(crate) async fn image(&self, id: &ExternalId) -> Result<Found> {
        let name = match id.as_str().parse::<SnapshotId>() {
            Ok(id) => own_tag(ROLE, id.as_str()),
            Err(_) => id.as_str().to_owned(),
        };
        // Whatever else it may be called, it is none of ours.
        let found = if Named::parse(&name).is_ok() { self.look(&name).await? } else { None };
        let found = found.filter(|found| status(found).is_some());
        found.ok_or_else(|| Error::not_found(Resource::Snapshot, id))
    }

    /// The sandboxes, or other containers, that stand on exactly this image.
    async fn users(&self, image: &str) -> Result<Vec<String>> {
        let filters = std::collections::HashMap::from([("ancestor".to_owned(), vec![image.to_owned()])]);
        let listed = self.engine.caller().list(&filters).await;
        let listed = listed.map_err(self.engine.failed("list containers"))?;
        let digits = |id: &str| id.trim_start_matches("sha256:").to_owned();
        let same = |id: &str| digits(id) == digits(image);
        let own = listed.iter().filter(|container| container.image_id.as_deref().is_some_and(same));
        Ok(own.filter_map(labels::whose).collect())
    }

    /// Labels of an image of ours.
    fn labels(
        &self,
        id: &str,
        role: &str,
        name: Option<&str>,
        own: &isobox_contract::Labels,
    ) -> Result<std::collections::HashMap<String, String>> {
        let mut all = labels::write(id, role, name, own);
        all.insert(labels::FLEET.into(), self.places.fleet()?);
        Ok(all)
    }

    async fn look(&self, name: &str) -> Result<Option<Found>> {
        self.library.look(&Named::parse(name)?).await
    }
}

fn fork_tag(copy: &SandboxId) -> String {
    own_tag(FORK, copy.as_str())
}

#[async_trait]
impl Snapshots for Store {
    async fn create(&self, id: &SnapshotId, spec: &SnapshotSpec, context: &Context) -> Result<SnapshotStatus> {
        context.remaining("snapshot")?;
        match &spec.source {
            SnapshotSource::Sandbox { id: sandbox, external, include_memory } => {
                let origin = self.origin(sandbox, external.as_str()).await?;
                let (name, labels) = (spec.name.clone(), spec.labels.clone());
                let options = SnapshotOptions { name, include_memory: *include_memory, labels };
                self.take(&origin, id, &options, context).await
            }
            SnapshotSource::Dockerfile { .. } => Err(Error::unsupported(Capability::SnapshotsDockerfileContainer)),
            _ => Err(Error::unsupported(Capability::SnapshotsImageContainer)),
        }
    }

    async fn get(&self, id: &ExternalId) -> Result<SnapshotStatus> {
        let found = self.image(id).await?;
        status(&found).ok_or_else(|| Error::not_found(Resource::Snapshot, id))
    }

    async fn list(&self, name: Option<&str>) -> Result<Vec<SnapshotStatus>> {
        let options = ListImagesOptions {
            filters: Some(labels::filters(ROLE, None, Some(&self.places.fleet()?))),
            ..ListImagesOptions::default()
        };
        let listed = self.engine.api().list_images(Some(options)).await;
        let listed = listed.map_err(self.engine.failed("list its images"))?;
        let mut all = Vec::with_capacity(listed.len());
        for image in listed {
            let found = self.library.look(&Named::Id(image.id)).await?;
            all.extend(found.as_ref().and_then(status));
        }
        all.retain(|status| name.is_none_or(|name| status.name.as_deref() == Some(name)));
        all.sort_by_key(|status| status.created_at);
        Ok(all)
    }

    async fn delete(&self, id: &ExternalId, context: &Context) -> Result<()> {
        context.remaining("snapshot.delete")?;
        let found = match self.image(id).await {
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(()),
            found => found?,
        };
        let users = self.users(&found.id).await?;
        if !users.is_empty() {
            let message = format!("snapshot {id} is used by {}, delete that first", users.join(", "));
            return Err(Error::new(ErrorCode::Conflict, message).retryable(false));
        }
        let own = found.labels().and_then(|all| all.get(labels::ID)).cloned().unwrap_or_default();
        self.library.remove_name(&own_tag(ROLE, &own)).await
    }

    async fn export(
        &self,
        id: &ExternalId,
        to: &Path,
        options: &ExportOptions,
        context: &Context,
    ) -> Result<ExportedImage> {
        context.remaining("snapshot.export")?;
        let found = self.image(id).await?;
        export::export(&self.engine, &found, to, options, context).await
    }

    async fn import(
        &self,
        id: &SnapshotId,
        from: &Path,
        options: &ImportOptions,
        context: &Context,
    ) -> Result<SnapshotStatus> {
        context.remaining("snapshot.import")?;
        self.import_archive(id, from, options, context).await
    }
}

/// What a snapshot's image says of it; none for an image that is no snapshot of ours.
fn status(found: &Found) -> Option<SnapshotStatus> {
    let all = found.inspected.config.as_ref()?.labels.as_ref()?;
    let id: SnapshotId = all.get(labels::ID)?.parse().ok()?;
    if !labels::is(all, ROLE) || !found.is_called(&own_tag(ROLE, id.as_str())) {
        return None;
    }
    Some(SnapshotStatus {
        id: Some(id),
        external: found.id.parse().ok()?,
        name: labels::name(all).cloned(),
        state: SnapshotState::Active,
        kind: Some(SandboxKind::Container),
        regions: Vec::new(),
        resources: None,
        error: None,
        size: found.inspected.size.and_then(|size| u64::try_from(size).ok()),
        labels: labels::own(all),
        created_at: Some(id.created_at()),
    })
}
