//! Snapshots and volumes.

use isobox_contract::{
    ExternalId, Labels, OwnerId, ProviderKind, Report, SandboxId, SnapshotId, SnapshotState, Timestamp, VolumeId,
    VolumeState,
};

/// A snapshot.
#[derive(Clone, Debug)]
pub struct SnapshotEntry {
    /// Its id.
    pub id: SnapshotId,
    /// Its name, unique for the provider.
    pub name: Option<String>,
    /// The kind of provider that has it.
    pub provider: ProviderKind,
    /// The backend's id, once there is one.
    pub external: Option<ExternalId>,
    /// The sandbox that it was taken of.
    pub sandbox: Option<SandboxId>,
    /// What it is doing.
    pub state: SnapshotState,
    /// Its labels.
    pub labels: Labels,
    /// Its bytes.
    pub size: Option<u64>,
    /// Why it is in error.
    pub error: Option<Report>,
    /// The process that is making or removing it.
    pub owner: Option<OwnerId>,
    /// When it was begun.
    pub created_at: Timestamp,
}

/// A volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VolumeEntry {
    /// Its id.
    pub id: VolumeId,
    /// Its name, unique for the provider.
    pub name: String,
    /// The kind of provider that has it.
    pub provider: ProviderKind,
    /// The backend's id, once there is one.
    pub external: Option<ExternalId>,
    /// What it is doing.
    pub state: VolumeState,
    /// Its labels.
    pub labels: Labels,
    /// Its bytes at most, where it has a size.
    pub size: Option<u64>,
    /// The process that is making or removing it.
    pub owner: Option<OwnerId>,
    /// When it was begun.
    pub created_at: Timestamp,
    /// How many sandboxes use it. Not written: counted when it is read.
    pub attached: u64,
}
