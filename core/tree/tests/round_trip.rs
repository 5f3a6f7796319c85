//! What is packed arrives as it was.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{chmod, forge::Forge, look, open, packed, rich, running_as_root, touch, unpacked, unpacked_with};
use isobox_tree::{Error, Links, PackOptions, SkipReason, UnpackOptions, pack};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use tempfile::tempdir;

#[test]
fn a_rich_tree_arrives_unchanged() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    rich(from.path());
    let before = look(from.path());
    let (stream, sent) = packed(from.path());
    let received = unpacked(to.path(), &stream).unwrap();

    assert_eq!(look(to.path()), before);
    assert_eq!(sent, received);
    assert_eq!(sent.entries as usize, before.len() - 1);
    assert_eq!((sent.directories, sent.files, sent.links, sent.skipped_total), (3, 7, 5, 0));
    assert_eq!(sent.entries, 3 + 7 + 5 + 2, "two further hard links count as entries only");
    assert!(fs::metadata(to.path().join("sparse")).unwrap().blocks() < 4096, "the holes were filled");
    assert!(stream.len() < 3 << 20, "the holes were sent: {} bytes", stream.len());
    chmod(&from.path().join("d"), 0o755);
    chmod(&to.path().join("d"), 0o755);
}

#[test]
fn the_format_is_the_documented_one() {
    let from = tempdir().unwrap();
    fs::create_dir(from.path().join("d")).unwrap();
    fs::write(from.path().join("d/f"), "data").unwrap();
    symlink("d", from.path().join("l")).unwrap();
    fs::hard_link(from.path().join("d/f"), from.path().join("z")).unwrap();
    chmod(&from.path().join("d/f"), 0o644);
    touch(&from.path().join("d/f"), 1, 2);
    for folder in [from.path().join("d"), from.path().to_path_buf()] {
        chmod(&folder, 0o755);
        touch(&folder, 1, 2);
    }
    let (stream, _) = packed(from.path());
    let before_link = Forge::new().directory(b"d").file(b"d/f", b"data").cut();
    assert_eq!(stream[..before_link.len()], before_link);
    let end = Forge::bare().hard_link(b"z", b"d/f").end_with(4, 4);
    assert!(stream.ends_with(&end[8..]));
}

#[test]
fn ten_thousand_files_arrive() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    for folder in 0..100 {
        let folder = from.path().join(format!("folder-{folder}"));
        fs::create_dir(&folder).unwrap();
        (0..100).for_each(|file| fs::write(folder.join(format!("file-{file}")), format!("contents {file}")).unwrap());
    }
    let (stream, sent) = packed(from.path());
    assert_eq!((sent.entries, sent.files), (10_100, 10_000));
    assert_eq!(unpacked(to.path(), &stream).unwrap(), sent);
    assert_eq!(look(to.path()), look(from.path()));
}

#[test]
fn a_tree_deeper_than_the_open_descriptors_arrives() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    let mut path = from.path().to_path_buf();
    for level in 0..300 {
        path.push("d");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("z"), level.to_string()).unwrap();
    }
    for folder in path.ancestors().take(300) {
        touch(folder, 1_000_000, 7);
        chmod(folder, 0o755);
    }
    let before = look(from.path());
    unpacked(to.path(), &packed(from.path()).0).unwrap();
    assert_eq!(look(to.path()), before);
}

#[test]
fn an_empty_tree_arrives_with_the_attributes_of_its_root() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    chmod(from.path(), 0o1705);
    touch(from.path(), 77, 88);
    let (stream, report) = packed(from.path());
    assert_eq!(report.entries, 0);
    unpacked(to.path(), &stream).unwrap();
    assert_eq!(look(to.path()), look(from.path()));
}

#[test]
fn the_root_keeps_its_own_attributes_when_asked() {
    let to = tempdir().unwrap();
    chmod(to.path(), 0o1777);
    let stream = Forge::new().file(b"f", b"x").end();
    unpacked_with(to.path(), &stream, &UnpackOptions { keep_root: true, ..Default::default() }).unwrap();
    assert_eq!(fs::metadata(to.path()).unwrap().mode() & 0o7777, 0o1777);
}

