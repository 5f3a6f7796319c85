//! Layers as plain tar: compressed ones are told by how they begin, since media types lie.

use crate::problem::{Outcome, Problem, reading};
use std::io::{BufRead, BufReader, Read};

/// The largest window of zstd, as a power of two: the 8 MiB that every decoder must take (RFC 8878, 3.1.1.1.2), and what
/// `zstd --long` makes.
const ZSTD_WINDOW: u32 = 27;

const BUFFER: usize = 128 << 10;

/// The stream, decompressed when it is gzip or zstd.
pub(crate) fn decompress<'a>(stream: impl Read + Send + 'a) -> Outcome<Box<dyn Read + Send + 'a>> {
    let mut stream = BufReader::with_capacity(BUFFER, stream);
    let start = stream.fill_buf().map_err(|error| reading("a layer", error))?;
    Ok(match start {
        [0x1f, 0x8b, ..] => Box::new(flate2::bufread::MultiGzDecoder::new(stream)),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            let mut decoder =
                zstd::stream::read::Decoder::with_buffer(stream).map_err(|error| Problem::io("start zstd", error))?;
            decoder.window_log_max(ZSTD_WINDOW).map_err(|error| Problem::io("start zstd", error))?;
            Box::new(decoder)
        }
        [0xfd, b'7', b'z', b'X', b'Z', ..] => return Err(unknown("xz")),
        [b'B', b'Z', b'h', ..] => return Err(unknown("bzip2")),
        _ => Box::new(stream),
    })
}

fn unknown(kind: &str) -> Problem {
    Problem::corrupt("a layer", format!("it is compressed with {kind}; layers are plain, gzip or zstd"))
}
