//! A tree becomes another tree, on the same machine.

use crate::content::Copier;
use crate::error::Error;
use crate::exclude::Exclude;
use crate::meta::{Identity, Meta};
use crate::options::{CopyOptions, Ownership};
use crate::place::{Last, Obstacle, Place, finish_file, give};
use crate::report::Report;
use crate::walk::{Bounds, Found, Looked, Walk, look, reason};
use crate::{path, sys, xattr};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{FileType, Stat};
use std::collections::HashMap;

/// Copies `from_name` in the directory `from`, whatever it is, to `to_name` in the directory `to`.
///
/// Both names are single names. Kinds, modes, mtimes, symlinks, hard links among the entries and holes are kept; FIFOs and
/// the whiteouts of an overlay are made anew, other devices and sockets are left out and named in the report. Contents are
/// shared where the file system can do it (`FICLONE`), else copied by the kernel, else through memory.
///
/// An existing directory is merged into; anything else in the way is replaced. No link is followed on either side. The
/// report counts `from_name` itself too.
pub fn copy(
    from: BorrowedFd<'_>,
    from_name: &[u8],
    to: BorrowedFd<'_>,
    to_name: &[u8],
    options: &CopyOptions,
) -> Result<Report, Error> {
    for name in [from_name, to_name] {
        path::check_name(name).map_err(|reason| Error::refused(name, reason))?;
    }
    let target = rustix::io::fcntl_dupfd_cloexec(to, 0).map_err(|error| Error::io(b"", "open", error))?;
    let mut copying = Copying {
        options,
        place: Place::new(target, None, Obstacle::Replaced),
        copier: Copier::new(),
        report: Report::default(),
        firsts: HashMap::new(),
    };
    match look(from, from_name, FileType::Unknown).map_err(|error| Error::io(from_name, "read", error))? {
        Looked::Directory(folder, stat) => copying.tree(folder, &stat, to_name)?,
        Looked::Other(found) => copying.entry(found, to_name, None, from)?,
    }
    copying.place.finish()?;
    Ok(copying.report)
}

struct Copying<'o> {
    options: &'o CopyOptions,
    place: Place,
    copier: Copier,
    report: Report,
    /// The copies of files with several names, by the path of the original.
    firsts: HashMap<Vec<u8>, Identity>,
}

impl Copying<'_> {
    fn tree(&mut self, root: OwnedFd, stat: &Stat, to_name: &[u8]) -> Result<(), Error> {
        let (entries, depth) = (self.options.max_entries, self.options.max_depth);
        let bounds = Bounds { entries, depth, exclude: Exclude::default() };
        let mut walk = Walk::new(root, bounds)?;
        self.directory(to_name, stat, walk.folder())?;
        let copy = sys::identity(self.place.folder()).map_err(|error| Error::io(to_name, "look at", error))?;
        if copy == Identity::from(stat) {
            return Err(Error::conflict(to_name, "it is the same directory as the original"));
        }
        walk.avoid(copy);
        while let Some(found) = walk.next(&mut self.report)? {
            let target = [to_name, b"/", walk.path()].concat();
            self.entry(found, &target, Some(to_name), walk.folder())?;
        }
        Ok(())
    }

    /// `folder` is the original when a directory was found.
    fn entry(&mut self, found: Found, target: &[u8], root: Option<&[u8]>, folder: BorrowedFd<'_>) -> Result<(), Error> {
        match found {
            Found::Directory(stat) => return self.directory(target, &stat, folder),
            Found::File(file, stat) => self.file(&file, &stat, target)?,
            Found::Symlink(stat, link) => {
                self.place.symlink(target, &link, self.last(&stat))?;
                self.report.links += 1;
            }
            Found::Special(stat) if is_copied(&stat) => {
                self.place.special(target, sys::kind(&stat), stat.st_rdev, self.last(&stat))?;
            }
            Found::Special(stat) => {
                self.report.skip(target, reason(&stat));
                return Ok(());
            }
            Found::Again(first) => {
                let first = [root.unwrap_or_default(), b"/", &first].concat();
                let known = self.firsts.get(&first).copied();
                self.place.hard_link(target, &first, |identity| Some(*identity) == known)?;
            }
        }
        self.report.entries += 1;
        Ok(())
    }

    fn directory(&mut self, target: &[u8], stat: &Stat, original: BorrowedFd<'_>) -> Result<(), Error> {
        self.place.directory(target, self.last(stat))?;
        self.attributes(original, self.place.folder(), target)?;
        self.report.directories += 1;
        self.report.entries += 1;
        Ok(())
    }

    fn file(&mut self, file: &OwnedFd, stat: &Stat, target: &[u8]) -> Result<(), Error> {
        let copy = self.place.file(target)?;
        let budget = self.options.max_bytes - self.report.bytes;
        let copied = self.copier.copy(file.as_fd(), stat, copy.as_fd(), budget);
        self.report.bytes += copied.map_err(|error| Error::io(target, "copy", error))?;
        if self.report.bytes > self.options.max_bytes {
            return Err(Error::Limit { what: "bytes", limit: self.options.max_bytes });
        }
        self.report.files += 1;
        if stat.st_nlink > 1 {
            let identity = sys::identity(copy.as_fd()).map_err(|error| Error::io(target, "look at", error))?;
            self.firsts.insert(target.to_vec(), identity);
        }
        let last = self.last(stat);
        // Giving a file away drops its capabilities, so it comes before the attributes.
        give(copy.as_fd(), last.owner).map_err(|error| Error::io(target, "give away", error))?;
        self.attributes(file.as_fd(), copy.as_fd(), target)?;
        finish_file(copy.as_fd(), target, Last { owner: None, ..last })
    }

    fn attributes(&self, from: BorrowedFd<'_>, to: BorrowedFd<'_>, target: &[u8]) -> Result<(), Error> {
        if !self.options.xattrs {
            return Ok(());
        }
        xattr::copy(from, to).map_err(|error| Error::io(target, "copy the extended attributes of", error))
    }

    fn last(&self, stat: &Stat) -> Last {
        let meta = Meta::from(stat);
        let owner = match self.options.owner {
            Ownership::Caller => None,
            Ownership::Keep => Some((stat.st_uid, stat.st_gid)),
            Ownership::Set(user, group) => Some((user, group)),
        };
        Last { meta: if self.options.keep_setid { meta } else { meta.without_setid() }, owner }
    }
}

/// FIFOs, and the whiteouts of an overlay: character devices of number 0.
fn is_copied(stat: &Stat) -> bool {
    match sys::kind(stat) {
        FileType::Fifo => true,
        FileType::CharacterDevice => stat.st_rdev == 0,
        _ => false,
    }
}
