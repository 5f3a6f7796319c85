//! What can go wrong with the file, as errors that say what to do.

use isobox_contract::{Error, ErrorCode};
use rusqlite::ErrorCode as Sqlite;
use rusqlite::ffi;
use std::path::Path;

/// A failure inside of a piece of work: of SQLite, or one that is meant for the caller already.
#[derive(Debug)]
pub(crate) enum Failure {
    /// SQLite's.
    Sqlite(rusqlite::Error),
    /// The caller's.
    Told(Box<Error>),
}

/// What a piece of work gives.
pub(crate) type Outcome<T> = Result<T, Failure>;

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Failure::Sqlite(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Told(Box::new(error))
    }
}

impl Failure {
    /// The error for the caller.
    pub(crate) fn told(self, path: &Path) -> Error {
        match self {
            Failure::Told(error) => *error,
            Failure::Sqlite(error) => from_sqlite(&error, path),
        }
    }
}

/// The error for a failure of SQLite. Its own words are left out where they could hold a value.
pub(crate) fn from_sqlite(error: &rusqlite::Error, path: &Path) -> Error {
    let path = path.display();
    let Some(inner) = error.sqlite_error() else {
        return Error::internal(format!("the control plane {path} holds something that cannot be read: {error}"));
    };
    match (inner.code, inner.extended_code) {
        (Sqlite::DiskFull, _) | (_, ffi::SQLITE_IOERR_SHMSIZE) => {
            Error::new(ErrorCode::OutOfDisk, format!("the disk of {path} is full and nothing was written, make room"))
        }
        (Sqlite::DatabaseBusy | Sqlite::DatabaseLocked, _) => Error::new(
            ErrorCode::Overloaded,
            format!("another process keeps {path} locked for too long and nothing was written, try again later"),
        ),
        (Sqlite::ReadOnly | Sqlite::PermissionDenied | Sqlite::CannotOpen, _) => Error::new(
            ErrorCode::PermissionDenied,
            format!("{path} cannot be opened for writing, make it and its directory writable for this user"),
        ),
        (Sqlite::DatabaseCorrupt | Sqlite::NotADatabase, _) => damaged(&path),
        (Sqlite::SystemIoFailure, code) => {
            Error::new(ErrorCode::Io, format!("reading or writing {path} failed (SQLite code {code}), check its disk"))
        }
        (Sqlite::TooBig, _) => Error::limit_exceeded("control.value_bytes", 1_000_000_000),
        (_, code) => Error::internal(format!("SQLite refused a statement on {path} (code {code})")),
    }
}

fn damaged(path: &impl std::fmt::Display) -> Error {
    Error::new(
        ErrorCode::Io,
        format!(
            "{path} is damaged or not a database, move it and the files beside it that begin with its name away: a new \
             one is made, and sandboxes are found again from their providers"
        ),
    )
}
