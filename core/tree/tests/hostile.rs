//! Streams that were made to do harm.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::forge::{FOLDER, Forge, Meta, PLAIN};
use common::{digest, look, packed, unpacked, unpacked_with};
use isobox_tree::{Error, UnpackOptions};
use proptest::prelude::*;
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use tempfile::{TempDir, tempdir};

/// A target directory with a secret beside it that must not change.
struct Prison {
    temporary: TempDir,
}

impl Drop for Prison {
    /// A stream may have left directories that only a chmod opens.
    fn drop(&mut self) {
        let _ = isobox_tree::remove(common::open(self.temporary.path()).as_fd(), b"root");
    }
}

impl Prison {
    fn new() -> Self {
        let temporary = tempdir().unwrap();
        fs::create_dir(temporary.path().join("root")).unwrap();
        fs::create_dir(temporary.path().join("outside")).unwrap();
        fs::write(temporary.path().join("outside/secret"), "untouched").unwrap();
        Prison { temporary }
    }

    fn root(&self) -> std::path::PathBuf {
        self.temporary.path().join("root")
    }

    fn outside(&self) -> std::path::PathBuf {
        self.temporary.path().join("outside")
    }

    /// Unpacks and makes sure that nothing outside is other than before.
    fn unpack(&self, stream: &[u8]) -> Result<isobox_tree::Report, Error> {
        let result = unpacked(&self.root(), stream);
        let names: Vec<_> =
            fs::read_dir(self.temporary.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "something came out: {names:?}");
        let outside = look(&self.outside());
        assert_eq!(outside.len(), 2, "{outside:?}");
        let secret = &outside[Path::new("secret")];
        assert_eq!((&secret.contents, &secret.first), (&digest(b"untouched"), &None));
        result
    }

    fn refuses(&self, stream: &[u8]) {
        let error = self.unpack(stream).unwrap_err();
        assert!(matches!(error, Error::Unsafe { .. }), "{error:?}");
    }

    fn finds_corrupt(&self, stream: &[u8]) {
        let error = self.unpack(stream).unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. }), "{error:?}");
    }
}

#[test]
fn paths_that_lead_out_are_refused() {
    let prison = Prison::new();
    let long = [b"a".repeat(200), b"/".to_vec()].concat().repeat(21);
    let bad: [&[u8]; 12] = [
        b"..",
        b"../outside/new",
        b"/tmp/absolute",
        b"/",
        b".",
        b"a/../../b",
        b"a//b",
        b"a/",
        b"a/.",
        b"a\0b",
        b"",
        &long,
    ];
    for path in bad {
        prison.refuses(&Forge::new().file(path, b"evil").end());
        prison.refuses(&Forge::new().directory(path).end());
        prison.refuses(&Forge::new().symlink(path, b"x").end());
        prison.refuses(&Forge::new().file(b"0", b"good").hard_link(path, b"0").end());
    }
}

#[test]
fn nothing_is_written_through_a_link_of_the_stream() {
    let prison = Prison::new();
    prison.refuses(&Forge::new().symlink(b"l", b"../outside").file(b"l/new", b"evil").end());
    prison.refuses(&Forge::new().symlink(b"l", b"../outside").directory(b"l/new").end());
    prison.refuses(&Forge::new().symlink(b"l", b"../outside/secret").file(b"l", b"evil").end());
    prison.refuses(&Forge::new().directory(b"l").symlink(b"l", b"../outside").file(b"l/secret", b"evil").end());
    prison.refuses(&Forge::new().file(b"f", b"").file(b"f/g", b"").end());
    prison.refuses(&Forge::new().file(b"no/parent", b"").end());
    prison.refuses(&Forge::new().file(b"b", b"").file(b"a", b"").end());
}

#[test]
fn links_that_wait_in_the_target_are_replaced_and_not_followed() {
    let prison = Prison::new();
    symlink("../outside/secret", prison.root().join("f")).unwrap();
    symlink("../outside", prison.root().join("d")).unwrap();
    symlink("../outside/secret", prison.root().join("s")).unwrap();
    fs::create_dir(prison.root().join("k")).unwrap();
    fs::hard_link(prison.outside().join("secret"), prison.root().join("k/h")).unwrap();
    let stream = Forge::new()
        .directory(b"d")
        .file(b"d/secret", b"new")
        .file(b"f", b"new")
        .directory(b"k")
        .file(b"k/h", b"new")
        .symlink(b"s", b"new")
        .end();
    prison.unpack(&stream).unwrap();
    for path in ["d/secret", "f", "k/h"] {
        assert_eq!(fs::read(prison.root().join(path)).unwrap(), b"new", "{path}");
        assert!(fs::symlink_metadata(prison.root().join(path)).unwrap().is_file());
    }
    assert!(fs::symlink_metadata(prison.root().join("d")).unwrap().is_dir());
}

