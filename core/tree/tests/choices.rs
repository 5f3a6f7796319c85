//! What a caller may choose: entries that are left out, modes that are sent, entries that are kept.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{chmod, forge::Forge, look, open, unpacked, unpacked_with};
use isobox_tree::{Error, PackOptions, Report, UnpackOptions, pack};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use tempfile::tempdir;

fn packed_with(root: &Path, options: &PackOptions) -> (Vec<u8>, Report) {
    let mut stream = Vec::new();
    let report = pack(open(root).as_fd(), &mut stream, options).unwrap();
    (stream, report)
}

fn excluding(patterns: &[&str]) -> PackOptions {
    PackOptions { exclude: patterns.iter().map(|&pattern| pattern.to_owned()).collect(), ..Default::default() }
}

fn paths(root: &Path) -> Vec<Vec<u8>> {
    look(root).into_keys().map(|path| path.as_os_str().as_bytes().to_vec()).filter(|path| !path.is_empty()).collect()
}

#[test]
fn excluded_entries_stay_behind_uncounted() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    for folder in ["src/deep", "target/debug", "a/target", "docs/build/x"] {
        fs::create_dir_all(from.path().join(folder)).unwrap();
    }
    for file in ["src/main.rs", "src/deep/x.tmp", "target/debug/t", "a/target/t", "docs/build/x/y", "top"] {
        fs::write(from.path().join(file), "12345").unwrap();
    }
    fs::write(from.path().join(OsStr::from_bytes(b"src/\xff.tmp")), "").unwrap();
    symlink("nowhere", from.path().join("l.tmp")).unwrap();
    rustix::fs::mkfifoat(open(from.path()), "fifo", rustix::fs::Mode::RWXU).unwrap();
    let options = excluding(&["*.tmp", "/target", "docs/**/x", "fifo"]);
    let (stream, sent) = packed_with(from.path(), &options);

    assert_eq!(unpacked(to.path(), &stream).unwrap(), sent);
    let expected: [&[u8]; 9] =
        [b"a", b"a/target", b"a/target/t", b"docs", b"docs/build", b"src", b"src/deep", b"src/main.rs", b"top"];
    assert_eq!(paths(to.path()), expected);
    let counts = (sent.entries, sent.directories, sent.files, sent.links, sent.bytes, sent.skipped_total);
    assert_eq!(counts, (9, 6, 3, 0, 15, 0));
    packed_with(from.path(), &PackOptions { max_entries: 9, max_depth: 3, ..options });
}

#[test]
fn an_excluded_directory_is_not_entered() {
    let from = tempdir().unwrap();
    let mut deep = from.path().join("out");
    (0..20).for_each(|_| deep.push("d"));
    fs::create_dir_all(&deep).unwrap();
    let options = PackOptions { max_depth: 1, ..excluding(&["out"]) };
    assert_eq!(packed_with(from.path(), &options).1, Report::default());
}

#[test]
fn a_file_is_sent_by_the_first_name_that_is_not_excluded() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    fs::write(from.path().join("a"), "contents").unwrap();
    fs::hard_link(from.path().join("a"), from.path().join("b")).unwrap();
    fs::hard_link(from.path().join("a"), from.path().join("c")).unwrap();
    let (stream, sent) = packed_with(from.path(), &excluding(&["a"]));
    assert_eq!((sent.entries, sent.files, sent.links), (2, 1, 0));
    unpacked(to.path(), &stream).unwrap();
    assert_eq!(paths(to.path()), [b"b", b"c"]);
    assert_eq!(look(to.path())[Path::new("c")].first.as_deref(), Some(Path::new("b")));
    assert_eq!(fs::read(to.path().join("c")).unwrap(), b"contents");
}

/// A place that nothing may be written to.
struct Untouched;

impl Write for Untouched {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        panic!("something was written")
    }

    fn flush(&mut self) -> io::Result<()> {
        panic!("something was written")
    }
}

