//! Sandboxes as the store knows them.

use isobox_contract::{
    Action, Error, ErrorCode, ExternalId, Labels, OperationId, OwnerId, ProviderKind, Report, Result, SandboxId,
    SandboxImage, SandboxRecord, SandboxSpec, State, Timestamp, VolumeId,
};
use sha2::{Digest, Sha256};
use std::fmt;

use super::{Admission, Held, OperationEntry};

/// What is known about a sandbox.
#[derive(Clone, Debug)]
pub struct SandboxEntry {
    /// Its id.
    pub id: SandboxId,
    /// Its name, unique among those that are not deleted.
    pub name: Option<String>,
    /// The kind of provider that makes it.
    pub provider: ProviderKind,
    /// The backend's id, once there is one.
    pub external: Option<ExternalId>,
    /// The provider's own data. May hold a token.
    pub data: ProviderData,
    /// What it was made from, without the values of secrets.
    pub spec: SandboxSpec,
    /// The image that it was made from, once it is; none of one that was made from something else.
    pub image: Option<SandboxImage>,
    /// What tells two requests apart; see [`fingerprint`].
    pub fingerprint: String,
    /// Its labels now.
    pub labels: Labels,
    /// What it is doing.
    pub state: State,
    /// Since when.
    pub state_since: Timestamp,
    /// Counts its changes, from 1.
    pub version: u64,
    /// The process that it belongs to.
    pub owner: Option<OwnerId>,
    /// Whether it lives on without that process.
    pub detached: bool,
    /// When its lifetime ends; never when absent. What ends it is the agent in it, by a clock that does not jump.
    pub expires_at: Option<Timestamp>,
    /// Why it is in error.
    pub error: Option<Report>,
    /// The pool that keeps it ready; none when it is in use.
    pub pool: Option<String>,
    /// When it was taken from a pool. Its lifetimes count from then on.
    pub taken_at: Option<Timestamp>,
    /// When it was begun.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was deleted or found gone.
    pub ended_at: Option<Timestamp>,
}

impl SandboxEntry {
    /// Whether it was ever whole. A creation that was not is undone as if it had never been: it does not die, and nobody finds it.
    pub fn is_made(&self) -> bool {
        self.external.is_some()
    }

    /// What [`isobox_contract::Provider::attach`] needs; none until the provider has said something.
    pub fn record(&self) -> Option<SandboxRecord> {
        let external = self.external.clone()?;
        Some(SandboxRecord { id: self.id, external, data: self.data.0.clone() })
    }
}

/// The provider's own data. `Debug` shows none of it, since it may hold a token.
#[derive(Clone, Default, PartialEq)]
pub struct ProviderData(pub serde_json::Value);

impl fmt::Debug for ProviderData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

/// What tells two requests apart: the provider and the spec. Values of secrets do not count, so that nothing can be
/// guessed from it.
pub fn fingerprint(provider: &ProviderKind, spec: &SandboxSpec) -> Result<String> {
    let spec = serde_json::to_vec(&spec.redacted()).map_err(|error| Error::internal(format!("the spec: {error}")))?;
    let mut hash = Sha256::new();
    hash.update(provider.as_str());
    hash.update([0]);
    hash.update(spec);
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What is to be made.
#[derive(Clone, Debug)]
pub struct CreateRequest {
    /// The id it will have.
    pub id: SandboxId,
    /// The operation that makes it.
    pub operation: OperationId,
    /// The kind of provider that will make it.
    pub provider: ProviderKind,
    /// What it is made from. Its name, labels, owner and ttl are taken from here, and values of secrets are left out.
    pub spec: SandboxSpec,
    /// This process, if it will own it.
    pub owner: Option<OwnerId>,
    /// The caller's own mark, in every event of the operation.
    pub correlation: Option<String>,
    /// The same key with the same request gives the same answer, and makes nothing again. 1 to 256 bytes.
    pub key: Option<String>,
    /// With a name that is taken: give what has it, and do not refuse.
    pub get: bool,
    /// The volumes it uses; each must be there and ready.
    pub volumes: Vec<VolumeId>,
    /// How it minds the limits of the machine.
    pub admission: Admission,
    /// Sandboxes just like it that are made along with it, each with the operation that makes it; none by default. There must be
    /// room for all of them, and the intents of all are written at once.
    pub others: Vec<(SandboxId, OperationId)>,
    /// The pool that will keep it ready.
    pub pool: Option<String>,
}

impl CreateRequest {
    /// A request of which nothing more is wanted.
    pub fn new(provider: ProviderKind, spec: SandboxSpec) -> Self {
        Self {
            id: SandboxId::generate(),
            operation: OperationId::generate(),
            provider,
            spec,
            owner: None,
            correlation: None,
            key: None,
            get: false,
            volumes: Vec::new(),
            admission: Admission::Unchecked,
            others: Vec::new(),
            pool: None,
        }
    }
}

/// What came of [`crate::Store::begin_create`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Created {
    /// The intent is written: make it, then confirm or fail the operation.
    Begun {
        /// The sandbox, creating.
        sandbox: Box<SandboxEntry>,
        /// The operation, running.
        operation: Box<OperationEntry>,
    },
    /// The name is taken by this one, and that is fine. It may still be creating.
    Exists {
        /// Which.
        sandbox: Box<SandboxEntry>,
    },
    /// The same request came before.
    Earlier {
        /// What became of it so far.
        operation: Box<OperationEntry>,
        /// Its sandbox, while its record is kept.
        sandbox: Option<Box<SandboxEntry>>,
    },
    /// There is no room, and a ticket is written: ask again with the same request when [`crate::Store::standing`] says so.
    /// The ticket goes when the request begins; take it back with [`crate::Store::leave_queue`] when anything else comes of
    /// it.
    Queued {
        /// The request.
        request: Box<CreateRequest>,
        /// What it waits for.
        held: Held,
    },
}

