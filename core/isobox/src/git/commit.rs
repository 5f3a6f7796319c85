//! A commit on its way.

use super::Repository;
use isobox_contract::{Capability, Result};
use isobox_derived::git::GitAuthor;
use std::future::{Future, IntoFuture};
use std::pin::Pin;

/// A commit that has not been made yet.
#[derive(Clone, Debug)]
#[must_use = "nothing is committed before this is awaited"]
pub struct Commit {
    repository: Repository,
    message: String,
    author: Option<GitAuthor>,
    allow_empty: bool,
}

impl Commit {
    pub(super) fn new(repository: Repository, message: String) -> Self {
        Self { repository, message, author: None, allow_empty: false }
    }

    /// Sets who it is by; otherwise git's configuration says it.
    pub fn author(mut self, name: impl Into<String>, email: impl Into<String>) -> Self {
        self.author = Some(GitAuthor { name: name.into(), email: email.into() });
        self
    }

    /// Commits also when nothing is staged.
    pub fn allow_empty(mut self) -> Self {
        self.allow_empty = true;
        self
    }

    async fn make(self) -> Result<String> {
        let Self { repository, message, author, allow_empty } = self;
        let sandbox = &repository.sandbox;
        sandbox.require("git.commit", Capability::GitSupported)?;
        sandbox.told("git.commit", repository.derived().commit(&message, author.as_ref(), allow_empty).await)
    }
}

impl IntoFuture for Commit {
    type Output = Result<String>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.make())
    }
}
