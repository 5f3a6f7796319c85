//! The layer's directory: finds and makes parents, and makes room for names.

use super::metadata::{OPAQUE, failed};
use super::name::split;
use crate::problem::{Outcome, Problem};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, ResolveFlags, Stat, XattrFlags};
use rustix::io::Errno;

const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A layer's directory. Links in the parents of an entry are followed as a sandbox would follow them: within it.
pub(super) struct Place {
    root: OwnedFd,
    /// The parent used last: entries of one directory come together.
    last: Option<(Vec<u8>, OwnedFd)>,
}

impl Place {
    pub(super) fn new(root: OwnedFd) -> Self {
        Self { root, last: None }
    }

    /// The directory at a path, made with those on the way where they are missing. The empty path is the root.
    pub(super) fn parent(&mut self, path: &[u8]) -> Outcome<BorrowedFd<'_>> {
        if path.is_empty() {
            return Ok(self.root.as_fd());
        }
        if self.last.as_ref().is_none_or(|(known, _)| known != path) {
            let folder = match self.find(path) {
                Ok(folder) => folder,
                Err(Errno::NOENT | Errno::NOTDIR) => self.make_all(path)?,
                Err(errno) => return Err(failed(path, "open", errno)),
            };
            self.last = Some((path.to_vec(), folder));
        }
        Ok(self.last.as_ref().map(|(_, folder)| folder.as_fd()).expect("it was just put there"))
    }

    /// The directory at a path, which must be there.
    pub(super) fn find(&self, path: &[u8]) -> rustix::io::Result<OwnedFd> {
        if path.is_empty() {
            return rustix::io::fcntl_dupfd_cloexec(&self.root, 0);
        }
        let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_XDEV;
        loop {
            match rustix::fs::openat2(&self.root, path, FOLDER, Mode::empty(), resolve) {
                // Somebody on the machine renames; the kernel wants to be asked again.
                Err(Errno::AGAIN | Errno::INTR) => {}
                result => return result,
            }
        }
    }

    /// Goes from the root on, and makes what is missing.
    fn make_all(&self, path: &[u8]) -> Outcome<OwnedFd> {
        let mut folder = self.find(b"").map_err(|errno| failed(path, "open", errno))?;
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        for end in ends.chain([path.len()]) {
            let here = &path[..end];
            folder = match self.find(here) {
                Ok(found) => found,
                Err(Errno::NOENT | Errno::NOTDIR) => {
                    let (_, name) = split(here);
                    let hidden = self.is_whiteout(folder.as_fd(), name);
                    if hidden {
                        unlink(folder.as_fd(), name, here)?;
                    }
                    rustix::fs::mkdirat(&folder, name, Mode::from_raw_mode(0o755))
                        .map_err(|errno| if errno == Errno::EXIST { Errno::NOTDIR } else { errno })
                        .and_then(|()| rustix::fs::openat(&folder, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()))
                        .and_then(|made| {
                            // The umask has taken something away.
                            chmod(made.as_fd(), 0o755)?;
                            if hidden { hide_below(made.as_fd()) } else { Ok(()) }?;
                            Ok(made)
                        })
                        .map_err(|errno| failed(path, "make the directories of", errno))?
                }
                Err(errno) => return Err(failed(path, "open", errno)),
            };
        }
        Ok(folder)
    }

    fn is_whiteout(&self, at: BorrowedFd<'_>, name: &[u8]) -> bool {
        stat(at, name).is_ok_and(|stat| stat.is_some_and(|stat| is_whiteout(&stat)))
    }

    /// Forgets open directories, since one of them may be gone.
    fn forget(&mut self) {
        self.last = None;
    }

    /// Takes away what is at a path, for what comes in its place.
    pub(super) fn clear(&mut self, path: &[u8]) -> Outcome {
        let (parent, name) = split(path);
        let at = self.parent(parent)?;
        isobox_tree::remove(at, name).map_err(|error| match error.raw_os_error() {
            Some(number) => failed(path, "replace", Errno::from_raw_os_error(number)),
            None => Problem::refused(path, error.to_string()),
        })?;
        self.forget();
        Ok(())
    }
}

/// What is at a name, itself and not its target.
pub(super) fn stat(at: BorrowedFd<'_>, name: &[u8]) -> rustix::io::Result<Option<Stat>> {
    match rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno),
    }
}

pub(super) fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

pub(super) fn is_whiteout(stat: &Stat) -> bool {
    kind(stat) == FileType::CharacterDevice && stat.st_rdev == 0
}

fn unlink(at: BorrowedFd<'_>, name: &[u8], path: &[u8]) -> Outcome {
    rustix::fs::unlinkat(at, name, AtFlags::empty()).map_err(|errno| failed(path, "replace", errno))
}

/// Makes a whiteout.
pub(super) fn hide(at: BorrowedFd<'_>, name: &[u8]) -> rustix::io::Result<()> {
    rustix::fs::mknodat(at, name, FileType::CharacterDevice, Mode::empty(), 0)
}

/// Makes an open directory hide what is below it.
pub(super) fn hide_below(folder: BorrowedFd<'_>) -> rustix::io::Result<()> {
    let own = rustix::fs::openat(folder, c".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::fs::fsetxattr(own, OPAQUE, b"y", XattrFlags::empty())
}

/// Changes the mode of what an `O_PATH` descriptor stands for.
fn chmod(file: BorrowedFd<'_>, mode: u32) -> rustix::io::Result<()> {
    rustix::fs::chmodat(file, c".", Mode::from_raw_mode(mode), AtFlags::empty())
}
