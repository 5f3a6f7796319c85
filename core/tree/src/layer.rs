//! An overlay's layer becomes another layer, exactly.
//!
//! Unlike [`copy`](crate::copy()), which works among the living with limits of its own, this is for a tree that stands
//! still and has to arrive whole, however deep, odd and large it is:
//!
//! ```text
//! for each entry, depth first    a directory is entered on both sides; the last 64 levels are open
//!   with several names           the first copy is also put into a directory aside, where the further names find it
//!   directory left               owner, attributes, mode and time, as nothing comes into it any more
//! ```
//!
//! Memory is bounded by the names of the directories on the way and one number for each file with several names.

use crate::chain::Chain;
use crate::content::Copier;
use crate::error::Error;
use crate::lend::{self, mode_of};
use crate::meta::{Identity, Meta, names};
use crate::report::Report;
use crate::walk::reason;
use crate::{sys, xattr};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, Gid, Mode, OFlags, Stat, Uid};
use rustix::io::{Errno, retry_on_intr};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

const LISTING: usize = 32 << 10;
/// Bytes of a path that an error shows.
const SHOWN: usize = 4096;
/// Whom things belong to that belong to nobody of the sandbox.
const NOBODY: u32 = 65_534;

/// `count` ids from `from` on become those from `to` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdShift {
    /// The first id of the original.
    pub from: u32,
    /// The first id of the copy.
    pub to: u32,
    /// How many.
    pub count: u32,
}

/// How [`copy_layer`] copies.
#[derive(Debug)]
pub struct LayerOptions<'a> {
    /// What becomes of user ids; the owner stays as it is (the caller's, without privilege) when this is empty, and what is
    /// in no range belongs to nobody.
    pub users: &'a [IdShift],
    /// The same for groups.
    pub groups: &'a [IdShift],
    /// Ends the copy with `EINTR` once it is set.
    pub cancelled: &'a AtomicBool,
}

/// Copies everything in the directory `from`, and its own attributes, to the empty directory `to`, both open for reading
/// and the caller's own.
///
/// Kinds, modes, owners, times, symlinks, hard links, holes and extended attributes are kept; FIFOs, sockets and
/// whiteouts are made anew; other devices are left out and named in the report. Of overlayfs' own attributes those stay
/// that say something about a lower layer. Contents are shared where the file system can do it.
///
/// What the owner, who is the caller, took the right to read away from is given it for the moment of reading.
///
/// # Errors
/// [`Error::Io`] with `EINTR` when it was cancelled; the copy is incomplete after any error.
pub fn copy_layer(from: BorrowedFd<'_>, to: BorrowedFd<'_>, options: &LayerOptions<'_>) -> Result<Report, Error> {
    let at_root = |error| Error::io(b"", "open", error);
    let stat = rustix::fs::fstat(from).map_err(at_root)?;
    let level = Level { names: Vec::new(), stat, mode: lend::lend(from, &stat).map_err(at_root)? };
    let source = Chain::new(sys::open_folder(from, b".").map_err(at_root)?, level);
    let target = Chain::new(sys::open_folder(to, b".").map_err(at_root)?, ());
    let aside_name = aside_name();
    rustix::fs::mkdirat(to, &aside_name, Mode::RWXU).map_err(at_root)?;
    let aside = sys::open_folder(to, aside_name.as_bytes()).map_err(at_root)?;
    let mut copying = Copying {
        options,
        source,
        target,
        aside,
        aside_name,
        linked: HashMap::new(),
        copier: Copier::new(),
        listing: Vec::with_capacity(LISTING),
        report: Report::default(),
    };
    let copied = copying.run();
    copying.give_back_all();
    copied?;
    Ok(copying.report)
}

struct Level {
    names: Vec<Box<[u8]>>,
    stat: Stat,
    /// The mode to give back, where it was changed to be able to read.
    mode: Option<Mode>,
}

struct Copying<'a> {
    options: &'a LayerOptions<'a>,
    source: Chain<Level>,
    target: Chain<()>,
    /// A directory in the copy, for as long as it is made, in which files with further names to come have one more.
    aside: OwnedFd,
    aside_name: String,
    /// The further names to come of the files that are aside, by the original.
    linked: HashMap<Identity, (u32, u64)>,
    copier: Copier,
    listing: Vec<u8>,
    report: Report,
}

