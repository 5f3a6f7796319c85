//! What a sandbox is doing, and how it died.

use super::Denial;
use crate::Text;
use crate::cross::{record, words};
use std::time::SystemTime;

/// What a sandbox is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is being made.
    Creating,
    /// It is being started.
    Starting,
    /// It accepts commands.
    Running,
    /// It is being stopped.
    Stopping,
    /// It is stopped; its files are kept.
    Stopped,
    /// It is being frozen.
    Pausing,
    /// It is frozen; its memory is kept.
    Paused,
    /// It is being thawed.
    Resuming,
    /// It is being archived.
    Archiving,
    /// It is archived.
    Archived,
    /// It is being brought back.
    Restoring,
    /// Its limits are being changed.
    Resizing,
    /// A copy of it is being made.
    Forking,
    /// A snapshot of it is being made.
    Snapshotting,
    /// It is being removed.
    Deleting,
    /// It is gone.
    Deleted,
    /// Something failed.
    Error,
    /// Nobody can tell.
    Unknown,
}

words!(State, isobox::State {
    Creating, Starting, Running, Stopping, Stopped, Pausing, Paused, Resuming, Archiving, Archived, Restoring, Resizing,
    Forking, Snapshotting, Deleting, Deleted, Error, Unknown,
} else Unknown);

/// What is done to a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is made.
    Create,
    /// A handle of it is made.
    Attach,
    /// It is started.
    Start,
    /// It is stopped.
    Stop,
    /// It is removed.
    Delete,
    /// It is made usable.
    Activate,
    /// It is put aside.
    Deactivate,
    /// It is frozen.
    Pause,
    /// It is thawed.
    Resume,
    /// It is archived.
    Archive,
    /// It is copied.
    Fork,
    /// Its limits are changed.
    Resize,
    /// A snapshot of it is taken.
    Snapshot,
    /// It is brought back from an error.
    Recover,
    /// Its removal is taken back.
    Undelete,
    /// It counts as used.
    RefreshActivity,
    /// Its lifetimes are changed.
    SetLifetimes,
    /// Its labels are changed.
    SetLabels,
    /// What it may reach is changed.
    UpdateNetwork,
    /// It lives on without its process.
    Detach,
    /// A command is run.
    Exec,
    /// Its files are used.
    Files,
    /// It is reached from outside.
    Access,
    /// An image is fetched.
    Pull,
    /// An image is built.
    Build,
    /// Something else.
    Unknown,
}

words!(Action, isobox::Action {
    Create, Attach, Start, Stop, Delete, Activate, Deactivate, Pause, Resume, Archive, Fork, Resize, Snapshot, Recover,
    Undelete, RefreshActivity, SetLifetimes, SetLabels, UpdateNetwork, Detach, Exec, Files, Access, Pull, Build, Unknown,
} else Unknown);

/// What happens at the end of a lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// The sandbox is removed.
    Delete,
    /// It is stopped; its files are kept.
    Stop,
    /// It is frozen; its memory is kept.
    Pause,
}

words!(Expiry, isobox::Expiry { Delete, Stop, Pause } else Delete);

/// What separates a sandbox from the machine, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Nothing.
    None,
    /// Restrictions on ordinary processes.
    Process,
    /// Namespaces and a filter of system calls, on the machine's own kernel.
    Container,
    /// A kernel in user space between it and the machine's own.
    Gvisor,
    /// A virtual machine with its own kernel.
    Vm,
}

words!(Isolation, isobox::Isolation { None, Process, Container, Gvisor, Vm } else None);

/// Why a sandbox ended when nobody asked it to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeathCause {
    /// It reached its memory limit.
    Oom,
    /// The machine or cluster took its place away.
    Evicted,
    /// Somebody removed it from outside.
    RemovedExternally,
    /// Its engine went away and took it along.
    EngineDown,
    /// The agent in it ended without reason.
    AgentCrashed,
    /// A lifetime ran out.
    Expired,
    /// The process that owned it ended.
    OwnerLost,
    /// The main program of its image ended.
    Exited,
    /// Its disk was full, and it could not go on.
    OutOfDisk,
    /// Nothing says why.
    Unknown,
}

words!(DeathCause, isobox::DeathCause {
    Oom, Evicted, RemovedExternally, EngineDown, AgentCrashed, Expired, OwnerLost, Exited, OutOfDisk, Unknown,
} else Unknown);

/// What is known about the end of a sandbox that nobody asked for. It is kept after the sandbox is gone.
#[derive(Clone, Debug)]
pub struct PostMortem {
    /// The sandbox.
    pub sandbox: String,
    /// Why it ended.
    pub cause: DeathCause,
    /// When it ended, or when that was noticed.
    pub at: SystemTime,
    /// More words of the provider, such as an eviction message.
    pub reason: Option<String>,
    /// The exit code of the sandbox's main process.
    pub exit_code: Option<i32>,
    /// The signal that ended the main process.
    pub signal: Option<i32>,
    /// The memory limit, in bytes.
    pub memory_limit: Option<u64>,
    /// The most memory used, in bytes.
    pub peak_memory: Option<u64>,
    /// The ids of the commands that ran.
    pub running: Vec<String>,
    /// The last output, at most 8 KiB.
    pub last_output: Text,
    /// The last connections that the policy refused, oldest first, at most 32.
    pub denials: Vec<Denial>,
}

record!(PostMortem from isobox::PostMortem {
    sandbox, cause, at, reason, exit_code, signal, memory_limit, peak_memory, running, last_output, denials,
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::Words;

    #[test]
    fn every_word_has_its_variant() {
        for lost in [State::lost(), Action::lost(), Expiry::lost(), Isolation::lost(), DeathCause::lost()] {
            assert!(lost.is_empty(), "{lost:?}");
        }
    }
}
