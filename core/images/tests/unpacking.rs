//! What a layer looks like on disk: as an overlay wants it, and as the image says.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::{Builder, Compress, Lab, Layer, is_root, xattr};
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use tar::EntryType;

fn is_whiteout(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|m| m.file_type().is_char_device() && m.rdev() == 0)
}

#[tokio::test]
async fn files_and_directories_get_contents_modes_and_times() {
    let lab = Lab::open();
    let layer = Layer::new()
        .entry_with(EntryType::Directory, "./", b"", |header| header.set_mode(0o755))
        .entry_with(EntryType::Directory, "d", b"", |header| header.set_mode(0o1777))
        .entry_with(EntryType::Regular, "d/s", b"suid", |header| header.set_mode(0o4755))
        .entry_with(EntryType::Directory, "closed", b"", |header| header.set_mode(0o500))
        .file("closed/inside", "x")
        .pax(&[("mtime", b"1700000000.123456789")])
        .file("t", "time");
    let root = lab.unpack(layer).await.unwrap();
    assert_eq!(fs::read(root.join("d/s")).unwrap(), b"suid");
    assert_eq!(fs::metadata(root.join("d")).unwrap().mode() & 0o7777, 0o1777);
    assert_eq!(fs::metadata(root.join("d/s")).unwrap().mode() & 0o7777, 0o4755);
    let closed = fs::metadata(root.join("closed")).unwrap();
    assert_eq!((closed.mode() & 0o7777, closed.mtime()), (0o500, 1_000_000_000));
    assert_eq!(fs::read(root.join("closed/inside")).unwrap(), b"x");
    let time = fs::metadata(root.join("t")).unwrap();
    assert_eq!((time.mtime(), time.mtime_nsec()), (1_700_000_000, 123_456_789));
    assert_eq!(fs::metadata(&root).unwrap().mode() & 0o7777, 0o755);
}

#[tokio::test]
async fn owners_are_kept_as_root_and_the_callers_otherwise() {
    let lab = Lab::open();
    let owned = |header: &mut tar::Header| {
        header.set_uid(1234);
        header.set_gid(65_535);
    };
    let layer = Layer::new()
        .entry_with(EntryType::Directory, "d", b"", owned)
        .entry_with(EntryType::Regular, "d/f", b"", owned)
        .entry_with(EntryType::Symlink, "d/l", b"", |header| {
            owned(header);
            header.as_old_mut().linkname[0] = b'f';
        });
    let root = lab.unpack(layer).await.unwrap();
    let expected = match is_root() {
        true => (1234, 65_535),
        false => (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw()),
    };
    for name in ["d", "d/f", "d/l"] {
        let metadata = root.join(name).symlink_metadata().unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), expected, "{name}");
    }
}

#[tokio::test]
async fn whiteouts_and_opaque_directories_are_what_overlays_read() {
    let lab = Lab::open();
    let layer = Layer::new()
        .file("etc/.wh.gone", "")
        .dir("opaque")
        .file("opaque/.wh..wh..opq", "")
        .file("opaque/new", "x")
        .file(".wh..wh.plnk/1.2", "aufs")
        .entry(EntryType::Char, "dev/null", b"");
    let root = lab.unpack(layer).await.unwrap();
    assert!(is_whiteout(&root.join("etc/gone")));
    assert_eq!(xattr(&root.join("opaque"), "user.overlay.opaque").as_deref(), Some(&b"y"[..]));
    assert!(root.join("opaque/new").is_file() && !root.join("opaque/.wh..wh..opq").exists());
    assert!(!root.join(".wh..wh.plnk").exists());
    // A device is of no use in a sandbox, and nothing may show through in its place.
    assert!(is_whiteout(&root.join("dev/null")));
}

#[tokio::test]
async fn a_whiteout_is_about_the_layers_below_whatever_the_order() {
    let lab = Lab::open();
    let whiteout_first = Layer::new().file(".wh.a", "").file("a", "new").file(".wh.d", "").dir("d").file("d/x", "");
    let whiteout_last = Layer::new().file("a", "new").file(".wh.a", "").dir("d").file("d/x", "").file(".wh.d", "");
    let implied = Layer::new().file(".wh.d", "").file("d/x", "").file(".wh.a", "").file("a", "new");
    for layer in [whiteout_first, whiteout_last, implied] {
        let root = lab.unpack(layer).await.unwrap();
        assert_eq!(fs::read(root.join("a")).unwrap(), b"new");
        assert!(root.join("d/x").is_file());
        assert_eq!(xattr(&root.join("d"), "user.overlay.opaque").as_deref(), Some(&b"y"[..]));
    }
}

