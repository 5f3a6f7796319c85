//! Layers and archives that mean harm: refused by name, or made harmless, and never written outside.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::{Builder, Compress, Lab, Layer, archive, compressed, is_root};
use isobox_contract::{Context, ErrorCode};
use isobox_images::Limits;
use std::fs;
use std::path::Path;
use tar::EntryType;

/// A layer that must be refused, with a word of the reason; nothing of it stays.
async fn refused(layer: Layer, reason: &str) {
    let lab = Lab::open();
    let error = lab.unpack(layer).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
    assert!(error.message().contains(reason), "{error}");
    assert_eq!(lab.layers(), Vec::<String>::new());
}

#[tokio::test]
async fn names_that_climb_are_refused() {
    for name in ["../out", "a/../../out", "/../out", "a/.."] {
        refused(Layer::new().file(name, "x"), "`..`").await;
    }
}

#[tokio::test]
async fn a_link_that_climbs_is_kept_as_it_is_and_leads_nowhere_else() {
    let lab = Lab::open();
    let outside = lab.path("outside");
    fs::create_dir(&outside).unwrap();
    let climbing = format!("../../../../../../../..{}", outside.display());
    let absolute = outside.to_str().unwrap().to_owned();
    for target in [climbing, absolute] {
        let layer = Layer::new()
            .dir(outside.to_str().unwrap().trim_start_matches('/'))
            .symlink("way", &target)
            .file("way/planted", "x");
        let root = lab.unpack(layer).await.unwrap();
        // It went to where the link leads within the image.
        assert!(root.join(outside.strip_prefix("/").unwrap()).join("planted").is_file());
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    }
}

#[tokio::test]
async fn writing_through_a_link_to_a_file_replaces_the_link() {
    let lab = Lab::open();
    let victim = lab.path("victim");
    fs::write(&victim, "mine").unwrap();
    let layer = Layer::new().symlink("f", victim.to_str().unwrap()).file("f", "theirs");
    let root = lab.unpack(layer).await.unwrap();
    assert_eq!(fs::read(&victim).unwrap(), b"mine");
    assert_eq!(fs::read(root.join("f")).unwrap(), b"theirs");
}

#[tokio::test]
async fn a_link_to_nowhere_cannot_be_written_through() {
    refused(Layer::new().symlink("d", "/nowhere/at/all").file("d/f", "x"), "no directory").await;
    refused(Layer::new().symlink("d", "d").file("d/f", "x"), "links").await;
}

#[tokio::test]
async fn hard_links_stay_in_the_layer() {
    refused(Layer::new().hard_link("a", "../../etc/passwd"), "`..`").await;
    // An absolute name is a name in the layer, which has none.
    refused(Layer::new().hard_link("a", "/etc/passwd"), "does not have").await;
    refused(Layer::new().symlink("l", "/etc").hard_link("a", "l/passwd"), "does not have").await;
    refused(Layer::new().dir("d").hard_link("a", "d"), "directory").await;
    refused(Layer::new().hard_link("a", "b").hard_link("b", "a"), "does not have").await;
}

#[tokio::test]
async fn whiteouts_of_nothing_are_refused() {
    for name in [".wh.", ".wh..", ".wh...", "d/.wh...", "d/.wh.x/y"] {
        refused(Layer::new().dir("d").file(name, ""), "whiteout").await;
    }
}

#[tokio::test]
async fn a_smuggled_whiteout_is_no_more_than_a_whiteout() {
    let lab = Lab::open();
    let layer = Layer::new().file("d/f", "x").entry(EntryType::Char, "d", b"");
    let root = lab.unpack(layer).await.unwrap();
    assert!(!root.join("d/f").exists());
}

#[tokio::test]
async fn names_with_zeros_or_too_long_are_refused() {
    refused(Layer::new().pax(&[("path", b"a\0b")]).file("x", ""), "zero byte").await;
    refused(Layer::new().pax(&[("path", "n".repeat(300).as_bytes())]).file("x", ""), "too long").await;
    refused(Layer::new().pax(&[("path", "d/".repeat(3000).as_bytes())]).file("x", ""), "too long").await;
    refused(Layer::new().pax(&[("linkpath", b"")]).symlink("x", ""), "nothing that could be there").await;
}

#[tokio::test]
async fn an_owner_that_a_sandbox_cannot_have_is_refused_as_root() {
    let layer = Layer::new().entry_with(EntryType::Regular, "f", b"", |header| header.set_uid(65_536));
    if is_root() {
        refused(layer, "the user 65536").await;
    } else {
        Lab::open().unpack(layer).await.unwrap();
    }
}

#[tokio::test]
async fn the_root_of_a_layer_is_a_directory() {
    refused(Layer::new().file(".", "x"), "must be a directory").await;
    refused(Layer::new().symlink("/", "/etc"), "must be a directory").await;
}

#[tokio::test]
async fn sizes_that_lie_are_refused() {
    let huge = |header: &mut tar::Header| header.as_old_mut().size = *b"77777777777\0";
    refused(Layer::new().entry_with(EntryType::Regular, "f", b"x", huge), "damaged").await;
    let negative = |header: &mut tar::Header| header.as_old_mut().size = [0xff; 12];
    refused(Layer::new().entry_with(EntryType::Regular, "f", b"x", negative), "").await;
    refused(Layer::new().pax(&[("size", b"18446744073709551615")]).file("f", "x"), "").await;
    refused(Layer::new().file("f", "x").raw(b"no header").raw(&[1; 503]), "checksum").await;
}

