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
    /// The backend's id of the volume. Where the library keeps the books, its name is as good.
    pub volume: ExternalId,
    /// Where, absolute.
    pub target: SandboxPath,
    /// Which part of it, relative: a directory or a file that is there, and to which no link leads.
    #[serde(default)]
    pub subpath: Option<SandboxPath>,
    /// Whether nothing can be written.
    #[serde(default)]
    pub read_only: bool,
}

impl VolumeMount {
    /// The whole of a volume, to be written to.
    pub fn new(volume: ExternalId, target: impl Into<SandboxPath>) -> Self {
        Self { volume, target: target.into(), subpath: None, read_only: false }
    }

    /// Mounts a part of it, relative, in the place of the whole.
    pub fn subpath(self, part: impl Into<SandboxPath>) -> Self {
        Self { subpath: Some(part.into()), ..self }
    }

    /// Lets nobody in the sandbox write to it.
    pub fn read_only(self) -> Self {
        Self { read_only: true, ..self }
    }
}
