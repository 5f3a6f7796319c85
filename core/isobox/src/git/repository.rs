//! What can be done with a repository.

use super::remote::Verb;
use super::{Commit, Remote, credentials};
use crate::sandbox::Sandbox;
use bytes::Bytes;
use isobox_contract::{Capability, Result, SandboxPath};
use isobox_derived::DerivedGit;
use isobox_derived::git::{DerivedRepository, GitBranch, GitChange, GitCommit, GitStatus};

/// A repository in a sandbox. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Repository {
    pub(super) sandbox: Sandbox,
    path: SandboxPath,
}

impl Repository {
    pub(super) fn new(sandbox: Sandbox, path: SandboxPath) -> Self {
        Self { sandbox, path }
    }

    pub(super) fn derived(&self) -> DerivedRepository {
        DerivedGit::new(self.sandbox.shared()).repository(self.path.clone())
    }

    /// Its directory.
    pub fn path(&self) -> &SandboxPath {
        &self.path
    }

    /// What is checked out, and what differs from it.
    pub async fn status(&self) -> Result<GitStatus> {
        self.call("git.status", async |repository| repository.status().await).await
    }

    /// Stages paths, relative to the repository's directory. Nothing in them is a pattern.
    pub async fn add<P: Into<SandboxPath>>(&self, paths: impl IntoIterator<Item = P>) -> Result<()> {
        let paths: Vec<SandboxPath> = paths.into_iter().map(Into::into).collect();
        self.call("git.add", async |repository| repository.add(&paths).await).await
    }

    /// Stages everything that is new, changed or gone.
    pub async fn add_all(&self) -> Result<()> {
        self.call("git.add", async |repository| repository.add_all().await).await
    }

    /// A commit of what is staged. Await it for the commit's id, or say more first. No hook runs.
    pub fn commit(&self, message: impl Into<String>) -> Commit {
        Commit::new(self.clone(), message.into())
    }

    /// Brings what the remote has, without touching what is checked out. Await it, or say more first.
    pub fn fetch(&self) -> Remote {
        self.remote(Verb::Fetch)
    }

    /// Fetches, and moves the branch that is checked out forward; fails when both sides have commits of their own. Await
    /// it, or say more first.
    pub fn pull(&self) -> Remote {
        self.remote(Verb::Pull)
    }

    /// Brings the commits of a branch to the remote, by default those of the one that is checked out. Await it, or say more
    /// first.
    pub fn push(&self) -> Remote {
        self.remote(Verb::Push)
    }

    fn remote(&self, verb: Verb) -> Remote {
        Remote::new(self.clone(), verb)
    }

    /// The branches here, and those of remotes as they were at the last fetch.
    pub async fn branches(&self) -> Result<Vec<GitBranch>> {
        self.call("git.branches", async |repository| repository.branches().await).await
    }

    /// Checks out a branch, or a commit or tag without a branch.
    pub async fn checkout(&self, revision: &str) -> Result<()> {
        self.call("git.checkout", async |repository| repository.checkout(revision).await).await
    }

    /// Makes a branch from what is checked out, and checks it out.
    pub async fn create_branch(&self, name: &str) -> Result<()> {
        self.call("git.create_branch", async |repository| repository.create_branch(name, None).await).await
    }

    /// The commit that a revision names, in full.
    pub async fn rev_parse(&self, revision: &str) -> Result<String> {
        self.call("git.rev_parse", async |repository| repository.rev_parse(revision).await).await
    }

    /// Whether one revision is among the ancestors of another, or the same.
    pub async fn is_ancestor(&self, ancestor: &str, of: &str) -> Result<bool> {
        self.call("git.is_ancestor", async |repository| repository.is_ancestor(ancestor, of).await).await
    }

    /// The commits that lead to a revision, the latest first, `most` of them.
    pub async fn log(&self, revision: &str, most: u32) -> Result<Vec<GitCommit>> {
        self.call("git.log", async |repository| repository.log(revision, most).await).await
    }

    /// The changes from a revision to another, or to the files as they are, as a patch.
    pub async fn diff(&self, from: &str, to: Option<&str>) -> Result<Bytes> {
        self.call("git.diff", async |repository| repository.diff(from, to).await).await
    }

    /// The changes from a revision to another, or to the files as they are: for each path what it was, what it is, and how many
    /// lines are new and gone.
    pub async fn changes(&self, from: &str, to: Option<&str>) -> Result<Vec<GitChange>> {
        self.call("git.changes", async |repository| repository.changes(from, to).await).await
    }

    /// Files that git does not know and is not told to ignore, relative to the top of the work tree.
    pub async fn untracked_files(&self) -> Result<Vec<SandboxPath>> {
        self.call("git.untracked_files", async |repository| repository.untracked_files().await).await
    }

    /// How large the contents with these ids are, in bytes. [`changes`](Self::changes) tells ids; 10,000 at most.
    ///
    /// # Errors
    /// `not_found` when the repository does not have one.
    pub async fn blob_sizes(&self, ids: &[String]) -> Result<Vec<u64>> {
        self.call("git.blob_sizes", async |repository| repository.blob_sizes(ids).await).await
    }

    /// The contents with these ids, as git keeps them.
    ///
    /// # Errors
    /// `limit_exceeded` when they are more than `most` bytes together, `not_found` when the repository does not have one.
    pub async fn blobs(&self, ids: &[String], most: u64) -> Result<Vec<Bytes>> {
        self.call("git.blobs", async |repository| repository.blobs(ids, most).await).await
    }

    /// Keeps a credential for the http(s) remote `origin` in the repository, in the place of an earlier one. From now on
    /// whatever runs git in it can use it, and whoever can read the user's files can read it.
    pub async fn set_credentials(&self, username: impl Into<String>, password: impl Into<String>) -> Result<()> {
        let credentials = credentials(username, password);
        self.call("git.set_credentials", async |repository| repository.set_credentials(&credentials).await).await
    }

    /// Takes the kept credential away, if there is one.
    pub async fn clear_credentials(&self) -> Result<()> {
        self.call("git.clear_credentials", async |repository| repository.clear_credentials().await).await
    }

    /// Sets a value of the repository's own configuration.
    pub async fn set_config(&self, key: &str, value: &str) -> Result<()> {
        self.call("git.set_config", async |repository| repository.set_config(key, value).await).await
    }

    async fn call<T>(&self, call: &str, work: impl AsyncFnOnce(&DerivedRepository) -> Result<T>) -> Result<T> {
        self.sandbox.require(call, Capability::GitSupported)?;
        self.sandbox.told(call, work(&self.derived()).await)
    }
}
