//! Dropping what is over and old, a little at a time, and giving the space back.

use crate::clock::to_micros;
use crate::engine::Engine;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{Pruned, Retention, Stats};
use isobox_contract::{Result, Timestamp};
use rusqlite::{Connection, params};
use std::time::Duration;

/// The most rows that one transaction drops, so that no other writer waits for long.
const CHUNK: i64 = 500;
/// The most pages that one transaction gives back.
const PAGES: i64 = 500;
/// Free pages that are kept for what comes.
const SPARE: i64 = 256;

/// A table whose rows end at a time, and are dropped oldest first.
struct Ending {
    table: &'static str,
    key: &'static str,
    time: &'static str,
}

const SANDBOXES: Ending = Ending { table: "sandboxes", key: "id", time: "ended_at" };
const OPERATIONS: Ending = Ending { table: "operations", key: "id", time: "ended_at" };
const POST_MORTEMS: Ending = Ending { table: "post_mortems", key: "sandbox", time: "at" };

/// Drops what is beyond the limits.
pub(crate) async fn prune(engine: &Engine, retention: &Retention) -> Result<Pruned> {
    let ending = |table, age, most| engine_loop(engine, move |session| drop_ended(session, table, age, most));
    let (age, most) = (retention.events, retention.max_events);
    let mut pruned = Pruned {
        events: engine_loop(engine, move |session| drop_events(session, age, most)).await?,
        operations: ending(&OPERATIONS, retention.operations, retention.max_operations).await?,
        sandboxes: ending(&SANDBOXES, retention.sandboxes, retention.max_sandboxes).await?,
        post_mortems: ending(&POST_MORTEMS, retention.post_mortems, retention.max_post_mortems).await?,
        ..Pruned::default()
    };
    let (age, most) = (retention.processes, retention.max_processes);
    pruned.processes = engine_loop(engine, move |session| drop_processes(session, age, most)).await?;
    let age = retention.sandboxes;
    pruned.owners = engine_loop(engine, move |session| drop_owners(session, age)).await?;
    engine_loop(engine, drop_subjects).await?;
    pruned.bytes = engine_loop(engine, give_back).await?;
    Ok(pruned)
}

/// Runs a step in a transaction of its own until it has nothing to do, and adds up what it did.
async fn engine_loop<F>(engine: &Engine, step: F) -> Result<u64>
where
    F: Fn(&Session) -> Outcome<u64> + Clone + Send + 'static,
{
    let mut sum = 0;
    loop {
        let done = engine.write(step.clone()).await?;
        if done == 0 {
            return Ok(sum);
        }
        sum += done;
    }
}

/// The time before which things are old, or the beginning of time for an age that is longer.
fn cutoff(now: Timestamp, age: Duration) -> i64 {
    let age = i64::try_from(age.as_micros()).unwrap_or(i64::MAX);
    to_micros(now).saturating_sub(age)
}

fn drop_ended(session: &Session, Ending { table, key, time }: &Ending, age: Duration, most: u64) -> Outcome<u64> {
    let count = format!("SELECT count(*) FROM {table} WHERE {time} IS NOT NULL");
    let count: i64 = session.sql.prepare_cached(&count)?.query_row([], |row| row.get(0))?;
    let beyond = count.saturating_sub(i64::try_from(most).unwrap_or(i64::MAX));
    let delete = |condition: &str, values: [i64; 2]| {
        let statement = format!(
            "DELETE FROM {table} WHERE {key} IN (
                SELECT {key} FROM {table} WHERE {time} IS NOT NULL AND {condition} ORDER BY {time} LIMIT ?2)"
        );
        session.sql.prepare_cached(&statement)?.execute(values)
    };
    let dropped = match beyond {
        1.. => delete("?1 = ?1", [0, beyond.min(CHUNK)])?,
        _ => delete(&format!("{time} < ?1"), [cutoff(session.now(), age), CHUNK])?,
    };
    Ok(dropped as u64)
}

/// Drops the oldest events: always all before one, so that a reader can tell what is gone. An event with a time that is
/// not yet old keeps those after it, whatever their times are.
fn drop_events(session: &Session, age: Duration, most: u64) -> Outcome<u64> {
    let ask = |query: &str, value: i64| -> Outcome<Option<i64>> {
        Ok(session.sql.prepare_cached(query)?.query_row([value], |row| row.get(0))?)
    };
    let last = super::event::last(&session.sql)?.cast_signed();
    let Some(oldest) = ask("SELECT min(sequence) FROM events WHERE ?1 = ?1", 0)? else { return Ok(0) };
    let young = "SELECT (SELECT sequence FROM events WHERE at >= ?1 ORDER BY sequence LIMIT 1)";
    let by_age = ask(young, cutoff(session.now(), age))?.map_or(last, |young| young - 1);
    let by_count = last.saturating_sub(i64::try_from(most).unwrap_or(i64::MAX));
    let through = by_age.max(by_count).min(oldest + CHUNK - 1);
    let dropped = session.sql.prepare_cached("DELETE FROM events WHERE sequence <= ?1")?.execute([through])?;
    Ok(dropped as u64)
}

