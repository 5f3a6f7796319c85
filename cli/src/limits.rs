//! `isobox limits`: what may be at once on this machine.

use crate::args::LimitsArgs;
use crate::output::{self, Show};
use crate::runtime;
use crate::table::Table;
use isobox::{Limits, Queue, Result};
use serde::Serialize;

/// The limits, and how much of them is used.
#[derive(Debug, Serialize)]
struct LimitsView {
    concurrent_creates: u64,
    /// Null when there is no limit.
    live_sandboxes: Option<u64>,
    queue_length: u64,
    queue_wait_ms: u64,
    /// Sandboxes that are being made or started now.
    making: u64,
    /// Sandboxes that are there and not stopped.
    live: u64,
    /// Requests that wait for room.
    waiting: u64,
}

pub(crate) fn main(args: &LimitsArgs) -> Result<u8> {
    runtime::with_isobox("limits", async |isobox| {
        let before = isobox.limits().await?;
        let wanted = changed(&before, args);
        if wanted != before {
            isobox.set_limits(wanted).await?;
        }
        output::show(&LimitsView::of(&isobox.queue().await?), args.form.output)
    })
}

fn changed(before: &Limits, args: &LimitsArgs) -> Limits {
    Limits {
        concurrent_creates: args.concurrent_creates.unwrap_or(before.concurrent_creates),
        live_sandboxes: args.live_sandboxes.map_or(before.live_sandboxes, |bound| bound.0),
        queue_length: args.queue_length.unwrap_or(before.queue_length),
        queue_wait: args.queue_wait.unwrap_or(before.queue_wait),
    }
}

impl LimitsView {
    fn of(queue: &Queue) -> Self {
        let limits = &queue.limits;
        Self {
            concurrent_creates: limits.concurrent_creates,
            live_sandboxes: limits.live_sandboxes,
            queue_length: limits.queue_length,
            // A day at most.
            queue_wait_ms: u64::try_from(limits.queue_wait.as_millis()).unwrap_or(u64::MAX),
            making: queue.making.len() as u64,
            live: queue.live,
            waiting: queue.waiting.len() as u64,
        }
    }
}

impl Show for LimitsView {
    fn text(&self) -> String {
        let mut table = Table::new(["LIMIT", "VALUE", "NOW"]);
        let live = self.live_sandboxes.map_or("none".to_owned(), |limit| limit.to_string());
        let wait = format!("{}s", self.queue_wait_ms as f64 / 1000.0);
        table.row(["concurrent creates".to_owned(), self.concurrent_creates.to_string(), self.making.to_string()]);
        table.row(["live sandboxes".to_owned(), live, self.live.to_string()]);
        table.row(["queue length".to_owned(), self.queue_length.to_string(), self.waiting.to_string()]);
        table.row(["queue wait".to_owned(), wait, String::new()]);
        table.text()
    }
}
