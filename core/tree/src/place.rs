//! Putting entries beneath a directory, for the two that do it: unpacking and copying.
//!
//! Entries come in the order of a walk, so only the directories between the root and the current one are open:
//!
//! ```text
//!   entry d/e/f ──▶ leave until the chain is at d/e, else refuse ──▶ make f in it, exclusively
//!                     │
//!                     └── each directory gets its mode and mtime when it is left, as nothing comes into it any more
//! ```
//!
//! A new entry is made exclusively, by its name in an open directory; what is in the way is unlinked first, unless it is a
//! directory or the caller wants it kept. So a link that was planted in the target is replaced and never followed.

use crate::chain::{Chain, Left};
use crate::error::Error;
use crate::meta::{Identity, Meta};
use crate::{path, sys};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, Dev, FileType, Gid, Mode, OFlags, Uid};
use rustix::io::{Errno, retry_on_intr};

/// How often an entry is made anew when somebody else makes one of its name.
const ATTEMPTS: usize = 16;
const CREATE: OFlags = OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::NOFOLLOW);

pub(crate) struct Place {
    chain: Chain<Option<Last>>,
    obstacle: Obstacle,
}

/// What happens to something that is in the way of an entry and is not a directory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// The entry takes its place.
    Replaced,
    /// The entry is a conflict.
    Kept,
}

/// What an entry gets when its contents are there.
#[derive(Clone, Copy)]
pub(crate) struct Last {
    pub(crate) meta: Meta,
    pub(crate) owner: Option<(u32, u32)>,
}

impl Place {
    /// `last` is for the root itself; without it the root is left as it is.
    pub(crate) fn new(root: OwnedFd, last: Option<Last>, obstacle: Obstacle) -> Self {
        Place { chain: Chain::new(root, last), obstacle }
    }

    /// The directory that was made or entered last.
    pub(crate) fn folder(&self) -> BorrowedFd<'_> {
        self.chain.current()
    }

    /// Makes a directory and goes into it. One that exists is kept, with its owner.
    pub(crate) fn directory(&mut self, path: &[u8], mut last: Last) -> Result<(), Error> {
        let name = self.reach(path)?;
        for _ in 0..ATTEMPTS {
            let made = match rustix::fs::mkdirat(self.chain.current(), name, Mode::RWXU) {
                Ok(()) => true,
                Err(Errno::EXIST) => false,
                Err(error) => return Err(Error::io(path, "make the directory", error)),
            };
            match sys::open_folder_of_ours(self.chain.current(), name) {
                Ok(folder) if made => return self.chain.enter(name, folder, Some(last)),
                Ok(folder) => {
                    last.owner = None;
                    // If it is not ours, filling it shows whether we may.
                    let _ = sys::allow(folder.as_fd());
                    return self.chain.enter(name, folder, Some(last));
                }
                Err(Errno::NOENT) => {}
                Err(Errno::NOTDIR | Errno::LOOP) => self.clear(path, name)?,
                Err(error) => return Err(Error::io(path, "open the directory", error)),
            }
        }
        Err(contended(path))
    }

    /// Makes an empty file, to be filled and then given to [`finish_file`].
    pub(crate) fn file(&mut self, path: &[u8]) -> Result<OwnedFd, Error> {
        self.make(path, "make the file", |at, name| {
            let private = Mode::RUSR | Mode::WUSR;
            retry_on_intr(|| rustix::fs::openat(at, name, CREATE | OFlags::CLOEXEC, private))
        })
    }

    pub(crate) fn symlink(&mut self, path: &[u8], target: &[u8], last: Last) -> Result<(), Error> {
        self.make(path, "make the link", |at, name| rustix::fs::symlinkat(target, at, name))?;
        self.finish_by_name(path, FileType::Symlink, last)
    }

    /// Makes a FIFO or an overlay's whiteout.
    pub(crate) fn special(&mut self, path: &[u8], kind: FileType, device: Dev, last: Last) -> Result<(), Error> {
        self.make(path, "make the node", |at, name| rustix::fs::mknodat(at, name, kind, Mode::RUSR, device))?;
        self.finish_by_name(path, kind, last)
    }

    /// Makes another name of the file at `first`, if `ours` knows that file.
    ///
    /// It is looked at again when the name is there, as the first one may have been exchanged in between.
    pub(crate) fn hard_link(
        &mut self,
        path: &[u8],
        first: &[u8],
        ours: impl Fn(&Identity) -> bool,
    ) -> Result<(), Error> {
        path::check(first).map_err(|reason| Error::refused(first, reason))?;
        let stranger = || Error::refused(path, "it is a hard link to something that did not come with the tree");
        let (parent, first_name) = path::split(first);
        let folder = match sys::open_beneath(self.chain.root(), parent) {
            Ok(folder) => folder,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::XDEV) => return Err(stranger()),
            Err(error) => return Err(Error::io(first, "find", error)),
        };
        let known =
            |at: BorrowedFd<'_>, name: &[u8]| sys::stat(at, name).is_ok_and(|stat| ours(&Identity::from(&stat)));
        if !known(folder.as_fd(), first_name) {
            return Err(stranger());
        }
        self.make(path, "link", |at, name| rustix::fs::linkat(&folder, first_name, at, name, AtFlags::empty()))?;
        let (_, name) = path::split(path);
        if known(self.chain.current(), name) {
            return Ok(());
        }
        self.remove(path, name)?;
        Err(stranger())
    }

    /// Leaves all directories.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        while self.leave()? {}
        match *self.chain.state() {
            Some(last) => finish_directory(self.chain.current(), b"", last),
            None => Ok(()),
        }
    }

    /// Goes back to the parent of `path`, which must be a directory that came with the tree, and returns the name in it.
    fn reach<'p>(&mut self, path: &'p [u8]) -> Result<&'p [u8], Error> {
        let (parent, name) = path::split(path);
        while self.chain.path() != parent {
            if !self.leave()? {
                return Err(Error::refused(path, "its parent did not come as a directory before it"));
            }
        }
        Ok(name)
    }

    fn leave(&mut self) -> Result<bool, Error> {
        let path = self.chain.path().to_vec();
        let Some(Left { folder, state, .. }) = self.chain.leave()? else { return Ok(false) };
        if let Some(last) = state {
            finish_directory(folder.as_fd(), &path, last)?;
        }
        Ok(true)
    }

    fn make<T>(
        &mut self,
        path: &[u8],
        action: &'static str,
        make: impl Fn(BorrowedFd<'_>, &[u8]) -> rustix::io::Result<T>,
    ) -> Result<T, Error> {
        let name = self.reach(path)?;
        for _ in 0..ATTEMPTS {
            match make(self.chain.current(), name) {
                Err(Errno::EXIST) => self.clear(path, name)?,
                result => return result.map_err(|error| Error::io(path, action, error)),
            }
        }
        Err(contended(path))
    }

    /// Removes what is in the way, if it may be.
    fn clear(&self, path: &[u8], name: &[u8]) -> Result<(), Error> {
        match self.obstacle {
            Obstacle::Replaced => self.remove(path, name),
            Obstacle::Kept => Err(Error::conflict(path, "it exists already and is to be kept")),
        }
    }

    /// Removes an entry, unless it is a directory.
    fn remove(&self, path: &[u8], name: &[u8]) -> Result<(), Error> {
        match rustix::fs::unlinkat(self.chain.current(), name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(Errno::ISDIR) => Err(Error::conflict(path, "a directory is in the way")),
            Err(error) => Err(Error::io(path, "replace", error)),
        }
    }

    /// Finishes what cannot be opened: through a descriptor that only stands for it, as by name it could be another file by
    /// now, which would be given away.
    fn finish_by_name(&self, path: &[u8], kind: FileType, last: Last) -> Result<(), Error> {
        let (_, name) = path::split(path);
        if last.owner.is_none() && kind == FileType::Symlink {
            let times =
                rustix::fs::utimensat(self.chain.current(), name, &last.meta.times(), AtFlags::SYMLINK_NOFOLLOW);
            return times.map_err(|error| Error::io(path, "set the time of", error));
        }
        let finish = || {
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let entry = rustix::fs::openat(self.chain.current(), name, flags, Mode::empty())?;
            if sys::kind(&rustix::fs::fstat(&entry)?) != kind {
                return Ok::<_, Errno>(false);
            }
            if let Some((user, group)) = last.owner {
                rustix::fs::chownat(&entry, "", Some(uid(user)), Some(gid(group)), AtFlags::EMPTY_PATH)?;
            }
            if kind == FileType::Fifo {
                sys::chmod_opened(entry.as_fd(), last.meta.mode())?;
            }
            set_times(entry.as_fd(), self.chain.current(), name, last.meta)?;
            Ok(true)
        };
        match finish() {
            Ok(true) => Ok(()),
            Ok(false) => Err(contended(path)),
            Err(error) => Err(Error::io(path, "set the attributes of", error)),
        }
    }
}

