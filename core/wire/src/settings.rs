//! What the agent is told when it starts.

use crate::Blob;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The agent's settings. They reach it over a private channel, never through its command line or environment.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The client's build id; the agent refuses to start when it is not its own.
    pub build: String,
    /// The secret that every client has to show.
    pub token: Blob,
    /// The environment of every command.
    pub env: Vec<(Blob, Blob)>,
    /// Who commands run as unless they say otherwise.
    pub user: Option<String>,
    /// Where commands run unless they say otherwise; `/` when absent.
    pub workdir: Option<Blob>,
    /// Whether [`workdir`](Self::workdir) is made, as root with the mode 0755, when it is checked and is not there.
    pub make_workdir: bool,
    /// Where files go that nobody chose a place for, such as output that does not fit; `/tmp` when absent.
    pub temporary: Option<Blob>,
    /// What the place is.
    pub place: Place,
    /// How long the sandbox outlives its owner's connection; `None` when it is detached.
    pub lease: Option<Duration>,
    /// The abstract name, in the network namespace of the agent, that programs beside the sandbox hold on to: they end when the agent
    /// does. None when there are none.
    pub lifeline: Option<String>,
    /// How long it lives.
    pub ttl: Option<Duration>,
    /// How long it may be idle.
    pub idle_timeout: Option<Duration>,
    /// Exit codes with which it does not end: it freezes its commands, and the ttl and the idle timeout rest until somebody
    /// touches it. It needs the freezer for that, and ends where that fails.
    pub pause_after: Vec<u8>,
}

/// What kind of place the agent runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// A sandbox of its own: the agent is PID 1 and everything in sight is the sandbox's.
    Sandbox,
    /// The same in a container of an engine, which asks the agent to stop by TERM.
    Container,
    /// The bare host: the agent supervises its own trees and nothing else.
    Host,
}

impl std::fmt::Debug for Settings {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Settings").field("place", &self.place).field("user", &self.user).finish_non_exhaustive()
    }
}

/// Exit codes of the agent: why it ended.
pub mod ended {
    /// It was asked to.
    pub const SHUTDOWN: u8 = 0;
    /// It could not start.
    pub const FAILED: u8 = 1;
    /// Its owner was gone for longer than the lease.
    pub const OWNER_LOST: u8 = 10;
    /// Its ttl was over.
    pub const EXPIRED: u8 = 11;
    /// It was idle for too long.
    pub const IDLE: u8 = 12;
    /// The limit of memory ended it. The keeper's word: what was killed has none.
    pub const OUT_OF_MEMORY: u8 = 13;
    /// It was asked to, and what it has written stays.
    pub const STOPPED: u8 = 14;
}
