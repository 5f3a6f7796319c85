//! Snapshots, as a list of them shows them.

use super::Report;
use crate::cross::{record, words};
use std::collections::BTreeMap;
use std::time::SystemTime;

/// What a snapshot is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotState {
    /// It is being made.
    Building,
    /// Sandboxes can be made from it.
    Active,
    /// It has to be activated first.
    Inactive,
    /// Making it failed.
    Error,
    /// It is being removed.
    Deleting,
    /// It is gone.
    Deleted,
    /// Nobody can tell.
    Unknown,
}

words!(SnapshotState, isobox::SnapshotState {
    Building, Active, Inactive, Error, Deleting, Deleted, Unknown,
} else Unknown);

/// A snapshot of a sandbox's files.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: Option<String>,
    /// The provider that has it.
    pub provider: String,
    /// The sandbox that it was taken of.
    pub sandbox: Option<String>,
    /// What it is doing.
    pub state: SnapshotState,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its bytes.
    pub size: Option<u64>,
    /// Why making it failed.
    pub error: Option<Report>,
    /// When it was begun.
    pub created_at: SystemTime,
}

record!(Snapshot from isobox::SnapshotEntry { id, name, provider, sandbox, state, labels, size, error, created_at });

/// How a snapshot becomes an image.
#[derive(Clone, Debug, Default)]
pub struct ExportOptions {
    /// The provider that has it; the first isolating one that works here by default.
    pub provider: Option<String>,
    /// The name of the image, with a tag; none by default.
    pub reference: Option<String>,
    /// Pack its layers with gzip.
    pub compress: bool,
}

/// How an image becomes a snapshot.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The provider that takes it; the first isolating one that works here by default.
    pub provider: Option<String>,
    /// A name for the snapshot, unique for the provider.
    pub name: Option<String>,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// The name of the image, which an archive with several needs.
    pub image: Option<String>,
}

/// An image that was written.
#[derive(Clone, Debug)]
pub struct ExportedImage {
    /// The digest of its configuration, by which Docker knows it.
    pub id: String,
    /// The digest of its manifest.
    pub digest: String,
    /// Its name, whole.
    pub reference: Option<String>,
    /// The digests of its layers, uncompressed, the first at the bottom.
    pub layers: Vec<String>,
    /// Bytes of the archive.
    pub size: u64,
}

record!(ExportedImage from isobox::ExportedImage { id, digest, reference, layers, size });

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::Words;

    #[test]
    fn every_word_has_its_variant() {
        assert!(SnapshotState::lost().is_empty());
    }
}
