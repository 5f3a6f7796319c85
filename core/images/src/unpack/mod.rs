//! One layer, from a stream to a directory that an overlay takes as a lower layer with `userxattr`.
//!
//! ```text
//!   bytes ─▶ decompress ─▶ limit, hash ─▶ entries ─▶ names checked ─▶ made below the layer's directory
//!            └──── a thread of its own ───┘                            └─▶ at the end: late links, directories' modes
//! ```
//!
//! What it promises about hostile layers:
//! - Nothing outside of the layer's directory is touched: parents are resolved by the kernel within it (`RESOLVE_IN_ROOT`),
//!   last names are never followed, and `..` is refused.
//! - What would be bookkeeping of the overlay (`user.overlay.*`, devices 0/0) cannot be smuggled in.
//! - The result does not depend on the order of entries, as far as the specification leaves it open: whiteouts are about
//!   the layers below only, and a hard link may come before what it links to.
//!
//! A device is made into a whiteout: a sandbox has no use for one, and nothing else should show through.

mod entry;
mod metadata;
mod name;
mod owners;
mod place;

use crate::decompress::decompress;
use crate::digest::{Digest, Hashed};
use crate::limits::{Bounded, Cancel, Limits};
use crate::pipe;
use crate::problem::Outcome;
use crate::tar::Entries;
use entry::Unpacker;
use isobox_contract::Result;
pub(crate) use owners::Giver;
pub use owners::{Owned, OwnerList};
use rustix::fd::OwnedFd;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// Whom the files of a layer belong to on disk.
#[derive(Clone, Debug)]
pub enum Owners {
    /// The ids that the image says, below 65536. Needs root.
    Kept,
    /// Everything belongs to the caller, who is the only user of the sandbox.
    Caller,
    /// What the sandbox's root has belongs to the caller, the rest to further ids of the caller's.
    Range(Arc<dyn Range>),
}

impl Owners {
    /// Whether the ids on disk are those that the image says.
    pub fn are_kept(&self) -> bool {
        matches!(self, Self::Kept)
    }
}

/// Further ids of a caller who is not root, and cannot give files to them, or take them away, without help.
pub trait Range: fmt::Debug + Send + Sync {
    /// Tells these ids from others, in letters and digits. Layers for different ones are kept apart.
    fn name(&self) -> String;

    /// Gives what is in a directory to its owners, in this order. What they name is hostile: nothing outside of the
    /// directory may change.
    ///
    /// # Errors
    /// When something cannot be given; then some may have been.
    fn give(&self, directory: &Path, owners: &mut OwnerList) -> Result<()>;

    /// Removes a directory of the caller's with everything in it.
    ///
    /// # Errors
    /// When something is left.
    fn remove(&self, directory: &Path) -> Result<()>;
}

/// How many ids a sandbox has, and so an image may use.
pub(crate) const IDS: u32 = 65_536;

/// What is known of a layer once it is unpacked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unpacked {
    /// Bytes of file contents, holes not counted.
    pub(crate) bytes: u64,
    pub(crate) entries: u64,
    /// Whether it hides all layers below it.
    pub(crate) opaque: bool,
}

/// Unpacks a layer into an empty directory, and fails unless the tar stream has the digest.
pub(crate) fn unpack(
    stream: impl Read + Send,
    diff_id: &Digest,
    into: OwnedFd,
    owners: &mut Giver<'_>,
    limits: &Limits,
    cancel: &Cancel,
) -> Outcome<Unpacked> {
    let plain = Bounded::new(decompress(stream)?, limits.bytes, cancel);
    let hashed = Hashed::new(plain, diff_id.hasher());
    let (source, unpacked) = pipe::ahead(hashed, |stream| {
        let mut entries = Entries::new(stream);
        let mut unpacker = Unpacker::new(into, owners, limits)?;
        while let Some(entry) = entries.next()? {
            unpacker.put(&entry, &mut entries)?;
        }
        entries.finish()?;
        unpacker.finish()
    });
    let unpacked = unpacked?;
    cancel.check()?;
    let found = source.expect("a stream that ended well comes back").finish();
    diff_id.compare("a layer", &found)?;
    Ok(unpacked)
}
