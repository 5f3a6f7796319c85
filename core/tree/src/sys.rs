//! Opening directories without ever following a link.

use crate::meta::Identity;
use rustix::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, ResolveFlags, Stat};
use rustix::io::{Errno, Result, retry_on_intr};

const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Opens a directory by one name, for reading.
pub(crate) fn open_folder(at: BorrowedFd<'_>, name: &[u8]) -> Result<OwnedFd> {
    retry_on_intr(|| rustix::fs::openat(at, name, FOLDER | OFlags::RDONLY, Mode::empty()))
}

/// Opens a directory by one name, also when its owner, whom we are, took the right to read it away.
pub(crate) fn open_folder_of_ours(at: BorrowedFd<'_>, name: &[u8]) -> Result<OwnedFd> {
    match open_folder(at, name) {
        Err(Errno::ACCESS) => {
            let folder = rustix::fs::openat(at, name, FOLDER | OFlags::PATH, Mode::empty())?;
            let mode = Mode::from_raw_mode(rustix::fs::fstat(&folder)?.st_mode & 0o7777) | Mode::RWXU;
            chmod_opened(folder.as_fd(), mode).map_err(|_| Errno::ACCESS)?;
            open_folder(at, name)
        }
        result => result,
    }
}

/// Makes sure that we may fill and empty an open directory of ours.
pub(crate) fn allow(folder: BorrowedFd<'_>) -> Result<()> {
    let mode = Mode::from_raw_mode(rustix::fs::fstat(folder)?.st_mode & 0o7777);
    if mode.contains(Mode::RWXU) { Ok(()) } else { rustix::fs::fchmod(folder, mode | Mode::RWXU) }
}

/// Changes the mode of what an `O_PATH` descriptor stands for. By name it could be a symlink by now.
pub(crate) fn chmod_opened(file: BorrowedFd<'_>, mode: Mode) -> Result<()> {
    rustix::fs::chmod(format!("/proc/self/fd/{}", file.as_raw_fd()), mode)
}

/// Opens a directory by its path beneath `root`, for lookups only. The empty path is the root itself.
///
/// `openat2` does it in one call. Kernels before 5.6, gVisor and old seccomp filters have none: there, going name by name
/// with `O_NOFOLLOW` promises the same, as no name is `..`.
pub(crate) fn open_beneath(root: BorrowedFd<'_>, path: &[u8]) -> Result<OwnedFd> {
    if path.is_empty() {
        return rustix::io::fcntl_dupfd_cloexec(root, 0);
    }
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match rustix::fs::openat2(root, path, FOLDER | OFlags::PATH, Mode::empty(), resolve) {
        Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => walk_beneath(root, path),
        result => result,
    }
}

fn walk_beneath(root: BorrowedFd<'_>, path: &[u8]) -> Result<OwnedFd> {
    let mut folder = rustix::io::fcntl_dupfd_cloexec(root, 0)?;
    for name in crate::path::components(path) {
        folder = rustix::fs::openat(&folder, name, FOLDER | OFlags::PATH, Mode::empty())?;
    }
    Ok(folder)
}

/// What a name stands for, itself and not its target.
pub(crate) fn stat(at: BorrowedFd<'_>, name: &[u8]) -> Result<Stat> {
    rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW)
}

pub(crate) fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

pub(crate) fn identity(file: BorrowedFd<'_>) -> Result<Identity> {
    Ok(Identity::from(&rustix::fs::fstat(file)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn both_ways_beneath_refuse_links_and_find_folders() {
        let temporary = tempfile::tempdir().unwrap();
        fs::create_dir_all(temporary.path().join("a/b")).unwrap();
        std::os::unix::fs::symlink("a", temporary.path().join("link")).unwrap();
        let root = fs::File::open(temporary.path()).unwrap();
        let expected = identity(fs::File::open(temporary.path().join("a/b")).unwrap().as_fd()).unwrap();
        for open in [open_beneath, walk_beneath] {
            let found = open(root.as_fd(), b"a/b").unwrap();
            assert_eq!(identity(found.as_fd()).unwrap(), expected);
            assert!(matches!(open(root.as_fd(), b"link/b").unwrap_err(), Errno::LOOP | Errno::NOTDIR));
        }
    }
}
