//! A fetch, pull or push on its way.

use super::{Repository, Retry, credentials};
use isobox_contract::{Capability, Result};
use isobox_derived::git::RemoteRequest;
use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;

#[derive(Clone, Copy, Debug)]
pub(super) enum Verb {
    Fetch,
    Pull,
    Push,
}

/// A fetch, pull or push that has not begun yet. It takes five minutes at most.
#[derive(Clone)]
#[must_use = "nothing happens before this is awaited"]
pub struct Remote {
    repository: Repository,
    verb: Verb,
    request: RemoteRequest,
    retry: Retry,
}

impl Remote {
    pub(super) fn new(repository: Repository, verb: Verb) -> Self {
        Self { repository, verb, request: RemoteRequest::default(), retry: Retry::never() }
    }

    /// Sets the remote; `origin` by default.
    pub fn from(mut self, remote: impl Into<String>) -> Self {
        self.request.remote = Some(remote.into());
        self
    }

    /// Sets the branch.
    pub fn branch(mut self, branch: impl Into<String>) -> Self {
        self.request.branch = Some(branch.into());
        self
    }

    /// With a push: lets the branch follow the remote's from now on.
    pub fn set_upstream(mut self) -> Self {
        self.request.set_upstream = true;
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

    async fn go(self) -> Result<()> {
        let Self { repository, verb, request, retry } = self;
        let sandbox = &repository.sandbox;
        let call = match verb {
            Verb::Fetch => "git.fetch",
            Verb::Pull => "git.pull",
            Verb::Push => "git.push",
        };
        sandbox.require(call, Capability::GitSupported)?;
        let derived = repository.derived();
        let mut attempts = retry.begin();
        loop {
            let done = match verb {
                Verb::Fetch => derived.fetch(&request).await,
                Verb::Pull => derived.pull(&request).await,
                Verb::Push => derived.push(&request).await,
            };
            match done {
                Ok(()) => return Ok(()),
                Err(failure) => sandbox.told(call, attempts.after(failure).await)?,
            }
        }
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("verb", &self.verb).field("repository", &self.repository).finish_non_exhaustive()
    }
}

impl IntoFuture for Remote {
    type Output = Result<()>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.go())
    }
}