/// By descriptor where the kernel can do it (5.8), else by name, which changes no more than a time.
fn set_times(entry: BorrowedFd<'_>, at: BorrowedFd<'_>, name: &[u8], meta: Meta) -> rustix::io::Result<()> {
    match rustix::fs::utimensat(entry, "", &meta.times(), AtFlags::EMPTY_PATH) {
        Err(Errno::INVAL | Errno::NOENT | Errno::BADF) => {
            rustix::fs::utimensat(at, name, &meta.times(), AtFlags::SYMLINK_NOFOLLOW)
        }
        result => result,
    }
}

/// Gives a filled file its owner, mode and mtime, in the order in which none undoes another.
pub(crate) fn finish_file(file: BorrowedFd<'_>, path: &[u8], last: Last) -> Result<(), Error> {
    finish(file, last).map_err(|error| Error::io(path, "set the attributes of", error))
}

fn finish_directory(folder: BorrowedFd<'_>, path: &[u8], last: Last) -> Result<(), Error> {
    finish(folder, last).map_err(|error| Error::io(path, "set the attributes of", error))
}

fn finish(file: BorrowedFd<'_>, last: Last) -> rustix::io::Result<()> {
    give(file, last.owner)?;
    rustix::fs::fchmod(file, last.meta.mode())?;
    rustix::fs::futimens(file, &last.meta.times())
}

/// Gives an open file away, if somebody shall have it.
pub(crate) fn give(file: BorrowedFd<'_>, owner: Option<(u32, u32)>) -> rustix::io::Result<()> {
    match owner {
        Some((user, group)) => rustix::fs::fchown(file, Some(uid(user)), Some(gid(group))),
        None => Ok(()),
    }
}

fn contended(path: &[u8]) -> Error {
    Error::conflict(path, "somebody else keeps making an entry of this name")
}

fn uid(raw: u32) -> Uid {
    Uid::from_raw_unchecked(raw)
}

fn gid(raw: u32) -> Gid {
    Gid::from_raw_unchecked(raw)
}
