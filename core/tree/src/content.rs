//! The contents of one file: written piece by piece, or copied from another file in the cheapest way that works.

use crate::error::Error;
use crate::extents::{Extents, allocated, size};
use rustix::fd::BorrowedFd;
use rustix::fs::{Stat, copy_file_range, ftruncate, ioctl_ficlone};
use rustix::io::{Errno, pread, pwrite, retry_on_intr};
use std::ops::Range;

const BUFFER: usize = 256 << 10;
/// What one call copies at most, so that the caller's limit is looked at now and then.
const RANGE_MAX: u64 = 64 << 20;

/// Fills a new file in order, leaving holes.
pub(crate) struct Filler<'f> {
    file: BorrowedFd<'f>,
    path: Vec<u8>,
    at: u64,
    written: u64,
}

impl<'f> Filler<'f> {
    pub(crate) fn new(file: BorrowedFd<'f>, path: &[u8]) -> Self {
        Filler { file, path: path.to_vec(), at: 0, written: 0 }
    }

    /// Where the next byte goes.
    pub(crate) fn end(&self) -> u64 {
        self.at
    }

    pub(crate) fn skip_to(&mut self, offset: u64) {
        self.at = offset;
    }

    pub(crate) fn write(&mut self, mut piece: &[u8]) -> Result<(), Error> {
        while !piece.is_empty() {
            let length = retry_on_intr(|| pwrite(self.file, piece, self.at)).and_then(some);
            let length = length.map_err(|error| Error::io(&self.path, "write", error))?;
            piece = &piece[length..];
            self.at += length as u64;
        }
        self.written = self.at;
        Ok(())
    }

    /// Sets the size, which makes what follows the data a hole.
    pub(crate) fn finish(self, size: u64) -> Result<(), Error> {
        if size == self.written {
            return Ok(());
        }
        retry_on_intr(|| ftruncate(self.file, size)).map_err(|error| Error::io(&self.path, "set the size of", error))
    }
}

/// A write that writes nothing would go on forever.
fn some(length: usize) -> rustix::io::Result<usize> {
    if length == 0 { Err(Errno::IO) } else { Ok(length) }
}

/// Copies contents; remembers what the file systems cannot do.
pub(crate) struct Copier {
    clones: bool,
    ranges: bool,
    buffer: Vec<u8>,
}

impl Copier {
    pub(crate) fn new() -> Self {
        Copier { clones: true, ranges: true, buffer: Vec::new() }
    }

    /// Copies all of `from`, which `stat` describes, into the empty file `to`; returns the bytes of data, at most about
    /// `budget`.
    pub(crate) fn copy(
        &mut self,
        from: BorrowedFd<'_>,
        stat: &Stat,
        to: BorrowedFd<'_>,
        budget: u64,
    ) -> rustix::io::Result<u64> {
        let whole = size(stat);
        if whole == 0 {
            return Ok(0);
        }
        if self.clones && whole <= budget {
            match ioctl_ficlone(to, from) {
                Ok(()) => return Ok(whole.min(allocated(stat))),
                Err(_) => self.clones = false,
            }
        }
        let (mut copied, mut filled) = (0, 0);
        for extent in Extents::new(from, stat) {
            let extent = extent?;
            let end = self.extent(from, to, extent.clone(), budget - copied)?;
            copied += end - extent.start;
            filled = end;
            if end < extent.end {
                // Cut meanwhile, or over the budget, which the caller sees.
                return Ok(copied);
            }
            if copied > budget {
                return Ok(copied);
            }
        }
        if filled < whole {
            ftruncate(to, whole)?;
        }
        Ok(copied)
    }

    fn extent(
        &mut self,
        from: BorrowedFd<'_>,
        to: BorrowedFd<'_>,
        extent: Range<u64>,
        budget: u64,
    ) -> rustix::io::Result<u64> {
        let stop = extent.end.min(extent.start.saturating_add(budget).saturating_add(1));
        let mut at = extent.start;
        while at < stop {
            match self.piece(from, to, at, stop - at)? {
                0 => break,
                length => at += length,
            }
        }
        Ok(at)
    }

    fn piece(&mut self, from: BorrowedFd<'_>, to: BorrowedFd<'_>, at: u64, left: u64) -> rustix::io::Result<u64> {
        if self.ranges {
            let (mut source, mut target) = (at, at);
            let length = usize::try_from(left.min(RANGE_MAX)).expect("64 MiB fit");
            match copy_file_range(from, Some(&mut source), to, Some(&mut target), length) {
                Ok(0) => {}
                Ok(length) => return Ok(length as u64),
                Err(Errno::INTR) => return self.piece(from, to, at, left),
                Err(Errno::NOSPC) => return Err(Errno::NOSPC),
                Err(_) => self.ranges = false,
            }
        }
        self.through_memory(from, to, at, left)
    }

    fn through_memory(
        &mut self,
        from: BorrowedFd<'_>,
        to: BorrowedFd<'_>,
        at: u64,
        left: u64,
    ) -> rustix::io::Result<u64> {
        self.buffer.resize(BUFFER, 0);
        let want = usize::try_from(left).unwrap_or(BUFFER).min(BUFFER);
        let length = retry_on_intr(|| pread(from, &mut self.buffer[..want], at))?;
        let mut written = 0;
        while written < length {
            let piece = &self.buffer[written..length];
            written += retry_on_intr(|| pwrite(to, piece, at + written as u64)).and_then(some)?;
        }
        Ok(length as u64)
    }
}
