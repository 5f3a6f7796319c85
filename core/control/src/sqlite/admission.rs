//! Room for what is to be made: asked for in the transaction that writes the intent.
//!
//! ```text
//!   a request ─┬─ nobody waits and there is room ─▶ begins; one statement has told
//!              ├─ the queue is full ──────────────▶ overloaded
//!              └─ otherwise ─▶ ticket ─┬─ its turn ─▶ begins, and the ticket is gone
//!                                      └─ given up, or its process is dead ─▶ the ticket is gone
//! ```

mod limits;
mod listing;

pub(crate) use limits::{get as limits, prepare, set as set_limits};
pub(crate) use listing::queue;

use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{Admission, Held, Limits, Standing, overloaded};
use crate::turns::{Party, Room, Shares, Ticket, admitted};
use isobox_contract::{Action, OperationId, OwnerId, ProviderKind, SandboxId};
use rusqlite::{Connection, OptionalExtension, params};
use std::time::Duration;

/// What is being made, in the words of the index.
const MAKING: &str = "state = 'running' AND action IN ('create', 'start')";

/// A request.
pub(crate) struct Wanted<'a> {
    pub(crate) operation: &'a OperationId,
    pub(crate) action: Action,
    pub(crate) sandbox: &'a SandboxId,
    pub(crate) name: Option<&'a str>,
    pub(crate) provider: &'a ProviderKind,
    pub(crate) owner: Option<OwnerId>,
    pub(crate) admission: Admission,
    pub(crate) copies: u64,
}

/// What there is now.
struct Now {
    limits: Limits,
    making: u64,
    live: u64,
    somebody_waits: bool,
}

impl Now {
    fn ask(sql: &Connection) -> Outcome<Self> {
        let query = format!(
            "SELECT creates, live, length, wait,
                (SELECT count(*) FROM operations WHERE {MAKING}),
                CASE WHEN live IS NULL THEN 0 ELSE ({}) END,
                EXISTS (SELECT 1 FROM tickets)
            FROM limits",
            listing::LIVE
        );
        Ok(sql.prepare_cached(&query)?.query_row([], |row| {
            Ok(Self {
                limits: limits::read(row)?,
                making: row.get::<_, i64>(4)?.cast_unsigned(),
                live: row.get::<_, i64>(5)?.cast_unsigned(),
                somebody_waits: row.get(6)?,
            })
        })?)
    }

    /// The same, without what the dead have left; and what each process has had.
    fn of_the_living(sql: &Connection) -> Outcome<(Self, Shares)> {
        let (now, shares) = (Self::ask(sql)?, shares(sql)?);
        let live =
            if now.limits.live_sandboxes.is_some() { now.live.saturating_sub(listing::orphans(sql)?) } else { 0 };
        Ok((Self { making: shares.values().map(|share| share.making).sum(), live, ..now }, shares))
    }

    fn room(&self) -> Room {
        Room {
            requests: self.limits.concurrent_creates.saturating_sub(self.making),
            live: self.limits.live_sandboxes.map(|limit| limit.saturating_sub(self.live)),
        }
    }

    /// The limit that is in the way of one that needs so much.
    fn limit(&self, copies: u64) -> (&'static str, u64) {
        match self.limits.live_sandboxes {
            Some(limit) if limit < self.live.saturating_add(copies) => (Limits::LIVE, limit),
            _ => (Limits::CREATES, self.limits.concurrent_creates),
        }
    }
}

/// Lets a request begin, or says what it waits for; `overloaded` when it cannot even wait.
pub(crate) fn admit(session: &Session, wanted: &Wanted<'_>) -> Outcome<Option<Held>> {
    if wanted.admission == Admission::Unchecked {
        return Ok(None);
    }
    let now = Now::ask(&session.sql)?;
    if now.room().has(wanted.copies) && !now.somebody_waits {
        return Ok(None);
    }
    let (now, shares) = Now::of_the_living(&session.sql)?;
    let ticket = ticket(&session.sql, wanted.operation)?;
    if may_begin(&session.sql, &now, &shares, wanted, ticket.as_ref())? {
        leave(session, wanted.operation)?;
        remember(session, &party(wanted))?;
        return Ok(None);
    }
    wait(session, wanted, &now, ticket.is_some()).map(Some)
}

/// Whether it is the turn of a request, which may have come just now.
fn may_begin(
    sql: &Connection,
    now: &Now,
    shares: &Shares,
    wanted: &Wanted<'_>,
    ticket: Option<&Ticket>,
) -> Outcome<bool> {
    let room = now.room();
    if !room.has(wanted.copies) {
        return Ok(false);
    }
    let mut first = first(sql, room)?;
    let party = party(wanted);
    if ticket.is_none() {
        first.push(Ticket { sequence: i64::MAX, party: party.clone(), copies: wanted.copies });
    }
    // Which of its requests goes first is a process's own affair, but none that comes just now goes before one that waits.
    let mut turns = admitted(&first, shares, room);
    Ok(turns.any(|next| next.party == party && (ticket.is_some() || next.sequence == i64::MAX)))
}

/// Writes a ticket, unless there is one.
fn wait(session: &Session, wanted: &Wanted<'_>, now: &Now, has_ticket: bool) -> Outcome<Held> {
    let count = "SELECT count(*) FROM tickets";
    let waiting: i64 = session.sql.prepare_cached(count)?.query_row([], |row| row.get(0))?;
    let waiting = waiting.cast_unsigned();
    let (limit, max) = now.limit(wanted.copies);
    let wait = now.limits.queue_wait;
    if has_ticket {
        return Ok(Held { waiting, limit, max, wait });
    }
    let never = now.limits.live_sandboxes.is_some_and(|limit| wanted.copies > limit);
    if never || wait == Duration::ZERO || now.limits.queue_length == 0 {
        return Err(overloaded(limit, max).into());
    }
    if waiting >= now.limits.queue_length {
        return Err(overloaded(Limits::LENGTH, now.limits.queue_length).into());
    }
    insert(session, wanted)?;
    Ok(Held { waiting: waiting + 1, limit, max, wait })
}

