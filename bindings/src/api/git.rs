//! Git in a sandbox.

use super::Result;
use crate::Path;
use crate::cross::{Cross, record};
use crate::held::Held;
use bytes::Bytes;
use isobox::Retry;
use std::time::Duration;

/// Who asks a remote, and how often. Without credentials those that the repository keeps are used.
#[derive(Clone, Default)]
pub struct RemoteOptions {
    /// The name of the remote; that of the branch, or `origin`, by default.
    pub remote: Option<String>,
    /// The branch; the current one by default.
    pub branch: Option<String>,
    /// Let the branch follow that of the remote from now on.
    pub set_upstream: bool,
    /// The user, for this call alone.
    pub username: Option<String>,
    /// The password or token, for this call alone.
    pub password: Option<String>,
    /// How often it is tried when the remote cannot be reached; once by default.
    pub attempts: Option<u32>,
    /// How long is waited between two attempts.
    pub wait: Option<Duration>,
}

impl RemoteOptions {
    fn apply(self, mut call: isobox::Remote) -> isobox::Remote {
        if let Some(remote) = self.remote {
            call = call.from(remote);
        }
        if let Some(branch) = self.branch {
            call = call.branch(branch);
        }
        if self.set_upstream {
            call = call.set_upstream();
        }
        if let Some(username) = self.username {
            call = call.credentials(username, self.password.unwrap_or_default());
        }
        match retry(self.attempts, self.wait) {
            Some(retry) => call.retry(retry),
            None => call,
        }
    }
}

fn retry(attempts: Option<u32>, wait: Option<Duration>) -> Option<Retry> {
    let retry = Retry::attempts(attempts?);
    Some(match wait {
        Some(wait) => retry.wait(wait),
        None => retry,
    })
}

/// What of a repository is cloned.
#[derive(Clone, Default)]
pub struct CloneOptions {
    /// The branch; the remote's own choice by default.
    pub branch: Option<String>,
    /// The commit that is checked out.
    pub commit: Option<String>,
    /// The tag that is checked out.
    pub tag: Option<String>,
    /// How many commits of the past; all by default.
    pub depth: Option<u32>,
    /// The user, for this call alone.
    pub username: Option<String>,
    /// The password or token, for this call alone.
    pub password: Option<String>,
    /// How often it is tried when the remote cannot be reached; once by default.
    pub attempts: Option<u32>,
    /// How long is waited between two attempts.
    pub wait: Option<Duration>,
}

impl CloneOptions {
    fn apply(self, mut call: isobox::GitClone) -> isobox::GitClone {
        if let Some(branch) = self.branch {
            call = call.branch(branch);
        }
        if let Some(commit) = self.commit {
            call = call.commit(commit);
        }
        if let Some(tag) = self.tag {
            call = call.tag(tag);
        }
        if let Some(depth) = self.depth {
            call = call.depth(depth);
        }
        if let Some(username) = self.username {
            call = call.credentials(username, self.password.unwrap_or_default());
        }
        match retry(self.attempts, self.wait) {
            Some(retry) => call.retry(retry),
            None => call,
        }
    }
}

/// How a commit is made.
#[derive(Clone, Debug, Default)]
pub struct CommitOptions {
    /// The name of its author; what git is configured with by default.
    pub author: Option<String>,
    /// The address of its author.
    pub email: Option<String>,
    /// Make it also when nothing is changed.
    pub allow_empty: bool,
}

/// A path that is not as in the last commit.
#[derive(Clone, Debug)]
pub struct GitStatusEntry {
    /// Which.
    pub path: Path,
    /// Git's letter for what is prepared for the next commit.
    pub index: String,
    /// Git's letter for what is not.
    pub worktree: String,
    /// What it was called before.
    pub previous: Option<Path>,
}

/// What a repository is like.
#[derive(Clone, Debug)]
pub struct GitStatus {
    /// The branch; none when a commit is checked out by itself.
    pub branch: Option<String>,
    /// The commit; none before the first.
    pub head: Option<String>,
    /// The branch of a remote that it follows.
    pub upstream: Option<String>,
    /// Commits that the upstream does not have.
    pub ahead: u64,
    /// Commits that it has and this does not.
    pub behind: u64,
    /// What is not as in the last commit.
    pub entries: Vec<GitStatusEntry>,
}

impl Cross<GitStatus> for isobox::GitStatus {
    fn cross(self) -> GitStatus {
        let entry = |entry: isobox::GitStatusEntry| GitStatusEntry {
            path: entry.path.cross(),
            index: entry.index.to_string(),
            worktree: entry.worktree.to_string(),
            previous: entry.from.cross(),
        };
        GitStatus {
            branch: self.branch,
            head: self.head,
            upstream: self.upstream,
            ahead: self.ahead,
            behind: self.behind,
            entries: self.entries.into_iter().map(entry).collect(),
        }
    }
}

/// A branch.
#[derive(Clone, Debug)]
pub struct GitBranch {
    /// Its name.
    pub name: String,
    /// Its last commit.
    pub head: String,
    /// Whether it is checked out.
    pub current: bool,
    /// Whether it is a remote's.
    pub remote: bool,
}

record!(GitBranch from isobox::GitBranch { name, head, current, remote });

/// A commit.
#[derive(Clone, Debug)]
pub struct GitCommit {
    /// Its id.
    pub id: String,
    /// The ids of those before it.
    pub parents: Vec<String>,
    /// The name of its author.
    pub author: String,
    /// The address of its author.
    pub email: String,
    /// When, as RFC 3339 has it.
    pub date: String,
    /// What it says.
    pub message: String,
}

record!(GitCommit from isobox::GitCommit { id, parents, author, email, date, message });

