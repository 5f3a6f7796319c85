//! What is written down of volumes.
//!
//! ```text
//!   creating ──the provider has made it──▶ ready ──nobody uses it──▶ deleting ──the provider has removed it──▶ forgotten
//!      └──────── its process is dead, or making it failed ──────────────▲ │
//!                                              error ◀──it cannot be removed
//! ```

use super::action::{LOOK, PATIENCE};
use super::{Control, Garbage, Pass, Reconciled};
use crate::registry::Registry;
use isobox_contract::{
    Capability, Context, Error, ErrorCode, ExternalId, Provider, ProviderKind, Result, SandboxSpec, Timestamp,
    VolumeId, VolumeSpec, VolumeState, VolumeStatus, Volumes,
};
use isobox_control::VolumeEntry;

/// The volumes of a provider.
pub(crate) fn volumes(provider: &dyn Provider) -> Result<&dyn Volumes> {
    provider.volumes().ok_or_else(|| Error::unsupported(Capability::VolumesSupported).with_provider(provider.kind()))
}

impl Control {
    /// Makes a volume; with `get`, gives the one that has its name already.
    pub(crate) async fn make_volume(
        &self,
        provider: &dyn Provider,
        spec: &VolumeSpec,
        get: bool,
        context: &Context,
    ) -> Result<VolumeEntry> {
        loop {
            let entry = self.new_volume(provider.kind(), spec);
            let taken = match self.store().put_volume(entry.clone()).await {
                Ok(()) => return self.fill(provider, entry, spec, context).await,
                Err(error) if error.code() == ErrorCode::AlreadyExists => error,
                Err(error) => return Err(error),
            };
            match self.settled_volume(provider, &spec.name, get).await? {
                Some(found) if get => return Ok(found),
                Some(_) => return Err(taken),
                // It went meanwhile.
                None => {}
            }
        }
    }

    fn new_volume(&self, kind: &ProviderKind, spec: &VolumeSpec) -> VolumeEntry {
        VolumeEntry {
            id: VolumeId::generate(),
            name: spec.name.clone(),
            provider: kind.clone(),
            external: None,
            state: VolumeState::Creating,
            labels: spec.labels.clone(),
            size: spec.size,
            owner: Some(self.owner()),
            created_at: Timestamp::now(),
            attached: 0,
        }
    }

    async fn fill(
        &self,
        provider: &dyn Provider,
        entry: VolumeEntry,
        spec: &VolumeSpec,
        context: &Context,
    ) -> Result<VolumeEntry> {
        isobox_fault::point!("volume.intended");
        let made = volumes(provider)?.create(&entry.id, spec, context).await;
        isobox_fault::point!("volume.made");
        let made = match made {
            Ok(status) => self.store().move_volume(ready(&entry, status), vec![VolumeState::Creating]).await,
            Err(error) => Err(error),
        };
        if made.is_err() {
            // The error to report is the first one; what cannot be undone now is undone by whoever comes next.
            let _ = self.end_volume(provider, &entry, vec![VolumeState::Creating]).await;
        }
        made?;
        self.store().volume(provider.kind(), entry.id.as_str()).await
    }

    /// A volume by its id or name, once nobody is making or removing it; none when it is not there. Without `wait` one that
    /// somebody is making is given as it is.
    pub(crate) async fn settled_volume(
        &self,
        provider: &dyn Provider,
        id_or_name: &str,
        wait: bool,
    ) -> Result<Option<VolumeEntry>> {
        let settled = async {
            loop {
                let sequence = self.store().last_sequence().await?;
                let found = match self.store().volume(provider.kind(), id_or_name).await {
                    Err(error) if error.code() == ErrorCode::NotFound => return Ok(None),
                    found => found?,
                };
                match found.state {
                    VolumeState::Creating if !wait && !self.is_dead(found.owner).await? => return Ok(Some(found)),
                    VolumeState::Creating | VolumeState::Deleting if self.is_dead(found.owner).await? => {
                        let seen = vec![found.state];
                        self.end_volume(provider, &found, seen).await?;
                    }
                    VolumeState::Creating | VolumeState::Deleting => self.changes(sequence).await?,
                    _ => return Ok(Some(found)),
                }
            }
        };
        let settled = tokio::time::timeout(PATIENCE, settled).await;
        settled.unwrap_or_else(|_| Err(Error::timeout("waiting for another operation on the volume", PATIENCE)))
    }

