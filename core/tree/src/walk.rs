//! Walking a tree that others may change meanwhile: depth first, names in byte order, never through a link.
//!
//! ```text
//!   name ──kind──▶ open or read it as that kind ──▶ found
//!     ▲                      │
//!     └── it is another kind by now: look again, a few times
//! ```
//!
//! Nothing is opened before its kind is known, and then without blocking, so that no FIFO, device or lease holds the walk up.
//! What changed in between shows when it is opened, because every kind is opened in a way that fails for the others.

use crate::chain::Chain;
use crate::error::Error;
use crate::exclude::Exclude;
use crate::meta::Identity;
use crate::path::{self, PATH_MAX};
use crate::report::{Report, SkipReason};
use crate::sys;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags, RawDir, Stat};
use rustix::io::{Errno, retry_on_intr};
use std::collections::HashMap;

/// Four times what a directory entry can need, as the kernel does not split one.
const LISTING: usize = 32 << 10;
const LOOKS: usize = 8;
/// The most bytes of paths that are remembered in case another name of the same file comes.
const LINKED_MAX: usize = 64 << 20;

/// What a walk may see.
pub(crate) struct Bounds {
    pub(crate) entries: u64,
    pub(crate) depth: usize,
    pub(crate) exclude: Exclude,
}

pub(crate) struct Walk {
    chain: Chain<Names>,
    bounds: Bounds,
    seen: u64,
    path: Vec<u8>,
    listing: Vec<u8>,
    linked: HashMap<Identity, Vec<u8>>,
    linked_bytes: usize,
    avoided: Option<Identity>,
}

/// The names of a directory that are still to come, the next one last.
type Names = Vec<(Box<[u8]>, FileType)>;

/// An entry, held open where that matters.
pub(crate) enum Found {
    /// A directory; the walk is in it now.
    Directory(Stat),
    /// A regular file, open for reading.
    File(OwnedFd, Stat),
    /// Another name of a file that was found at this path.
    Again(Vec<u8>),
    Symlink(Stat, Vec<u8>),
    /// A FIFO, socket or device, not opened.
    Special(Stat),
}

impl Walk {
    pub(crate) fn new(root: OwnedFd, bounds: Bounds) -> Result<Self, Error> {
        let mut walk = Walk {
            chain: Chain::new(root, Names::new()),
            bounds,
            seen: 0,
            path: Vec::new(),
            listing: Vec::with_capacity(LISTING),
            linked: HashMap::new(),
            linked_bytes: 0,
            avoided: None,
        };
        walk.list()?;
        Ok(walk)
    }

    /// Makes it a conflict to come upon this directory.
    pub(crate) fn avoid(&mut self, folder: Identity) {
        self.avoided = Some(folder);
    }

    /// The path of the entry that was found last.
    pub(crate) fn path(&self) -> &[u8] {
        &self.path
    }

    /// The directory in which the walk is.
    pub(crate) fn folder(&self) -> BorrowedFd<'_> {
        self.chain.current()
    }

    /// The next entry. What changes under the walk's hands is left out and noted.
    pub(crate) fn next(&mut self, report: &mut Report) -> Result<Option<Found>, Error> {
        loop {
            let Some((name, kind)) = self.chain.state().pop() else {
                match self.chain.leave()? {
                    Some(_) => continue,
                    None => return Ok(None),
                }
            };
            self.step(&name)?;
            match look(self.chain.current(), &name, kind) {
                Ok(Looked::Directory(folder, stat)) => return self.enter(&name, folder, stat).map(Some),
                Ok(Looked::Other(found)) => return self.recall(found).map(Some),
                Err(Errno::NOENT) => report.skip(&self.path, SkipReason::Vanished),
                Err(Errno::STALE) => report.skip(&self.path, SkipReason::Changed),
                Err(Errno::AGAIN) => report.skip(&self.path, SkipReason::Busy),
                Err(error) => return Err(Error::io(&self.path, "read", error)),
            }
        }
    }

    fn step(&mut self, name: &[u8]) -> Result<(), Error> {
        self.path.clear();
        self.path.extend_from_slice(self.chain.path());
        path::push(&mut self.path, name);
        if self.path.len() > PATH_MAX {
            return Err(Error::Limit { what: "bytes in a path", limit: PATH_MAX as u64 });
        }
        if self.chain.depth() >= self.bounds.depth {
            return Err(Error::Limit { what: "levels", limit: self.bounds.depth as u64 });
        }
        Ok(())
    }

    fn enter(&mut self, name: &[u8], folder: OwnedFd, stat: Stat) -> Result<Found, Error> {
        if self.avoided == Some(Identity::from(&stat)) {
            return Err(Error::conflict(&self.path, "the copy would contain itself"));
        }
        self.chain.enter(name, folder, Names::new())?;
        self.list()?;
        Ok(Found::Directory(stat))
    }

    /// Reads the names of the current directory, without those that are excluded. The others count as seen here, so that no
    /// directory is too large for memory.
    fn list(&mut self) -> Result<(), Error> {
        let (folder, names) = self.chain.split();
        let mut listing = RawDir::new(folder, self.listing.spare_capacity_mut());
        while let Some(entry) = listing.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(Errno::INTR) => continue,
                // The directory itself was removed.
                Err(Errno::NOENT) => break,
                Err(error) => return Err(Error::io(&self.path, "list", error)),
            };
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") || self.bounds.exclude.covers(&self.path, name) {
                continue;
            }
            self.seen += 1;
            if self.seen > self.bounds.entries {
                return Err(Error::Limit { what: "entries", limit: self.bounds.entries });
            }
            names.push((name.into(), entry.file_type()));
        }
        names.sort_unstable_by(|left, right| right.0.cmp(&left.0));
        Ok(())
    }

    /// Tells a further name of a file from the first one.
    fn recall(&mut self, found: Found) -> Result<Found, Error> {
        let Found::File(_, stat) = &found else { return Ok(found) };
        if stat.st_nlink < 2 {
            return Ok(found);
        }
        if let Some(first) = self.linked.get(&Identity::from(stat)) {
            return Ok(Found::Again(first.clone()));
        }
        self.linked_bytes += self.path.len();
        if self.linked_bytes > LINKED_MAX {
            return Err(Error::Limit { what: "bytes in the paths of hard links", limit: LINKED_MAX as u64 });
        }
        self.linked.insert(Identity::from(stat), self.path.clone());
        Ok(found)
    }
}

