//! The entries of a tar stream, as layers have them: ustar, GNU and PAX.
//!
//! The headers are decoded by the crate `tar`; how they follow each other is decided here, because a layer is hostile:
//! every extension has a limit, sizes are added with care, and a size that an extension gives counts for the header
//! after it and for nothing else, so that two readers cannot disagree about where an entry begins.
//!
//! Nothing here does more than read from the stream, in order, with memory that does not grow with it.

mod header;
mod pax;
mod sparse;

pub(crate) use sparse::Segment;

use crate::problem::{Outcome, Problem, reading};
use header::BLOCK;
use pax::Extensions;
use std::io::{self, Read};
use tar::{EntryType, Header};

/// The most bytes of one extension: a long name, or the attributes of one entry.
const MAX_EXTENSION: u64 = 1 << 20;

const WHAT: &str = "a layer";

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    HardLink,
    Symlink,
    /// A character or block device.
    Device,
    Directory,
    Fifo,
}

/// One entry, as it is written: nothing of it is checked but its syntax.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) path: Vec<u8>,
    /// The target of a link.
    pub(crate) link: Vec<u8>,
    pub(crate) kind: Kind,
    pub(crate) mode: u32,
    pub(crate) uid: u64,
    pub(crate) gid: u64,
    /// Seconds since 1970 and nanoseconds.
    pub(crate) mtime: (i64, u32),
    /// The size of a file, holes counted.
    pub(crate) size: u64,
    /// Where the data of a file with holes goes.
    pub(crate) segments: Option<Vec<Segment>>,
    pub(crate) xattrs: Vec<(Vec<u8>, Vec<u8>)>,
}

/// Where a tar stream comes from.
pub(crate) trait Stream: Read {
    /// Passes bytes over, and says how many there were.
    fn skip(&mut self, count: u64) -> io::Result<u64>
    where
        Self: Sized,
    {
        io::copy(&mut self.by_ref().take(count), &mut io::sink())
    }
}

impl Stream for &[u8] {}
impl Stream for crate::pipe::Ahead {}
impl<S: Stream> Stream for &mut S {
    fn skip(&mut self, count: u64) -> io::Result<u64> {
        (**self).skip(count)
    }
}

/// Reads entry after entry.
pub(crate) struct Entries<R> {
    stream: R,
    /// Bytes of the present entry's contents that were not read yet.
    left: u64,
    /// Bytes that fill its last block.
    padding: u64,
}

impl<R: Stream> Entries<R> {
    pub(crate) fn new(stream: R) -> Self {
        Self { stream, left: 0, padding: 0 }
    }

    /// The next entry; `None` behind the last. What was not read of the one before is skipped.
    pub(crate) fn next(&mut self) -> Outcome<Option<Entry>> {
        let mut extensions = Extensions::default();
        loop {
            self.skip()?;
            let Some(header) = self.header()? else { return Ok(None) };
            let kind = header.entry_type();
            let size = header::number(header.entry_size(), "size")?;
            match kind {
                EntryType::XHeader => extensions.read_pax(&self.extension(size)?)?,
                EntryType::GNULongName => extensions.path = Some(header::text(&self.extension(size)?)),
                EntryType::GNULongLink => extensions.link = Some(header::text(&self.extension(size)?)),
                // Says something about all entries, of which nothing matters here.
                EntryType::XGlobalHeader => drop(self.extension(size)?),
                _ => {
                    // What has no contents may say a size all the same, and Go, which reads most layers, does not believe it.
                    let contents = !header::is_header_only(kind);
                    self.open(if contents { extensions.size.unwrap_or(size) } else { 0 })?;
                    match self.entry(&header, std::mem::take(&mut extensions))? {
                        Some(entry) => return Ok(Some(entry)),
                        None => continue,
                    }
                }
            }
        }
    }

    /// The stream, which is at the contents of the present entry.
    pub(crate) fn stream(&self) -> &R {
        &self.stream
    }

