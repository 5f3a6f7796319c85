//! What a sandbox is doing, and what may follow. Every move is one row of [`TRANSITIONS`]; nothing else moves a state.
//!
//! ```text
//!                  creating ──▶ starting ──▶ running ◀──▶ {forking, snapshotting, resizing}
//!                                  ▲          │  │ ▲
//!                                  │ stopping ◀  ▶ pausing ──▶ paused ──▶ resuming ──▶ running
//!                                  │    ▼                       │
//!     archived ◀── archiving ◀── stopped ◀──────────────────────┘ (stopping)
//!        └──▶ restoring ──▶ stopped, starting, running
//!
//!     every state but deleted ──▶ deleting ──▶ deleted (final)
//!     every state but deleted ──▶ deleted      (an observation: it is gone, with a post-mortem)
//!     every state but deleted ──▶ error        error ──▶ restoring (recover)
//!     every state but deleted ──▶ unknown      unknown ──▶ every state (an observation)
//! ```
//!
//! An undelete does not move a deleted sandbox: it begins its record anew, at restoring.
//!
//! States without an `-ing` end last until somebody acts; the others end by themselves, in success or in `error`.

use crate::words::words;

words! {
    /// What a sandbox is doing.
    pub enum State {
        /// Its parts are being made.
        Creating = "creating",
        /// It is being started.
        Starting = "starting",
        /// Commands can run.
        Running = "running",
        /// Everything in it is being ended.
        Stopping = "stopping",
        /// Nothing runs; the filesystem is kept.
        Stopped = "stopped",
        /// It is being frozen.
        Pausing = "pausing",
        /// Everything in it is frozen, memory included.
        Paused = "paused",
        /// It is being thawed.
        Resuming = "resuming",
        /// Its filesystem is being moved to cheap storage.
        Archiving = "archiving",
        /// Its filesystem is in cheap storage.
        Archived = "archived",
        /// It is being brought back from an archive, a deletion or an error.
        Restoring = "restoring",
        /// Its limits are being changed.
        Resizing = "resizing",
        /// It is being copied.
        Forking = "forking",
        /// A snapshot of it is being taken.
        Snapshotting = "snapshotting",
        /// It is being removed.
        Deleting = "deleting",
        /// It is gone; its record and post-mortem may remain.
        Deleted = "deleted",
        /// Something failed; it can be recovered where that is supported, or deleted.
        Error = "error",
        /// The provider does not answer, or has a word for it that is not known here.
        Unknown = "unknown",
    }
    unknown Unknown
}

words! {
    /// What is asked of a fleet, a sandbox, a snapshot or a volume.
    pub enum Action {
        /// Make it.
        Create = "create",
        /// Get a handle of it.
        Attach = "attach",
        /// Start it.
        Start = "start",
        /// Stop it.
        Stop = "stop",
        /// Remove it.
        Delete = "delete",
        /// Make a snapshot usable.
        Activate = "activate",
        /// Put a snapshot aside.
        Deactivate = "deactivate",
        /// Freeze it.
        Pause = "pause",
        /// Thaw it.
        Resume = "resume",
        /// Move it to cheap storage.
        Archive = "archive",
        /// Copy it.
        Fork = "fork",
        /// Change its limits.
        Resize = "resize",
        /// Take a snapshot.
        Snapshot = "snapshot",
        /// Repair it.
        Recover = "recover",
        /// Bring it back after deletion.
        Undelete = "undelete",
        /// Count it as used now.
        RefreshActivity = "refresh_activity",
        /// Change its lifetimes.
        SetLifetimes = "set_lifetimes",
        /// Replace its labels.
        SetLabels = "set_labels",
        /// Change its network policy.
        UpdateNetwork = "update_network",
        /// Let it live on without its owner.
        Detach = "detach",
        /// Run a command in it.
        Exec = "exec",
        /// Use its files.
        Files = "files",
        /// Reach a port, a terminal or a screen of it.
        Access = "access",
        /// Fetch an image.
        Pull = "pull",
        /// Build an image.
        Build = "build",
        /// An action of a newer peer.
        Unknown = "unknown",
    }
    unknown Unknown
}

use State::*;

