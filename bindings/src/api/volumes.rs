//! Volumes: directories with a life of their own.

use crate::Size;
use crate::cross::{record, words};
use std::collections::BTreeMap;
use std::time::SystemTime;

/// What a volume is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VolumeState {
    /// It is being made.
    Creating,
    /// It can be mounted.
    Ready,
    /// It is being removed.
    Deleting,
    /// It is gone.
    Deleted,
    /// Something failed.
    Error,
    /// Nobody can tell.
    Unknown,
}

words!(VolumeState, isobox::VolumeState { Creating, Ready, Deleting, Deleted, Error, Unknown } else Unknown);

/// A directory with a life of its own, which any number of sandboxes share.
#[derive(Clone, Debug)]
pub struct Volume {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The provider that has it.
    pub provider: String,
    /// What it is doing.
    pub state: VolumeState,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its bytes at most, where it has a limit.
    pub size: Option<u64>,
    /// When it was begun.
    pub created_at: SystemTime,
    /// How many sandboxes have it.
    pub attached: u64,
}

record!(Volume from isobox::VolumeEntry { id, name, provider, state, labels, size, created_at, attached });

/// What volume to make.
#[derive(Clone, Debug, Default)]
pub struct VolumeOptions {
    /// Its size at most; no limit by default.
    pub size: Option<Size>,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// The provider that makes it; the first isolating one that works here by default.
    pub provider: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::Words;

    #[test]
    fn every_word_has_its_variant() {
        assert!(VolumeState::lost().is_empty());
    }
}
