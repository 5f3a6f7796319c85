//! Trees of this machine, to and from memory, by the same code that real sandboxes use.

use crate::disk::{Author, Key, Node, Outcome, View};
use isobox_contract::{
    Detail, DownloadOptions, Error, ErrorCode, FileErrorKind, Result, SandboxPath, Timestamp, TransferReport,
    UploadOptions,
};
use isobox_tree::memory::{self, Content, Entry};
use isobox_tree::{Links, PackOptions, UnpackOptions};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What was read from this machine: the thing itself, then what is beneath it.
pub(crate) struct Packed {
    entries: Vec<Entry>,
    skipped: u64,
}

impl Packed {
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn is_directory(&self) -> bool {
        self.entries[0].content == Content::Directory
    }

    /// Puts it all at a key.
    pub(crate) fn put(&self, view: &mut View<'_>, at: &Key, author: &Author) -> Outcome<TransferReport> {
        let mut report = TransferReport { skipped: self.skipped, ..TransferReport::default() };
        for entry in &self.entries {
            let key = [&at[..], &crate::disk::names(&entry.path).collect::<Vec<_>>()].concat();
            let mut node = match &entry.content {
                Content::Directory => author.directory(Some(entry.mode)),
                Content::File(bytes) => author.file(bytes.clone().into(), Some(entry.mode)),
                Content::Symlink(text) => author.link(text.clone()),
            };
            node.modified = Timestamp::from_unix(entry.modified.0, entry.modified.1);
            view.place_node(&key, node)?;
            count(&mut report, entry);
        }
        Ok(report)
    }
}

fn count(report: &mut TransferReport, entry: &Entry) {
    match &entry.content {
        Content::Directory if entry.path.is_empty() => {}
        Content::Directory => report.directories += 1,
        Content::Symlink(_) => report.links += 1,
        Content::File(bytes) => {
            report.files += 1;
            report.bytes += bytes.len() as u64;
        }
    }
}

/// Reads a file or a directory of this machine.
pub(crate) fn packed(local: &Path, options: &UploadOptions) -> Result<Packed> {
    let metadata = fs::metadata(local).map_err(|error| failed(local, error))?;
    if metadata.is_dir() {
        return packed_directory(local, options);
    }
    if !metadata.is_file() {
        return Err(Error::invalid_spec("local", format!("{} is neither a file nor a directory", local.display())));
    }
    if metadata.len() > options.limits.bytes {
        return Err(Error::limit_exceeded("limits.bytes", options.limits.bytes));
    }
    let bytes = fs::read(local).map_err(|error| failed(local, error))?;
    let mode = options.file_mode.unwrap_or(metadata.permissions().mode() & 0o777);
    let modified = Timestamp::now().unix();
    Ok(Packed { entries: vec![Entry { path: Vec::new(), mode, modified, content: Content::File(bytes) }], skipped: 0 })
}

fn packed_directory(local: &Path, options: &UploadOptions) -> Result<Packed> {
    let directory = File::open(local).map_err(|error| failed(local, error))?;
    let pack = PackOptions {
        max_entries: options.limits.entries,
        max_bytes: options.limits.bytes,
        exclude: options.exclude.clone(),
        file_mode: options.file_mode,
        directory_mode: options.directory_mode,
        ..PackOptions::default()
    };
    let mut stream = Vec::new();
    let packed = isobox_tree::pack(directory.as_fd(), &mut stream, &pack).map_err(|error| tree_failed(local, error))?;
    let entries = memory::read(&mut stream.as_slice(), u64::MAX).map_err(|error| tree_failed(local, error))?;
    Ok(Packed { entries, skipped: packed.skipped_total })
}

/// What is at a key, and beneath it.
pub(crate) fn gathered(view: &View<'_>, key: &Key) -> Outcome<Vec<Entry>> {
    let entry = |path: Vec<u8>, node: &Node| Entry {
        path,
        mode: node.mode,
        modified: node.modified.unix(),
        content: match &node.kind {
            crate::disk::Kind::Directory => Content::Directory,
            crate::disk::Kind::File(bytes) => Content::File(bytes.to_vec()),
            crate::disk::Kind::Link(text) => Content::Symlink(text.clone()),
        },
    };
    let own = view.node(key)?;
    let mut entries = vec![entry(Vec::new(), own)];
    if own.is_directory() {
        let beneath = view.beneath(key);
        entries.extend(beneath.iter().map(|(below, node)| entry(below[key.len()..].join(&b'/'), node)));
    }
    Ok(entries)
}