#[test]
fn a_bad_pattern_is_refused_before_anything_is_read() {
    let no_directory = tempfile::tempfile().unwrap();
    for bad in ["", "/", "a\0b"] {
        match pack(no_directory.as_fd(), &mut Untouched, &excluding(&["fine", bad])) {
            Err(error @ Error::Pattern { .. }) => {
                assert!(error.to_string().starts_with("refused the pattern"), "{error}");
                assert_eq!(error.path(), None);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn chosen_modes_are_sent_instead_of_the_entries_own() {
    let from = tempdir().unwrap();
    fs::create_dir(from.path().join("d")).unwrap();
    fs::write(from.path().join("d/f"), "").unwrap();
    symlink("d", from.path().join("l")).unwrap();
    let modes = |file_mode, directory_mode| {
        let to = tempdir().unwrap();
        let options = PackOptions { file_mode, directory_mode, ..Default::default() };
        unpacked(to.path(), &packed_with(from.path(), &options).0).unwrap();
        assert_eq!(fs::read_link(to.path().join("l")).unwrap(), Path::new("d"));
        ["", "d", "d/f"].map(|path| fs::metadata(to.path().join(path)).unwrap().permissions().mode() & 0o7777)
    };
    chmod(&from.path().join("d/f"), 0o4711);
    chmod(&from.path().join("d"), 0o751);
    chmod(from.path(), 0o715);
    assert_eq!(modes(None, None), [0o715, 0o751, 0o711]);
    assert_eq!(modes(Some(0o640), None), [0o715, 0o751, 0o640]);
    assert_eq!(modes(None, Some(0o1770)), [0o1770, 0o1770, 0o711]);
    assert_eq!(modes(Some(0o100_600), Some(0o040_700)), [0o700, 0o700, 0o600]);
}

#[test]
fn existing_entries_are_kept_when_asked() {
    let streams = [
        Forge::new().directory(b"d").file(b"d/x", b"new").end(),
        Forge::new().directory(b"d").symlink(b"d/x", b"new").end(),
        Forge::new().directory(b"d").directory(b"d/x").end(),
        Forge::new().file(b"a", b"new").directory(b"d").hard_link(b"d/x", b"a").end(),
    ];
    let makers: [fn(&Path); 3] = [
        |path| fs::write(path, "old").unwrap(),
        |path| symlink("old", path).unwrap(),
        |path| rustix::fs::mkfifoat(rustix::fs::CWD, path, rustix::fs::Mode::RWXU).unwrap(),
    ];
    for (stream, make) in streams.iter().flat_map(|stream| makers.map(|make| (stream, make))) {
        let to = tempdir().unwrap();
        fs::create_dir(to.path().join("d")).unwrap();
        make(&to.path().join("d/x"));
        let before = look(to.path())[Path::new("d/x")].clone();
        let options = UnpackOptions { keep_existing: true, ..Default::default() };
        match unpacked_with(to.path(), stream, &options) {
            Err(Error::Conflict { path, .. }) => assert_eq!(path, b"d/x"),
            other => panic!("{other:?}"),
        }
        assert_eq!(look(to.path())[Path::new("d/x")], before);
        unpacked(to.path(), stream).unwrap();
        assert_ne!(look(to.path())[Path::new("d/x")], before);
    }
}

#[test]
fn what_is_in_nobodys_way_arrives_beside_what_is_kept() {
    let to = tempdir().unwrap();
    fs::create_dir(to.path().join("d")).unwrap();
    fs::write(to.path().join("d/old"), "old").unwrap();
    let stream = Forge::new().file(b"a", b"new").directory(b"d").hard_link(b"d/b", b"a").symlink(b"l", b"a").end();
    let options = UnpackOptions { keep_existing: true, ..Default::default() };
    let report = unpacked_with(to.path(), &stream, &options).unwrap();
    assert_eq!((report.entries, report.directories, report.files, report.links), (4, 1, 1, 1));
    assert_eq!(paths(to.path()), [&b"a"[..], b"d", b"d/b", b"d/old", b"l"]);
}
