//! The thread that copies the journal into the database.
//!
//! Copying waits for the disk. Left to SQLite it happens within the commit that finds the journal long, and that caller
//! waits; here it is in nobody's way (`SQLITE_CHECKPOINT_PASSIVE` waits for no lock and holds up neither readers nor
//! writers).

use super::queue::Queue;
use crate::fork;
use rusqlite::Connection;

/// How many calls of the store make a journal that is worth copying: about a thousand pages.
pub(crate) const CALLS: usize = 100;

/// When the writer does it after all, since this thread cannot keep up: 40 MB of journal, in pages.
pub(crate) const PAGES_AT_MOST: u32 = 10_000;

/// Asks for a copy; one that is asked for already is enough.
pub(crate) fn ask(queue: &Queue<()>) {
    queue.push(()).ok();
}

/// Works until the queue is closed.
pub(crate) fn run(connection: Connection, queue: &Queue<()>) {
    while queue.take(1).is_some() {
        let _inside = fork::enter();
        // One that fails, for a full disk or because another process is at it, is tried again with the next.
        connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).ok();
    }
    let _inside = fork::enter();
    drop(connection);
}
