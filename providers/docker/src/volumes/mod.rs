//! Volumes of the engine: storage that outlives sandboxes and that several of them may share.
//!
//! A volume is ours when its labels say so, and only then it can be mounted, listed or removed here. As everywhere in isobox a
//! new one is empty, belongs to root, and every user of a sandbox may make files in it.

mod fresh;
mod mount;

pub(crate) use mount::mounts;

use crate::client::{Engine, or_absent};
use crate::images::disk_usage;
use crate::labels;
use crate::place::Places;
use async_trait::async_trait;
use bollard::models::{Volume, VolumeCreateRequest};
use bollard::query_parameters::{ListVolumesOptions, RemoveVolumeOptions};
use isobox_contract::{
    Capability, Context, Error, ErrorCode, ExternalId, Resource, Result, VolumeId, VolumeSpec, VolumeState,
    VolumeStatus, Volumes,
};
use std::collections::HashMap;

/// The role of a volume in labels.
const ROLE: &str = "volume";
/// In front of an id in the engine's name of a volume.
const PREFIX: &str = "isobox-";

/// What can be done with volumes; [`SUBPATH`] comes with engines that can.
pub(crate) const CLAIMS: [Capability; 2] = [Capability::VolumesSupported, Capability::VolumesMount];

/// The API that mounts a part of a volume: that of Docker Engine 26.
const SUBPATH: (u32, u32) = (1, 45);

/// Whether an engine can mount a part of a volume.
pub(crate) fn has_subpath(api: (u32, u32)) -> bool {
    api >= SUBPATH
}

/// The volumes of an engine.
#[derive(Debug)]
pub(crate) struct Store {
    engine: Engine,
    places: Places,
}

impl Store {
    pub(crate) fn new(engine: Engine, places: Places) -> Self {
        Self { engine, places }
    }

    /// A volume that is ours.
    ///
    /// # Errors
    /// `not_found`, also for one that is somebody else's.
    pub(crate) async fn find(&self, id: &ExternalId) -> Result<Volume> {
        let name = engine_name(id);
        let found = self.engine.api().inspect_volume(&name).await;
        let found = found.map_err(self.engine.failed_on("look at the volume", Resource::Volume, id.as_str()))?;
        match labels::is(&found.labels, ROLE) {
            true => Ok(found),
            false => Err(Error::not_found(Resource::Volume, id)),
        }
    }

    /// Removes it. What is not there is fine.
    async fn remove(&self, name: &str) -> Result<()> {
        let removed = self.engine.api().remove_volume(name, None::<RemoveVolumeOptions>).await;
        or_absent(removed.map_err(self.engine.failed_on("remove the volume", Resource::Volume, name)))
    }

    /// The sandboxes whose containers have it, or the containers that are none of ours.
    async fn users(&self, name: &str) -> Result<Vec<String>> {
        let filters = HashMap::from([("volume".to_owned(), vec![name.to_owned()])]);
        let listed = self.engine.caller().list(&filters).await;
        let listed = listed.map_err(self.engine.failed("list containers"))?;
        Ok(listed.iter().filter_map(labels::whose).collect())
    }
}

#[async_trait]
impl Volumes for Store {
    async fn create(&self, id: &VolumeId, spec: &VolumeSpec, context: &Context) -> Result<VolumeStatus> {
        context.remaining("volume.create")?;
        let name = format!("{PREFIX}{id}");
        // The engine gives a volume that is there already, whoever made it.
        if self.engine.api().inspect_volume(&name).await.is_ok() {
            return Err(Error::already_exists(Resource::Volume, id));
        }
        let mut own = labels::write(id.as_str(), ROLE, Some(&spec.name), &spec.labels);
        own.insert(labels::FLEET.into(), self.places.fleet()?);
        let request = VolumeCreateRequest {
            name: Some(name.clone()),
            driver: Some("local".to_owned()),
            labels: Some(own),
            ..VolumeCreateRequest::default()
        };
        let made = self.engine.api().create_volume(request).await.map_err(self.engine.failed("make a volume"))?;
        isobox_fault::point!("docker.volume.made");
        if let Err(error) = fresh::open_to_everybody(&self.engine, &name, self.places.fleet()?).await {
            self.remove(&name).await?;
            return Err(error);
        }
        status(&made).ok_or_else(|| Error::transport("docker made a volume without the labels that it was given"))
    }

    async fn get(&self, id: &ExternalId) -> Result<VolumeStatus> {
        status(&self.find(id).await?).ok_or_else(|| Error::not_found(Resource::Volume, id))
    }

    async fn list(&self) -> Result<Vec<VolumeStatus>> {
        let options = ListVolumesOptions { filters: Some(labels::filters(ROLE, None, Some(&self.places.fleet()?))) };
        let listed = self.engine.api().list_volumes(Some(options)).await;
        let listed = listed.map_err(self.engine.failed("list its volumes"))?;
        let mut all: Vec<_> = listed.volumes.iter().flatten().filter_map(status).collect();
        all.sort_by(|one, other| one.external.cmp(&other.external));
        Ok(all)
    }

    async fn usage(&self, id: &ExternalId, _context: &Context) -> Result<Option<u64>> {
        let name = self.find(id).await?.name;
        let rows = disk_usage(&self.engine).await?.volumes.unwrap_or_default();
        let row = rows.into_iter().find(|row| row.name == name);
        // It says less than nothing where it does not know.
        Ok(row.and_then(|row| u64::try_from(row.usage_data?.size).ok()))
    }

    async fn delete(&self, id: &ExternalId, context: &Context) -> Result<()> {
        context.remaining("volume.delete")?;
        let name = match self.find(id).await {
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(()),
            found => found?.name,
        };
        let mut removed = self.remove(&name).await;
        if removed.as_ref().is_err_and(|error| error.code() == ErrorCode::Conflict) {
            // What uses it may be what it was made with.
            fresh::forget(&self.engine, &name).await?;
            removed = self.remove(&name).await;
        }
        match removed {
            Err(error) if error.code() == ErrorCode::Conflict => {
                let users = self.users(&name).await?;
                let users = if users.is_empty() { "a container".to_owned() } else { users.join(", ") };
                let message = format!("volume {id} is used by {users}, delete that first");
                Err(Error::new(ErrorCode::Conflict, message).retryable(false))
            }
            removed => removed,
        }
    }
}

/// What the engine calls a volume: by its own name, or by isobox's id.
fn engine_name(id: &ExternalId) -> String {
    match id.as_str().parse::<VolumeId>() {
        Ok(id) => format!("{PREFIX}{id}"),
        Err(_) => id.as_str().to_owned(),
    }
}

fn status(volume: &Volume) -> Option<VolumeStatus> {
    if !labels::is(&volume.labels, ROLE) {
        return None;
    }
    Some(VolumeStatus {
        id: volume.labels.get(labels::ID).and_then(|id| id.parse().ok()),
        external: volume.name.parse().ok()?,
        name: labels::name(&volume.labels).cloned(),
        state: VolumeState::Ready,
        size: None,
        error: None,
        labels: labels::own(&volume.labels),
        created_at: volume.created_at.as_ref().and_then(|at| at.parse().ok()),
    })
}
