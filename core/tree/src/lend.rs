//! Reading what its owner, who is the caller, took the right to read away from: it is given for the moment of reading.

use crate::sys;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{Mode, OFlags, RawDir, Stat};
use rustix::io::{Errno, Result, retry_on_intr};

/// Makes sure that the owner of an open directory can read and enter it; answers the mode to give back. Root can anyway.
pub(crate) fn lend(folder: BorrowedFd<'_>, stat: &Stat) -> Result<Option<Mode>> {
    let mode = mode_of(stat);
    if mode.contains(Mode::RUSR | Mode::XUSR) || rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    rustix::fs::fchmod(folder, mode | Mode::RWXU)?;
    Ok(Some(mode))
}

/// Opens a directory by one name, and answers the mode to give back.
pub(crate) fn open_directory(at: BorrowedFd<'_>, name: &[u8]) -> Result<(OwnedFd, Option<Mode>)> {
    match sys::open_folder(at, name) {
        Err(Errno::ACCESS) => {
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let closed = rustix::fs::openat(at, name, flags, Mode::empty())?;
            let mode = mode_of(&rustix::fs::fstat(&closed)?);
            // What belongs to somebody else stays as it is.
            sys::chmod_opened(closed.as_fd(), mode | Mode::RWXU).map_err(|_| Errno::ACCESS)?;
            Ok((sys::open_folder(at, name)?, Some(mode)))
        }
        opened => {
            let opened = opened?;
            let mode = lend(opened.as_fd(), &rustix::fs::fstat(&opened)?)?;
            Ok((opened, mode))
        }
    }
}

/// Opens a file by one name; its mode is as it was when this returns.
pub(crate) fn open_file(at: BorrowedFd<'_>, name: &[u8], stat: &Stat) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let open = || retry_on_intr(|| rustix::fs::openat(at, name, flags, Mode::empty()));
    match open() {
        Err(Errno::ACCESS) => {
            let path = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let closed = rustix::fs::openat(at, name, path, Mode::empty())?;
            sys::chmod_opened(closed.as_fd(), mode_of(stat) | Mode::RUSR).map_err(|_| Errno::ACCESS)?;
            let opened = open();
            sys::chmod_opened(closed.as_fd(), mode_of(stat))?;
            opened
        }
        opened => opened,
    }
}

/// The names in an open directory. `buffer` is room to read into, which may be kept for the next one.
pub(crate) fn list(folder: BorrowedFd<'_>, buffer: &mut Vec<u8>) -> Result<Vec<Box<[u8]>>> {
    let mut names = Vec::new();
    let mut listing = RawDir::new(folder, buffer.spare_capacity_mut());
    loop {
        match listing.next() {
            None => return Ok(names),
            Some(Err(Errno::INTR)) => {}
            Some(Err(errno)) => return Err(errno),
            Some(Ok(entry)) => match entry.file_name().to_bytes() {
                b"." | b".." => {}
                name => names.push(name.into()),
            },
        }
    }
}

/// The permission bits.
pub(crate) fn mode_of(stat: &Stat) -> Mode {
    Mode::from_raw_mode(stat.st_mode & 0o7777)
}
