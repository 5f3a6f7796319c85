//! Everything that decodes bytes from outside, for fuzzing and property tests. Not a stable interface.

pub use crate::challenge::{Challenge, parse as challenge};

use crate::credentials::docker_config::{DockerConfig, Lookup};
use crate::{Defect, Document, Reference, credentials, fetch, retry, token};
use std::time::{Duration, SystemTime};

/// A manifest or an index.
pub fn manifest(bytes: &[u8]) -> Result<Document, Defect> {
    Document::parse(bytes)
}

/// A reference, when the bytes are text.
pub fn reference(bytes: &[u8]) -> Option<Reference> {
    Reference::parse(std::str::from_utf8(bytes).ok()?).ok()
}

/// Docker's `config.json`: whether it has something for a registry.
pub fn docker_config(bytes: &[u8], registry: &str) -> Result<bool, (usize, usize)> {
    DockerConfig::parse(bytes).map(|config| !matches!(config.lookup(registry), Lookup::None))
}

/// What a credential helper says: whether it holds credentials.
pub fn helper(bytes: &[u8]) -> bool {
    credentials::helper::parse(bytes).is_some()
}

/// What a token server says.
pub fn token(bytes: &[u8]) -> Option<String> {
    token::parse(bytes)
}

/// `Retry-After`.
pub fn retry_after(bytes: &[u8], now: SystemTime) -> Option<Duration> {
    retry::retry_after(bytes, now)
}

/// `Content-Range`: where it begins, and the size of the whole when that is known.
pub fn content_range(bytes: &[u8]) -> Option<(u64, Option<u64>)> {
    fetch::content_range(bytes)
}
