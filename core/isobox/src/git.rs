//! Git.

use crate::sandbox::Sandbox;
use bytes::Bytes;
use isobox_contract::git::{ClonePin, CloneRequest, GitCredentials};
use isobox_contract::{Capability, Git as _, Result, SandboxPath, SecretValue};
use isobox_derived::DerivedGit;
use isobox_derived::git::{DerivedRepository, GitAuthor, GitBranch, GitCommit, GitStatus, RemoteRequest};
use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;

/// Git in a sandbox, by the `git` that is in it. Cheap to clone.
///
/// Errors have [`Detail::Git`](crate::Detail::Git) with the cause as far as it can be told; without git in the sandbox it is
/// `git_unavailable`.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
/// # let sandbox = isobox.sandbox().workdir("/tmp").create().await?;
/// let repository = sandbox.git().init("project").await?;
/// sandbox.files().write("project/notes.txt", "remember\n").await?;
/// repository.add_all().await?;
/// let commit = repository.commit("Take a note").author("Me", "me@example.org").await?;
/// assert_eq!(repository.log("HEAD", 10).await?[0].id, commit);
/// assert!(repository.status().await?.is_clean());
/// # sandbox.delete().await
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Git {
    sandbox: Sandbox,
}

impl Git {
    pub(crate) fn new(sandbox: Sandbox) -> Self {
        Self { sandbox }
    }

    /// A clone of a repository into a directory that is not there, or empty. Await it, or say more first. When it fails,
    /// no checkout is left. It takes ten minutes at most.
    pub fn clone_repository(&self, url: impl Into<String>, target: impl Into<SandboxPath>) -> GitClone {
        let request = CloneRequest {
            url: url.into(),
            target: target.into(),
            branch: None,
            pin: None,
            depth: None,
            credentials: None,
        };
        GitClone { sandbox: self.sandbox.clone(), request }
    }

    /// Makes an empty repository, and the directory when it is missing, on the branch `main`.
    pub async fn init(&self, path: impl Into<SandboxPath>) -> Result<Repository> {
        const CALL: &str = "git.init";
        self.sandbox.require(CALL, Capability::GitSupported)?;
        let path = path.into();
        let made = DerivedGit::new(self.sandbox.shared()).init(&path, Some("main")).await;
        self.sandbox.told(CALL, made)?;
        Ok(self.repository(path))
    }

    /// The repository in a directory. Whether there is one is seen at the first call.
    pub fn repository(&self, path: impl Into<SandboxPath>) -> Repository {
        Repository { sandbox: self.sandbox.clone(), path: path.into() }
    }
}

/// A clone that has not begun yet.
#[derive(Clone, Debug)]
#[must_use = "nothing is cloned before this is awaited"]
pub struct GitClone {
    sandbox: Sandbox,
    request: CloneRequest,
}

impl GitClone {
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

    /// Gives a credential for an http(s) remote, for this call only.
    pub fn credentials(mut self, username: impl Into<String>, password: impl Into<String>) -> Self {
        self.request.credentials = Some(credentials(username, password));
        self
    }
}

fn credentials(username: impl Into<String>, password: impl Into<String>) -> GitCredentials {
    GitCredentials { username: username.into(), password: SecretValue::new(password) }
}

impl IntoFuture for GitClone {
    type Output = Result<Repository>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        const CALL: &str = "git.clone";
        Box::pin(async move {
            let Self { sandbox, request } = self;
            sandbox.require(CALL, Capability::GitSupported)?;
            let cloned = match sandbox.raw().git() {
                Some(native) => native.clone_repository(&request).await,
                None => DerivedGit::new(sandbox.shared()).clone_repository(&request).await,
            };
            sandbox.told(CALL, cloned)?;
            Ok(Repository { sandbox, path: request.target })
        })
    }
}

/// A repository in a sandbox. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Repository {
    sandbox: Sandbox,
    path: SandboxPath,
}

impl Repository {
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
        Commit { repository: self.clone(), message: message.into(), author: None, allow_empty: false }
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
        Remote { repository: self.clone(), verb, request: RemoteRequest::default() }
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

    /// Sets a value of the repository's own configuration.
    pub async fn set_config(&self, key: &str, value: &str) -> Result<()> {
        self.call("git.set_config", async |repository| repository.set_config(key, value).await).await
    }

    async fn call<T>(&self, call: &str, work: impl AsyncFnOnce(&DerivedRepository) -> Result<T>) -> Result<T> {
        self.sandbox.require(call, Capability::GitSupported)?;
        let repository = DerivedGit::new(self.sandbox.shared()).repository(self.path.clone());
        self.sandbox.told(call, work(&repository).await)
    }
}

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
        let derived = DerivedGit::new(sandbox.shared()).repository(repository.path.clone());
        sandbox.told("git.commit", derived.commit(&message, author.as_ref(), allow_empty).await)
    }
}

impl IntoFuture for Commit {
    type Output = Result<String>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.make())
    }
}

#[derive(Clone, Copy, Debug)]
enum Verb {
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
}

impl Remote {
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

    /// Gives a credential for an http(s) remote, for this call only.
    pub fn credentials(mut self, username: impl Into<String>, password: impl Into<String>) -> Self {
        self.request.credentials = Some(credentials(username, password));
        self
    }

    async fn go(self) -> Result<()> {
        let Self { repository, verb, request } = self;
        let sandbox = &repository.sandbox;
        let call = match verb {
            Verb::Fetch => "git.fetch",
            Verb::Pull => "git.pull",
            Verb::Push => "git.push",
        };
        sandbox.require(call, Capability::GitSupported)?;
        let derived = DerivedGit::new(sandbox.shared()).repository(repository.path.clone());
        let done = match verb {
            Verb::Fetch => derived.fetch(&request).await,
            Verb::Pull => derived.pull(&request).await,
            Verb::Push => derived.push(&request).await,
        };
        sandbox.told(call, done)
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
