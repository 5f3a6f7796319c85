//! Files and directories in the sandbox.

use crate::Blob;
use serde::{Deserialize, Serialize};

/// An operation on files, and as whom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileRequest {
    /// Whose permissions count and to whom new files belong; the sandbox's user when absent.
    pub user: Option<String>,
    /// What to do. Relative paths start at the sandbox's working directory.
    pub op: FileOp,
}

/// What can be done with files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are explained at the variants")]
pub enum FileOp {
    /// Sends `length` bytes from `offset`, or all: `Opened`, data, `Eof`, `Done`.
    Read { path: Blob, offset: u64, length: Option<u64> },
    /// Takes data until `Eof`: `Done` when it can begin, `Written` at the end.
    Write(Write),
    /// `Metadata`.
    Stat { path: Blob, follow: bool },
    /// `Entries`, as often as needed, the last one empty. Depth 1 is the directory's own entries.
    List { path: Blob, depth: u32 },
    /// `Done`. An existing directory is fine, unless it is `exclusive`.
    Mkdir { path: Blob, parents: bool, exclusive: bool, mode: Option<u32>, owner: Option<String> },
    /// `Done`. Replaces a file at `to`.
    Rename { from: Blob, to: Blob },
    /// `Transferred`. Directories are copied whole.
    Copy { from: Blob, to: Blob },
    /// `Done`.
    Symlink { target: Blob, link: Blob },
    /// `Path`: where the link points.
    ReadLink { path: Blob },
    /// `Path`: absolute, with no links in it.
    RealPath { path: Blob },
    /// `Done`.
    Chmod { path: Blob, mode: u32 },
    /// `Done`. Changes a link itself.
    Chown { path: Blob, owner: String, recursive: bool },
    /// `Done`, also when there is nothing.
    Remove { path: Blob, recursive: bool },
    /// `Done` when everything is being watched, then `Changed` until the client closes.
    Watch { path: Blob, recursive: bool },
    /// Takes a tree as data until `Eof`: `Done` when it can begin, `Transferred` at the end.
    Upload { path: Blob, owner: Option<String>, limits: Limits },
    /// Sends a tree: `Done`, data, `Eof`, `Transferred`.
    Download { path: Blob, exclude: Vec<String>, limits: Limits },
}

/// A file to write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Write {
    /// Where.
    pub path: Blob,
    /// What becomes of an existing file.
    pub mode: WriteMode,
    /// Whether it is written beside and renamed, so that nobody sees half a file. Only with [`WriteMode::Replace`] and
    /// [`WriteMode::CreateNew`].
    pub atomic: bool,
    /// Whether missing directories are made.
    pub parents: bool,
    /// Permission bits; 0644 for a new file when absent.
    pub permissions: Option<u32>,
    /// The owner of a new file, as a user spec.
    pub owner: Option<String>,
    /// How many bytes there will be. Another number is an error.
    pub length: Option<u64>,
}

/// What becomes of an existing file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WriteMode {
    /// It is replaced.
    Replace,
    /// It grows.
    Append,
    /// It stays, and the operation fails.
    CreateNew,
    /// It is written to from this offset on.
    At(u64),
}

/// What something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum FileKind {
    File,
    Directory,
    Symlink,
    Other,
}

/// A file's facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// What it is.
    pub kind: FileKind,
    /// Bytes.
    pub size: u64,
    /// Permission bits.
    pub mode: u32,
    /// Owner, as numbers in the sandbox.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Last change of contents: seconds since 1970.
    pub modified: i64,
    /// And nanoseconds.
    pub modified_nanos: u32,
    /// Hard links.
    pub links: u64,
    /// Where it points, for a link.
    pub target: Option<Blob>,
}

/// Something in a directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its path, relative to the listed directory.
    pub path: Blob,
    /// Its facts, a link's own.
    pub metadata: Metadata,
}

/// What a transfer may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Files, directories and links.
    pub entries: u64,
    /// Bytes of contents.
    pub bytes: u64,
}

/// What a transfer moved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Transfer {
    /// Regular files.
    pub files: u64,
    /// Directories.
    pub directories: u64,
    /// Links.
    pub links: u64,
    /// Bytes of contents.
    pub bytes: u64,
    /// How many entries were left out.
    pub skipped: u64,
    /// The first of those, with the reason.
    pub examples: Vec<(Blob, String)>,
}

/// A change in a watched place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// Where, relative to the watched directory; empty for itself.
    pub path: Blob,
    /// Where it went, when it was renamed within the watched place.
    pub renamed_to: Option<Blob>,
}

/// Kinds of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChangeKind {
    /// It came into being, or was moved here.
    Created,
    /// Its contents changed.
    Modified,
    /// Its mode, owner or times changed.
    Attributes,
    /// It has another name.
    Renamed,
    /// It is gone, or was moved away.
    Removed,
    /// Too much happened at once and changes were lost; look for yourself.
    Overflow,
}
