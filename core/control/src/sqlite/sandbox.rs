//! The rows of sandboxes.

mod handout;
mod moves;

pub(crate) use handout::{hand_out, offer, take, withdraw};
pub(crate) use moves::{post_mortem, record_death, refused, set_state, transition};

use super::column::{
    MAX_JSON, Numbers, count, json, json_or_null, plain, time, time_or_null, to_json, word, word_or_null,
};
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{Page, ProviderData, SandboxChange, SandboxEntry, SandboxFilter};
use isobox_contract::{Action, Error, ErrorCode, Labels, Resource, SandboxId, SandboxRecord, State};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

/// The columns, in the order in which [`read`] takes them.
const COLUMNS: &str = "id, name, provider, external, data, spec, image, fingerprint, labels, state, state_since, version, \
    owner, detached, expires_at, error, pool, taken_at, created_at, updated_at, ended_at";

/// Reads a row.
fn read(row: &Row<'_>) -> Outcome<SandboxEntry> {
    let at = Numbers::default();
    Ok(SandboxEntry {
        id: word(row, at.next())?,
        name: plain(row, at.next())?,
        provider: word(row, at.next())?,
        external: word_or_null(row, at.next())?,
        data: ProviderData(json(row, at.next())?),
        spec: json(row, at.next())?,
        image: json_or_null(row, at.next())?,
        fingerprint: plain(row, at.next())?,
        labels: json(row, at.next())?,
        // A state of a newer version is one that is not known here.
        state: plain::<String>(row, at.next())?.parse().unwrap_or(State::Unknown),
        state_since: time(row, at.next())?,
        version: count(row, at.next())?,
        owner: word_or_null(row, at.next())?,
        detached: plain(row, at.next())?,
        expires_at: time_or_null(row, at.next())?,
        error: json_or_null(row, at.next())?,
        pool: plain(row, at.next())?,
        taken_at: time_or_null(row, at.next())?,
        created_at: time(row, at.next())?,
        updated_at: time(row, at.next())?,
        ended_at: time_or_null(row, at.next())?,
    })
}

fn one(sql: &Connection, condition: &str, value: &str) -> Outcome<Option<SandboxEntry>> {
    let mut statement = sql.prepare_cached(&format!("SELECT {COLUMNS} FROM sandboxes WHERE {condition}"))?;
    let mut rows = statement.query([value])?;
    rows.next()?.map(read).transpose()
}

/// The sandbox with this id, if its record is there.
pub(crate) fn find(sql: &Connection, id: &SandboxId) -> Outcome<Option<SandboxEntry>> {
    one(sql, "id = ?1", id.as_str())
}

/// The sandbox with this id; `not_found` without one.
pub(crate) fn get(sql: &Connection, id: &SandboxId) -> Outcome<SandboxEntry> {
    find(sql, id)?.ok_or_else(|| Error::not_found(Resource::Sandbox, id).with_sandbox(id).into())
}

/// The state of a sandbox; `not_found` without one. It is asked before every command.
pub(crate) fn state(sql: &Connection, id: &SandboxId) -> Outcome<State> {
    let mut statement = sql.prepare_cached("SELECT state FROM sandboxes WHERE id = ?1")?;
    let state: Option<String> = statement.query_row([id.as_str()], |row| row.get(0)).optional()?;
    let state = state.ok_or_else(|| Error::not_found(Resource::Sandbox, id).with_sandbox(id))?;
    Ok(state.parse().unwrap_or(State::Unknown))
}

/// The sandbox with this name that is not deleted.
pub(crate) fn by_name(sql: &Connection, name: &str) -> Outcome<Option<SandboxEntry>> {
    one(sql, "name = ?1 AND ended_at IS NULL", name)
}

const ABANDONED: &str = " AND (
    (NOT detached AND owner IN (SELECT id FROM owners WHERE ended_at IS NOT NULL))
    OR (state = 'deleting' AND id NOT IN (SELECT sandbox FROM operations WHERE state = 'running' AND sandbox IS NOT NULL))
    OR id IN (SELECT sandbox FROM operations
        WHERE state = 'running' AND owner IN (SELECT id FROM owners WHERE ended_at IS NOT NULL)))";

