//! Layers exported as an image come back as they were, and nothing else is ever left behind.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::{Lab, is_root};
use isobox_contract::{Context, Detail, Error, ErrorCode, ExportOptions, ExportedImage, LayerCompression, Timestamp};
use isobox_images::{Digest, Export, ExportLayer, LayerSource};
use isobox_tree::IdShift;
use rustix::fs::{CWD, FileType, Mode, Timespec, Timestamps, XattrFlags};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

async fn export(image: Export, to: &Path, options: &ExportOptions) -> Result<ExportedImage, Error> {
    isobox_images::export(image, to, options, &Context::quiet()).await
}

fn of(directories: &[&Path]) -> Export {
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let count = if is_root() { 65_536 } else { 1 };
    let layer = |directory: &&Path| ExportLayer {
        from: LayerSource::Directory(directory.to_path_buf()),
        diff_id: None,
        made_by: "a test".into(),
    };
    Export {
        layers: directories.iter().map(layer).collect(),
        config: None,
        created: Timestamp::from_unix(1_700_000_000, 0),
        users: vec![IdShift { from: user, to: 0, count }],
        groups: vec![IdShift { from: group, to: 0, count }],
    }
}

fn named(name: &str) -> ExportOptions {
    ExportOptions::named(name)
}

fn mkdir(root: &Path, path: &str) -> PathBuf {
    let path = root.join(path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn write(root: &Path, path: impl AsRef<OsStr>, contents: impl AsRef<[u8]>) -> PathBuf {
    let path = root.join(Path::new(path.as_ref()));
    fs::write(&path, contents).unwrap();
    path
}

fn touch(path: &Path, seconds: i64, nanos: i64) {
    let time = Timespec { tv_sec: seconds, tv_nsec: nanos };
    let times = Timestamps { last_access: time, last_modification: time };
    rustix::fs::utimensat(CWD, path, &times, rustix::fs::AtFlags::SYMLINK_NOFOLLOW).unwrap();
}

fn whiteout(path: &Path) {
    rustix::fs::mknodat(CWD, path, FileType::CharacterDevice, Mode::empty(), 0).unwrap();
}

fn opaque(path: &Path) {
    rustix::fs::setxattr(path, "user.overlay.opaque", b"y", XattrFlags::empty()).unwrap();
}

/// A layer with one of everything.
fn rich(root: &Path) {
    mkdir(root, "d/empty");
    write(root, "d/file", "contents");
    write(root, "empty", "");
    write(root, "aligned", [7; 1024]);
    write(root, OsStr::from_bytes(b"new\nline \xff"), "odd");
    write(root, "n".repeat(255), "long");
    write(&mkdir(root, &format!("{0}/{0}", "deep".repeat(50))), "end", "deep");
    for name in ["d/again", "another", &"l".repeat(200)] {
        fs::hard_link(root.join("d/file"), root.join(name)).unwrap();
    }
    symlink("d/file", root.join("link")).unwrap();
    symlink(OsStr::from_bytes(&b"t\xff".repeat(150)), root.join("longlink")).unwrap();
    rustix::fs::mknodat(CWD, root.join("pipe"), FileType::Fifo, Mode::from_raw_mode(0o620), 0).unwrap();
    whiteout(&root.join("gone"));
    // As overlayfs makes them: further names of one.
    fs::hard_link(root.join("gone"), root.join("d/gone too")).unwrap();
    whiteout(&root.join("g".repeat(255)));
    opaque(&mkdir(root, "hides"));
    write(root, "hides/new", "new");
    let with = |name: &str, value: &[u8]| {
        rustix::fs::setxattr(root.join("d/file"), name, value, XattrFlags::empty()).unwrap();
    };
    with("user.note", b"bytes \0\n\xff");
    with("user.empty", b"");
    rustix::fs::setxattr(root.join("d"), "user.of", b"a directory", XattrFlags::empty()).unwrap();
    let holes = fs::File::create(root.join("holes")).unwrap();
    holes.set_len(9 << 20).unwrap();
    holes.write_all_at(b"data", 4 << 20).unwrap();
    fs::File::create(root.join("nothing but a hole")).unwrap().set_len(5000).unwrap();
    if is_root() {
        std::os::unix::fs::chown(root.join("empty"), Some(1000), Some(65_535)).unwrap();
        std::os::unix::fs::lchown(root.join("link"), Some(7), Some(8)).unwrap();
        // The capability to bind low ports, as setcap writes it.
        let capability = [1, 0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        rustix::fs::setxattr(root.join("aligned"), "security.capability", &capability, XattrFlags::empty()).unwrap();
    }
    for (path, mode) in [("empty", 0o4755), ("d/empty", 0o1777), ("aligned", 0), ("hides/new", 0o444)] {
        fs::set_permissions(root.join(path), Permissions::from_mode(mode)).unwrap();
    }
    touch(&root.join("d/file"), 1_000_000_000, 123_456_789);
    touch(&root.join("link"), 5, 0);
    touch(&root.join("aligned"), -2, 500_000_000);
    touch(&root.join("hides"), 1 << 34, 1);
    fs::set_permissions(root.join("hides"), Permissions::from_mode(0o500)).unwrap();
    fs::set_permissions(root, Permissions::from_mode(0o750)).unwrap();
    touch(root, 1_234_567_890, 5);
}

#[derive(Debug, PartialEq)]
struct Seen {
    mode: u32,
    owner: (u32, u32),
    size: u64,
    device: u64,
    modified: (i64, i64),
    contents: Vec<u8>,
    attributes: BTreeMap<String, Vec<u8>>,
    first: PathBuf,
}

/// Everything about a layer that must come back.
fn look(root: &Path) -> BTreeMap<PathBuf, Seen> {
    let (mut seen, mut waiting, mut firsts) = (BTreeMap::new(), vec![PathBuf::new()], BTreeMap::new());
    while let Some(path) = waiting.pop() {
        let full = root.join(&path);
        let meta = fs::symlink_metadata(&full).unwrap();
        let is_whiteout = FileType::from_raw_mode(meta.mode()) == FileType::CharacterDevice;
        let (mut contents, mut attributes) = (Vec::new(), BTreeMap::new());
        if meta.is_symlink() {
            contents = fs::read_link(&full).unwrap().into_os_string().as_bytes().to_vec();
        } else if meta.is_dir() || meta.is_file() {
            let mode = meta.permissions();
            fs::set_permissions(&full, Permissions::from_mode(mode.mode() | 0o500)).unwrap();
            if meta.is_dir() {
                waiting.extend(fs::read_dir(&full).unwrap().map(|entry| path.join(entry.unwrap().file_name())));
            } else {
                contents = fs::read(&full).unwrap();
            }
            attributes = read_attributes(&full);
            fs::set_permissions(&full, mode).unwrap();
        }
        let first = firsts.entry(meta.ino()).or_insert_with(|| path.clone()).clone();
        let entry = Seen {
            mode: if is_whiteout { 0 } else { meta.mode() },
            owner: if is_whiteout { (0, 0) } else { (meta.uid(), meta.gid()) },
            size: if meta.is_dir() { 0 } else { meta.len() },
            device: meta.rdev(),
            modified: if is_whiteout { (0, 0) } else { (meta.mtime(), meta.mtime_nsec()) },
            contents,
            attributes,
            first: if is_whiteout || meta.is_dir() { path.clone() } else { first },
        };
        seen.insert(path, entry);
    }
    seen
}

fn read_attributes(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut list = vec![0; 4096];
    let length = rustix::fs::llistxattr(path, &mut list).unwrap();
    let names = list[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let names = names.map(|name| String::from_utf8(name.to_vec()).unwrap());
    names
        .filter(|name| !name.starts_with("security.") || name == "security.capability")
        .map(|name| {
            let mut value = vec![0; 4096];
            let length = rustix::fs::lgetxattr(path, name.as_str(), &mut value).unwrap();
            (name, value[..length].to_vec())
        })
        .collect()
}

fn in_order(seen: &BTreeMap<PathBuf, Seen>) -> Vec<String> {
    seen.iter().map(|(path, seen)| format!("{path:?} {seen:?}").chars().take(400).collect()).collect()
}

/// Everything in a directory.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn files_of(archive: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut tar = tar::Archive::new(fs::File::open(archive).unwrap());
    let entries = tar.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let mut contents = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut contents).unwrap();
        (entry.path().unwrap().to_string_lossy().into_owned(), contents)
    });
    entries.collect()
}

