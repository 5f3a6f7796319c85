//! Searching the files of a sandbox.

use super::Result;
use crate::cross::Cross;
use crate::held::Held;
use crate::{Path, Text};
use std::future::IntoFuture;

/// Where a pattern is looked for.
#[derive(Clone, Debug, Default)]
pub struct GrepOptions {
    /// A file or directory; the working directory by default.
    pub path: Option<Path>,
    /// Take large and small letters for the same.
    pub ignore_case: bool,
    /// Only in files whose names match this pattern.
    pub include: Option<String>,
    /// The most matches; beyond a million, or 64 MiB of lines, it fails by default.
    pub max_matches: Option<u64>,
}

/// How a tree is walked.
#[derive(Clone, Debug, Default)]
pub struct WalkOptions {
    /// How many levels deep; all by default.
    pub max_depth: Option<u32>,
    /// Names that are left out, with everything below.
    pub exclude: Vec<String>,
}

/// A line that matches.
#[derive(Clone, Debug)]
pub struct GrepMatch {
    /// In which file.
    pub path: Path,
    /// Which line, from 1.
    pub line_number: u64,
    /// The line, without its end.
    pub line: Text,
}

impl Cross<GrepMatch> for isobox::GrepMatch {
    fn cross(self) -> GrepMatch {
        GrepMatch { path: self.path.cross(), line_number: self.line_number, line: self.line.cross() }
    }
}

/// What a walk comes by.
#[derive(Clone, Debug)]
pub struct WalkEntry {
    /// Where it is, relative to where the walk began.
    pub path: Path,
    /// Its bytes; none for what is no file.
    pub size: Option<u64>,
}

impl Cross<WalkEntry> for isobox::WalkEntry {
    fn cross(self) -> WalkEntry {
        WalkEntry { path: self.path.cross(), size: self.size }
    }
}

/// Searching the files of one sandbox, with the same results in every image.
#[derive(Clone)]
pub struct Search {
    search: Held<isobox::Search>,
}

impl Search {
    pub(super) fn new(search: isobox::Search) -> Self {
        Self { search: Held::new(search) }
    }

    /// The lines that match a regular expression, by path and line.
    pub async fn grep(&self, pattern: String, options: GrepOptions) -> Result<Vec<GrepMatch>> {
        let mut grep = self.search.get()?.grep(pattern);
        if let Some(path) = options.path {
            grep = grep.path(path.0);
        }
        if options.ignore_case {
            grep = grep.ignore_case();
        }
        if let Some(include) = options.include {
            grep = grep.include(include);
        }
        if let Some(most) = options.max_matches {
            grep = grep.max_matches(most);
        }
        Ok(grep.into_future().await?.cross())
    }

    /// The paths below a directory that match a pattern with `*`, `?`, `[...]` and `**`, sorted.
    pub async fn glob(&self, pattern: String, base: Option<Path>) -> Result<Vec<Path>> {
        let base = base.map_or_else(|| b".".to_vec(), |base| base.0);
        Ok(self.search.get()?.glob(&pattern, base).await?.cross())
    }

    /// Everything below a directory, sorted.
    pub async fn walk(&self, base: Path, options: WalkOptions) -> Result<Vec<WalkEntry>> {
        let mut walk = self.search.get()?.walk(base.0);
        if let Some(depth) = options.max_depth {
            walk = walk.max_depth(depth);
        }
        let walk = options.exclude.into_iter().fold(walk, |walk, name| walk.exclude(name));
        Ok(walk.into_future().await?.cross())
    }
}
