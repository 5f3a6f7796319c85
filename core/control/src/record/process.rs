//! Commands in sandboxes, without what they are.

use isobox_contract::{ExecId, Exit, SandboxId, Timestamp};

/// A command that runs or ran. What was executed, with what variables and what it wrote is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessEntry {
    /// Its id.
    pub id: ExecId,
    /// Its sandbox.
    pub sandbox: SandboxId,
    /// The caller's name for it.
    pub label: Option<String>,
    /// When it started.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// How it ended, when that is known.
    pub exit: Option<Exit>,
}