    /// Waits until something happens anywhere, for a second at most: then whoever does it may be dead.
    pub(super) async fn changes(&self, sequence: u64) -> Result<()> {
        tokio::time::timeout(LOOK, self.store().wait_past(sequence)).await.map_or(Ok(()), |waited| waited.map(drop))
    }

    /// A volume by its id or name, also one that only the provider knows, which is written down. `not_found` when there is none.
    pub(crate) async fn known_volume(&self, provider: &dyn Provider, id_or_name: &str) -> Result<VolumeEntry> {
        if let Some(found) = self.settled_volume(provider, id_or_name, true).await? {
            return Ok(found);
        }
        let missing = || Error::not_found(isobox_contract::Resource::Volume, id_or_name);
        let external: ExternalId = id_or_name.parse().map_err(|_| missing())?;
        let status = match volumes(provider)?.get(&external).await {
            Err(error) if error.code() == ErrorCode::NotFound => return Err(missing()),
            status => status?,
        };
        self.adopt_volume(provider.kind(), status).await?.ok_or_else(missing)
    }

    /// Writes down a volume that only the provider knows.
    async fn adopt_volume(&self, kind: &ProviderKind, status: VolumeStatus) -> Result<Option<VolumeEntry>> {
        if status.state != VolumeState::Ready {
            return Ok(None);
        }
        let name = status.name.clone().unwrap_or_else(|| status.external.to_string());
        let spec = VolumeSpec { labels: status.labels.clone(), ..VolumeSpec::named(name) };
        let mut entry = self.new_volume(kind, &spec);
        entry.id = status.id.unwrap_or(entry.id);
        entry.created_at = status.created_at.unwrap_or(entry.created_at);
        let entry = ready(&entry, status);
        self.store().put_volume(entry.clone()).await.map(|()| Some(entry))
    }

    /// All volumes of a provider, the oldest first. Those that only the provider knows are written down; one that is gone without
    /// its record is in error.
    pub(crate) async fn all_volumes(&self, provider: &dyn Provider) -> Result<Vec<VolumeEntry>> {
        let before = self.volumes_written(provider.kind()).await?;
        let there = volumes(provider)?.list().await?;
        for status in &there {
            let known =
                |entry: &VolumeEntry| Some(entry.id) == status.id || entry.external.as_ref() == Some(&status.external);
            // Two may do so at once; what is written is the same.
            if !before.iter().any(known) && !self.volumes_written(provider.kind()).await?.iter().any(known) {
                self.adopt_volume(provider.kind(), status.clone()).await?;
            }
        }
        let mut all = self.volumes_written(provider.kind()).await?;
        for entry in &mut all {
            let seen = before.iter().any(|old| old.id == entry.id && old.state == VolumeState::Ready);
            let gone = !there.iter().any(|status| Some(&status.external) == entry.external.as_ref());
            if seen && gone && entry.state == VolumeState::Ready {
                entry.state = VolumeState::Error;
            }
        }
        Ok(all)
    }

    async fn volumes_written(&self, kind: &ProviderKind) -> Result<Vec<VolumeEntry>> {
        Ok(self.store().volumes().await?.into_iter().filter(|entry| entry.provider == *kind).collect())
    }

    /// Removes a volume with its contents. What is not there is fine.
    pub(crate) async fn delete_volume(&self, provider: &dyn Provider, id_or_name: &str) -> Result<()> {
        loop {
            let found = match self.settled_volume(provider, id_or_name, true).await? {
                Some(found) => found,
                None => match self.known_volume(provider, id_or_name).await {
                    Err(error) if error.code() == ErrorCode::NotFound => return Ok(()),
                    found => found?,
                },
            };
            let seen = found.state;
            match self.end_volume(provider, &found, vec![seen]).await {
                Err(error) if error.code() == ErrorCode::Conflict => {
                    let now = self.store().volume(provider.kind(), found.id.as_str()).await.map(|entry| entry.state);
                    if now.is_ok_and(|now| now == seen) {
                        return Err(error);
                    }
                }
                done => return done,
            }
        }
    }

