//! The moves of sandboxes between states, all of which are made here, and their deaths.

use super::{check_version, get};
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::{Failure, Outcome};
use crate::record::{OperationEntry, SandboxEntry, Transition};
use crate::sqlite::column::{MAX_JSON, json, to_json};
use crate::sqlite::{event, operation, small};
use isobox_contract::{Action, Error, ErrorCode, PostMortem, Report, SandboxId, State};
use rusqlite::{Connection, params};

/// Moves a sandbox to a state, if its state allows that, and tells it. Gives the sandbox as it is now.
pub(crate) fn set_state(
    session: &Session,
    sandbox: SandboxEntry,
    to: State,
    action: Action,
    by: Option<&OperationEntry>,
    error: Option<&Report>,
) -> Outcome<SandboxEntry> {
    if sandbox.state == to {
        return Ok(sandbox);
    }
    if !sandbox.state.can_become(to) {
        return Err(refused(session, &sandbox, action)?);
    }
    let statement = "UPDATE sandboxes SET state = ?2, state_since = ?3, updated_at = ?3, version = version + 1,
            ended_at = CASE WHEN ?2 = 'deleted' THEN ?3 END, error = ?4
        WHERE id = ?1 AND version = ?5";
    let error = error.map(|report| to_json("error", &event::discreet_report(report.clone()), MAX_JSON)).transpose()?;
    let now = to_micros(session.now());
    session.sql.prepare_cached(statement)?.execute(params![
        sandbox.id.as_str(),
        to.as_str(),
        now,
        error,
        sandbox.version.cast_signed()
    ])?;
    if to == State::Deleted {
        ended(session, &sandbox.id, now)?;
    }
    let after = get(&session.sql, &sandbox.id)?;
    event::tell_state(session, &after, by, Some(sandbox.state))?;
    Ok(after)
}

/// What a sandbox had is free, and nothing runs in it.
fn ended(session: &Session, id: &SandboxId, now: i64) -> Outcome<()> {
    session.sql.prepare_cached("DELETE FROM volume_uses WHERE sandbox = ?1")?.execute([id.as_str()])?;
    let over = "UPDATE processes SET ended_at = ?2 WHERE sandbox = ?1 AND ended_at IS NULL";
    session.sql.prepare_cached(over)?.execute(params![id.as_str(), now])?;
    Ok(())
}

/// Why an action is not possible: how the sandbox died, or its state.
pub(crate) fn refused(session: &Session, sandbox: &SandboxEntry, action: Action) -> Outcome<Failure> {
    let error = match post_mortem(&session.sql, &sandbox.id)? {
        Some(post_mortem) if sandbox.state == State::Deleted => Error::sandbox_gone(post_mortem),
        _ => Error::invalid_state(sandbox.state, action),
    };
    Ok(error.with_sandbox(&sandbox.id).with_provider(&sandbox.provider).into())
}

/// The post-mortem of a sandbox.
pub(crate) fn post_mortem(sql: &Connection, id: &SandboxId) -> Outcome<Option<PostMortem>> {
    let mut statement = sql.prepare_cached("SELECT post_mortem FROM post_mortems WHERE sandbox = ?1")?;
    let mut rows = statement.query([id.as_str()])?;
    rows.next()?.map(|row| json(row, "post_mortem")).transpose()
}

/// Moves a sandbox that no operation has.
pub(crate) fn transition(session: &Session, id: &SandboxId, transition: &Transition) -> Outcome<SandboxEntry> {
    let sandbox = get(&session.sql, id)?;
    check_version(&sandbox, transition.version)?;
    if sandbox.state == transition.to {
        return Ok(sandbox);
    }
    if !transition.from.is_empty() && !transition.from.contains(&sandbox.state) {
        return Err(refused(session, &sandbox, transition.action)?);
    }
    if let Some(found) = operation::running(&session.sql, id)? {
        let message = format!("sandbox {id} is in operation {}, wait for its end", found.id);
        return Err(Error::new(ErrorCode::Conflict, message).with_sandbox(id).into());
    }
    set_state(session, sandbox, transition.to, transition.action, None, transition.error.as_ref())
}

/// Writes down how a sandbox died.
pub(crate) fn record_death(session: &Session, mut post_mortem: PostMortem, state: State) -> Outcome<SandboxEntry> {
    let sandbox = get(&session.sql, &post_mortem.sandbox)?;
    let known = self::post_mortem(&session.sql, &sandbox.id)?.is_some();
    if sandbox.state == State::Deleted || (known && sandbox.state == state) {
        return Ok(sandbox);
    }
    if post_mortem.running.is_empty() {
        // Whoever found it dead may know nothing of what others have started in it.
        post_mortem.running = small::running(&session.sql, &sandbox.id)?;
    }
    let insert = "INSERT OR REPLACE INTO post_mortems (sandbox, cause, at, post_mortem) VALUES (?1, ?2, ?3, ?4)";
    session.sql.prepare_cached(insert)?.execute(params![
        sandbox.id.as_str(),
        post_mortem.cause.as_str(),
        to_micros(post_mortem.at),
        to_json("post_mortem", &post_mortem, MAX_JSON)?,
    ])?;
    event::tell_death(session, &sandbox, post_mortem.clone())?;
    let running = operation::running(&session.sql, &sandbox.id)?;
    if let Some(delete) = running.as_ref().filter(|found| found.action == Action::Delete && state == State::Deleted) {
        let sandbox = set_state(session, sandbox, state, Action::Delete, Some(delete), None)?;
        operation::end_succeeded(session, delete, &sandbox, &serde_json::Value::Null)?;
        return Ok(sandbox);
    }
    if let Some(found) = running {
        let error = Error::sandbox_gone(post_mortem).with_sandbox(&sandbox.id).with_provider(&sandbox.provider);
        operation::end_failed(session, &found, &sandbox, Report::from(&error))?;
    }
    set_state(session, sandbox, state, Action::Delete, None, None)
}