/// How a sandbox that a pool kept ready is handed out.
#[derive(Clone, Debug)]
pub struct Handout {
    /// Which.
    pub sandbox: SandboxId,
    /// What it counts as from now on. Its name, labels, owner and ttl are taken from here, and values of secrets are left
    /// out.
    pub spec: SandboxSpec,
    /// The process that it will belong to.
    pub owner: Option<OwnerId>,
}

/// A move of a sandbox to another state.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The states it may be in now; every one that allows the move when empty.
    pub from: Vec<State>,
    /// The state it will be in.
    pub to: State,
    /// On whose behalf, for the refusal.
    pub action: Action,
    /// The version that the caller saw; anything when absent.
    pub version: Option<u64>,
    /// Why, when it moves to `error`.
    pub error: Option<Report>,
}

impl Transition {
    /// A move to a state, whatever the state is now.
    pub fn to(to: State, action: Action) -> Self {
        Self { from: Vec::new(), to, action, version: None, error: None }
    }
}

/// What changes of a sandbox beside its state. What is absent stays.
#[derive(Clone, Debug, Default)]
pub struct SandboxChange {
    /// All its labels.
    pub labels: Option<Labels>,
    /// The end of its lifetime; `Some(None)` is never.
    pub expires_at: Option<Option<Timestamp>>,
    /// Whose it is; `Some(None)` is nobody's.
    pub owner: Option<Option<OwnerId>>,
    /// Whether it lives on without its owner.
    pub detached: Option<bool>,
    /// What the provider needs to find it.
    pub record: Option<SandboxRecord>,
    /// The version that the caller saw: `conflict` when there is another. Anything when absent.
    pub version: Option<u64>,
}

/// Which sandboxes to list; all that are not deleted by default.
#[derive(Clone, Debug, Default)]
pub struct SandboxFilter {
    /// Labels that all must match.
    pub labels: Labels,
    /// States of which one must match; all but `deleted` when empty.
    pub states: Vec<State>,
    /// The kind of provider.
    pub provider: Option<ProviderKind>,
    /// The owner.
    pub owner: Option<OwnerId>,
    /// Deleted ones too, as far as their records are kept.
    pub deleted: bool,
    /// Only those that need looking after: whose owner has ended and that are not detached, those that something is done to by a
    /// process that has ended, and those whose deletion was given up before it was done.
    pub abandoned: bool,
    /// Only those whose ttl ends before this.
    pub expires_before: Option<Timestamp>,
}

/// Which part of a list.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Behind this one; from the oldest when absent.
    pub after: Option<SandboxId>,
    /// The most to give, 1 to [`Page::MAX`].
    pub limit: usize,
}

impl Page {
    /// The most that one page has.
    pub const MAX: usize = 10_000;

    /// The first page of the largest size.
    pub fn first() -> Self {
        Self { after: None, limit: Self::MAX }
    }

    /// The limit for SQL: `limit_exceeded` beyond the largest.
    pub(crate) fn checked(&self) -> Result<i64> {
        limit(self.limit)
    }
}

/// A limit for SQL.
pub(crate) fn limit(limit: usize) -> Result<i64> {
    match i64::try_from(limit) {
        Ok(0) => Err(Error::invalid_spec("limit", "must be at least 1")),
        Ok(limit) if limit <= Page::MAX as i64 => Ok(limit),
        _ => Err(Error::new(ErrorCode::LimitExceeded, format!("limit must be at most {}", Page::MAX))),
    }
}