#[test]
fn hard_links_reach_only_files_of_the_stream() {
    let prison = Prison::new();
    fs::write(prison.root().join("there-before"), "x").unwrap();
    symlink("../outside", prison.root().join("planted")).unwrap();
    for first in
        [&b"../outside/secret"[..], b"/etc/passwd", b"planted/secret", b"there-before", b"no", b"no/such", b"", b"."]
    {
        prison.refuses(&Forge::new().hard_link(b"z", first).end());
        assert!(!prison.root().join("z").exists(), "{first:?}");
    }
    prison.refuses(&Forge::new().directory(b"d").hard_link(b"z", b"d").end());
    prison.refuses(&Forge::new().symlink(b"l", b"../outside/secret").hard_link(b"z", b"l").end());
    prison.refuses(&Forge::new().symlink(b"l", b"../outside").hard_link(b"z", b"l/secret").end());
    prison.unpack(&Forge::new().file(b"a", b"x").hard_link(b"z", b"a").end()).unwrap();
    assert_eq!(fs::metadata(prison.root().join("z")).unwrap().nlink(), 2);
}

#[test]
fn lies_about_sizes_are_corrupt() {
    let prison = Prison::new();
    let begun = || Forge::new().file_begin(b"f", PLAIN);
    prison.finds_corrupt(&begun().data(0, 256 << 10 | 1, b"x").file_end(1).end());
    prison.finds_corrupt(&begun().data(0, 0, b"").file_end(0).end());
    prison.finds_corrupt(&begun().data(0, 4, b"abcd").file_end(3).end());
    prison.finds_corrupt(&begun().data(0, 4, b"abcd").data(3, 1, b"x").file_end(4).end());
    prison.finds_corrupt(&begun().data(u64::MAX, 1, b"x").file_end(0).end());
    prison.finds_corrupt(&begun().data(0, 100, b"too few").file_end(100).end());
    prison.finds_corrupt(&begun().directory(b"g").end());
    prison.finds_corrupt(&begun().end());
    prison.finds_corrupt(&Forge::new().data(0, 1, b"x").end());
    prison.finds_corrupt(&Forge::new().file_end(0).end());
    prison.finds_corrupt(&Forge::new().file(b"f", b"abc").end_with(1, 4));
    prison.finds_corrupt(&Forge::new().file(b"f", b"abc").end_with(2, 3));
}

#[test]
fn bombs_meet_the_limits() {
    let prison = Prison::new();
    let options =
        UnpackOptions { max_entries: 3, max_bytes: 10, max_file_bytes: 20, max_depth: 2, ..UnpackOptions::default() };
    let limited = |stream: &[u8]| match unpacked_with(&prison.root(), stream, &options) {
        Err(Error::Limit { what, limit }) => (what, limit),
        other => panic!("{other:?}"),
    };
    let four = [b"a", b"b", b"c", b"d"].iter().fold(Forge::new(), |forge, name| forge.directory(*name));
    assert_eq!(limited(&four.end()), ("entries", 3));
    assert_eq!(limited(&Forge::new().file(b"f", b"12345678901").end()), ("bytes", 10));
    assert_eq!(limited(&Forge::new().file(b"e", b"123456").file(b"f", b"123456").end()), ("bytes", 10));
    assert_eq!(limited(&Forge::new().file_begin(b"f", PLAIN).file_end(21).end()), ("bytes in one file", 20));
    assert_eq!(
        limited(&Forge::new().file_begin(b"f", PLAIN).data(20, 1, b"x").file_end(21).end()),
        ("bytes in one file", 20)
    );
    assert_eq!(limited(&Forge::new().directory(b"a").directory(b"a/b").directory(b"a/b/c").end()), ("levels", 2));
    let huge = unpacked(&prison.root(), &Forge::new().file_begin(b"f", PLAIN).file_end(u64::MAX).end()).unwrap_err();
    assert!(matches!(huge, Error::Limit { .. }), "{huge:?}");
}

