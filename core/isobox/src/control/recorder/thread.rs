//! The thread that writes batches. It needs no runtime of the program, so it goes on when that ends.

use super::batch::Batch;
use super::{Queue, Shared};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// How long an event waits for others.
pub(super) const INTERVAL: Duration = Duration::from_millis(15);
/// How long a batch waits for the one before, so that many events share the cost of a commit.
const APART: Duration = Duration::from_millis(100);
/// How long to wait after a batch that could not be written.
const PAUSE: Duration = Duration::from_millis(500);

/// Starts it. When the system has no thread, the next event tries again.
pub(super) fn start(shared: &Arc<Shared>, queue: &mut Queue) {
    let ours = shared.clone();
    let thread = std::thread::Builder::new().name("isobox-recorder".into()).spawn(move || run(&ours));
    queue.attended = thread.is_ok();
}

fn run(shared: &Arc<Shared>) {
    // However it ends, the next event starts another.
    let _unattended = Unattended(shared);
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().build() else { return };
    let mut last = None;
    while wait(shared, last) {
        last = Some(Instant::now());
        let written = catch_unwind(AssertUnwindSafe(|| match Batch::take(shared) {
            Some(batch) => runtime.block_on(batch.settled()).is_ok(),
            None => true,
        }));
        if !matches!(written, Ok(true)) && !pause(shared) {
            return;
        }
    }
}

/// Waits until there is something, and a moment for more of it; false when there will be nothing.
fn wait(shared: &Shared, last: Option<Instant>) -> bool {
    let mut queue = shared.queue();
    while queue.is_empty() && !queue.is_over() {
        queue = shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
    if !queue.is_due() {
        let moment = last.map_or(INTERVAL, |last| APART.saturating_sub(last.elapsed()).max(INTERVAL));
        let more = |queue: &mut Queue| !queue.is_due();
        queue = shared.changed.wait_timeout_while(queue, moment, more).unwrap_or_else(PoisonError::into_inner).0;
    }
    !queue.is_over()
}

/// Waits before another attempt; false when there is to be none.
fn pause(shared: &Shared) -> bool {
    let queue = shared.queue();
    let open = |queue: &mut Queue| !queue.closed;
    let (queue, _) = shared.changed.wait_timeout_while(queue, PAUSE, open).unwrap_or_else(PoisonError::into_inner);
    !queue.closed
}

struct Unattended<'a>(&'a Shared);

impl Drop for Unattended<'_> {
    fn drop(&mut self) {
        self.0.queue().attended = false;
    }
}