/// A directory is apart from the rest, as it has to be entered.
pub(crate) enum Looked {
    Directory(OwnedFd, Stat),
    Other(Found),
}

/// Opens a name as what it is. `ESTALE` says that it kept changing.
pub(crate) fn look(at: BorrowedFd<'_>, name: &[u8], mut kind: FileType) -> rustix::io::Result<Looked> {
    for _ in 0..LOOKS {
        let attempt = match kind {
            FileType::Directory => look_at_directory(at, name),
            FileType::RegularFile => look_at_file(at, name),
            FileType::Symlink => look_at_symlink(at, name),
            FileType::Unknown => Err(Errno::NOTDIR),
            _ => sys::stat(at, name).map(|stat| Looked::Other(Found::Special(stat))),
        };
        match attempt {
            Err(Errno::NOTDIR | Errno::LOOP | Errno::ISDIR | Errno::NXIO | Errno::NODEV | Errno::INVAL) => {
                kind = sys::kind(&sys::stat(at, name)?);
            }
            result => return result,
        }
    }
    Err(Errno::STALE)
}

fn look_at_directory(at: BorrowedFd<'_>, name: &[u8]) -> rustix::io::Result<Looked> {
    let folder = sys::open_folder(at, name)?;
    let stat = rustix::fs::fstat(&folder)?;
    Ok(Looked::Directory(folder, stat))
}

/// Not blocking, as the name may be a FIFO by now or somebody may hold a lease on the file.
fn look_at_file(at: BorrowedFd<'_>, name: &[u8]) -> rustix::io::Result<Looked> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = retry_on_intr(|| rustix::fs::openat(at, name, flags, Mode::empty()))?;
    let stat = rustix::fs::fstat(&file)?;
    match sys::kind(&stat) {
        FileType::RegularFile => Ok(Looked::Other(Found::File(file, stat))),
        _ => Err(Errno::INVAL),
    }
}

fn look_at_symlink(at: BorrowedFd<'_>, name: &[u8]) -> rustix::io::Result<Looked> {
    let target = rustix::fs::readlinkat(at, name, Vec::new())?.into_bytes();
    let stat = sys::stat(at, name)?;
    if target.len() > PATH_MAX {
        return Err(Errno::NAMETOOLONG);
    }
    Ok(Looked::Other(Found::Symlink(stat, target)))
}

/// Why a special file is left out.
pub(crate) fn reason(stat: &Stat) -> SkipReason {
    match sys::kind(stat) {
        FileType::Fifo => SkipReason::Fifo,
        FileType::Socket => SkipReason::Socket,
        FileType::CharacterDevice => SkipReason::CharacterDevice,
        FileType::BlockDevice => SkipReason::BlockDevice,
        _ => SkipReason::Changed,
    }
}

/// A descriptor of our own for a directory, with a reading position of its own.
pub(crate) fn open_root(root: BorrowedFd<'_>) -> Result<OwnedFd, Error> {
    sys::open_folder(root.as_fd(), b".").map_err(|error| Error::io(b"", "open", error))
}
