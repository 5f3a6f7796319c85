//! Taking away what is left of a sandbox on the disk.

use crate::record::LocalRecord;
use isobox_contract::{Error, ErrorCode, Result};
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::path::Path;

/// Takes away what is left of a sandbox on the disk, which is nothing but after a stop or when its keeper was killed.
pub(crate) fn clear(record: &LocalRecord) -> Result<()> {
    let removed = remove(&record.state_dir);
    if let Some(disk) = record.disk {
        disk.end(&record.state_dir);
    }
    removed
}

/// Takes away what a keeper left that was killed before it could clean up. Nothing is there otherwise.
pub(crate) fn remove(state_dir: &Path) -> Result<()> {
    remove_directory(state_dir, "the sandbox's directory")
}

/// Removes a directory of the caller's in which sandboxes have written, also as users that only they have. `what` it is, for
/// the error. Links are removed and never followed. One that is not there is fine.
///
/// # Errors
/// `incomplete` when something is left.
pub fn remove_directory(directory: &Path, what: &str) -> Result<()> {
    let (Some(parent), Some(name)) = (directory.parent(), directory.file_name()) else { return Ok(()) };
    if directory.symlink_metadata().is_err() {
        return Ok(());
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let open = openat(CWD, parent, flags, Mode::empty());
    let parent =
        open.map_err(|errno| Error::io(format!("cannot open the directory that {what} is in"), errno.into()))?;
    let removed = isobox_tree::remove(std::os::fd::AsFd::as_fd(&parent), std::os::unix::ffi::OsStrExt::as_bytes(name));
    // What belongs to the sandbox's other users is closed to this one.
    let removed = removed
        .or_else(|error| crate::foreign::remove(directory).map_err(|other| format!("{error}; {}", other.message())));
    removed.map_err(|error| Error::new(ErrorCode::Incomplete, format!("{what} is left over: {error}")))
}
