//! Trees that somebody changes while they are read or written.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{open, unpacked};
use isobox_tree::{CopyOptions, PackOptions, copy, pack, remove};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::symlink;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use tempfile::tempdir;

const SECRET: &[u8] = b"the secret beyond";

/// Repeats `disturb` without a pause while `work` runs.
fn while_disturbed<T>(disturb: impl Fn() + Sync, work: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                disturb();
            }
        });
        let result = catch_unwind(AssertUnwindSafe(work));
        stop.store(true, Ordering::Relaxed);
        result.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

fn exchange(left: &Path, right: &Path) {
    renameat_with(CWD, left, CWD, right, RenameFlags::EXCHANGE).unwrap();
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
        let (root, left, right) = (arena.path().join("root"), arena.path().join(inside), arena.path().join(outside));
        let (mut as_link, mut as_itself) = (0, 0);
        while_disturbed(
            || exchange(&left, &right),
            || {
                while as_link + as_itself < 20_000 && (as_link < 500 || as_itself < 500) {
                    let mut stream = Vec::new();
                    pack(open(&root).as_fd(), &mut stream, &PackOptions::default()).unwrap();
                    assert!(!contains(&stream, SECRET));
                    *(if contains(&stream, b"outside") { &mut as_link } else { &mut as_itself }) += 1;
                }
            },
        );
        assert!(as_link > 0 && as_itself > 0, "no exchange was ever seen: {as_link} and {as_itself}");
    }
}

#[test]
fn a_link_that_is_swapped_in_is_never_followed_by_copy() {
    let arena = arena();
    let (left, right) = (arena.path().join("root/d"), arena.path().join("link-to-d"));
    let (parent, copied) = (open(arena.path()), arena.path().join("copy/d"));
    while_disturbed(
        || exchange(&left, &right),
        || {
            for _ in 0..400 {
                copy(parent.as_fd(), b"root", parent.as_fd(), b"copy", &CopyOptions::default()).unwrap();
                let is_link = fs::symlink_metadata(&copied).is_ok_and(|meta| meta.is_symlink());
                assert!(is_link || fs::read(copied.join("inner")).ok() != Some(SECRET.to_vec()));
                remove(parent.as_fd(), b"copy").unwrap();
            }
        },
    );
}

#[test]
fn a_link_that_is_swapped_in_is_never_followed_by_unpack_and_remove() {
    let arena = arena();
    let (root, aside) = (arena.path().join("root"), arena.path().join("aside"));
    let mut stream = Vec::new();
    pack(open(&root).as_fd(), &mut stream, &PackOptions::default()).unwrap();
    // All of it may fail, as the other side makes and removes the same names.
    let plant = || {
        let _ = fs::rename(root.join("d"), &aside);
        let _ = symlink(arena.path().join("outside"), root.join("d"));
        let _ = fs::remove_file(root.join("d"));
        let _ = fs::rename(&aside, root.join("d"));
        let _ = fs::remove_dir_all(&aside);
    };
    let mut unpacked_at_all = 0;
    while_disturbed(plant, || {
        for _ in 0..800 {
            let _ = fs::create_dir(&root);
            unpacked_at_all += usize::from(unpacked(&root, &stream).is_ok());
            let _ = remove(open(arena.path()).as_fd(), b"root");
            assert_eq!(fs::read(arena.path().join("outside/inner")).unwrap(), SECRET);
        }
    });
    assert!(unpacked_at_all > 0);
    assert_eq!(fs::read_dir(arena.path().join("outside")).unwrap().count(), 1);
}

#[test]
fn entries_that_come_and_go_do_not_break_a_walk() {
    let (arena, target) = (arena(), tempdir().unwrap());
    let root = arena.path().join("root");
    let come_and_go = || {
        fs::create_dir_all(root.join("e/g")).unwrap();
        fs::write(root.join("e/g/h"), "short-lived").unwrap();
        fs::remove_dir_all(root.join("e")).unwrap();
    };
    while_disturbed(come_and_go, || {
        for _ in 0..500 {
            let mut stream = Vec::new();
            pack(open(&root).as_fd(), &mut stream, &PackOptions::default()).unwrap();
            unpacked(target.path(), &stream).unwrap();
        }
    });
    assert_eq!(fs::read(target.path().join("f")).unwrap(), b"allowed");
}

#[test]
fn a_tree_that_is_still_being_filled_is_removed_or_reported() {
    let (arena, number) = (tempdir().unwrap(), AtomicU64::new(0));
    fs::create_dir_all(arena.path().join("d/e")).unwrap();
    let parent = open(arena.path());
    let fill = || drop(fs::write(arena.path().join(format!("d/e/{}", number.fetch_add(1, Ordering::Relaxed))), ""));
    let result = while_disturbed(fill, || remove(parent.as_fd(), b"d"));
    if let Err(error) = result {
        assert_eq!(error.raw_os_error(), Some(rustix::io::Errno::NOTEMPTY.raw_os_error()), "{error}");
    }
    remove(parent.as_fd(), b"d").unwrap();
    assert!(!arena.path().join("d").exists());
}
