//! Writing a tree stream, in pieces of about 256 KiB.

use super::{DATA_MAX, HEAD_MAX, Item, MAGIC};
use std::io::{Result, Write};

const LENGTH: usize = size_of::<u16>();
/// The length, the number of the variant, the offset and the length of the data.
const DATA_HEAD: usize = LENGTH + 1 + size_of::<u64>() + size_of::<u32>();
const CAPACITY: usize = DATA_MAX + HEAD_MAX;

/// One buffer, into which file contents are read in place and which is written when it is full.
pub(crate) struct Encoder<'o> {
    out: &'o mut dyn Write,
    buffer: Box<[u8]>,
    used: usize,
}

impl<'o> Encoder<'o> {
    pub(crate) fn new(out: &'o mut dyn Write) -> Self {
        let mut buffer = vec![0; CAPACITY].into_boxed_slice();
        buffer[..MAGIC.len()].copy_from_slice(MAGIC);
        Encoder { out, buffer, used: MAGIC.len() }
    }

    pub(crate) fn item(&mut self, item: &Item<'_>) -> Result<()> {
        self.reserve(LENGTH + HEAD_MAX)?;
        self.used += put(&mut self.buffer[self.used..], item);
        Ok(())
    }

    /// Appends up to `want` bytes, at most [`DATA_MAX`], that `read` puts in place; returns how many it found.
    pub(crate) fn data(
        &mut self,
        offset: u64,
        want: usize,
        read: impl FnOnce(&mut [u8]) -> rustix::io::Result<usize>,
    ) -> Result<rustix::io::Result<usize>> {
        debug_assert!(want <= DATA_MAX, "a piece of data is bounded");
        self.reserve(DATA_HEAD + want)?;
        let (head, body) = self.buffer[self.used..].split_at_mut(DATA_HEAD);
        let length = match read(&mut body[..want]) {
            Ok(length) if length > 0 => length,
            nothing => return Ok(nothing),
        };
        let written = put(head, &Item::Data { offset, length: u32::try_from(length).expect("a piece is below 4 GiB") });
        debug_assert_eq!(written, DATA_HEAD, "the head of data has a fixed length");
        self.used += DATA_HEAD + length;
        Ok(Ok(length))
    }

    /// Writes what is buffered.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.write()?;
        self.out.flush()
    }

    fn reserve(&mut self, length: usize) -> Result<()> {
        if self.buffer.len() - self.used < length { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<()> {
        self.out.write_all(&self.buffer[..self.used])?;
        self.used = 0;
        Ok(())
    }
}

fn put(into: &mut [u8], item: &Item<'_>) -> usize {
    let (length, head) = into.split_at_mut(LENGTH);
    let written = postcard::to_slice(item, head).expect("paths are bounded, so a head fits").len();
    length.copy_from_slice(&u16::try_from(written).expect("a head is below 64 KiB").to_le_bytes());
    LENGTH + written
}