#[tokio::test]
async fn maps_of_holes_that_lie_are_refused() {
    let sparse = |map: &'static [u8]| {
        Layer::new()
            .pax(&[("GNU.sparse.major", b"0"), ("GNU.sparse.size", b"10"), ("GNU.sparse.map", map)])
            .file("f", "x")
    };
    for map in [&b"0,2"[..], b"0,1,0,1", b"100,1", b"18446744073709551615,1", b"0", b"5,1,1,0"] {
        refused(sparse(map), "holes").await;
    }
    refused(sparse(b"x,y"), "number").await;
}

#[tokio::test]
async fn a_size_in_an_extension_moves_both_readers_alike() {
    // A file that holds what looks like further entries: whoever believes the header's size would see them.
    let inner = Layer::new().file("smuggled", "x").bytes();
    let size = inner.len().to_string();
    let layer = Layer::new()
        .pax(&[("size", size.as_bytes())])
        .entry_with(EntryType::Regular, "outer", &inner, |header| header.set_size(0))
        .file("after", "x");
    let lab = Lab::open();
    let root = lab.unpack(layer).await.unwrap();
    assert!(!root.join("smuggled").exists() && root.join("after").exists());
    assert_eq!(fs::metadata(root.join("outer")).unwrap().len(), inner.len() as u64);
}

#[tokio::test]
async fn bombs_stop_at_the_limits() {
    let limits = Limits { bytes: 10 << 20, entries: 1000, names: 64 << 10 };
    let zeros = Layer::new().entry(EntryType::Regular, "zeros", &vec![0; 20 << 20]);
    let many = (0..2000).fold(Layer::new(), |layer, n| layer.file(&format!("f{n}"), ""));
    let names = (0..900).fold(Layer::new(), |layer, n| layer.dir(&format!("{n}{}", "d".repeat(80))));
    let hole = Layer::new()
        .pax(&[("GNU.sparse.major", b"0"), ("GNU.sparse.size", b"1000000000000"), ("GNU.sparse.map", b"0,1")])
        .file("hole", "x");
    for (layer, limit) in [(zeros, "bytes"), (many, "entries"), (names, "names"), (hole, "file")] {
        let lab = Lab::with(limits);
        let image = Builder::of([layer]).compress(Compress::Gzip);
        let error = lab.import(&image).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::LimitExceeded, "{error}");
        assert!(error.message().contains(limit), "{error}");
        assert_eq!(lab.layers(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_long_name_without_end_stops_early() {
    let layer = Layer::new().entry(EntryType::GNULongName, "././@LongLink", &vec![b'a'; 2 << 20]);
    let error = Lab::open().unpack(layer).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::LimitExceeded, "{error}");
}

#[tokio::test]
async fn a_layer_that_is_not_the_named_one_is_refused() {
    let lab = Lab::open();
    let image = Builder::of([Layer::new().file("f", "good")]);
    let mut files = image.docker_files();
    files[0].1 = Layer::new().file("f", "evil").bytes();
    let path = archive(&lab.path("swapped.tar"), &files);
    let error = lab.images.archive(&path, None, &Context::quiet()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidSpec);
    assert!(error.message().contains("digest"), "{error}");
    assert_eq!(lab.layers(), Vec::<String>::new());
}

#[tokio::test]
async fn a_config_that_is_not_the_named_one_is_refused() {
    let lab = Lab::open();
    let image = Builder::of([Layer::new().file("f", "good")]);
    let mut files = image.oci_files(false);
    let config = files.iter_mut().find(|(_, bytes)| *bytes == image.config()).unwrap();
    config.1 = Builder::of([Layer::new().file("f", "evil")]).config();
    let path = archive(&lab.path("swapped.tar"), &files);
    let error = lab.images.archive(&path, None, &Context::quiet()).await.unwrap_err();
    assert!(error.message().contains("digest"), "{error}");
}

#[tokio::test]
async fn what_is_no_archive_is_said_to_be_none() {
    let lab = Lab::open();
    let cut = {
        let bytes = compressed(&Layer::new().file("manifest.json", "[]").bytes(), Compress::Gzip);
        bytes[..bytes.len() / 2].to_vec()
    };
    let looping = Layer::new().symlink("manifest.json", "index.json").symlink("index.json", "manifest.json").bytes();
    let others: [(&str, Vec<u8>); 6] = [
        ("empty", Vec::new()),
        ("text", b"this is no archive".repeat(100)),
        ("cut", cut),
        ("other", Layer::new().file("etc/passwd", "").bytes()),
        ("looping", looping),
        ("broken", Layer::new().file("manifest.json", "{").bytes()),
    ];
    for (name, bytes) in others {
        let path = lab.path(name);
        fs::write(&path, bytes).unwrap();
        let error = lab.images.archive(&path, None, &Context::quiet()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidSpec, "{name}: {error}");
    }
}

#[tokio::test]
async fn a_layout_whose_links_lead_out_is_not_followed() {
    let lab = Lab::open();
    let folder = common::folder(&lab.path("layout"), &Builder::of([Layer::new().file("f", "x")]).oci_files(false));
    let outside = lab.path("index.json");
    fs::rename(folder.join("index.json"), &outside).unwrap();
    std::os::unix::fs::symlink(&outside, folder.join("index.json")).unwrap();
    let error = lab.images.archive(&folder, None, &Context::quiet()).await.unwrap_err();
    assert!(!error.message().is_empty());
    assert_eq!(lab.layers(), Vec::<String>::new());
    assert!(Path::new(&outside).exists());
}
