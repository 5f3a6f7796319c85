//! Volumes, and which sandboxes use them.

use super::column::{MAX_JSON, bits_or_null, count, json, plain, time, to_json, word, word_or_null};
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{NewEvent, SandboxEntry, VolumeEntry};
use crate::sqlite::event;
use isobox_contract::event::ResourceState;
use isobox_contract::{Error, ErrorCode, EventKind, ProviderKind, Resource, SandboxId, Subject, VolumeId, VolumeState};
use rusqlite::{Connection, Row, params};

/// The most users that a refusal names.
const NAMED: usize = 10;

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
        owner: word_or_null(row, "owner")?,
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
    let before = get(&session.sql, &volume.provider, volume.id.as_str()).ok().map(|before| before.state);
    let statement = "INSERT INTO volumes (id, name, provider, external, state, labels, size, created_at, owner)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT (id) DO UPDATE SET name = ?2, external = ?4, state = ?5, labels = ?6, size = ?7, owner = ?9";
    session.sql.prepare_cached(statement)?.execute(params![
        volume.id.as_str(),
        volume.name,
        volume.provider.as_str(),
        volume.external.as_ref().map(ToString::to_string),
        volume.state.as_str(),
        to_json("labels", &volume.labels, MAX_JSON)?,
        volume.size.map(u64::cast_signed),
        to_micros(volume.created_at),
        volume.owner.map(|owner| owner.to_string()),
    ])?;
    tell(session, volume, before, volume.state)
}

/// Replaces a volume that is in one of these states.
pub(crate) fn replace(session: &Session, volume: &VolumeEntry, from: &[VolumeState]) -> Outcome<()> {
    let found = get(&session.sql, &volume.provider, volume.id.as_str())?;
    if !from.contains(&found.state) {
        let message = format!("volume {} is {} meanwhile, look again", found.name, found.state);
        return Err(Error::new(ErrorCode::Conflict, message).with_provider(&volume.provider).into());
    }
    put(session, volume)
}

/// Tells that it is in another state now.
fn tell(session: &Session, volume: &VolumeEntry, before: Option<VolumeState>, now: VolumeState) -> Outcome<()> {
    if before == Some(now) {
        return Ok(());
    }
    let previous = before.map(ResourceState::Volume);
    let kind = EventKind::StateObserved { previous, current: ResourceState::Volume(now) };
    let subject = Subject::Volume { id: volume.id, name: Some(volume.name.clone()) };
    let provider = Some(volume.provider.clone());
    event::append(session, NewEvent { at: None, provider, subject, operation: None, correlation: None, kind }).map(drop)
}

/// Forgets a volume.
pub(crate) fn remove(session: &Session, id: &VolumeId) -> Outcome<()> {
    check_unused(&session.sql, id)?;
    let mut statement = session.sql.prepare_cached(&format!("{SELECT} WHERE id = ?1"))?;
    let mut rows = statement.query([id.as_str()])?;
    let Some(volume) = rows.next()?.map(read).transpose()? else { return Ok(()) };
    session.sql.prepare_cached("DELETE FROM volumes WHERE id = ?1")?.execute([id.as_str()])?;
    tell(session, &volume, Some(volume.state), VolumeState::Deleted)
}

/// The sandboxes that use a volume.
pub(crate) fn users(sql: &Connection, id: &VolumeId) -> Outcome<Vec<SandboxId>> {
    let mut statement = sql.prepare_cached("SELECT sandbox FROM volume_uses WHERE volume = ?1 ORDER BY sandbox")?;
    let mut rows = statement.query([id.as_str()])?;
    let mut users = Vec::new();
    while let Some(row) = rows.next()? {
        users.push(word(row, "sandbox")?);
    }
    Ok(users)
}

fn check_unused(sql: &Connection, id: &VolumeId) -> Outcome<()> {
    let users = users(sql, id)?;
    if users.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = users.iter().take(NAMED).map(ToString::to_string).collect();
    let others = match users.len() - named.len() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let message = format!("the volume is used by {}{others}, delete what uses it first", named.join(", "));
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
