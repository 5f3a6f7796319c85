//! Mounts, as they are written in a call.

use crate::local;
use isobox_contract::{MountSource, SandboxPath};
use std::path::Path;

/// Something of this machine in a sandbox's filesystem.
///
/// ```
/// use isobox::Mount;
/// let sources = Mount::bind("/usr/share", "/mnt/share").read_only();
/// let scratch = Mount::tmpfs("/scratch").size(64 << 20);
/// # assert!(isobox::contract::Mount::from(sources).read_only);
/// # assert!(!isobox::contract::Mount::from(scratch).read_only);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount(isobox_contract::Mount);

impl Mount {
    /// A directory or file of this machine; a relative path starts at this process's working directory. Files that the
    /// sandbox makes in it belong to the caller.
    pub fn bind(source: impl AsRef<Path>, target: impl Into<SandboxPath>) -> Self {
        Self::new(MountSource::Bind { path: local::absolute(source.as_ref()) }, target)
    }

    /// A memory filesystem.
    pub fn tmpfs(target: impl Into<SandboxPath>) -> Self {
        Self::new(MountSource::Tmpfs { size: None, mode: None }, target)
    }

    fn new(source: MountSource, target: impl Into<SandboxPath>) -> Self {
        Self(isobox_contract::Mount { target: target.into(), source, read_only: false })
    }

    /// Lets nobody in the sandbox write to it.
    pub fn read_only(mut self) -> Self {
        self.0.read_only = true;
        self
    }

    /// Sets the most bytes of a memory filesystem. Means nothing for another mount.
    pub fn size(mut self, bytes: u64) -> Self {
        if let MountSource::Tmpfs { size, .. } = &mut self.0.source {
            *size = Some(bytes);
        }
        self
    }

    /// Sets the permission bits of the root of a memory filesystem. Means nothing for another mount.
    pub fn mode(mut self, bits: u32) -> Self {
        if let MountSource::Tmpfs { mode, .. } = &mut self.0.source {
            *mode = Some(bits);
        }
        self
    }
}

impl From<Mount> for isobox_contract::Mount {
    fn from(mount: Mount) -> Self {
        mount.0
    }
}
