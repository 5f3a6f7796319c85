//! What this process writes down about its sandboxes, so that every other process finds them.
//!
//! ```text
//!   intent is written ──▶ the provider acts ──▶ what came of it is written
//!          └─ a crash in between: whoever opens isobox next finds the intent of a dead process, and undoes it
//! ```
//!
//! What happens in between, such as commands, is written in the background: a command waits for none of it.

mod action;
mod background;
mod create;
mod during;
mod find;
mod fresh;
mod garbage;
mod herald;
mod house;
mod images;
mod janitor;
mod reconcile;
mod recorder;
mod sinks;
mod snapshots;
mod turn;
mod volumes;
mod watch;

pub use background::settled;
pub(crate) use background::{in_background, insist, to_its_end};
pub(crate) use create::{Begin, Wanted};
pub use garbage::{Garbage, GarbageKind, Reconciled};
pub(crate) use herald::Herald;
pub(crate) use janitor::{DEFAULT_PERIOD, Janitor};
pub(crate) use reconcile::{Pass, is_gone};
pub(crate) use recorder::Recorder;
pub(crate) use sinks::{Both, Told};
pub(crate) use turn::Patience;
pub(crate) use watch::{Watch, as_intended, settle, tell_last};

/// What of a provider is there exactly when it is claimed.
pub(crate) mod facets {
    pub(crate) use super::snapshots::{external_of, snapshots};
    pub(crate) use super::volumes::volumes;
}

use crate::record::Record;
use isobox_contract::{OwnerId, Result};
use isobox_control::{Options, OwnerLock, ProcessIdentity, Retention, SqliteStore, Store};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file, in isobox's directory.
pub(crate) const DATABASE: &str = "control.db";

/// The books of all processes, and this one's name in them.
#[derive(Debug)]
pub(crate) struct Control {
    home: PathBuf,
    store: Arc<dyn Store>,
    id: OwnerId,
    /// `None` only within a drop.
    owner: Option<OwnerLock>,
    recorder: Recorder,
    record: Record,
    retention: Retention,
    lines: turn::Lines,
    announced: herald::Announced,
}

impl Control {
    pub(crate) async fn open(home: &Path, record: Record, retention: Retention) -> Result<Self> {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(home.join(DATABASE), Options::default()).await?);
        let owner = OwnerLock::take(home)?;
        store.put_owner(owner.entry().clone()).await?;
        let (recorder, lines) = (Recorder::new(store.clone()), turn::Lines::default());
        let (home, id, owner, announced) = (home.to_owned(), owner.id(), Some(owner), herald::Announced::default());
        Ok(Self { home, store, id, owner, recorder, record, retention, lines, announced })
    }

    /// The books.
    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// This process.
    pub(crate) fn owner(&self) -> OwnerId {
        self.id
    }

    /// What tells this process from others.
    pub(crate) fn process(&self) -> Option<&ProcessIdentity> {
        self.owner.as_ref().map(|owner| &owner.entry().process)
    }

    /// What takes events on their way into the books.
    pub(crate) fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// What is written down.
    pub(crate) fn record(&self) -> Record {
        self.record
    }

    /// How long what is over is remembered.
    pub(crate) fn retention(&self) -> &Retention {
        &self.retention
    }
}
