//! Handing out what a pool kept ready.

use super::{by_name, get, refused, replace_labels};
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{Handout, SandboxEntry, fingerprint};
use crate::sqlite::column::{MAX_JSON, to_json};
use crate::sqlite::event;
use isobox_contract::{Action, Error, ErrorCode, EventKind, Owner, Resource, SandboxSpec, State};
use rusqlite::params;

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
    if let Some(name) = &handout.spec.name
        && let Some(other) = by_name(&session.sql, name)?
    {
        return Err(Error::already_exists(Resource::Sandbox, name).with_sandbox(&other.id).into());
    }
    update(session, handout, &before)?;
    let after = get(&session.sql, &before.id)?;
    let message = "it was taken from its pool".to_owned();
    event::tell(session, &after, None, EventKind::Notice { code: "pool.taken".to_owned(), message })?;
    Ok(after)
}

fn update(session: &Session, handout: &Handout, before: &SandboxEntry) -> Outcome<()> {
    // What it was made with stays as the provider was told.
    let (source, volumes) = (before.spec.source.clone(), before.spec.volumes.clone());
    let (spec, now) = (SandboxSpec { source, volumes, ..handout.spec.redacted() }, session.now());
    let statement = "UPDATE sandboxes SET pool = NULL, taken_at = ?2, updated_at = ?2, name = ?3, spec = ?4,
            fingerprint = ?5, labels = ?6, owner = ?7, detached = ?8, expires_at = ?9, version = version + 1
        WHERE id = ?1";
    session.sql.prepare_cached(statement)?.execute(params![
        before.id.as_str(),
        to_micros(now),
        spec.name,
        to_json("spec", &spec, MAX_JSON)?,
        fingerprint(&before.provider, &spec)?,
        to_json("labels", &spec.labels, MAX_JSON)?,
        handout.owner.map(|owner| owner.to_string()),
        spec.owner == Owner::Detached,
        spec.lifetimes.ttl.and_then(|ttl| ttl.deadline(now)).map(to_micros),
    ])?;
    if spec.labels != before.labels {
        replace_labels(session, &before.id, &spec.labels)?;
    }
    Ok(())
}