    /// Reads behind the last entry to the end of the stream.
    pub(crate) fn finish(mut self) -> Outcome {
        io::copy(&mut self.stream, &mut io::sink()).map(drop).map_err(|error| reading(WHAT, error))
    }

    fn open(&mut self, size: u64) -> Outcome {
        self.left = size;
        self.padding = (BLOCK as u64 - size % BLOCK as u64) % BLOCK as u64;
        match size.checked_add(self.padding) {
            Some(_) => Ok(()),
            None => Err(Problem::corrupt(WHAT, "an entry's size is no size")),
        }
    }

    fn skip(&mut self) -> Outcome {
        let rest = self.left + self.padding;
        (self.left, self.padding) = (0, 0);
        if rest == 0 {
            return Ok(());
        }
        match self.stream.skip(rest).map_err(|error| reading(WHAT, error))? {
            count if count == rest => Ok(()),
            _ => Err(cut()),
        }
    }

    /// The next header; `None` at the end, which is a block of zeros or the end of the stream.
    fn header(&mut self) -> Outcome<Option<Header>> {
        let mut block = [0; BLOCK];
        match fill(&mut self.stream, &mut block)? {
            0 => return Ok(None),
            BLOCK => {}
            _ => return Err(cut()),
        }
        if block == [0; BLOCK] {
            return Ok(None);
        }
        let header = Header::from_byte_slice(&block).clone();
        header::check(&header)?;
        Ok(Some(header))
    }

    fn extension(&mut self, size: u64) -> Outcome<Vec<u8>> {
        if size > MAX_EXTENSION {
            return Err(Problem::Limit { what: "bytes in an entry's name or attributes", max: MAX_EXTENSION });
        }
        self.open(size)?;
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes).map_err(|error| reading(WHAT, error))?;
        Ok(bytes)
    }

    fn entry(&mut self, header: &Header, extensions: Extensions) -> Outcome<Option<Entry>> {
        let path = match extensions.path {
            Some(path) => path,
            None => header.path_bytes().into_owned(),
        };
        let Some(kind) = header::kind(header, &path) else { return Ok(None) };
        let segments = match (extensions.sparse, header.entry_type()) {
            (Some(sparse), _) => sparse.segments(self)?,
            (None, EntryType::GNUSparse) => Some(sparse::old(header, &mut self.stream)?),
            _ => None,
        };
        let (segments, size) = match (segments, kind) {
            (Some(map), Kind::File) => {
                let size = sparse::check(&map.segments, map.size, self.left)?;
                (Some(map.segments), size)
            }
            _ => (None, self.left),
        };
        let link =
            extensions.link.or_else(|| header.link_name_bytes().map(|link| link.into_owned())).unwrap_or_default();
        Ok(Some(Entry {
            path: extensions.sparse_name.unwrap_or(path),
            link,
            kind,
            mode: header::number(header.mode(), "mode")? & 0o7777,
            uid: match extensions.uid {
                Some(uid) => uid,
                None => header::number(header.uid(), "owner")?,
            },
            gid: match extensions.gid {
                Some(gid) => gid,
                None => header::number(header.gid(), "group")?,
            },
            mtime: match extensions.mtime {
                Some(mtime) => mtime,
                None => (header::time(header)?, 0),
            },
            size,
            segments,
            xattrs: extensions.xattrs,
        }))
    }
}

/// The contents of the present entry.
impl<R: Stream> Read for Entries<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        if most == 0 {
            return Ok(0);
        }
        let count = self.stream.read(&mut buffer[..most])?;
        if count == 0 {
            return Err(cut().into());
        }
        self.left -= count as u64;
        Ok(count)
    }
}

fn cut() -> Problem {
    Problem::corrupt(WHAT, "it ends in the middle of an entry")
}

/// Reads until the buffer is full or the stream ends.
fn fill(stream: &mut impl Read, buffer: &mut [u8]) -> Outcome<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match stream.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(reading(WHAT, error)),
        }
    }
    Ok(filled)
}
