//! A stream becomes a tree, whoever wrote it.

use crate::content::Filler;
use crate::error::Error;
use crate::meta::{Identity, Meta};
use crate::options::{Links, UnpackOptions};
use crate::path::{self, PATH_MAX};
use crate::place::{Last, Obstacle, Place, finish_file};
use crate::report::{Report, SkipReason};
use crate::stream::{DATA_MAX, Decoder, Item};
use crate::walk::open_root;
use rustix::fd::{AsFd, BorrowedFd};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::io::Read;

/// Extracts a stream of [`pack`](crate::pack) beneath the directory `root`.
///
/// Existing directories are merged into; anything else in the way is replaced, but a directory never by something else, and
/// nothing with [`keep_existing`](UnpackOptions::keep_existing).
/// Modes are those of the stream, whatever the umask. Nothing outside of `root` is touched, whatever the stream says and
/// whatever links lie in `root`.
///
/// `input` is read in pieces of 256 KiB and belongs to the call: it may be read beyond the end of the stream. After an error
/// what was extracted so far stays, and directories that were not finished are accessible to their owner only.
pub fn unpack(root: BorrowedFd<'_>, input: &mut dyn Read, options: &UnpackOptions) -> Result<Report, Error> {
    let root = open_root(root)?;
    let mut decoder = Decoder::new(input)?;
    let meta = match decoder.item()? {
        Item::Directory { path: b"", meta } => checked(meta, options)?,
        _ => return Err(Error::Corrupt { reason: "its first entry is not the root" }),
    };
    let last = (!options.keep_root).then_some(Last { meta, owner: None });
    let obstacle = if options.keep_existing { Obstacle::Kept } else { Obstacle::Replaced };
    let mut unpacker = Unpacker {
        options,
        place: Place::new(root, last, obstacle),
        report: Report::default(),
        came: Came::default(),
        path: Vec::new(),
        second: Vec::new(),
    };
    while unpacker.entry(&mut decoder)? {}
    unpacker.place.finish()?;
    Ok(unpacker.report)
}

struct Unpacker<'u> {
    options: &'u UnpackOptions,
    place: Place,
    report: Report,
    came: Came,
    path: Vec<u8>,
    /// The target of a symlink, or the first name of a hard link.
    second: Vec<u8>,
}

/// What the stream has brought, which its end must agree with.
#[derive(Default)]
struct Came {
    entries: u64,
    bytes: u64,
    /// Files that hard links may name. Each is a file that exists, so there are no more of them than `max_entries`.
    linked: HashSet<Identity>,
}

