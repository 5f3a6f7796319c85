//! Whether what was copied is what it was copied from, byte for byte.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Read at once.
const CHUNK: usize = 256 << 10;

/// Fails with the first difference of two files, or of two directories with everything in them.
pub(super) fn same(one: &Path, other: &Path) -> Result<(), String> {
    let differs = || format!("{} did not arrive as it was sent", one.display());
    let failed = |error: io::Error| format!("{}: {error}", differs());
    if !one.is_dir() {
        return if is_same_file(one, other).map_err(failed)? { Ok(()) } else { Err(differs()) };
    }
    let names = names(one).map_err(failed)?;
    if names != self::names(other).map_err(failed)? {
        return Err(differs());
    }
    names.iter().try_for_each(|name| same(&one.join(name), &other.join(name)))
}

fn names(directory: &Path) -> io::Result<BTreeSet<OsString>> {
    fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.file_name())).collect()
}

fn is_same_file(one: &Path, other: &Path) -> io::Result<bool> {
    let (one, other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::with_capacity(CHUNK, one), BufReader::with_capacity(CHUNK, other));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if left[..length] != right[..length] {
            return Ok(false);
        }
        if length == 0 {
            return Ok(true);
        }
        one.consume(length);
        other.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_a_name_and_a_length_make_a_difference() {
        let place = tempfile::tempdir().unwrap();
        let make = |name: &str, file: &str, contents: &[u8]| {
            let directory = place.path().join(name).join("below");
            fs::create_dir_all(&directory).unwrap();
            fs::write(directory.join(file), contents).unwrap();
            place.path().join(name)
        };
        let sent = make("sent", "a", b"same");
        assert_eq!(same(&sent, &make("equal", "a", b"same")), Ok(()));
        for (name, file, contents) in [("byte", "a", &b"sane"[..]), ("name", "b", b"same"), ("length", "a", b"same!")] {
            assert!(same(&sent, &make(name, file, contents)).unwrap_err().contains("did not arrive"), "{name}");
        }
    }
}
