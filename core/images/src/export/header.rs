//! Headers of tar entries: ustar, with what does not fit in PAX records before it (pax(1), POSIX.1-2017).

use tar::{EntryType, Header};

/// Everything in a tar stream is a multiple of this.
pub(super) const BLOCK: usize = 512;

const NAME: usize = 100;
/// The first second whose number has more octal digits than the field.
const LATE: i64 = 1 << 33;

/// What fills the last block behind so many bytes.
pub(super) fn padding(size: u64) -> &'static [u8] {
    let rest = (size % BLOCK as u64) as usize;
    &[0; BLOCK][..(BLOCK - rest) % BLOCK]
}

/// The numbers of an entry.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fields {
    pub(super) mode: u32,
    pub(super) user: u32,
    pub(super) group: u32,
    /// Seconds since 1970 and nanoseconds.
    pub(super) modified: (i64, u32),
    pub(super) size: u64,
    /// Major and minor number.
    pub(super) device: (u32, u32),
}

/// A header. Names that are too long are cut, since a record before it has them whole.
pub(super) fn header(kind: EntryType, name: &[u8], link: &[u8], fields: &Fields) -> Header {
    let mut header = Header::new_ustar();
    header.set_entry_type(kind);
    let old = header.as_old_mut();
    old.name[..name.len().min(NAME)].copy_from_slice(&name[..name.len().min(NAME)]);
    old.linkname[..link.len().min(NAME)].copy_from_slice(&link[..link.len().min(NAME)]);
    header.set_mode(fields.mode);
    header.set_uid(fields.user.into());
    header.set_gid(fields.group.into());
    header.set_size(fields.size);
    header.set_mtime(u64::try_from(fields.modified.0).unwrap_or(0));
    if let Some(ustar) = header.as_ustar_mut() {
        ustar.set_device_major(fields.device.0);
        ustar.set_device_minor(fields.device.1);
    }
    header.set_cksum();
    header
}

/// PAX records.
#[derive(Default)]
pub(super) struct Records(Vec<u8>);

impl Records {
    /// What does not fit into a header with these names and numbers.
    pub(super) fn beyond(name: &[u8], link: &[u8], fields: &Fields) -> Self {
        let mut records = Self::default();
        if name.len() > NAME {
            records.add(b"path", name);
        }
        if link.len() > NAME {
            records.add(b"linkpath", link);
        }
        let (seconds, nanos) = fields.modified;
        if nanos > 0 || !(0..LATE).contains(&seconds) {
            records.add(b"mtime", time(seconds, nanos).as_bytes());
        }
        records
    }

    /// Adds one: its length, which counts itself, a space, the key, `=`, the value and a newline.
    pub(super) fn add(&mut self, key: &[u8], value: &[u8]) {
        let rest = key.len() + value.len() + 3;
        let mut length = rest + 1;
        while length != rest + digits(length) {
            length = rest + digits(length);
        }
        self.0.extend_from_slice(length.to_string().as_bytes());
        for part in [b" ", key, b"=", value, b"\n"] {
            self.0.extend_from_slice(part);
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

fn digits(number: usize) -> usize {
    number.to_string().len()
}

/// A time with its fraction: `-1.5` is one and a half seconds before 1970.
fn time(seconds: i64, nanos: u32) -> String {
    if nanos == 0 {
        return seconds.to_string();
    }
    let (sign, whole, nanos) = match seconds < 0 {
        true => ("-", (seconds + 1).unsigned_abs(), 1_000_000_000 - nanos),
        false => ("", seconds.unsigned_abs(), nanos),
    };
    format!("{sign}{whole}.{nanos:09}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_count_themselves() {
        for (length, expected) in [(1, "6 k=v"), (93, "99 k="), (94, "101 k="), (990, "997 k="), (993, "1001 k=")] {
            let mut records = Records::default();
            records.add(b"k", &b"v".repeat(length));
            assert!(records.as_bytes().starts_with(expected.as_bytes()), "{length}");
            let counted: usize = expected.split(' ').next().unwrap().parse().unwrap();
            assert_eq!(records.as_bytes().len(), counted);
        }
    }

    #[test]
    fn times_have_fractions_and_signs() {
        assert_eq!(time(7, 0), "7");
        assert_eq!(time(-7, 0), "-7");
        assert_eq!(time(1, 5), "1.000000005");
        assert_eq!(time(-2, 500_000_000), "-1.500000000");
        assert_eq!(time(-1, 999_999_999), "-0.000000001");
    }

    #[test]
    fn blocks_are_filled() {
        assert_eq!([0, 1, 511, 512, 513].map(|size| padding(size).len()), [0, 511, 1, 0, 511]);
    }
}