fn insert(session: &Session, wanted: &Wanted<'_>) -> Outcome<()> {
    let Party { background, owner } = party(wanted);
    let statement = "INSERT INTO tickets (operation, background, owner, copies, action, sandbox, name, provider, at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    session.sql.prepare_cached(statement)?.execute(params![
        wanted.operation.as_str(),
        background,
        owner,
        i64::try_from(wanted.copies).unwrap_or(i64::MAX),
        wanted.action.as_str(),
        wanted.sandbox.as_str(),
        wanted.name,
        wanted.provider.as_str(),
        to_micros(session.now()),
    ])?;
    Ok(())
}

fn party(wanted: &Wanted<'_>) -> Party {
    let owner = wanted.owner.map(|owner| owner.to_string()).unwrap_or_default();
    Party { background: wanted.admission == Admission::Background, owner }
}

/// What each process has had: how many it is making, unless it is known to be dead, and its last turn.
fn shares(sql: &Connection) -> Outcome<Shares> {
    let query = format!(
        "SELECT coalesce(owner, ''), count(*), 0 FROM operations WHERE {MAKING}
            AND NOT EXISTS (SELECT 1 FROM owners WHERE id = operations.owner AND ended_at IS NOT NULL)
        GROUP BY owner
        UNION ALL SELECT owner, 0, last FROM turns"
    );
    let mut shares = Shares::new();
    let mut statement = sql.prepare_cached(&query)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let share = shares.entry(row.get(0)?).or_default();
        share.making += row.get::<_, i64>(1)?.cast_unsigned();
        share.last = share.last.max(row.get::<_, i64>(2)?.cast_unsigned());
    }
    Ok(shares)
}

/// Writes down that a process had a turn.
fn remember(session: &Session, party: &Party) -> Outcome<()> {
    let statement = "INSERT INTO turns (owner, last) VALUES (?1, (SELECT coalesce(max(last), 0) + 1 FROM turns))
        ON CONFLICT (owner) DO UPDATE SET last = excluded.last";
    session.sql.prepare_cached(statement)?.execute([&party.owner])?;
    Ok(())
}

fn ticket(sql: &Connection, operation: &OperationId) -> Outcome<Option<Ticket>> {
    let query = "SELECT sequence, background, owner, copies FROM tickets WHERE operation = ?1";
    Ok(sql.prepare_cached(query)?.query_row([operation.as_str()], read).optional()?)
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Ticket> {
    let party = Party { background: row.get(1)?, owner: row.get(2)? };
    Ok(Ticket { sequence: row.get(0)?, party, copies: row.get::<_, i64>(3)?.cast_unsigned() })
}

/// The oldest of each process: as many as there is room for, which is all that a decision needs.
fn first(sql: &Connection, room: Room) -> Outcome<Vec<Ticket>> {
    let mut found = Vec::new();
    let mut before = Party { background: false, owner: String::new() };
    let next = "SELECT background, owner FROM tickets WHERE (background, owner) > (?1, ?2)
        ORDER BY background, owner LIMIT 1";
    let oldest = "SELECT sequence, background, owner, copies FROM tickets WHERE background = ?1 AND owner = ?2
        ORDER BY sequence LIMIT ?3";
    let most = i64::try_from(room.requests).unwrap_or(i64::MAX);
    let (mut next, mut oldest) = (sql.prepare_cached(next)?, sql.prepare_cached(oldest)?);
    loop {
        for ticket in oldest.query_map(params![before.background, before.owner, most], read)? {
            found.push(ticket?);
        }
        let party = next.query_row(params![before.background, before.owner], |row| {
            Ok(Party { background: row.get(0)?, owner: row.get(1)? })
        });
        match party.optional()? {
            Some(party) => before = party,
            None => return Ok(found),
        }
    }
}

/// Where a request that waits stands.
pub(crate) fn standing(sql: &Connection, operation: &OperationId) -> Outcome<Standing> {
    let Some(own) = ticket(sql, operation)? else { return Ok(Standing::Gone) };
    let (now, shares) = Now::of_the_living(sql)?;
    let first = first(sql, now.room())?;
    let mut behind = None;
    for next in admitted(&first, &shares, now.room()) {
        if next.party == own.party && now.room().has(own.copies) {
            return Ok(Standing::Turn);
        }
        behind.get_or_insert(next.sequence);
    }
    let Some(sequence) = behind else { return Ok(Standing::Full) };
    let query = "SELECT operation FROM tickets WHERE sequence = ?1";
    let other: String = sql.prepare_cached(query)?.query_row([sequence], |row| row.get(0))?;
    Ok(other.parse().map_or(Standing::Full, Standing::Behind))
}

/// Takes a ticket back. None is fine.
pub(crate) fn leave(session: &Session, operation: &OperationId) -> Outcome<()> {
    session.sql.prepare_cached("DELETE FROM tickets WHERE operation = ?1")?.execute([operation.as_str()])?;
    Ok(())
}

/// Takes all tickets of a process back, and forgets its turns.
pub(crate) fn leave_all(session: &Session, owner: &OwnerId) -> Outcome<()> {
    session.sql.prepare_cached("DELETE FROM turns WHERE owner = ?1")?.execute([owner.as_str()])?;
    session.sql.prepare_cached("DELETE FROM tickets WHERE owner = ?1")?.execute([owner.as_str()])?;
    Ok(())
}
