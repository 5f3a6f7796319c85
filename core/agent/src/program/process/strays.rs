//! The agent's own children that are no supervisors: what is left of trees whose supervisor was killed.
//!
//! A program may kill its supervisor when it runs as the same user. Its processes then become children of the agent, which is
//! pid 1 or a child-subreaper, and only such fugitives can: everything else has a supervisor. They are ended here.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::Pid;

use super::descend::{Source, proc_directory};
use super::ending::Sweep as Hunt;
use super::sys::{self, Waited};
use super::tree::{reap_supervisor, supervisors};

/// Rounds of ending and reaping in one call, so that the agent is never held up for long.
const ROUNDS: usize = 8;

/// Whether strays can exist, so that the usual call need not look for them.
static SUSPECTED: AtomicBool = AtomicBool::new(false);

/// What one call of [`reap_strays`] did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sweep {
    /// Processes that were reaped, supervisors included.
    pub(crate) reaped: usize,
    /// Strays that have been killed but not reaped yet. While there are any, call again at the next SIGCHLD and after
    /// at most a few milliseconds.
    pub(crate) alive: usize,
    /// Strays that run with another user's rights and cannot be ended.
    pub(crate) refused: usize,
}

/// Makes this process the one that orphans come to, and opens /proc before anything hostile can cover it. Call once at the
/// start of the agent.
pub(crate) fn become_reaper() -> std::io::Result<()> {
    proc_directory();
    let me = rustix::process::getpid();
    Ok(rustix::process::set_child_subreaper(Some(me))?)
}

/// Reaps every ended child, wakes supervisors that were stopped, and ends every stray with its descendants. Call at each SIGCHLD.
/// `known` names children of the agent that are not started by [`Launch`](super::Launch) and that somebody else reaps.
pub(crate) fn reap_strays(known: impl Fn(Pid) -> bool) -> Sweep {
    let known = |pid| Pid::from_raw(pid).is_some_and(&known);
    let mut supervisors = supervisors();
    let mut sweep = Sweep::default();
    reap(&mut supervisors, &known, &mut sweep);
    if !SUSPECTED.swap(false, Ordering::Relaxed) {
        return sweep;
    }
    let source = Source::new(proc_directory());
    for _ in 0..ROUNDS {
        // Not by group: in a container, a process that its engine has put in may be among the strays' sessions.
        let spare = |pid| supervisors.contains(&pid) || known(pid);
        let found = Hunt { source, spare, by_group: false }.run();
        reap(&mut supervisors, &known, &mut sweep);
        (sweep.alive, sweep.refused) = (found.killed, found.refused);
        if found.killed == 0 {
            break;
        }
    }
    SUSPECTED.store(sweep.alive + sweep.refused > 0, Ordering::Relaxed);
    sweep
}

/// Handles every child that has ended or stopped.
fn reap(supervisors: &mut BTreeSet<i32>, known: &impl Fn(i32) -> bool, sweep: &mut Sweep) {
    let mut others = false;
    while let Ok((pid, code)) = sys::peek(libc::P_ALL, 0, libc::WEXITED | libc::WSTOPPED) {
        if pid <= 0 {
            return;
        }
        if known(pid) && !supervisors.contains(&pid) {
            others = true;
            break;
        }
        settle(supervisors, pid, code == libc::CLD_STOPPED, sweep);
    }
    if others {
        // The kernel shows the same child first again and again, so the rest have to be asked for by name.
        Source::new(proc_directory()).walk(|pid| {
            if !known(pid) || supervisors.contains(&pid) {
                let stopped = matches!(sys::peek(libc::P_PID, pid, libc::WSTOPPED), Ok((stopped, _)) if stopped > 0);
                settle(supervisors, pid, stopped, sweep);
            }
            false
        });
    }
}

fn settle(supervisors: &mut BTreeSet<i32>, pid: i32, stopped: bool, sweep: &mut Sweep) {
    if stopped {
        sys::take_stop(pid);
        if supervisors.contains(&pid) {
            let _ = sys::kill(pid, libc::SIGCONT);
        }
        return;
    }
    let left_behind = if supervisors.contains(&pid) {
        reap_supervisor(supervisors, pid)
    } else {
        matches!(sys::reap(pid), Waited::Ended(..)).then_some(true)
    };
    if let Some(left_behind) = left_behind {
        sweep.reaped += 1;
        SUSPECTED.fetch_or(left_behind, Ordering::Relaxed);
    }
}
