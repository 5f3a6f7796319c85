//! The fields of one header.

use super::{Kind, WHAT};
use crate::problem::{Outcome, Problem};
use std::io;
use tar::{EntryType, Header};

/// Everything in a tar stream is a multiple of this.
pub(super) const BLOCK: usize = 512;

/// Fails unless the header's checksum is right, which tells tar from anything else.
pub(super) fn check(header: &Header) -> Outcome {
    let bytes = header.as_bytes();
    // The field of the sum itself counts as spaces.
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    let unsigned = sum(&bytes[..148]) + 8 * u32::from(b' ') + sum(&bytes[156..]);
    match header.cksum() {
        Ok(found) if found == unsigned => Ok(()),
        _ => Err(Problem::corrupt(WHAT, "it is no tar stream, or the checksum of an entry is wrong")),
    }
}

/// What the entry is; `None` for what has no place in a file system, such as the name of a volume.
pub(super) fn kind(header: &Header, path: &[u8]) -> Option<Kind> {
    Some(match header.entry_type() {
        // Before there was a type for directories, a slash at the end made one.
        EntryType::Regular if path.ends_with(b"/") => Kind::Directory,
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => Kind::File,
        EntryType::Link => Kind::HardLink,
        EntryType::Symlink => Kind::Symlink,
        EntryType::Char | EntryType::Block => Kind::Device,
        EntryType::Directory => Kind::Directory,
        EntryType::Fifo => Kind::Fifo,
        _ => return None,
    })
}

/// Whether nothing follows the header.
pub(super) fn is_header_only(kind: EntryType) -> bool {
    use EntryType::*;
    matches!(kind, Link | Symlink | Char | Block | Directory | Fifo)
}

pub(super) fn number<T>(field: io::Result<T>, name: &str) -> Outcome<T> {
    field.map_err(|_| Problem::corrupt(WHAT, format!("an entry's {name} is no number")))
}

/// The modification time, which is before 1970 when it is negative in base 256.
pub(super) fn time(header: &Header) -> Outcome<i64> {
    let field = &header.as_old().mtime;
    if field[0] == 0xff {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&field[4..]);
        return Ok(i64::from_be_bytes(bytes));
    }
    Ok(i64::try_from(number(header.mtime(), "time")?).unwrap_or(i64::MAX))
}

/// A text that ends at its first zero.
pub(super) fn text(bytes: &[u8]) -> Vec<u8> {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default().to_vec()
}
