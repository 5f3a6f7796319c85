//! The process between the agent and one command.
//!
//! ```text
//! run ─> leader executes? ──no──> Failed, exit
//!            │ yes: Started
//!            v
//!        watching: orders, ended children ──no children──> Empty, exit
//!            │ Kill, or the agent is gone
//!            v
//!        ending (see `ending`) ──────────────────────────> Empty, exit
//! ```
//!
//! All signals are blocked for good: nothing that a program sends it but SIGKILL has an effect. It holds none of the
//! command's streams, so a reader of the output sees its end when the command's last process is gone.
#![allow(unsafe_code)]

use std::convert::Infallible;
use std::os::fd::{BorrowedFd, RawFd};
use std::time::{Duration, Instant};

use libc::{c_int, pid_t};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::Pid;

use super::descend::{Source, group_of};
use super::ending::end_tree;
use super::launch::MOST_JOINED;
use super::leader::{self, Plan, failure};
use super::message::{Failure, Notice, Order, Scope, Step, Usage};
use super::sys::{self, Waited, check};
use super::tree::END_WITHIN;

/// Exit codes of a supervisor, read by [`reap_strays`](super::reap_strays).
pub(super) const EXIT_EMPTY: c_int = 0;
const EXIT_LEFTOVERS: c_int = 1;

/// Walks that look for processes that were born while a signal was being sent.
const SIGNAL_WALKS: usize = 3;

/// The descriptors of the agent that a supervisor needs, -1 for none.
#[derive(Clone, Copy)]
pub(super) struct Fds {
    pub(super) control: RawFd,
    pub(super) stdio: [RawFd; 3],
    pub(super) proc: RawFd,
    pub(super) cgroup: RawFd,
    pub(super) joined: [RawFd; MOST_JOINED],
}

/// Where the supervisor's own descriptors are once it has arranged them.
const CONTROL: RawFd = 3;
const EVENTS: RawFd = 4;
const PROC: RawFd = 5;
const CGROUP: RawFd = 6;
const JOINED: RawFd = 7;
const FIRST_UNUSED: RawFd = JOINED + MOST_JOINED as RawFd;
/// Copies are made here first, so that no descriptor is overwritten before it was copied.
const ASIDE: RawFd = 16;

/// The life of a supervisor, in the forked child.
pub(super) fn run(agent: Pid, fds: Fds, plan: &mut Plan) -> Infallible {
    let code = match arrange(fds) {
        // Nothing has been moved yet, so the agent's number of the socket is still valid.
        Err(errno) => fail(fds.control, failure(Step::Setup, errno)),
        Ok(()) => match leader::start(plan, if fds.cgroup < 0 { -1 } else { CGROUP }, joined(fds)) {
            Err(failure) => fail(CONTROL, failure),
            Ok(leader) => Supervisor::new(agent, leader, fds).watch(),
        },
    };
    // SAFETY: ends this process without the exit handlers of the agent it was forked from.
    unsafe { libc::_exit(code) }
}

/// Where the files of v1 cgroups are now.
fn joined(fds: Fds) -> [RawFd; MOST_JOINED] {
    std::array::from_fn(|index| if fds.joined[index] < 0 { -1 } else { JOINED + index as RawFd })
}

fn fail(control: RawFd, failure: Failure) -> c_int {
    let _ = Notice::Failed(failure).send(borrow(control));
    EXIT_EMPTY
}

/// Cuts the ties with the agent: its name, its death, its descriptors, its signal handlers.
fn arrange(fds: Fds) -> Result<(), Errno> {
    // SAFETY: the name is a constant string.
    unsafe { libc::prctl(libc::PR_SET_NAME, c"isobox-exec".as_ptr()) };
    // The death signal wakes the loop, which then looks for itself; this one wakes it also when a program has stopped it.
    sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGCONT.unsigned_abs())?;
    sys::prctl(libc::PR_SET_CHILD_SUBREAPER, 1)?;
    sys::default_dispositions();
    let mask = u64::MAX;
    // SAFETY: the kernel reads 8 bytes of the mask.
    let events = check(unsafe {
        libc::syscall(libc::SYS_signalfd4, -1, &raw const mask, 8usize, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK)
    })? as RawFd;
    let [stdin, stdout, stderr] = fds.stdio;
    let [cpu, memory, pids] = fds.joined;
    place([stdin, stdout, stderr, fds.control, events, fds.proc, fds.cgroup, cpu, memory, pids])?;
    sys::close_from(FIRST_UNUSED, (fds.proc >= 0).then(|| borrow(PROC)));
    // Programs of the same user shall not trace a supervisor.
    sys::prctl(libc::PR_SET_DUMPABLE, 0).map(drop)
}

/// Puts each descriptor at its index; -1 leaves the index empty. All but the streams are closed by execve.
fn place<const N: usize>(wanted: [RawFd; N]) -> Result<(), Errno> {
    let mut aside = [-1; N];
    for (copy, fd) in aside.iter_mut().zip(wanted).filter(|(_, fd)| *fd >= 0) {
        // SAFETY: plain numbers; a descriptor that is not open is an error.
        *copy = check(unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, ASIDE) }.into())? as RawFd;
    }
    for (index, copy) in (0..).zip(aside) {
        let flags = if index < 3 { 0 } else { libc::O_CLOEXEC };
        // SAFETY: plain numbers; whatever was at `index` has been copied if it is needed.
        unsafe {
            if copy < 0 {
                libc::close(index);
            } else {
                check(libc::dup3(copy, index, flags).into())?;
            }
        }
    }
    Ok(())
}

