//! PAX extended headers: `length key=value\n`, again and again (pax(1), POSIX.1-2017).

use super::WHAT;
use super::sparse::Sparse;
use crate::problem::{Outcome, Problem};

/// The attributes' keys, as GNU tar, bsdtar and Go write them.
const XATTR: &[u8] = b"SCHILY.xattr.";

/// What extensions say about the entry after them. The last word counts.
#[derive(Default)]
pub(super) struct Extensions {
    pub(super) path: Option<Vec<u8>>,
    pub(super) link: Option<Vec<u8>>,
    pub(super) size: Option<u64>,
    pub(super) uid: Option<u64>,
    pub(super) gid: Option<u64>,
    pub(super) mtime: Option<(i64, u32)>,
    pub(super) sparse: Option<Sparse>,
    /// The real name of a file with holes.
    pub(super) sparse_name: Option<Vec<u8>>,
    pub(super) xattrs: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Extensions {
    pub(super) fn read_pax(&mut self, mut bytes: &[u8]) -> Outcome {
        while !bytes.is_empty() {
            let (key, value, rest) = record(bytes).ok_or_else(|| bad("an extended header"))?;
            self.take(key, value)?;
            bytes = rest;
        }
        Ok(())
    }

    fn take(&mut self, key: &[u8], value: &[u8]) -> Outcome {
        match key {
            b"path" => self.path = Some(value.to_vec()),
            b"linkpath" => self.link = Some(value.to_vec()),
            b"size" => self.size = Some(number(value)?),
            b"uid" => self.uid = Some(number(value)?),
            b"gid" => self.gid = Some(number(value)?),
            b"mtime" => self.mtime = Some(time(value).ok_or_else(|| bad("a time"))?),
            b"GNU.sparse.name" => self.sparse_name = Some(value.to_vec()),
            _ => match (key.strip_prefix(XATTR), key.strip_prefix(b"GNU.sparse.")) {
                (Some(name), _) => {
                    self.xattrs.retain(|(known, _)| known != name);
                    self.xattrs.push((name.to_vec(), value.to_vec()));
                }
                (None, Some(name)) => self.sparse.get_or_insert_default().take(name, value)?,
                (None, None) => {}
            },
        }
        Ok(())
    }
}

/// The first record, and what follows it.
fn record(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let space = bytes.iter().take(20).position(|byte| *byte == b' ')?;
    let length: usize = std::str::from_utf8(&bytes[..space]).ok()?.parse().ok()?;
    let record = bytes.get(space + 1..length)?.strip_suffix(b"\n")?;
    let equals = record.iter().position(|byte| *byte == b'=')?;
    (equals > 0).then(|| (&record[..equals], &record[equals + 1..], &bytes[length..]))
}

pub(super) fn number(value: &[u8]) -> Outcome<u64> {
    let digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    let parsed = std::str::from_utf8(value).ok().filter(|_| digits).and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| bad("a number"))
}

/// Seconds with a fraction, such as `1350244992.023960108` or `-1.5`.
fn time(value: &[u8]) -> Option<(i64, u32)> {
    let text = std::str::from_utf8(value).ok()?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let seconds: i64 = whole.parse().ok()?;
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let nanos: u32 = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
    match text.starts_with('-') && nanos > 0 {
        true => Some((seconds.checked_sub(1)?, 1_000_000_000 - nanos)),
        false => Some((seconds, nanos)),
    }
}

pub(super) fn bad(what: &str) -> Problem {
    Problem::corrupt(WHAT, format!("{what} of an entry means nothing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_fractions_and_signs() {
        assert_eq!(time(b"1350244992.023960108"), Some((1_350_244_992, 23_960_108)));
        assert_eq!(time(b"7"), Some((7, 0)));
        assert_eq!(time(b"-1.5"), Some((-2, 500_000_000)));
        assert_eq!(time(b"1.2345678901"), Some((1, 234_567_890)));
        assert_eq!(time(b"x"), None);
        assert_eq!(time(b"1.-5"), None);
    }

    #[test]
    fn a_record_that_lies_about_its_length_is_refused() {
        assert!(record(b"9 a=bcde\n").is_some());
        for bad in [
            &b"8 a=bcde\n"[..],
            b"99 a=b\n",
            b"0 a=b\n",
            b"1 a=b\n",
            b"7 =bcd\n",
            b" a=b\n",
            b"18446744073709551616 a=b\n",
        ] {
            assert!(record(bad).is_none(), "{:?}", String::from_utf8_lossy(bad));
        }
    }
}
