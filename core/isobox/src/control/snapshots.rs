//! What is written down of snapshots.
//!
//! ```text
//!   building ──the provider has made it──▶ active ──▶ deleting ──the provider has removed it──▶ forgotten
//!      └──────── its process is dead, or making it failed ────────────▲ │
//!                                                 as it was before ◀──a sandbox uses it
//! ```

use super::action::PATIENCE;
use super::{Control, Garbage, Pass, Reconciled, in_background};
use crate::registry::Registry;
use isobox_contract::{
    Capability, Context, Error, ErrorCode, ExternalId, Labels, OwnerId, Provider, ProviderKind, Report, Resource,
    Result, SandboxId, SandboxSpec, SnapshotId, SnapshotState, SnapshotStatus, Snapshots, Source, Timestamp,
};
use isobox_control::{SnapshotEntry, Store};
use std::sync::Arc;

/// The snapshots of a provider.
pub(crate) fn snapshots(provider: &dyn Provider) -> Result<&dyn Snapshots> {
    provider
        .snapshots()
        .ok_or_else(|| Error::unsupported(Capability::SnapshotsSupported).with_provider(provider.kind()))
}

/// A snapshot that is being made. Dropping it undoes that.
#[must_use = "dropping it says that nothing came of it"]
pub(crate) struct Taking {
    store: Arc<dyn Store>,
    provider: Arc<dyn Provider>,
    owner: OwnerId,
    entry: Option<SnapshotEntry>,
    pub(crate) id: SnapshotId,
}

impl Control {
    /// Writes down that a snapshot is about to be made, of a sandbox or of something else.
    pub(crate) async fn begin_snapshot(
        &self,
        provider: Arc<dyn Provider>,
        sandbox: Option<SandboxId>,
        name: Option<String>,
        labels: Labels,
    ) -> Result<Taking> {
        let entry = SnapshotEntry {
            id: SnapshotId::generate(),
            name,
            provider: provider.kind().clone(),
            external: None,
            sandbox,
            state: SnapshotState::Building,
            labels,
            size: None,
            error: None,
            owner: Some(self.owner()),
            created_at: Timestamp::now(),
        };
        let store = self.store().clone();
        // Before it is written: whoever stops waiting for that does not know whether it was.
        let mut taking = Taking { store, provider, owner: self.owner(), entry: Some(entry.clone()), id: entry.id };
        let written = match self.store().put_snapshot(entry.clone()).await {
            Err(error) if error.code() == ErrorCode::AlreadyExists => {
                match self.settled_snapshot(&*taking.provider, entry.name.as_deref().unwrap_or_default()).await {
                    Ok(None) => self.store().put_snapshot(entry).await,
                    Ok(Some(_)) => Err(error),
                    Err(other) => Err(other),
                }
            }
            written => written,
        };
        if written.is_err() {
            taking.entry = None;
        }
        written.map(|()| taking)
    }

    /// A snapshot by its id or name, once nobody removes it and no dead process was making it; none when it is not there.
    pub(crate) async fn settled_snapshot(
        &self,
        provider: &dyn Provider,
        id_or_name: &str,
    ) -> Result<Option<SnapshotEntry>> {
        let settled = async {
            loop {
                let sequence = self.store().last_sequence().await?;
                let found = match self.store().snapshot(provider.kind(), id_or_name).await {
                    Err(error) if error.code() == ErrorCode::NotFound => return Ok(None),
                    found => found?,
                };
                match found.state {
                    SnapshotState::Building | SnapshotState::Deleting if self.is_dead(found.owner).await? => {
                        let undone = end_snapshot(&**self.store(), provider, self.owner(), &found).await;
                        // A sandbox needs it: it is as it was.
                        undone
                            .or_else(|error| if error.code() == ErrorCode::Conflict { Ok(()) } else { Err(error) })?;
                    }
                    SnapshotState::Deleting => self.changes(sequence).await?,
                    _ => return Ok(Some(found)),
                }
            }
        };
        let settled = tokio::time::timeout(PATIENCE, settled).await;
        settled.unwrap_or_else(|_| Err(Error::timeout("waiting for another operation on the snapshot", PATIENCE)))
    }

    /// A snapshot by its id or name, as it is now, also one that only the provider knows, which is written down. `not_found` when there
    /// is none.
    pub(crate) async fn known_snapshot(&self, provider: &dyn Provider, id_or_name: &str) -> Result<SnapshotEntry> {
        let missing = || Error::not_found(Resource::Snapshot, id_or_name);
        let found = self.settled_snapshot(provider, id_or_name).await?;
        let external = match &found {
            Some(entry) => entry.external.clone(),
            None => Some(id_or_name.parse().map_err(|_| missing())?),
        };
        let status = match &external {
            Some(external) => there(snapshots(provider)?.get(external).await)?,
            None => None,
        };
        match (found, status) {
            (Some(entry), status) => Ok(now(entry, status.as_ref())),
            (None, Some(status)) => self.adopt_snapshot(provider.kind(), status).await,
            (None, None) => Err(missing()),
        }
    }

