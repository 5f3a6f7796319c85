//! Ports, resource use and deadlines.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A listening TCP port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Port {
    /// Its number.
    pub port: u16,
    /// The address it listens on, as text.
    pub address: String,
    /// The process that listens, when it can be told.
    pub pid: Option<u32>,
}

/// Resource use of the whole sandbox.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Processor time of everything that ran, in microseconds.
    pub cpu_micros: u64,
    /// Resident memory now, in bytes.
    pub memory: u64,
    /// Its highest value, when known.
    pub memory_peak: Option<u64>,
    /// The limit, when there is one.
    pub memory_limit: Option<u64>,
    /// Processes and threads now.
    pub pids: u64,
    /// Commands running now.
    pub running: u64,
    /// Bytes used on the filesystem of the working directory.
    pub disk_used: u64,
    /// Bytes left there.
    pub disk_available: u64,
    /// Where the numbers come from: `cgroup2`, `cgroup1` or `proc`.
    pub source: String,
}

/// The deadlines in force.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Lifetimes {
    /// How long the sandbox outlives its owner's connection; `None` when it is detached.
    pub lease: Option<Duration>,
    /// What is left of its life.
    pub ttl: Option<Duration>,
    /// How long it may be idle.
    pub idle_timeout: Option<Duration>,
}

/// Changes to the deadlines. `None` leaves one as it is; `Some(None)` takes it away.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SetLifetimes {
    /// How long the sandbox outlives its owner's connection.
    pub lease: Option<Option<Duration>>,
    /// How long it lives from now on.
    pub ttl: Option<Option<Duration>>,
    /// How long it may be idle.
    pub idle_timeout: Option<Option<Duration>>,
    /// Whether this counts as activity.
    pub touch: bool,
}
