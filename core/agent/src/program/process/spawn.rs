//! The one clone that makes a leader: it borrows the supervisor's memory until it executes, which spares copying the page
//! tables a second time, and may start inside a cgroup, which spares the slow move into it.
#![allow(unsafe_code)]

use std::os::fd::RawFd;

use libc::{c_int, c_void, pid_t};
use rustix::io::Errno;

use super::sys::check;

const STACK: usize = 64 << 10;

/// Runs in the new process and does not return.
pub(super) type Entry = extern "C" fn(*mut c_void) -> c_int;

/// How the new process gets into its cgroup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cgroup {
    /// It stays in its parent's, or was started in its own.
    Inside,
    /// It has to move itself, because clone3 is filtered here (container engines do).
    Join,
}

/// Starts `entry(argument)` in a new process and returns when that has executed a program or ended.
///
/// # Safety
/// `entry` runs on the memory of this process: it may use nothing but what `argument` points to and async-signal-safe calls.
pub(super) unsafe fn vfork(cgroup: RawFd, entry: impl Fn(Cgroup) -> (Entry, *mut c_void)) -> Result<pid_t, Errno> {
    // Reserved rather than touched: only the pages that are used cost anything.
    let mut stack: Vec<u128> = Vec::with_capacity(STACK / size_of::<u128>());
    let base = stack.spare_capacity_mut().as_mut_ptr().cast::<u8>();
    if cgroup >= 0 {
        let (function, argument) = entry(Cgroup::Inside);
        // SAFETY: the stack lives until the new process has left it; the rest is the caller's promise.
        match unsafe { clone3(cgroup, base, function, argument) } {
            Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => {}
            result => return result,
        }
    }
    let (function, argument) = entry(if cgroup >= 0 { Cgroup::Join } else { Cgroup::Inside });
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: as above; the stack grows down from its end, which `u128` keeps aligned to 16 bytes.
    let pid = check(unsafe { libc::clone(function, base.add(STACK).cast(), flags, argument) }.into())?;
    Ok(pid as pid_t)
}

/// The start of the kernel's struct clone_args, the part that every kernel with CLONE_INTO_CGROUP knows.
#[repr(C)]
#[derive(Default)]
struct CloneArgs {
    flags: u64,
    pidfd: u64,
    child_tid: u64,
    parent_tid: u64,
    exit_signal: u64,
    stack: u64,
    stack_size: u64,
    tls: u64,
    set_tid: u64,
    set_tid_size: u64,
    cgroup: u64,
}

const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

unsafe fn clone3(cgroup: RawFd, stack: *mut u8, entry: Entry, argument: *mut c_void) -> Result<pid_t, Errno> {
    let arguments = CloneArgs {
        flags: (libc::CLONE_VM | libc::CLONE_VFORK) as u64 | CLONE_INTO_CGROUP,
        exit_signal: libc::SIGCHLD as u64,
        stack: stack as u64,
        stack_size: STACK as u64,
        cgroup: cgroup as u64,
        ..CloneArgs::default()
    };
    // SAFETY: the new process runs on a stack of its own and never comes back from `entry`, so this frame is the parent's alone.
    let result = unsafe { clone3_call(&raw const arguments, entry, argument) };
    if result < 0 { Err(Errno::from_raw_os_error(-result as i32)) } else { Ok(result as pid_t) }
}

#[cfg(target_arch = "x86_64")]
unsafe fn clone3_call(arguments: *const CloneArgs, entry: Entry, argument: *mut c_void) -> i64 {
    let result: i64;
    // SAFETY: in the parent only rax, rcx and r11 change, as declared. A zero frame pointer ends backtraces in the child.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r13",
            "call r12",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone3 => result,
            in("rdi") arguments,
            in("rsi") size_of::<CloneArgs>(),
            in("r12") entry,
            in("r13") argument,
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    result
}

#[cfg(target_arch = "aarch64")]
unsafe fn clone3_call(arguments: *const CloneArgs, entry: Entry, argument: *mut c_void) -> i64 {
    let result: i64;
    // SAFETY: in the parent only x0 changes, as declared. A zero frame pointer ends backtraces in the child.
    unsafe {
        std::arch::asm!(
            "svc #0",
            "cbnz x0, 2f",
            "mov x29, xzr",
            "mov x0, x20",
            "blr x21",
            "brk #1",
            "2:",
            inlateout("x0") arguments => result,
            in("x1") size_of::<CloneArgs>(),
            in("x8") libc::SYS_clone3,
            in("x20") argument,
            in("x21") entry,
        );
    }
    result
}
