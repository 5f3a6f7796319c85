//! Trees that somebody changes while they are read or written.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{open, unpacked};
use isobox_tree::{CopyOptions, PackOptions, copy, pack, remove};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tempfile::tempdir;

const SECRET: &[u8] = b"the secret beyond";

/// Exchanges two names without a pause while `work` runs.
fn while_exchanging<T>(left: &Path, right: &Path, work: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                renameat_with(CWD, left, CWD, right, RenameFlags::EXCHANGE).unwrap();
            }
        });
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        stop.store(true, Ordering::Relaxed);
        result.unwrap()
    })
}

fn contains(stream: &[u8], needle: &[u8]) -> bool {
    stream.windows(needle.len()).any(|window| window == needle)
}

/// A directory and a file inside, links to a directory and a file outside to exchange them with.
fn arena() -> tempfile::TempDir {
    let arena = tempdir().unwrap();
    fs::create_dir_all(arena.path().join("root/d")).unwrap();
    fs::create_dir(arena.path().join("outside")).unwrap();
    fs::write(arena.path().join("outside/inner"), SECRET).unwrap();
    fs::write(arena.path().join("root/d/inner"), "allowed").unwrap();
    fs::write(arena.path().join("root/f"), "allowed").unwrap();
    symlink(arena.path().join("outside"), arena.path().join("link-to-d")).unwrap();
    symlink(arena.path().join("outside/inner"), arena.path().join("link-to-f")).unwrap();
    arena
}

#[test]
fn a_link_that_is_swapped_in_is_never_followed_by_pack() {
    for (inside, outside) in [("root/d", "link-to-d"), ("root/f", "link-to-f")] {
        let arena = arena();
        let root = arena.path().join("root");
        let (mut as_link, mut as_itself) = (0, 0);
        while_exchanging(&arena.path().join(inside), &arena.path().join(outside), || {
            while as_link + as_itself < 20_000 && (as_link < 500 || as_itself < 500) {
                let mut stream = Vec::new();
                pack(open(&root).as_fd(), &mut stream, &PackOptions::default()).unwrap();
                assert!(!contains(&stream, SECRET));
                *(if contains(&stream, b"outside") { &mut as_link } else { &mut as_itself }) += 1;
            }
        });
        assert!(as_link > 0 && as_itself > 0, "no exchange was ever seen: {as_link} and {as_itself}");
    }
}

#[test]
fn a_link_that_is_swapped_in_is_never_followed_by_unpack_copy_and_remove() {
    let arena = arena();
    let root = arena.path().join("root");
    let mut stream = Vec::new();
    pack(open(&root).as_fd(), &mut stream, &PackOptions::default()).unwrap();
    let parent = open(arena.path());
    while_exchanging(&root.join("d"), &arena.path().join("link-to-d"), || {
        for _ in 0..200 {
            // It may fail when the directory is away, but must not write outside.
            let _ = unpacked(&root, &stream);
            let _ = copy(parent.as_fd(), b"root", parent.as_fd(), b"copy", &CopyOptions::default());
            if let Ok(inner) = fs::read(arena.path().join("copy/d/inner")) {
                assert!(inner != SECRET || fs::symlink_metadata(arena.path().join("copy/d")).unwrap().is_symlink());
            }
            remove(parent.as_fd(), b"copy").unwrap();
            assert_eq!(fs::read(arena.path().join("outside/inner")).unwrap(), SECRET);
        }
    });
    assert_eq!(fs::read_dir(arena.path().join("outside")).unwrap().count(), 1);
}

#[test]
fn entries_that_come_and_go_do_not_break_a_walk() {
    let arena = arena();
    let root = arena.path().join("root");
    let (stop, target) = (AtomicBool::new(false), tempdir().unwrap());
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                fs::create_dir_all(root.join("e/g")).unwrap();
                fs::write(root.join("e/g/h"), "short-lived").unwrap();
                fs::remove_dir_all(root.join("e")).unwrap();
            }
        });
        let packs = || {
            for _ in 0..500 {
                let mut stream = Vec::new();
                pack(open(&root).as_fd(), &mut stream, &PackOptions::default()).unwrap();
                unpacked(target.path(), &stream).unwrap();
            }
        };
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(packs));
        stop.store(true, Ordering::Relaxed);
        result.unwrap();
    });
    assert_eq!(fs::read(target.path().join("f")).unwrap(), b"allowed");
}

#[test]
fn a_tree_that_is_still_being_filled_is_removed_or_reported() {
    let arena = tempdir().unwrap();
    fs::create_dir_all(arena.path().join("d/e")).unwrap();
    let (stop, parent) = (AtomicBool::new(false), open(arena.path()));
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut number = 0_u64;
            while !stop.load(Ordering::Relaxed) {
                number += 1;
                let _ = fs::write(arena.path().join(format!("d/e/{number}")), "");
            }
        });
        let result = remove(parent.as_fd(), b"d");
        stop.store(true, Ordering::Relaxed);
        if let Err(error) = result {
            assert_eq!(error.raw_os_error(), Some(rustix::io::Errno::NOTEMPTY.raw_os_error()), "{error}");
        }
    });
    remove(parent.as_fd(), b"d").unwrap();
    assert!(!arena.path().join("d").exists());
}
