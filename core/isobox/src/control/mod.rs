//! What this process writes down about its sandboxes, so that every other process finds them.
//!
//! ```text
//!   intent is written ──▶ the provider acts ──▶ what came of it is written
//!          └─ a crash in between: whoever opens isobox next finds the intent of a dead process, and undoes it
//! ```
//!
//! Nothing is written for a command: it would cost more than the command.

mod action;
mod background;
mod create;
mod find;
mod garbage;
mod janitor;
mod reconcile;
mod volumes;
mod watch;

pub(crate) use background::{in_background, to_its_end};
pub(crate) use create::{Begin, Wanted};
pub use garbage::{Garbage, GarbageKind, Reconciled};
pub(crate) use janitor::{DEFAULT_PERIOD, Janitor};
pub(crate) use reconcile::Pass;
pub(crate) use watch::{Watch, tell_last};

/// What of a provider is there exactly when it is claimed.
pub(crate) mod facets {
    pub(crate) use super::volumes::volumes;
}

use isobox_contract::{OwnerId, Result};
use isobox_control::{Options, OwnerLock, SqliteStore, Store};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file, in isobox's directory.
pub(crate) const DATABASE: &str = "control.db";

/// The books of all processes, and this one's name in them.
#[derive(Debug)]
pub(crate) struct Control {
    home: PathBuf,
    store: Arc<dyn Store>,
    owner: OwnerLock,
}

impl Control {
    pub(crate) async fn open(home: &Path) -> Result<Self> {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(home.join(DATABASE), Options::default()).await?);
        let owner = OwnerLock::take(home)?;
        store.put_owner(owner.entry().clone()).await?;
        Ok(Self { home: home.to_owned(), store, owner })
    }

    /// The books.
    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// This process.
    pub(crate) fn owner(&self) -> OwnerId {
        self.owner.id()
    }
}
