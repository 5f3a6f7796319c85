//! Copying files and directories between this machine and a sandbox.
//!
//! Modes, links, empty directories and modification times are kept. Sockets, pipes and devices are skipped and counted.
//! Links are copied as links and never followed out of the tree. On this machine everything is resolved beneath the
//! target, and the limits hold before a byte is written beyond them.
//!
//! A directory on the other side is merged into; one that is missing is made, and gets the mode and time of the source.
//! On this machine a link in place of the target is never followed: a file replaces it, and a directory is refused.

use serde::{Deserialize, Serialize};

/// How to upload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UploadOptions {
    /// Who owns everything in the sandbox; by default the user that commands run as.
    pub owner: Option<String>,
    /// Permission bits of files instead of the local ones.
    pub file_mode: Option<u32>,
    /// Permission bits of directories instead of the local ones.
    pub directory_mode: Option<u32>,
    /// Names, or paths with `*` and `**` relative to the source, that stay here.
    pub exclude: Vec<String>,
    /// What is refused as too large.
    pub limits: TransferLimits,
}

/// How to download.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DownloadOptions {
    /// Fail with `already_exists` where something is; otherwise files are replaced.
    pub keep_existing: bool,
    /// Names, or paths with `*` and `**` relative to the source, that stay there.
    pub exclude: Vec<String>,
    /// Copy links that point out of the tree as they are. Otherwise they are skipped and counted.
    pub keep_escaping_links: bool,
    /// What is refused as too large.
    pub limits: TransferLimits,
}

/// What a transfer may have; `limit_exceeded` beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransferLimits {
    /// Files, directories and links.
    pub entries: u64,
    /// Bytes of contents.
    pub bytes: u64,
}

impl Default for TransferLimits {
    /// A million entries and 64 GiB: more than a person wants, less than a disk.
    fn default() -> Self {
        Self { entries: 1_000_000, bytes: 64 << 30 }
    }
}

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferReport {
    /// Regular files.
    pub files: u64,
    /// Directories.
    pub directories: u64,
    /// Links.
    pub links: u64,
    /// Bytes of contents.
    pub bytes: u64,
    /// Sockets, pipes, devices and refused links that were left out.
    pub skipped: u64,
}
