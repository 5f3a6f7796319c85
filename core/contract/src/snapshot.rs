//! Snapshots: frozen beginnings of sandboxes.

use crate::capability::Capability;
use crate::error::{Error, Report, Result};
use crate::ids::{ExternalId, SandboxId, SnapshotId};
use crate::isolation::SandboxKind;
use crate::logs::LogStream;
use crate::provider::Context;
use crate::spec::{DockerfileText, Labels, ProviderOptions, Resources};
use crate::time::Timestamp;
use crate::words::words;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::path::Path;

words! {
    /// What a snapshot is doing.
    pub enum SnapshotState {
        /// It is being made.
        Building = "building",
        /// Sandboxes can be made from it.
        Active = "active",
        /// It has to be activated first.
        Inactive = "inactive",
        /// Making it failed.
        Error = "error",
        /// It is being removed.
        Deleting = "deleting",
        /// It is gone.
        Deleted = "deleted",
        /// The provider has a word for it that is not known here.
        Unknown = "unknown",
    }
    unknown Unknown
}

/// What a snapshot is made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SnapshotSource {
    /// An image.
    Image {
        /// Its reference.
        reference: String,
    },
    /// A Dockerfile without a context.
    Dockerfile {
        /// Its text.
        content: DockerfileText,
    },
    /// A sandbox.
    Sandbox {
        /// Which.
        id: SandboxId,
        /// The backend's id for it.
        external: ExternalId,
        /// With memory and processes (the sandbox runs) or the filesystem alone.
        #[serde(default)]
        include_memory: bool,
    },
}

/// What to make.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SnapshotSpec {
    /// A name, unique for the provider.
    #[serde(default)]
    pub name: Option<String>,
    /// From what.
    pub source: SnapshotSource,
    /// For which kind of sandbox.
    #[serde(default)]
    pub kind: Option<SandboxKind>,
    /// Where.
    #[serde(default)]
    pub region: Option<String>,
    /// The limits of sandboxes made from it.
    #[serde(default)]
    pub resources: Resources,
    /// Labels.
    #[serde(default)]
    pub labels: Labels,
    /// What only this provider knows.
    #[serde(default)]
    pub options: Option<ProviderOptions>,
}

/// What a snapshot of a sandbox has in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotOptions {
    /// A name, unique for the provider.
    #[serde(default)]
    pub name: Option<String>,
    /// With memory and processes, or the filesystem alone.
    #[serde(default)]
    pub include_memory: bool,
    /// Labels.
    #[serde(default)]
    pub labels: Labels,
}

/// What a provider says about a snapshot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SnapshotStatus {
    /// isobox's id, when the backend's labels hold one.
    #[serde(default)]
    pub id: Option<SnapshotId>,
    /// The backend's id, which [`crate::Source::Snapshot`] takes.
    pub external: ExternalId,
    /// Its name.
    #[serde(default)]
    pub name: Option<String>,
    /// What it is doing.
    pub state: SnapshotState,
    /// For which kind of sandbox.
    #[serde(default)]
    pub kind: Option<SandboxKind>,
    /// Where it can be used.
    #[serde(default)]
    pub regions: Vec<String>,
    /// The limits of sandboxes made from it.
    #[serde(default)]
    pub resources: Option<Resources>,
    /// Why it is in error.
    #[serde(default)]
    pub error: Option<Report>,
    /// Its bytes.
    #[serde(default)]
    pub size: Option<u64>,
    /// Labels.
    #[serde(default)]
    pub labels: Labels,
    /// When it was made.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
}

words! {
    /// How the layers of an exported image are packed.
    #[derive(Default)]
    pub enum LayerCompression {
        /// As they are: the quickest, and the largest.
        #[default]
        None = "none",
        /// With gzip, which everything that reads images knows.
        Gzip = "gzip",
    }
}

