//! Copies are like their originals.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{chmod, look, open, rich, running_as_root};
use isobox_tree::{CopyOptions, Error, Ownership, Report, SkipReason, copy};
use rustix::fs::{FileType, Mode, XattrFlags, fsetxattr, mknodat};
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use tempfile::tempdir;

fn copied(arena: &Path, from: &str, to: &str, options: &CopyOptions) -> Result<Report, Error> {
    copy(open(arena).as_fd(), from.as_bytes(), open(arena).as_fd(), to.as_bytes(), options)
}

#[test]
fn a_rich_tree_is_copied_unchanged() {
    let arena = tempdir().unwrap();
    fs::create_dir(arena.path().join("from")).unwrap();
    rich(&arena.path().join("from"));
    rustix::fs::mkfifoat(open(&arena.path().join("from")), "fifo", Mode::RUSR).unwrap();
    drop(UnixListener::bind(arena.path().join("from/socket")).unwrap());
    common::touch(&arena.path().join("from"), 86_400, 1);
    let report = copied(arena.path(), "from", "to", &CopyOptions::default()).unwrap();
    assert_eq!(report.skipped_total, 1);
    assert_eq!((report.skipped[0].path.as_slice(), report.skipped[0].reason), (&b"to/socket"[..], SkipReason::Socket));
    fs::remove_file(arena.path().join("from/socket")).unwrap();
    common::touch(&arena.path().join("from"), 86_400, 1);
    let (from, to) = (look(&arena.path().join("from")), look(&arena.path().join("to")));
    assert_eq!(to, from);
    assert_eq!(report.entries as usize, from.len());
    assert_eq!((report.directories, report.files, report.links), (4, 7, 5));
    assert_eq!(report.entries, 4 + 7 + 5 + 3, "two further hard links and the fifo count as entries only");
    assert!(fs::metadata(arena.path().join("to/sparse")).unwrap().blocks() < 4096, "the holes were filled");
    for name in ["from/d", "to/d"] {
        chmod(&arena.path().join(name), 0o755);
    }
}

#[test]
fn between_file_systems_contents_go_through_memory() {
    let (arena, other) = (tempdir().unwrap(), tempfile::tempdir_in("/dev/shm"));
    let Ok(other) = other else {
        println!("no /dev/shm: not tested");
        return;
    };
    fs::write(arena.path().join("f"), (0..3_000_000_u32).map(|n| n as u8).collect::<Vec<_>>()).unwrap();
    let report =
        copy(open(arena.path()).as_fd(), b"f", open(other.path()).as_fd(), b"g", &CopyOptions::default()).unwrap();
    assert_eq!((report.entries, report.files, report.bytes), (1, 1, 3_000_000));
    assert!(fs::read(other.path().join("g")).unwrap() == fs::read(arena.path().join("f")).unwrap());
}

#[test]
fn single_entries_are_copied_as_what_they_are() {
    let arena = tempdir().unwrap();
    symlink("/etc/passwd", arena.path().join("link")).unwrap();
    fs::write(arena.path().join("file"), "x").unwrap();
    symlink("file", arena.path().join("in-the-way")).unwrap();
    copied(arena.path(), "link", "link2", &CopyOptions::default()).unwrap();
    copied(arena.path(), "link", "in-the-way", &CopyOptions::default()).unwrap();
    assert_eq!(fs::read_link(arena.path().join("link2")).unwrap(), Path::new("/etc/passwd"));
    assert_eq!(fs::read_link(arena.path().join("in-the-way")).unwrap(), Path::new("/etc/passwd"));
    assert_eq!(fs::read(arena.path().join("file")).unwrap(), b"x");
    let missing = copied(arena.path(), "missing", "x", &CopyOptions::default()).unwrap_err();
    assert_eq!(missing.raw_os_error(), Some(rustix::io::Errno::NOENT.raw_os_error()));
}

#[test]
fn a_copy_into_itself_is_a_conflict_and_does_no_harm() {
    let arena = tempdir().unwrap();
    fs::create_dir_all(arena.path().join("a/b")).unwrap();
    fs::write(arena.path().join("a/f"), "kept").unwrap();
    let into =
        copy(open(arena.path()).as_fd(), b"a", open(&arena.path().join("a/b")).as_fd(), b"c", &CopyOptions::default());
    let onto = copied(arena.path(), "a", "a", &CopyOptions::default());
    for result in [into, onto] {
        assert!(matches!(result, Err(Error::Conflict { .. })), "{result:?}");
    }
    assert_eq!(fs::read(arena.path().join("a/f")).unwrap(), b"kept");
}

#[test]
fn limits_hold() {
    let arena = tempdir().unwrap();
    fs::create_dir(arena.path().join("a")).unwrap();
    fs::write(arena.path().join("a/f"), vec![1; 10_000]).unwrap();
    fs::write(arena.path().join("a/g"), vec![1; 10_000]).unwrap();
    let limits = |max_bytes| copied(arena.path(), "a", "b", &CopyOptions { max_bytes, ..Default::default() });
    assert!(matches!(limits(19_999), Err(Error::Limit { what: "bytes", .. })));
    assert_eq!(limits(20_000).unwrap().bytes, 20_000);
    let entries = copied(arena.path(), "a", "b", &CopyOptions { max_entries: 1, ..Default::default() });
    assert!(matches!(entries, Err(Error::Limit { what: "entries", .. })));
}

#[test]
fn the_layer_of_an_overlay_is_copied_exactly() {
    if !running_as_root() {
        println!("not root: no layer to copy");
        return;
    }
    let arena = tempdir().unwrap();
    let layer = arena.path().join("upper");
    fs::create_dir_all(layer.join("opaque")).unwrap();
    fs::write(layer.join("f"), "x").unwrap();
    rustix::fs::chownat(open(&layer), "f", Some(uid(123)), Some(gid(456)), rustix::fs::AtFlags::empty()).unwrap();
    chmod(&layer.join("f"), 0o4755);
    mknodat(open(&layer), "whiteout", FileType::CharacterDevice, Mode::empty(), 0).unwrap();
    let opaque = fsetxattr(open(&layer.join("opaque")), "trusted.overlay.opaque", b"y", XattrFlags::empty());
    copied(arena.path(), "upper", "copy", &CopyOptions::exact()).unwrap();
    let copy = arena.path().join("copy");
    let meta = fs::metadata(copy.join("f")).unwrap();
    assert_eq!((meta.uid(), meta.gid(), meta.mode() & 0o7777), (123, 456, 0o4755));
    assert_eq!(fs::symlink_metadata(copy.join("whiteout")).unwrap().rdev(), 0);
    assert_eq!(look(&copy)[Path::new("whiteout")].kind, "other");
    match opaque {
        Ok(()) => {
            let mut value = [0; 8];
            let length =
                rustix::fs::fgetxattr(open(&copy.join("opaque")), "trusted.overlay.opaque", &mut value).unwrap();
            assert_eq!(&value[..length], b"y");
        }
        Err(error) => println!("no trusted attributes here ({error}): not tested"),
    }
    let given = CopyOptions { owner: Ownership::Set(7, 8), ..Default::default() };
    copied(arena.path(), "upper", "given", &given).unwrap();
    let meta = fs::metadata(arena.path().join("given/f")).unwrap();
    assert_eq!((meta.uid(), meta.gid(), meta.mode() & 0o7777), (7, 8, 0o755));
}

fn uid(raw: u32) -> rustix::fs::Uid {
    rustix::fs::Uid::from_raw(raw)
}

fn gid(raw: u32) -> rustix::fs::Gid {
    rustix::fs::Gid::from_raw(raw)
}
