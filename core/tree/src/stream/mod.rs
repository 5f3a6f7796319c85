//! The bytes of a tree, and what may come after what.
//!
//! ```text
//!   stream    = "isotree" 0x01, directory (the root, with the empty path), entry*, end
//!   entry     = directory | symlink | hard link | file, data*, file end
//!
//!   item      = length: u16 little endian, head: `length` bytes of postcard (enum Item)
//!   data      = item { offset, length ≤ 256 KiB }, `length` bytes of the file at `offset`
//!   file end  = item { size }       what data did not cover up to `size` is a hole
//!   end       = item { entries, bytes }    of the whole stream, the root not counted
//! ```
//!
//! - Entries come in the order of a depth-first walk, names in byte order, so a path is strictly greater than the one before
//!   ([`path::order`](crate::path::order)) and its parent is the root or a directory that is still open. The reader needs no
//!   memory of what came before, and no stream can plant a link and then go through it.
//! - Data comes in order of its offsets and does not overlap.
//! - A hard link names a path that came before as a file with `linked` set.
//! - The end makes every cut visible.

mod decode;
mod encode;

pub(crate) use decode::Decoder;
pub(crate) use encode::Encoder;

use crate::meta::Meta;
use crate::path::PATH_MAX;
use serde::{Deserialize, Serialize};

const MAGIC: &[u8; 8] = b"isotree\x01";
/// Two paths, and room for the numbers around them.
const HEAD_MAX: usize = 2 * PATH_MAX + 64;
/// The most bytes of a file in one piece.
pub(crate) const DATA_MAX: usize = 256 << 10;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Item<'a> {
    Directory {
        #[serde(borrow, with = "serde_bytes")]
        path: &'a [u8],
        meta: Meta,
    },
    File {
        #[serde(borrow, with = "serde_bytes")]
        path: &'a [u8],
        meta: Meta,
        /// A later hard link may name this file.
        linked: bool,
    },
    Symlink {
        #[serde(borrow, with = "serde_bytes")]
        path: &'a [u8],
        meta: Meta,
        #[serde(borrow, with = "serde_bytes")]
        target: &'a [u8],
    },
    HardLink {
        #[serde(borrow, with = "serde_bytes")]
        path: &'a [u8],
        #[serde(borrow, with = "serde_bytes")]
        first: &'a [u8],
    },
    /// Numbers of fixed width, so that the head can be put before bytes that were read already.
    Data {
        #[serde(with = "postcard::fixint::le")]
        offset: u64,
        #[serde(with = "postcard::fixint::le")]
        length: u32,
    },
    FileEnd {
        size: u64,
    },
    End {
        entries: u64,
        bytes: u64,
    },
}
