//! The row of limits.

use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::Limits;
use rusqlite::{Connection, Row, params};
use std::time::Duration;

/// Writes the defaults down if nobody has, so that all processes have the same.
pub(crate) fn prepare(sql: &Connection) -> rusqlite::Result<()> {
    // Usually there is nothing to do, which must not need the lock of a writer.
    let known: bool = sql.query_row("SELECT EXISTS (SELECT 1 FROM limits)", [], |row| row.get(0))?;
    if !known {
        write(sql, "OR IGNORE", &Limits::default())?;
    }
    Ok(())
}

fn write(sql: &Connection, how: &str, limits: &Limits) -> rusqlite::Result<()> {
    let statement = format!("INSERT {how} INTO limits (one, creates, live, length, wait) VALUES (1, ?1, ?2, ?3, ?4)");
    // All of them were validated.
    let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    let wait = i64::try_from(limits.queue_wait.as_millis()).unwrap_or(i64::MAX);
    let live = limits.live_sandboxes.map(number);
    sql.execute(&statement, params![number(limits.concurrent_creates), live, number(limits.queue_length), wait])?;
    Ok(())
}

/// Replaces the limits.
pub(crate) fn set(session: &Session, limits: &Limits) -> Outcome<()> {
    limits.validate()?;
    Ok(write(&session.sql, "OR REPLACE", limits)?)
}

/// The limits.
pub(crate) fn get(sql: &Connection) -> Outcome<Limits> {
    Ok(sql.prepare_cached("SELECT creates, live, length, wait FROM limits")?.query_row([], read)?)
}

/// The first four columns of a row.
pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Limits> {
    let number = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
    Ok(Limits {
        concurrent_creates: number(0)?,
        live_sandboxes: row.get::<_, Option<i64>>(1)?.map(i64::cast_unsigned),
        queue_length: number(2)?,
        queue_wait: Duration::from_millis(number(3)?),
    })
}
