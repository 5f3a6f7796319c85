//! Ends every process below this one.
//!
//! ```text
//! ┌─> stop: walk and SIGSTOP until a walk meets nobody new ─> SIGKILL ─> reap ─> no children: done
//! └──── wait for a child to end, or a few milliseconds <── children left ──┘
//! ```
//!
//! Killing alone loses against a program that forks faster than it can be found, and every kill at its limit of processes
//! makes room for one more. A stopped process neither forks nor makes room, so the stopping comes first. Stopping alone loses
//! against a program that continues its siblings, so it is bounded, and the killing follows in any case. Both go to whole
//! process groups where they can, because the kernel lets no fork slip through a signal to a group.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use libc::{SIGKILL, SIGSTOP, c_int, pid_t};
use rustix::io::Errno;

use super::descend::{Source, group_of, session_of};
use super::sys::{self, Waited};

/// How many walks stop processes before the killing starts.
const STOP_WALKS: usize = 8;
/// How long processes that only root may signal get to end by themselves once all the others are gone.
const REFUSED_PATIENCE: Duration = Duration::from_millis(500);
/// The pids after a child's own that its successors most likely have.
const SUCCESSORS: pid_t = 64;

/// What one sweep over the descendants met.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Found {
    /// Processes that take our signals.
    pub(super) killed: usize,
    /// Processes that run with another user's rights.
    pub(super) refused: usize,
}

/// One hunt for the descendants that are not spared.
pub(super) struct Sweep<'a, F> {
    pub(super) source: Source<'a>,
    /// Descendants to leave alone, with everything under them.
    pub(super) spare: F,
    /// Whether the group of a descendant in another session than ours is made of descendants only. So it is below a
    /// supervisor, because leaders start sessions of their own, and then one call reaches hundreds of processes at one instant.
    pub(super) by_group: bool,
}

impl<F: Fn(pid_t) -> bool> Sweep<'_, F> {
    /// Stops, then kills, every descendant that is met.
    pub(super) fn run(&self) -> Found {
        let groups = self.stop();
        for group in groups {
            let _ = sys::kill(-group, SIGKILL);
        }
        self.kill()
    }

    /// Stops everybody, and answers the process groups that are met.
    fn stop(&self) -> BTreeSet<pid_t> {
        let (mut seen, mut groups) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..STOP_WALKS {
            let before = seen.len();
            self.source.walk(|pid| {
                let ours = !(self.spare)(pid);
                if ours {
                    if let Some(group) = self.group_to_stop(pid).filter(|group| groups.insert(*group)) {
                        let _ = sys::kill(-group, SIGSTOP);
                    }
                    let _ = sys::kill(pid, SIGSTOP);
                    seen.insert(pid);
                }
                ours
            });
            if seen.len() == before {
                break;
            }
        }
        groups
    }

    fn group_to_stop(&self, pid: pid_t) -> Option<pid_t> {
        let foreign = self.by_group && session_of(pid)? != session_of(0)?;
        // To `kill`, 0 is the caller's own group and -1 is everybody.
        if foreign { group_of(pid).filter(|group| *group > 1) } else { None }
    }

    fn kill(&self) -> Found {
        let mut found = Found::default();
        self.source.walk(|pid| {
            let ours = !(self.spare)(pid);
            if ours {
                match sys::kill(pid, SIGKILL) {
                    Err(Errno::PERM) => found.refused += 1,
                    Err(_) => {}
                    Ok(()) => found.killed += 1,
                }
            }
            ours
        });
        found
    }
}

/// Ends the tree below this process. `reaped` hears of every ended child, `wait` returns when a child may have ended
/// or the time is up. The answer is the number of processes that are left.
pub(super) fn end_tree(
    source: Source<'_>,
    deadline: Instant,
    mut reaped: impl FnMut(pid_t, c_int),
    mut wait: impl FnMut(Duration),
) -> u32 {
    let sweep = Sweep { source, spare: |_| false, by_group: true };
    let mut pause = Duration::from_millis(1);
    let mut last_kill = Instant::now();
    loop {
        let found = sweep.run();
        if reap_all(&mut reaped) {
            return 0;
        }
        let now = Instant::now();
        if found.killed > 0 {
            last_kill = now;
        }
        let refused_only = found.refused > 0 && now.duration_since(last_kill) >= REFUSED_PATIENCE;
        if refused_only || now >= deadline {
            return u32::try_from(found.killed + found.refused).unwrap_or(u32::MAX).max(1);
        }
        wait(pause);
        if reap_all(&mut reaped) {
            return 0;
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Reaps what has ended; true when no child is left.
///
/// A program can stay ahead of every walk by forking and exiting at once, over and over. Its next process has one of
/// the next pids and becomes our child when its parent exits, so those few pids are tried right away.
fn reap_all(reaped: &mut impl FnMut(pid_t, c_int)) -> bool {
    let mut last = None;
    loop {
        match sys::reap(-1) {
            Waited::Ended(pid, status) => {
                reaped(pid, status);
                last = Some(pid);
            }
            Waited::NoChildren => return true,
            Waited::None => break,
        }
    }
    let successors = last.into_iter().flat_map(|pid| pid + 1..=pid + SUCCESSORS);
    for pid in successors.filter(|pid| sys::is_child(*pid)) {
        let _ = sys::kill(pid, SIGKILL);
    }
    false
}
