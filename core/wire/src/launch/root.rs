//! What a sandbox sees of files, and where what it writes is.

use serde::{Deserialize, Serialize};

/// What a sandbox sees as `/`, always under a copy-on-write layer of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RootFs {
    /// The machine's own programs, read-only (`/usr`, `/bin`, `/sbin`, `/lib*`, `/nix`), its `/etc` with accounts and
    /// names replaced, private and empty everything else, and nothing of anybody's files.
    Host,
    /// [`RootFs::Host`], with what sandboxes on it have written on top of that.
    HostLayers {
        /// The first on top; in each a directory `upper` for `/` and a directory `etc` for `/etc`.
        layers: Vec<Layer>,
    },
    /// The directory at this absolute path, which is never changed.
    Directory(#[serde(with = "serde_bytes")] Vec<u8>),
    /// Directories on top of each other, which are never changed.
    Layers {
        /// The first on top; at least one, at most [`MAX_LAYERS`](super::MAX_LAYERS), none of them twice.
        layers: Vec<Layer>,
    },
}

/// One read-only directory of [`RootFs::Layers`]. What it hides of those below it says with what overlayfs leaves in an
/// upper layer: character devices 0/0 for names, and `user.overlay.opaque` for whole directories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// An absolute path. Layers with the same parent directory and the same `id_mapped` cost one mount together; where
    /// that is not id-mapped, the sandbox's root must be able to search the parent.
    #[serde(with = "serde_bytes")]
    pub path: Vec<u8>,
    /// Whether its owners are ids of the sandbox, as in an image that root unpacked, and not ids of the host. Needs root.
    pub id_mapped: bool,
}

/// A host file or directory shown in the sandbox, always without set-user-id programs and devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BindMount {
    /// An existing absolute path on the host.
    #[serde(with = "serde_bytes")]
    pub source: Vec<u8>,
    /// What of the source is shown, relative; all of it when empty. It is found within the source and through no link, since
    /// what is in there may be a sandbox's.
    #[serde(with = "serde_bytes")]
    pub part: Vec<u8>,
    /// An absolute path in the sandbox, made when missing. Not `/`, no `..`, not in `/proc`, `/sys` or `/dev`.
    #[serde(with = "serde_bytes")]
    pub target: Vec<u8>,
    /// Whether the sandbox may change it.
    pub writable: bool,
}

/// A filesystem in memory, always without set-user-id programs and devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryMount {
    /// As [`BindMount::target`].
    #[serde(with = "serde_bytes")]
    pub target: Vec<u8>,
    /// Its bytes at most.
    pub size: u64,
    /// The permission bits of its root.
    pub mode: u32,
    /// Whether the sandbox may change it.
    pub writable: bool,
    /// How many of [`LaunchConfig::mounts`](super::LaunchConfig::mounts) come before it.
    pub after: u32,
}

/// Where a sandbox's copy-on-write layer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Disk {
    /// In the state directory, with no limit.
    #[default]
    Directory,
    /// In memory, in a tmpfs of this many bytes over the state directory, which only the sandbox sees. It does not outlive the
    /// sandbox.
    Memory(u64),
    /// On a mount that comes as a descriptor with the first byte of the config, and is put over the state directory where only
    /// the sandbox sees it. Needs root.
    Sent,
    /// In a directory [`DISK_NAME`](super::DISK_NAME) in the state directory, which the launcher puts into the project of this number and whose
    /// limit it takes away with the directory. Needs root.
    Project(u32),
}
