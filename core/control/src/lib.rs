//! The local control plane: what sandboxes there are, whose they are, what happened to them.
//!
//! One SQLite file that any number of processes and languages share, without a daemon. A [`Store`] keeps records and moves
//! states; it knows no provider and does nothing to a sandbox. Whoever does writes down what it is about to do, does it,
//! and writes down what came of it, so that a crash at any point leaves something that the next process finds:
//!
//! ```text
//!   begin_create ──▶ (the provider makes it) ──▶ confirm | fail
//!        │                    │ crash
//!        ▼                    ▼
//!   sandbox creating     the operation still runs and its owner is dead: adopt, finish or undo
//! ```
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> isobox_contract::Result<()> {
//! # let home = tempfile::tempdir().expect("a temporary directory");
//! use isobox_contract::{ProviderKind, SandboxSpec, State};
//! use isobox_control::{CreateRequest, Created, Options, Outcome, SqliteStore, Store};
//!
//! let store = SqliteStore::open(home.path().join("control.db"), Options::default()).await?;
//! let request = CreateRequest::new(ProviderKind::NAMESPACE, SandboxSpec::default().name("build"));
//! let Created::Begun { operation, .. } = store.begin_create(request).await? else { panic!("the name is free") };
//! store.confirm(&operation.id, Outcome::state(State::Running)).await?;
//! let found = store.sandbox_by_name("build").await?.expect("it was made");
//! assert_eq!(found.state, State::Running);
//! # store.close().await
//! # }
//! ```

mod clock;
mod engine;
mod failure;
mod follow;
mod fork;
mod migrate;
mod open;
mod options;
mod owner;
mod record;
mod sqlite;
mod store;
mod turns;
mod wait;

pub use clock::{Clock, SystemClock};
pub use follow::{Follow, Followed, follow};
pub use migrate::SCHEMA_VERSION;
pub use options::Options;
pub use owner::{Life, OwnerLock, bury, clear_owners, life};
pub use record::{
    ActionRequest, Admission, Begun, CreateRequest, Created, EventFilter, EventPage, Handout, Held, ImageChange,
    ImageEntry, ImageList, Limits, NewEvent, NewPool, Offered, OperationEntry, OperationFilter, OperationState,
    Outcome, OwnerEntry, Page, PoolEntry, ProcessEntry, ProcessIdentity, ProviderData, Pruned, Queue, QueueEntry,
    Retention, SandboxChange, SandboxEntry, SandboxFilter, SnapshotEntry, Standing, Stats, Take, Transition,
    VolumeEntry, fingerprint,
};
pub use sqlite::SqliteStore;
pub use store::Store;
pub use wait::ended;
