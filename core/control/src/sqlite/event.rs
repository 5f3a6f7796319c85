//! Events: appended with the change they tell, numbered for the store and for their subject.

use super::column::{count, json, to_json};
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{EventFilter, EventPage, NewEvent, limit};
use isobox_contract::event::ResourceState;
use isobox_contract::{Detail, Error, Event, EventId, EventKind, PostMortem, Report, State, Subject};
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};
use std::collections::BTreeMap;

use crate::clock::{to_micros, whole_micros};
use crate::record::{OperationEntry, SandboxEntry};

/// The number of the last event, also when it is gone.
pub(crate) const LAST_SEQUENCE: &str = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)";

/// About the most bytes of one page: it ends with the event that exceeds them.
const MAX_PAGE: usize = 8 << 20;
/// The most events of one call that appends.
const MAX_APPENDED: usize = 1000;
/// The most bytes of one event.
const MAX_EVENT: usize = 64 << 10;

/// Appends one event and gives its number.
pub(crate) fn append(session: &Session, new: NewEvent) -> Outcome<u64> {
    let subject = key(&new.subject);
    let next = "INSERT INTO subjects (subject, last) VALUES (?1, 1)
                ON CONFLICT (subject) DO UPDATE SET last = last + 1 RETURNING last";
    let of_subject: i64 = session.sql.prepare_cached(next)?.query_row([&subject], |row| row.get(0))?;
    insert(session, &subject, of_subject, new)
}

fn insert(session: &Session, subject: &str, of_subject: i64, new: NewEvent) -> Outcome<u64> {
    let event = Event {
        id: EventId::generate(),
        sequence: 0,
        subject_sequence: 0,
        at: new.at.map_or_else(|| session.now(), whole_micros),
        provider: new.provider,
        subject: new.subject,
        operation: new.operation,
        correlation: new.correlation,
        kind: discreet(new.kind),
    };
    let insert = "INSERT INTO events (subject, subject_sequence, at, type, event) VALUES (?1, ?2, ?3, ?4, ?5)";
    let text = to_json("event", &event, MAX_EVENT)?;
    let (at, kind) = (to_micros(event.at), event.kind.as_str());
    session.sql.prepare_cached(insert)?.execute(params![subject, of_subject, at, kind, text])?;
    let sequence = session.sql.last_insert_rowid().cast_unsigned();
    session.appended(sequence);
    Ok(sequence)
}

/// Appends events and gives the number of the last. Those of commands are what the records of commands are made of, and an
/// end or an expiry that was told already is not told again.
pub(crate) fn append_all(session: &Session, events: Vec<NewEvent>) -> Outcome<u64> {
    if events.len() > MAX_APPENDED {
        return Err(Error::limit_exceeded("control.appended_events", MAX_APPENDED as u64).into());
    }
    let mut last = last(&session.sql)?;
    // Many are about few subjects, whose numbers are counted here and written once.
    let mut numbers: BTreeMap<String, i64> = BTreeMap::new();
    for event in events {
        if super::expiry::is_news(&session.sql, &event)? && super::command::note(session, &event)? {
            let subject = key(&event.subject);
            let number = match numbers.get(&subject) {
                Some(number) => number + 1,
                None => last_of(&session.sql, &subject)? + 1,
            };
            last = insert(session, &subject, number, event)?;
            numbers.insert(subject, number);
        }
    }
    let count = "INSERT INTO subjects (subject, last) VALUES (?1, ?2) ON CONFLICT (subject) DO UPDATE SET last = ?2";
    for (subject, number) in numbers {
        session.sql.prepare_cached(count)?.execute(params![subject, number])?;
    }
    Ok(last)
}

/// The number of the last event of a subject.
fn last_of(sql: &Connection, subject: &str) -> Outcome<i64> {
    let last = "SELECT coalesce((SELECT last FROM subjects WHERE subject = ?1), 0)";
    Ok(sql.prepare_cached(last)?.query_row([subject], |row| row.get(0))?)
}

/// What tells subjects apart.
pub(super) fn key(subject: &Subject) -> String {
    match subject {
        Subject::Sandbox { id, .. } => id.to_string(),
        Subject::Snapshot { id, .. } => id.to_string(),
        Subject::Volume { id, .. } => id.to_string(),
        Subject::Provider { kind } => format!("provider:{kind}"),
        Subject::Image { reference } => format!("image:{reference}"),
        _ => "unknown".to_owned(),
    }
}

/// The event without any output.
fn discreet(mut kind: EventKind) -> EventKind {
    match &mut kind {
        EventKind::Died { post_mortem } => post_mortem.last_output.clear(),
        EventKind::OperationFailed { error, .. } => *error = discreet_report(error.clone()),
        _ => {}
    }
    kind
}

