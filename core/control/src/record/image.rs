//! Images as the store knows them.

use crate::clock::whole_micros;
use isobox_contract::{OperationId, OwnerId, ProviderKind, Timestamp};

/// A name of an image at hand, or an image without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageEntry {
    /// The kind of provider that has it.
    pub provider: ProviderKind,
    /// Its name; its id when it has none.
    pub reference: String,
    /// The digest of its config, by which engines know it.
    pub id: Option<String>,
    /// The digest of its manifest, where it came with one.
    pub digest: Option<String>,
    /// The platform.
    pub platform: Option<String>,
    /// Its bytes.
    pub size: Option<u64>,
    /// When it came.
    pub fetched_at: Option<Timestamp>,
    /// When a sandbox was last made from it; never when absent.
    pub used_at: Option<Timestamp>,
}

/// The images of one provider, as they are written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageList {
    /// Counts how often they were written down.
    pub revision: u64,
    /// The images, by their names and platforms.
    pub images: Vec<ImageEntry>,
}

impl ImageList {
    /// The images of a provider as the store keeps them: sorted, each once, and with times in whole microseconds.
    pub fn new(revision: u64, mut images: Vec<ImageEntry>) -> Self {
        for image in &mut images {
            image.fetched_at = image.fetched_at.map(whole_micros);
        }
        let key = |image: &ImageEntry| (image.reference.clone(), image.platform.clone(), image.id.clone());
        images.sort_by_key(key);
        images.dedup_by_key(|image| (image.reference.clone(), image.id.clone()));
        Self { revision, images }
    }
}

/// A change of a provider's images that was begun, and of which it is not written down what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageChange {
    /// The operation that changes them.
    pub operation: OperationId,
    /// Whose images.
    pub provider: ProviderKind,
    /// The process that does it.
    pub owner: Option<OwnerId>,
}
