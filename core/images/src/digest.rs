//! Names of contents.

use crate::problem::{Outcome, Problem};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256, Sha512};
use std::fmt;
use std::io::{self, Read, Write};
use std::str::FromStr;

/// The name of some contents: an algorithm and a hash, such as `sha256:` and 64 hexadecimal digits.
///
/// Only `sha256` and `sha512` are known, as in the OCI image specification, and only lowercase digits; so one is always
/// safe as the name of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(String);

impl Digest {
    /// The SHA-256 of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hasher = Hasher::sha256();
        hasher.update(bytes);
        hasher.finish()
    }

    /// With the algorithm in front.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The hash alone.
    pub fn hex(&self) -> &str {
        self.0.split_once(':').map_or("", |(_, hex)| hex)
    }

    /// As the name of a file.
    pub(crate) fn file_name(&self) -> String {
        self.0.replace(':', "-")
    }

    pub(crate) fn from_file_name(name: &str) -> Option<Self> {
        name.replacen('-', ":", 1).parse().ok()
    }

    /// Fails unless the bytes are those that this names.
    pub(crate) fn check(&self, what: &str, bytes: &[u8]) -> Outcome {
        let mut hasher = self.hasher();
        hasher.update(bytes);
        self.compare(what, &hasher.finish())
    }

    pub(crate) fn compare(&self, what: &str, found: &Digest) -> Outcome {
        if self == found {
            return Ok(());
        }
        Err(Problem::Digest { what: what.into(), expected: self.to_string(), found: found.to_string() })
    }

    pub(crate) fn hasher(&self) -> Hasher {
        match self.0.starts_with("sha512:") {
            true => Hasher::Sha512(Sha512::new()),
            false => Hasher::Sha256(Sha256::new()),
        }
    }
}

/// A running hash.
pub(crate) enum Hasher {
    Sha256(Sha256),
    Sha512(Sha512),
}

impl Hasher {
    pub(crate) fn sha256() -> Self {
        Hasher::Sha256(Sha256::new())
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            Hasher::Sha256(hasher) => hasher.update(bytes),
            Hasher::Sha512(hasher) => hasher.update(bytes),
        }
    }

    pub(crate) fn finish(self) -> Digest {
        Digest(match self {
            Hasher::Sha256(hasher) => format!("sha256:{}", HEXLOWER.encode(&hasher.finalize())),
            Hasher::Sha512(hasher) => format!("sha512:{}", HEXLOWER.encode(&hasher.finalize())),
        })
    }
}

/// Hashes what is read through it.
pub(crate) struct Hashed<R> {
    reader: R,
    hasher: Hasher,
}

impl<R> Hashed<R> {
    pub(crate) fn new(reader: R, hasher: Hasher) -> Self {
        Self { reader, hasher }
    }

    pub(crate) fn finish(self) -> Digest {
        self.hasher.finish()
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.hasher.update(&buffer[..count]);
        Ok(count)
    }
}

/// Hashes and counts what is written through it.
pub(crate) struct HashedWriter<W> {
    writer: W,
    hasher: Hasher,
    count: u64,
}

impl<W> HashedWriter<W> {
    pub(crate) fn new(writer: W) -> Self {
        Self { writer, hasher: Hasher::sha256(), count: 0 }
    }

    /// What is below, the SHA-256 of all that was written, and how much that was.
    pub(crate) fn finish(self) -> (W, Digest, u64) {
        (self.writer, self.hasher.finish(), self.count)
    }
}

impl<W: Write> Write for HashedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.writer.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        self.count += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A text that is no digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("is no digest, give sha256 or sha512, a colon and lowercase hexadecimal digits")]
pub struct ParseDigestError;

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let length = match text.split_once(':') {
            Some(("sha256", _)) => 64,
            Some(("sha512", _)) => 128,
            _ => return Err(ParseDigestError),
        };
        let hex = &text[7..];
        let fine = hex.len() == length && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if fine { Ok(Self(text.to_owned())) } else { Err(ParseDigestError) }
    }
}

impl TryFrom<String> for Digest {
    type Error = ParseDigestError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_safe_as_a_name_is_a_digest() {
        let empty = Digest::of(b"");
        assert_eq!(empty.as_str(), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(Digest::from_file_name(&empty.file_name()), Some(empty));
        for bad in ["", "sha256:", "sha256:../../x", "md5:d41d8cd98f00b204e9800998ecf8427e", "sha512:00"] {
            assert!(bad.parse::<Digest>().is_err(), "{bad}");
        }
        assert!(format!("sha256:{}", "A".repeat(64)).parse::<Digest>().is_err());
    }
}