#[test]
fn special_files_are_named_and_never_waited_for() {
    let from = tempdir().unwrap();
    rustix::fs::mkfifoat(open(from.path()), "fifo", rustix::fs::Mode::RWXU).unwrap();
    let _listener = UnixListener::bind(from.path().join("socket")).unwrap();
    fs::write(from.path().join("file"), "f").unwrap();
    let mut expected = vec![("fifo", SkipReason::Fifo), ("socket", SkipReason::Socket)];
    if running_as_root() {
        let (kind, null) = (rustix::fs::FileType::CharacterDevice, rustix::fs::makedev(1, 3));
        rustix::fs::mknodat(open(from.path()), "device", kind, rustix::fs::Mode::RWXU, null).unwrap();
        expected.insert(0, ("device", SkipReason::CharacterDevice));
    } else {
        println!("not root: no device among the special files");
    }
    let (_, report) = packed(from.path());
    let skipped: Vec<_> = report.skipped.iter().map(|one| (str::from_utf8(&one.path).unwrap(), one.reason)).collect();
    assert_eq!(skipped, expected);
    assert_eq!((report.entries, report.skipped_total), (1, expected.len() as u64));
}

#[test]
fn existing_entries_are_merged_or_replaced() {
    let to = tempdir().unwrap();
    fs::create_dir_all(to.path().join("d")).unwrap();
    fs::write(to.path().join("d/stays"), "old").unwrap();
    fs::write(to.path().join("d/replaced"), "a long old text").unwrap();
    fs::write(to.path().join("was-file"), "").unwrap();
    chmod(&to.path().join("d"), 0o500);
    let stream = Forge::new().directory(b"d").file(b"d/replaced", b"new").directory(b"was-file").end();
    unpacked(to.path(), &stream).unwrap();
    assert_eq!(fs::read(to.path().join("d/stays")).unwrap(), b"old");
    assert_eq!(fs::read(to.path().join("d/replaced")).unwrap(), b"new");
    assert!(to.path().join("was-file").is_dir());
    assert_eq!(fs::metadata(to.path().join("d")).unwrap().mode() & 0o7777, 0o755);
}

#[test]
fn a_directory_in_the_way_of_a_file_is_a_conflict() {
    let to = tempdir().unwrap();
    fs::create_dir(to.path().join("f")).unwrap();
    for stream in [Forge::new().file(b"f", b"x").end(), Forge::new().symlink(b"f", b"x").end()] {
        let error = unpacked(to.path(), &stream).unwrap_err();
        assert!(matches!(&error, Error::Conflict { path, .. } if path == b"f"), "{error}");
    }
}

#[test]
fn setid_bits_are_kept_only_when_asked() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    fs::write(from.path().join("f"), "x").unwrap();
    fs::create_dir(from.path().join("d")).unwrap();
    chmod(&from.path().join("f"), 0o6755);
    chmod(&from.path().join("d"), 0o3755);
    let (stream, _) = packed(from.path());
    let modes = || ["f", "d"].map(|name| fs::metadata(to.path().join(name)).unwrap().mode() & 0o7777);
    unpacked(to.path(), &stream).unwrap();
    assert_eq!(modes(), [0o755, 0o1755]);
    unpacked_with(to.path(), &stream, &UnpackOptions { keep_setid: true, ..Default::default() }).unwrap();
    assert_eq!(modes(), [0o6755, 0o3755]);
}

#[test]
fn new_entries_belong_to_the_owner_that_is_asked_for() {
    if !running_as_root() {
        println!("not root: cannot give files away");
        return;
    }
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    fs::create_dir_all(from.path().join("old/new")).unwrap();
    fs::write(from.path().join("old/f"), "x").unwrap();
    symlink("/etc/passwd", from.path().join("l")).unwrap();
    chmod(&from.path().join("old/f"), 0o4755);
    fs::create_dir(to.path().join("old")).unwrap();
    let options = UnpackOptions { owner: Some((1234, 5678)), keep_setid: true, ..Default::default() };
    let passwd = fs::metadata("/etc/passwd").unwrap();
    unpacked_with(to.path(), &packed(from.path()).0, &options).unwrap();
    let owner = |name| fs::symlink_metadata(to.path().join(name)).map(|meta| (meta.uid(), meta.gid())).unwrap();
    assert_eq!(["old/new", "old/f", "l"].map(owner), [(1234, 5678); 3]);
    assert_eq!(["", "old"].map(owner), [(0, 0); 2]);
    assert_eq!(fs::metadata(to.path().join("old/f")).unwrap().mode() & 0o7777, 0o4755);
    assert_eq!(fs::metadata("/etc/passwd").unwrap().uid(), passwd.uid());
}

