//! How operations end: once, and with the sandbox in the state that they leave it in.

use super::get;
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome as Done;
use crate::record::{OperationEntry, OperationState, Outcome, SandboxEntry};
use crate::sqlite::column::to_json;
use crate::sqlite::{event, image, sandbox};
use isobox_contract::{Action, Error, ErrorCode, EventKind, OperationId, Report, SandboxRecord, Source, State};
use rusqlite::{Connection, params};

/// The most bytes of a result and of an error.
const MAX_RESULT: usize = 64 << 10;

/// Writes down what the provider needs to find what an operation makes.
pub(crate) fn note(session: &Session, id: &OperationId, record: &SandboxRecord) -> Done<()> {
    let operation = get(&session.sql, id)?;
    operation.outcome()?;
    let sandbox = subject(&session.sql, &operation)?;
    sandbox::set_record(session, &sandbox.id, record)
}

fn subject(sql: &Connection, operation: &OperationEntry) -> Done<SandboxEntry> {
    match operation.sandbox {
        Some(id) => sandbox::get(sql, &id),
        None => Err(Error::internal(format!("operation {} is about no sandbox", operation.id)).into()),
    }
}

/// Writes down that an operation succeeded.
pub(crate) fn confirm(session: &Session, id: &OperationId, outcome: &Outcome) -> Done<OperationEntry> {
    let operation = get(&session.sql, id)?;
    if operation.outcome()?.is_some() {
        return Ok(operation);
    }
    let sandbox = subject(&session.sql, &operation)?;
    if let Some(record) = &outcome.record {
        sandbox::set_record(session, &sandbox.id, record)?;
    }
    if let Some(used) = &outcome.image {
        image::used(session, &sandbox, used, id)?;
    }
    let sandbox = sandbox::set_state(session, sandbox, outcome.state, operation.action, Some(&operation), None)?;
    end_succeeded(session, &operation, &sandbox, &outcome.result)
}

/// Ends a running operation in success; the sandbox is where that leaves it.
pub(crate) fn end_succeeded(
    session: &Session,
    operation: &OperationEntry,
    sandbox: &SandboxEntry,
    result: &serde_json::Value,
) -> Done<OperationEntry> {
    let text = to_json("result", result, MAX_RESULT)?;
    let update = "UPDATE operations SET state = 'succeeded', result = ?2, ended_at = ?3 WHERE id = ?1";
    session.sql.prepare_cached(update)?.execute(params![operation.id.as_str(), text, to_micros(session.now())])?;
    let duration = session.now().since(operation.started_at);
    let kind = EventKind::OperationCompleted { action: operation.action, duration };
    event::tell(session, sandbox, Some(operation), kind)?;
    let state = OperationState::Succeeded { result: result.clone() };
    Ok(OperationEntry { state, ended_at: Some(session.now()), ..operation.clone() })
}

/// Writes down that an operation failed.
pub(crate) fn fail(session: &Session, id: &OperationId, error: Report, state: Option<State>) -> Done<OperationEntry> {
    let operation = get(&session.sql, id)?;
    match &operation.state {
        OperationState::Running => {}
        OperationState::Failed { .. } => return Ok(operation),
        OperationState::Succeeded { .. } => {
            let message = format!("operation {id} has succeeded and cannot fail");
            return Err(Error::new(ErrorCode::InvalidState, message).into());
        }
    }
    let before = subject(&session.sql, &operation)?;
    let sandbox = match state {
        Some(state) => {
            let error = (state == State::Error).then_some(&error);
            sandbox::set_state(session, before, state, operation.action, Some(&operation), error)?
        }
        None => before,
    };
    end_failed(session, &operation, &sandbox, error)
}

/// Ends a running operation in failure; the sandbox stays as it is.
pub(crate) fn end_failed(
    session: &Session,
    operation: &OperationEntry,
    sandbox: &SandboxEntry,
    error: Report,
) -> Done<OperationEntry> {
    if operation.action == Action::Create && matches!(sandbox.spec.source, Source::Image(_) | Source::Archive { .. }) {
        image::may_have_come(session, sandbox, operation)?;
    }
    let error = event::discreet_report(error);
    let update = "UPDATE operations SET state = 'failed', error = ?2, ended_at = ?3 WHERE id = ?1";
    let text = to_json("error", &error, MAX_RESULT)?;
    session.sql.prepare_cached(update)?.execute(params![operation.id.as_str(), text, to_micros(session.now())])?;
    let duration = session.now().since(operation.started_at);
    let kind = EventKind::OperationFailed { action: operation.action, duration, error: error.clone() };
    event::tell(session, sandbox, Some(operation), kind)?;
    let state = OperationState::Failed { error: Box::new(error) };
    Ok(OperationEntry { state, ended_at: Some(session.now()), ..operation.clone() })
}
