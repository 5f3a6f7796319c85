//! What is found that nobody needs, and what of it has no record.

use super::Control;
use super::reconcile::{Pass, nameless};
use crate::registry::Registry;
use isobox_contract::{
    Context, ErrorCode, OwnerId, Provider, ProviderKind, Result, SandboxId, SnapshotState, State, Timestamp,
    VolumeState,
};
use isobox_control::{OwnerEntry, SandboxEntry, SnapshotEntry, VolumeEntry, clear_owners};
use serde::Serialize;
use std::time::Duration;

/// How old a sandbox without a record must be before what is left of it is removed. The library writes its record first; a
/// caller of a provider has none, and no creation takes so long.
const MAKING: Duration = Duration::from_secs(60 * 60);

/// What a piece of garbage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum GarbageKind {
    /// A process that is dead and was not written down as that.
    Process,
    /// A sandbox whose process is dead; it is removed.
    Sandbox,
    /// The record of a sandbox that is gone; it is written down as that.
    Record,
    /// What is left of a sandbox that has no record, or whose record says that it is deleted; it is removed.
    Leftover,
    /// A volume that a dead process was making or removing; it is removed.
    Volume,
    /// The same for a snapshot.
    Snapshot,
    /// The file that showed that a process lives, of one that nothing is known of; it is removed.
    Lock,
}

impl GarbageKind {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Sandbox => "sandbox",
            Self::Record => "record",
            Self::Leftover => "leftover",
            Self::Volume => "volume",
            Self::Snapshot => "snapshot",
            Self::Lock => "lock",
        }
    }
}

/// Something that nobody needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Garbage {
    /// What it is.
    pub kind: GarbageKind,
    /// The id of the sandbox, volume or snapshot, or of the process as an owner.
    pub id: String,
    /// The name of the sandbox, volume or snapshot, or of the process's program.
    pub name: Option<String>,
    /// The provider of the sandbox, volume or snapshot.
    pub provider: Option<ProviderKind>,
    /// Why nobody needs it, in words.
    pub reason: String,
}

impl Garbage {
    pub(super) fn process(owner: &OwnerEntry) -> Self {
        Self {
            kind: GarbageKind::Process,
            id: owner.id.to_string(),
            name: Some(owner.program.clone()),
            provider: None,
            reason: format!("process {} has ended without a word", owner.process.pid),
        }
    }

    pub(super) fn of(kind: GarbageKind, entry: &SandboxEntry, reason: String) -> Self {
        let (id, name, provider) = (entry.id.to_string(), entry.name.clone(), Some(entry.provider.clone()));
        Self { kind, id, name, provider, reason }
    }

    pub(super) fn volume(entry: &VolumeEntry) -> Self {
        let (id, name, provider) = (entry.id.to_string(), Some(entry.name.clone()), Some(entry.provider.clone()));
        let reason = format!("the process that was {} it is dead", doing(entry.state == VolumeState::Deleting));
        Self { kind: GarbageKind::Volume, id, name, provider, reason }
    }

    pub(super) fn snapshot(entry: &SnapshotEntry) -> Self {
        let (id, name, provider) = (entry.id.to_string(), entry.name.clone(), Some(entry.provider.clone()));
        let reason = format!("the process that was {} it is dead", doing(entry.state == SnapshotState::Deleting));
        Self { kind: GarbageKind::Snapshot, id, name, provider, reason }
    }

    fn lock(id: &OwnerId) -> Self {
        let reason = "no process has it, and none is known by it".to_owned();
        Self { kind: GarbageKind::Lock, id: id.to_string(), name: None, provider: None, reason }
    }

    fn leftover(id: &SandboxId, provider: &ProviderKind, reason: &str) -> Self {
        let (id, provider) = (id.to_string(), Some(provider.clone()));
        Self { kind: GarbageKind::Leftover, id, name: None, provider, reason: reason.to_owned() }
    }
}

fn doing(removing: bool) -> &'static str {
    if removing { "removing" } else { "making" }
}

/// What was cleaned up, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Reconciled {
    /// Processes that were found dead.
    pub processes: usize,
    /// Sandboxes of dead processes that were removed.
    pub removed: usize,
    /// Sandboxes that were gone and are written down as that now.
    pub gone: usize,
    /// Sandboxes without a record, or that were deleted, of which something was left that was removed.
    pub leftovers: usize,
    /// Volumes that dead processes were making or removing, and that are gone now.
    pub volumes: usize,
    /// Snapshots that dead processes were making or removing, and that are gone now.
    pub snapshots: usize,
    /// Files of processes that nothing is known of, which are gone now.
    pub locks: usize,
    /// All of these, one by one.
    pub found: Vec<Garbage>,
    /// What could not be cleaned up, and why. It is tried again next time.
    pub failed: Vec<String>,
}

impl Reconciled {
    pub(super) fn add(&mut self, garbage: Garbage) {
        match garbage.kind {
            GarbageKind::Process => self.processes += 1,
            GarbageKind::Sandbox => self.removed += 1,
            GarbageKind::Record => self.gone += 1,
            GarbageKind::Leftover => self.leftovers += 1,
            GarbageKind::Volume => self.volumes += 1,
            GarbageKind::Snapshot => self.snapshots += 1,
            GarbageKind::Lock => self.locks += 1,
        }
        self.found.push(garbage);
    }
}

impl Control {
    /// Looks after what no record tells of.
    pub(super) async fn unknown(&self, registry: &Registry, pass: Pass, done: &mut Reconciled) {
        for kind in registry.kinds() {
            // One that does not work on this machine has nothing here.
            let Ok(provider) = registry.named(kind.as_str()) else { continue };
            match self.unknown_of(&*provider, pass, done).await {
                // Nor has one whose engine does not run, as far as anybody can tell.
                Err(error) if error.code() == ErrorCode::EngineUnavailable => {}
                Err(error) => done.failed.push(format!("{kind}: {error}")),
                Ok(()) => {}
            }
        }
    }

    /// Removes the files of processes that nothing is known of.
    pub(super) async fn unknown_locks(&self, pass: Pass, done: &mut Reconciled) -> Result<()> {
        let cleared = clear_owners(&self.home, &**self.store(), pass.dry_run).await?;
        cleared.iter().for_each(|id| done.add(Garbage::lock(id)));
        Ok(())
    }

    async fn unknown_of(&self, provider: &dyn Provider, pass: Pass, done: &mut Reconciled) -> Result<()> {
        for id in provider.leavings().await? {
            let Some(reason) = self.forgotten(&id).await? else { continue };
            if !pass.dry_run
                && let Err(error) = provider.delete(&nameless(&id)?, &Context::quiet()).await
            {
                done.failed.push(format!("{id}: {error}"));
                continue;
            }
            done.add(Garbage::leftover(&id, provider.kind(), reason));
        }
        if pass.dry_run { Ok(()) } else { provider.tidy().await }
    }

    /// Why nobody will ask for a sandbox of which nothing runs; nothing when somebody may.
    async fn forgotten(&self, id: &SandboxId) -> Result<Option<&'static str>> {
        match self.store().sandbox(id).await {
            Ok(entry) => Ok((entry.state == State::Deleted).then_some("it was deleted, and nothing of it runs")),
            Err(error) if error.code() == ErrorCode::NotFound => {
                let old = Timestamp::now().since(id.created_at()) > MAKING;
                Ok(old.then_some("it has no record, and nothing of it runs"))
            }
            Err(error) => Err(error),
        }
    }
}