/// Every move that is allowed, except those to `deleting`, `deleted`, `error` and `unknown`, which every state but
/// `deleted` has, and those from `unknown`, which are observations.
pub const TRANSITIONS: &[(State, &[State])] = &[
    (Creating, &[Starting, Running, Stopped, Paused]),
    (Starting, &[Running, Stopping, Stopped]),
    (Running, &[Stopping, Stopped, Pausing, Paused, Resizing, Forking, Snapshotting]),
    (Stopping, &[Stopped]),
    (Stopped, &[Starting, Running, Archiving, Restoring, Resizing, Forking, Snapshotting]),
    (Pausing, &[Paused, Running]),
    (Paused, &[Resuming, Running, Stopping, Stopped, Archiving, Forking, Snapshotting]),
    (Resuming, &[Running, Paused]),
    (Archiving, &[Archived, Stopped]),
    (Archived, &[Restoring, Starting]),
    (Restoring, &[Stopped, Starting, Running]),
    (Resizing, &[Running, Stopped]),
    (Forking, &[Running, Stopped, Paused]),
    (Snapshotting, &[Running, Stopped, Paused]),
    (Deleting, &[Deleted]),
    (Deleted, &[]),
    (Error, &[Restoring, Starting, Running, Stopped]),
    (Unknown, State::ALL),
];

impl State {
    /// The states that can directly follow, without the ones that every state has.
    fn successors(self) -> &'static [State] {
        TRANSITIONS.iter().find(|(from, _)| *from == self).map_or(&[], |(_, to)| to)
    }

    /// Whether `next` may directly follow. A state never follows itself.
    pub fn can_become(self, next: State) -> bool {
        if self == Deleted || self == next {
            return false;
        }
        matches!(next, Deleting | Deleted | Error | Unknown) || self.successors().contains(&next)
    }

    /// Whether the action may be asked for in this state. What is idempotent is allowed where it has nothing to do.
    pub fn can(self, action: Action) -> bool {
        match action {
            Action::Start => matches!(self, Stopped | Archived | Running | Starting | Paused | Unknown),
            Action::Stop => matches!(self, Running | Starting | Paused | Stopping | Stopped | Error | Unknown),
            Action::Delete => true,
            Action::Pause => matches!(self, Running | Pausing | Paused),
            Action::Resume => matches!(self, Paused | Resuming | Running),
            Action::Archive => matches!(self, Stopped | Paused | Archiving | Archived),
            Action::Fork | Action::Snapshot => matches!(self, Running | Stopped | Paused),
            Action::Resize => matches!(self, Running | Stopped),
            Action::Recover => self == Error,
            Action::Undelete => matches!(self, Deleting | Deleted),
            Action::Exec | Action::Access => self == Running,
            Action::Files => matches!(self, Running | Stopped),
            Action::RefreshActivity => matches!(self, Running | Starting | Resuming),
            Action::Attach => self != Deleted,
            Action::SetLifetimes | Action::SetLabels | Action::UpdateNetwork | Action::Detach => {
                !matches!(self, Deleting | Deleted)
            }
            Action::Create | Action::Activate | Action::Deactivate | Action::Pull | Action::Build | Action::Unknown => {
                false
            }
        }
    }

    /// The state that an action puts a sandbox into at once; `None` when it does not change it or is not possible.
    pub fn next(self, action: Action) -> Option<State> {
        let next = match action {
            Action::Start if self == Paused => Resuming,
            Action::Start if self == Archived => Restoring,
            Action::Start => Starting,
            Action::Stop => Stopping,
            Action::Delete => Deleting,
            Action::Pause => Pausing,
            Action::Resume => Resuming,
            Action::Archive => Archiving,
            Action::Fork => Forking,
            Action::Snapshot => Snapshotting,
            Action::Resize => Resizing,
            Action::Recover => Restoring,
            _ => return None,
        };
        let idle = matches!(
            (action, self),
            (Action::Start, Running) | (Action::Stop, Stopped) | (Action::Pause, Paused) | (Action::Resume, Running)
        );
        (self.can(action) && !idle && self.can_become(next)).then_some(next)
    }

    /// Whether the state lasts until somebody acts: running, stopped, paused, archived, deleted or error.
    pub const fn is_stable(self) -> bool {
        matches!(self, Running | Stopped | Paused | Archived | Deleted | Error)
    }

    /// Whether nothing can follow.
    pub const fn is_final(self) -> bool {
        matches!(self, Deleted)
    }

    /// Whether the sandbox uses the machine: it counts against limits of live sandboxes.
    pub const fn is_live(self) -> bool {
        !matches!(self, Stopped | Archived | Deleted | Error | Unknown)
    }

    /// Whether a wait for `wanted` is over. A deleted sandbox also satisfies a wait for a stopped one.
    pub fn satisfies(self, wanted: State) -> bool {
        self == wanted || (wanted == Stopped && self == Deleted)
    }
}
