//! The system calls of the launcher that rustix does not have, each as a safe function.
#![allow(unsafe_code, reason = "each function is one system call")]

use rustix::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use rustix::io::{Errno, Result};
use rustix::process::Pid;
use std::ffi::CStr;

/// The constant of libc has overflowed: the flag is above 32 bits.
const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

/// Which of the two processes returned from [`clone_process`].
pub(super) enum Cloned {
    /// The caller, with the process id of the new process and a descriptor for it.
    Parent(Pid, OwnedFd),
    /// The new process.
    Child,
}

/// Makes a copy of this process in new namespaces (`CLONE_NEW*`), optionally born in a cgroup.
///
/// Only for a process with one thread: the copy has the calling thread alone, and a lock held by another one would
/// never be released in it.
pub(super) fn clone_process(namespaces: u64, cgroup: Option<BorrowedFd<'_>>) -> Result<Cloned> {
    let mut pidfd: RawFd = -1;
    // SAFETY: all fields are integers, for which zero is valid and means "not given".
    let mut arguments: libc::clone_args = unsafe { std::mem::zeroed() };
    arguments.flags = namespaces | libc::CLONE_PIDFD as u64;
    arguments.pidfd = (&raw mut pidfd).addr() as u64;
    arguments.exit_signal = libc::SIGCHLD as u64;
    if let Some(cgroup) = cgroup {
        arguments.flags |= CLONE_INTO_CGROUP;
        arguments.cgroup = cgroup.as_raw_fd() as u64;
    }
    // The C library keeps the thread's id where the kernel clears it at exit. fork() renews it; this call has to as
    // well, or the copy's recursive locks would believe that it is still its parent.
    if let Ok(Some(address)) = rustix::thread::get_clear_child_tid_address() {
        arguments.flags |= (libc::CLONE_CHILD_SETTID | libc::CLONE_CHILD_CLEARTID) as u64;
        arguments.child_tid = address.as_ptr().addr() as u64;
    }
    // SAFETY: without CLONE_VM the child has a copy of the memory and runs on the same stack address; the pointers
    // are valid for the duration of the call, and the thread's id is the C library's own field of four bytes.
    let result = unsafe { libc::syscall(libc::SYS_clone3, &raw mut arguments, size_of::<libc::clone_args>()) };
    let result = match check(result) {
        // Filters that look at the flags of clone hide clone3, whose flags they cannot see.
        Err(Errno::NOSYS) if cgroup.is_none() => clone_with_few_arguments(&arguments),
        other => other,
    };
    match result? {
        0 => Ok(Cloned::Child),
        // SAFETY: the kernel has just opened the descriptor for us.
        pid => {
            Ok(Cloned::Parent(Pid::from_raw(pid as i32).ok_or(Errno::SRCH)?, unsafe { OwnedFd::from_raw_fd(pidfd) }))
        }
    }
}

/// The older call, for what it can be told: it has no place for a cgroup.
fn clone_with_few_arguments(arguments: &libc::clone_args) -> Result<libc::c_long> {
    let flags = arguments.flags | arguments.exit_signal;
    #[cfg(target_arch = "x86_64")]
    let last = [arguments.child_tid, 0];
    #[cfg(not(target_arch = "x86_64"))]
    let last = [0, arguments.child_tid];
    // SAFETY: as for clone3. No stack means the same address; the third argument is where the pidfd goes.
    check(unsafe { libc::syscall(libc::SYS_clone, flags, 0usize, arguments.pidfd, last[0], last[1]) })
}

/// Changes the attributes of the mount at `path` below `dir` (of `dir` itself when empty), with its submounts if asked.
pub(super) fn mount_setattr(
    dir: BorrowedFd<'_>,
    path: &CStr,
    recursive: bool,
    attributes: &libc::mount_attr,
) -> Result<()> {
    let flags = libc::AT_EMPTY_PATH | if recursive { libc::AT_RECURSIVE } else { 0 };
    let size = size_of::<libc::mount_attr>();
    // SAFETY: the path and the attributes are valid for the duration of the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            dir.as_raw_fd(),
            path.as_ptr(),
            flags,
            std::ptr::from_ref(attributes),
            size,
        )
    };
    check(result).map(drop)
}