fn document(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Value {
    serde_json::from_slice(&files[name]).unwrap()
}

#[tokio::test]
async fn layers_come_back_as_they_were() {
    let place = tempfile::tempdir().unwrap();
    let (lower, upper) = (mkdir(place.path(), "lower"), mkdir(place.path(), "upper"));
    write(&lower, "gone", "here");
    rich(&upper);
    let before = look(&upper);
    let gzip = ExportOptions { compression: LayerCompression::Gzip, ..named("app") };
    let holes = ExportOptions { holes: true, ..named("app") };
    let both = ExportOptions { holes: true, ..gzip.clone() };
    for options in [named("app"), gzip, holes, both] {
        let lab = Lab::open();
        let to = place.path().join("image.tar");
        let exported = export(of(&[&lower, &upper]), &to, &options).await.unwrap();
        assert_eq!(in_order(&look(&upper)), in_order(&before), "the original is as it was");
        assert_eq!(exported.size, fs::metadata(&to).unwrap().len());
        let image = lab.images.archive(&to, Some("app:latest"), &Context::quiet()).await.unwrap().0;
        assert_eq!(image.id.to_string(), exported.id);
        let layers: Vec<_> = image.layers.iter().map(|part| part.diff_id.to_string()).collect();
        assert_eq!(layers, exported.layers);
        let unpacked = lab.images.layer(&image.stack[0]);
        assert_eq!(in_order(&look(&unpacked)), in_order(&before), "{options:?}");
        assert!(look(&unpacked) == before);
        let blocks = fs::metadata(unpacked.join("holes")).unwrap().blocks();
        assert_eq!(blocks < 9 << 10, options.holes, "{blocks} blocks");
        if options.compression == LayerCompression::None && options.holes {
            assert!(exported.size < 1 << 20, "{}", exported.size);
        }
    }
}

#[tokio::test]
async fn both_kinds_of_readers_find_the_same_image() {
    let place = tempfile::tempdir().unwrap();
    let layer = mkdir(place.path(), "layer");
    write(&layer, "file", "x");
    let to = place.path().join("image.tar");
    let exported = export(of(&[&layer, &layer]), &to, &named("registry.example:5000/a/b:1.2")).await.unwrap();
    let files = files_of(&to);
    let blob = |digest: &str| format!("blobs/{}", digest.replace(':', "/"));
    for (name, contents) in files.iter().filter(|(name, _)| name.starts_with("blobs/sha256/") && name.len() > 20) {
        assert_eq!(*name, blob(Digest::of(contents).as_str()));
    }
    assert_eq!(document(&files, "oci-layout")["imageLayoutVersion"], "1.0.0");
    let named = &document(&files, "index.json")["manifests"][0];
    assert_eq!(named["digest"], exported.digest);
    assert_eq!(named["annotations"]["io.containerd.image.name"], "registry.example:5000/a/b:1.2");
    assert_eq!(named["annotations"]["org.opencontainers.image.ref.name"], "1.2");
    let manifest = document(&files, &blob(&exported.digest));
    assert_eq!(manifest["config"]["digest"], exported.id);
    let saved = &document(&files, "manifest.json")[0];
    assert_eq!(saved["Config"], blob(&exported.id));
    assert_eq!(saved["RepoTags"], json!(["registry.example:5000/a/b:1.2"]));
    let layers: Vec<_> = exported.layers.iter().map(|digest| blob(digest)).collect();
    assert_eq!(saved["Layers"], json!(layers));
    assert_eq!(layers[0], layers[1]);
    assert_eq!(manifest["layers"][1]["size"], files[&layers[1]].len());
    let config = document(&files, &blob(&exported.id));
    assert_eq!(config["rootfs"]["diff_ids"], json!(exported.layers));
    assert_eq!(config["history"].as_array().unwrap().len(), 2);
    // GNU tar agrees, and the header that was filled in last is right.
    let listed = std::process::Command::new("tar").arg("-tvf").arg(&to).output().unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    assert_eq!(String::from_utf8_lossy(&listed.stdout).lines().count(), 8);
}

#[tokio::test]
async fn the_same_layers_give_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let (one, two) = (mkdir(place.path(), "one"), place.path().join("two"));
    rich(&one);
    for (mode, path) in [(0o700, "hides"), (0o400, "aligned")] {
        fs::set_permissions(one.join(path), Permissions::from_mode(mode)).unwrap();
    }
    let copied = std::process::Command::new("cp").arg("-a").arg(&one).arg(&two).status().unwrap();
    assert!(copied.success());
    let to = |name: &str| place.path().join(name);
    let first = export(of(&[&one]), &to("1.tar"), &named("a")).await.unwrap();
    let second = export(of(&[&two]), &to("2.tar"), &named("a")).await.unwrap();
    assert_eq!(first, second);
    assert!(fs::read(to("1.tar")).unwrap() == fs::read(to("2.tar")).unwrap());
}