/// What differs between two revisions.
#[derive(Clone, Debug)]
pub struct GitChange {
    /// Which path.
    pub path: Path,
    /// What it was called before.
    pub previous: Option<Path>,
    /// Git's letter for it.
    pub status: String,
    /// Lines added, where they can be counted.
    pub added: Option<u64>,
    /// Lines removed, where they can be counted.
    pub removed: Option<u64>,
}

impl Cross<GitChange> for isobox::GitChange {
    fn cross(self) -> GitChange {
        GitChange {
            path: self.path.cross(),
            previous: self.from.cross(),
            status: self.status.to_string(),
            added: self.added,
            removed: self.removed,
        }
    }
}

/// Git in one sandbox. It runs the git of the sandbox.
#[derive(Clone)]
pub struct Git {
    git: Held<isobox::Git>,
}

impl Git {
    pub(super) fn new(git: isobox::Git) -> Self {
        Self { git: Held::new(git) }
    }

    /// Clones a repository into a directory that is empty or not there.
    pub async fn clone_repository(&self, url: String, target: Path, options: CloneOptions) -> Result<Repository> {
        let call = options.apply(self.git.get()?.clone_repository(url, target.0));
        Ok(Repository::new(call.await?))
    }

    /// Makes a repository.
    pub async fn init(&self, path: Path) -> Result<Repository> {
        Ok(Repository::new(self.git.get()?.init(path.0).await?))
    }

    /// A repository that is there.
    pub async fn open(&self, path: Path) -> Result<Repository> {
        Ok(Repository::new(self.git.get()?.repository(path.0)))
    }
}

/// A repository in a sandbox.
#[derive(Clone)]
pub struct Repository {
    repository: Held<isobox::Repository>,
}

impl Repository {
    fn new(repository: isobox::Repository) -> Self {
        Self { repository: Held::new(repository) }
    }

    /// Where it is.
    pub fn path(&self) -> Path {
        self.repository.path().clone().cross()
    }

    /// What it is like.
    pub async fn status(&self) -> Result<GitStatus> {
        Ok(self.repository.get()?.status().await?.cross())
    }

    /// Prepares paths for the next commit.
    pub async fn add(&self, paths: Vec<Path>) -> Result<()> {
        Ok(self.repository.get()?.add(paths.into_iter().map(|path| path.0)).await?)
    }

    /// Prepares everything for the next commit.
    pub async fn add_all(&self) -> Result<()> {
        Ok(self.repository.get()?.add_all().await?)
    }

    /// Makes a commit of what is prepared, and returns its id.
    pub async fn commit(&self, message: String, options: CommitOptions) -> Result<String> {
        let mut commit = self.repository.get()?.commit(message);
        if let Some(author) = options.author {
            commit = commit.author(author, options.email.unwrap_or_default());
        }
        let commit = if options.allow_empty { commit.allow_empty() } else { commit };
        Ok(commit.await?)
    }

    /// Fetches what a remote has.
    pub async fn fetch(&self, options: RemoteOptions) -> Result<()> {
        Ok(options.apply(self.repository.get()?.fetch()).await?)
    }

    /// Fetches and merges what a remote has.
    pub async fn pull(&self, options: RemoteOptions) -> Result<()> {
        Ok(options.apply(self.repository.get()?.pull()).await?)
    }

    /// Gives a remote what it does not have.
    pub async fn push(&self, options: RemoteOptions) -> Result<()> {
        Ok(options.apply(self.repository.get()?.push()).await?)
    }

    /// Its branches, with those of remotes.
    pub async fn branches(&self) -> Result<Vec<GitBranch>> {
        Ok(self.repository.get()?.branches().await?.cross())
    }

    /// Checks a revision out.
    pub async fn checkout(&self, revision: String) -> Result<()> {
        Ok(self.repository.get()?.checkout(&revision).await?)
    }

    /// Makes a branch and checks it out.
    pub async fn create_branch(&self, name: String) -> Result<()> {
        Ok(self.repository.get()?.create_branch(&name).await?)
    }

    /// The id of a revision.
    pub async fn rev_parse(&self, revision: String) -> Result<String> {
        Ok(self.repository.get()?.rev_parse(&revision).await?)
    }

    /// The commits up to a revision, the newest first.
    pub async fn log(&self, revision: String, most: u32) -> Result<Vec<GitCommit>> {
        Ok(self.repository.get()?.log(&revision, most).await?.cross())
    }

    /// The difference between two revisions, or between one and what is there, as a patch.
    pub async fn diff(&self, revision: String, to: Option<String>) -> Result<Bytes> {
        Ok(self.repository.get()?.diff(&revision, to.as_deref()).await?)
    }

    /// The same, path by path.
    pub async fn changes(&self, revision: String, to: Option<String>) -> Result<Vec<GitChange>> {
        Ok(self.repository.get()?.changes(&revision, to.as_deref()).await?.cross())
    }

    /// The files that git does not know.
    pub async fn untracked_files(&self) -> Result<Vec<Path>> {
        Ok(self.repository.get()?.untracked_files().await?.cross())
    }

    /// Lets the repository keep a credential for its remotes, until it is cleared.
    pub async fn set_credentials(&self, username: String, password: String) -> Result<()> {
        Ok(self.repository.get()?.set_credentials(username, password).await?)
    }

    /// Lets it forget that.
    pub async fn clear_credentials(&self) -> Result<()> {
        Ok(self.repository.get()?.clear_credentials().await?)
    }

    /// Sets a value of its configuration.
    pub async fn set_config(&self, key: String, value: String) -> Result<()> {
        Ok(self.repository.get()?.set_config(&key, &value).await?)
    }
}
