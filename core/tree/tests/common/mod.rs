//! What the tests share: looking at a tree from outside, and forging streams byte by byte.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub, missing_docs)]

pub mod forge;

use isobox_tree::{Error, PackOptions, Report, UnpackOptions, pack, unpack};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, FileTimes};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

pub fn open(path: &Path) -> File {
    File::open(path).unwrap()
}

pub fn packed(root: &Path) -> (Vec<u8>, Report) {
    let mut stream = Vec::new();
    let report = pack(open(root).as_fd(), &mut stream, &PackOptions::default()).unwrap();
    (stream, report)
}

pub fn unpacked(root: &Path, stream: &[u8]) -> Result<Report, Error> {
    unpacked_with(root, stream, &UnpackOptions::default())
}

pub fn unpacked_with(root: &Path, mut stream: &[u8], options: &UnpackOptions) -> Result<Report, Error> {
    unpack(open(root).as_fd(), &mut stream, options)
}

/// Everything that a user can see of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub kind: &'static str,
    pub mode: u32,
    pub mtime: (i64, i64),
    pub size: u64,
    /// Of a file or the target of a symlink; the beginning and a digest, so that a failure can be read.
    pub contents: (String, u64),
    /// The first path of the same file, when it has several.
    pub first: Option<PathBuf>,
}

/// All entries beneath a root and the root itself, by path.
pub fn look(root: &Path) -> BTreeMap<PathBuf, Seen> {
    let mut seen = BTreeMap::new();
    let mut paths = vec![PathBuf::new()];
    while let Some(path) = paths.pop() {
        let full = root.join(&path);
        let meta = fs::symlink_metadata(&full).unwrap();
        let kind = meta.file_type();
        let (kind, contents) = if kind.is_dir() {
            paths.extend(fs::read_dir(&full).unwrap().map(|entry| path.join(entry.unwrap().file_name())));
            ("directory", digest(b""))
        } else if kind.is_symlink() {
            ("symlink", digest(fs::read_link(&full).unwrap().as_os_str().as_bytes()))
        } else if kind.is_file() {
            ("file", digest(&fs::read(&full).unwrap()))
        } else if kind.is_fifo() {
            ("fifo", digest(b""))
        } else {
            ("other", digest(b""))
        };
        let size = if kind == "directory" { 0 } else { meta.len() };
        let mode = if kind == "symlink" { 0 } else { meta.mode() & 0o7777 };
        let mtime = (meta.mtime(), meta.mtime_nsec());
        seen.insert(path, Seen { kind, mode, mtime, size, contents, first: None });
    }
    name_firsts(root, &mut seen);
    seen
}

pub fn digest(contents: &[u8]) -> (String, u64) {
    let mut hasher = DefaultHasher::new();
    contents.hash(&mut hasher);
    (String::from_utf8_lossy(&contents[..contents.len().min(20)]).into_owned(), hasher.finish())
}

fn name_firsts(root: &Path, seen: &mut BTreeMap<PathBuf, Seen>) {
    let mut firsts = BTreeMap::new();
    for (path, entry) in seen.iter_mut().filter(|(_, entry)| entry.kind == "file") {
        let meta = fs::symlink_metadata(root.join(path)).unwrap();
        if meta.nlink() > 1 {
            entry.first = Some(firsts.entry(meta.ino()).or_insert_with(|| path.clone()).clone());
        }
    }
}

pub fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

pub fn touch(path: &Path, seconds: u64, nanoseconds: u32) {
    let time = UNIX_EPOCH + Duration::new(seconds, nanoseconds);
    open(path).set_times(FileTimes::new().set_modified(time)).unwrap();
}

/// A tree with one of everything that can be carried.
pub fn rich(root: &Path) {
    fs::create_dir_all(root.join("d/empty")).unwrap();
    fs::create_dir_all(root.join("d-e")).unwrap();
    fs::write(root.join("d/file"), "contents").unwrap();
    fs::write(root.join("d/zero"), "").unwrap();
    fs::write(root.join("big"), (0..1_000_003_u32).map(|n| (n % 251) as u8).collect::<Vec<_>>()).unwrap();
    fs::write(root.join(OsStr::from_bytes(b"new\nline")), "n").unwrap();
    fs::write(root.join(OsStr::from_bytes(b"in\xffvalid\xfe")), "i").unwrap();
    fs::write(root.join("x".repeat(255)), "long name").unwrap();
    symlink("d/file", root.join("link")).unwrap();
    symlink("no/such", root.join("dangling")).unwrap();
    symlink("../../../etc/passwd", root.join("d/escaping")).unwrap();
    symlink("/etc/passwd", root.join("absolute")).unwrap();
    symlink(OsStr::from_bytes(b"odd\n\xff"), root.join("odd")).unwrap();
    fs::hard_link(root.join("d/file"), root.join("d/again")).unwrap();
    fs::hard_link(root.join("d/file"), root.join("a-first-name")).unwrap();
    let sparse = File::create(root.join("sparse")).unwrap();
    sparse.set_len(20 << 20).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&sparse, b"in the middle", 10 << 20).unwrap();
    let locked = if running_as_root() { 0o000 } else { 0o400 };
    for (path, mode) in [("d/file", 0o640), ("d/zero", locked), ("big", 0o1755), ("d/empty", 0o1777), ("d-e", 0o700)] {
        touch(&root.join(path), 1_000_000_000, 123_456_789);
        chmod(&root.join(path), mode);
    }
    touch(&root.join("d"), 1_500_000_000, 999_999_999);
    chmod(&root.join("d"), 0o555);
    touch(root, 86_400, 1);
    chmod(root, 0o751);
}

/// Whether modes do not matter and files can be given away.
pub fn running_as_root() -> bool {
    rustix::process::geteuid().is_root()
}