#[tokio::test]
async fn the_config_and_the_history_are_those_of_the_image() {
    let place = tempfile::tempdir().unwrap();
    let directories: Vec<_> = ["a", "b", "own"].iter().map(|name| mkdir(place.path(), name)).collect();
    let digest = |text: &str| Digest::of(text.as_bytes());
    // The first layer comes again further up, and the second is hidden: neither is mounted.
    let all = ["x", "hidden", "x", "y"].map(digest);
    let step = |by: &str| json!({ "created_by": by, "created": "2024-01-01T00:00:00Z" });
    let config = json!({
        "architecture": "arm64", "os": "linux", "variant": "v8", "author": "somebody", "container": "0123",
        "container_config": { "Cmd": ["x"] },
        "config": { "Env": ["A=b"], "User": "7", "WorkingDir": "/w", "Entrypoint": ["e"], "Cmd": ["c"], "Labels": { "l": "v" },
                    "ExposedPorts": { "80/tcp": {} } },
        "rootfs": { "type": "layers", "diff_ids": all },
        "history": [step("one"), { "created_by": "env", "empty_layer": true }, step("two"), step("three"), step("four")],
    });
    let mut image = of(&directories.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    image.config = Some(config.to_string().into_bytes());
    image.layers[0].diff_id = Some(all[2].clone());
    image.layers[1].diff_id = Some(all[3].clone());
    let to = place.path().join("image.tar");
    let exported = export(image, &to, &ExportOptions::default()).await.unwrap();
    let files = files_of(&to);
    let made = document(&files, &format!("blobs/{}", exported.id.replace(':', "/")));
    for kept in ["architecture", "os", "variant", "author", "config"] {
        assert_eq!(made[kept], config[kept], "{kept}");
    }
    assert_eq!((&made["container"], &made["container_config"]), (&Value::Null, &Value::Null));
    assert_eq!(made["created"], "2023-11-14T22:13:20Z");
    let history = made["history"].as_array().unwrap();
    let told: Vec<_> =
        history.iter().map(|entry| (entry["created_by"].as_str().unwrap(), &entry["empty_layer"])).collect();
    let (none, empty) = (&Value::Null, &json!(true));
    assert_eq!(
        told,
        [("one", empty), ("env", empty), ("two", empty), ("three", none), ("four", none), ("a test", none)]
    );
    assert_eq!(made["rootfs"]["diff_ids"], json!(exported.layers));
    assert_eq!(document(&files, "manifest.json")[0]["RepoTags"], json!([]));
}

/// What puts something into a layer, and what is said about it.
type Case<'a> = (&'a dyn Fn(&Path), &'a str);

async fn refused(image: Export, to: &Path, options: &ExportOptions) -> Error {
    let before = names(to.parent().unwrap());
    let error = export(image, to, options).await.unwrap_err();
    assert_eq!(names(to.parent().unwrap()), before, "{error}");
    error
}

#[tokio::test]
async fn what_an_image_cannot_hold_is_refused_and_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let to = place.path().join("image.tar");
    fs::write(&to, "as it was").unwrap();
    let hostile = |number: usize, make: &dyn Fn(&Path)| {
        let layer = mkdir(place.path(), &format!("layer-{number}"));
        make(&layer);
        layer
    };
    let deep = |root: &Path| {
        // One below the other, since no path may be so long.
        let mut folder: std::os::fd::OwnedFd = fs::File::open(root).unwrap().into();
        for _ in 0..20 {
            rustix::fs::mkdirat(&folder, "n".repeat(250), Mode::RWXU).unwrap();
            let flags = rustix::fs::OFlags::DIRECTORY;
            folder = rustix::fs::openat(&folder, "n".repeat(250), flags, Mode::empty()).unwrap();
        }
    };
    let cases: [Case<'_>; 6] = [
        (&|root| drop(write(root, ".wh.etc", "")), ".wh.etc is refused"),
        (&|root| drop(mkdir(root, "a/.wh..wh..opq")), "a/.wh..wh..opq is refused"),
        (&|root| symlink("x", root.join(".wh.\u{1b}")).unwrap(), r".wh.\u{1b} is refused"),
        (&|root| whiteout(&root.join(".wh.x")), ".wh.x is refused"),
        (
            &|root| {
                rustix::fs::setxattr(write(root, "f", ""), "user.a=b", b"c", XattrFlags::empty()).unwrap();
            },
            "an extended attribute",
        ),
        (&deep, "longer than 4095 bytes"),
    ];
    for (number, (make, said)) in cases.into_iter().enumerate() {
        let layer = hostile(number, make);
        let error = refused(of(&[&layer]), &to, &named("a")).await;
        assert_eq!(error.code(), ErrorCode::Unsupported, "{error}");
        assert!(error.message().contains(said), "{error}");
        assert!(matches!(error.detail(), Detail::Unsupported { capability } if capability == "snapshots.export"));
    }
    assert_eq!(fs::read(&to).unwrap(), b"as it was");
}

