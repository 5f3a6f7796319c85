//! What the tests of registries share.
#![allow(dead_code, reason = "every test binary takes what it needs")]

pub mod hostile;
pub mod image;
pub mod real;

use isobox_registry::{Reference, Registry, RegistryConfig};
use std::time::Duration;

/// A client that is impatient, and knows nothing of this machine's Docker.
pub fn config() -> RegistryConfig {
    RegistryConfig { backoff: Duration::from_millis(1), ..RegistryConfig::default() }
}

pub fn client(config: RegistryConfig) -> Registry {
    Registry::new(config).unwrap()
}

pub fn reference(text: &str) -> Reference {
    Reference::parse(text).unwrap()
}
