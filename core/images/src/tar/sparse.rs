//! Files with holes, in the four ways that GNU tar writes them (GNU tar manual, "Storing Sparse Files").

use super::header::BLOCK;
use super::pax::{bad, number};
use super::{Entries, Stream, WHAT, fill};
use crate::problem::{Outcome, Problem, reading};
use std::io::Read;
use tar::{GnuExtSparseHeader, GnuSparseHeader, Header};

/// The most pieces of one file.
const MAX_SEGMENTS: usize = 1 << 18;

/// `length` bytes of data at `offset`; all else is a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

/// Where a file's data is, and its size.
#[derive(Debug, Default)]
pub(super) struct Map {
    pub(super) segments: Vec<Segment>,
    pub(super) size: u64,
}

/// What the extended header says: formats 0.0 and 0.1 have the map in it, 1.0 in front of the data.
#[derive(Debug, Default)]
pub(super) struct Sparse {
    size: u64,
    before_data: bool,
    numbers: Vec<u64>,
}

impl Sparse {
    pub(super) fn take(&mut self, key: &[u8], value: &[u8]) -> Outcome {
        match key {
            b"size" | b"realsize" => self.size = number(value)?,
            b"major" => self.before_data = value == b"1",
            b"offset" | b"numbytes" => self.push(number(value)?)?,
            b"map" if !value.is_empty() => {
                self.numbers.clear();
                value.split(|byte| *byte == b',').try_for_each(|value| self.push(number(value)?))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn push(&mut self, value: u64) -> Outcome {
        if self.numbers.len() >= 2 * MAX_SEGMENTS {
            return Err(many());
        }
        self.numbers.push(value);
        Ok(())
    }

    /// The map. `None` when the header says nothing of holes after all.
    pub(super) fn segments<R: Stream>(mut self, entry: &mut Entries<R>) -> Outcome<Option<Map>> {
        if self.before_data {
            self.read_map(entry)?;
        }
        if !self.numbers.len().is_multiple_of(2) {
            return Err(bad("the map of holes"));
        }
        let segments = self.numbers.chunks(2).map(|pair| Segment { offset: pair[0], length: pair[1] }).collect();
        Ok(Some(Map { segments, size: self.size }))
    }

    /// Decimal numbers, one a line, the first one how many pairs there are; filled up to a block.
    fn read_map<R: Stream>(&mut self, entry: &mut Entries<R>) -> Outcome {
        self.numbers.clear();
        let (mut wanted, mut digits) = (None, Vec::new());
        let mut block = [0; BLOCK];
        while wanted.is_none_or(|wanted| self.numbers.len() < wanted) {
            entry.read_exact(&mut block).map_err(|error| reading(WHAT, error))?;
            for byte in block {
                match byte {
                    b'\n' => {
                        let value = number(&digits)?;
                        digits.clear();
                        match wanted {
                            None => {
                                wanted = Some(
                                    usize::try_from(value).ok().filter(|n| *n <= MAX_SEGMENTS).ok_or_else(many)? * 2,
                                )
                            }
                            Some(wanted) if self.numbers.len() < wanted => self.push(value)?,
                            Some(_) => {}
                        }
                    }
                    // What fills the block.
                    0 => {}
                    digit if digits.len() < 20 => digits.push(digit),
                    _ => return Err(bad("the map of holes")),
                }
                if wanted == Some(self.numbers.len()) {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// The map of the oldest format: four pieces in the header, more in blocks behind it.
pub(super) fn old(header: &Header, stream: &mut impl Read) -> Outcome<Map> {
    let gnu = header.as_gnu().ok_or_else(|| bad("the map of holes"))?;
    let size = gnu.real_size().map_err(|_| bad("the size"))?;
    let mut map = Map { segments: Vec::new(), size };
    add(&mut map, &gnu.sparse)?;
    let mut more = gnu.is_extended();
    while more {
        let mut next = GnuExtSparseHeader::new();
        if fill(stream, next.as_mut_bytes())? != BLOCK {
            return Err(super::cut());
        }
        add(&mut map, &next.sparse)?;
        more = next.is_extended();
    }
    Ok(map)
}

fn add(map: &mut Map, pieces: &[GnuSparseHeader]) -> Outcome {
    for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
        let read = |field: std::io::Result<u64>| field.map_err(|_| bad("the map of holes"));
        if map.segments.len() >= MAX_SEGMENTS {
            return Err(many());
        }
        map.segments.push(Segment { offset: read(piece.offset())?, length: read(piece.length())? });
    }
    Ok(())
}

/// Fails unless the pieces are in order, within the size, and as long as the contents. Gives the size back.
pub(super) fn check(segments: &[Segment], size: u64, contents: u64) -> Outcome<u64> {
    let (mut end, mut sum) = (0, 0u64);
    for segment in segments {
        let next = segment.offset.checked_add(segment.length);
        match next {
            Some(next) if segment.offset >= end && next <= size => end = next,
            _ => return Err(bad("the map of holes")),
        }
        sum = sum.checked_add(segment.length).ok_or_else(|| bad("the map of holes"))?;
    }
    if sum == contents { Ok(size) } else { Err(bad("the map of holes")) }
}

fn many() -> Problem {
    Problem::Limit { what: "pieces of a file with holes", max: MAX_SEGMENTS as u64 }
}