#[tokio::test]
async fn children_may_come_before_their_directory_and_links_before_their_file() {
    let lab = Lab::open();
    let layer = Layer::new()
        .hard_link("first", "second")
        .hard_link("second", "third")
        .file("d/e/f", "x")
        .entry_with(EntryType::Directory, "d", b"", |header| header.set_mode(0o700))
        .file("third", "linked");
    let root = lab.unpack(layer).await.unwrap();
    assert_eq!(fs::metadata(root.join("d")).unwrap().mode() & 0o7777, 0o700);
    assert_eq!(fs::metadata(root.join("d/e")).unwrap().mode() & 0o7777, 0o755);
    let inodes = ["first", "second", "third"].map(|name| fs::metadata(root.join(name)).unwrap().ino());
    assert_eq!(inodes, [inodes[0]; 3]);
    assert_eq!(fs::metadata(root.join("first")).unwrap().nlink(), 3);
}

#[tokio::test]
async fn the_last_of_several_entries_of_one_name_counts() {
    let lab = Lab::open();
    let layer = Layer::new()
        .file("file", "old")
        .file("file", "new")
        .file("a/b/c", "")
        .file("a", "now a file")
        .file("e", "")
        .dir("e")
        .dir("kept")
        .file("kept/x", "")
        .dir("kept");
    let root = lab.unpack(layer).await.unwrap();
    assert_eq!(fs::read(root.join("file")).unwrap(), b"new");
    assert_eq!(fs::read(root.join("a")).unwrap(), b"now a file");
    assert!(root.join("e").is_dir() && root.join("kept/x").is_file());
}

#[tokio::test]
async fn long_names_in_both_spellings_are_whole() {
    let lab = Lab::open();
    let long = ["part"; 60].join("/");
    let pax = format!("pax/{}", "n".repeat(250));
    let target = "t".repeat(300);
    let layer = Layer::new()
        .file(&long, "gnu")
        .pax(&[("path", pax.as_bytes())])
        .file("short", "pax")
        .pax(&[("linkpath", target.as_bytes())])
        .symlink("link", "short");
    let root = lab.unpack(layer).await.unwrap();
    assert_eq!(fs::read(root.join(&long)).unwrap(), b"gnu");
    assert_eq!(fs::read(root.join(&pax)).unwrap(), b"pax");
    assert_eq!(fs::read_link(root.join("link")).unwrap(), Path::new(&target));
}

