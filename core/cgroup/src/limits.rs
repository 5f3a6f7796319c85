//! Limits as the kernel takes them.

use serde::{Deserialize, Serialize};

/// What a sandbox may use. What is left out is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Thousandths of a processor for commands.
    pub cpu_millis: Option<u64>,
    /// Bytes of memory that commands have. Swap is none.
    pub memory: Option<u64>,
    /// Processes and threads that commands have.
    pub pids: Option<u64>,
}

impl Limits {
    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A limit that the kernel cannot enforce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuotaError {
    /// The kernel counts whole milliseconds in at most a second.
    #[error("is too little, the least is 0.001 of a processor")]
    TooLittleTime,
    /// No program starts in it.
    #[error("is too little for any program, the least is 1m")]
    TooLittleMemory,
}

/// The least memory in which a program starts.
const LEAST_MEMORY: u64 = 1 << 20;

/// What isobox itself may use beside the commands of a sandbox: buffers of clients, threads of transfers, and files that
/// clients put into memory.
const BESIDE: Limits = Limits { cpu_millis: Some(1_000), memory: Some(128 << 20), pids: Some(4_096) };

/// The kernel's smallest quota.
const LEAST_QUOTA: u64 = 1_000;
/// The usual time over which the quota is counted.
pub(crate) const PERIOD: u64 = 100_000;
/// The longest one.
const LONGEST_PERIOD: u64 = 1_000_000;

impl Limits {
    /// Limits for commands and what isobox runs together.
    pub(crate) fn around(&self) -> Self {
        let add =
            |limit: Option<u64>, beside: Option<u64>| limit.map(|limit| limit.saturating_add(beside.unwrap_or(0)));
        Self {
            cpu_millis: add(self.cpu_millis, BESIDE.cpu_millis),
            memory: add(self.memory, BESIDE.memory),
            pids: add(self.pids, BESIDE.pids),
        }
    }

    /// Checks what every machine would refuse. The error belongs to the named field: `cpus` or `memory`.
    ///
    /// # Errors
    /// For a value below what can be enforced, or in which a sandbox cannot live.
    pub fn validate(&self) -> Result<(), (&'static str, QuotaError)> {
        if self.cpu_millis == Some(0) {
            return Err(("cpus", QuotaError::TooLittleTime));
        }
        match self.memory {
            Some(memory) if memory < LEAST_MEMORY => Err(("memory", QuotaError::TooLittleMemory)),
            _ => Ok(()),
        }
    }
}

/// Microseconds of processor time in a period of microseconds.
pub(crate) fn quota(millis: u64) -> (u64, u64) {
    match millis.saturating_mul(PERIOD / 1000) {
        quota if quota < LEAST_QUOTA => (millis.saturating_mul(LONGEST_PERIOD / 1000).max(LEAST_QUOTA), LONGEST_PERIOD),
        quota => (quota, PERIOD),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_of_a_processor_is_a_part_of_a_period() {
        assert_eq!(quota(500), (50_000, 100_000));
        assert_eq!(quota(2_500), (250_000, 100_000));
        assert_eq!(quota(10), (1_000, 100_000));
        assert_eq!(quota(9), (9_000, 1_000_000), "a quota below a millisecond needs a longer period");
        assert_eq!(quota(1), (1_000, 1_000_000));
    }

    #[test]
    fn nothing_that_cannot_be_enforced_is_taken() {
        assert!(Limits { cpu_millis: Some(0), ..Limits::default() }.validate().is_err());
        assert!(Limits { memory: Some(1 << 19), ..Limits::default() }.validate().is_err());
        assert!(Limits { cpu_millis: Some(1), memory: Some(8 << 20), pids: Some(1) }.validate().is_ok());
    }
}