#[tokio::test]
async fn a_bad_place_or_name_is_told_before_anything_is_written() {
    let place = tempfile::tempdir().unwrap();
    let layer = mkdir(place.path(), "layer");
    rustix::fs::mknodat(CWD, place.path().join("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    symlink("elsewhere", place.path().join("link")).unwrap();
    let check = |error: Error, wanted: &str, said: &str| {
        assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
        assert!(matches!(error.detail(), Detail::InvalidSpec { field, .. } if field == wanted), "{error:?}");
        assert!(error.message().contains(said), "{error}");
    };
    for (name, said) in [("layer", "directory"), ("pipe", "no plain file"), ("link", "no plain file")] {
        check(refused(of(&[&layer]), &place.path().join(name), &named("a")).await, "path", said);
    }
    let missing = export(of(&[&layer]), &place.path().join("no/image.tar"), &named("a")).await.unwrap_err();
    check(missing, "path", "is no directory");
    check(export(of(&[&layer]), Path::new("/"), &named("a")).await.unwrap_err(), "path", "names no file");
    let pinned = format!("a@sha256:{}", "0".repeat(64));
    for (name, said) in [("", "reference"), ("A B", "reference"), ("a:", "reference"), (pinned.as_str(), "digest")] {
        check(refused(of(&[&layer]), &place.path().join("image.tar"), &named(name)).await, "reference", said);
    }
}

#[tokio::test]
async fn a_full_disk_is_told_and_leaves_what_was_there() {
    if !is_root() {
        return eprintln!("skipped: mounting a small disk needs root");
    }
    let place = tempfile::tempdir().unwrap();
    let (layer, disk) = (mkdir(place.path(), "layer"), mkdir(place.path(), "disk"));
    write(&layer, "large", vec![1; 8 << 20]);
    let flags = rustix::mount::MountFlags::empty();
    rustix::mount::mount("tmpfs", &disk, c"tmpfs", flags, Some(c"size=4m,mode=755")).unwrap();
    fs::write(disk.join("image.tar"), "as it was").unwrap();
    let failed = export(of(&[&layer]), &disk.join("image.tar"), &named("a")).await;
    let left = (names(&disk), fs::read(disk.join("image.tar")).unwrap());
    rustix::mount::unmount(&disk, rustix::mount::UnmountFlags::DETACH).unwrap();
    let error = failed.unwrap_err();
    assert_eq!(error.code(), ErrorCode::OutOfDisk, "{error}");
    assert!(error.message().contains("free some space"), "{error}");
    assert_eq!(left, (vec!["image.tar".to_owned()], b"as it was".to_vec()));
}

#[tokio::test]
async fn an_export_that_nobody_waits_for_ends_and_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let (layer, out) = (mkdir(place.path(), "layer"), mkdir(place.path(), "out"));
    // Of zeros without end, as far as this test goes.
    fs::File::create(layer.join("endless")).unwrap().set_len(1 << 40).unwrap();
    let work = tokio::spawn({
        let (image, to) = (of(&[&layer]), out.join("image.tar"));
        async move { export(image, &to, &named("a")).await }
    });
    let begun = Instant::now();
    let patient = |begun: Instant| assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", names(&out));
    while names(&out).is_empty() {
        patient(begun);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    work.abort();
    while !names(&out).is_empty() {
        patient(begun);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn memory_does_not_grow_with_the_layers() {
    let place = tempfile::tempdir().unwrap();
    let layer = mkdir(place.path(), "layer");
    fs::File::create(layer.join("large")).unwrap().set_len(512 << 20).unwrap();
    let peak = || {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    };
    let before = peak();
    let exported: ExportedImage =
        export(of(&[&layer]), &place.path().join("image.tar"), &ExportOptions::default()).await.unwrap();
    assert!(exported.size > 512 << 20);
    let grown = peak() - before;
    // Most of it are other tests, where they run in the same process.
    assert!(grown < 128 << 20, "{grown} bytes for an image of {}", exported.size);
}
