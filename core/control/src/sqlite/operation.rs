//! Operations: begun with the state they move a sandbox to, and ended with the state it is left in.
//!
//! ```text
//!   begin ──▶ running ──▶ succeeded    confirm: the sandbox moves
//!                │└─────▶ failed       fail: the sandbox moves or stays
//!                └──────▶ failed       the sandbox died, or another took over from a dead process
//! ```

use super::column::{json_or_null, plain, time, time_or_null, to_json, word, word_or_null};
use super::{event, sandbox, volume};
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome as Done;
use crate::record::{
    ActionRequest, Begun, CreateRequest, Created, OperationEntry, OperationFilter, OperationState, Outcome,
    ProviderData, SandboxEntry, fingerprint, limit,
};
use isobox_contract::{
    Action, Error, ErrorCode, EventKind, OperationId, Owner, Report, Resource, SandboxId, SandboxRecord, State,
};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params, params_from_iter};

/// The most bytes of a result and of an error.
const MAX_RESULT: usize = 64 << 10;
/// The most bytes of a key.
const MAX_KEY: usize = 256;

fn read(row: &Row<'_>) -> Done<OperationEntry> {
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

fn one(sql: &Connection, query: &str, value: &str) -> Done<Option<OperationEntry>> {
    let mut statement = sql.prepare_cached(query)?;
    let mut rows = statement.query([value])?;
    rows.next()?.map(read).transpose()
}

/// The operation; `not_found` without one.
pub(crate) fn get(sql: &Connection, id: &OperationId) -> Done<OperationEntry> {
    one(sql, "SELECT * FROM operations WHERE id = ?1", id.as_str())?
        .ok_or_else(|| Error::not_found(Resource::Operation, id).into())
}

/// The operation that has a sandbox now.
pub(crate) fn running(sql: &Connection, sandbox: &SandboxId) -> Done<Option<OperationEntry>> {
    one(sql, "SELECT * FROM operations WHERE sandbox = ?1 AND state = 'running'", sandbox.as_str())
}

/// The operations that match.
pub(crate) fn list(sql: &Connection, filter: &OperationFilter, most: usize) -> Done<Vec<OperationEntry>> {
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

/// The operation that came with this key: `conflict` when its request was another.
fn earlier(sql: &Connection, key: Option<&str>, fingerprint: &str) -> Done<Option<OperationEntry>> {
    let Some(key) = key else { return Ok(None) };
    if key.is_empty() || key.len() > MAX_KEY {
        return Err(Error::invalid_spec("idempotency_key", format!("must have 1 to {MAX_KEY} bytes")).into());
    }
    match one(sql, "SELECT * FROM operations WHERE key = ?1", key)? {
        Some(operation) if operation.fingerprint != fingerprint => {
            let message = "the idempotency key came with another request before, use a new one";
            // The same call fails for ever.
            Err(Error::new(ErrorCode::Conflict, message).retryable(false).into())
        }
        found => Ok(found),
    }
}

/// Writes down that a sandbox is about to be made.
pub(crate) fn begin_create(session: &Session, request: CreateRequest) -> Done<Created> {
    let fingerprint = fingerprint(&request.provider, &request.spec)?;
    if let Some(operation) = earlier(&session.sql, request.key.as_deref(), &fingerprint)? {
        let sandbox = operation.sandbox.map(|id| sandbox::find(&session.sql, &id)).transpose()?.flatten();
        return Ok(Created::Earlier { operation: Box::new(operation), sandbox: sandbox.map(Box::new) });
    }
    if let Some(name) = &request.spec.name
        && let Some(sandbox) = sandbox::by_name(&session.sql, name)?
    {
        let taken = || Error::already_exists(Resource::Sandbox, name).with_sandbox(&sandbox.id).into();
        return if request.get { Ok(Created::Exists { sandbox: Box::new(sandbox) }) } else { Err(taken()) };
    }
    if sandbox::exists(&session.sql, &request.id)? {
        return Err(Error::already_exists(Resource::Sandbox, request.id).with_sandbox(&request.id).into());
    }
    let sandbox = new_sandbox(session, &request, &fingerprint);
    sandbox::insert(session, &sandbox)?;
    volume::attach(session, &sandbox, &request.volumes)?;
    let operation = OperationEntry {
        id: request.operation,
        action: Action::Create,
        sandbox: Some(sandbox.id),
        key: request.key,
        fingerprint,
        owner: request.owner,
        correlation: request.correlation,
        state: OperationState::Running,
        started_at: session.now(),
        ended_at: None,
    };
    insert(session, &operation, &sandbox)?;
    event::tell_state(session, &sandbox, Some(&operation), None)?;
    Ok(Created::Begun { sandbox: Box::new(sandbox), operation: Box::new(operation) })
}

fn new_sandbox(session: &Session, request: &CreateRequest, fingerprint: &str) -> SandboxEntry {
    let (spec, now) = (request.spec.redacted(), session.now());
    SandboxEntry {
        id: request.id,
        name: spec.name.clone(),
        provider: request.provider.clone(),
        external: None,
        data: ProviderData::default(),
        fingerprint: fingerprint.to_owned(),
        labels: spec.labels.clone(),
        state: State::Creating,
        state_since: now,
        version: 1,
        owner: request.owner,
        detached: spec.owner == Owner::Detached,
        expires_at: spec.lifetimes.ttl.and_then(|ttl| ttl.deadline(now)),
        error: None,
        created_at: now,
        updated_at: now,
        ended_at: None,
        spec,
    }
}

fn insert(session: &Session, operation: &OperationEntry, sandbox: &SandboxEntry) -> Done<()> {
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

/// Writes down that something is about to be done to a sandbox.
pub(crate) fn begin(session: &Session, request: ActionRequest) -> Done<Begun> {
    let fingerprint = format!("{} {}", request.action, request.sandbox);
    if let Some(operation) = earlier(&session.sql, request.key.as_deref(), &fingerprint)? {
        return Ok(Begun::Earlier { operation: Box::new(operation) });
    }
    let sandbox = sandbox::get(&session.sql, &request.sandbox)?;
    if let Some(busy) = take_over(session, &request, &sandbox)? {
        return Ok(Begun::Busy { operation: Box::new(busy) });
    }
    let Some(to) = target(session, &sandbox, request.action)? else {
        return Ok(Begun::Done { sandbox: Box::new(sandbox) });
    };
    let operation = OperationEntry {
        id: request.operation,
        action: request.action,
        sandbox: Some(sandbox.id),
        key: request.key,
        fingerprint,
        owner: request.owner,
        correlation: request.correlation,
        state: OperationState::Running,
        started_at: session.now(),
        ended_at: None,
    };
    insert(session, &operation, &sandbox)?;
    let sandbox = sandbox::set_state(session, sandbox, to, request.action, Some(&operation), None)?;
    Ok(Begun::Begun { sandbox: Box::new(sandbox), operation: Box::new(operation) })
}

/// The operation in the way, if there is one; the one that is to be replaced is failed first.
fn take_over(session: &Session, request: &ActionRequest, sandbox: &SandboxEntry) -> Done<Option<OperationEntry>> {
    match (running(&session.sql, &sandbox.id)?, request.instead_of) {
        (Some(found), Some(expected)) if found.id == expected => {
            let message = format!("the process that did the {} ended before it was done", found.action);
            let error = Error::new(ErrorCode::Incomplete, message).with_sandbox(&sandbox.id);
            end_failed(session, &found, sandbox, Report::from(&error))?;
            Ok(None)
        }
        (Some(found), None) => Ok(Some(found)),
        (None, None) => Ok(None),
        (_, Some(expected)) => {
            let message = format!("operation {expected} does not have sandbox {} any more, look again", sandbox.id);
            Err(Error::new(ErrorCode::Conflict, message).with_sandbox(&sandbox.id).into())
        }
    }
}

/// The state that an action puts a sandbox into; `None` when there is nothing to do.
fn target(session: &Session, sandbox: &SandboxEntry, action: Action) -> Done<Option<State>> {
    let state = sandbox.state;
    if let Some(next) = state.next(action) {
        return Ok(Some(next));
    }
    // Nobody is at it: the operation that moved it here ended without a word.
    let begun = matches!(
        (action, state),
        (Action::Start, State::Starting | State::Resuming | State::Restoring)
            | (Action::Stop, State::Stopping)
            | (Action::Delete, State::Deleting)
            | (Action::Pause, State::Pausing)
            | (Action::Resume, State::Resuming)
            | (Action::Archive, State::Archiving)
            | (Action::Fork, State::Forking)
            | (Action::Snapshot, State::Snapshotting)
            | (Action::Resize, State::Resizing)
            | (Action::Recover, State::Restoring)
    );
    let as_wanted = matches!(
        (action, state),
        (Action::Start | Action::Resume, State::Running)
            | (Action::Stop, State::Stopped)
            | (Action::Pause, State::Paused)
            | (Action::Archive, State::Archived)
            | (Action::Delete, State::Deleted)
    );
    match (begun, as_wanted) {
        (true, _) => Ok(Some(state)),
        (_, true) => Ok(None),
        _ => Err(sandbox::refused(session, sandbox, action)?),
    }
}

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
    let sandbox = sandbox::set_state(session, sandbox, outcome.state, operation.action, Some(&operation), None)?;
    let result = to_json("result", &outcome.result, MAX_RESULT)?;
    let update = "UPDATE operations SET state = 'succeeded', result = ?2, ended_at = ?3 WHERE id = ?1";
    session.sql.prepare_cached(update)?.execute(params![id.as_str(), result, to_micros(session.now())])?;
    let duration = session.now().since(operation.started_at);
    let kind = EventKind::OperationCompleted { action: operation.action, duration };
    event::tell(session, &sandbox, Some(&operation), kind)?;
    let state = OperationState::Succeeded { result: outcome.result.clone() };
    Ok(OperationEntry { state, ended_at: Some(session.now()), ..operation })
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
