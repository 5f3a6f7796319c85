//! Digests: what content is called, and whether it is what it is called.

use isobox_contract::{Error, ErrorCode, Result};
use sha2::{Digest as _, Sha256, Sha512};
use std::fmt;
use std::str::FromStr;

/// How content is hashed. Nothing weaker, and nothing that registries do not use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Algorithm {
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
}

impl Algorithm {
    /// The word before the colon.
    pub const fn as_str(self) -> &'static str {
        match self {
            Algorithm::Sha256 => "sha256",
            Algorithm::Sha512 => "sha512",
        }
    }

    const fn hex_length(self) -> usize {
        match self {
            Algorithm::Sha256 => 64,
            Algorithm::Sha512 => 128,
        }
    }
}

/// The digest of some content, such as `sha256:` and 64 lower-case hexadecimal digits. Safe to use as a file name once
/// the colon is dealt with: it has no other characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest {
    algorithm: Algorithm,
    hex: Box<str>,
}

impl Digest {
    /// The SHA-256 of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self::with(Algorithm::Sha256, bytes)
    }

    /// The digest of some bytes.
    pub fn with(algorithm: Algorithm, bytes: &[u8]) -> Self {
        let mut hasher = Hasher::new(algorithm);
        hasher.update(bytes);
        hasher.finish()
    }

    /// How it was made.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The digits after the colon.
    pub fn hex(&self) -> &str {
        &self.hex
    }

    /// Whether these bytes are what it names.
    pub fn matches(&self, bytes: &[u8]) -> bool {
        Self::with(self.algorithm, bytes) == *self
    }
}

impl FromStr for Digest {
    type Err = Error;

    /// `image_pull_failed` when it is no digest that can be verified.
    fn from_str(text: &str) -> Result<Self> {
        let digest = text.split_once(':').and_then(|(word, hex)| {
            let algorithm = [Algorithm::Sha256, Algorithm::Sha512].into_iter().find(|a| a.as_str() == word)?;
            let fits =
                hex.len() == algorithm.hex_length() && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
            fits.then(|| Self { algorithm, hex: hex.into() })
        });
        digest.ok_or_else(|| {
            let shown = crate::text::shown(text);
            let message =
                format!("{shown} is no digest that can be verified, it must be sha256 or sha512 in lower case");
            Error::new(ErrorCode::ImagePullFailed, message).retryable(false)
        })
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.algorithm.as_str(), self.hex)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Hashes content as it arrives.
#[derive(Clone)]
pub(crate) enum Hasher {
    Sha256(Sha256),
    Sha512(Box<Sha512>),
}

impl Hasher {
    pub(crate) fn new(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Sha256 => Hasher::Sha256(Sha256::new()),
            Algorithm::Sha512 => Hasher::Sha512(Box::new(Sha512::new())),
        }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            Hasher::Sha256(hasher) => hasher.update(bytes),
            Hasher::Sha512(hasher) => hasher.update(bytes),
        }
    }

    pub(crate) fn finish(self) -> Digest {
        let hex = data_encoding::HEXLOWER;
        let (algorithm, hex) = match self {
            Hasher::Sha256(hasher) => (Algorithm::Sha256, hex.encode(&hasher.finalize())),
            Hasher::Sha512(hasher) => (Algorithm::Sha512, hex.encode(&hasher.finalize())),
        };
        Digest { algorithm, hex: hex.into() }
    }
}
