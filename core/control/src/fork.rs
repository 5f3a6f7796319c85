//! SQLite across a fork.
//!
//! SQLite keeps, for the whole process, a list of the files that are open and of the locks held on each (`inodeList` in
//! `os_unix.c`), by device and inode. A forked child has a copy of the list and none of the locks, so a file that it opens
//! again would seem to be locked already. Two things make opening it again safe, as `docs/decisions/sqlite-and-fork.md` says in full:
//!
//! - The child sees other inode numbers than its parent, so it finds nothing of its parent's in the list.
//! - A fork waits until no thread is inside SQLite, so that no mutex of the process is held by a thread that the child does
//!   not have. Should that take too long, the child is told to begin anew with exec.
#![allow(unsafe_code, reason = "fork handlers and SQLite's table of system calls have no safe interface")]

use isobox_contract::{Error, ErrorCode, Result};
use rusqlite::ffi;
use std::ffi::{CStr, c_char, c_int};
use std::sync::Once;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// How many threads are inside SQLite.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
/// How many forks wait for that to be none.
static PAUSED: AtomicUsize = AtomicUsize::new(0);
/// The process that SQLite's list belongs to; 0 before the first use, [`CHANGING`] while a child makes it its own.
static PROCESS: AtomicU32 = AtomicU32::new(0);
/// What the numbers of inodes are changed by: 0, and something else in each generation of children.
static SALT: AtomicU64 = AtomicU64::new(0);

const CHANGING: u32 = u32::MAX;
/// How long a fork waits. Usually well under a millisecond; a transaction may be in its way.
const PATIENCE: Duration = Duration::from_millis(200);

/// A thread that is inside SQLite.
#[derive(Debug)]
pub(crate) struct Inside(());

/// Goes inside SQLite; waits while the process forks.
pub(crate) fn enter() -> Inside {
    loop {
        INSIDE.fetch_add(1, SeqCst);
        if PAUSED.load(SeqCst) == 0 {
            return Inside(());
        }
        INSIDE.fetch_sub(1, SeqCst);
        std::thread::sleep(Duration::from_micros(50));
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.fetch_sub(1, SeqCst);
    }
}

/// Makes SQLite usable in this process, before a file is opened: fails in a child that was forked while a thread of its
/// parent was inside and did not come out.
pub(crate) fn prepare() -> Result<()> {
    let deadline = Instant::now() + PATIENCE;
    let this = std::process::id();
    loop {
        match PROCESS.compare_exchange(0, this, SeqCst, SeqCst) {
            Ok(_) => {
                watch_forks();
                return Ok(());
            }
            Err(process) if process == this => return Ok(()),
            Err(process) if process != CHANGING && INSIDE.load(SeqCst) == 0 => {
                if PROCESS.compare_exchange(process, CHANGING, SeqCst, SeqCst).is_ok() {
                    begin_generation();
                    PROCESS.store(this, SeqCst);
                }
            }
            Err(CHANGING) if Instant::now() < deadline => std::thread::sleep(Duration::from_micros(100)),
            Err(_) => return Err(forked_amid()),
        }
    }
}

fn forked_amid() -> Error {
    Error::new(
        ErrorCode::InvalidState,
        "this process was forked while its parent wrote to the control plane and cannot open it, start it with exec \
         (in Python the start methods spawn and forkserver do)",
    )
}

/// Has every fork of this process, and of its children, wait for [`INSIDE`].
fn watch_forks() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handlers touch atomics and the clock only, and this code is never unloaded.
        unsafe { libc::pthread_atfork(Some(before), Some(after), Some(in_child)) };
    });
}

extern "C" fn before() {
    PAUSED.fetch_add(1, SeqCst);
    let deadline = Instant::now() + PATIENCE;
    while INSIDE.load(SeqCst) != 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_micros(50));
    }
}

extern "C" fn after() {
    PAUSED.fetch_sub(1, SeqCst);
}

extern "C" fn in_child() {
    // Whoever else was about to fork is not here.
    PAUSED.store(0, SeqCst);
}

/// Changes the numbers of inodes that SQLite sees from here on.
fn begin_generation() {
    // An odd constant with bits everywhere: no multiple of it is 0.
    SALT.fetch_add(0x9e37_79b9_7f4a_7c15, SeqCst);
    // SAFETY: SQLite's own file system is there, its table may be changed while nothing is open, which in this process
    // nothing is, and the functions have the types of stat(2) and fstat(2) that it calls them by.
    unsafe {
        let vfs = ffi::sqlite3_vfs_find(std::ptr::null());
        let Some(set) = vfs.as_ref().and_then(|vfs| vfs.xSetSystemCall) else { return };
        type Stat = unsafe extern "C" fn(*const c_char, *mut libc::stat) -> c_int;
        type Fstat = unsafe extern "C" fn(c_int, *mut libc::stat) -> c_int;
        type Any = unsafe extern "C" fn();
        let replace = |name: &CStr, function: Any| set(vfs, name.as_ptr(), Some(function));
        replace(c"stat", std::mem::transmute::<Stat, Any>(stat));
        replace(c"fstat", std::mem::transmute::<Fstat, Any>(fstat));
    }
}

unsafe extern "C" fn stat(path: *const c_char, found: *mut libc::stat) -> c_int {
    // SAFETY: SQLite gives a path and a place for the answer.
    unsafe { salted(libc::stat(path, found), found) }
}

unsafe extern "C" fn fstat(file: c_int, found: *mut libc::stat) -> c_int {
    // SAFETY: SQLite gives a place for the answer.
    unsafe { salted(libc::fstat(file, found), found) }
}

/// # Safety
/// `found` is filled when `result` is 0.
unsafe fn salted(result: c_int, found: *mut libc::stat) -> c_int {
    if result == 0 {
        // SAFETY: it is filled.
        unsafe { (*found).st_ino ^= SALT.load(SeqCst) };
    }
    result
}
