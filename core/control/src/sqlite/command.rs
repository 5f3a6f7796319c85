//! Commands, as the events tell of them.
//!
//! Each command starts once and ends once in the books, however many processes tell of it: that its start or its end is
//! new is decided here, in the transaction that appends the event.

use super::column::to_json;
use super::small::{MAX_EXIT, MAX_LABEL};
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::NewEvent;
use isobox_contract::{EventKind, ExecId, Exit, SandboxId, Subject};
use rusqlite::{Connection, params};

/// Writes down what an event says of a command. False for what was known.
pub(super) fn note(session: &Session, event: &NewEvent) -> Outcome<bool> {
    let Subject::Sandbox { id, .. } = &event.subject else { return Ok(true) };
    let at = to_micros(event.at.unwrap_or_else(|| session.now()));
    match &event.kind {
        EventKind::ExecStarted { exec, label } => started(&session.sql, id, exec, label.as_deref(), at),
        EventKind::ExecExited { exec, exit } => ended(&session.sql, id, exec, exit, at),
        _ => Ok(true),
    }
}

fn started(sql: &Connection, sandbox: &SandboxId, exec: &ExecId, label: Option<&str>, at: i64) -> Outcome<bool> {
    let label = label.map(shortened);
    // Only of a sandbox that is in the books.
    let statement = "INSERT INTO processes (id, sandbox, label, started_at)
        SELECT ?1, id, ?3, ?4 FROM sandboxes WHERE id = ?2 ON CONFLICT (id) DO NOTHING";
    let added = sql.prepare_cached(statement)?.execute(params![exec.as_str(), sandbox.as_str(), label, at])?;
    Ok(added == 1 || !is_known(sql, exec)?)
}

fn ended(sql: &Connection, sandbox: &SandboxId, exec: &ExecId, exit: &Exit, at: i64) -> Outcome<bool> {
    let text = to_json("exit", exit, MAX_EXIT)?;
    // The end of its sandbox may have ended it before anybody knew how.
    let statement = "UPDATE processes SET ended_at = ?2, exit = ?3 WHERE id = ?1 AND exit IS NULL";
    if sql.prepare_cached(statement)?.execute(params![exec.as_str(), at, text])? == 1 {
        return Ok(true);
    }
    let duration = i64::try_from(exit.duration.as_micros()).unwrap_or(i64::MAX);
    let statement = "INSERT INTO processes (id, sandbox, started_at, ended_at, exit)
        SELECT ?1, id, ?3, ?4, ?5 FROM sandboxes WHERE id = ?2 ON CONFLICT (id) DO NOTHING";
    let values = params![exec.as_str(), sandbox.as_str(), at.saturating_sub(duration), at, text];
    Ok(sql.prepare_cached(statement)?.execute(values)? == 1 || !is_known(sql, exec)?)
}

fn shortened(label: &str) -> &str {
    let end = (0..=MAX_LABEL.min(label.len())).rev().find(|end| label.is_char_boundary(*end));
    &label[..end.unwrap_or_default()]
}

fn is_known(sql: &Connection, exec: &ExecId) -> Outcome<bool> {
    Ok(sql.prepare_cached("SELECT 1 FROM processes WHERE id = ?1")?.exists([exec.as_str()])?)
}
