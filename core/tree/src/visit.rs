//! An overlay's layer, shown entry by entry to whoever packs it.
//!
//! Depth first, the names of each directory in the order of their bytes, so that a tree always reads the same. A
//! directory comes before what is in it. The tree has to stand still.
//!
//! Memory is bounded by the names of the directories on the way and one path for each file with several names.

use crate::chain::Chain;
use crate::error::Error;
use crate::extents::{self, Extents};
use crate::layer::{LayerOptions, shifted};
use crate::lend::{self, mode_of};
use crate::meta::{Identity, Meta, names};
use crate::{sys, xattr};
use rustix::fd::{AsFd, BorrowedFd};
use rustix::fs::{FileType, FlockOperation, Mode, Stat};
use rustix::io::{Errno, retry_on_intr};
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::atomic::Ordering;

const LISTING: usize = 32 << 10;

/// One entry of a layer.
#[derive(Debug)]
#[non_exhaustive]
pub struct Visited<'a> {
    /// Its path beneath the root; empty for the root itself.
    pub path: &'a [u8],
    /// What it is.
    pub content: Content<'a>,
    /// Permission bits.
    pub mode: u32,
    /// The user that it belongs to, as the sandbox sees it.
    pub user: u32,
    /// The group, likewise.
    pub group: u32,
    /// When its contents were changed last: seconds since 1970, and nanoseconds.
    pub modified: (i64, u32),
    /// Extended attributes by name, with the sandbox's ids in them; overlayfs' own are left out.
    pub attributes: &'a [(Vec<u8>, Vec<u8>)],
}

/// What an entry is.
#[derive(Debug)]
#[non_exhaustive]
pub enum Content<'a> {
    /// A directory; an opaque one hides what the layers below have in it.
    Directory {
        /// Whether it does.
        opaque: bool,
    },
    /// A file.
    File(Contents<'a>),
    /// A further name of something that came before.
    HardLink(&'a [u8]),
    /// A symlink and its target.
    Symlink(&'a [u8]),
    /// A named pipe.
    Fifo,
    /// A socket, which is nothing without who listens on it.
    Socket,
    /// A device of characters or, if not, of blocks.
    Device {
        /// Whether of characters.
        character: bool,
        /// The number of its kind.
        major: u32,
        /// Its number among these.
        minor: u32,
    },
    /// Nothing: it hides what the layers below have here.
    Whiteout,
}

/// The contents of a file.
#[derive(Debug)]
pub struct Contents<'a> {
    file: BorrowedFd<'a>,
    stat: Stat,
}

impl Contents<'_> {
    /// Bytes, holes counted.
    pub fn size(&self) -> u64 {
        extents::size(&self.stat)
    }

    /// Where the data is; all else is holes.
    ///
    /// # Errors
    /// What the system says about looking for them.
    pub fn data(&self) -> impl Iterator<Item = io::Result<Range<u64>>> {
        Extents::new(self.file, &self.stat).map(|range| range.map_err(io::Error::from))
    }

    /// Reads what is at an offset into `buffer`, and says how much that was: nothing at the end.
    ///
    /// # Errors
    /// What the system says.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        Ok(retry_on_intr(|| rustix::io::pread(self.file, &mut *buffer, offset))?)
    }
}

/// Shows every entry of a layer, the first one its root, which is open for reading.
///
/// What the owner, who is the caller, took the right to read away from is given it for the moment of reading; meanwhile
/// the root is locked against others that do the same.
///
/// # Errors
/// Those of `visit`, and [`Error::Io`]: with `EINTR` when it was cancelled.
pub fn visit_layer<E: From<Error>>(
    root: BorrowedFd<'_>,
    options: &LayerOptions<'_>,
    mut visit: impl FnMut(&Visited<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let at_root = |error| Error::io(b"", "open", error);
    let folder = sys::open_folder(root, b".").map_err(at_root)?;
    if !rustix::process::geteuid().is_root() {
        retry_on_intr(|| rustix::fs::flock(&folder, FlockOperation::LockExclusive)).map_err(at_root)?;
    }
    let stat = rustix::fs::fstat(&folder).map_err(at_root)?;
    let level = Level { names: Vec::new(), lent: lend::lend(folder.as_fd(), &stat).map_err(at_root)? };
    let chain = Chain::new(folder, level);
    let listing = Vec::with_capacity(LISTING);
    let mut walk = Walk { chain, options, visit: &mut visit, linked: HashMap::new(), listing };
    let walked = walk.run(&stat);
    walk.give_back_all();
    walked
}

struct Level {
    /// The names to come, the next one at the end.
    names: Vec<Box<[u8]>>,
    /// The mode to give back.
    lent: Option<Mode>,
}

struct Walk<'a, E> {
    chain: Chain<Level>,
    options: &'a LayerOptions<'a>,
    visit: &'a mut dyn FnMut(&Visited<'_>) -> Result<(), E>,
    /// The first names of files with further ones to come, and how many.
    linked: HashMap<Identity, (Box<[u8]>, u64)>,
    listing: Vec<u8>,
}

