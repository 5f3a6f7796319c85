//! Limits of a sandbox, and sizes as people write them.

use serde::{Deserialize, Serialize};

/// Limits. What is left out is not limited, or by the provider's default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Resources {
    /// Processors; fractions are fine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpus: Option<f64>,
    /// Bytes of memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Bytes of disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<u64>,
    /// Processes and threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pids: Option<u64>,
    /// GPUs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpus: Option<u32>,
}

impl Resources {
    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Processors in thousandths, rounded up, so that a limit is never zero.
    pub fn cpu_millis(&self) -> Option<u64> {
        self.cpus.map(|cpus| (cpus * 1000.0).ceil() as u64)
    }
}

/// A text that is not a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a size such as 512m, 1.5g or 1048576, with k, m, g or t for powers of 1024")]
pub struct ParseSizeError;

/// Reads a size as people write it: `1048576`, `256m`, `1.5g`, `2GiB`, `10 MB`. All units are powers of 1024, as memory
/// limits are understood everywhere.
///
/// ```
/// assert_eq!(isobox_contract::parse_size("1.5g"), Ok(1536 << 20));
/// assert!(isobox_contract::parse_size("-1m").is_err());
/// ```
pub fn parse_size(text: &str) -> Result<u64, ParseSizeError> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let shift = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" | "ki" => 10,
        "m" | "mb" | "mib" | "mi" => 20,
        "g" | "gb" | "gib" | "gi" => 30,
        "t" | "tb" | "tib" | "ti" => 40,
        _ => return Err(ParseSizeError),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || fraction.len() > 9 || (number.contains('.') && fraction.is_empty()) {
        return Err(ParseSizeError);
    }
    let units: u128 = whole.parse().map_err(|_| ParseSizeError)?;
    let parts: u128 = if fraction.is_empty() { 0 } else { fraction.parse().map_err(|_| ParseSizeError)? };
    let scale = 10_u128.pow(fraction.len() as u32);
    let bytes = units.checked_mul(scale).and_then(|n| n.checked_add(parts)).and_then(|n| n.checked_mul(1 << shift));
    u64::try_from(bytes.ok_or(ParseSizeError)? / scale).map_err(|_| ParseSizeError)
}