/// The sandboxes that match.
pub(crate) fn list(sql: &Connection, filter: &SandboxFilter, page: Page) -> Outcome<Vec<SandboxEntry>> {
    let mut condition = String::from("true");
    let mut values: Vec<Value> = Vec::new();
    for (name, value) in &filter.labels {
        condition.push_str(" AND id IN (SELECT sandbox FROM sandbox_labels WHERE name = ? AND value = ?)");
        values.extend([Value::Text(name.clone()), Value::Text(value.clone())]);
    }
    if !filter.states.is_empty() {
        let marks = vec!["?"; filter.states.len()].join(", ");
        condition.push_str(&format!(" AND state IN ({marks})"));
        values.extend(filter.states.iter().map(|state| Value::Text(state.as_str().into())));
    }
    if !filter.deleted && !filter.states.contains(&State::Deleted) {
        condition.push_str(" AND ended_at IS NULL");
    }
    if filter.abandoned {
        condition.push_str(ABANDONED);
    }
    if let Some(before) = filter.expires_before {
        condition.push_str(" AND expires_at < ?");
        values.push(Value::Integer(to_micros(before)));
    }
    let optional = [
        ("provider =", filter.provider.as_ref().map(ToString::to_string)),
        ("owner =", filter.owner.map(|owner| owner.to_string())),
        ("id >", page.after.map(|id| id.to_string())),
    ];
    for (comparison, value) in optional {
        if let Some(value) = value {
            condition.push_str(&format!(" AND {comparison} ?"));
            values.push(Value::Text(value));
        }
    }
    values.push(Value::Integer(page.checked()?));
    let mut statement =
        sql.prepare_cached(&format!("SELECT {COLUMNS} FROM sandboxes WHERE {condition} ORDER BY id LIMIT ?"))?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// Adds a sandbox and its labels.
pub(crate) fn insert(session: &Session, entry: &SandboxEntry) -> Outcome<()> {
    let statement = "INSERT INTO sandboxes (id, name, provider, external, data, spec, fingerprint, labels, state,
            state_since, version, owner, detached, expires_at, error, created_at, updated_at, ended_at, pool)
        VALUES (?1, ?2, ?3, NULL, 'null', ?4, ?5, ?6, ?7, ?8, 1, ?9, ?10, ?11, NULL, ?8, ?8, NULL, ?12)";
    session.sql.prepare_cached(statement)?.execute(params![
        entry.id.as_str(),
        entry.name,
        entry.provider.as_str(),
        to_json("spec", &entry.spec, MAX_JSON)?,
        entry.fingerprint,
        to_json("labels", &entry.labels, MAX_JSON)?,
        entry.state.as_str(),
        to_micros(entry.created_at),
        entry.owner.map(|owner| owner.to_string()),
        entry.detached,
        entry.expires_at.map(to_micros),
        entry.pool,
    ])?;
    insert_labels(session, &entry.id, &entry.labels)
}

fn insert_labels(session: &Session, id: &SandboxId, labels: &Labels) -> Outcome<()> {
    let mut statement =
        session.sql.prepare_cached("INSERT INTO sandbox_labels (name, value, sandbox) VALUES (?1, ?2, ?3)")?;
    for (name, value) in labels {
        statement.execute([name, value, id.as_str()])?;
    }
    Ok(())
}

fn replace_labels(session: &Session, id: &SandboxId, labels: &Labels) -> Outcome<()> {
    session.sql.prepare_cached("DELETE FROM sandbox_labels WHERE sandbox = ?1")?.execute([id.as_str()])?;
    insert_labels(session, id, labels)
}

pub(crate) fn check_version(sandbox: &SandboxEntry, version: Option<u64>) -> Outcome<()> {
    match version {
        Some(version) if version != sandbox.version => {
            let id = sandbox.id;
            let message = format!("sandbox {id} changed meanwhile and is {}, read it again", sandbox.state);
            Err(Error::new(ErrorCode::Conflict, message).with_sandbox(&id).into())
        }
        _ => Ok(()),
    }
}

/// Changes what is not the state.
pub(crate) fn change(session: &Session, id: &SandboxId, change: &SandboxChange) -> Outcome<SandboxEntry> {
    let before = get(&session.sql, id)?;
    check_version(&before, change.version)?;
    if before.state == State::Deleted {
        let action = if change.labels.is_some() { Action::SetLabels } else { Action::SetLifetimes };
        return Err(refused(session, &before, action)?);
    }
    if let Some(record) = &change.record {
        set_record(session, id, record)?;
    }
    let labels = change.labels.as_ref().unwrap_or(&before.labels);
    let owner = change.owner.unwrap_or(before.owner);
    let statement = "UPDATE sandboxes SET labels = ?2, expires_at = ?3, owner = ?4, detached = ?5, updated_at = ?6,
            version = version + 1 WHERE id = ?1";
    session.sql.prepare_cached(statement)?.execute(params![
        id.as_str(),
        to_json("labels", labels, MAX_JSON)?,
        change.expires_at.unwrap_or(before.expires_at).map(to_micros),
        owner.map(|owner| owner.to_string()),
        change.detached.unwrap_or(before.detached),
        to_micros(session.now()),
    ])?;
    if labels != &before.labels {
        replace_labels(session, id, labels)?;
    }
    get(&session.sql, id)
}

/// Writes down what the provider needs.
pub(crate) fn set_record(session: &Session, id: &SandboxId, record: &SandboxRecord) -> Outcome<()> {
    if record.id != *id {
        return Err(Error::internal(format!("the record of {} was given for {id}", record.id)).into());
    }
    let data = to_json("provider_data", &record.data, MAX_JSON)?;
    session.sql.prepare_cached("UPDATE sandboxes SET external = ?2, data = ?3 WHERE id = ?1")?.execute([
        id.as_str(),
        record.external.as_str(),
        &data,
    ])?;
    Ok(())
}

/// Whether the name is taken, or the id.
pub(crate) fn exists(sql: &Connection, id: &SandboxId) -> Outcome<bool> {
    let mut statement = sql.prepare_cached("SELECT 1 FROM sandboxes WHERE id = ?1")?;
    Ok(statement.query_row([id.as_str()], |_| Ok(())).optional()?.is_some())
}