impl<E: From<Error>> Walk<'_, E> {
    fn run(&mut self, root: &Stat) -> Result<(), E> {
        self.show_directory(root)?;
        loop {
            if self.options.cancelled.load(Ordering::Relaxed) {
                return Err(self.failed("read", Errno::INTR).into());
            }
            match self.chain.state().names.pop() {
                Some(name) => self.entry(&name)?,
                None => {
                    self.give_back().map_err(|errno| self.failed("give the mode back to", errno))?;
                    if self.chain.leave()?.is_none() {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn failed(&self, action: &'static str, error: Errno) -> Error {
        Error::io(self.chain.path(), action, error)
    }

    fn entry(&mut self, name: &[u8]) -> Result<(), E> {
        let path = self.chain.path_of(name);
        let failed = |error| Error::io(&path, "read", error);
        let stat = sys::stat(self.chain.current(), name).map_err(failed)?;
        if sys::kind(&stat) == FileType::Directory {
            let (folder, lent) = lend::open_directory(self.chain.current(), name).map_err(failed)?;
            self.chain.enter(name, folder, Level { names: Vec::new(), lent })?;
            return self.show_directory(&stat);
        }
        let is_whiteout = sys::kind(&stat) == FileType::CharacterDevice && stat.st_rdev == 0;
        if is_whiteout {
            return self.show(&path, &stat, Content::Whiteout, &[]);
        }
        if stat.st_nlink > 1 {
            if let Some(first) = self.first_name(&stat) {
                return self.show(&path, &stat, Content::HardLink(&first), &[]);
            }
            self.linked.insert(Identity::from(&stat), (path.as_slice().into(), names(&stat) - 1));
        }
        self.other(name, &path, &stat)
    }

    /// The name under which it came before, if it did.
    fn first_name(&mut self, stat: &Stat) -> Option<Box<[u8]>> {
        let identity = Identity::from(stat);
        let (first, to_come) = self.linked.get_mut(&identity)?;
        *to_come -= 1;
        if *to_come > 0 {
            return Some(first.clone());
        }
        self.linked.remove(&identity).map(|(first, _)| first)
    }

    fn other(&mut self, name: &[u8], path: &[u8], stat: &Stat) -> Result<(), E> {
        let failed = |error| Error::io(path, "read", error);
        let at = self.chain.current();
        match sys::kind(stat) {
            FileType::RegularFile => {
                let file = lend::open_file(at, name, stat).map_err(failed)?;
                let (_, attributes) = xattr::shown(file.as_fd(), self.options).map_err(failed)?;
                let contents = Contents { file: file.as_fd(), stat: *stat };
                self.show(path, stat, Content::File(contents), &attributes)
            }
            FileType::Symlink => {
                let target = rustix::fs::readlinkat(at, name, Vec::new()).map_err(failed)?;
                self.show(path, stat, Content::Symlink(target.as_bytes()), &[])
            }
            FileType::Fifo => self.show(path, stat, Content::Fifo, &[]),
            FileType::Socket => self.show(path, stat, Content::Socket, &[]),
            kind => {
                let (major, minor) = (rustix::fs::major(stat.st_rdev), rustix::fs::minor(stat.st_rdev));
                let character = kind == FileType::CharacterDevice;
                self.show(path, stat, Content::Device { character, major, minor }, &[])
            }
        }
    }

    /// Shows the current directory, and lists it.
    fn show_directory(&mut self, stat: &Stat) -> Result<(), E> {
        let (folder, _) = self.chain.split();
        let (opaque, attributes) = xattr::shown(folder, self.options).map_err(|errno| self.failed("read", errno))?;
        let path = self.chain.path().to_vec();
        self.show(&path, stat, Content::Directory { opaque }, &attributes)?;
        let (folder, _) = self.chain.split();
        let mut names = lend::list(folder, &mut self.listing).map_err(|errno| self.failed("list", errno))?;
        names.sort_unstable_by(|a, b| b.cmp(a));
        self.chain.state().names = names;
        Ok(())
    }

    fn show(
        &mut self,
        path: &[u8],
        stat: &Stat,
        content: Content<'_>,
        attributes: &[xattr::Attribute],
    ) -> Result<(), E> {
        let user = shifted(self.options.users, stat.st_uid).unwrap_or(stat.st_uid);
        let group = shifted(self.options.groups, stat.st_gid).unwrap_or(stat.st_gid);
        let mode = mode_of(stat).as_raw_mode();
        (self.visit)(&Visited { path, content, mode, user, group, modified: Meta::from(stat).modified(), attributes })
    }

    fn give_back(&mut self) -> Result<(), Errno> {
        let (folder, level) = self.chain.split();
        level.lent.take().map_or(Ok(()), |mode| rustix::fs::fchmod(folder, mode))
    }

    fn give_back_all(&mut self) {
        while self.give_back().is_ok() && matches!(self.chain.leave(), Ok(Some(_))) {}
    }
}
