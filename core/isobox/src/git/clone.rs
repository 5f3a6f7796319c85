//! Cloning.

use super::{Repository, Retry, credentials};
use crate::sandbox::Sandbox;
use isobox_contract::git::{ClonePin, CloneRequest};
use isobox_contract::{Capability, Git as _, Result};
use isobox_derived::DerivedGit;
use std::future::{Future, IntoFuture};
use std::pin::Pin;

/// A clone that has not begun yet.
#[derive(Clone, Debug)]
#[must_use = "nothing is cloned before this is awaited"]
pub struct GitClone {
    sandbox: Sandbox,
    request: CloneRequest,
    retry: Retry,
}

impl GitClone {
    pub(super) fn new(sandbox: Sandbox, request: CloneRequest) -> Self {
        Self { sandbox, request, retry: Retry::never() }
    }

    /// Sets the branch; with a commit or a tag, the branch that the checkout is put on.
    pub fn branch(mut self, branch: impl Into<String>) -> Self {
        self.request.branch = Some(branch.into());
        self
    }

    /// Takes exactly this commit, 40 hexadecimal digits, and never a branch's head in its place.
    pub fn commit(mut self, commit: impl Into<String>) -> Self {
        self.request.pin = Some(ClonePin::Commit(commit.into()));
        self
    }

    /// Takes exactly the commit of this tag, also when a branch has the same name.
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.request.pin = Some(ClonePin::Tag(tag.into()));
        self
    }

    /// Sets how many commits; all by default.
    pub fn depth(mut self, depth: u32) -> Self {
        self.request.depth = Some(depth);
        self
    }

    /// Tries again when the remote cannot be reached; once by default.
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// Gives a credential for an http(s) remote, for this call only.
    pub fn credentials(mut self, username: impl Into<String>, password: impl Into<String>) -> Self {
        self.request.credentials = Some(credentials(username, password));
        self
    }
}

impl IntoFuture for GitClone {
    type Output = Result<Repository>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        const CALL: &str = "git.clone";
        Box::pin(async move {
            let Self { sandbox, request, retry } = self;
            sandbox.require(CALL, Capability::GitSupported)?;
            let mut attempts = retry.begin();
            loop {
                sandbox.stays(CALL).await?;
                let cloned = match sandbox.raw().git() {
                    Some(native) => native.clone_repository(&request).await,
                    None => DerivedGit::new(sandbox.shared()).clone_repository(&request).await,
                };
                match cloned {
                    Ok(()) => break,
                    Err(failure) => sandbox.told(CALL, attempts.after(failure).await)?,
                }
            }
            Ok(Repository::new(sandbox, request.target))
        })
    }
}
