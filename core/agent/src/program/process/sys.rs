//! The system calls that rustix has no safe form of, or that must not go through glibc after a fork.
#![allow(unsafe_code)]

use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

use libc::{c_int, c_long, c_ulong, pid_t};
use rustix::io::Errno;

/// The error of the last libc call of this thread.
pub(super) fn last_errno() -> Errno {
    // SAFETY: the location is always valid for the calling thread.
    Errno::from_raw_os_error(unsafe { *libc::__errno_location() })
}

/// Turns libc's -1 into the error behind it.
pub(super) fn check(result: c_long) -> Result<c_long, Errno> {
    if result == -1 { Err(last_errno()) } else { Ok(result) }
}

/// Sends `signal` to `pid`, or to a process group when `pid` is negative.
pub(super) fn kill(pid: pid_t, signal: c_int) -> Result<(), Errno> {
    // SAFETY: kill takes plain numbers.
    check(unsafe { libc::kill(pid, signal) }.into()).map(drop)
}

/// Calls prctl with an option whose argument is a number.
pub(super) fn prctl(option: c_int, argument: u32) -> Result<c_long, Errno> {
    // The kernel reads whole words, and some options insist that the unused ones are zero.
    let (argument, unused): (c_ulong, c_ulong) = (argument.into(), 0);
    // SAFETY: no option that the callers use takes a pointer here.
    check(unsafe { libc::prctl(option, argument, unused, unused, unused) }.into())
}

/// The kernel's signal mask, all 64 signals: glibc's own calls leave out two that it uses itself.
pub(super) fn set_mask(mask: u64) -> u64 {
    let mut old = 0u64;
    // SAFETY: both pointers are to 8 bytes, the size that is passed.
    unsafe { libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const mask, &raw mut old, 8usize) };
    old
}

/// Gives every signal its default disposition, also the ones that were ignored, which survive execve.
pub(super) fn default_dispositions() {
    // The kernel's struct sigaction: handler, flags, restorer, mask; all zero is SIG_DFL.
    let action = [0u64; 4];
    for signal in 1..=64 {
        // SAFETY: `action` is a whole kernel sigaction. KILL and STOP answer EINVAL, which is right to ignore.
        unsafe {
            libc::syscall(libc::SYS_rt_sigaction, signal, action.as_ptr(), std::ptr::null_mut::<u64>(), 8usize);
        }
    }
}

/// What one non-blocking wait for a child said.
pub(super) enum Waited {
    /// This child ended, with the status as wait(2) encodes it, and is reaped.
    Ended(pid_t, c_int),
    /// There are children, but none has ended.
    None,
    /// There are no children.
    NoChildren,
}

/// Reaps one ended child: any (`-1`) or this one.
pub(super) fn reap(pid: pid_t) -> Waited {
    let mut status = 0;
    loop {
        // SAFETY: `status` outlives the call.
        match unsafe { libc::waitpid(pid, &raw mut status, libc::WNOHANG | libc::__WALL) } {
            0 => return Waited::None,
            -1 if last_errno() == Errno::INTR => {}
            -1 => return Waited::NoChildren,
            ended => return Waited::Ended(ended, status),
        }
    }
}

/// The process group of `pid`. Zero where its leader is outside of this pid namespace, which rustix's type cannot hold.
pub(super) fn getpgid(pid: pid_t) -> Result<pid_t, Errno> {
    // SAFETY: a plain number.
    check(unsafe { libc::getpgid(pid) }.into()).map(|group| group as pid_t)
}

/// The session of `pid`, with the same zero.
pub(super) fn getsid(pid: pid_t) -> Result<pid_t, Errno> {
    // SAFETY: a plain number.
    check(unsafe { libc::getsid(pid) }.into()).map(|session| session as pid_t)
}

/// Whether `pid` is a child of this process, alive or not yet reaped.
pub(super) fn is_child(pid: pid_t) -> bool {
    peek(libc::P_PID, pid, libc::WEXITED).is_ok()
}

/// The pid and si_code of a child with an event of the kinds in `options`, left in place; pid 0 when there is none.
pub(super) fn peek(kind: libc::idtype_t, pid: pid_t, options: c_int) -> Result<(pid_t, c_int), Errno> {
    // SAFETY: an all-zero siginfo is valid, outlives the call, and has the child's pid after it.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let flags = options | libc::WNOHANG | libc::WNOWAIT | libc::__WALL;
        check(libc::waitid(kind, pid.unsigned_abs(), &raw mut info, flags).into())?;
        Ok((info.si_pid(), info.si_code))
    }
}

/// Takes the news that `pid` has stopped, so that [`peek`] does not show it again.
pub(super) fn take_stop(pid: pid_t) {
    // SAFETY: a null siginfo is allowed.
    unsafe {
        libc::waitid(libc::P_PID, pid.unsigned_abs(), std::ptr::null_mut(), libc::WSTOPPED | libc::WNOHANG);
    }
}

/// Marks every descriptor from `first` up as closed, where the kernel has no close_range one by one.
pub(super) fn close_from(first: RawFd, proc: Option<BorrowedFd<'_>>) {
    // SAFETY: plain numbers; nothing in this process uses these descriptors afterwards.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, 0) };
    if closed == -1 {
        for fd in open_fds(proc).into_iter().filter(|fd| *fd >= first) {
            // SAFETY: as above.
            unsafe { libc::close(fd) };
        }
    }
}

fn open_fds(proc: Option<BorrowedFd<'_>>) -> Vec<RawFd> {
    let listed = proc.and_then(|proc| super::descend::numbers(proc, "self/fd").ok());
    // Linux's ceiling for one process unless an administrator raised it.
    listed.unwrap_or_else(|| (0..1 << 20).collect())
}

/// The plain number of an optional descriptor, -1 for none.
pub(super) fn raw(fd: Option<BorrowedFd<'_>>) -> RawFd {
    fd.map_or(-1, |fd| fd.as_raw_fd())
}
