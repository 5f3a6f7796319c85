//! Files in a sandbox.
//!
//! Paths are resolved inside, by the agent; relative ones start at the working directory. New files belong to the user
//! that commands run as, with mode 0644 and directories 0755, unless the options say otherwise. Contents are bytes.
//! What is read from a sandbox is hostile, its names included: a download never leaves its target directory.

use crate::error::Result;
use crate::path::SandboxPath;
use crate::time::Timestamp;
use crate::transfer::{DownloadOptions, TransferReport, UploadOptions};
use crate::words::words;
use async_trait::async_trait;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::path::Path;
use tokio::io::AsyncRead;

/// The files of one sandbox. Errors about a path have [`crate::Detail::File`].
#[async_trait]
pub trait Files: Send + Sync {
    /// Reads a part of a file, at most `limit` bytes of it; a longer part is `limit_exceeded` and nothing is returned.
    /// Past the end there is nothing to read, which is no error.
    async fn read(&self, path: &SandboxPath, range: Range, limit: u64) -> Result<Bytes>;

    /// Reads a part of a file as a stream of any length. Dropping it ends the transfer.
    async fn read_stream(&self, path: &SandboxPath, range: Range) -> Result<FileReader>;

    /// Writes a whole file.
    async fn write(&self, path: &SandboxPath, data: Bytes, options: WriteOptions) -> Result<()>;

    /// Writes a file from a stream and returns the bytes written. With [`WriteOptions::length`], a source that ends
    /// early is `io` and what it has beyond stays unread.
    async fn write_stream(
        &self,
        path: &SandboxPath,
        source: &mut (dyn AsyncRead + Send + Unpin),
        options: WriteOptions,
    ) -> Result<u64>;

    /// Adds to the end of a file and makes it when there is none.
    async fn append(&self, path: &SandboxPath, data: Bytes, options: WriteOptions) -> Result<()>;

    /// What a path names. Without `follow`, a link itself.
    async fn stat(&self, path: &SandboxPath, follow: bool) -> Result<Metadata>;

    /// Whether a path names something, after following links.
    async fn exists(&self, path: &SandboxPath) -> Result<bool>;

    /// What is below a directory, `depth` levels deep; 1 is its direct children, 0 is refused. Flat, relative, sorted
    /// bytewise. Links are listed and not followed.
    async fn list(&self, path: &SandboxPath, depth: u32) -> Result<Vec<Entry>>;

    /// Makes a directory and its parents. One that exists is fine.
    async fn mkdir(&self, path: &SandboxPath, options: WriteOptions) -> Result<()>;

    /// Renames, replacing a file at the target.
    async fn rename(&self, from: &SandboxPath, to: &SandboxPath) -> Result<()>;

    /// Copies a file, or a directory with everything in it, keeping modes, times and links.
    async fn copy(&self, from: &SandboxPath, to: &SandboxPath) -> Result<()>;

    /// Makes a symbolic link at `path` whose text is `target`.
    async fn symlink(&self, target: &SandboxPath, path: &SandboxPath) -> Result<()>;

    /// The text of a symbolic link.
    async fn read_link(&self, path: &SandboxPath) -> Result<SandboxPath>;

    /// Sets the permission bits, such as 0o755.
    async fn chmod(&self, path: &SandboxPath, mode: u32) -> Result<()>;

    /// Sets the owner: a name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox.
    async fn chown(&self, path: &SandboxPath, owner: &str) -> Result<()>;

    /// Removes a file, a link or an empty directory; with `recursive`, a directory with everything in it, never through
    /// a link. What is not there is fine.
    async fn remove(&self, path: &SandboxPath, recursive: bool) -> Result<()>;

    /// Reports changes until dropped.
    async fn watch(&self, path: &SandboxPath, recursive: bool) -> Result<Box<dyn Watch>>;

    /// Copies a file or a directory from this machine.
    async fn upload(&self, local: &Path, remote: &SandboxPath, options: UploadOptions) -> Result<TransferReport>;

    /// Copies a file or a directory to this machine. Nothing is ever written outside `local`.
    async fn download(&self, remote: &SandboxPath, local: &Path, options: DownloadOptions) -> Result<TransferReport>;
}

/// The bytes of a file as they come.
pub type FileReader = Box<dyn AsyncRead + Send + Unpin>;

/// A part of a file; everything by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// Bytes to skip.
    pub offset: u64,
    /// Bytes to read; to the end when left out.
    pub length: Option<u64>,
}

impl Range {
    /// Everything.
    pub const ALL: Range = Range { offset: 0, length: None };
}

/// How a file or directory is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// Permission bits; for a file that exists, what it has.
    pub mode: Option<u32>,
    /// A name, `uid`, `uid:gid` or `name:group`; for a file that exists, what it has.
    pub owner: Option<String>,
    /// Make the directories on the way. They belong to the same owner.
    pub parents: bool,
    /// Fail with `already_exists` when there is something.
    pub exclusive: bool,
    /// Write beside and rename, so that readers see the old or the new file and nothing between.
    pub atomic: bool,
    /// How many bytes a stream has.
    pub length: Option<u64>,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { mode: None, owner: None, parents: true, exclusive: false, atomic: false, length: None }
    }
}

words! {
    /// What a path names.
    pub enum FileKind {
        /// A regular file.
        File = "file",
        /// A directory.
        Directory = "directory",
        /// A symbolic link.
        Symlink = "symlink",
        /// A device, socket or pipe.
        Other = "other",
    }
    unknown Other
}

/// What is known about a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// What it is.
    pub kind: FileKind,
    /// Its bytes.
    pub size: u64,
    /// Its permission bits, when the provider knows.
    #[serde(default)]
    pub mode: Option<u32>,
    /// Its owner.
    #[serde(default)]
    pub uid: Option<u32>,
    /// Its group.
    #[serde(default)]
    pub gid: Option<u32>,
    /// When its contents changed.
    #[serde(default)]
    pub modified_at: Option<Timestamp>,
    /// The text of a link.
    #[serde(default)]
    pub link_target: Option<SandboxPath>,
}

/// One row of a directory listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its path relative to the directory listed.
    pub path: SandboxPath,
    /// What it is.
    #[serde(flatten)]
    pub metadata: Metadata,
}

/// Changes as they happen.
#[async_trait]
pub trait Watch: Send {
    /// The next change; `None` when what is watched, or the sandbox, is gone. Cancel safe.
    async fn next(&mut self) -> Result<Option<FileChange>>;
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// What happened.
    pub kind: FileChangeKind,
    /// To what, relative to what is watched.
    pub path: SandboxPath,
    /// Where it went, when it was renamed within what is watched.
    #[serde(default)]
    pub renamed_to: Option<SandboxPath>,
}

words! {
    /// What happened to a file.
    pub enum FileChangeKind {
        /// It is new.
        Created = "created",
        /// Its contents changed.
        Modified = "modified",
        /// Its mode, owner or times changed.
        Attributes = "attributes",
        /// It has another name.
        Renamed = "renamed",
        /// It is gone.
        Removed = "removed",
        /// Changes were lost: look again.
        Overflow = "overflow",
    }
    unknown Overflow
}
