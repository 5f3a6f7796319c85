//! Paths inside a sandbox, and bytes in JSON.
//!
//! A path in a sandbox is bytes of a foreign system: it is never opened on this machine, never normalised here, and is
//! resolved by the agent inside. The type exists so that the two kinds of path cannot be mixed up.

use bytes::Bytes;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A path inside a sandbox: bytes without NUL. Relative paths start at the sandbox's working directory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SandboxPath(Bytes);

impl SandboxPath {
    /// The path with these bytes.
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        Self(bytes.into())
    }

    /// The bytes of the path.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether the path starts at the root.
    pub fn is_absolute(&self) -> bool {
        self.0.starts_with(b"/")
    }

    /// This path with another one behind it; the other one alone when it is absolute.
    pub fn join(&self, other: &SandboxPath) -> SandboxPath {
        if other.is_absolute() || self.0.is_empty() {
            return other.clone();
        }
        let separator: &[u8] = if self.0.ends_with(b"/") { b"" } else { b"/" };
        Self([self.as_bytes(), separator, other.as_bytes()].concat().into())
    }

    /// The part after the last slash, without trailing slashes; empty for the root.
    pub fn file_name(&self) -> &[u8] {
        let trimmed = self.0.iter().rposition(|b| *b != b'/').map_or(&[][..], |end| &self.0[..=end]);
        trimmed.rsplit(|b| *b == b'/').next().unwrap_or_default()
    }

    /// The path as text, with replacement characters where it is not UTF-8.
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// The path as text for one line of a message or a terminal: what could control either is escaped.
    pub fn escaped(&self) -> String {
        let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
        self.to_string_lossy().chars().map(escape).collect()
    }

    /// Why the path cannot name anything: it is empty or has a NUL byte.
    pub fn problem(&self) -> Option<&'static str> {
        if self.0.is_empty() {
            Some("is empty")
        } else if self.0.contains(&0) {
            Some("contains a NUL byte")
        } else {
            None
        }
    }
}

impl fmt::Display for SandboxPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_string_lossy())
    }
}

impl fmt::Debug for SandboxPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl AsRef<[u8]> for SandboxPath {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for SandboxPath {
    fn from(path: &str) -> Self {
        path.as_bytes().into()
    }
}

impl From<String> for SandboxPath {
    fn from(path: String) -> Self {
        Self(path.into())
    }
}

impl From<&[u8]> for SandboxPath {
    fn from(path: &[u8]) -> Self {
        Self(Bytes::copy_from_slice(path))
    }
}

impl From<Vec<u8>> for SandboxPath {
    fn from(path: Vec<u8>) -> Self {
        Self(path.into())
    }
}

impl From<Bytes> for SandboxPath {
    fn from(path: Bytes) -> Self {
        Self(path)
    }
}

impl From<&SandboxPath> for SandboxPath {
    fn from(path: &SandboxPath) -> Self {
        path.clone()
    }
}

impl Serialize for SandboxPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        bytes_or_text::serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for SandboxPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        bytes_or_text::deserialize(deserializer).map(Self)
    }
}

/// Bytes in JSON: a text where they are UTF-8, else `{"base64": "..."}`. Binary formats get them unchanged.
pub mod bytes_or_text {
    use super::*;
    use data_encoding::BASE64;

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Form<'a> {
        Text(Cow<'a, str>),
        Binary { base64: Cow<'a, str> },
    }

    /// Writes bytes.
    pub fn serialize<S: Serializer>(bytes: &Bytes, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return serializer.serialize_bytes(bytes);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Form::Text(text.into()).serialize(serializer),
            Err(_) => Form::Binary { base64: BASE64.encode(bytes).into() }.serialize(serializer),
        }
    }

    /// Reads what [`serialize`] wrote.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        if !deserializer.is_human_readable() {
            return serde_bytes::ByteBuf::deserialize(deserializer).map(|b| b.into_vec().into());
        }
        match Form::deserialize(deserializer)? {
            Form::Text(text) => Ok(text.into_owned().into()),
            Form::Binary { base64 } => {
                BASE64.decode(base64.as_bytes()).map(Bytes::from).map_err(serde::de::Error::custom)
            }
        }
    }
}
