//! Handing out what a pool kept ready.
//!
//! ```text
//!   made ─▶ kept by its process ─┬─ hand_out ──▶ taken by that process
//!                │    ▲          │
//!              offer withdraw    │
//!                ▼    │          │
//!             offered to all ────┴─ take ──────▶ taken by any process, once
//! ```

use super::{by_name, get, refused, replace_labels};
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{Handout, SandboxEntry, Take, fingerprint};
use crate::sqlite::column::{MAX_JSON, plain, to_json, word};
use crate::sqlite::{event, pool};
use isobox_contract::{Action, Error, ErrorCode, EventKind, Owner, OwnerId, Resource, SandboxId, SandboxSpec, State};
use rusqlite::{OptionalExtension, params};

/// Hands a sandbox out, once.
pub(crate) fn hand_out(session: &Session, handout: &Handout) -> Outcome<SandboxEntry> {
    let before = get(&session.sql, &handout.sandbox)?;
    if before.state != State::Running {
        return Err(refused(session, &before, Action::Attach)?);
    }
    if before.pool.is_none() {
        let message = format!("sandbox {} was taken from its pool before", before.id);
        return Err(Error::new(ErrorCode::Conflict, message).with_sandbox(&before.id).into());
    }
    let detached = handout.spec.owner == Owner::Detached;
    taken(session, &before, &handout.spec, handout.owner, detached)
}

/// Takes the oldest that a pool offers; nothing when there is none.
pub(crate) fn take(session: &Session, take: &Take) -> Outcome<Option<SandboxEntry>> {
    // Of a process that is known to be dead nothing is taken: what it had is being removed.
    let open = "SELECT owners.ended_at IS NOT NULL FROM pools LEFT JOIN owners ON owners.id = pools.owner
        WHERE pools.name = ?1 AND pools.owner = ?2 AND NOT ending";
    let mut open = session.sql.prepare_cached(open)?;
    let dead = open.query_row([&take.pool, take.keeper.as_str()], |row| row.get(0)).optional()?;
    if dead.unwrap_or(true) {
        return Err(Error::not_found(Resource::Pool, &take.pool).into());
    }
    let oldest = "SELECT id FROM sandboxes WHERE pool = ?1 AND owner = ?2 AND offered AND state = 'running'
        ORDER BY id LIMIT 1";
    let mut oldest = session.sql.prepare_cached(oldest)?;
    let mut rows = oldest.query([&take.pool, take.keeper.as_str()])?;
    let Some(id) = rows.next()?.map(|row| word::<SandboxId>(row, "id")).transpose()? else { return Ok(None) };
    let before = get(&session.sql, &id)?;
    taken(session, &before, &take.spec, Some(take.owner), false).map(Some)
}

fn taken(
    session: &Session,
    before: &SandboxEntry,
    spec: &SandboxSpec,
    owner: Option<OwnerId>,
    detached: bool,
) -> Outcome<SandboxEntry> {
    if let Some(name) = &spec.name
        && let Some(other) = by_name(&session.sql, name)?
    {
        return Err(Error::already_exists(Resource::Sandbox, name).with_sandbox(&other.id).into());
    }
    if let (Some(pool), Some(keeper)) = (&before.pool, &before.owner)
        && is_offered(session, &before.id)?
    {
        pool::count_taken(session, pool, keeper)?;
    }
    update(session, before, spec, owner, detached)?;
    let after = get(&session.sql, &before.id)?;
    notice(session, &after, "pool.taken", "it was taken from its pool")?;
    Ok(after)
}

fn update(
    session: &Session,
    before: &SandboxEntry,
    spec: &SandboxSpec,
    owner: Option<OwnerId>,
    detached: bool,
) -> Outcome<()> {
    // What it was made with stays as the provider was told.
    let (source, volumes) = (before.spec.source.clone(), before.spec.volumes.clone());
    let (spec, now) = (SandboxSpec { source, volumes, ..spec.redacted() }, session.now());
    let statement =
        "UPDATE sandboxes SET pool = NULL, offered = 0, taken_at = ?2, updated_at = ?2, name = ?3, spec = ?4,
            fingerprint = ?5, labels = ?6, owner = ?7, detached = ?8, expires_at = ?9, version = version + 1
        WHERE id = ?1";
    session.sql.prepare_cached(statement)?.execute(params![
        before.id.as_str(),
        to_micros(now),
        spec.name,
        to_json("spec", &spec, MAX_JSON)?,
        fingerprint(&before.provider, &spec)?,
        to_json("labels", &spec.labels, MAX_JSON)?,
        owner.map(|owner| owner.to_string()),
        detached,
        spec.lifetimes.ttl.and_then(|ttl| ttl.deadline(now)).map(to_micros),
    ])?;
    if spec.labels != before.labels {
        replace_labels(session, &before.id, &spec.labels)?;
    }
    Ok(())
}

/// Lets every process take a sandbox that a pool keeps ready.
pub(crate) fn offer(session: &Session, id: &SandboxId) -> Outcome<()> {
    let sandbox = get(&session.sql, id)?;
    if sandbox.state != State::Running {
        return Err(refused(session, &sandbox, Action::Attach)?);
    }
    if sandbox.pool.is_none() {
        let message = format!("sandbox {id} is of no pool, and cannot be offered");
        return Err(Error::new(ErrorCode::Conflict, message).with_sandbox(id).into());
    }
    session.sql.prepare_cached("UPDATE sandboxes SET offered = 1 WHERE id = ?1")?.execute([id.as_str()])?;
    notice(session, &sandbox, "pool.ready", "every process can take it from its pool")
}

/// Takes an offer back; false when there is none, because the sandbox was taken.
pub(crate) fn withdraw(session: &Session, id: &SandboxId) -> Outcome<bool> {
    let statement = "UPDATE sandboxes SET offered = 0 WHERE id = ?1 AND offered";
    Ok(session.sql.prepare_cached(statement)?.execute([id.as_str()])? == 1)
}

fn is_offered(session: &Session, id: &SandboxId) -> Outcome<bool> {
    let mut statement = session.sql.prepare_cached("SELECT offered FROM sandboxes WHERE id = ?1")?;
    let mut rows = statement.query([id.as_str()])?;
    Ok(rows.next()?.map(|row| plain(row, "offered")).transpose()?.unwrap_or(false))
}

fn notice(session: &Session, sandbox: &SandboxEntry, code: &str, message: &str) -> Outcome<()> {
    event::tell(session, sandbox, None, EventKind::Notice { code: code.to_owned(), message: message.to_owned() })
}
