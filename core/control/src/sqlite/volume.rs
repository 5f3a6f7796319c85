//! Volumes, and which sandboxes use them.

use super::column::{MAX_JSON, bits_or_null, count, json, plain, time, to_json, word, word_or_null};
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{SandboxEntry, VolumeEntry};
use isobox_contract::{Error, ErrorCode, ProviderKind, Resource, VolumeId, VolumeState};
use rusqlite::{Connection, Row, params};

const SELECT: &str = "SELECT *, (SELECT count(*) FROM volume_uses WHERE volume = id) AS attached FROM volumes";

fn read(row: &Row<'_>) -> Outcome<VolumeEntry> {
    Ok(VolumeEntry {
        id: word(row, "id")?,
        name: plain(row, "name")?,
        provider: word(row, "provider")?,
        external: word_or_null(row, "external")?,
        state: plain::<String>(row, "state")?.parse().unwrap_or(VolumeState::Unknown),
        labels: json(row, "labels")?,
        size: bits_or_null(row, "size")?,
        created_at: time(row, "created_at")?,
        attached: count(row, "attached")?,
    })
}

/// The volume with this id or name; `not_found` without one.
pub(crate) fn get(sql: &Connection, provider: &ProviderKind, id_or_name: &str) -> Outcome<VolumeEntry> {
    let mut statement = sql.prepare_cached(&format!("{SELECT} WHERE provider = ?1 AND (id = ?2 OR name = ?2)"))?;
    let mut rows = statement.query([provider.as_str(), id_or_name])?;
    match rows.next()? {
        Some(row) => read(row),
        None => Err(Error::not_found(Resource::Volume, id_or_name).with_provider(provider).into()),
    }
}

/// All volumes.
pub(crate) fn list(sql: &Connection) -> Outcome<Vec<VolumeEntry>> {
    let mut statement = sql.prepare_cached(&format!("{SELECT} ORDER BY id"))?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// Adds or replaces a volume.
pub(crate) fn put(session: &Session, volume: &VolumeEntry) -> Outcome<()> {
    if let Ok(other) = get(&session.sql, &volume.provider, &volume.name)
        && other.id != volume.id
    {
        return Err(Error::already_exists(Resource::Volume, &volume.name).with_provider(&volume.provider).into());
    }
    if matches!(volume.state, VolumeState::Deleting | VolumeState::Deleted) {
        check_unused(&session.sql, &volume.id)?;
    }
    let statement = "INSERT INTO volumes (id, name, provider, external, state, labels, size, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (id) DO UPDATE SET name = ?2, external = ?4, state = ?5, labels = ?6, size = ?7";
    session.sql.prepare_cached(statement)?.execute(params![
        volume.id.as_str(),
        volume.name,
        volume.provider.as_str(),
        volume.external.as_ref().map(ToString::to_string),
        volume.state.as_str(),
        to_json("labels", &volume.labels, MAX_JSON)?,
        volume.size.map(u64::cast_signed),
        to_micros(volume.created_at),
    ])?;
    Ok(())
}

/// Forgets a volume.
pub(crate) fn remove(session: &Session, id: &VolumeId) -> Outcome<()> {
    check_unused(&session.sql, id)?;
    session.sql.prepare_cached("DELETE FROM volumes WHERE id = ?1")?.execute([id.as_str()])?;
    Ok(())
}

fn check_unused(sql: &Connection, id: &VolumeId) -> Outcome<()> {
    let mut statement = sql.prepare_cached("SELECT sandbox FROM volume_uses WHERE volume = ?1 ORDER BY sandbox")?;
    let mut users = Vec::new();
    let mut rows = statement.query([id.as_str()])?;
    while let Some(row) = rows.next()? {
        users.push(row.get::<_, String>(0)?);
    }
    let Some(first) = users.first() else { return Ok(()) };
    let others = users.len() - 1;
    let message = format!("volume {id} is used by sandbox {first} and {others} others, delete them first");
    Err(Error::new(ErrorCode::Conflict, message).retryable(false).into())
}

/// Counts a sandbox as a user of volumes.
pub(crate) fn attach(session: &Session, sandbox: &SandboxEntry, volumes: &[VolumeId]) -> Outcome<()> {
    for id in volumes {
        let volume = get(&session.sql, &sandbox.provider, id.as_str())?;
        if volume.state != VolumeState::Ready {
            let message = format!("volume {} is {}, a sandbox can use it once it is ready", volume.name, volume.state);
            return Err(Error::new(ErrorCode::InvalidState, message).into());
        }
        let insert = "INSERT OR IGNORE INTO volume_uses (volume, sandbox) VALUES (?1, ?2)";
        session.sql.prepare_cached(insert)?.execute([id.as_str(), sandbox.id.as_str()])?;
    }
    Ok(())
}
