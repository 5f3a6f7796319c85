//! Commands and owners.

use super::column::{bits_or_null, json_or_null, plain, time, time_or_null, to_json, word};
use crate::clock::to_micros;
use crate::engine::writer::Session;
use crate::failure::Outcome;
use crate::record::{OwnerEntry, ProcessEntry, ProcessIdentity};
use isobox_contract::{Error, ExecId, OwnerId, SandboxId};
use rusqlite::{Connection, Params, Row, params};

/// The most bytes of how a command ended.
pub(super) const MAX_EXIT: usize = 4096;
/// The most bytes of the caller's name for a command.
pub(super) const MAX_LABEL: usize = 1024;

fn all<T>(sql: &Connection, query: &str, values: impl Params, read: fn(&Row<'_>) -> Outcome<T>) -> Outcome<Vec<T>> {
    let mut statement = sql.prepare_cached(query)?;
    let mut rows = statement.query(values)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// Adds a command, or says how it ended.
pub(crate) fn put_process(session: &Session, process: &ProcessEntry) -> Outcome<()> {
    if process.label.as_ref().is_some_and(|label| label.len() > MAX_LABEL) {
        return Err(Error::limit_exceeded("control.label_bytes", MAX_LABEL as u64).into());
    }
    super::sandbox::get(&session.sql, &process.sandbox)?;
    let statement =
        "INSERT INTO processes (id, sandbox, label, started_at, ended_at, exit) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (id) DO UPDATE SET label = ?3, ended_at = ?5, exit = ?6";
    session.sql.prepare_cached(statement)?.execute(params![
        process.id.as_str(),
        process.sandbox.as_str(),
        process.label,
        to_micros(process.started_at),
        process.ended_at.map(to_micros),
        process.exit.as_ref().map(|exit| to_json("exit", exit, MAX_EXIT)).transpose()?,
    ])?;
    Ok(())
}

/// The commands of a sandbox.
pub(crate) fn processes(sql: &Connection, sandbox: &SandboxId) -> Outcome<Vec<ProcessEntry>> {
    all(sql, "SELECT * FROM processes WHERE sandbox = ?1 ORDER BY id", [sandbox.as_str()], |row| {
        Ok(ProcessEntry {
            id: word(row, "id")?,
            sandbox: word(row, "sandbox")?,
            label: plain(row, "label")?,
            started_at: time(row, "started_at")?,
            ended_at: time_or_null(row, "ended_at")?,
            exit: json_or_null(row, "exit")?,
        })
    })
}

/// The commands of a sandbox of which no end is known, the first of them.
pub(crate) fn running(sql: &Connection, sandbox: &SandboxId) -> Outcome<Vec<ExecId>> {
    let query = "SELECT id FROM processes WHERE sandbox = ?1 AND ended_at IS NULL ORDER BY id LIMIT 64";
    all(sql, query, [sandbox.as_str()], |row| word(row, "id"))
}

/// Adds a process that will own sandboxes.
pub(crate) fn put_owner(session: &Session, owner: &OwnerEntry) -> Outcome<()> {
    let statement =
        "INSERT INTO owners (id, pid, started, boot, pid_namespace, lock_inode, program, created_at, ended_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    session.sql.prepare_cached(statement)?.execute(params![
        owner.id.as_str(),
        owner.process.pid,
        owner.process.started.cast_signed(),
        owner.process.boot,
        owner.process.pid_namespace.cast_signed(),
        owner.lock_inode.cast_signed(),
        owner.program,
        to_micros(owner.created_at),
        owner.ended_at.map(to_micros),
    ])?;
    Ok(())
}

/// Says that a process is gone.
pub(crate) fn end_owner(session: &Session, id: &OwnerId) -> Outcome<()> {
    let update = "UPDATE owners SET ended_at = ?2 WHERE id = ?1 AND ended_at IS NULL";
    session.sql.prepare_cached(update)?.execute(params![id.as_str(), to_micros(session.now())])?;
    super::pool::remove_all(session, id)?;
    super::admission::leave_all(session, id)
}

/// The process with this id.
pub(crate) fn owner(sql: &Connection, id: &OwnerId) -> Outcome<Option<OwnerEntry>> {
    Ok(all(sql, "SELECT * FROM owners WHERE id = ?1", [id.as_str()], read_owner)?.pop())
}

/// The processes that have not ended.
pub(crate) fn owners(sql: &Connection) -> Outcome<Vec<OwnerEntry>> {
    all(sql, "SELECT * FROM owners WHERE ended_at IS NULL ORDER BY id", [], read_owner)
}

fn read_owner(row: &Row<'_>) -> Outcome<OwnerEntry> {
    Ok(OwnerEntry {
        id: word(row, "id")?,
        process: ProcessIdentity {
            pid: plain(row, "pid")?,
            started: bits_or_null(row, "started")?.unwrap_or_default(),
            boot: plain(row, "boot")?,
            pid_namespace: bits_or_null(row, "pid_namespace")?.unwrap_or_default(),
        },
        lock_inode: bits_or_null(row, "lock_inode")?.unwrap_or_default(),
        program: plain(row, "program")?,
        created_at: time(row, "created_at")?,
        ended_at: time_or_null(row, "ended_at")?,
    })
}