/// The report without any output, and without a backend's raw answer when that is large.
pub(crate) fn discreet_report(mut report: Report) -> Report {
    const MAX_DETAIL: usize = 16 << 10;
    if let Detail::PostMortem(post_mortem) = &mut report.detail {
        post_mortem.last_output.clear();
    }
    if serde_json::to_vec(&report.detail).is_ok_and(|detail| detail.len() > MAX_DETAIL) {
        report.detail = Detail::None;
    }
    report
}

/// Appends what happened to a sandbox.
pub(crate) fn tell(
    session: &Session,
    sandbox: &SandboxEntry,
    by: Option<&OperationEntry>,
    kind: EventKind,
) -> Outcome<()> {
    let (id, external, name) = (sandbox.id, sandbox.external.clone(), sandbox.name.clone());
    let event = NewEvent {
        at: None,
        provider: Some(sandbox.provider.clone()),
        subject: Subject::Sandbox { id, external, name },
        operation: by.map(|operation| operation.id),
        correlation: by.and_then(|operation| operation.correlation.clone()),
        kind,
    };
    append(session, event).map(drop)
}

/// Appends that a sandbox is in a state now.
pub(crate) fn tell_state(
    session: &Session,
    sandbox: &SandboxEntry,
    by: Option<&OperationEntry>,
    previous: Option<State>,
) -> Outcome<()> {
    let (previous, current) = (previous.map(ResourceState::Sandbox), ResourceState::Sandbox(sandbox.state));
    tell(session, sandbox, by, EventKind::StateObserved { previous, current })
}

/// Appends that a sandbox died.
pub(crate) fn tell_death(session: &Session, sandbox: &SandboxEntry, post_mortem: PostMortem) -> Outcome<()> {
    tell(session, sandbox, None, EventKind::Died { post_mortem: Box::new(post_mortem) })
}

/// The number of the last event.
pub(crate) fn last(sql: &Connection) -> Outcome<u64> {
    let last: i64 = sql.prepare_cached(LAST_SEQUENCE)?.query_row([], |row| row.get(0))?;
    Ok(last.cast_unsigned())
}

/// The events after one.
pub(crate) fn after(sql: &Connection, sequence: u64, filter: &EventFilter, most: usize) -> Outcome<EventPage> {
    let most = limit(most)?;
    let (condition, mut values) = condition(filter)?;
    let position = i64::try_from(sequence).unwrap_or(i64::MAX);
    values.extend([Value::Integer(position), Value::Integer(most)]);
    let query = format!(
        "SELECT sequence, subject_sequence, event FROM events WHERE {condition} AND sequence > ? ORDER BY sequence LIMIT ?"
    );
    let mut statement = sql.prepare_cached(&query)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut events: Vec<Event> = Vec::new();
    let mut bytes = 0;
    while let Some(row) = rows.next()? {
        let mut event: Event = json(row, "event")?;
        event.sequence = count(row, "sequence")?;
        event.subject_sequence = count(row, "subject_sequence")?;
        events.push(event);
        bytes += row.get_ref("event")?.as_bytes().map_or(0, <[u8]>::len);
        if bytes > MAX_PAGE {
            break;
        }
    }
    let full = events.len() as i64 == most || bytes > MAX_PAGE;
    let through = match events.last() {
        Some(event) if full => event.sequence,
        _ => last(sql)?.max(sequence),
    };
    Ok(EventPage { gone: gone(sql, sequence)?, events, through })
}

/// The oldest event that is kept, when it is not the one after `sequence`.
fn gone(sql: &Connection, sequence: u64) -> Outcome<Option<u64>> {
    let oldest: Option<i64> =
        sql.prepare_cached("SELECT min(sequence) FROM events")?.query_row([], |row| row.get(0))?;
    let oldest = match oldest {
        Some(oldest) => oldest.cast_unsigned(),
        None => last(sql)? + 1,
    };
    Ok((oldest > sequence.saturating_add(1)).then_some(oldest))
}

fn condition(filter: &EventFilter) -> Outcome<(String, Vec<Value>)> {
    let sandboxes: Vec<String> = filter.sandboxes.iter().map(ToString::to_string).collect();
    let mut condition = String::from("true");
    let mut values = Vec::new();
    for (column, wanted, most) in [("subject", &sandboxes, 1000), ("type", &filter.kinds, 100)] {
        if wanted.len() > most {
            return Err(Error::limit_exceeded(format!("control.event_filter_{column}s"), most as u64).into());
        }
        if !wanted.is_empty() {
            let marks = vec!["?"; wanted.len()].join(", ");
            condition.push_str(&format!(" AND {column} IN ({marks})"));
            values.extend(wanted.iter().cloned().map(Value::Text));
        }
    }
    Ok((condition, values))
}
