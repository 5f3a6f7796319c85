//! What the exit code alone leaves open.

use crate::failure;
use crate::human;
use isobox::{Exit, Sandbox, Termination};
use std::time::Duration;

/// A limit is nearly always a whole number of something.
fn size(bytes: u64) -> String {
    human::size(bytes).replace(".0 ", " ")
}

/// Says how a command ended, where its exit code does not tell.
pub(crate) async fn comment(ended: &Exit, timeout: Option<Duration>, sandbox: &Sandbox) {
    if ended.oom_killed {
        // The end of the sandbox, too, is what the limit may have brought about.
        let metrics = sandbox.metrics().await.ok();
        let numbers = metrics.and_then(|metrics| Some((metrics.memory_limit?, metrics.peak_memory)));
        let numbers = numbers.map(|(limit, peak)| match peak {
            Some(peak) => format!(" (limit {}, peak {})", size(limit), size(peak)),
            None => format!(" (limit {})", size(limit)),
        });
        failure::note(&format!("killed: out of memory{}", numbers.unwrap_or_default()));
    } else if let (Termination::TimedOut, Some(timeout)) = (ended.termination, timeout) {
        failure::note(&format!("the command timed out after {timeout:?}"));
    }
}
