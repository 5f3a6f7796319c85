//! Whether the limit of memory killed something of a command.
//!
//! The kernel counts what it kills for all commands of the sandbox together. So a kill belongs to the command that was the
//! only one to run when it happened, and otherwise to those that show it: the leader was killed by a signal that was not
//! ours, or a shell says so of its own child (137).

use super::table::Commands;
use crate::process::ExitStatus;
use rustix::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a shell exits with when KILL ended what it ran.
const SHELL_STATUS: i32 = 128 + libc::SIGKILL;

/// The kernel's account for the whole sandbox.
pub(crate) struct Account {
    events: OwnedFd,
    /// How many commands were ever started.
    started: AtomicU64,
}

/// The account as it was when a command began.
pub(super) struct Since {
    account: Arc<Account>,
    kills: u64,
    /// The number of this command, when nothing else ran.
    alone: Option<u64>,
}

impl Account {
    pub(crate) fn new(events: OwnedFd) -> Self {
        Self { events, started: AtomicU64::new(0) }
    }

    /// Begins to watch a command that is in the table already.
    pub(super) fn since_now(self: &Arc<Self>, commands: &Commands) -> Since {
        let number = self.started.fetch_add(1, Ordering::Relaxed) + 1;
        Since { account: self.clone(), kills: self.kills(), alone: (commands.running() == 1).then_some(number) }
    }

    fn kills(&self) -> u64 {
        let mut text = [0; 512];
        let length = rustix::io::pread(&self.events, &mut text, 0).unwrap_or(0);
        let text = std::str::from_utf8(&text[..length]).unwrap_or_default();
        text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.parse().ok()).unwrap_or(0)
    }
}

impl Since {
    /// Whether something of the command was killed, now that its leader has ended like this; `by_us` when that was our
    /// doing.
    pub(super) fn has_killed(&self, leader: ExitStatus, by_us: bool) -> bool {
        let shows = match leader {
            ExitStatus::Signal { signal, .. } => signal == libc::SIGKILL && !by_us,
            ExitStatus::Code(code) => code == SHELL_STATUS,
        };
        let alone = self.alone == Some(self.account.started.load(Ordering::Relaxed));
        (shows || alone) && self.account.kills() > self.kills
    }
}
