//! Executes a program as execvp does, and finds out why when it does not work.
//!
//! Everything runs between vfork and execve: no allocation, raw pointers prepared before.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char};

use rustix::io::Errno;

use super::message::{Failure, Step};
use super::sys::last_errno;

/// How often a file that somebody has open for writing is tried again, a millisecond apart. Another thread's fork
/// holds a freshly written program open for a moment, which is no fault of the command.
const BUSY_RETRIES: u32 = 50;
const SHELL: &CStr = c"/bin/sh";

/// A program's files, arguments and environment in the form that execve takes.
pub(super) struct Image {
    candidates: Vec<CString>,
    /// The candidates are places on the PATH rather than the one file that was named.
    searched: bool,
    argv: Pointers,
    /// `/bin/sh FILE ARGUMENTS`, the file to be put in: for scripts that name no interpreter.
    shell_argv: Vec<*const c_char>,
    env: Pointers,
}

/// Strings with the null-terminated table of pointers to them.
struct Pointers {
    _strings: Vec<CString>,
    table: Vec<*const c_char>,
}

impl Pointers {
    fn new(strings: Vec<CString>) -> Self {
        let ends = std::iter::once(std::ptr::null());
        let table = strings.iter().map(|string| string.as_ptr()).chain(ends).collect();
        Self { _strings: strings, table }
    }
}

impl Image {
    pub(super) fn new(candidates: Vec<CString>, argv: Vec<CString>, env: Vec<CString>) -> Self {
        let searched = argv.first().is_some_and(|name| !name.as_bytes().contains(&b'/'));
        let argv = Pointers::new(argv);
        let file = std::ptr::null();
        let shell_argv = [SHELL.as_ptr(), file].into_iter().chain(argv.table.iter().skip(1).copied()).collect();
        Self { candidates, searched, argv, shell_argv, env: Pointers::new(env) }
    }

    /// Becomes the program; returns only when no candidate could be executed. The first one that is there but unusable
    /// is the reason then.
    pub(super) fn exec(&mut self) -> Failure {
        let mut failure = Failure { step: Step::NotFound, errno: libc::ENOENT, candidate: 0 };
        for index in 0..self.candidates.len() {
            let (step, errno, last) = match self.attempt(index) {
                Verdict::Absent => continue,
                Verdict::Unusable(step, errno) => (step, errno, false),
                Verdict::Final(step, errno) => (step, errno, true),
            };
            if last || failure.step == Step::NotFound {
                failure = Failure { step, errno: errno.raw_os_error(), candidate: index as u32 };
            }
            if last {
                break;
            }
        }
        failure
    }

    fn attempt(&mut self, index: usize) -> Verdict {
        let Some(file) = self.candidates.get(index) else { return Verdict::Absent };
        let errno = execve(file, &self.argv.table, &self.env.table);
        match errno {
            Errno::NOEXEC if is_binary(file) => Verdict::Final(Step::BadFormat, errno),
            Errno::NOEXEC => {
                if let Some(slot) = self.shell_argv.get_mut(1) {
                    *slot = file.as_ptr();
                }
                match execve(SHELL, &self.shell_argv, &self.env.table) {
                    Errno::TOOBIG => Verdict::Final(Step::Exec, Errno::TOOBIG),
                    _ => Verdict::Final(Step::BadFormat, errno),
                }
            }
            Errno::ACCESS => match mode(file) {
                // Out of reach, or no file: a search passes over it, as shells do.
                None | Some(libc::S_IFDIR) if self.searched => Verdict::Absent,
                Some(libc::S_IFDIR) => Verdict::Unusable(Step::IsDirectory, errno),
                _ => Verdict::Unusable(Step::NotExecutable, errno),
            },
            Errno::NOENT if mode(file).is_some() => Verdict::Unusable(Step::InterpreterMissing, errno),
            Errno::NOENT
            | Errno::NOTDIR
            | Errno::STALE
            | Errno::NODEV
            | Errno::TIMEDOUT
            | Errno::NAMETOOLONG
            | Errno::LOOP => Verdict::Absent,
            _ => Verdict::Final(Step::Exec, errno),
        }
    }
}

enum Verdict {
    /// Not this file; the next one may be there.
    Absent,
    /// There, but unusable; a later one may be better.
    Unusable(Step, Errno),
    /// No other file would be better.
    Final(Step, Errno),
}

fn execve(file: &CStr, argv: &[*const c_char], env: &[*const c_char]) -> Errno {
    for _ in 0..BUSY_RETRIES {
        // SAFETY: both tables are null-terminated and their strings are alive.
        unsafe { libc::execve(file.as_ptr(), argv.as_ptr(), env.as_ptr()) };
        if last_errno() != Errno::TXTBSY {
            break;
        }
        let pause = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 };
        // SAFETY: `pause` outlives the call.
        unsafe { libc::nanosleep(&raw const pause, std::ptr::null_mut()) };
    }
    last_errno()
}

/// The type bits of a file's mode; `None` when it cannot be seen.
fn mode(file: &CStr) -> Option<libc::mode_t> {
    // SAFETY: an all-zero stat is valid and outlives the call.
    unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        (libc::stat(file.as_ptr(), &raw mut stat) == 0).then_some(stat.st_mode & libc::S_IFMT)
    }
}

/// Whether a file that the kernel cannot execute is no script either: a NUL in its first line, as for programs of
/// another architecture. A shell would only print nonsense about it.
fn is_binary(file: &CStr) -> bool {
    let mut head = [0u8; 128];
    // SAFETY: `head` is as long as said; the descriptor is this function's own.
    let length = unsafe {
        let fd = libc::open(file.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        let length = libc::read(fd, head.as_mut_ptr().cast(), head.len());
        libc::close(fd);
        length
    };
    let read = head.iter().take(usize::try_from(length).unwrap_or(0));
    read.take_while(|byte| **byte != b'\n').any(|byte| *byte == 0)
}
