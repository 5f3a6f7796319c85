//! Images that a provider has at hand.

use crate::error::Result;
use crate::provider::Context;
use crate::spec::ImageSource;
use crate::time::Timestamp;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The images of a provider. There exactly when `images.pull` is.
#[async_trait]
pub trait Images: Send + Sync {
    /// Fetches an image, with progress events; several calls for one image share one fetch. `image_not_found` when the
    /// registry does not know it, `image_pull_failed` when it does.
    async fn ensure(&self, image: &ImageSource, context: &Context) -> Result<ImageInfo>;

    /// What is at hand. Needs `images.manage`.
    async fn list(&self) -> Result<Vec<ImageInfo>>;

    /// Removes an image that no sandbox uses. What is not there is fine. Needs `images.manage`.
    async fn remove(&self, reference: &str, context: &Context) -> Result<()>;

    /// Takes an archive as `docker save` and OCI tools write it. Needs `images.load`.
    async fn load(&self, archive: &Path, context: &Context) -> Result<Vec<ImageInfo>>;
}

/// An image at hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageInfo {
    /// The reference asked for.
    pub reference: String,
    /// The digest of its manifest, `sha256:...`.
    pub digest: Option<String>,
    /// The platform.
    pub platform: Option<String>,
    /// Its bytes on this machine.
    pub size: Option<u64>,
    /// When it came.
    pub fetched_at: Option<Timestamp>,
}
