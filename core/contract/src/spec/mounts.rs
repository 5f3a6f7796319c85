//! What is put into a sandbox's filesystem from outside.

use crate::ids::ExternalId;
use crate::path::SandboxPath;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// One mount.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mount {
    /// Where, absolute.
    pub target: SandboxPath,
    /// What.
    pub source: MountSource,
    /// Whether nothing can be written.
    #[serde(default)]
    pub read_only: bool,
}

/// What is mounted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum MountSource {
    /// A directory or file of this machine. Files that the sandbox makes in it belong to the caller.
    Bind {
        /// Which, absolute.
        path: PathBuf,
    },
    /// A memory filesystem.
    Tmpfs {
        /// Its bytes at most; the provider's default when left out.
        #[serde(default)]
        size: Option<u64>,
        /// Its permission bits; 1777 when left out.
        #[serde(default)]
        mode: Option<u32>,
    },
}

/// A volume in a sandbox, mounted when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeMount {
    /// The backend's id of the volume.
    pub volume: ExternalId,
    /// Where, absolute.
    pub target: SandboxPath,
    /// Which part of it, relative.
    #[serde(default)]
    pub subpath: Option<SandboxPath>,
    /// Whether nothing can be written.
    #[serde(default)]
    pub read_only: bool,
}
