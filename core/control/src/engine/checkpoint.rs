//! The thread that copies the journal into the database.
//!
//! Copying waits for the disk. Left to SQLite it happens within the commit that finds the journal long, and that caller
//! waits; here it is in nobody's way: a passive checkpoint waits for no lock and holds up neither readers nor writers.
//!
//! But while there is always somebody who writes or reads, a passive one never catches up, and the journal never begins
//! anew. So when it has become long, one checkpoint in between keeps writers out for the few milliseconds that takes.

use super::queue::Queue;
use crate::fork;
use rusqlite::Connection;
use std::time::{Duration, Instant};

/// How many calls of the store make a journal that is worth copying: about a thousand pages.
pub(crate) const CALLS: usize = 100;

/// When the writer does it after all, since this thread cannot keep up: 40 MB of journal, in pages.
pub(crate) const PAGES_AT_MOST: u32 = 10_000;

/// A long journal: 8 MB, in pages.
const LONG: i64 = 2000;
/// How long others may be waited for while writers are kept out. A reader that is older than that was stopped.
pub(crate) const BUSY: Duration = Duration::from_millis(250);
/// How long writers are left alone after a reader was in the way.
const PAUSE: Duration = Duration::from_secs(5);

/// Asks for a copy; one that is asked for already is enough.
pub(crate) fn ask(queue: &Queue<()>) {
    queue.push(()).ok();
}

/// Works until the queue is closed.
pub(crate) fn run(connection: Connection, queue: &Queue<()>) {
    let mut paused: Option<Instant> = None;
    while queue.take(1).is_some() {
        // One that fails, for a full disk or because another process is at it, is tried again with the next.
        let pages = checkpoint(&connection, "PASSIVE").unwrap_or_default().1;
        if pages > LONG && paused.is_none_or(|since| since.elapsed() > PAUSE) {
            let begun_anew = checkpoint(&connection, "RESTART").is_ok_and(|(busy, _)| !busy);
            paused = (!begun_anew).then(Instant::now);
        }
    }
    let _inside = fork::enter();
    drop(connection);
}

/// Whether somebody was in the way, and how many pages the journal has.
fn checkpoint(connection: &Connection, mode: &str) -> rusqlite::Result<(bool, i64)> {
    let _inside = fork::enter();
    let pragma = format!("PRAGMA wal_checkpoint({mode})");
    connection.query_row(&pragma, [], |row| Ok((row.get(0)?, row.get(1)?)))
}
