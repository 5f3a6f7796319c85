//! Secrets of a sandbox.

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::path::SandboxPath;

/// A value that nobody prints.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SecretValue(String);

impl SecretValue {
    /// Wraps a value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

/// One secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Secret {
    /// The environment variable that holds the placeholder, the value, or the path of the file.
    pub env: String,
    /// The value.
    pub value: SecretValue,
    /// How it gets there.
    #[serde(default)]
    pub delivery: SecretDelivery,
}

/// How a secret gets to whom it is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum SecretDelivery {
    /// The sandbox sees a placeholder; outside of it the value replaces the placeholder in requests to these hosts, and
    /// to no other.
    Hosts {
        /// Host names, exact or with a leading `*.`. Must not be empty.
        hosts: Vec<String>,
    },
    /// The sandbox sees the value, which its programs can then send wherever the network policy lets them.
    Exposed,
    /// The sandbox sees a file, mode 0400, owned by its user.
    File {
        /// Where, absolute.
        path: SandboxPath,
    },
}

impl Default for SecretDelivery {
    /// Bound to no host, which validation refuses: exposure is never the default.
    fn default() -> Self {
        SecretDelivery::Hosts { hosts: Vec::new() }
    }
}
