//! Searching files: a provider's own way. Without one, the same results are derived from commands.

use crate::error::Result;
use crate::path::SandboxPath;
use async_trait::async_trait;
use bytes::Bytes;

/// Searches the files of one sandbox. A base that is not there has no results; a base that is a symbolic link is
/// refused. Results are sorted bytewise by path.
#[async_trait]
pub trait Search: Send + Sync {
    /// Lines that match a regular expression.
    async fn grep(&self, query: &GrepQuery) -> Result<Vec<GrepMatch>>;

    /// Paths below `base` that match a pattern in which `*` and `?` do not match a slash and `**` does.
    async fn glob(&self, pattern: &str, base: &SandboxPath) -> Result<Vec<SandboxPath>>;

    /// Files below a directory.
    async fn walk(&self, query: &WalkQuery) -> Result<Vec<WalkEntry>>;
}

/// What to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrepQuery {
    /// A regular expression.
    pub pattern: String,
    /// A file or a directory.
    pub path: SandboxPath,
    /// Whether upper and lower case are the same.
    pub ignore_case: bool,
    /// The most matches, over all files.
    pub max_matches: Option<u64>,
    /// Only files whose names match.
    pub include: Option<String>,
}

/// A line that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrepMatch {
    /// The file.
    pub path: SandboxPath,
    /// The line's number, from 1.
    pub line_number: u64,
    /// The line, without its end.
    pub line: Bytes,
}

/// What to walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkQuery {
    /// Where.
    pub base: SandboxPath,
    /// How many levels; all when left out.
    pub max_depth: Option<u32>,
    /// Names of directories not to enter. A file with such a name is a result.
    pub exclude: Vec<Vec<u8>>,
}

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkEntry {
    /// Its path relative to the base.
    pub path: SandboxPath,
    /// Its bytes, when known.
    pub size: Option<u64>,
}
