//! The parts of a file that hold data, so that holes stay holes.

use rustix::fd::BorrowedFd;
use rustix::fs::{SeekFrom, Stat, seek};
use rustix::io::{Errno, Result};
use std::ops::Range;

const BLOCK: u64 = 512;

/// The data ranges of a file up to the size that it had when it was opened.
///
/// It ends for any file, also one that is rewritten meanwhile: each range begins after the one before.
pub(crate) struct Extents<'f> {
    file: BorrowedFd<'f>,
    at: u64,
    size: u64,
    sparse: bool,
}

impl<'f> Extents<'f> {
    pub(crate) fn new(file: BorrowedFd<'f>, stat: &Stat) -> Self {
        let size = size(stat);
        Extents { file, at: 0, size, sparse: allocated(stat) < size }
    }

    fn next_data(&self) -> Result<Option<Range<u64>>> {
        let start = match seek(self.file, SeekFrom::Data(self.at)) {
            Ok(start) => start.max(self.at),
            Err(Errno::NXIO) => return Ok(None),
            Err(Errno::INVAL | Errno::OPNOTSUPP) => return Ok(Some(self.at..self.size)),
            Err(error) => return Err(error),
        };
        let end = match seek(self.file, SeekFrom::Hole(start)) {
            Ok(end) => end.min(self.size),
            // The file was cut meanwhile; reading finds out where.
            Err(_) => self.size,
        };
        Ok((start < end).then_some(start..end))
    }
}

impl Iterator for Extents<'_> {
    type Item = Result<Range<u64>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.size {
            return None;
        }
        let found = if self.sparse { self.next_data() } else { Ok(Some(self.at..self.size)) };
        self.at = match &found {
            Ok(Some(range)) => range.end,
            _ => self.size,
        };
        found.transpose()
    }
}

/// The bytes that a file takes up, which are fewer than its size when it has holes.
pub(crate) fn allocated(stat: &Stat) -> u64 {
    u64::try_from(stat.st_blocks).unwrap_or(0).saturating_mul(BLOCK)
}

pub(crate) fn size(stat: &Stat) -> u64 {
    u64::try_from(stat.st_size).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fd::AsFd;
    use std::os::unix::fs::FileExt;

    #[test]
    fn holes_are_left_out_and_data_is_not() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(64 << 20).unwrap();
        file.write_all_at(b"middle", 32 << 20).unwrap();
        let stat = rustix::fs::fstat(&file).unwrap();
        let ranges: Vec<_> = Extents::new(file.as_fd(), &stat).map(|range| range.unwrap()).collect();
        assert_eq!(ranges.len(), 1, "{ranges:?}: the file system of the temporary directory has no holes");
        assert!(ranges[0].contains(&(32 << 20)) && ranges[0].end - ranges[0].start <= 1 << 20, "{ranges:?}");
    }

    #[test]
    fn a_dense_file_is_one_range_and_an_empty_one_none() {
        let file = tempfile::tempfile().unwrap();
        let ranges =
            || Extents::new(file.as_fd(), &rustix::fs::fstat(&file).unwrap()).collect::<Result<Vec<_>>>().unwrap();
        assert!(ranges().is_empty());
        file.write_all_at(&[1; 10_000], 0).unwrap();
        assert_eq!(ranges().as_slice(), std::slice::from_ref(&(0..10_000)));
    }
}