struct Supervisor {
    agent: Pid,
    leader: pid_t,
    leader_reaped: bool,
    proc: Option<BorrowedFd<'static>>,
}

impl Supervisor {
    fn new(agent: Pid, leader: pid_t, fds: Fds) -> Self {
        for stream in 0..3 {
            // SAFETY: nothing in this process uses the command's streams.
            unsafe { libc::close(stream) };
        }
        let _ = Notice::Started(leader).send(borrow(CONTROL));
        let proc = (fds.proc >= 0).then(|| borrow(PROC));
        Self { agent, leader, leader_reaped: false, proc }
    }

    /// Serves until the tree is empty or ended; the answer is the exit code.
    fn watch(&mut self) -> c_int {
        loop {
            if self.reap_all() {
                return finish(0);
            }
            if rustix::process::getppid() != Some(self.agent) {
                return self.end(END_WITHIN);
            }
            wait(&[EVENTS, CONTROL], None);
            match Order::receive(borrow(CONTROL)) {
                Ok(Some(Order::Signal(scope, signal))) => self.signal(scope, signal),
                Ok(Some(Order::Kill(within))) => return self.end(within),
                // The agent is gone, or has no use for the tree any more.
                Ok(None) => return self.end(END_WITHIN),
                Err(_) => {}
            }
        }
    }

    fn reap_all(&mut self) -> bool {
        loop {
            match sys::reap(-1) {
                Waited::Ended(pid, status) => self.ended(pid, status),
                Waited::None => return false,
                Waited::NoChildren => return true,
            }
        }
    }

    fn ended(&mut self, pid: pid_t, status: c_int) {
        // The pid can come again in the tree once the leader has given it up.
        if pid == self.leader && !self.leader_reaped {
            self.leader_reaped = true;
            let _ = Notice::Exited(status, usage()).send(borrow(CONTROL));
        }
    }

    fn signal(&self, scope: Scope, signal: c_int) {
        match scope {
            Scope::Leader if !self.leader_reaped => drop(sys::kill(self.leader, signal)),
            Scope::Leader => {}
            Scope::Group if !self.leader_reaped => drop(sys::kill(-self.leader, signal)),
            Scope::Group => self.signal_each(signal, |pid| group_of(pid) == Some(self.leader)),
            Scope::Tree => self.signal_each(signal, |_| true),
        }
    }

    /// Signals every descendant that `wanted` accepts, each once.
    fn signal_each(&self, signal: c_int, wanted: impl Fn(pid_t) -> bool) {
        let source = Source::new(self.proc);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..SIGNAL_WALKS {
            let before = seen.len();
            source.walk(|pid| {
                if seen.insert(pid) && wanted(pid) {
                    let _ = sys::kill(pid, signal);
                }
                true
            });
            if seen.len() == before {
                break;
            }
        }
    }

    fn end(&mut self, within: Duration) -> c_int {
        // Hundreds of runnable processes would leave this one no turn. Refused without the right to it.
        let _ = rustix::process::setpriority_process(None, -20);
        let source = Source::new(self.proc);
        let deadline = Instant::now() + within.min(Duration::from_secs(3600));
        let pause = |time| wait(&[EVENTS], Some(time));
        let left = end_tree(source, deadline, |pid, status| self.ended(pid, status), pause);
        finish(left)
    }
}

fn finish(left: u32) -> c_int {
    let _ = Notice::Empty(left, usage()).send(borrow(CONTROL));
    // The kernel wakes the agent on this processor and takes this process for one that is about to sleep. What it does is to
    // tear its memory down, which can wait until the agent has passed the news on.
    rustix::thread::sched_yield();
    if left == 0 { EXIT_EMPTY } else { EXIT_LEFTOVERS }
}

/// What every child that was reaped has used, with what it had reaped itself.
fn usage() -> Usage {
    // SAFETY: an all-zero rusage is valid and outlives the call.
    let used = unsafe {
        let mut used: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut used);
        used
    };
    let time = |time: libc::timeval| Duration::new(time.tv_sec.unsigned_abs(), (time.tv_usec * 1000) as u32);
    Usage { user: time(used.ru_utime), system: time(used.ru_stime), max_rss: used.ru_maxrss.unsigned_abs() << 10 }
}

/// Sleeps until one of the descriptors has something, and takes the signals that have come.
fn wait(on: &[RawFd], timeout: Option<Duration>) {
    let mut fds: Vec<PollFd<'_>> = on.iter().map(|fd| PollFd::from_borrowed_fd(borrow(*fd), PollFlags::IN)).collect();
    let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
    let _ = poll(&mut fds, timeout.as_ref());
    let mut records = [0u8; 1024];
    // Bounded, because a program may send signals faster than they can be read.
    for _ in 0..16 {
        if rustix::io::read(borrow(EVENTS), &mut records[..]).is_err() {
            break;
        }
    }
}

fn borrow(fd: RawFd) -> BorrowedFd<'static> {
    // SAFETY: the callers pass the descriptors that `arrange` put in place; a supervisor never closes them.
    unsafe { BorrowedFd::borrow_raw(fd) }
}
