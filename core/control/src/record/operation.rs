//! Operations: what was begun, and what came of it.

use super::{Admission, Held, SandboxEntry};
use isobox_contract::{
    Action, Error, OperationId, OwnerId, Report, Result, SandboxId, SandboxImage, SandboxRecord, State, Timestamp,
};
use serde_json::Value;

/// Something that was asked of a sandbox.
#[derive(Clone, Debug)]
pub struct OperationEntry {
    /// Its id.
    pub id: OperationId,
    /// What it does.
    pub action: Action,
    /// To which sandbox.
    pub sandbox: Option<SandboxId>,
    /// The caller's key, by which it is found again.
    pub key: Option<String>,
    /// What tells its request from others.
    pub fingerprint: String,
    /// The process that does it.
    pub owner: Option<OwnerId>,
    /// The caller's own mark.
    pub correlation: Option<String>,
    /// How far it is.
    pub state: OperationState,
    /// When it was begun.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// How far an operation is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum OperationState {
    /// It was begun. Whoever does it may be gone: see its owner.
    Running,
    /// It is done.
    Succeeded {
        /// What it gave; null when there is nothing to say.
        result: Value,
    },
    /// It failed.
    Failed {
        /// Why.
        error: Box<Report>,
    },
}

impl OperationState {
    /// Whether it has not ended.
    pub fn is_running(&self) -> bool {
        matches!(self, OperationState::Running)
    }

    /// The word in the store.
    pub fn as_str(&self) -> &'static str {
        match self {
            OperationState::Running => "running",
            OperationState::Succeeded { .. } => "succeeded",
            OperationState::Failed { .. } => "failed",
        }
    }
}

impl OperationEntry {
    /// What it gave: `None` while it runs, its error when it failed.
    pub fn outcome(&self) -> Result<Option<&Value>> {
        match &self.state {
            OperationState::Running => Ok(None),
            OperationState::Succeeded { result } => Ok(Some(result)),
            OperationState::Failed { error } => Err(Error::from((**error).clone())),
        }
    }
}

/// What is asked of a sandbox that there is.
#[derive(Clone, Debug)]
pub struct ActionRequest {
    /// The operation.
    pub operation: OperationId,
    /// Which sandbox.
    pub sandbox: SandboxId,
    /// What to do.
    pub action: Action,
    /// This process.
    pub owner: Option<OwnerId>,
    /// The caller's own mark.
    pub correlation: Option<String>,
    /// As for a create.
    pub key: Option<String>,
    /// The operation that was found running and whose process is dead: it is failed with `incomplete`, and this one takes
    /// its place.
    pub instead_of: Option<OperationId>,
    /// The version of the sandbox that the caller saw: `conflict` when there is another. Anything when absent.
    pub version: Option<u64>,
    /// How a start minds the limits of the machine.
    pub admission: Admission,
}

impl ActionRequest {
    /// A request of which nothing more is wanted.
    pub fn new(sandbox: SandboxId, action: Action) -> Self {
        Self {
            operation: OperationId::generate(),
            sandbox,
            action,
            owner: None,
            correlation: None,
            key: None,
            instead_of: None,
            version: None,
            admission: Admission::Unchecked,
        }
    }
}

/// What came of [`crate::Store::begin`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Begun {
    /// The intent is written: act, then confirm or fail the operation.
    Begun {
        /// The sandbox, in the state that the action puts it into.
        sandbox: Box<SandboxEntry>,
        /// The operation, running.
        operation: Box<OperationEntry>,
    },
    /// There is nothing to do: it is as wanted already.
    Done {
        /// The sandbox.
        sandbox: Box<SandboxEntry>,
    },
    /// Another operation has the sandbox: wait for its end, or take it over when its owner is dead.
    Busy {
        /// The operation that runs.
        operation: Box<OperationEntry>,
    },
    /// The same request came before.
    Earlier {
        /// What became of it so far.
        operation: Box<OperationEntry>,
    },
    /// There is no room to start it, as for a create.
    Queued {
        /// The request.
        request: Box<ActionRequest>,
        /// What it waits for.
        held: Held,
    },
}

/// How an operation succeeded.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The state that the sandbox is in now.
    pub state: State,
    /// What the provider needs to find it, when that is new.
    pub record: Option<SandboxRecord>,
    /// The image that it was made from, of a create from one.
    pub image: Option<SandboxImage>,
    /// What the operation gave. At most 64 KiB as JSON.
    pub result: Value,
}

impl Outcome {
    /// Nothing but the state is new.
    pub fn state(state: State) -> Self {
        Self { state, record: None, image: None, result: Value::Null }
    }
}

/// Which operations to list; all by default.
#[derive(Clone, Debug, Default)]
pub struct OperationFilter {
    /// Only those that have not ended.
    pub running: bool,
    /// Of this sandbox.
    pub sandbox: Option<SandboxId>,
    /// Of this process.
    pub owner: Option<OwnerId>,
}
