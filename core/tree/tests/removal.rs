//! Removing trees, whatever they are like.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{open, running_as_root};
use isobox_tree::{Error, remove, remove_contents};
use rustix::fs::{IFlags, Mode, OFlags, ioctl_setflags, mkdirat, openat};
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use tempfile::{TempDir, tempdir};

/// Removes one name, and nothing beside it.
fn gone(arena: &TempDir, name: &str) {
    fs::create_dir_all(arena.path().join("beside/inner")).unwrap();
    remove(open(arena.path()).as_fd(), name.as_bytes()).unwrap();
    assert!(fs::symlink_metadata(arena.path().join(name)).is_err(), "{name} is still there");
    assert!(arena.path().join("beside/inner").is_dir(), "more than {name} was removed");
}

#[test]
fn every_kind_is_removed_and_a_missing_one_is_fine() {
    let arena = tempdir().unwrap();
    let path = |name: &str| arena.path().join(name);
    fs::create_dir_all(path("tree/a/b")).unwrap();
    fs::write(path("tree/a/file"), "x").unwrap();
    symlink("/etc", path("tree/a/link")).unwrap();
    rustix::fs::mkfifoat(open(&path("tree")), "fifo", Mode::RWXU).unwrap();
    drop(UnixListener::bind(path("tree/socket")).unwrap());
    fs::write(path("file"), "x").unwrap();
    symlink("tree", path("link")).unwrap();
    for name in ["link", "file", "missing", "tree", "tree"] {
        gone(&arena, name);
    }
}

#[test]
fn links_are_not_followed() {
    let arena = tempdir().unwrap();
    fs::create_dir_all(arena.path().join("outside/kept")).unwrap();
    fs::create_dir(arena.path().join("tree")).unwrap();
    symlink("../outside", arena.path().join("tree/link")).unwrap();
    gone(&arena, "tree");
    assert!(arena.path().join("outside/kept").is_dir());
}

#[test]
fn names_that_are_not_single_names_are_refused() {
    let arena = tempdir().unwrap();
    fs::create_dir_all(arena.path().join("a/b")).unwrap();
    for name in [&b""[..], b".", b"..", b"a/b", b"/", b"a\0"] {
        let error = remove(open(&arena.path().join("a")).as_fd(), name).unwrap_err();
        assert!(matches!(error, Error::Unsafe { .. }), "{error:?}");
    }
    assert!(arena.path().join("a/b").is_dir());
}

#[test]
fn wide_directories_are_removed() {
    let arena = tempdir().unwrap();
    for number in 0..5000 {
        let inner = arena.path().join(format!("wide/{number:0100}"));
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("f"), "").unwrap();
    }
    gone(&arena, "wide");
}

#[test]
fn the_contents_go_and_the_directory_stays() {
    let arena = tempdir().unwrap();
    fs::create_dir_all(arena.path().join("d/a/b")).unwrap();
    (0..3000).for_each(|number| fs::write(arena.path().join(format!("d/{number}")), "").unwrap());
    remove_contents(open(&arena.path().join("d")).as_fd()).unwrap();
    assert_eq!(fs::read_dir(arena.path().join("d")).unwrap().count(), 0);
    remove_contents(open(&arena.path().join("d")).as_fd()).unwrap();
}

fn dig(arena: &TempDir, levels: usize) {
    let name = "d".repeat(20);
    let mut folder: OwnedFd = open(arena.path()).into();
    for _ in 0..levels {
        mkdirat(&folder, &*name, Mode::RWXU).unwrap();
        folder = openat(&folder, &*name, OFlags::DIRECTORY, Mode::empty()).unwrap();
        drop(openat(&folder, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR).unwrap());
    }
}

