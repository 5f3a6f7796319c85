//! What a sandbox uses.

use crate::time::{Timestamp, optional_micros};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a sandbox uses at one moment. What a provider cannot measure is left out, never zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// When.
    pub at: Timestamp,
    /// Processor time since the start.
    #[serde(default, rename = "cpu_time_us", with = "optional_micros")]
    pub cpu_time: Option<Duration>,
    /// The limit of processors.
    #[serde(default)]
    pub cpu_limit: Option<f64>,
    /// Bytes of memory.
    #[serde(default)]
    pub memory: Option<u64>,
    /// The most bytes of memory since the start.
    #[serde(default)]
    pub peak_memory: Option<u64>,
    /// The limit of memory.
    #[serde(default)]
    pub memory_limit: Option<u64>,
    /// Bytes of disk that the sandbox itself wrote and keeps.
    #[serde(default)]
    pub disk: Option<u64>,
    /// The limit of disk.
    #[serde(default)]
    pub disk_limit: Option<u64>,
    /// Processes and threads.
    #[serde(default)]
    pub pids: Option<u64>,
    /// The limit of processes and threads.
    #[serde(default)]
    pub pids_limit: Option<u64>,
    /// Bytes received from the network.
    #[serde(default)]
    pub network_received: Option<u64>,
    /// Bytes sent to the network.
    #[serde(default)]
    pub network_sent: Option<u64>,
}

impl Metrics {
    /// A measurement of nothing yet.
    pub fn at(at: Timestamp) -> Self {
        Self {
            at,
            cpu_time: None,
            cpu_limit: None,
            memory: None,
            peak_memory: None,
            memory_limit: None,
            disk: None,
            disk_limit: None,
            pids: None,
            pids_limit: None,
            network_received: None,
            network_sent: None,
        }
    }
}
