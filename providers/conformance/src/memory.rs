//! How much memory this process takes.

use crate::check::Checked;

/// How much it may grow while something large goes through it.
const FLAT: u64 = 64 << 20;

/// The most memory that this process has used up to a moment.
pub(crate) struct Memory {
    peak: u64,
}

impl Memory {
    /// By now. Where the kernel lets it, what was used before is forgotten.
    pub(crate) fn now() -> Self {
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        Self { peak: peak() }
    }

    /// Fails the check when it has grown by much since then.
    pub(crate) fn is_flat(&self) -> Checked {
        let grown = peak().saturating_sub(self.peak);
        ensure!(grown < FLAT, "this process has grown by {grown} bytes");
        Ok(())
    }
}

fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) << 10
}
