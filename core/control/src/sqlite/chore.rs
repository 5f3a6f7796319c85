//! What one process at a time does for all.

use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use rusqlite::params;
use std::time::Duration;

/// Claims a chore that nobody has claimed for so long.
pub(crate) fn claim(session: &Session, chore: &str, every: Duration) -> Outcome<bool> {
    let every = i64::try_from(every.as_micros()).unwrap_or(i64::MAX);
    let now = to_micros(session.now());
    let statement = "INSERT INTO chores (name, claimed_at) VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET claimed_at = ?2 WHERE claimed_at <= ?3 OR claimed_at > ?2";
    let claimed = session.sql.prepare_cached(statement)?.execute(params![chore, now, now.saturating_sub(every)])?;
    Ok(claimed == 1)
}
