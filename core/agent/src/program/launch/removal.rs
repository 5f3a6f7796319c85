//! Removes what a sandbox with several ids left whose keeper was killed, or a layer of an image. Nobody but root of a
//! namespace with the same ids can: files and closed directories of the sandbox's users belong to none of the caller's own.

use super::connection::Connection;
use super::failure::{At, Outcome, refused};
use super::ranges;
use isobox_wire::launch::{LaunchFailure, LaunchStep};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Removes a directory.
pub(crate) fn remove(_connection: &Connection, namespace: &OwnedFd, path: &[u8]) -> Outcome {
    let failed =
        |message: String| -> LaunchFailure { refused(LaunchStep::StateDirectory, message, "remove it as root") };
    let path = Path::new(OsStr::from_bytes(path));
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(failed("there is no name to remove".to_owned()));
    };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let parent = openat(CWD, parent, flags, Mode::empty());
    let parent = parent.at(LaunchStep::StateDirectory, || "cannot open the directory that it is in".into())?;
    ranges::enter(namespace.as_fd());
    isobox_tree::remove(parent.as_fd(), name.as_bytes()).map_err(|error| failed(error.to_string()))
}
