//! The images that a provider has.

use super::{PullPolicy, RegistryAuth, Result};
use crate::cross::{Cross, record};
use crate::held::Held;
use crate::{LocalPath, Size};
use isobox::ImageSource;
use std::time::SystemTime;

/// An image.
#[derive(Clone, Debug)]
pub struct ImageInfo {
    /// Its name.
    pub reference: String,
    /// Its id.
    pub id: Option<String>,
    /// Its digest.
    pub digest: Option<String>,
    /// Its platform.
    pub platform: Option<String>,
    /// Its bytes.
    pub size: Option<u64>,
    /// When it was fetched.
    pub fetched_at: Option<SystemTime>,
}

record!(ImageInfo from isobox::ImageInfo { reference, id, digest, platform, size, fetched_at });

/// What was removed, and what is left.
#[derive(Clone, Debug)]
pub struct PrunedImages {
    /// The names of the images that are gone.
    pub images: Vec<String>,
    /// Bytes that are free now.
    pub freed: u64,
    /// Bytes that are left.
    pub left: u64,
}

record!(PrunedImages from isobox::PrunedImages { images, freed, left });

/// How an image is fetched.
#[derive(Clone, Default)]
pub struct PullOptions {
    /// When it is fetched; when it is missing by default.
    pub pull: Option<PullPolicy>,
    /// Its platform, such as `linux/arm64`; this machine's by default.
    pub platform: Option<String>,
    /// The credential for its registry.
    pub auth: Option<RegistryAuth>,
}

/// The images of one provider.
#[derive(Clone)]
pub struct Images {
    images: Held<isobox::Images>,
}

impl Images {
    pub(super) fn new(images: isobox::Images) -> Self {
        Self { images: Held::new(images) }
    }

    /// Fetches an image.
    pub async fn pull(&self, reference: String, options: PullOptions) -> Result<ImageInfo> {
        let PullOptions { pull, platform, auth } = options;
        let pull = pull.map(Cross::cross).unwrap_or_default();
        let source = ImageSource { reference, pull, platform, auth: auth.map(Cross::cross) };
        Ok(self.images.get()?.pull(source).await?.cross())
    }

    /// Takes the images of an archive or layout folder of this machine.
    pub async fn load(&self, archive: LocalPath) -> Result<Vec<ImageInfo>> {
        Ok(self.images.get()?.load(archive.0).await?.cross())
    }

    /// All of them.
    pub async fn all(&self) -> Result<Vec<ImageInfo>> {
        Ok(self.images.get()?.list().await?.cross())
    }

    /// Removes one, by its name. One that a sandbox uses is refused.
    pub async fn remove(&self, name: String) -> Result<()> {
        Ok(self.images.get()?.remove(&name).await?)
    }

    /// Removes what no sandbox uses, the longest unused first, until the rest takes no more than the budget.
    pub async fn prune(&self, budget: Size) -> Result<PrunedImages> {
        Ok(self.images.get()?.prune(budget.bytes("budget")?).await?.cross())
    }
}
