//! Searching files.

use crate::sandbox::Sandbox;
use isobox_contract::search::{GrepMatch, GrepQuery, WalkEntry, WalkQuery};
use isobox_contract::{Capability, Result, SandboxPath, Search as _};
use isobox_derived::DerivedSearch;
use std::future::{Future, IntoFuture};
use std::pin::Pin;

/// Searching the files of a sandbox. Cheap to clone.
///
/// The results are the same whatever tools the image has: files are read by the agent and looked at here. Everything is
/// searched, hidden files too, and links are never followed. A directory to search in that is not there has no results;
/// one that is a link is `invalid_spec`. A search takes half a minute at most.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
/// # let sandbox = isobox.sandbox().workdir("/tmp").create().await?;
/// sandbox.files().write("src/main.rs", "fn main() {\n    todo!()\n}\n").await?;
/// let search = sandbox.search();
///
/// let found = search.grep(r"todo!\(").include("*.rs").await?;
/// assert_eq!((found[0].path.to_string(), found[0].line_number), ("./src/main.rs".into(), 2));
/// assert_eq!(&found[0].line[..], b"    todo!()");
///
/// assert_eq!(search.glob("**/*.rs", ".").await?, ["src/main.rs".into()]);
/// # sandbox.delete().await
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Search {
    sandbox: Sandbox,
}

impl Search {
    pub(crate) fn new(sandbox: Sandbox) -> Self {
        Self { sandbox }
    }

    /// Lines that match a regular expression (the dialect of the `regex` crate, over bytes), in the working directory.
    /// Await it, or say more first.
    ///
    /// Matches come sorted by the path's bytes, then by line. Binary files, those with a NUL byte among their first
    /// 8 KiB, have none.
    pub fn grep(&self, pattern: impl Into<String>) -> Grep {
        let query = GrepQuery {
            pattern: pattern.into(),
            path: ".".into(),
            ignore_case: false,
            max_matches: None,
            include: None,
        };
        Grep { sandbox: self.sandbox.clone(), query }
    }

    /// Paths of any kind below `base` that match a pattern, relative to it and sorted by their bytes. `*` and `?` match no slash,
    /// `**` any number of directories.
    pub async fn glob(&self, pattern: &str, base: impl Into<SandboxPath>) -> Result<Vec<SandboxPath>> {
        const CALL: &str = "search.glob";
        self.sandbox.require(CALL, Capability::SearchSupported)?;
        let base = base.into();
        let found = match self.sandbox.raw().search() {
            Some(native) => native.glob(pattern, &base).await,
            None => DerivedSearch::new(self.sandbox.shared()).glob(pattern, &base).await,
        };
        self.sandbox.told(CALL, found)
    }

    /// Regular files below a directory, with paths relative to it, sorted by their bytes. Await it, or say more first.
    pub fn walk(&self, base: impl Into<SandboxPath>) -> Walk {
        let query = WalkQuery { base: base.into(), max_depth: None, exclude: Vec::new() };
        Walk { sandbox: self.sandbox.clone(), query }
    }
}

/// A search for lines that has not begun yet.
#[derive(Clone, Debug)]
#[must_use = "nothing is searched before this is awaited"]
pub struct Grep {
    sandbox: Sandbox,
    query: GrepQuery,
}

impl Grep {
    /// Sets where: a directory with everything below it, or one file.
    pub fn path(mut self, path: impl Into<SandboxPath>) -> Self {
        self.query.path = path.into();
        self
    }

    /// Takes upper and lower case for the same.
    pub fn ignore_case(mut self) -> Self {
        self.query.ignore_case = true;
        self
    }

    /// Only in files whose names match a pattern.
    pub fn include(mut self, pattern: impl Into<String>) -> Self {
        self.query.include = Some(pattern.into());
        self
    }

    /// Sets the most matches. Without it, more than a million, or more than 64 MiB of lines, is `limit_exceeded`.
    pub fn max_matches(mut self, most: u64) -> Self {
        self.query.max_matches = Some(most);
        self
    }
}

impl IntoFuture for Grep {
    type Output = Result<Vec<GrepMatch>>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        const CALL: &str = "search.grep";
        Box::pin(async move {
            self.sandbox.require(CALL, Capability::SearchSupported)?;
            let found = match self.sandbox.raw().search() {
                Some(native) => native.grep(&self.query).await,
                None => DerivedSearch::new(self.sandbox.shared()).grep(&self.query).await,
            };
            self.sandbox.told(CALL, found)
        })
    }
}

/// A walk that has not begun yet.
#[derive(Clone, Debug)]
#[must_use = "nothing is searched before this is awaited"]
pub struct Walk {
    sandbox: Sandbox,
    query: WalkQuery,
}

impl Walk {
    /// Sets how many levels; all of them otherwise.
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.query.max_depth = Some(depth);
        self
    }

    /// Leaves out directories with this name, wherever they are. A file with the name is a result.
    pub fn exclude(mut self, name: impl Into<Vec<u8>>) -> Self {
        self.query.exclude.push(name.into());
        self
    }
}

impl IntoFuture for Walk {
    type Output = Result<Vec<WalkEntry>>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        const CALL: &str = "search.walk";
        Box::pin(async move {
            self.sandbox.require(CALL, Capability::SearchSupported)?;
            let found = match self.sandbox.raw().search() {
                Some(native) => native.walk(&self.query).await,
                None => DerivedSearch::new(self.sandbox.shared()).walk(&self.query).await,
            };
            self.sandbox.told(CALL, found)
        })
    }
}
