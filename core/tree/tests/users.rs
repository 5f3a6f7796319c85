//! The same without rights and with a narrow umask, which this whole program has.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{chmod, forge::Forge, look, open, packed, rich, running_as_root, unpacked};
use isobox_tree::{CopyOptions, PackOptions, copy, pack, remove};
use rustix::fs::Mode;
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use tempfile::tempdir;

const NOBODY: u32 = 65534;

/// Runs on a thread of its own with umask 077 and, when this program is root, as nobody; in a directory of that user.
fn as_nobody(work: impl FnOnce(PathBuf) + Send) {
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let arena = tempdir().unwrap();
    std::thread::scope(|scope| {
        let path = arena.path().to_path_buf();
        let root = running_as_root();
        if root {
            std::os::unix::fs::chown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let thread = scope.spawn(move || {
            if root {
                let (user, group) = (rustix::thread::Uid::from_raw(NOBODY), rustix::thread::Gid::from_raw(NOBODY));
                rustix::thread::set_thread_groups(&[]).unwrap();
                rustix::thread::set_thread_res_gid(group, group, group).unwrap();
                rustix::thread::set_thread_res_uid(user, user, user).unwrap();
                assert!(fs::read("/etc/shadow").is_err(), "still has the rights of root");
            }
            work(path);
        });
        thread.join().unwrap();
    });
}

#[test]
fn a_rich_tree_arrives_and_goes() {
    as_nobody(|arena| {
        let (from, to) = (arena.join("from"), arena.join("to"));
        fs::create_dir(&from).unwrap();
        fs::create_dir(&to).unwrap();
        rich(&from);
        // Its owner could not read it.
        chmod(&from.join("d/zero"), 0o400);
        let before = look(&from);
        unpacked(&to, &packed(&from).0).unwrap();
        assert_eq!(look(&to), before);
        copy(open(&arena).as_fd(), b"from", open(&arena).as_fd(), b"copy", &CopyOptions::default()).unwrap();
        assert_eq!(look(&arena.join("copy")), before);
        for name in [&b"from"[..], b"to", b"copy"] {
            remove(open(&arena).as_fd(), name).unwrap();
        }
        assert_eq!(fs::read_dir(&arena).unwrap().count(), 0);
    });
}

#[test]
fn modes_do_not_depend_on_the_umask() {
    as_nobody(|arena| {
        let stream = Forge::new().directory(b"d").file(b"d/f", b"x").end();
        unpacked(&arena, &stream).unwrap();
        let mode = |name| fs::metadata(arena.join(name)).unwrap().mode() & 0o7777;
        assert_eq!(["", "d", "d/f"].map(mode), [0o755, 0o755, 0o644]);
    });
}

#[test]
fn directories_without_rights_are_removed_and_merged_by_their_owner() {
    as_nobody(|arena| {
        for (number, mode) in [0o000, 0o100, 0o200, 0o400, 0o500, 0o600].into_iter().enumerate() {
            let folder = arena.join(format!("tree/{number}/locked"));
            fs::create_dir_all(folder.join("inner/deep")).unwrap();
            fs::write(folder.join("file"), "x").unwrap();
            chmod(&folder, mode);
        }
        chmod(&arena.join("tree/0"), 0);
        remove(open(&arena).as_fd(), b"tree").unwrap();
        assert!(!arena.join("tree").exists());

        fs::create_dir(arena.join("d")).unwrap();
        chmod(&arena.join("d"), 0);
        unpacked(&arena, &Forge::new().directory(b"d").file(b"d/f", b"x").end()).unwrap();
        assert_eq!(fs::read(arena.join("d/f")).unwrap(), b"x");
    });
}

#[test]
fn what_may_not_be_read_or_removed_is_named() {
    as_nobody(|arena| {
        fs::write(arena.join("unreadable"), "x").unwrap();
        chmod(&arena.join("unreadable"), 0);
        let denied = Some(rustix::io::Errno::ACCESS.raw_os_error());
        let error = pack(open(&arena).as_fd(), &mut Vec::new(), &PackOptions::default()).unwrap_err();
        assert_eq!((error.path(), error.raw_os_error()), (Some(&b"unreadable"[..]), denied));
        fs::create_dir_all(arena.join("parent/kept")).unwrap();
        chmod(&arena.join("parent"), 0o555);
        let error = remove(open(&arena.join("parent")).as_fd(), b"kept").unwrap_err();
        assert_eq!((error.path(), error.raw_os_error()), (Some(&b"kept"[..]), denied));
        chmod(&arena.join("parent"), 0o755);
    });
}
