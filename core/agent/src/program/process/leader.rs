//! From clone to execve: makes the new process what the command asked for.
//!
//! This runs on the supervisor's memory, so every buffer was made before, and nothing here allocates, panics or takes
//! a lock. What goes wrong is left in the plan, where the supervisor reads it once this process has ended.
#![allow(unsafe_code)]

use std::ffi::CString;
use std::os::fd::RawFd;

use libc::{c_int, c_long, c_void};
use rustix::io::Errno;

use super::credentials::{self, Credentials};
use super::exec::Image;
use super::launch::MOST_JOINED;
use super::message::{Failure, Step};
use super::spawn::{self, Cgroup};
use super::sys::{check, prctl, set_mask};

/// Everything that the new process does, decided beforehand.
pub(super) struct Plan {
    pub(super) image: Image,
    pub(super) cwd: CString,
    pub(super) credentials: Option<Credentials>,
    pub(super) tty: bool,
    pub(super) no_new_privs: bool,
    pub(super) keep_caps: Option<u64>,
    pub(super) umask: u32,
    pub(super) nofile: Option<(u64, u64)>,
}

/// What the new process is given, and where it leaves its failure.
struct Task<'a> {
    plan: &'a mut Plan,
    cgroup: RawFd,
    joined: [RawFd; MOST_JOINED],
    failure: Option<Failure>,
}

/// Starts the leader and returns its pid once it executes the program. `cgroup` and each of `joined` is -1
/// for none.
pub(super) fn start(plan: &mut Plan, cgroup: RawFd, joined: [RawFd; MOST_JOINED]) -> Result<i32, Failure> {
    let mut task = Task { plan, cgroup, joined, failure: None };
    let argument = (&raw mut task).cast::<c_void>();
    let entry = |how| (if how == Cgroup::Join { join_and_enter as spawn::Entry } else { enter }, argument);
    // SAFETY: both entries keep to the rules that the module states, and `task` outlives the new process's use of it.
    let started = unsafe { spawn::vfork(cgroup, entry) };
    let pid = started.map_err(|errno| failure(Step::Fork, errno))?;
    // SAFETY: the compiler cannot know that another process wrote here.
    match unsafe { (&raw const task.failure).read_volatile() } {
        None => Ok(pid),
        Some(failure) => {
            // SAFETY: a null status is allowed. The process has ended or is about to.
            unsafe { libc::waitpid(pid, std::ptr::null_mut(), 0) };
            Err(failure)
        }
    }
}

pub(super) fn failure(step: Step, errno: Errno) -> Failure {
    Failure { step, errno: errno.raw_os_error(), candidate: 0 }
}

extern "C" fn enter(argument: *mut c_void) -> c_int {
    begin(argument, Cgroup::Inside)
}

extern "C" fn join_and_enter(argument: *mut c_void) -> c_int {
    begin(argument, Cgroup::Join)
}

fn begin(argument: *mut c_void, how: Cgroup) -> c_int {
    // SAFETY: `start` passes a task that is alive and that it does not touch meanwhile.
    let task = unsafe { &mut *argument.cast::<Task<'_>>() };
    let failure = match task.prepare(how) {
        Ok(()) => task.plan.image.exec(),
        Err(failure) => failure,
    };
    // SAFETY: as above; volatile, because the reader is another process.
    unsafe { (&raw mut task.failure).write_volatile(Some(failure)) };
    // SAFETY: ends this process only, and runs no exit handlers.
    unsafe { libc::_exit(127) }
}

impl Task<'_> {
    /// The order matters: what needs the agent's rights comes before they are given up.
    fn prepare(&mut self, how: Cgroup) -> Result<(), Failure> {
        if how == Cgroup::Join {
            join(self.cgroup).map_err(|errno| failure(Step::Cgroup, errno))?;
        }
        for file in self.joined.into_iter().filter(|file| *file >= 0) {
            enter_through(file).map_err(|errno| failure(Step::Cgroup, errno))?;
        }
        // SAFETY: setsid and umask take and touch nothing.
        unsafe {
            libc::setsid();
            libc::umask(self.plan.umask);
        }
        self.plan.take_terminal().map_err(|errno| failure(Step::Terminal, errno))?;
        self.plan.limit_files().map_err(|errno| failure(Step::Limits, errno))?;
        let entered = self.plan.enter_directory();
        self.plan.give_up_rights()?;
        match entered {
            // Root may not enter a directory that its user may: FUSE, NFS.
            Err(Errno::ACCESS | Errno::PERM) => self.plan.enter_directory(),
            other => other,
        }
        .map_err(|errno| failure(Step::Cwd, errno))?;
        // The leader is not to outlive a supervisor that was killed. After the ids, whose change would clear it.
        let _ = prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL.unsigned_abs());
        set_mask(0);
        Ok(())
    }
}

impl Plan {
    fn take_terminal(&self) -> Result<(), Errno> {
        if !self.tty {
            return Ok(());
        }
        // SAFETY: the argument is a number. The session leader's group becomes the foreground group with it.
        check(unsafe { libc::ioctl(0, libc::TIOCSCTTY, 0) }.into()).map(drop)
    }

    fn limit_files(&self) -> Result<(), Errno> {
        let Some((soft, hard)) = self.nofile else { return Ok(()) };
        let limit = libc::rlimit64 { rlim_cur: soft, rlim_max: hard };
        // SAFETY: `limit` outlives the call.
        check(unsafe { libc::setrlimit64(libc::RLIMIT_NOFILE, &raw const limit) }.into()).map(drop)
    }

    fn enter_directory(&self) -> Result<(), Errno> {
        // SAFETY: a C string that is alive.
        check(unsafe { libc::chdir(self.cwd.as_ptr()) }.into()).map(drop)
    }

    fn give_up_rights(&self) -> Result<(), Failure> {
        let capabilities = |errno| failure(Step::Capabilities, errno);
        if let Some(keep) = self.keep_caps {
            credentials::limit_bounding(keep, self.no_new_privs).map_err(capabilities)?;
        }
        if let Some(ids) = &self.credentials {
            ids.assume().map_err(|errno| failure(Step::User, errno))?;
        }
        if let Some(keep) = self.keep_caps {
            credentials::limit_current(keep).map_err(capabilities)?;
        }
        if self.no_new_privs {
            prctl(libc::PR_SET_NO_NEW_PRIVS, 1).map_err(capabilities)?;
        }
        Ok(())
    }
}

/// Moves this process into a cgroup.
fn join(cgroup: RawFd) -> Result<(), Errno> {
    // SAFETY: the strings are constants, and the descriptor is this function's own.
    unsafe {
        let flags = libc::O_WRONLY | libc::O_CLOEXEC;
        let file = check(libc::openat(cgroup, c"cgroup.procs".as_ptr(), flags).into())? as c_int;
        let entered = enter_through(file);
        libc::close(file);
        entered
    }
}

/// Moves this process into the cgroup whose `cgroup.procs` this is.
fn enter_through(file: RawFd) -> Result<(), Errno> {
    // SAFETY: the string is a constant.
    check(unsafe { libc::write(file, c"0".as_ptr().cast(), 1) } as c_long).map(drop)
}
