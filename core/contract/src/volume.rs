//! Volumes: storage that outlives sandboxes. Mounted when a sandbox is made, and only then.

use crate::error::{Report, Result};
use crate::ids::{ExternalId, VolumeId};
use crate::provider::Context;
use crate::spec::Labels;
use crate::time::Timestamp;
use crate::words::words;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

words! {
    /// What a volume is doing.
    pub enum VolumeState {
        /// It is being made.
        Creating = "creating",
        /// It can be mounted.
        Ready = "ready",
        /// It is being removed.
        Deleting = "deleting",
        /// It is gone.
        Deleted = "deleted",
        /// Something failed.
        Error = "error",
        /// The provider has a word for it that is not known here.
        Unknown = "unknown",
    }
    unknown Unknown
}

/// What to make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VolumeSpec {
    /// A name, unique for the provider.
    pub name: String,
    /// Its bytes at most, where a size can be given; no limit when left out.
    #[serde(default)]
    pub size: Option<u64>,
    /// Labels.
    #[serde(default)]
    pub labels: Labels,
}

impl VolumeSpec {
    /// One with this name, and nothing else said about it.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), size: None, labels: Labels::new() }
    }
}

/// What a provider says about a volume.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VolumeStatus {
    /// isobox's id, when the backend's labels hold one.
    #[serde(default)]
    pub id: Option<VolumeId>,
    /// The backend's id, which a mount takes.
    pub external: ExternalId,
    /// Its name.
    #[serde(default)]
    pub name: Option<String>,
    /// What it is doing.
    pub state: VolumeState,
    /// Its bytes at most, where it has a limit.
    #[serde(default)]
    pub size: Option<u64>,
    /// Why it is in error.
    #[serde(default)]
    pub error: Option<Report>,
    /// Labels.
    #[serde(default)]
    pub labels: Labels,
    /// When it was made.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
}

/// The volumes of a provider. There exactly when `volumes.supported` is.
#[async_trait]
pub trait Volumes: Send + Sync {
    /// Makes one and returns when it is ready or the backend goes on by itself.
    async fn create(&self, id: &VolumeId, spec: &VolumeSpec, context: &Context) -> Result<VolumeStatus>;

    /// What is known about one. `not_found` when there is none.
    async fn get(&self, id: &ExternalId) -> Result<VolumeStatus>;

    /// All of them.
    async fn list(&self) -> Result<Vec<VolumeStatus>>;

    /// Bytes of the disk that its contents take now; none where that cannot be told. May take as long as looking at every
    /// file of it.
    async fn usage(&self, id: &ExternalId, context: &Context) -> Result<Option<u64>> {
        let _ = (id, context);
        Ok(None)
    }

    /// Removes one with its contents. What is not there is fine, and so is one whose making or removal broke off; one that is
    /// mounted is a `conflict`.
    async fn delete(&self, id: &ExternalId, context: &Context) -> Result<()>;
}
