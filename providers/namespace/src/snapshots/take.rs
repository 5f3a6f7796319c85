//! Copying what a sandbox has written into a layer of its own.
//!
//! The copy reads the upper layer's files themselves, through the same page cache that the sandbox writes to: overlayfs
//! hands reads, writes and memory maps on to the file in the upper layer. So what a stopped program has written is seen,
//! whether or not it has reached the disk; nothing has to be synced first.

use super::origin::{Origin, Root};
use super::store::{NewLayer, Store};
use isobox_contract::{Error, ErrorCode, Result, SandboxId};
use isobox_local::while_still;
use isobox_tree::{LayerOptions, copy_layer};
use rustix::fs::{Mode, OFlags, mkdirat, openat};
use rustix::io::Errno;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The part of a layer for `/`, by the name that it has in a sandbox's directory too.
pub(crate) const UPPER: &str = "upper";
/// The same for `/etc`, of a sandbox on the machine's own programs.
const ETC: &str = "etc";
/// So many snapshots may stand on each other: each is one more directory to look into for every name.
pub(crate) const DEEPEST: usize = 120;

/// A copy that nobody has named yet.
pub(crate) struct Taken {
    pub(crate) layer: NewLayer,
    pub(crate) origin: Origin,
    /// The layers that a sandbox like the original stands on, with the new one on top.
    pub(crate) root: Root,
    pub(crate) bytes: u64,
}

/// Copies the files of a sandbox, which stands still meanwhile.
///
/// # Errors
/// `out_of_disk`, `limit_exceeded` for too many snapshots on each other, `not_found`.
pub(crate) async fn take(store: &Store, id: &SandboxId) -> Result<Taken> {
    let store = store.clone();
    let state_dir = store.sandbox(id);
    let sandbox = *id;
    while_still(&state_dir, id, move |state_dir, cancelled| copy(&store, &sandbox, state_dir, cancelled)).await
}

fn copy(store: &Store, id: &SandboxId, state_dir: &Path, cancelled: &AtomicBool) -> Result<Taken> {
    let origin = Origin::read(state_dir, id)?;
    if origin.root.own.len() >= DEEPEST {
        return Err(Error::limit_exceeded("snapshots on top of each other", DEEPEST as u64));
    }
    let shifts = origin.shifts()?;
    let [users, groups] = &shifts;
    let options = LayerOptions { users, groups, cancelled };
    let layer = store.begin()?;
    let from = isobox_local::layers(state_dir)?;
    let mut bytes = 0;
    for part in [UPPER, ETC] {
        if part == ETC && !origin.root.host {
            continue;
        }
        let prepared = || {
            mkdirat(layer.directory(), part, Mode::RWXU)?;
            Ok((open(&from, part.as_bytes())?, open(layer.directory(), part.as_bytes())?))
        };
        let (original, copy) = prepared().map_err(|errno: Errno| failed(errno.into()))?;
        let report = copy_layer(original.as_fd(), copy.as_fd(), &options).map_err(explain)?;
        bytes += report.bytes;
    }
    store.keep_config(&origin, &layer)?;
    let mut root = origin.root.clone();
    root.own.insert(0, layer.name.clone());
    Ok(Taken { layer, origin, root, bytes })
}

fn open(at: impl AsFd, name: &[u8]) -> rustix::io::Result<OwnedFd> {
    openat(at, name, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
}

fn failed(error: std::io::Error) -> Error {
    if error
        .raw_os_error()
        .map(Errno::from_raw_os_error)
        .is_some_and(|errno| matches!(errno, Errno::NOSPC | Errno::DQUOT))
    {
        let message =
            "there is no room for a copy of the sandbox's files, free some space or set ISOBOX_HOME to another disk";
        return Error::new(ErrorCode::OutOfDisk, message).with_source(error);
    }
    Error::io("cannot copy the sandbox's files", error)
}

fn explain(error: isobox_tree::Error) -> Error {
    match error.raw_os_error() {
        Some(number) if Errno::from_raw_os_error(number) == Errno::INTR => Error::cancelled("snapshot"),
        Some(number) => failed(std::io::Error::from_raw_os_error(number)),
        None => Error::new(ErrorCode::Io, format!("cannot copy the sandbox's files: {error}")),
    }
}