#[test]
fn a_very_deep_tree_needs_neither_stack_nor_descriptors() {
    let arena = tempdir().unwrap();
    dig(&arena, 10_000);
    let before = fs::read_dir("/proc/self/fd").unwrap().count();
    let limit = rustix::process::Rlimit { current: Some(before as u64 + 150), maximum: None };
    let maximum = rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum;
    rustix::process::setrlimit(rustix::process::Resource::Nofile, rustix::process::Rlimit { maximum, ..limit })
        .unwrap();
    let parent = open(arena.path());
    let thread = std::thread::Builder::new().stack_size(64 << 10);
    let removed = thread.spawn(move || remove(parent.as_fd(), "d".repeat(20).as_bytes())).unwrap();
    removed.join().unwrap().unwrap();
    assert_eq!(fs::read_dir(arena.path()).unwrap().count(), 0);
}

#[test]
fn what_cannot_be_removed_is_named_and_the_rest_is_removed() {
    let arena = tempdir().unwrap();
    fs::create_dir_all(arena.path().join("tree/a/b")).unwrap();
    for path in ["tree/a/b/fixed", "tree/a/b/c", "tree/a/d", "tree/e"] {
        fs::write(arena.path().join(path), "").unwrap();
    }
    let fixed = open(&arena.path().join("tree/a/b/fixed"));
    if let Err(error) = ioctl_setflags(&fixed, IFlags::IMMUTABLE) {
        println!("cannot make a file immutable here ({error}): not tested");
        return;
    }
    let result = remove(open(arena.path()).as_fd(), b"tree");
    let left: Vec<_> =
        common::look(&arena.path().join("tree")).into_keys().map(|path| path.display().to_string()).collect();
    ioctl_setflags(&fixed, IFlags::empty()).unwrap();
    let error = result.unwrap_err();
    assert_eq!(error.path(), Some(&b"tree/a/b/fixed"[..]));
    assert_eq!(error.raw_os_error(), Some(rustix::io::Errno::PERM.raw_os_error()));
    assert_eq!(left, ["", "a", "a/b", "a/b/fixed"]);
    gone(&arena, "tree");
}

#[test]
fn a_deep_failure_ends() {
    let arena = tempdir().unwrap();
    dig(&arena, 300);
    let mut folder: OwnedFd = open(arena.path()).into();
    for _ in 0..300 {
        folder = openat(&folder, &*"d".repeat(20), OFlags::DIRECTORY, Mode::empty()).unwrap();
    }
    let fixed = openat(&folder, "file", OFlags::RDONLY, Mode::empty()).unwrap();
    if let Err(error) = ioctl_setflags(&fixed, IFlags::IMMUTABLE) {
        println!("cannot make a file immutable here ({error}): not tested");
        return;
    }
    let result = remove(open(arena.path()).as_fd(), "d".repeat(20).as_bytes());
    ioctl_setflags(&fixed, IFlags::empty()).unwrap();
    assert!(result.unwrap_err().path().unwrap().ends_with(b"/file"));
    gone(&arena, &"d".repeat(20));
}

#[test]
fn a_mount_in_the_tree_is_not_emptied() {
    let arena = tempdir().unwrap();
    fs::create_dir_all(arena.path().join("tree/a/mount")).unwrap();
    fs::create_dir(arena.path().join("data")).unwrap();
    fs::write(arena.path().join("data/precious"), "").unwrap();
    let mount = arena.path().join("tree/a/mount");
    if !running_as_root() || rustix::mount::mount_bind(arena.path().join("data"), &mount).is_err() {
        println!("cannot mount here: not tested");
        return;
    }
    let results =
        [remove(open(arena.path()).as_fd(), b"tree"), remove(open(&arena.path().join("tree/a")).as_fd(), b"mount")];
    rustix::mount::unmount(&mount, rustix::mount::UnmountFlags::DETACH).unwrap();
    for result in results {
        assert_eq!(result.unwrap_err().raw_os_error(), Some(rustix::io::Errno::BUSY.raw_os_error()));
    }
    assert!(arena.path().join("data/precious").exists());
    gone(&arena, "tree");
}
