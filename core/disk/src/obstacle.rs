//! Why a disk cannot be limited here, and what went wrong with one that is.

use std::io;
use std::path::PathBuf;

/// Why a way to limit a disk cannot be used. The text says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Obstacle {
    /// tmpfs has no `user.*` attributes, which the upper layer of an overlay in a user namespace needs.
    #[error("a layer in memory needs linux 6.6 or newer")]
    OldTmpfs,
    /// Only root of the machine may mount a disk, or set a quota.
    #[error("{0} needs root of the machine with CAP_SYS_ADMIN: run as root and not in a container without that right")]
    NotRoot(&'static str),
    /// There is no `/dev/loop-control`.
    #[error("there is no /dev/loop-control: load the module `loop`, or give the container its loop devices")]
    NoLoop,
    /// The program that makes an ext4 is missing.
    #[error("there is no mkfs.ext4: install e2fsprogs")]
    NoMaker,
    /// The kernel cannot mount an ext4.
    #[error("the kernel has no ext4: load the module `ext4`")]
    NoExt4,
    /// The filesystem has no project quota that is enforced.
    #[error(
        "the filesystem of {} has no project quota: mount it with `prjquota` (on ext4 after `tune2fs -O project,quota`), \
         or set ISOBOX_HOME to a directory on one that has",
        .0.display()
    )]
    NoQuota(PathBuf),
    /// The kernel does not have the call.
    #[error("quotas by directory need linux 5.14 or newer (quotactl_fd)")]
    NoQuotaCall,
}

/// Why the disk of a sandbox cannot be as it is wanted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// This machine cannot.
    #[error("{0}")]
    Obstacle(#[from] Obstacle),
    /// Less than an image can be made of.
    #[error("is too little for a disk image, give at least {} MiB", crate::LEAST >> 20)]
    TooSmall,
    /// More is in use than the new limit allows.
    #[error("is less than what is in use, remove something in the sandbox or give more")]
    InUse,
    /// mkfs.ext4 has failed.
    #[error("mkfs.ext4 failed: {0}")]
    Maker(String),
    /// A system call has failed.
    #[error("cannot {action}: {source}")]
    System {
        /// What was to be done.
        action: &'static str,
        /// Why it was not.
        source: io::Error,
    },
}

/// Says what was to be done when it fails.
pub(crate) trait To<T> {
    fn to(self, action: &'static str) -> Result<T, Error>;
}

impl<T, E: Into<io::Error>> To<T> for Result<T, E> {
    fn to(self, action: &'static str) -> Result<T, Error> {
        self.map_err(|source| Error::System { action, source: source.into() })
    }
}
