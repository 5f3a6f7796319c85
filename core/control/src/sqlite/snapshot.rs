//! Snapshots.

use super::column::{MAX_JSON, bits_or_null, json, json_or_null, plain, time, to_json, word, word_or_null};
use super::event::{self, discreet_report};
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{NewEvent, SnapshotEntry};
use isobox_contract::event::ResourceState;
use isobox_contract::{Error, ErrorCode, EventKind, ProviderKind, Resource, SnapshotId, SnapshotState, Subject};
use rusqlite::{Connection, Row, params};

fn read(row: &Row<'_>) -> Outcome<SnapshotEntry> {
    Ok(SnapshotEntry {
        id: word(row, "id")?,
        name: plain(row, "name")?,
        provider: word(row, "provider")?,
        external: word_or_null(row, "external")?,
        sandbox: word_or_null(row, "sandbox")?,
        state: plain::<String>(row, "state")?.parse().unwrap_or(SnapshotState::Unknown),
        labels: json(row, "labels")?,
        size: bits_or_null(row, "size")?,
        error: json_or_null(row, "error")?,
        owner: word_or_null(row, "owner")?,
        created_at: time(row, "created_at")?,
    })
}

/// The snapshot with this id or name; `not_found` without one.
pub(crate) fn get(sql: &Connection, provider: &ProviderKind, id_or_name: &str) -> Outcome<SnapshotEntry> {
    let query = "SELECT * FROM snapshots WHERE provider = ?1 AND (id = ?2 OR name = ?2)";
    let mut statement = sql.prepare_cached(query)?;
    let mut rows = statement.query([provider.as_str(), id_or_name])?;
    match rows.next()? {
        Some(row) => read(row),
        None => Err(Error::not_found(Resource::Snapshot, id_or_name).with_provider(provider).into()),
    }
}

/// All snapshots.
pub(crate) fn list(sql: &Connection) -> Outcome<Vec<SnapshotEntry>> {
    let mut statement = sql.prepare_cached("SELECT * FROM snapshots ORDER BY id")?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// Adds or replaces a snapshot.
pub(crate) fn put(session: &Session, snapshot: &SnapshotEntry) -> Outcome<()> {
    if let Some(name) = &snapshot.name
        && let Ok(other) = get(&session.sql, &snapshot.provider, name)
        && other.id != snapshot.id
    {
        return Err(Error::already_exists(Resource::Snapshot, name).with_provider(&snapshot.provider).into());
    }
    let error = snapshot.error.clone().map(discreet_report);
    let before = get(&session.sql, &snapshot.provider, snapshot.id.as_str()).ok().map(|before| before.state);
    let statement =
        "INSERT INTO snapshots (id, name, provider, external, sandbox, state, labels, size, error, created_at, owner)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        ON CONFLICT (id) DO UPDATE SET
            name = ?2, external = ?4, state = ?6, labels = ?7, size = ?8, error = ?9, owner = ?11";
    session.sql.prepare_cached(statement)?.execute(params![
        snapshot.id.as_str(),
        snapshot.name,
        snapshot.provider.as_str(),
        snapshot.external.as_ref().map(ToString::to_string),
        snapshot.sandbox.map(|id| id.to_string()),
        snapshot.state.as_str(),
        to_json("labels", &snapshot.labels, MAX_JSON)?,
        snapshot.size.map(u64::cast_signed),
        error.map(|error| to_json("error", &error, MAX_JSON)).transpose()?,
        to_micros(snapshot.created_at),
        snapshot.owner.map(|owner| owner.to_string()),
    ])?;
    tell(session, snapshot, before, snapshot.state)
}

/// Replaces a snapshot that is in one of these states.
pub(crate) fn replace(session: &Session, snapshot: &SnapshotEntry, from: &[SnapshotState]) -> Outcome<()> {
    let found = get(&session.sql, &snapshot.provider, snapshot.id.as_str())?;
    if !from.contains(&found.state) {
        let message = format!("snapshot {} is {} meanwhile, look again", found.id, found.state);
        return Err(Error::new(ErrorCode::Conflict, message).with_provider(&snapshot.provider).into());
    }
    put(session, snapshot)
}

/// Tells that it is in another state now.
fn tell(session: &Session, snapshot: &SnapshotEntry, before: Option<SnapshotState>, now: SnapshotState) -> Outcome<()> {
    if before == Some(now) {
        return Ok(());
    }
    let previous = before.map(ResourceState::Snapshot);
    let kind = EventKind::StateObserved { previous, current: ResourceState::Snapshot(now) };
    let subject = Subject::Snapshot { id: snapshot.id, name: snapshot.name.clone() };
    let provider = Some(snapshot.provider.clone());
    event::append(session, NewEvent { at: None, provider, subject, operation: None, correlation: None, kind }).map(drop)
}

/// Forgets a snapshot.
pub(crate) fn remove(session: &Session, id: &SnapshotId) -> Outcome<()> {
    let mut statement = session.sql.prepare_cached("SELECT * FROM snapshots WHERE id = ?1")?;
    let mut rows = statement.query([id.as_str()])?;
    let Some(snapshot) = rows.next()?.map(read).transpose()? else { return Ok(()) };
    session.sql.prepare_cached("DELETE FROM snapshots WHERE id = ?1")?.execute([id.as_str()])?;
    tell(session, &snapshot, Some(snapshot.state), SnapshotState::Deleted)
}
