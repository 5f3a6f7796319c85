//! The agent's handle of one running command and everything that it started.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::Pid;

use super::error::{Naming, StartError};
use super::message::{Notice, Order, Scope, Usage};
use super::sys::{self, Waited};

/// How long ending a tree may take unless the caller says otherwise.
pub(super) const END_WITHIN: Duration = Duration::from_secs(10);

static SUPERVISORS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// The supervisors that have not been reaped. The lock is held across fork and across reaping, so a pid in the set is
/// always that of our own child.
pub(super) fn supervisors() -> MutexGuard<'static, BTreeSet<i32>> {
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a process ended. 137 and signal 9 are not the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// It exited with this code.
    Code(i32),
    /// It was killed by this signal.
    Signal {
        /// The signal's number.
        signal: i32,
        /// Whether it left a core dump.
        core_dumped: bool,
    },
}

impl ExitStatus {
    fn from_wait(status: i32) -> Self {
        if libc::WIFSIGNALED(status) {
            Self::Signal { signal: libc::WTERMSIG(status), core_dumped: libc::WCOREDUMP(status) }
        } else {
            Self::Code(libc::WEXITSTATUS(status))
        }
    }
}

/// What has become of a tree, in the order in which it happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Report {
    /// The program is executing.
    Started {
        /// The process id of the leader.
        leader: Pid,
    },
    /// The program could not be executed and nothing of it remains. The last report.
    Failed(StartError),
    /// The leader has ended; others may live on.
    LeaderExited {
        /// How it ended.
        status: ExitStatus,
        /// What it used, with all the others that had ended by then.
        usage: Usage,
    },
    /// Nothing runs any more. The last report.
    Empty {
        /// What the whole tree has used.
        usage: Usage,
        /// Processes that could not be ended within the time, because they run with another user's rights or hang in the kernel.
        unkillable: u32,
    },
    /// The supervisor was killed, so what is left of the tree has come to the agent: call
    /// [`reap_strays`](super::reap_strays). The last report.
    Lost,
}

/// A running command with all its descendants. Dropping it ends them, in the background.
#[derive(Debug)]
pub(crate) struct Tree {
    control: OwnedFd,
    supervisor: Pid,
    naming: Naming,
    ended: bool,
}

impl Tree {
    pub(super) fn new(control: OwnedFd, supervisor: Pid, naming: Naming) -> Self {
        Self { control, supervisor, naming, ended: false }
    }

    /// The process that stands between the agent and the command.
    pub(crate) fn supervisor(&self) -> Pid {
        self.supervisor
    }

    /// The next report, or `None` when there is none yet. Never waits; the descriptor of [`AsFd`] is readable when there is one. After
    /// a last report there are no more.
    pub(crate) fn try_report(&mut self) -> io::Result<Option<Report>> {
        if self.ended {
            return Ok(None);
        }
        let report = match Notice::receive(self.control.as_fd()) {
            Err(Errno::AGAIN) => return Ok(None),
            Err(errno) => return Err(errno.into()),
            Ok(None) => Report::Lost,
            Ok(Some(Notice::Failed(failure))) => Report::Failed(self.naming.explain(failure)),
            Ok(Some(Notice::Empty(unkillable, usage))) => Report::Empty { usage, unkillable },
            Ok(Some(Notice::Exited(status, usage))) => {
                return Ok(Some(Report::LeaderExited { status: ExitStatus::from_wait(status), usage }));
            }
            Ok(Some(Notice::Started(leader))) => {
                let leader = Pid::from_raw(leader).expect("the parser takes positive pids only");
                return Ok(Some(Report::Started { leader }));
            }
        };
        self.ended = true;
        Ok(Some(report))
    }

    /// Sends one signal to the leader, if it has not ended.
    pub(crate) fn signal_leader(&self, signal: i32) -> io::Result<()> {
        self.order(Order::Signal(Scope::Leader, signal))
    }

    /// Sends one signal to the leader's process group, also after the leader has ended.
    #[cfg(test)]
    pub(crate) fn signal_group(&self, signal: i32) -> io::Result<()> {
        self.order(Order::Signal(Scope::Group, signal))
    }

    /// Sends one signal to every process of the tree, once each.
    pub(crate) fn signal_tree(&self, signal: i32) -> io::Result<()> {
        self.order(Order::Signal(Scope::Tree, signal))
    }

    /// Ends every process of the tree within ten seconds; [`Report::Empty`] says when it is done.
    pub(crate) fn kill(&self) -> io::Result<()> {
        self.kill_within(END_WITHIN)
    }

    /// As [`kill`](Self::kill), but gives up and reports what is left after `within`.
    pub(crate) fn kill_within(&self, within: Duration) -> io::Result<()> {
        let sent = self.order(Order::Kill(within));
        // The tree's own programs may have stopped the supervisor.
        self.signal_supervisor(libc::SIGCONT);
        sent
    }

    /// Kills the supervisor, for when it does not answer. Its tree comes to the agent, where
    /// [`reap_strays`](super::reap_strays) ends it.
    pub(crate) fn kill_supervisor(&self) {
        self.signal_supervisor(libc::SIGKILL);
    }

    fn signal_supervisor(&self, signal: i32) {
        let pid = self.supervisor.as_raw_nonzero().get();
        if supervisors().contains(&pid) {
            let _ = sys::kill(pid, signal);
        }
    }

    fn order(&self, order: Order) -> io::Result<()> {
        match order.send(self.control.as_fd()) {
            // It has ended, and what it said last is still to be read.
            Err(Errno::PIPE | Errno::CONNRESET) => Ok(()),
            result => Ok(result?),
        }
    }
}

impl AsRawFd for Tree {
    fn as_raw_fd(&self) -> RawFd {
        self.control.as_raw_fd()
    }
}

impl AsFd for Tree {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.control.as_fd()
    }
}

/// Reaps the supervisor `pid` if it has ended; the answer is whether it left processes behind.
pub(super) fn reap_supervisor(supervisors: &mut BTreeSet<i32>, pid: i32) -> Option<bool> {
    match sys::reap(pid) {
        Waited::Ended(_, status) => {
            supervisors.remove(&pid);
            Some(status != 0)
        }
        Waited::None => None,
        Waited::NoChildren => {
            supervisors.remove(&pid);
            Some(true)
        }
    }
}
