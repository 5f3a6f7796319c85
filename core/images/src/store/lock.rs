//! Locks between processes and threads alike: flock(2) on files of the store, which the kernel lets go with their holder.
//!
//! ```text
//!   archive-XX, pull-XX   one import at a time of one archive or reference
//!     └─ layer-XX         one unpacking at a time of one layer
//!          └─ store       shared: to begin a use, to write down an image; exclusive: to choose what is removed
//! ```
//!
//! Whoever holds one takes only those below it, so nobody waits in a circle. There are 256 of each of the first kinds,
//! shared by all that begin with the same byte: their number is bounded, and a needless wait is rare.

use super::Store;
use crate::digest::Digest;
use crate::problem::{Outcome, Problem};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    fn take(path: &Path, operation: FlockOperation) -> Outcome<Option<Self>> {
        let opened = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
        let file = opened.map_err(|error| Problem::io("open a lock of the images", error))?;
        loop {
            match flock(&file, operation) {
                Ok(()) => return Ok(Some(Self { _file: file })),
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) => return Ok(None),
                Err(errno) => return Err(Problem::io("lock the images", errno)),
            }
        }
    }
}

impl Store {
    /// Waits until nobody else works on what a digest names.
    pub(crate) fn lock_one(&self, kind: &str, what: &Digest) -> Outcome<Lock> {
        let path = self.stripe(kind, what);
        Ok(Lock::take(&path, FlockOperation::LockExclusive)?.expect("waiting ends with a lock"))
    }

    /// The same without waiting.
    pub(super) fn try_lock_one(&self, kind: &str, what: &Digest) -> Outcome<Option<Lock>> {
        Lock::take(&self.stripe(kind, what), FlockOperation::NonBlockingLockExclusive)
    }

    fn stripe(&self, kind: &str, what: &Digest) -> std::path::PathBuf {
        self.folder("locks").join(format!("{kind}-{}", &what.hex()[..2]))
    }

    /// Keeps others from choosing what is removed. Held for moments.
    pub(super) fn share(&self) -> Outcome<Lock> {
        let path = self.folder("locks").join("store");
        Ok(Lock::take(&path, FlockOperation::LockShared)?.expect("waiting ends with a lock"))
    }

    /// Keeps others from beginning a use or writing down an image. Held for moments.
    pub(super) fn exclude(&self) -> Outcome<Lock> {
        let path = self.folder("locks").join("store");
        Ok(Lock::take(&path, FlockOperation::LockExclusive)?.expect("waiting ends with a lock"))
    }

    /// Says that an import is under way, whose layers belong to no image yet.
    pub(crate) fn importing(&self) -> Outcome<Lock> {
        let path = self.folder("locks").join("imports");
        Ok(Lock::take(&path, FlockOperation::LockShared)?.expect("waiting ends with a lock"))
    }

    /// Makes sure that no import is under way, while it is held.
    pub(super) fn try_no_imports(&self) -> Outcome<Option<Lock>> {
        Lock::take(&self.folder("locks").join("imports"), FlockOperation::NonBlockingLockExclusive)
    }
}
