//! How long a sandbox may exist, and whose it is.

use crate::time::{Lifetime, optional_millis};
use crate::words::words;
use serde::{Deserialize, Serialize};
use std::time::Duration;

words! {
    /// What happens at the end of a lifetime.
    #[derive(Default)]
    pub enum Expiry {
        /// It is removed.
        #[default]
        Delete = "delete",
        /// It is stopped; the filesystem is kept.
        Stop = "stop",
        /// It is frozen; the memory is kept.
        Pause = "pause",
    }
}

/// Whose a sandbox is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// The process that makes it: when that is gone for longer than the lease, it is removed.
    #[default]
    Process,
    /// Nobody: it lives until its lifetimes end or somebody removes it.
    Detached,
}

/// How long a sandbox may exist. Everything is enforced inside it, and holds when nobody is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lifetimes {
    /// From creation to the end, whatever it does.
    #[serde(rename = "ttl_ms", skip_serializing_if = "Option::is_none")]
    pub ttl: Option<Lifetime>,
    /// Without use to the end. Use is a running command, a transfer, or a connection to a port.
    #[serde(rename = "idle_timeout_ms", skip_serializing_if = "Option::is_none")]
    pub idle_timeout: Option<Lifetime>,
    /// What happens at the end of either.
    pub on_expiry: Expiry,
    /// What happens at the end of the idle timeout, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_idle: Option<Expiry>,
    /// From a stop to archiving.
    #[serde(rename = "archive_after_stop_ms", skip_serializing_if = "Option::is_none")]
    pub archive_after_stop: Option<Lifetime>,
    /// From a stop to removal.
    #[serde(rename = "delete_after_stop_ms", skip_serializing_if = "Option::is_none")]
    pub delete_after_stop: Option<Lifetime>,
    /// How long the owning process may be out of touch; the provider's default is a few seconds.
    #[serde(rename = "owner_lease_ms", with = "optional_millis", skip_serializing_if = "Option::is_none")]
    pub owner_lease: Option<Duration>,
}

impl Lifetimes {
    /// What happens when it has not been used for too long.
    pub fn idle_expiry(&self) -> Expiry {
        self.on_idle.unwrap_or(self.on_expiry)
    }
}
