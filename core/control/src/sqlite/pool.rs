//! Pools that every process may take from.

use super::column::{MAX_JSON, count, json, json_or_null, plain, time, to_json, word};
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{NewEvent, NewPool, Offered, PoolEntry};
use crate::sqlite::event;
use isobox_contract::{Error, EventKind, OwnerId, ProviderKind, Report, Resource, SandboxId, Subject};
use rusqlite::{Connection, Row, params};

/// Of a process that has ended nothing is shown: its sandboxes are on their way out.
const SELECT: &str = "SELECT pools.*, owners.pid, owners.program,
        (SELECT count(*) FROM sandboxes WHERE pool = pools.name AND sandboxes.owner = pools.owner AND offered
            AND state = 'running') AS ready,
        (SELECT count(*) FROM sandboxes WHERE pool = pools.name AND sandboxes.owner = pools.owner
            AND state = 'creating' AND sandboxes.ended_at IS NULL) AS making
    FROM pools LEFT JOIN owners ON owners.id = pools.owner WHERE owners.ended_at IS NULL";

fn read(row: &Row<'_>) -> Outcome<PoolEntry> {
    Ok(PoolEntry {
        name: plain(row, "name")?,
        owner: word(row, "owner")?,
        pid: plain(row, "pid")?,
        program: plain(row, "program")?,
        provider: word(row, "provider")?,
        spec: json(row, "spec")?,
        whole: plain(row, "whole")?,
        library: plain(row, "library")?,
        size: count(row, "size")?,
        ready: count(row, "ready")?,
        making: count(row, "making")?,
        taken: count(row, "taken")?,
        ending: plain(row, "ending")?,
        failure: json_or_null(row, "failure")?,
        created_at: time(row, "created_at")?,
    })
}

/// The pool with this name.
pub(crate) fn find(sql: &Connection, name: &str) -> Outcome<Option<PoolEntry>> {
    let mut statement = sql.prepare_cached(&format!("{SELECT} AND pools.name = ?1"))?;
    let mut rows = statement.query([name])?;
    rows.next()?.map(read).transpose()
}

/// All pools.
pub(crate) fn list(sql: &Connection) -> Outcome<Vec<PoolEntry>> {
    let mut statement = sql.prepare_cached(&format!("{SELECT} ORDER BY pools.name"))?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// Adds a pool, in the place of one whose process has ended.
pub(crate) fn put(session: &Session, pool: &NewPool) -> Outcome<()> {
    if find(&session.sql, &pool.name)?.is_some() {
        return Err(Error::already_exists(Resource::Pool, &pool.name).into());
    }
    let spec = pool.spec.redacted();
    let statement =
        "INSERT OR REPLACE INTO pools (name, owner, provider, spec, whole, library, size, taken, ending, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 0, ?8)";
    session.sql.prepare_cached(statement)?.execute(params![
        pool.name,
        pool.owner.as_str(),
        pool.provider.as_str(),
        to_json("spec", &spec, MAX_JSON)?,
        spec == pool.spec,
        pool.library,
        i64::try_from(pool.size).unwrap_or(i64::MAX),
        to_micros(session.now()),
    ])?;
    tell(session, &pool.provider, "pool.opened", format!("the pool {} is open to every process", pool.name))
}

/// Says why a pool is not refilled; nothing when it is.
pub(crate) fn set_failure(session: &Session, name: &str, owner: &OwnerId, failure: Option<Report>) -> Outcome<()> {
    let failure = failure.map(event::discreet_report);
    let failure = failure.map(|failure| to_json("failure", &failure, MAX_JSON)).transpose()?;
    let statement = "UPDATE pools SET failure = ?3 WHERE name = ?1 AND owner = ?2";
    session.sql.prepare_cached(statement)?.execute(params![name, owner.as_str(), failure])?;
    Ok(())
}

/// Asks for the end of a pool.
pub(crate) fn ask_end(session: &Session, name: &str, owner: Option<OwnerId>) -> Outcome<PoolEntry> {
    let pool = find(&session.sql, name)?.filter(|pool| owner.is_none_or(|owner| owner == pool.owner));
    let pool = pool.ok_or_else(|| Error::not_found(Resource::Pool, name))?;
    session.sql.prepare_cached("UPDATE pools SET ending = 1 WHERE name = ?1")?.execute([name])?;
    tell(session, &pool.provider, "pool.ending", format!("the pool {name} was asked to end"))?;
    Ok(pool)
}

/// Forgets a pool, so that nobody takes from it any more. One that is not there is fine.
pub(crate) fn remove(session: &Session, name: &str, owner: &OwnerId) -> Outcome<()> {
    let query = "DELETE FROM pools WHERE name = ?1 AND owner = ?2 RETURNING provider";
    let mut statement = session.sql.prepare_cached(query)?;
    let mut rows = statement.query([name, owner.as_str()])?;
    let Some(provider) = rows.next()?.map(|row| word(row, "provider")).transpose()? else { return Ok(()) };
    tell(session, &provider, "pool.closed", format!("the pool {name} is closed"))
}

/// Forgets the pools of a process that has ended.
pub(crate) fn remove_all(session: &Session, owner: &OwnerId) -> Outcome<()> {
    session.sql.prepare_cached("DELETE FROM pools WHERE owner = ?1")?.execute([owner.as_str()])?;
    Ok(())
}

/// What the keeper of a pool has to know of it.
pub(crate) fn offered(sql: &Connection, name: &str, owner: &OwnerId) -> Outcome<Offered> {
    let ending = "SELECT 1 FROM pools WHERE name = ?1 AND owner = ?2 AND ending";
    let ending = sql.prepare_cached(ending)?.exists([name, owner.as_str()])?;
    let query = "SELECT id FROM sandboxes WHERE pool = ?1 AND owner = ?2 AND offered ORDER BY id";
    let mut statement = sql.prepare_cached(query)?;
    let mut rows = statement.query([name, owner.as_str()])?;
    let mut sandboxes: Vec<SandboxId> = Vec::new();
    while let Some(row) = rows.next()? {
        sandboxes.push(word(row, "id")?);
    }
    Ok(Offered { sandboxes, ending })
}

/// Counts one that was taken.
pub(super) fn count_taken(session: &Session, name: &str, owner: &OwnerId) -> Outcome<()> {
    let statement = "UPDATE pools SET taken = taken + 1 WHERE name = ?1 AND owner = ?2";
    session.sql.prepare_cached(statement)?.execute([name, owner.as_str()])?;
    Ok(())
}

fn tell(session: &Session, provider: &ProviderKind, code: &str, message: String) -> Outcome<()> {
    let (at, operation, correlation) = (None, None, None);
    let subject = Subject::Provider { kind: provider.clone() };
    let kind = EventKind::Notice { code: code.to_owned(), message };
    event::append(session, NewEvent { at, provider: Some(provider.clone()), subject, operation, correlation, kind })
        .map(drop)
}