impl Unpacker<'_> {
    /// Takes one entry; false at the end.
    fn entry(&mut self, decoder: &mut Decoder<'_>) -> Result<bool, Error> {
        match decoder.item()? {
            Item::Directory { path, meta } => {
                self.begin(path, b"")?;
                let last = self.last(meta)?;
                self.place.directory(&self.path, last)?;
                self.report.directories += 1;
            }
            Item::File { path, meta, linked } => {
                self.begin(path, b"")?;
                let last = self.last(meta)?;
                self.file(decoder, last, linked)?;
            }
            Item::Symlink { path, meta, target } => {
                self.begin(path, target)?;
                let last = self.last(meta)?;
                if !self.symlink(last)? {
                    return Ok(true);
                }
            }
            Item::HardLink { path, first } => {
                self.begin(path, first)?;
                let linked = &self.came.linked;
                self.place.hard_link(&self.path, &self.second, |identity| linked.contains(identity))?;
            }
            Item::End { entries, bytes } => return self.end(entries, bytes),
            Item::Data { .. } | Item::FileEnd { .. } => {
                return Err(Error::Corrupt { reason: "it has data outside of a file" });
            }
        }
        self.report.entries += 1;
        Ok(true)
    }

    /// Checks the path of an entry against what may come, and keeps it.
    fn begin(&mut self, path: &[u8], second: &[u8]) -> Result<(), Error> {
        path::check(path).map_err(|reason| Error::refused(path, reason))?;
        if path::order(&self.path, path) != Ordering::Less {
            return Err(Error::refused(path, "it comes twice or out of order"));
        }
        if path::depth(path) > self.options.max_depth {
            return Err(Error::Limit { what: "levels", limit: self.options.max_depth as u64 });
        }
        self.came.entries += 1;
        if self.came.entries > self.options.max_entries {
            return Err(Error::Limit { what: "entries", limit: self.options.max_entries });
        }
        self.path.clear();
        self.path.extend_from_slice(path);
        self.second.clear();
        self.second.extend_from_slice(second);
        Ok(())
    }

    fn last(&self, meta: Meta) -> Result<Last, Error> {
        Ok(Last { meta: checked(meta, self.options)?, owner: self.options.owner })
    }

    fn symlink(&mut self, last: Last) -> Result<bool, Error> {
        if self.second.is_empty() || self.second.len() > PATH_MAX || self.second.contains(&0) {
            return Err(Error::refused(&self.path, "its target cannot be one"));
        }
        let (parent, _) = path::split(&self.path);
        if self.options.links == Links::Beneath && path::escapes(parent, &self.second) {
            self.report.skip(&self.path, SkipReason::Escaping);
            return Ok(false);
        }
        self.place.symlink(&self.path, &self.second, last)?;
        self.report.links += 1;
        Ok(true)
    }

    fn file(&mut self, decoder: &mut Decoder<'_>, last: Last, linked: bool) -> Result<(), Error> {
        let file = self.place.file(&self.path)?;
        self.report.files += 1;
        if linked {
            let identity = crate::sys::identity(file.as_fd());
            self.came.linked.insert(identity.map_err(|error| Error::io(&self.path, "look at", error))?);
        }
        let mut filler = Filler::new(file.as_fd(), &self.path);
        loop {
            match decoder.item()? {
                Item::Data { offset, length } => {
                    self.admit(filler.end(), offset, length)?;
                    filler.skip_to(offset);
                    decoder.data(length, |piece| filler.write(piece))?;
                    self.came.bytes += u64::from(length);
                    self.report.bytes += u64::from(length);
                }
                Item::FileEnd { size } => {
                    self.admit_size(filler.end(), size)?;
                    filler.finish(size)?;
                    return finish_file(file.as_fd(), &self.path, last);
                }
                _ => return Err(Error::Corrupt { reason: "a file has no end" }),
            }
        }
    }

    /// Whether a piece of data may come here.
    fn admit(&self, end: u64, offset: u64, length: u32) -> Result<(), Error> {
        if length == 0 || length as usize > DATA_MAX {
            return Err(Error::Corrupt { reason: "a piece of data is empty or too long" });
        }
        if offset < end {
            return Err(Error::Corrupt { reason: "the data of a file overlaps or goes back" });
        }
        let length = u64::from(length);
        let size = offset.checked_add(length).ok_or(Error::Corrupt { reason: "an offset is out of range" })?;
        if self.came.bytes.saturating_add(length) > self.options.max_bytes {
            return Err(Error::Limit { what: "bytes", limit: self.options.max_bytes });
        }
        self.admit_size(end, size)
    }

    fn admit_size(&self, end: u64, size: u64) -> Result<(), Error> {
        if size < end {
            return Err(Error::Corrupt { reason: "a file is shorter than its data" });
        }
        let limit = self.options.max_file_bytes.min(i64::MAX as u64);
        if size > limit {
            return Err(Error::Limit { what: "bytes in one file", limit });
        }
        Ok(())
    }

    fn end(&self, entries: u64, bytes: u64) -> Result<bool, Error> {
        if (entries, bytes) == (self.came.entries, self.came.bytes) {
            return Ok(false);
        }
        Err(Error::Corrupt { reason: "its totals are not those of its entries" })
    }
}

fn checked(meta: Meta, options: &UnpackOptions) -> Result<Meta, Error> {
    match meta.is_valid() {
        true if options.keep_setid => Ok(meta),
        true => Ok(meta.without_setid()),
        false => Err(Error::Corrupt { reason: "a mode or a time is out of range" }),
    }
}
