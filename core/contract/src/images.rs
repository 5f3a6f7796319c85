//! Images that a provider has at hand.

use crate::capability::Capability;
use crate::error::{Error, Result};
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

    /// Everything that is known of an image at hand, by a name of it or its id. `image_not_found` when it is not there.
    /// Needs `images.manage`.
    async fn inspect(&self, reference: &str) -> Result<ImageDetails> {
        let _ = reference;
        Err(Error::unsupported(Capability::ImagesManage))
    }

    /// Removes images that no sandbox uses, the least recently used first, until all together have at most `budget` bytes.
    /// Needs `images.manage`.
    async fn prune(&self, budget: u64, context: &Context) -> Result<PrunedImages> {
        let _ = (budget, context);
        Err(Error::unsupported(Capability::ImagesManage))
    }

    /// How much the images take. Needs `images.manage`.
    async fn usage(&self) -> Result<ImageUsage> {
        Err(Error::unsupported(Capability::ImagesManage))
    }
}

/// Everything that is known of an image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImageDetails {
    /// The digest of its config, `sha256:...`, by which engines know it.
    pub id: String,
    /// Its names.
    pub references: Vec<String>,
    /// The digests of its manifests, where they are known.
    pub digests: Vec<String>,
    /// The platform.
    pub platform: String,
    /// When it was made, if it says so.
    pub created_at: Option<Timestamp>,
    /// When it came.
    pub fetched_at: Timestamp,
    /// Its bytes on this machine.
    pub size: u64,
    /// Its layers, the first at the bottom.
    pub layers: Vec<ImageLayer>,
    /// Its config, as it came.
    pub config: serde_json::Value,
}

/// A layer of an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageLayer {
    /// The digest of its tar stream, uncompressed.
    pub digest: String,
    /// Its bytes on this machine.
    pub size: u64,
}

/// What a prune removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrunedImages {
    /// The ids of the images.
    pub images: Vec<String>,
    /// Bytes that are free now.
    pub freed: u64,
    /// Bytes of what is left.
    pub left: u64,
}

/// How much the images take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageUsage {
    /// Images.
    pub images: u64,
    /// Layers, shared ones counted once.
    pub layers: u64,
    /// Bytes.
    pub size: u64,
    /// Bytes of images that sandboxes use now.
    pub in_use: u64,
}

/// The image that a sandbox was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxImage {
    /// The whole name by which it was asked for; of an archive its name there, or its id when it has none.
    pub reference: String,
    /// The digest of its config, `sha256:...`, by which engines know it.
    pub id: String,
    /// The digest of its manifest in the registry that the reference names, where it came from one.
    pub digest: Option<String>,
    /// The program that it wants to be run, with its first arguments; empty when it names none.
    #[serde(default)]
    pub entrypoint: Vec<String>,
    /// What follows when nothing else is said; the program itself where there is no entrypoint.
    #[serde(default)]
    pub command: Vec<String>,
}

impl SandboxImage {
    /// What `docker run` would execute: the entrypoint with these arguments, or with the image's own when there are none.
    /// Empty when neither the image nor the caller names a program.
    ///
    /// ```
    /// use isobox_contract::SandboxImage;
    /// let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    /// let (entrypoint, command) = (words(&["/init", "--"]), words(&["serve"]));
    /// let image = SandboxImage { reference: "a".into(), id: "b".into(), digest: None, entrypoint, command };
    /// assert_eq!(image.argv([]), [b"/init".to_vec(), b"--".to_vec(), b"serve".to_vec()]);
    /// assert_eq!(image.argv([b"sh".to_vec()]), [b"/init".to_vec(), b"--".to_vec(), b"sh".to_vec()]);
    /// ```
    pub fn argv(&self, arguments: impl IntoIterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
        let bytes = |words: &[String]| words.iter().map(|word| word.clone().into_bytes()).collect::<Vec<_>>();
        let mut rest: Vec<_> = arguments.into_iter().collect();
        if rest.is_empty() {
            rest = bytes(&self.command);
        }
        [bytes(&self.entrypoint), rest].concat()
    }

    /// A reference that stands for exactly this image: pinned to its digest, or else its id.
    ///
    /// ```
    /// use isobox_contract::SandboxImage;
    /// let (reference, id) = ("a.example/b:1".to_owned(), "sha256:1d".to_owned());
    /// let mut image = SandboxImage { reference, id, digest: None, entrypoint: vec![], command: vec![] };
    /// assert_eq!(image.pinned(), "sha256:1d");
    /// image.digest = Some("sha256:d1".into());
    /// assert_eq!(image.pinned(), "a.example/b:1@sha256:d1");
    /// ```
    pub fn pinned(&self) -> String {
        match &self.digest {
            Some(_) if self.reference.contains('@') => self.reference.clone(),
            Some(digest) => format!("{}@{digest}", self.reference),
            None => self.id.clone(),
        }
    }
}

/// An image at hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageInfo {
    /// The reference asked for; its id when it has no name.
    pub reference: String,
    /// The digest of its config, `sha256:...`, by which engines know it.
    #[serde(default)]
    pub id: Option<String>,
    /// The digest of its manifest, `sha256:...`. There is none where the image came without, as from `docker save`.
    pub digest: Option<String>,
    /// The platform.
    pub platform: Option<String>,
    /// Its bytes on this machine.
    pub size: Option<u64>,
    /// When it came.
    pub fetched_at: Option<Timestamp>,
}
