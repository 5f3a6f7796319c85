//! A private copy of a directory of settings, for when the kernel does not let it be a layer.

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{Dir, FileType, Mode, OFlags, fstat, mkdirat, openat, readlinkat, symlinkat};
use rustix::io::{Errno, Result, read, write};
use std::ffi::CStr;

/// The most bytes of files in a copy.
pub(super) const MOST: u64 = 48 << 20;

/// Deeper directories are left out.
const DEEPEST: usize = 16;

/// Copies what is open to the world in `from` to `to`, where names that exist are left as they are. Fails with
/// `EFBIG` when that is more than [`MOST`] bytes.
pub(super) fn copy(from: OwnedFd, to: BorrowedFd<'_>) -> Result<()> {
    Copy { left: MOST }.directory(from, to, 0)
}

struct Copy {
    left: u64,
}

impl Copy {
    fn directory(&mut self, from: OwnedFd, to: BorrowedFd<'_>, depth: usize) -> Result<()> {
        let mut entries = Dir::read_from(&from)?;
        while let Some(entry) = entries.read() {
            let entry = entry?;
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            match self.entry(from.as_fd(), to, name, depth) {
                // Ours, closed, or gone in the meantime.
                Ok(()) | Err(Errno::EXIST | Errno::ACCESS | Errno::PERM | Errno::NOENT) => {}
                Err(errno) => return Err(errno),
            }
        }
        Ok(())
    }

    fn entry(&mut self, from: BorrowedFd<'_>, to: BorrowedFd<'_>, name: &CStr, depth: usize) -> Result<()> {
        // Not blocking, so that nobody's fifo holds the launch up.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let source = match openat(from, name, flags, Mode::empty()) {
            Err(Errno::LOOP) => return symlinkat(readlinkat(from, name, [])?, to, name),
            // A socket or a device without a driver.
            Err(Errno::NXIO | Errno::NODEV) => return Ok(()),
            other => other?,
        };
        let stat = fstat(&source)?;
        let mode = Mode::from_raw_mode(stat.st_mode & 0o777);
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory if mode.contains(Mode::ROTH | Mode::XOTH) && depth < DEEPEST => {
                mkdirat(to, name, mode)?;
                let inner = openat(to, name, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
                self.directory(source, inner.as_fd(), depth + 1)
            }
            FileType::RegularFile if mode.contains(Mode::ROTH) => self.file(source, to, name, mode),
            _ => Ok(()),
        }
    }

    fn file(&mut self, from: OwnedFd, to: BorrowedFd<'_>, name: &CStr, mode: Mode) -> Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let target = openat(to, name, flags, mode)?;
        let mut buffer = [0; 16 << 10];
        loop {
            let count = read(&from, &mut buffer)?;
            if count == 0 {
                return Ok(());
            }
            self.left = self.left.checked_sub(count as u64).ok_or(Errno::FBIG)?;
            let mut rest = &buffer[..count];
            while !rest.is_empty() {
                rest = &rest[write(&target, rest)?..];
            }
        }
    }
}