#[tokio::test]
async fn attributes_are_kept_but_not_those_of_the_overlay() {
    let lab = Lab::open();
    // cap_net_raw=ep in the second version of the format.
    let capability = [1, 0, 0, 2, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let layer = Layer::new()
        .pax(&[
            ("SCHILY.xattr.user.mine", b"yes"),
            ("SCHILY.xattr.security.capability", &capability),
            ("SCHILY.xattr.user.overlay.redirect", b"/etc"),
            ("SCHILY.xattr.trusted.overlay.opaque", b"y"),
            ("SCHILY.xattr.security.selinux", b"x"),
        ])
        .file("f", "")
        .pax(&[("SCHILY.xattr.user.overlay.opaque", b"y"), ("SCHILY.xattr.user.d", b"d")])
        .dir("d");
    let root = lab.unpack(layer).await.unwrap();
    let (file, directory) = (root.join("f"), root.join("d"));
    assert_eq!(xattr(&file, "user.mine").as_deref(), Some(&b"yes"[..]));
    assert_eq!(xattr(&file, "security.capability").is_some(), is_root());
    assert_eq!(xattr(&file, "user.overlay.redirect"), None);
    assert_eq!(xattr(&file, "trusted.overlay.opaque"), None);
    assert_eq!(xattr(&directory, "user.overlay.opaque"), None);
    assert_eq!(xattr(&directory, "user.d").as_deref(), Some(&b"d"[..]));
}

#[tokio::test]
async fn fifos_and_links_are_what_they_were() {
    let lab = Lab::open();
    let layer =
        Layer::new().entry(EntryType::Fifo, "fifo", b"").symlink("out", "/etc/passwd").hard_link("again", "out");
    let root = lab.unpack(layer).await.unwrap();
    assert!(root.join("fifo").symlink_metadata().unwrap().file_type().is_fifo());
    assert_eq!(fs::read_link(root.join("out")).unwrap(), Path::new("/etc/passwd"));
    assert_eq!(fs::read_link(root.join("again")).unwrap(), Path::new("/etc/passwd"));
}

#[tokio::test]
async fn a_parent_that_is_a_link_leads_where_it_leads_in_the_image() {
    let lab = Lab::open();
    let layer = Layer::new()
        .dir("usr/lib")
        .symlink("lib", "usr/lib")
        .symlink("abs", "/usr")
        .file("lib/x", "1")
        .file("abs/y", "2");
    let root = lab.unpack(layer).await.unwrap();
    assert_eq!(fs::read(root.join("usr/lib/x")).unwrap(), b"1");
    assert_eq!(fs::read(root.join("usr/y")).unwrap(), b"2");
}

#[tokio::test]
async fn holes_of_every_spelling_stay_holes() {
    let lab = Lab::open();
    let size = 8 << 20;
    let old = |header: &mut tar::Header| {
        let gnu = header.as_gnu_mut().unwrap();
        gnu.sparse[0].offset[..12].copy_from_slice(b"00000000000\0");
        gnu.sparse[0].numbytes[..12].copy_from_slice(b"00000000003\0");
        gnu.sparse[1].offset[..12].copy_from_slice(b"00020000000\0");
        gnu.sparse[1].numbytes[..12].copy_from_slice(b"00000000003\0");
        gnu.realsize[..12].copy_from_slice(b"00040000000\0");
    };
    let size_text = size.to_string();
    let mut map = b"2\n0\n3\n4194304\n3\n".to_vec();
    map.resize(512, 0);
    let layer = Layer::new()
        .entry_with(EntryType::GNUSparse, "old", b"onetwo", old)
        .pax(&[
            ("GNU.sparse.major", b"0"),
            ("GNU.sparse.minor", b"1"),
            ("GNU.sparse.name", b"map"),
            ("GNU.sparse.size", size_text.as_bytes()),
            ("GNU.sparse.map", b"0,3,4194304,3"),
        ])
        .file("GNUSparseFile.0/map", "onetwo")
        .pax(&[
            ("GNU.sparse.major", b"1"),
            ("GNU.sparse.minor", b"0"),
            ("GNU.sparse.name", b"new"),
            ("GNU.sparse.realsize", size_text.as_bytes()),
        ])
        .entry(EntryType::Regular, "GNUSparseFile.0/new", &[map, b"onetwo".to_vec()].concat());
    let root = lab.unpack(layer).await.unwrap();
    for name in ["old", "map", "new"] {
        let metadata = fs::metadata(root.join(name)).unwrap();
        assert_eq!(metadata.len(), size, "{name}");
        assert!(metadata.blocks() * 512 < 1 << 20, "{name} has {} blocks", metadata.blocks());
        let contents = fs::read(root.join(name)).unwrap();
        assert_eq!((&contents[..3], &contents[4 << 20..(4 << 20) + 3]), (&b"one"[..], &b"two"[..]), "{name}");
    }
}

#[tokio::test]
async fn layers_may_be_plain_or_compressed() {
    let lab = Lab::open();
    for (compress, name) in [(Compress::Not, "plain"), (Compress::Gzip, "gzip"), (Compress::Zstd, "zstd")] {
        let layer = Layer::new().file(name, &"text ".repeat(100_000));
        let image = lab.import(&Builder::of([layer]).compress(compress)).await.unwrap();
        let file = lab.images.layer(&image.stack[0]).join(name);
        assert_eq!(fs::metadata(file).unwrap().len(), 500_000);
        assert_eq!(image.bytes(), 500_000);
    }
}

#[tokio::test]
async fn what_tar_writes_is_read_in_each_of_its_formats() {
    let lab = Lab::open();
    let tree = lab.path("tree");
    fs::create_dir_all(tree.join("d".repeat(90)).join("e".repeat(60))).unwrap();
    fs::write(tree.join("d".repeat(90)).join("e".repeat(60)).join("f"), "deep").unwrap();
    fs::hard_link(tree.join("d".repeat(90)).join("e".repeat(60)).join("f"), tree.join("g")).unwrap();
    let sparse = fs::File::create(tree.join("sparse")).unwrap();
    sparse.set_len(3 << 20).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&sparse, b"end", (3 << 20) - 3).unwrap();
    for format in ["gnu", "posix", "ustar"] {
        let path = lab.path(&format!("{format}.tar"));
        let mut tar = std::process::Command::new("tar");
        tar.args(["--format", format, "-C"]).arg(&tree).arg("-cf").arg(&path);
        if format != "ustar" {
            tar.arg("--sparse");
        }
        assert!(tar.arg(".").status().unwrap().success());
        let bytes = fs::read(&path).unwrap();
        let layer = Layer::new().raw(&bytes[..bytes.len() - 1024]);
        let root = lab.unpack(layer).await.unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!(fs::read(root.join("g")).unwrap(), b"deep", "{format}");
        assert_eq!(fs::metadata(root.join("g")).unwrap().nlink(), 2, "{format}");
        assert_eq!(fs::read(root.join("sparse")).unwrap(), fs::read(tree.join("sparse")).unwrap(), "{format}");
    }
}
