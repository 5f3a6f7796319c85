//! Versions of the schema. Forward only: a step is never changed once it is released, only followed by another.

use crate::failure::from_sqlite;
use crate::open::APPLICATION_ID;
use isobox_contract::{Error, ErrorCode, Result};
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// Step n brings a file of version n to version n + 1.
const STEPS: &[&str] = &[
    include_str!("migrations/0001_initial.sql"),
    include_str!("migrations/0002_makers.sql"),
    include_str!("migrations/0003_chores.sql"),
    include_str!("migrations/0004_admission.sql"),
    include_str!("migrations/0005_pools.sql"),
    include_str!("migrations/0006_images.sql"),
];

/// The version of the schema that this library reads and writes.
pub const SCHEMA_VERSION: u32 = STEPS.len() as u32;

/// Brings the file up to date, one transaction for each step, so that any number of processes may open it at once.
pub(crate) fn run(connection: &mut Connection, path: &Path) -> Result<()> {
    loop {
        // Usually there is nothing to do, which must not need the lock of a writer.
        let version = version(connection).map_err(|error| from_sqlite(&error, path))?;
        if version > SCHEMA_VERSION {
            return Err(newer(version, path));
        }
        if version == SCHEMA_VERSION {
            return Ok(());
        }
        step(connection).map_err(|error| from_sqlite(&error, path))?;
    }
}

fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

fn step(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been here while this one waited.
    let version = version(&transaction)?;
    if let Some(sql) = STEPS.get(version as usize) {
        transaction.execute_batch(sql)?;
        transaction.pragma_update(None, "user_version", version + 1)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    transaction.commit()
}

fn newer(version: u32, path: &Path) -> Error {
    Error::new(
        ErrorCode::Unsupported,
        format!(
            "{} has schema version {version} of a newer isobox, and this one knows up to {SCHEMA_VERSION}: upgrade \
             isobox, or choose another directory for this version",
            path.display()
        ),
    )
}
