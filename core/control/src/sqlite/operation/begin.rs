//! How operations begin: once for a key, one at a time for a sandbox.

use super::{end_failed, insert, one, running};
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{
    ActionRequest, Begun, CreateRequest, Created, Held, OperationEntry, OperationState, ProviderData, SandboxEntry,
    fingerprint,
};
use crate::sqlite::admission::{self, Wanted};
use crate::sqlite::{event, sandbox, volume};
use isobox_contract::{Action, Error, ErrorCode, Owner, Report, Resource, State};
use rusqlite::Connection;

/// The most bytes of a key.
const MAX_KEY: usize = 256;
/// The most bytes of a caller's mark.
const MAX_CORRELATION: usize = 1024;

/// Refuses a mark that is too long.
fn check_correlation(correlation: Option<&str>) -> Outcome<()> {
    match correlation {
        Some(mark) if mark.len() > MAX_CORRELATION => {
            Err(Error::invalid_spec("correlation", format!("must have at most {MAX_CORRELATION} bytes")).into())
        }
        _ => Ok(()),
    }
}

/// The operation that came with this key: `conflict` when its request was another.
fn earlier(sql: &Connection, key: Option<&str>, fingerprint: &str) -> Outcome<Option<OperationEntry>> {
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

/// Whether an operation was broken off by a crash, and nothing of it is left: then the same request is made good by the next.
fn is_undone(operation: &OperationEntry, sandbox: Option<&SandboxEntry>) -> bool {
    let broken_off =
        matches!(&operation.state, OperationState::Failed { error } if error.kind == ErrorCode::Incomplete);
    broken_off && sandbox.is_none_or(|sandbox| sandbox.state == State::Deleted)
}

/// Writes down that a sandbox is about to be made.
pub(crate) fn begin_create(session: &Session, request: CreateRequest) -> Outcome<Created> {
    check_correlation(request.correlation.as_deref())?;
    let fingerprint = fingerprint(&request.provider, &request.spec)?;
    if let Some(operation) = earlier(&session.sql, request.key.as_deref(), &fingerprint)? {
        let sandbox = operation.sandbox.map(|id| sandbox::find(&session.sql, &id)).transpose()?.flatten();
        if !is_undone(&operation, sandbox.as_ref()) {
            return Ok(Created::Earlier { operation: Box::new(operation), sandbox: sandbox.map(Box::new) });
        }
        let release = "UPDATE operations SET key = NULL WHERE id = ?1";
        session.sql.prepare_cached(release)?.execute([operation.id.as_str()])?;
    }
    if request.spec.name.is_some() && !request.others.is_empty() {
        return Err(Error::invalid_spec("name", "is for one sandbox, leave it out to make several at once").into());
    }
    if let Some(name) = &request.spec.name
        && let Some(sandbox) = sandbox::by_name(&session.sql, name)?
    {
        let taken = || Error::already_exists(Resource::Sandbox, name).with_sandbox(&sandbox.id).into();
        return if request.get { Ok(Created::Exists { sandbox: Box::new(sandbox) }) } else { Err(taken()) };
    }
    for id in std::iter::once(&request.id).chain(request.others.iter().map(|(id, _)| id)) {
        if sandbox::exists(&session.sql, id)? {
            return Err(Error::already_exists(Resource::Sandbox, id).with_sandbox(id).into());
        }
    }
    let wanted = Wanted {
        operation: &request.operation,
        action: Action::Create,
        sandbox: &request.id,
        name: request.spec.name.as_deref(),
        provider: &request.provider,
        owner: request.owner,
        admission: request.admission,
        copies: request.others.len() as u64 + 1,
    };
    if let Some(held) = admission::admit(session, &wanted)? {
        return Ok(Created::Queued { request: Box::new(request), held });
    }
    let begun = intend(session, &request, &fingerprint)?;
    for (id, operation) in &request.others {
        let other = CreateRequest { id: *id, operation: *operation, key: None, others: Vec::new(), ..request.clone() };
        intend(session, &other, &fingerprint)?;
    }
    Ok(begun)
}

/// Writes the intent to make one sandbox.
fn intend(session: &Session, request: &CreateRequest, fingerprint: &str) -> Outcome<Created> {
    let sandbox = new_sandbox(session, request, fingerprint);
    sandbox::insert(session, &sandbox)?;
    volume::attach(session, &sandbox, &request.volumes)?;
    let operation = OperationEntry {
        id: request.operation,
        action: Action::Create,
        sandbox: Some(sandbox.id),
        key: request.key.clone(),
        fingerprint: fingerprint.to_owned(),
        owner: request.owner,
        correlation: request.correlation.clone(),
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
        image: None,
        fingerprint: fingerprint.to_owned(),
        labels: spec.labels.clone(),
        state: State::Creating,
        state_since: now,
        version: 1,
        owner: request.owner,
        detached: spec.owner == Owner::Detached,
        expires_at: spec.lifetimes.ttl.and_then(|ttl| ttl.deadline(now)),
        error: None,
        pool: request.pool.clone(),
        taken_at: None,
        created_at: now,
        updated_at: now,
        ended_at: None,
        spec,
    }
}

/// Writes down that something is about to be done to a sandbox.
pub(crate) fn begin(session: &Session, request: ActionRequest) -> Outcome<Begun> {
    check_correlation(request.correlation.as_deref())?;
    let fingerprint = format!("{} {}", request.action, request.sandbox);
    if let Some(operation) = earlier(&session.sql, request.key.as_deref(), &fingerprint)? {
        return Ok(Begun::Earlier { operation: Box::new(operation) });
    }
    let sandbox = sandbox::get(&session.sql, &request.sandbox)?;
    sandbox::check_version(&sandbox, request.version)?;
    if let Some(busy) = take_over(session, &request, &sandbox)? {
        return Ok(Begun::Busy { operation: Box::new(busy) });
    }
    let Some(to) = target(session, &sandbox, request.action)? else {
        return Ok(Begun::Done { sandbox: Box::new(sandbox) });
    };
    if let Some(held) = room_to_start(session, &request, &sandbox)? {
        return Ok(Begun::Queued { request: Box::new(request), held });
    }
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

/// Whether a sandbox of which nothing runs has to wait before something does; it is made room for like a new one.
fn room_to_start(session: &Session, request: &ActionRequest, sandbox: &SandboxEntry) -> Outcome<Option<Held>> {
    if request.action != Action::Start || !matches!(sandbox.state, State::Stopped | State::Archived) {
        return Ok(None);
    }
    let wanted = Wanted {
        operation: &request.operation,
        action: request.action,
        sandbox: &sandbox.id,
        name: sandbox.name.as_deref(),
        provider: &sandbox.provider,
        owner: request.owner,
        admission: request.admission,
        copies: 1,
    };
    admission::admit(session, &wanted)
}

/// The operation in the way, if there is one; the one that is to be replaced is failed first.
fn take_over(session: &Session, request: &ActionRequest, sandbox: &SandboxEntry) -> Outcome<Option<OperationEntry>> {
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
fn target(session: &Session, sandbox: &SandboxEntry, action: Action) -> Outcome<Option<State>> {
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