#[test]
fn bad_attributes_are_corrupt() {
    let prison = Prison::new();
    prison.finds_corrupt(&Forge::new().directory_of(b"d", Meta { mode: 0o170_777, ..FOLDER }).end());
    // This one would mean "now" to the system.
    prison
        .finds_corrupt(&Forge::new().file_begin(b"f", Meta { nanoseconds: (1 << 30) - 1, ..PLAIN }).file_end(0).end());
    prison.refuses(&Forge::new().symlink(b"l", b"").end());
    prison.refuses(&Forge::new().symlink(b"l", b"a\0b").end());
    prison.refuses(&Forge::new().symlink(b"l", &[b'a'; 4097]).end());
    prison.unpack(&Forge::new().file_begin(b"f", Meta { seconds: i64::MIN, ..PLAIN }).file_end(0).end()).unwrap();
}

#[test]
fn what_is_no_stream_is_corrupt() {
    let prison = Prison::new();
    prison.finds_corrupt(b"");
    prison.finds_corrupt(b"isotree\x02rest");
    prison.finds_corrupt(&Forge::bare().cut());
    prison.finds_corrupt(&Forge::bare().end());
    prison.finds_corrupt(&Forge::bare().file(b"f", b"x").end());
    prison.finds_corrupt(&Forge::new().raw(&[0xff, 0xff]).raw(&[0; 70_000]).cut());
    prison.finds_corrupt(&Forge::new().raw(&[0, 0]).cut());
    prison.finds_corrupt(&Forge::new().raw(&[4, 0, 6, 0, 0, 0]).cut());
    // A path that claims to be 2^62 bytes long.
    let claim = [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f];
    prison.finds_corrupt(&Forge::new().raw(&[claim.len() as u8, 0]).raw(&claim).cut());
}

fn small_stream() -> Vec<u8> {
    Forge::new()
        .directory(b"d")
        .file(b"d/f", b"some contents")
        .symlink(b"l", b"d/f")
        .file_begin(b"s", PLAIN)
        .data(4096, 3, b"abc")
        .file_end(10_000)
        .hard_link(b"z", b"d/f")
        .end()
}

#[test]
fn a_cut_at_every_byte_is_seen() {
    let stream = small_stream();
    let prison = Prison::new();
    for length in 0..stream.len() {
        prison.finds_corrupt(&stream[..length]);
    }
    prison.unpack(&stream).unwrap();
}

#[test]
fn every_changed_bit_stays_inside() {
    let stream = small_stream();
    for position in 8..stream.len() {
        let prison = Prison::new();
        for bit in 0..8 {
            let mut changed = stream.clone();
            changed[position] ^= 1 << bit;
            let _ = prison.unpack(&changed);
        }
    }
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    let name = prop_oneof![Just("a"), Just("b"), Just(".."), Just("l"), Just("")];
    prop::collection::vec(name, 1..4).prop_map(|names| names.join("/").into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn garbage_stays_inside(garbage in prop::collection::vec(any::<u8>(), 0..2000)) {
        let prison = Prison::new();
        let whole = Forge::new().raw(&garbage).cut();
        prop_assert!(prison.unpack(&whole).is_err());
        prop_assert!(prison.unpack(&garbage).is_err());
    }

    #[test]
    fn any_sequence_of_entries_stays_inside(entries in prop::collection::vec((0..4, piece(), piece()), 0..12)) {
        let prison = Prison::new();
        let stream = entries.iter().fold(Forge::new(), |forge, (kind, path, other)| match kind {
            0 => forge.directory(path),
            1 => forge.file(path, b"data"),
            2 => forge.symlink(path, &[b"../outside/", other.as_slice()].concat()),
            _ => forge.hard_link(path, other),
        });
        let _ = prison.unpack(&stream.end());
    }

    #[test]
    fn any_contents_and_holes_arrive(pieces in prop::collection::vec((0..100_000_u64, 1..9000_usize), 0..6), tail in 0..50_000_u64) {
        let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
        let file = fs::File::create(from.path().join("f")).unwrap();
        let mut end = 0;
        for (gap, length) in pieces {
            std::os::unix::fs::FileExt::write_all_at(&file, &vec![9; length], end + gap).unwrap();
            end += gap + length as u64;
        }
        file.set_len(end + tail).unwrap();
        unpacked(to.path(), &packed(from.path()).0).unwrap();
        prop_assert!(fs::read(to.path().join("f")).unwrap() == fs::read(from.path().join("f")).unwrap());
    }
}
