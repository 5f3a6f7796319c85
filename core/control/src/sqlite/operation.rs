//! Operations: begun with the state they move a sandbox to, and ended with the state it is left in.
//!
//! ```text
//!   begin ──▶ running ──▶ succeeded    confirm: the sandbox moves
//!                │└─────▶ failed       fail: the sandbox moves or stays
//!                └──────▶ failed       the sandbox died, or another took over from a dead process
//! ```

mod begin;
mod end;

pub(crate) use begin::{begin, begin_create};
pub(crate) use end::{confirm, end_failed, end_succeeded, fail, note};

use super::column::{json_or_null, plain, time, time_or_null, word, word_or_null};
use super::event;
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{OperationEntry, OperationFilter, OperationState, SandboxEntry, limit};
use isobox_contract::{Error, EventKind, OperationId, Report, Resource, SandboxId};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params, params_from_iter};

fn read(row: &Row<'_>) -> Outcome<OperationEntry> {
    let state = match plain::<String>(row, "state")?.as_str() {
        "running" => OperationState::Running,
        "succeeded" => OperationState::Succeeded { result: json_or_null(row, "result")?.unwrap_or_default() },
        _ => OperationState::Failed {
            error: json_or_null(row, "error")?
                .unwrap_or_else(|| Box::new(Report::from(&Error::internal("the operation failed")))),
        },
    };
    Ok(OperationEntry {
        id: word(row, "id")?,
        action: word(row, "action")?,
        sandbox: word_or_null(row, "sandbox")?,
        key: plain(row, "key")?,
        fingerprint: plain(row, "fingerprint")?,
        owner: word_or_null(row, "owner")?,
        correlation: plain(row, "correlation")?,
        state,
        started_at: time(row, "started_at")?,
        ended_at: time_or_null(row, "ended_at")?,
    })
}

fn one(sql: &Connection, query: &str, value: &str) -> Outcome<Option<OperationEntry>> {
    let mut statement = sql.prepare_cached(query)?;
    let mut rows = statement.query([value])?;
    rows.next()?.map(read).transpose()
}

/// The operation; `not_found` without one.
pub(crate) fn get(sql: &Connection, id: &OperationId) -> Outcome<OperationEntry> {
    one(sql, "SELECT * FROM operations WHERE id = ?1", id.as_str())?
        .ok_or_else(|| Error::not_found(Resource::Operation, id).into())
}

/// The operation that has a sandbox now.
pub(crate) fn running(sql: &Connection, sandbox: &SandboxId) -> Outcome<Option<OperationEntry>> {
    one(sql, "SELECT * FROM operations WHERE sandbox = ?1 AND state = 'running'", sandbox.as_str())
}

/// The operations that match.
pub(crate) fn list(sql: &Connection, filter: &OperationFilter, most: usize) -> Outcome<Vec<OperationEntry>> {
    let mut condition = String::from(if filter.running { "state = 'running'" } else { "true" });
    let mut values: Vec<Value> = Vec::new();
    let optional =
        [("sandbox", filter.sandbox.map(|id| id.to_string())), ("owner", filter.owner.map(|id| id.to_string()))];
    for (column, value) in optional {
        if let Some(value) = value {
            condition.push_str(&format!(" AND {column} = ?"));
            values.push(Value::Text(value));
        }
    }
    values.push(Value::Integer(limit(most)?));
    let mut statement =
        sql.prepare_cached(&format!("SELECT * FROM operations WHERE {condition} ORDER BY id LIMIT ?"))?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

fn insert(session: &Session, operation: &OperationEntry, sandbox: &SandboxEntry) -> Outcome<()> {
    let statement =
        "INSERT INTO operations (id, action, sandbox, key, fingerprint, owner, correlation, state, started_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'running', ?8)";
    session.sql.prepare_cached(statement)?.execute(params![
        operation.id.as_str(),
        operation.action.as_str(),
        sandbox.id.as_str(),
        operation.key,
        operation.fingerprint,
        operation.owner.map(|owner| owner.to_string()),
        operation.correlation,
        to_micros(operation.started_at),
    ])?;
    event::tell(session, sandbox, Some(operation), EventKind::OperationStarted { action: operation.action })
}
