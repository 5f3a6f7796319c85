//! A process that forks after it opened the store: the child gets a clear error, can open its own, and hurts nobody.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, unreachable_pub)]
#![allow(unsafe_code, reason = "there is no safe call for fork")]

mod common;

use common::{Books, create};
use isobox_contract::{ErrorCode, SandboxId, State};
use isobox_control::*;
use std::cell::RefCell;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

fn block<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn open(path: &Path) -> Books {
    Arc::new(block(SqliteStore::open(path, Options::default())).unwrap())
}

/// Forks; the child ends with what `child` gives. How it ended, or a panic when it hangs.
fn fork(child: impl FnOnce() -> i32) -> i32 {
    // SAFETY: what the child does is what is tested; it ends without running the parent's handlers.
    match unsafe { libc::fork() } {
        0 => {
            let code = std::panic::catch_unwind(std::panic::AssertUnwindSafe(child)).unwrap_or(101);
            unsafe { libc::_exit(code) }
        }
        pid => {
            let deadline = Instant::now() + Duration::from_secs(20);
            loop {
                let mut status = 0;
                if unsafe { libc::waitpid(pid, &mut status, libc::WNOHANG) } == pid {
                    return if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { 128 };
                }
                if Instant::now() > deadline {
                    unsafe { libc::kill(pid, libc::SIGKILL) };
                    panic!("the child hangs");
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Runs an ignored test in a process of its own: a fork copies all of a process.
fn alone(test: &str) {
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", test, "--nocapture", "--test-threads", "1"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && text.contains("1 passed"), "{text}\n{}", String::from_utf8_lossy(&run.stderr));
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("control.db");
    (home, path)
}

#[test]
fn a_forked_child_gets_an_error_and_opens_its_own() {
    alone("forks_at_rest");
}

#[test]
#[ignore = "run by a_forked_child_gets_an_error_and_opens_its_own"]
fn forks_at_rest() {
    let (_home, path) = place();
    let parents = RefCell::new(Some(open(&path)));
    let made = block(common::running(parents.borrow().as_ref().unwrap(), Some("parent")));
    let code = fork(|| {
        // The child's copy of what its parent has, and the only one there.
        let store = parents.take().unwrap();
        for error in [
            block(store.sandbox(&made.id)).unwrap_err(),
            block(store.begin_create(create(None))).unwrap_err(),
            block(store.wait_past(1000)).unwrap_err(),
            block(store.close()).unwrap_err(),
        ] {
            assert_eq!(error.code(), ErrorCode::InvalidState);
            assert!(error.message().contains("forked") && error.message().contains("open it again"), "{error}");
        }
        let own = open(&path);
        drop(store);
        assert_eq!(block(own.sandbox_by_name("parent")).unwrap().unwrap().id, made.id);
        block(common::running(&own, Some("child")));
        // A child of the child, too.
        let code = fork(|| {
            assert_eq!(block(own.last_sequence()).unwrap_err().code(), ErrorCode::InvalidState);
            block(common::running(&open(&path), Some("grandchild")));
            0
        });
        assert_eq!(code, 0);
        block(own.close()).unwrap();
        0
    });
    assert_eq!(code, 0);
    let store = parents.take().unwrap();
    block(common::running(&store, Some("after")));
    for name in ["parent", "child", "grandchild", "after"] {
        let found = block(store.sandbox_by_name(name)).unwrap().unwrap_or_else(|| panic!("{name} is lost"));
        assert_eq!(found.state, State::Running);
    }
    // Those are the locks of the parent: the child did not take them away with it.
    block(store.close()).unwrap();
    let check = rusqlite::Connection::open(&path).unwrap();
    let check: String = check.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}

#[test]
fn a_parent_that_closes_takes_nothing_from_its_child() {
    alone("closes_before_its_child");
}

/// Without locks of its own the child would not be noticed, and its journal deleted.
#[test]
#[ignore = "run by a_parent_that_closes_takes_nothing_from_its_child"]
fn closes_before_its_child() {
    use std::io::{Read, Write, pipe};
    let (_home, path) = place();
    let store = open(&path);
    block(common::running(&store, Some("parent")));
    let (mut is_open, mut opened) = pipe().unwrap();
    let (mut may_write, mut closed) = pipe().unwrap();
    let closing = std::thread::spawn(move || {
        is_open.read_exact(&mut [0]).unwrap();
        block(store.close()).unwrap();
        closed.write_all(&[0]).unwrap();
    });
    let code = fork(|| {
        let own = open(&path);
        block(common::running(&own, Some("before")));
        opened.write_all(&[0]).unwrap();
        may_write.read_exact(&mut [0]).unwrap();
        block(common::running(&own, Some("after")));
        // It ends without closing, so what it wrote is in the journal only.
        0
    });
    assert_eq!(code, 0);
    closing.join().unwrap();
    let store = open(&path);
    for name in ["parent", "before", "after"] {
        assert!(block(store.sandbox_by_name(name)).unwrap().is_some(), "{name} is lost");
    }
}

#[test]
fn forks_amid_new_ids_hang_nobody() {
    alone("forks_amid_ids");
}

/// No lock of another thread may be in the way of what a child does first, which is to name something.
#[test]
#[ignore = "run by forks_amid_new_ids_hang_nobody"]
fn forks_amid_ids() {
    let stop = Arc::new(AtomicBool::new(false));
    let namers: Vec<_> = (0..3)
        .map(|_| {
            let stop = stop.clone();
            std::thread::spawn(move || {
                while !stop.load(Relaxed) {
                    SandboxId::generate();
                }
            })
        })
        .collect();
    for _ in 0..300 {
        let before = SandboxId::generate();
        let code = fork(|| i32::from(SandboxId::generate() <= before));
        assert_eq!(code, 0);
    }
    stop.store(true, Relaxed);
    namers.into_iter().for_each(|namer| namer.join().unwrap());
}

#[test]
fn forks_amid_writes_hang_nobody_and_lose_nothing() {
    alone("forks_amid_writes");
}

#[test]
#[ignore = "run by forks_amid_writes_hang_nobody_and_lose_nothing"]
fn forks_amid_writes() {
    let (_home, path) = place();
    let store = open(&path);
    let stop = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..2)
        .map(|_| {
            let (store, stop) = (store.clone(), stop.clone());
            std::thread::spawn(move || {
                let mut made = 0;
                while !stop.load(Relaxed) {
                    block(common::running(&store, None));
                    made += 1;
                }
                made
            })
        })
        .collect();
    let (mut opened, mut refused) = (0, 0);
    for _ in 0..40 {
        let code = fork(|| {
            let own = match block(SqliteStore::open(&path, Options::default())) {
                Ok(own) => Arc::new(own) as Books,
                Err(error) if error.code() == ErrorCode::InvalidState => return 3,
                Err(error) => panic!("{error}"),
            };
            block(common::running(&own, None));
            0
        });
        match code {
            0 => opened += 1,
            3 => refused += 1,
            other => panic!("a child ended with {other}"),
        }
    }
    stop.store(true, Relaxed);
    let made: u64 = writers.into_iter().map(|writer| writer.join().unwrap()).sum();
    println!("{made} made beside 40 forks, of which {opened} opened the file and {refused} were refused");
    assert!(opened > 0, "a fork waits for a moment without a transaction");
    assert_eq!(block(store.stats()).unwrap().live_sandboxes, made + opened);
    assert_eq!(block(store.stats()).unwrap().events, 4 * (made + opened));
    block(store.close()).unwrap();
}
