//! Opening the file: whose it is, how it is set up, and what version it has.
//!
//! ```text
//!   make the file, 0600 ─▶ busy handler ─▶ application id ─▶ WAL ─▶ migrations ─▶ ready
//!                                              │ foreign, newer or damaged: refused, untouched
//! ```

use crate::engine::checkpoint;
use crate::failure::from_sqlite;
use crate::migrate;
use isobox_contract::{Error, ErrorCode, Result};
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

/// `isob`, in the file's header: what tells our files from others.
pub(crate) const APPLICATION_ID: i32 = 0x6973_6f62;

/// How long a lock of another process is waited for.
pub(crate) const BUSY: Duration = Duration::from_secs(15);

/// Makes the file if there is none, brings it up to date and gives the connection that writes.
pub(crate) fn writer(path: &Path) -> Result<Connection> {
    make(path)?;
    let mut connection = connect(path)?;
    let told = |error: rusqlite::Error| from_sqlite(&error, path);
    check_owner(&connection, path)?;
    close_to_others(path).map_err(|error| from_io(&error, path))?;
    // Takes effect in a new file only, and there only before its first page is written.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL").map_err(told)?;
    if !switch_to_wal(&connection).map_err(told)?.eq_ignore_ascii_case("wal") {
        return Err(no_shared_memory(path));
    }
    connection.pragma_update(None, "synchronous", "NORMAL").map_err(told)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(told)?;
    connection.pragma_update(None, "journal_size_limit", 16 << 20).map_err(told)?;
    connection.pragma_update(None, "wal_autocheckpoint", checkpoint::PAGES_AT_MOST).map_err(told)?;
    migrate::run(&mut connection, path)?;
    crate::sqlite::prepare(&connection).map_err(told)?;
    Ok(connection)
}

/// A connection that copies the journal into the database, of a file that [`writer`] has opened.
pub(crate) fn checkpointer(path: &Path) -> Result<Connection> {
    let mut connection = connect(path)?;
    let told = |error: rusqlite::Error| from_sqlite(&error, path);
    connection.pragma_update(None, "synchronous", "NORMAL").map_err(told)?;
    wait_when_busy(&mut connection, checkpoint::BUSY).map_err(told)?;
    Ok(connection)
}

/// A connection that only reads, to a file that [`writer`] has opened.
pub(crate) fn reader(path: &Path) -> Result<Connection> {
    let connection = connect(path)?;
    connection.pragma_update(None, "query_only", true).map_err(|error| from_sqlite(&error, path))?;
    Ok(connection)
}

fn connect(path: &Path) -> Result<Connection> {
    let told = |error: rusqlite::Error| from_sqlite(&error, path);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(told)?;
    wait_when_busy(&mut connection, BUSY).map_err(told)?;
    connection.set_prepared_statement_cache_capacity(128);
    connection.pragma_update(None, "trusted_schema", false).map_err(told)?;
    // What a savepoint keeps to go back to would otherwise be a new file for each that is longer than 64 KiB.
    connection.pragma_update(None, "temp_store", "MEMORY").map_err(told)?;
    Ok(connection)
}

/// Waits for locks in small steps: SQLite's own handler sleeps up to 100 ms, so that of two busy processes one starves.
fn wait_when_busy(connection: &mut Connection, most: Duration) -> rusqlite::Result<()> {
    let mut since = Instant::now();
    connection.busy_handler(Some(move |count| {
        if count == 0 {
            since = Instant::now();
        }
        std::thread::sleep(Duration::from_micros(if count < 20 { 100 } else { 1000 }));
        since.elapsed() < most
    }))
}

fn no_shared_memory(path: &Path) -> Error {
    let path = path.display();
    let message =
        format!("the filesystem of {path} cannot share memory between processes, choose a directory on a local one");
    Error::new(ErrorCode::Unsupported, message)
}

/// The switch to WAL needs the file for itself and does not ask the busy handler. Gives the mode that there is then: where
/// processes cannot share memory it is another.
fn switch_to_wal(connection: &Connection) -> rusqlite::Result<String> {
    let deadline = Instant::now() + BUSY;
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0)) {
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(2));
            }
            other => return other,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked))
}

/// Refuses a database of somebody else. One without anything in it is new.
fn check_owner(connection: &Connection, path: &Path) -> Result<()> {
    let number = |sql: &str| {
        connection.query_row(sql, [], |row| row.get::<_, i32>(0)).map_err(|error| from_sqlite(&error, path))
    };
    match number("PRAGMA application_id")? {
        APPLICATION_ID => Ok(()),
        0 if number("SELECT count(*) FROM sqlite_schema")? == 0 => Ok(()),
        // Another process may have begun to make it between the two questions.
        0 if number("PRAGMA application_id")? == APPLICATION_ID => Ok(()),
        _ => Err(Error::new(
            ErrorCode::Io,
            format!(
                "{} is a database of another program, choose another directory for isobox or move the file away",
                path.display()
            ),
        )),
    }
}

/// Makes an empty file that only this user can read, since it will hold tokens.
///
/// The file itself is never opened here: closing it would give up the locks that SQLite holds on it in this process
/// (fcntl(2)). So it is made under another name and linked.
fn make(path: &Path) -> Result<()> {
    let failed = |error: std::io::Error| from_io(&error, path);
    if let Some(home) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(home).map_err(failed)?;
    }
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => link_new(path).map_err(failed),
        other => other.map(drop).map_err(failed),
    }
}

/// Takes away what others may do with a file that somebody copied or restored.
fn close_to_others(path: &Path) -> std::io::Result<()> {
    match fs::metadata(path)?.permissions().mode() & 0o077 {
        0 => Ok(()),
        _ => fs::set_permissions(path, fs::Permissions::from_mode(0o600)),
    }
}

fn link_new(path: &Path) -> std::io::Result<()> {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let new = path.with_extension(format!("new-{}-{number}", std::process::id()));
    match fs::remove_file(&new) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => drop(fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?),
    }
    let linked = match fs::hard_link(&new, path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => rename_new(&new, path),
        _ => fs::remove_file(&new),
    };
    if linked.is_err() {
        fs::remove_file(&new).ok();
    }
    linked
}

/// For filesystems without hard links.
fn rename_new(new: &Path, path: &Path) -> std::io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, new, CWD, path, RenameFlags::NOREPLACE) {
        Err(rustix::io::Errno::EXIST) => fs::remove_file(new),
        other => Ok(other?),
    }
}

/// The error for a system call on the file or its directory.
pub(crate) fn from_io(error: &std::io::Error, path: &Path) -> Error {
    use std::io::ErrorKind as Kind;
    let path = path.display();
    match error.kind() {
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem => Error::new(
            ErrorCode::PermissionDenied,
            format!("{path} cannot be made, make its directory writable for this user or choose another"),
        ),
        Kind::StorageFull | Kind::QuotaExceeded => {
            Error::new(ErrorCode::OutOfDisk, format!("the disk of {path} is full, make room"))
        }
        kind => Error::new(ErrorCode::Io, format!("{path}: {kind}")),
    }
}