    /// Removes a volume that is in one of these states, and what is left of one.
    async fn end_volume(&self, provider: &dyn Provider, found: &VolumeEntry, from: Vec<VolumeState>) -> Result<()> {
        let deleting = VolumeEntry { state: VolumeState::Deleting, owner: Some(self.owner()), ..found.clone() };
        match self.store().move_volume(deleting.clone(), from).await {
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(()),
            begun => begun?,
        }
        isobox_fault::point!("volume.deleting");
        let taken = take_away(provider, &deleting).await;
        isobox_fault::point!("volume.deleted");
        let Err(error) = taken else {
            return self.store().remove_volume(&deleting.id).await;
        };
        // In use is what the provider says of one that is whole.
        let whole = error.code() == ErrorCode::Conflict;
        let state = if whole { VolumeState::Ready } else { VolumeState::Error };
        let left = VolumeEntry { state, owner: None, ..deleting };
        self.store().move_volume(left, vec![VolumeState::Deleting]).await?;
        Err(error)
    }

    /// Puts the volumes of a spec into it by the backend's ids, and gives their own.
    pub(crate) async fn attach_volumes(
        &self,
        provider: &dyn Provider,
        spec: &mut SandboxSpec,
    ) -> Result<Vec<VolumeId>> {
        let mut ids = Vec::with_capacity(spec.volumes.len());
        for mount in &mut spec.volumes {
            let entry = self.known_volume(provider, mount.volume.as_str()).await?;
            mount.volume = entry.external.clone().unwrap_or_else(|| entry.id.into());
            ids.push(entry.id);
        }
        Ok(ids)
    }

    /// The ids of the volumes that a spec names by the backend's.
    pub(super) async fn attached_volumes(&self, kind: &ProviderKind, spec: &SandboxSpec) -> Result<Vec<VolumeId>> {
        if spec.volumes.is_empty() {
            return Ok(Vec::new());
        }
        let named =
            |entry: &VolumeEntry| spec.volumes.iter().any(|mount| Some(&mount.volume) == entry.external.as_ref());
        Ok(self.volumes_written(kind).await?.into_iter().filter(named).map(|entry| entry.id).collect())
    }

    /// Finishes what dead processes were doing to volumes.
    pub(super) async fn reconcile_volumes(&self, registry: &Registry, pass: Pass, done: &mut Reconciled) -> Result<()> {
        for entry in self.store().volumes().await? {
            let half_done = matches!(entry.state, VolumeState::Creating | VolumeState::Deleting);
            if !half_done || !self.is_dead(entry.owner).await? {
                continue;
            }
            if pass.dry_run {
                done.add(Garbage::volume(&entry));
                continue;
            }
            let ended = async {
                let provider = registry.named(entry.provider.as_str())?;
                self.end_volume(&*provider, &entry, vec![entry.state]).await
            };
            match ended.await {
                Ok(()) => done.add(Garbage::volume(&entry)),
                // Another process was quicker.
                Err(error) if error.code() == ErrorCode::Conflict => {}
                Err(error) => done.failed.push(format!("{}: {error}", entry.id)),
            }
        }
        Ok(())
    }
}

/// The entry of a volume that the provider has.
fn ready(entry: &VolumeEntry, status: VolumeStatus) -> VolumeEntry {
    let (external, size) = (Some(status.external), status.size);
    VolumeEntry { external, size, state: VolumeState::Ready, owner: None, ..entry.clone() }
}

/// Removes a volume from the provider, also one that it did not live to give an id.
async fn take_away(provider: &dyn Provider, entry: &VolumeEntry) -> Result<()> {
    let (volumes, context) = (volumes(provider)?, Context::quiet());
    if let Some(external) = &entry.external {
        return volumes.delete(external, &context).await;
    }
    for status in volumes.list().await?.into_iter().filter(|status| status.id == Some(entry.id)) {
        volumes.delete(&status.external, &context).await?;
    }
    Ok(())
}