    /// Writes down a snapshot that only the provider knows, such as one of an earlier version.
    async fn adopt_snapshot(&self, kind: &ProviderKind, status: SnapshotStatus) -> Result<SnapshotEntry> {
        let entry = SnapshotEntry {
            id: status.id.unwrap_or_else(SnapshotId::generate),
            name: status.name,
            provider: kind.clone(),
            external: Some(status.external),
            sandbox: None,
            state: status.state,
            labels: status.labels,
            size: status.size,
            error: status.error,
            owner: None,
            created_at: status.created_at.unwrap_or_else(Timestamp::now),
        };
        self.store().put_snapshot(entry.clone()).await.map(|()| entry)
    }

    /// All snapshots of a provider, the oldest first. Those that only the provider knows are written down; one that is gone without
    /// its record is in error.
    pub(crate) async fn all_snapshots(&self, provider: &dyn Provider) -> Result<Vec<SnapshotEntry>> {
        let before = self.snapshots_written(provider.kind()).await?;
        let there = snapshots(provider)?.list(None).await?;
        let mut all = self.snapshots_written(provider.kind()).await?;
        let known = |all: &[SnapshotEntry], status: &SnapshotStatus| {
            all.iter().any(|entry| Some(entry.id) == status.id || entry.external.as_ref() == Some(&status.external))
        };
        for status in &there {
            // One that is in neither list was begun without a record.
            if !known(&before, status) && !known(&all, status) {
                all.push(self.adopt_snapshot(provider.kind(), status.clone()).await?);
            }
        }
        all.sort_by_key(|entry| entry.id);
        let status =
            |entry: &SnapshotEntry| there.iter().find(|status| Some(&status.external) == entry.external.as_ref());
        let seen = |entry: &SnapshotEntry| {
            status(entry).is_some() || before.iter().any(|old| old.id == entry.id && old.state == entry.state)
        };
        Ok(all.into_iter().map(|entry| if seen(&entry) { now(entry.clone(), status(&entry)) } else { entry }).collect())
    }

    async fn snapshots_written(&self, kind: &ProviderKind) -> Result<Vec<SnapshotEntry>> {
        Ok(self.store().snapshots().await?.into_iter().filter(|entry| entry.provider == *kind).collect())
    }

    /// Removes a snapshot. What is not there is fine.
    pub(crate) async fn delete_snapshot(&self, provider: &dyn Provider, id_or_name: &str) -> Result<()> {
        let found = match self.known_snapshot(provider, id_or_name).await {
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(()),
            found => found?,
        };
        if found.state == SnapshotState::Building {
            let message = format!("snapshot {} is being made, wait for its end", found.id);
            return Err(Error::new(ErrorCode::Conflict, message));
        }
        end_snapshot(&**self.store(), provider, self.owner(), &found).await
    }

    /// Puts the snapshot of a spec into it by the backend's id, when it is named otherwise.
    pub(crate) async fn resolve_snapshot(&self, provider: &dyn Provider, spec: &mut SandboxSpec) -> Result<()> {
        let Source::Snapshot { snapshot } = &mut spec.source else { return Ok(()) };
        match self.settled_snapshot(provider, snapshot.as_str()).await? {
            // The provider says what it has.
            None => Ok(()),
            Some(SnapshotEntry { state: SnapshotState::Building, .. }) => {
                let message =
                    format!("snapshot {snapshot} is being made, a sandbox can be made from it once that is done");
                Err(Error::new(ErrorCode::InvalidState, message))
            }
            Some(entry) => {
                *snapshot = entry.external.unwrap_or_else(|| entry.id.into());
                Ok(())
            }
        }
    }

    /// Finishes what dead processes were doing to snapshots.
    pub(super) async fn reconcile_snapshots(
        &self,
        registry: &Registry,
        pass: Pass,
        done: &mut Reconciled,
    ) -> Result<()> {
        for entry in self.store().snapshots().await? {
            let half_done = matches!(entry.state, SnapshotState::Building | SnapshotState::Deleting);
            if !half_done || !self.is_dead(entry.owner).await? {
                continue;
            }
            if pass.dry_run {
                done.add(Garbage::snapshot(&entry));
                continue;
            }
            let ended = async {
                let provider = registry.named(entry.provider.as_str())?;
                end_snapshot(&**self.store(), &*provider, self.owner(), &entry).await
            };
            match ended.await {
                Ok(()) => done.add(Garbage::snapshot(&entry)),
                // A sandbox needs it, or another process was quicker.
                Err(error) if error.code() == ErrorCode::Conflict => {}
                Err(error) => done.failed.push(format!("{}: {error}", entry.id)),
            }
        }
        Ok(())
    }
}

