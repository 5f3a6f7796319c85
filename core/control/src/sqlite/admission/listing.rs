//! The queue, for those who look at it.

use super::MAKING;
use crate::failure::Outcome;
use crate::record::{Page, Queue, QueueEntry};
use crate::sqlite::column::{plain, time, word};
use crate::turns::{Party, Ticket, turns};
use isobox_contract::Error;
use rusqlite::{Connection, Row};
use std::collections::HashMap;

/// Counts sandboxes that are there and not stopped.
pub(super) const LIVE: &str =
    "SELECT count(*) FROM sandboxes WHERE ended_at IS NULL AND state NOT IN ('stopped', 'archived')";

/// Counts those of them that end by themselves because their process is dead.
const ORPHANS: &str = "SELECT count(*)
    FROM (SELECT DISTINCT owner FROM sandboxes WHERE owner IS NOT NULL AND ended_at IS NULL) AS those
    JOIN owners ON owners.id = those.owner AND owners.ended_at IS NOT NULL
    JOIN sandboxes ON sandboxes.owner = those.owner
    WHERE sandboxes.ended_at IS NULL AND NOT detached AND state NOT IN ('stopped', 'archived')";

fn number(sql: &Connection, query: &str) -> Outcome<u64> {
    let number: i64 = sql.prepare_cached(query)?.query_row([], |row| row.get(0))?;
    Ok(number.cast_unsigned())
}

/// How many are live and will end by themselves.
pub(super) fn orphans(sql: &Connection) -> Outcome<u64> {
    number(sql, ORPHANS)
}

/// Who waits and what is being made.
pub(crate) fn queue(sql: &Connection) -> Outcome<Queue> {
    let live = number(sql, LIVE)? - orphans(sql)?;
    Ok(Queue { limits: super::limits(sql)?, live, making: making(sql)?, waiting: waiting(sql)? })
}

fn making(sql: &Connection) -> Outcome<Vec<QueueEntry>> {
    let query = format!(
        "SELECT made.id AS operation, made.action, made.sandbox, sandboxes.name, sandboxes.provider,
            0 AS background, coalesce(made.owner, '') AS owner, pid, program, made.started_at AS at
        FROM (SELECT * FROM operations WHERE {MAKING}) AS made
        JOIN sandboxes ON sandboxes.id = made.sandbox LEFT JOIN owners ON owners.id = made.owner
        WHERE owners.ended_at IS NULL ORDER BY made.id LIMIT {}",
        Page::MAX
    );
    let mut statement = sql.prepare_cached(&query)?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

fn waiting(sql: &Connection) -> Outcome<Vec<QueueEntry>> {
    let query = "SELECT tickets.*, pid, program FROM tickets LEFT JOIN owners ON owners.id = tickets.owner";
    let mut statement = sql.prepare_cached(query)?;
    let mut rows = statement.query([])?;
    let (mut tickets, mut entries) = (Vec::new(), HashMap::new());
    while let Some(row) = rows.next()? {
        let sequence: i64 = plain(row, "sequence")?;
        let party = Party { background: plain(row, "background")?, owner: plain(row, "owner")? };
        tickets.push(Ticket { sequence, party, copies: plain::<i64>(row, "copies")?.cast_unsigned() });
        entries.insert(sequence, read(row)?);
    }
    let shares = super::shares(sql)?;
    let order = turns(&tickets, &shares).take(Page::MAX).zip(1..);
    order
        .map(|(ticket, position)| {
            let entry = entries.remove(&ticket.sequence);
            let entry = entry.ok_or_else(|| Error::internal("a turn is of nobody who waits"))?;
            Ok(QueueEntry { position: Some(position), ..entry })
        })
        .collect()
}

fn read(row: &Row<'_>) -> Outcome<QueueEntry> {
    let owner: String = plain(row, "owner")?;
    Ok(QueueEntry {
        operation: word(row, "operation")?,
        action: word(row, "action")?,
        sandbox: word(row, "sandbox")?,
        name: plain(row, "name")?,
        provider: word(row, "provider")?,
        background: plain(row, "background")?,
        owner: owner.parse().ok(),
        pid: plain(row, "pid")?,
        program: plain(row, "program")?,
        since: time(row, "at")?,
        position: None,
    })
}