/// Writes it to this machine.
pub(crate) fn written(entries: Vec<Entry>, local: &Path, options: &DownloadOptions) -> Result<TransferReport> {
    match &entries[0].content {
        Content::File(bytes) => written_file(bytes, entries[0].mode, local, options),
        _ => written_directory(&entries, local, options),
    }
}

fn written_file(bytes: &[u8], mode: u32, local: &Path, options: &DownloadOptions) -> Result<TransferReport> {
    if bytes.len() as u64 > options.limits.bytes {
        return Err(Error::limit_exceeded("limits.bytes", options.limits.bytes));
    }
    if local.is_dir() {
        let message = format!("{} is a directory on this machine, give the file's own name", local.display());
        return Err(Error::new(ErrorCode::AlreadyExists, message));
    }
    if options.keep_existing && local.symlink_metadata().is_ok() {
        return Err(failed(local, io::Error::from_raw_os_error(17)));
    }
    make_parents(local)?;
    // A link in its place is replaced and never written through.
    if local.is_symlink() {
        fs::remove_file(local).map_err(|error| failed(local, error))?;
    }
    fs::write(local, bytes).map_err(|error| failed(local, error))?;
    let permissions = fs::Permissions::from_mode(mode & 0o777);
    fs::set_permissions(local, permissions).map_err(|error| failed(local, error))?;
    Ok(TransferReport { files: 1, bytes: bytes.len() as u64, ..TransferReport::default() })
}

fn written_directory(entries: &[Entry], local: &Path, options: &DownloadOptions) -> Result<TransferReport> {
    if local.is_symlink() {
        let message =
            format!("{} is a symbolic link on this machine, give the directory that it leads to", local.display());
        let path = SandboxPath::from(local.as_os_str().as_bytes());
        let detail = Detail::File { path, kind: FileErrorKind::NotADirectory };
        return Err(Error::new(ErrorCode::Io, message).with_detail(detail).infrastructure(false));
    }
    let pack = PackOptions {
        exclude: options.exclude.clone(),
        max_entries: options.limits.entries,
        max_bytes: options.limits.bytes,
        ..PackOptions::default()
    };
    let mut stream = Vec::new();
    memory::pack(entries, &mut stream, &pack).map_err(|error| tree_failed(local, error))?;
    let there = local.is_dir();
    make_parents(local)?;
    if !there {
        fs::create_dir(local).map_err(|error| failed(local, error))?;
    }
    let directory = File::open(local).map_err(|error| failed(local, error))?;
    let unpack = UnpackOptions {
        links: if options.keep_escaping_links { Links::Keep } else { Links::Beneath },
        keep_existing: options.keep_existing,
        // A directory that was there keeps its own mode, a new one is like the root of the tree.
        keep_root: there,
        ..UnpackOptions::default()
    };
    let report = isobox_tree::unpack(directory.as_fd(), &mut stream.as_slice(), &unpack)
        .map_err(|error| tree_failed(local, error))?;
    Ok(TransferReport {
        files: report.files,
        directories: report.directories,
        links: report.links,
        bytes: report.bytes,
        skipped: report.skipped_total,
    })
}

fn make_parents(local: &Path) -> Result<()> {
    match local.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        Some(parent) => fs::create_dir_all(parent).map_err(|error| failed(parent, error)),
        None => Ok(()),
    }
}

fn failed(path: &Path, error: io::Error) -> Error {
    let kind = error.raw_os_error().map_or(FileErrorKind::Other, FileErrorKind::from_errno);
    let message = format!("{} on this machine: {}", path.display(), error.kind());
    let detail = Detail::File { path: SandboxPath::from(path.as_os_str().as_bytes()), kind };
    Error::new(kind.code(), message).with_detail(detail).with_source(error)
}

fn tree_failed(root: &Path, error: isobox_tree::Error) -> Error {
    match error {
        isobox_tree::Error::Io { source, path, .. } => failed(&root.join(std::ffi::OsStr::from_bytes(&path)), source),
        isobox_tree::Error::Limit { what, limit } => Error::limit_exceeded(format!("limits.{what}"), limit),
        isobox_tree::Error::Conflict { .. } => Error::new(ErrorCode::AlreadyExists, error.to_string()),
        isobox_tree::Error::Pattern { reason, .. } => Error::invalid_spec("exclude", reason),
        error => Error::internal(error),
    }
}
