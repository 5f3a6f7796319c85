//! Looking at another process: at its lock, and in `/proc`.

use super::identity::state_and_start;
use crate::record::ProcessIdentity;
use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::process::{Flock, FlockType};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// What is known about a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LockState {
    /// The process has it.
    Held,
    /// Only a process that was forked off it has it.
    Inherited,
    /// Nobody has it.
    Free,
    /// The file that was locked is not there or cannot be looked at.
    Missing,
}

/// Looks at a lock without taking anything away from whoever has it. Not for this process's own: closing the file would
/// give that up.
pub(super) fn lock(path: &Path, inode: u64) -> LockState {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let Ok(file) = rustix::fs::open(path, flags, Mode::empty()) else { return LockState::Missing };
    if !rustix::fs::fstat(&file).is_ok_and(|stat| stat.st_ino == inode) {
        return LockState::Missing;
    }
    match rustix::process::fcntl_getlk(&file, &Flock::from(FlockType::WriteLock)) {
        Ok(Some(_)) => return LockState::Held,
        Ok(None) => {}
        Err(_) => return LockState::Missing,
    }
    // Shared, so that two who look do not see each other; given up when the file is closed.
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockShared) {
        Ok(()) => LockState::Free,
        Err(rustix::io::Errno::WOULDBLOCK) => LockState::Inherited,
        Err(_) => LockState::Missing,
    }
}

/// Whether nobody has a lock of a file, not even a child of whoever made it. Then it is removed, while it is locked here, if it
/// is to be.
pub(super) fn is_abandoned(path: &Path, remove: bool) -> bool {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let Ok(file) = rustix::fs::open(path, flags, Mode::empty()) else { return false };
    // Taken first: from then on nobody can begin to own it.
    let free = rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok()
        && matches!(rustix::process::fcntl_getlk(&file, &Flock::from(FlockType::WriteLock)), Ok(None));
    free && (!remove || fs::remove_file(path).is_ok())
}

/// Whether there is a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// There is.
    There,
    /// There is none, or another with its number.
    Gone,
    /// It cannot be told.
    Unknown,
}

/// Whether a process of this pid namespace is there.
pub(super) fn presence(process: &ProcessIdentity) -> Presence {
    // `/proc` may be that of another namespace, with other numbers.
    let own = fs::read_link("/proc/self").ok().and_then(|link| link.to_str()?.parse().ok());
    if own != Some(std::process::id()) {
        return Presence::Unknown;
    }
    match fs::read(format!("/proc/{}/stat", process.pid)) {
        Ok(stat) => match state_and_start(&String::from_utf8_lossy(&stat)) {
            // Dead, and its parent does not know yet. With threads that live on it would have its lock.
            Some(('Z' | 'X', _)) => Presence::Gone,
            Some((_, started)) if started == process.started => Presence::There,
            Some(_) => Presence::Gone,
            None => Presence::Unknown,
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Presence::Gone,
        // It ended while its file was read.
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => Presence::Gone,
        Err(_) => Presence::Unknown,
    }
}