/// Drops commands that ended, the first ones first: their ids are in the order of their beginnings.
fn drop_processes(session: &Session, age: Duration, most: u64) -> Outcome<u64> {
    let count: i64 = session.sql.prepare_cached("SELECT count(*) FROM processes")?.query_row([], |row| row.get(0))?;
    let beyond = count.saturating_sub(i64::try_from(most).unwrap_or(i64::MAX));
    let (before, limit) = match beyond {
        1.. => (i64::MAX, beyond.min(CHUNK)),
        _ => (cutoff(session.now(), age), CHUNK),
    };
    let statement = "DELETE FROM processes WHERE id IN (
        SELECT id FROM processes WHERE ended_at < ?1 ORDER BY id LIMIT ?2)";
    Ok(session.sql.prepare_cached(statement)?.execute([before, limit])? as u64)
}

/// Drops processes that ended and that no record names.
fn drop_owners(session: &Session, age: Duration) -> Outcome<u64> {
    let statement = "DELETE FROM owners WHERE id IN (
        SELECT id FROM owners WHERE ended_at < ?1
            AND NOT EXISTS (SELECT 1 FROM sandboxes WHERE owner = owners.id AND ended_at IS NULL)
            AND NOT EXISTS (SELECT 1 FROM operations WHERE owner = owners.id AND state = 'running')
            AND NOT EXISTS (SELECT 1 FROM snapshots WHERE owner = owners.id)
            AND NOT EXISTS (SELECT 1 FROM volumes WHERE owner = owners.id)
        LIMIT ?2)";
    Ok(session.sql.prepare_cached(statement)?.execute([cutoff(session.now(), age), CHUNK])? as u64)
}

/// Drops the counters of what is gone with all its events.
fn drop_subjects(session: &Session) -> Outcome<u64> {
    let statement = "DELETE FROM subjects WHERE subject IN (
        SELECT subject FROM subjects WHERE substr(subject, 1, 4) IN ('sbx_', 'snp_', 'vol_')
            AND NOT EXISTS (SELECT 1 FROM events WHERE events.subject = subjects.subject)
            AND NOT EXISTS (SELECT 1 FROM sandboxes WHERE id = subjects.subject)
            AND NOT EXISTS (SELECT 1 FROM snapshots WHERE id = subjects.subject)
            AND NOT EXISTS (SELECT 1 FROM volumes WHERE id = subjects.subject)
        LIMIT ?1)";
    Ok(session.sql.prepare_cached(statement)?.execute([CHUNK])? as u64)
}

fn pragma(sql: &Connection, name: &str) -> Outcome<i64> {
    Ok(sql.prepare_cached(&format!("PRAGMA {name}"))?.query_row([], |row| row.get(0))?)
}

/// Gives free pages back to the filesystem; the bytes.
fn give_back(session: &Session) -> Outcome<u64> {
    let free = pragma(&session.sql, "freelist_count")?;
    if free <= SPARE {
        return Ok(0);
    }
    let before = pragma(&session.sql, "page_count")?;
    let mut statement = session.sql.prepare(&format!("PRAGMA incremental_vacuum({})", PAGES.min(free - SPARE)))?;
    let mut rows = statement.query([])?;
    while rows.next()?.is_some() {}
    let gone = before - pragma(&session.sql, "page_count")?;
    Ok((gone * pragma(&session.sql, "page_size")?).max(0).cast_unsigned())
}

/// How much there is.
pub(crate) fn stats(sql: &Connection) -> Outcome<Stats> {
    let count = |query: &str| -> Outcome<u64> {
        let number: i64 = sql.prepare_cached(query)?.query_row(params![], |row| row.get(0))?;
        Ok(number.cast_unsigned())
    };
    let page = pragma(sql, "page_size")?;
    Ok(Stats {
        live_sandboxes: count("SELECT count(*) FROM sandboxes WHERE ended_at IS NULL")?,
        ended_sandboxes: count("SELECT count(*) FROM sandboxes WHERE ended_at IS NOT NULL")?,
        running_operations: count("SELECT count(*) FROM operations WHERE state = 'running'")?,
        operations: count("SELECT count(*) FROM operations")?,
        events: count("SELECT count(*) FROM events")?,
        processes: count("SELECT count(*) FROM processes")?,
        post_mortems: count("SELECT count(*) FROM post_mortems")?,
        bytes: (pragma(sql, "page_count")? * page).cast_unsigned(),
        free_bytes: (pragma(sql, "freelist_count")? * page).cast_unsigned(),
    })
}
