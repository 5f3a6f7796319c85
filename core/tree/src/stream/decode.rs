//! Reading a tree stream from a stranger: one buffer of 256 KiB, whatever the stream says.

use super::{DATA_MAX, HEAD_MAX, Item, MAGIC};
use crate::error::Error;
use std::io::{BufRead, BufReader, ErrorKind, Read};

/// Reads item after item. It may take more from the input than the stream is long.
pub(crate) struct Decoder<'i> {
    input: BufReader<&'i mut dyn Read>,
    head: Vec<u8>,
}

impl<'i> Decoder<'i> {
    pub(crate) fn new(input: &'i mut dyn Read) -> Result<Self, Error> {
        let mut decoder = Decoder { input: BufReader::with_capacity(DATA_MAX, input), head: Vec::new() };
        let mut magic = [0; MAGIC.len()];
        decoder.input.read_exact(&mut magic).map_err(failed)?;
        if &magic == MAGIC { Ok(decoder) } else { Err(Error::Corrupt { reason: "it does not begin as one" }) }
    }

    pub(crate) fn item(&mut self) -> Result<Item<'_>, Error> {
        let mut length = [0; 2];
        self.input.read_exact(&mut length).map_err(failed)?;
        let length = usize::from(u16::from_le_bytes(length));
        if length > HEAD_MAX {
            return Err(Error::Corrupt { reason: "a head is too long" });
        }
        self.head.resize(length, 0);
        self.input.read_exact(&mut self.head).map_err(failed)?;
        match postcard::take_from_bytes(&self.head) {
            Ok((item, [])) => Ok(item),
            Ok(_) => Err(Error::Corrupt { reason: "a head has more bytes than fields" }),
            Err(_) => Err(Error::Corrupt { reason: "a head cannot be read" }),
        }
    }

    /// Hands the next `length` bytes on, in the pieces in which they arrive.
    pub(crate) fn data(&mut self, length: u32, mut take: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut left = usize::try_from(length).expect("a length of 32 bits fits");
        while left > 0 {
            let piece = match self.input.fill_buf() {
                Ok([]) => return Err(failed(ErrorKind::UnexpectedEof.into())),
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(failed(error)),
            };
            let piece = &piece[..piece.len().min(left)];
            take(piece)?;
            let taken = piece.len();
            self.input.consume(taken);
            left -= taken;
        }
        Ok(())
    }
}

fn failed(error: std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::UnexpectedEof => Error::Corrupt { reason: "it ends early" },
        _ => Error::io(b"", "read the stream of", error),
    }
}