#[test]
fn escaping_links_are_left_out_when_asked() {
    let to = tempdir().unwrap();
    let stream = Forge::new()
        .symlink(b"absolute", b"/etc")
        .directory(b"d")
        .symlink(b"d/inside", b"../x")
        .symlink(b"d/outside", b"../../x")
        .symlink(b"e", b"d/../..")
        .end();
    let report = unpacked_with(to.path(), &stream, &UnpackOptions { links: Links::Beneath, ..Default::default() });
    let report = report.unwrap();
    let skipped: Vec<_> = report.skipped.iter().map(|one| (one.path.as_slice(), one.reason)).collect();
    assert_eq!(skipped, [&b"absolute"[..], b"d/outside", b"e"].map(|path| (path, SkipReason::Escaping)));
    let names: Vec<_> = look(to.path()).into_keys().map(|path| path.display().to_string()).collect();
    assert_eq!(names, ["", "d", "d/inside"]);
    assert_eq!(report.entries, 2);
}

#[test]
fn limits_of_packing_are_typed() {
    let from = tempdir().unwrap();
    fs::create_dir_all(from.path().join("a/b/c")).unwrap();
    fs::write(from.path().join("f"), vec![1; 10_000]).unwrap();
    let limited = |options: PackOptions| match pack(open(from.path()).as_fd(), &mut Vec::new(), &options) {
        Err(Error::Limit { what, limit }) => (what, limit),
        other => panic!("{other:?}"),
    };
    assert_eq!(limited(PackOptions { max_entries: 3, ..Default::default() }), ("entries", 3));
    assert_eq!(limited(PackOptions { max_bytes: 9_999, ..Default::default() }), ("bytes", 9_999));
    assert_eq!(limited(PackOptions { max_depth: 2, ..Default::default() }), ("levels", 2));
    let exact = PackOptions { max_entries: 4, max_bytes: 10_000, max_depth: 3, ..Default::default() };
    pack(open(from.path()).as_fd(), &mut Vec::new(), &exact).unwrap();
}

/// Cuts a file when the first of its bytes arrive.
struct Cutter {
    stream: Vec<u8>,
    file: File,
}

impl Write for Cutter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.set_len(300 << 10)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_file_that_is_cut_meanwhile_leaves_a_whole_stream() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    fs::write(from.path().join("f"), vec![7; 2 << 20]).unwrap();
    fs::write(from.path().join("g"), "after").unwrap();
    let file = File::options().write(true).open(from.path().join("f")).unwrap();
    let mut cutter = Cutter { stream: Vec::new(), file };
    pack(open(from.path()).as_fd(), &mut cutter, &PackOptions::default()).unwrap();
    unpacked(to.path(), &cutter.stream).unwrap();
    let arrived = fs::read(to.path().join("f")).unwrap();
    assert!(arrived.len() < 2 << 20 && arrived.iter().all(|byte| *byte == 7), "{} bytes", arrived.len());
    assert_eq!(fs::read(to.path().join("g")).unwrap(), b"after");
}

/// Hands out one byte at a time and is sometimes interrupted.
struct Dribble<'a>(&'a [u8], bool);

impl Read for Dribble<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        self.1 = !self.1;
        if self.1 { Err(std::io::ErrorKind::Interrupted.into()) } else { self.0.read(&mut into[..1]) }
    }
}

#[test]
fn a_reader_of_single_bytes_is_enough() {
    let to = tempdir().unwrap();
    let stream = Forge::new().file(b"f", b"some data").symlink(b"l", b"f").end();
    isobox_tree::unpack(open(to.path()).as_fd(), &mut Dribble(&stream, false), &UnpackOptions::default()).unwrap();
    assert_eq!(fs::read(to.path().join("l")).unwrap(), b"some data");
}

#[test]
fn a_writer_that_fails_is_an_error_with_its_cause() {
    let from = tempdir().unwrap();
    fs::write(from.path().join("f"), vec![7; 2 << 20]).unwrap();
    let mut full = File::options().write(true).open("/dev/full").unwrap();
    let error = pack(open(from.path()).as_fd(), &mut full, &PackOptions::default()).unwrap_err();
    assert_eq!(error.raw_os_error(), Some(rustix::io::Errno::NOSPC.raw_os_error()), "{error}");
}