impl Taking {
    /// Writes down that it was made.
    pub(crate) async fn taken(&mut self, status: &SnapshotStatus) -> Result<()> {
        let Some(entry) = &self.entry else { return Ok(()) };
        let taken = SnapshotEntry {
            external: Some(status.external.clone()),
            state: status.state,
            size: status.size,
            owner: None,
            ..entry.clone()
        };
        self.store.move_snapshot(taken, vec![SnapshotState::Building]).await?;
        self.entry = None;
        Ok(())
    }

    /// Undoes it.
    pub(crate) async fn failed(mut self) {
        if let Some(entry) = &self.entry {
            // The error to report is the first one; what cannot be undone now is undone by whoever comes next.
            let _ = end_snapshot(&*self.store, &*self.provider, self.owner, entry).await;
        }
        self.entry = None;
    }
}

impl Drop for Taking {
    fn drop(&mut self) {
        let Some(entry) = self.entry.take() else { return };
        let (store, provider, owner) = (self.store.clone(), self.provider.clone(), self.owner);
        in_background(async move {
            if let Err(error) = end_snapshot(&*store, &*provider, owner, &entry).await {
                tracing::warn!(snapshot = %entry.id, code = %error.code(), "a snapshot that was given up is left over");
            }
        });
    }
}

/// Removes a snapshot that is in the state that was seen, and what is left of one.
async fn end_snapshot(store: &dyn Store, provider: &dyn Provider, owner: OwnerId, found: &SnapshotEntry) -> Result<()> {
    let deleting = SnapshotEntry { state: SnapshotState::Deleting, owner: Some(owner), ..found.clone() };
    let written = match store.snapshot(provider.kind(), found.id.as_str()).await {
        // Its intent may be on its way still, which whoever reads overtakes, and the change below does not.
        Err(error) if error.code() == ErrorCode::NotFound => SnapshotState::Building,
        // What is seen of one whose files are gone is not what is written.
        written => written?.state,
    };
    match store.move_snapshot(deleting.clone(), vec![written]).await {
        Err(error) if error.code() == ErrorCode::NotFound => return Ok(()),
        begun => begun?,
    }
    isobox_fault::point!("snapshot.deleting");
    let Err(error) = take_away(provider, &deleting).await else {
        isobox_fault::point!("snapshot.deleted");
        return store.remove_snapshot(&deleting.id).await;
    };
    // In use is what the provider says of one that is whole.
    let left = match error.code() {
        ErrorCode::Conflict => SnapshotEntry { state: whole(written), owner: None, ..deleting },
        _ => SnapshotEntry { state: SnapshotState::Error, error: Some(Report::from(&error)), owner: None, ..deleting },
    };
    store.move_snapshot(left, vec![SnapshotState::Deleting]).await?;
    Err(error)
}

/// The state of a snapshot that could not be removed, and was in this one before.
fn whole(before: SnapshotState) -> SnapshotState {
    match before {
        SnapshotState::Building | SnapshotState::Deleting => SnapshotState::Active,
        before => before,
    }
}

/// Removes a snapshot from the provider, also one that it did not live to give an id.
async fn take_away(provider: &dyn Provider, entry: &SnapshotEntry) -> Result<()> {
    let (snapshots, context) = (snapshots(provider)?, Context::quiet());
    if let Some(external) = &entry.external {
        return snapshots.delete(external, &context).await;
    }
    for status in snapshots.list(None).await?.into_iter().filter(|status| status.id == Some(entry.id)) {
        snapshots.delete(&status.external, &context).await?;
    }
    Ok(())
}

/// What the provider has, if it has it.
fn there(found: Result<SnapshotStatus>) -> Result<Option<SnapshotStatus>> {
    match found {
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        found => found.map(Some),
    }
}

/// A record with what the provider says now.
fn now(mut entry: SnapshotEntry, status: Option<&SnapshotStatus>) -> SnapshotEntry {
    match (entry.state, status) {
        (SnapshotState::Building | SnapshotState::Deleting, _) => {}
        (_, Some(status)) => {
            entry.state = status.state;
            entry.error.clone_from(&status.error);
            entry.size = status.size.or(entry.size);
        }
        (_, None) => {
            let message = "its files are gone, delete the snapshot";
            entry.state = SnapshotState::Error;
            entry.error = Some(Report::from(&Error::new(ErrorCode::NotFound, message)));
        }
    }
    entry
}

/// The backend's id of a snapshot that is there.
pub(crate) fn external_of(entry: &SnapshotEntry) -> Result<ExternalId> {
    let building = || {
        let message = format!("snapshot {} is {}, wait until it is active", entry.id, entry.state);
        Error::new(ErrorCode::InvalidState, message)
    };
    entry.external.clone().ok_or_else(building)
}
