//! This machine's side of the tests of files: trees to send, a picture of what arrived, and who runs the test.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

use crate::common::{Lab, PROVIDERS, providers};
use isobox::{Detail, Error, FileErrorKind, Sandbox};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Runs a test in a fresh sandbox of each provider, in a working directory that is empty.
pub async fn on_each_workspace(test: impl AsyncFn(&str, Sandbox)) {
    in_workspaces(&providers(), test).await;
}

/// The same without containers, for what moves so much that twice is enough.
pub async fn on_each_local_workspace(test: impl AsyncFn(&str, Sandbox)) {
    in_workspaces(&PROVIDERS, test).await;
}

async fn in_workspaces(providers: &[&str], test: impl AsyncFn(&str, Sandbox)) {
    for &provider in providers {
        eprintln!("on {provider}");
        let lab = Lab::open().await;
        let sandbox = lab.builder(provider);
        // The host provider's sandboxes have an empty directory of their own.
        let sandbox = if provider == "host" { sandbox } else { sandbox.workdir("/tmp") };
        let sandbox = sandbox.create().await.unwrap();
        test(provider, sandbox.clone()).await;
        sandbox.delete().await.unwrap();
        assert_eq!(lab.left_over(), Vec::<PathBuf>::new(), "on {provider}");
    }
}

/// Whether the test runs as root.
pub fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// What an error says about a file: its path and the kind.
pub fn file_detail(error: &Error) -> (String, FileErrorKind) {
    match error.detail() {
        Detail::File { path, kind } => (path.to_string(), *kind),
        other => panic!("{error}: expected a file's detail and got {other:?}"),
    }
}

/// What can be seen of one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub mode: u32,
    pub modified: (i64, i64),
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    File { contents: Vec<u8>, first: Option<PathBuf> },
    Directory,
    Link(PathBuf),
    Other,
}

/// Everything below a directory, by its path; hard links name the first of them.
pub fn look(root: &Path) -> BTreeMap<PathBuf, Seen> {
    let mut found = BTreeMap::new();
    let mut inodes = BTreeMap::new();
    collect(root, root, &mut found, &mut inodes);
    found
}

fn collect(root: &Path, at: &Path, found: &mut BTreeMap<PathBuf, Seen>, inodes: &mut BTreeMap<u64, PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let metadata = path.symlink_metadata().unwrap();
        let relative = path.strip_prefix(root).unwrap().to_owned();
        let what = if metadata.is_dir() {
            What::Directory
        } else if metadata.is_symlink() {
            What::Link(fs::read_link(&path).unwrap())
        } else if metadata.is_file() {
            let first = inodes.get(&metadata.ino()).cloned();
            inodes.entry(metadata.ino()).or_insert_with(|| relative.clone());
            What::File { contents: fs::read(&path).unwrap_or_default(), first }
        } else {
            What::Other
        };
        let mode = metadata.permissions().mode() & 0o7777;
        let seen = Seen { mode, modified: (metadata.mtime(), metadata.mtime_nsec()), what };
        let is_directory = seen.what == What::Directory;
        found.insert(relative, seen);
        if is_directory {
            collect(root, &path, found, inodes);
        }
    }
}

/// Runs a script on this machine, in a directory.
pub fn script(at: &Path, text: &str) {
    let done = std::process::Command::new("sh").args(["-ec", text]).current_dir(at).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Bytes that compress badly and tell where they come from.
pub fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut bytes = Vec::with_capacity(length + 8);
    while bytes.len() < length {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes.truncate(length);
    bytes
}
