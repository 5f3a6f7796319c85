//! Searching files, by reading them: the same results whatever tools the image has, or none.
//!
//! What is searched is regular files, hidden ones too; nothing is left out because of a `.gitignore`. Links are never
//! followed, so there are no loops; pipes, sockets and devices are left alone. What may not be read, or goes away
//! meanwhile, has no results, unless it is the base itself. Patterns of names are those of `globset`: `*` and `?` match no slash, `**` matches any
//! number of directories, `[a-z]`, `{one,two}` and a backslash before a character mean what they usually do. Regular
//! expressions are those of the `regex` crate, over bytes.

mod grep;
mod names;
mod tree;

use async_trait::async_trait;
use isobox_contract::search::{GrepMatch, GrepQuery, WalkEntry, WalkQuery};
use isobox_contract::{
    Error, ErrorCode, FileErrorKind, FileKind, Metadata, Range, Result, Sandbox, SandboxPath, Search,
};
use names::Pattern;
use std::sync::Arc;
use std::time::Duration;

/// How long a search may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The most results of one search.
const RESULTS: usize = 1_000_000;

/// The search of a sandbox, made from its files.
pub struct DerivedSearch {
    sandbox: Arc<dyn Sandbox>,
}

impl DerivedSearch {
    /// Searches this sandbox.
    pub fn new(sandbox: Arc<dyn Sandbox>) -> Self {
        Self { sandbox }
    }

    /// What the base of a search is; nothing when it is not there.
    async fn base(&self, path: &SandboxPath) -> Result<Option<Metadata>> {
        match self.sandbox.files().stat(path, false).await {
            Ok(metadata) if metadata.kind == FileKind::Symlink => {
                let message = format!("{} is a link, search what it points to", path.escaped());
                Err(Error::invalid_spec("path", message))
            }
            Ok(metadata) => Ok(Some(metadata)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn is_absent(error: &Error) -> bool {
    let through_file =
        matches!(error.detail(), isobox_contract::Detail::File { kind: FileErrorKind::NotADirectory, .. });
    error.code() == ErrorCode::NotFound || through_file
}

async fn in_time<T>(name: &str, work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::time::timeout(TIMEOUT, work).await.unwrap_or_else(|_| Err(Error::timeout(name, TIMEOUT)))
}

#[async_trait]
impl Search for DerivedSearch {
    async fn grep(&self, query: &GrepQuery) -> Result<Vec<GrepMatch>> {
        let lines = grep::Lines::new(query)?;
        let include = query.include.as_deref().map(|include| Pattern::new("include", include)).transpose()?;
        in_time("search.grep", async {
            let files = match self.base(&query.path).await? {
                None => Vec::new(),
                Some(metadata) if metadata.kind == FileKind::File => {
                    // One that was asked for by name and may not be read is an error.
                    let nothing = Range { offset: 0, length: Some(0) };
                    self.sandbox.files().read(&query.path, nothing, 0).await?;
                    vec![query.path.clone()]
                }
                Some(metadata) if metadata.kind == FileKind::Directory => {
                    let found = tree::files(self.sandbox.files(), &query.path, None, &[]).await?;
                    let included = |entry: &&WalkEntry| {
                        include.as_ref().is_none_or(|include| include.matches(entry.path.file_name()))
                    };
                    found.iter().filter(included).map(|entry| query.path.join(&entry.path)).collect()
                }
                Some(_) => Vec::new(),
            };
            grep::search(self.sandbox.files(), &files, &lines, query.max_matches).await
        })
        .await
    }

    async fn glob(&self, pattern: &str, base: &SandboxPath) -> Result<Vec<SandboxPath>> {
        let pattern = Pattern::new("pattern", pattern)?;
        in_time("search.glob", async {
            if self.base(base).await?.is_none_or(|metadata| metadata.kind != FileKind::Directory) {
                return Ok(Vec::new());
            }
            let all = tree::everything(self.sandbox.files(), base, pattern.depth()).await?;
            Ok(all.into_iter().map(|entry| entry.path).filter(|path| pattern.matches(path.as_bytes())).collect())
        })
        .await
    }

    async fn walk(&self, query: &WalkQuery) -> Result<Vec<WalkEntry>> {
        in_time("search.walk", async {
            if self.base(&query.base).await?.is_none_or(|metadata| metadata.kind != FileKind::Directory) {
                return Ok(Vec::new());
            }
            tree::files(self.sandbox.files(), &query.base, query.max_depth, &query.exclude).await
        })
        .await
    }
}