impl Copying<'_> {
    fn run(&mut self) -> Result<(), Error> {
        self.list()?;
        loop {
            if self.options.cancelled.load(Ordering::Relaxed) {
                return Err(self.failed("copy", Errno::INTR));
            }
            match self.source.state().names.pop() {
                Some(name) => self.entry(&name)?,
                None if self.source.depth() == 0 => break,
                None => self.leave()?,
            }
        }
        self.clear_aside()?;
        self.finish_directory()
    }

    fn failed(&self, action: &'static str, error: Errno) -> Error {
        let path = self.source.path();
        Error::io(&path[..path.len().min(SHOWN)], action, error)
    }

    fn failed_at(&self, name: &[u8], action: &'static str, error: Errno) -> Error {
        let path = self.source.path();
        let path = [&path[..path.len().min(SHOWN)], b"/", name].concat();
        Error::io(path.strip_prefix(b"/").unwrap_or(&path), action, error)
    }

    fn list(&mut self) -> Result<(), Error> {
        let (folder, level) = self.source.split();
        match lend::list(folder, &mut self.listing) {
            Ok(names) => level.names = names,
            Err(errno) => return Err(self.failed("list", errno)),
        }
        Ok(())
    }

    fn entry(&mut self, name: &[u8]) -> Result<(), Error> {
        let stat = sys::stat(self.source.current(), name).map_err(|errno| self.failed_at(name, "look at", errno))?;
        let kind = sys::kind(&stat);
        if kind == FileType::Directory {
            return self.enter(name, &stat).map_err(|errno| self.failed_at(name, "copy the directory", errno))?;
        }
        self.other(name, &stat, kind).map_err(|errno| self.failed_at(name, "copy", errno))?;
        Ok(())
    }

    fn enter(&mut self, name: &[u8], stat: &Stat) -> Result<Result<(), Error>, Errno> {
        let (folder, mode) = lend::open_directory(self.source.current(), name)?;
        rustix::fs::mkdirat(self.target.current(), name, Mode::RWXU)?;
        let copy = sys::open_folder(self.target.current(), name)?;
        self.report.directories += 1;
        self.report.entries += 1;
        let level = Level { names: Vec::new(), stat: *stat, mode };
        let entered = self.source.enter(name, folder, level).and_then(|()| self.target.enter(name, copy, ()));
        Ok(entered.and_then(|()| self.list()))
    }

    fn leave(&mut self) -> Result<(), Error> {
        self.finish_directory()?;
        self.source.leave()?;
        self.target.leave()?;
        Ok(())
    }

    fn finish_directory(&mut self) -> Result<(), Error> {
        let (folder, level) = self.source.split();
        let stat = level.stat;
        let back = level.mode.take().map_or(Ok(()), |mode| rustix::fs::fchmod(folder, mode));
        let done = back.and_then(|()| self.finish(self.source.current(), self.target.current(), &stat));
        done.map_err(|errno| self.failed("set the attributes of", errno))
    }

    /// Gives back what was lent, when the copy broke off.
    fn give_back_all(&mut self) {
        loop {
            let (folder, level) = self.source.split();
            if let Some(mode) = level.mode.take() {
                let _ = rustix::fs::fchmod(folder, mode);
            }
            if !matches!(self.source.leave(), Ok(Some(_))) {
                return;
            }
        }
    }

    fn other(&mut self, name: &[u8], stat: &Stat, kind: FileType) -> Result<(), Errno> {
        if stat.st_nlink > 1 && self.link_again(name, stat)? {
            self.report.entries += 1;
            return Ok(());
        }
        match kind {
            FileType::RegularFile => self.file(name, stat)?,
            FileType::Symlink => {
                let target = rustix::fs::readlinkat(self.source.current(), name, Vec::new())?;
                rustix::fs::symlinkat(target, self.target.current(), name)?;
                self.finish_name(name, stat, false)?;
                self.report.links += 1;
            }
            FileType::Fifo | FileType::Socket => self.node(name, stat, kind, 0)?,
            FileType::CharacterDevice if stat.st_rdev == 0 => self.node(name, stat, kind, 0)?,
            _ => {
                let path = [self.source.path(), b"/", name].concat();
                self.report.skip(&path[..path.len().min(SHOWN)], reason(stat));
                return Ok(());
            }
        }
        self.report.entries += 1;
        if stat.st_nlink > 1 {
            self.put_aside(name, stat)?;
        }
        Ok(())
    }

    fn node(&self, name: &[u8], stat: &Stat, kind: FileType, device: u64) -> Result<(), Errno> {
        rustix::fs::mknodat(self.target.current(), name, kind, Mode::RUSR, device)?;
        self.finish_name(name, stat, true)
    }

    fn file(&mut self, name: &[u8], stat: &Stat) -> Result<(), Errno> {
        let file = lend::open_file(self.source.current(), name, stat)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let private = Mode::RUSR | Mode::WUSR;
        let copy = retry_on_intr(|| rustix::fs::openat(self.target.current(), name, flags, private))?;
        self.report.bytes += self.copier.copy(file.as_fd(), stat, copy.as_fd(), u64::MAX / 2)?;
        self.report.files += 1;
        self.finish(file.as_fd(), copy.as_fd(), stat)
    }

    /// Makes one more name of a file that was copied before; false when it was not.
    fn link_again(&mut self, name: &[u8], stat: &Stat) -> Result<bool, Errno> {
        let identity = Identity::from(stat);
        let Some((number, to_come)) = self.linked.get_mut(&identity) else { return Ok(false) };
        let aside = number.to_string();
        if *to_come > 1 {
            *to_come -= 1;
            rustix::fs::linkat(&self.aside, aside, self.target.current(), name, AtFlags::empty())?;
        } else {
            // The last one is the name aside itself, as there may be no room for one more.
            self.linked.remove(&identity);
            rustix::fs::renameat(&self.aside, aside, self.target.current(), name)?;
        }
        Ok(true)
    }

    fn put_aside(&mut self, name: &[u8], stat: &Stat) -> Result<(), Errno> {
        let number = u32::try_from(self.report.entries).map_err(|_| Errno::OVERFLOW)?;
        rustix::fs::linkat(self.target.current(), name, &self.aside, number.to_string(), AtFlags::empty())?;
        self.linked.insert(Identity::from(stat), (number, names(stat) - 1));
        Ok(())
    }

    /// Removes the directory aside, with the files that have further names outside of the tree.
    fn clear_aside(&self) -> Result<(), Error> {
        crate::remove(self.target.root(), self.aside_name.as_bytes())
    }

    fn owner(&self, stat: &Stat) -> Option<(Uid, Gid)> {
        let user = shifted(self.options.users, stat.st_uid)?;
        let group = shifted(self.options.groups, stat.st_gid)?;
        Some((Uid::from_raw_unchecked(user), Gid::from_raw_unchecked(group)))
    }

    /// Gives a copy its owner, attributes, mode and time: in this order, since each takes away what comes after it.
    fn finish(&self, from: BorrowedFd<'_>, copy: BorrowedFd<'_>, stat: &Stat) -> Result<(), Errno> {
        if let Some((user, group)) = self.owner(stat) {
            rustix::fs::fchown(copy, Some(user), Some(group))?;
        }
        xattr::copy_layers(from, copy, self.options)?;
        rustix::fs::fchmod(copy, mode_of(stat))?;
        rustix::fs::futimens(copy, &Meta::from(stat).times())
    }

    /// The same for what is not opened.
    fn finish_name(&self, name: &[u8], stat: &Stat, has_mode: bool) -> Result<(), Errno> {
        let at = self.target.current();
        if let Some((user, group)) = self.owner(stat) {
            rustix::fs::chownat(at, name, Some(user), Some(group), AtFlags::SYMLINK_NOFOLLOW)?;
        }
        if has_mode {
            rustix::fs::chmodat(at, name, mode_of(stat), AtFlags::empty())?;
        }
        rustix::fs::utimensat(at, name, &Meta::from(stat).times(), AtFlags::SYMLINK_NOFOLLOW)
    }
}

/// A name that nothing in the original has, since nobody could foresee it.
fn aside_name() -> String {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    format!(".isobox-names-{:x}-{:x}", now.tv_sec, now.tv_nsec)
}

/// The id of the copy; none when nothing is shifted.
pub(crate) fn shifted(shifts: &[IdShift], id: u32) -> Option<u32> {
    if shifts.is_empty() {
        return None;
    }
    let found = shifts.iter().find_map(|shift| {
        let offset = id.checked_sub(shift.from).filter(|offset| *offset < shift.count)?;
        shift.to.checked_add(offset)
    });
    Some(found.unwrap_or(NOBODY))
}
