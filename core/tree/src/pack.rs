//! A tree becomes a stream.

use crate::error::Error;
use crate::exclude::Exclude;
use crate::extents::{Extents, size};
use crate::meta::Meta;
use crate::options::PackOptions;
use crate::report::Report;
use crate::stream::{DATA_MAX, Encoder, Item};
use crate::walk::{Bounds, Found, Walk, open_root, reason};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::Stat;
use std::io::Write;

/// Writes everything beneath the directory `root` that no pattern covers, and its own mode and mtime, to `out`.
///
/// Symlinks are sent as links and never followed, a further name of a file as a hard link, holes as holes. Sockets, FIFOs and
/// devices are left out and named in the report; so is what vanishes while the walk runs. A file that changes meanwhile is
/// sent as it was read, never beyond the size that it had when it was opened.
///
/// `out` is written in pieces of about 256 KiB and flushed at the end. After an error it has an incomplete stream, which
/// [`unpack`](crate::unpack) refuses.
pub fn pack(root: BorrowedFd<'_>, out: &mut dyn Write, options: &PackOptions) -> Result<Report, Error> {
    let exclude = Exclude::new(&options.exclude)?;
    let root = open_root(root)?;
    let stat = rustix::fs::fstat(&root).map_err(|error| Error::io(b"", "look at", error))?;
    let walk = Walk::new(root, Bounds { entries: options.max_entries, depth: options.max_depth, exclude })?;
    let mut packer = Packer { walk, out: Encoder::new(out), report: Report::default(), options };
    packer.directory(&stat)?;
    while let Some(found) = packer.walk.next(&mut packer.report)? {
        packer.entry(found)?;
    }
    let Report { entries, bytes, .. } = packer.report;
    packer.item(|_| Item::End { entries, bytes })?;
    packer.out.finish().map_err(|error| Error::io(b"", "write the stream of", error))?;
    Ok(packer.report)
}

struct Packer<'o> {
    walk: Walk,
    out: Encoder<'o>,
    report: Report,
    options: &'o PackOptions,
}

impl Packer<'_> {
    fn item<'a>(&'a mut self, make: impl FnOnce(&'a [u8]) -> Item<'a>) -> Result<(), Error> {
        let path = self.walk.path();
        self.out.item(&make(path)).map_err(|error| Error::io(path, "write the stream at", error))
    }

    fn entry(&mut self, found: Found) -> Result<(), Error> {
        match found {
            Found::Special(stat) => {
                self.report.skip(self.walk.path(), reason(&stat));
                return Ok(());
            }
            Found::Directory(stat) => {
                self.directory(&stat)?;
                self.report.directories += 1;
            }
            Found::Symlink(stat, target) => {
                self.item(|path| Item::Symlink { path, meta: Meta::from(&stat), target: &target })?;
                self.report.links += 1;
            }
            Found::Again(first) => self.item(|path| Item::HardLink { path, first: &first })?,
            Found::File(file, stat) => self.file(&file, &stat)?,
        }
        self.report.entries += 1;
        Ok(())
    }

    /// Before anything was found, the path is that of the root.
    fn directory(&mut self, stat: &Stat) -> Result<(), Error> {
        let meta = Meta::from(stat).with_mode(self.options.directory_mode);
        self.item(|path| Item::Directory { path, meta })
    }

    fn file(&mut self, file: &OwnedFd, stat: &Stat) -> Result<(), Error> {
        let meta = Meta::from(stat).with_mode(self.options.file_mode);
        self.item(|path| Item::File { path, meta, linked: stat.st_nlink > 1 })?;
        self.report.files += 1;
        let size = self.contents(file.as_fd(), stat)?;
        self.item(|_| Item::FileEnd { size })
    }

    /// Sends the data and returns the size: as it was at first, or shorter when the file was cut meanwhile.
    fn contents(&mut self, file: BorrowedFd<'_>, stat: &Stat) -> Result<u64, Error> {
        for extent in Extents::new(file, stat) {
            let extent = extent.map_err(|error| Error::io(self.walk.path(), "find the data of", error))?;
            let mut at = extent.start;
            while at < extent.end {
                match self.piece(file, at, extent.end - at)? {
                    0 => return Ok(at),
                    length => at += length,
                }
            }
        }
        Ok(size(stat))
    }

    fn piece(&mut self, file: BorrowedFd<'_>, at: u64, left: u64) -> Result<u64, Error> {
        let want = usize::try_from(left).unwrap_or(DATA_MAX).min(DATA_MAX);
        let read = |into: &mut [u8]| rustix::io::retry_on_intr(|| rustix::io::pread(file, &mut *into, at));
        let length = self
            .out
            .data(at, want, read)
            .map_err(|error| Error::io(self.walk.path(), "write the stream at", error))?
            .map_err(|error| Error::io(self.walk.path(), "read", error))?;
        self.report.bytes += length as u64;
        if self.report.bytes > self.options.max_bytes {
            return Err(Error::Limit { what: "bytes", limit: self.options.max_bytes });
        }
        Ok(length as u64)
    }
}
