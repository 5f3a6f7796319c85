//! System calls by number, and processes of one's own.

use crate::seen::Seen;
use std::ffi::CString;

/// Makes a system call; the error number when it fails.
pub(crate) fn call<const N: usize>(number: i64, arguments: [i64; N]) -> Result<i64, i32> {
    let at = |index: usize| arguments.get(index).copied().unwrap_or(0);
    // SAFETY: every attempt passes numbers, null, or pointers to memory of its own that outlives the call.
    let result = unsafe { libc::syscall(number, at(0), at(1), at(2), at(3), at(4), at(5)) };
    if result == -1 { Err(error()) } else { Ok(result) }
}

/// The error number of the last call.
pub(crate) fn error() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// The address of something, as an argument.
pub(crate) fn at<T: ?Sized>(thing: &T) -> i64 {
    std::ptr::from_ref(thing).cast::<u8>().addr() as i64
}

/// The address of something that the kernel writes to, as an argument.
pub(crate) fn to<T: ?Sized>(thing: &mut T) -> i64 {
    std::ptr::from_mut(thing).cast::<u8>().addr() as i64
}

/// Opens a file; the descriptor stays open until the process ends.
pub(crate) fn open(path: &str, flags: i32) -> Result<i64, i32> {
    let path = CString::new(path).unwrap();
    call(
        libc::SYS_openat,
        [libc::AT_FDCWD.into(), at(path.as_bytes_with_nul()), (flags | libc::O_CLOEXEC).into(), 0o600],
    )
}

/// Opens a file for writing and writes nothing: who could open could write.
pub(crate) fn opens_for_writing(path: &str) -> Seen {
    // A program that runs is busy, which is told after the permissions were looked at.
    crate::seen::past(open(path, libc::O_WRONLY), &[libc::ETXTBSY])
}

/// Whether a file can be opened and has anything in it.
pub(crate) fn reads(path: &str) -> Seen {
    let mut byte = [0u8];
    match open(path, libc::O_RDONLY | libc::O_NONBLOCK) {
        Ok(file) => match call(libc::SYS_read, [file, to(&mut byte), 1]) {
            Ok(count) => crate::seen::found(count == 1),
            Err(error) => Seen::Refused(error),
        },
        Err(error) => Seen::Refused(error),
    }
}

/// Starts a copy of this process that runs `body` and ends with what that returns.
pub(crate) fn fork(body: impl FnOnce() -> i32) -> i32 {
    // SAFETY: the copy has this thread alone. What it calls takes no lock that another thread of the test could have
    // held: the harness's main thread waits, and the allocator is made ready for forks by the C library.
    match unsafe { libc::fork() } {
        // SAFETY: ends the copy at once, without running anything of the original's.
        0 => unsafe { libc::_exit(body()) },
        pid => pid,
    }
}

/// Waits for a process; its status as the kernel gives it.
pub(crate) fn wait(pid: i32) -> i32 {
    let mut status = 0;
    // SAFETY: the status is a number of this function's.
    while unsafe { libc::waitpid(pid, &raw mut status, 0) } == -1 && error() == libc::EINTR {}
    status
}

/// Sleeps until it is killed.
pub(crate) fn pause() -> i32 {
    loop {
        // SAFETY: takes nothing.
        unsafe { libc::pause() };
    }
}
