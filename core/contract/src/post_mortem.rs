//! How a sandbox died when nobody asked it to. Kept by the control plane after the sandbox is gone.

use crate::error::Fault;
use crate::event::Denial;
use crate::ids::{ExecId, SandboxId};
use crate::time::Timestamp;
use crate::words::words;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::fmt;

words! {
    /// Why a sandbox ended.
    pub enum DeathCause {
        /// The memory limit of the sandbox was reached.
        Oom = "oom",
        /// The machine or cluster took its place away.
        Evicted = "evicted",
        /// Somebody removed it behind isobox's back.
        RemovedExternally = "removed_externally",
        /// The engine went away and took it along.
        EngineDown = "engine_down",
        /// The agent in it ended without reason.
        AgentCrashed = "agent_crashed",
        /// A lifetime ran out.
        Expired = "expired",
        /// The owning process ended.
        OwnerLost = "owner_lost",
        /// The main program of the image ended.
        Exited = "exited",
        /// Its disk was full, and it could not go on.
        OutOfDisk = "out_of_disk",
        /// Nothing says why.
        Unknown = "unknown",
    }
    unknown Unknown
}

impl DeathCause {
    /// Whose failure it is.
    pub const fn fault(self) -> Fault {
        match self {
            DeathCause::Oom | DeathCause::Exited | DeathCause::OutOfDisk => Fault::Program,
            DeathCause::Expired | DeathCause::OwnerLost => Fault::Caller,
            DeathCause::Evicted
            | DeathCause::RemovedExternally
            | DeathCause::EngineDown
            | DeathCause::AgentCrashed
            | DeathCause::Unknown => Fault::Infrastructure,
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            DeathCause::Oom => "it reached its memory limit",
            DeathCause::Evicted => "it was evicted from its machine",
            DeathCause::RemovedExternally => "it was removed from outside",
            DeathCause::EngineDown => "its engine went down",
            DeathCause::AgentCrashed => "its agent ended unexpectedly",
            DeathCause::Expired => "its lifetime ran out",
            DeathCause::OwnerLost => "the process that owned it ended",
            DeathCause::Exited => "its main program ended",
            DeathCause::OutOfDisk => "its disk was full",
            DeathCause::Unknown => "the cause is not known",
        }
    }
}

/// What is known about the end of a sandbox.
#[derive(Clone, Serialize, Deserialize)]
pub struct PostMortem {
    /// The sandbox.
    pub sandbox: SandboxId,
    /// Why it ended.
    pub cause: DeathCause,
    /// When it ended, or when that was noticed.
    pub at: Timestamp,
    /// More words of the provider, such as an eviction message; at most 1,000 bytes.
    #[serde(default)]
    pub reason: Option<String>,
    /// The exit code of the sandbox's main process.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// The signal that ended the main process.
    #[serde(default)]
    pub signal: Option<i32>,
    /// The memory limit, in bytes.
    #[serde(default)]
    pub memory_limit: Option<u64>,
    /// The most memory used, in bytes.
    #[serde(default)]
    pub peak_memory: Option<u64>,
    /// What was running.
    #[serde(default)]
    pub running: Vec<ExecId>,
    /// The last output, at most [`Self::MAX_OUTPUT`] bytes. Not in `Debug`, not in any message.
    #[serde(default, with = "crate::path::bytes_or_text")]
    pub last_output: Bytes,
    /// The last connections that the policy refused, oldest first, at most [`Self::MAX_DENIALS`].
    #[serde(default)]
    pub denials: Vec<Denial>,
}

impl PostMortem {
    /// The most bytes of last output.
    pub const MAX_OUTPUT: usize = 8 * 1024;
    /// The most denials.
    pub const MAX_DENIALS: usize = 32;

    /// A post-mortem of which only the cause is known.
    pub fn new(sandbox: SandboxId, cause: DeathCause, at: Timestamp) -> Self {
        Self {
            sandbox,
            cause,
            at,
            reason: None,
            exit_code: None,
            signal: None,
            memory_limit: None,
            peak_memory: None,
            running: Vec::new(),
            last_output: Bytes::new(),
            denials: Vec::new(),
        }
    }

    /// One clause for a message: the cause, and for memory the numbers.
    pub fn summary(&self) -> String {
        let sentence = self.cause.sentence();
        match (self.cause, self.memory_limit, self.peak_memory) {
            (DeathCause::Oom, Some(limit), Some(peak)) => {
                format!("{sentence} of {limit} bytes, with a peak of {peak}")
            }
            (DeathCause::Oom, Some(limit), None) => format!("{sentence} of {limit} bytes"),
            _ => sentence.to_owned(),
        }
    }
}

impl fmt::Debug for PostMortem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostMortem")
            .field("sandbox", &self.sandbox)
            .field("cause", &self.cause)
            .field("at", &self.at)
            .field("exit_code", &self.exit_code)
            .field("signal", &self.signal)
            .field("memory_limit", &self.memory_limit)
            .field("peak_memory", &self.peak_memory)
            .field("running", &self.running)
            .field("last_output_bytes", &self.last_output.len())
            .field("denials", &self.denials.len())
            .finish_non_exhaustive()
    }
}