/// How a snapshot becomes an image.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExportOptions {
    /// The name of the image with a tag, such as `app:1`; `latest` when the tag is missing. By default it has none.
    pub reference: Option<String>,
    /// How its layers are packed.
    pub compression: LayerCompression,
    /// Leaves the holes of files out, in the way of GNU tar. Docker loads such an image, and cannot save or push it again,
    /// so they are written as zeros by default.
    pub holes: bool,
}

impl ExportOptions {
    /// Everything by default, and a name.
    pub fn named(reference: impl Into<String>) -> Self {
        Self { reference: Some(reference.into()), ..Self::default() }
    }
}

/// How an image in an archive becomes a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportOptions {
    /// A name for the snapshot, unique for the provider.
    pub name: Option<String>,
    /// Labels.
    pub labels: Labels,
    /// The name of the image, which an archive with several needs.
    pub image: Option<String>,
}

impl ImportOptions {
    /// Everything by default, and a name for the snapshot.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..Self::default() }
    }
}

/// An image that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedImage {
    /// The digest of its config, `sha256:...`, by which Docker knows it.
    pub id: String,
    /// The digest of its manifest, `sha256:...`.
    pub digest: String,
    /// Its name, whole, if it was given one.
    pub reference: Option<String>,
    /// The digests of its layers, uncompressed, the first at the bottom.
    pub layers: Vec<String>,
    /// Bytes of the archive.
    pub size: u64,
}

/// The snapshots of a provider. There exactly when `snapshots.supported` is.
#[async_trait]
pub trait Snapshots: Send + Sync {
    /// Starts making one and returns when the backend has an id for it; it may still be building.
    async fn create(&self, id: &SnapshotId, spec: &SnapshotSpec, context: &Context) -> Result<SnapshotStatus>;

    /// What is known about one. `not_found` when there is none.
    async fn get(&self, id: &ExternalId) -> Result<SnapshotStatus>;

    /// All, or those with this name.
    async fn list(&self, name: Option<&str>) -> Result<Vec<SnapshotStatus>>;

    /// Removes one. What is not there is fine.
    async fn delete(&self, id: &ExternalId, context: &Context) -> Result<()>;

    /// The log of its making; with `follow`, until that is over. Needs `snapshots.build_logs`.
    async fn build_logs(&self, id: &ExternalId, follow: bool) -> Result<LogStream> {
        let _ = (id, follow);
        Err(Error::unsupported(Capability::SnapshotsBuildLogs))
    }

    /// Makes an inactive one usable. One that is active is fine. Needs `snapshots.activation`.
    async fn activate(&self, id: &ExternalId, context: &Context) -> Result<()> {
        let _ = (id, context);
        Err(Error::unsupported(Capability::SnapshotsActivation))
    }

    /// Puts one aside. One that is inactive is fine. Needs `snapshots.activation`.
    async fn deactivate(&self, id: &ExternalId, context: &Context) -> Result<()> {
        let _ = (id, context);
        Err(Error::unsupported(Capability::SnapshotsActivation))
    }

    /// Writes one as an image into a file of this machine: an archive that both `docker load` and readers of OCI layouts
    /// take. A file that is there is replaced once all is written; on any failure, and when the future is dropped, it stays
    /// as it was and nothing else is left. The same snapshot gives the same bytes. Needs `snapshots.export`.
    async fn export(
        &self,
        id: &ExternalId,
        to: &Path,
        options: &ExportOptions,
        context: &Context,
    ) -> Result<ExportedImage> {
        let _ = (id, to, options, context);
        Err(Error::unsupported(Capability::SnapshotsExport))
    }

    /// Makes one from an image in an archive or layout folder of this machine, as [`export`](Self::export), `docker save` and OCI
    /// tools write them. It stands on its own: the archive is not needed any more. When it fails, nothing is left but layers that
    /// the images' own prune removes. Needs `snapshots.import`.
    async fn import(
        &self,
        id: &SnapshotId,
        from: &Path,
        options: &ImportOptions,
        context: &Context,
    ) -> Result<SnapshotStatus> {
        let _ = (id, from, options, context);
        Err(Error::unsupported(Capability::SnapshotsImport))
    }
}
