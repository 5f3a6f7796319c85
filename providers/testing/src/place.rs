//! One sandbox, whoever holds a handle of it.
//!
//! ```text
//!   running ◀──▶ paused        stop, or a lifetime ──▶ stopped ──▶ start ──▶ running
//!      └──── delete ──▶ deleted       └──── a script, a fault, a lifetime ──▶ died, with a post-mortem
//! ```
//!
//! Locks: that of a sandbox may be taken while that of a command is held, never the other way round.

use crate::clock::AlarmId;
use crate::disk::{Author, Disk, Key};
use crate::exec::Running;
use crate::files::TestFiles;
use crate::fleet::Fleet;
use crate::ports::Listeners;
use crate::sync::locked;
use isobox_contract::{
    Action, Capabilities, Error, EventKind, EventSink, ExecId, ExternalId, Labels, Lifetimes, NetworkPolicy,
    PostMortem, Resources, Result, SandboxId, SandboxImage, SandboxPath, SandboxSpec, State,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::sync::watch;

/// The most commands that have ended and are still known.
const REMEMBERED: usize = 1024;

pub(crate) struct Place {
    pub(crate) fleet: Arc<Fleet>,
    pub(crate) id: SandboxId,
    /// Which one of its fleet it is, from 1.
    pub(crate) number: u64,
    pub(crate) external: ExternalId,
    pub(crate) name: Option<String>,
    pub(crate) spec: SandboxSpec,
    pub(crate) image: Option<SandboxImage>,
    pub(crate) capabilities: Capabilities,
    pub(crate) disk: Disk,
    pub(crate) workdir: SandboxPath,
    pub(crate) workdir_key: Key,
    pub(crate) user: (u32, u32),
    pub(crate) env: BTreeMap<Vec<u8>, Vec<u8>>,
    /// When it was made, by the clock.
    pub(crate) created: Duration,
    pub(crate) listeners: Listeners,
    pub(super) state: Mutex<PlaceState>,
    pub(super) changed: watch::Sender<()>,
    pub(super) sink: OnceLock<Arc<dyn EventSink>>,
}

pub(super) struct PlaceState {
    pub(super) life: Life,
    pub(super) labels: Labels,
    pub(super) network: NetworkPolicy,
    pub(super) resources: Resources,
    pub(super) lifetimes: Lifetimes,
    pub(super) detached: bool,
    /// Somebody has made himself its owner.
    pub(super) adopted: bool,
    /// When it was last used, by the clock.
    pub(super) used: Duration,
    pub(super) ttl: Option<AlarmId>,
    pub(super) idle: Option<AlarmId>,
    pub(super) commands: Vec<Arc<Running>>,
    pub(super) pids: u32,
}

/// What it is doing.
#[derive(Clone)]
pub(crate) enum Life {
    Running,
    Paused,
    Stopped,
    Deleted,
    Died(Box<PostMortem>),
}

impl Life {
    pub(crate) fn state(&self) -> State {
        match self {
            Life::Running => State::Running,
            Life::Paused => State::Paused,
            Life::Stopped => State::Stopped,
            Life::Deleted => State::Deleted,
            Life::Died(_) => State::Error,
        }
    }

    /// Why nothing can be asked of it any more.
    pub(crate) fn gone(&self) -> Option<Error> {
        match self {
            Life::Deleted => Some(Error::new(isobox_contract::ErrorCode::SandboxGone, "the sandbox was deleted")),
            Life::Died(post_mortem) => Some(Error::sandbox_gone((**post_mortem).clone())),
            _ => None,
        }
    }
}

impl PlaceState {
    pub(super) fn new(spec: &SandboxSpec, used: Duration) -> Self {
        Self {
            life: Life::Running,
            labels: spec.labels.clone(),
            network: spec.network.clone(),
            resources: spec.resources,
            lifetimes: spec.lifetimes,
            detached: spec.owner == isobox_contract::Owner::Detached,
            adopted: false,
            used,
            ttl: None,
            idle: None,
            commands: Vec::new(),
            pids: 1,
        }
    }
}

impl Place {
    /// Fails when this cannot be asked of it now.
    pub(crate) fn alive(&self, action: Action) -> Result<()> {
        let life = self.life();
        if let Some(gone) = life.gone() {
            return Err(gone.with_sandbox(&self.id));
        }
        let state = life.state();
        let stopped = action == Action::Files
            && state == State::Stopped
            && !self.capabilities.has(isobox_contract::Capability::FilesStopped);
        if state.can(action) && !stopped { Ok(()) } else { Err(Error::invalid_state(state, action)) }
    }

    pub(crate) fn life(&self) -> Life {
        locked(&self.state).life.clone()
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.life().gone().is_some()
    }

    pub(crate) fn workdir(&self) -> &SandboxPath {
        &self.workdir
    }

    pub(crate) fn network(&self) -> NetworkPolicy {
        locked(&self.state).network.clone()
    }

    /// What every command of it has.
    pub(crate) fn environment(&self) -> BTreeMap<Vec<u8>, Vec<u8>> {
        self.env.clone()
    }

    /// Who makes files in it now.
    pub(crate) fn author(&self) -> Author {
        Author { uid: self.user.0, gid: self.user.1, now: self.fleet.clock.now() }
    }

    pub(crate) fn files_at_path(self: &Arc<Self>, directory: SandboxPath) -> TestFiles {
        TestFiles::new(self.clone(), directory)
    }

    /// What operations on it are about.
    pub(crate) fn about(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.id.to_string())
    }

    /// Tells whoever observes it.
    pub(crate) fn tell(&self, event: EventKind) {
        if let Some(sink) = self.sink.get() {
            sink.emit_at(self.fleet.clock.now(), event);
        }
    }

    /// Every command that runs, and those that ended lately.
    pub(crate) fn commands(&self) -> Vec<Arc<Running>> {
        locked(&self.state).commands.clone()
    }

    pub(crate) fn command(&self, id: &ExecId) -> Option<Arc<Running>> {
        locked(&self.state).commands.iter().rev().find(|running| running.id == *id).cloned()
    }

    pub(crate) fn next_pid(&self) -> u32 {
        let mut state = locked(&self.state);
        state.pids += 1;
        state.pids
    }

    pub(crate) fn command_began(self: &Arc<Self>, running: &Arc<Running>) {
        let ended: Vec<_> = self.commands().into_iter().filter(|other| other.ended()).map(|other| other.id).collect();
        let mut state = locked(&self.state);
        if ended.len() > REMEMBERED {
            state.commands.retain(|other| other.id != ended[0]);
        }
        state.commands.push(running.clone());
        drop(state);
        self.used();
    }

    pub(crate) fn command_ended(self: &Arc<Self>, running: &Running) {
        let Some(end) = running.end_now() else { return };
        self.fleet.recording.ended(running.recorded, &end);
        let exit = end.unwrap_or_else(|_| isobox_contract::Exit {
            termination: isobox_contract::Termination::Unknown,
            ..isobox_contract::Exit::code(-1, Duration::ZERO)
        });
        if exit.oom_killed {
            let (limit, max) = (isobox_contract::event::LimitKind::Memory, locked(&self.state).resources.memory);
            self.tell(EventKind::LimitReached { limit, max, exec: Some(running.id) });
        }
        self.tell(EventKind::ExecExited { exec: running.id, exit });
        self.used();
    }
}