/// Closes all descriptors from `first` on. The caller must not own any of them.
pub(super) fn close_from(first: RawFd) -> Result<()> {
    close_range(first, RawFd::MAX)
}

/// Closes the descriptors from `first` to `last`. The caller must not own any of them.
pub(super) fn close_range(first: RawFd, last: RawFd) -> Result<()> {
    if first > last {
        return Ok(());
    }
    // SAFETY: the call has no pointers.
    check(unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) }).map(drop)
}

/// Makes standard output the same as standard error, whatever it was.
pub(super) fn join_outputs() -> Result<()> {
    // SAFETY: the call has no pointers, and nothing here owns descriptor 1.
    check(unsafe { libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) }.into()).map(drop)
}

/// Lets the kernel ask a program about every system call of this process and all that it starts, for good.
pub(super) fn filter_system_calls(program: &mut [libc::sock_filter]) -> Result<()> {
    let len = program.len().try_into().map_err(|_| Errno::INVAL)?;
    let program = libc::sock_fprog { len, filter: program.as_mut_ptr() };
    // SAFETY: the program is valid for the duration of the call, which copies it.
    let result =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, std::ptr::from_ref(&program)) };
    check(result).map(drop)
}

/// Signals that are blocked and come through a descriptor instead.
pub(super) struct Signals {
    before: libc::sigset_t,
    /// Becomes readable when one of the signals is pending.
    pub(super) descriptor: OwnedFd,
}

impl Signals {
    /// Blocks `signals` and opens their descriptor.
    pub(super) fn block(signals: &[libc::c_int]) -> Result<Self> {
        // SAFETY: sigemptyset initialises the first set and sigprocmask the second; all pointers are to locals.
        unsafe {
            let mut set: libc::sigset_t = std::mem::zeroed();
            let mut before: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut set);
            for signal in signals {
                libc::sigaddset(&raw mut set, *signal);
            }
            check(libc::sigprocmask(libc::SIG_BLOCK, &raw const set, &raw mut before).into())?;
            let descriptor = check(libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC).into())?;
            Ok(Self { before, descriptor: OwnedFd::from_raw_fd(descriptor as RawFd) })
        }
    }

    /// Closes the descriptor and delivers the signals as before.
    pub(super) fn restore(self) -> Result<()> {
        // SAFETY: the set was filled in by sigprocmask.
        check(unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const self.before, std::ptr::null_mut()) }.into())
            .map(drop)
    }
}

/// The signal that is next in a descriptor of [`Signals`].
pub(super) fn next_signal(descriptor: &OwnedFd) -> Option<libc::c_int> {
    let mut information = [0; size_of::<libc::signalfd_siginfo>()];
    let length = rustix::io::read(descriptor, &mut information).ok()?;
    // The number comes first, as four bytes.
    let number = information[..length].first_chunk()?;
    libc::c_int::try_from(u32::from_ne_bytes(*number)).ok()
}

/// Takes over one of the descriptors that this process was started with.
///
/// # Panics
/// When it is not open.
pub(super) fn inherited(descriptor: RawFd) -> OwnedFd {
    // SAFETY: the call has no pointers, and F_GETFD only asks.
    let open = unsafe { libc::fcntl(descriptor, libc::F_GETFD) };
    assert!(open >= 0, "descriptor {descriptor} is open");
    // SAFETY: it is open, and the launcher calls this once for each descriptor before it opens others.
    unsafe { OwnedFd::from_raw_fd(descriptor) }
}

fn check(result: libc::c_long) -> Result<libc::c_long> {
    if result >= 0 {
        return Ok(result);
    }
    Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO))
}
