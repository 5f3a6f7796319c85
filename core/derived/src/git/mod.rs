//! Git, by the `git` of the sandbox.
//!
//! Every call is one or more `git` commands, hardened: no hooks, no helpers of the repository's choice, no signing, no
//! pager, no editor, no prompt, no maintenance, plain English. A credential is for one command, which talks to the remote
//! and never checks files out; it is in no argument, no configuration, no reflog and no message.

mod ambient;
mod changes;
mod check;
mod clone;
mod failure;
mod objects;
mod parse;
mod runner;

pub use changes::{GitChange, GitFile};
pub use parse::{GitBranch, GitCommit, GitStatus, GitStatusEntry};

use async_trait::async_trait;
use bytes::Bytes;
use isobox_contract::git::{CloneRequest, GitCredentials};
use isobox_contract::{Git, Result, Sandbox, SandboxPath};
use runner::{Invocation, Runner};
use std::sync::Arc;

/// Who a commit is by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitAuthor {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
}

/// Where and what a fetch or a push is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemoteRequest {
    /// The remote's name; `origin` when left out.
    pub remote: Option<String>,
    /// The branch; what the repository's configuration says when left out.
    pub branch: Option<String>,
    /// With a push: the branch follows the remote's from now on.
    pub set_upstream: bool,
    /// For this call only.
    pub credentials: Option<GitCredentials>,
}

/// Git in a sandbox, made from its commands.
pub struct DerivedGit {
    sandbox: Arc<dyn Sandbox>,
}

impl DerivedGit {
    /// Git in this sandbox.
    pub fn new(sandbox: Arc<dyn Sandbox>) -> Self {
        Self { sandbox }
    }

    /// The repository in this directory, whether there is one or not.
    pub fn repository(&self, path: SandboxPath) -> DerivedRepository {
        DerivedRepository { sandbox: self.sandbox.clone(), runner: Runner::new(self.sandbox.clone(), Some(path)) }
    }

    /// Makes an empty repository, and the directory when it is missing.
    ///
    /// # Errors
    /// With `Detail::Git`.
    pub async fn init(&self, path: &SandboxPath, branch: Option<&str>) -> Result<()> {
        check::path("path", path)?;
        let runner = Runner::new(self.sandbox.clone(), None);
        runner.run(Invocation::local("init", ["init", "-q", "--"]).path(path)).await?;
        if let Some(branch) = branch {
            check::branch("branch", branch)?;
            let head = format!("refs/heads/{branch}");
            self.repository(path.clone())
                .runner
                .run(Invocation::local("init", ["symbolic-ref", "HEAD", &head]))
                .await?;
        }
        Ok(())
    }
}

#[async_trait]
impl Git for DerivedGit {
    async fn clone_repository(&self, request: &CloneRequest) -> Result<()> {
        clone::clone(self.sandbox.clone(), request).await
    }
}

/// A repository in a sandbox.
pub struct DerivedRepository {
    sandbox: Arc<dyn Sandbox>,
    runner: Runner,
}

/// Every method fails with `Detail::Git`.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
impl DerivedRepository {
    /// What is checked out, and what differs from it.
    pub async fn status(&self) -> Result<GitStatus> {
        let args = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"];
        let output = self.runner.run(Invocation::local("status", args).reading()).await?;
        parse::status(&output).ok_or_else(|| runner::nonsense("status"))
    }

    /// Stages paths, relative to the repository's directory.
    pub async fn add(&self, paths: &[SandboxPath]) -> Result<()> {
        let mut add = Invocation::local("add", ["add", "--"]);
        for path in paths {
            check::path("paths", path)?;
            add = add.literal(path);
        }
        self.runner.run(add).await.map(drop)
    }

    /// Stages everything that is new, changed or gone.
    pub async fn add_all(&self) -> Result<()> {
        self.runner.run(Invocation::local("add", ["add", "--all"])).await.map(drop)
    }

    /// Commits what is staged and returns the commit.
    pub async fn commit(&self, message: &str, author: Option<&GitAuthor>, allow_empty: bool) -> Result<String> {
        let mut commit = Invocation::local("commit", ["commit", "-q", "--no-verify", "--no-gpg-sign", "--file=-"]);
        if allow_empty {
            commit = commit.arg("--allow-empty");
        }
        if let Some(GitAuthor { name, email }) = author {
            for (variable, value) in [
                ("GIT_AUTHOR_NAME", name),
                ("GIT_AUTHOR_EMAIL", email),
                ("GIT_COMMITTER_NAME", name),
                ("GIT_COMMITTER_EMAIL", email),
            ] {
                check::line("author", value)?;
                commit = commit.env(variable, value);
            }
        }
        self.runner.run(commit.input(message)).await?;
        self.rev_parse("HEAD").await
    }

    /// Brings what the remote has, without touching what is checked out.
    pub async fn fetch(&self, request: &RemoteRequest) -> Result<()> {
        let remote = remote(request)?;
        let fetch = Invocation::network("fetch", ["fetch", "-q", "--no-recurse-submodules", "--", remote]);
        let fetch = match &request.branch {
            Some(branch) => {
                check::branch("branch", branch)?;
                fetch.arg(format!("+refs/heads/{branch}:refs/remotes/{remote}/{branch}"))
            }
            None => fetch,
        };
        self.to_remote(fetch, remote, request).await
    }

    /// Fetches, and moves the branch that is checked out forward. Only ever forward: when both sides have commits of
    /// their own, it fails.
    pub async fn pull(&self, request: &RemoteRequest) -> Result<()> {
        self.fetch(request).await?;
        let from = match &request.branch {
            Some(branch) => format!("refs/remotes/{}/{branch}", remote(request)?),
            None => "@{upstream}".to_owned(),
        };
        self.runner.run(Invocation::local("pull", ["merge", "-q", "--ff-only", "--no-verify", &from])).await.map(drop)
    }

    /// Brings commits to the remote: those of the branch, or of the one that is checked out.
    pub async fn push(&self, request: &RemoteRequest) -> Result<()> {
        let remote = remote(request)?;
        let branch = match &request.branch {
            Some(branch) => branch.clone(),
            None => self.status().await?.branch.ok_or_else(|| {
                isobox_contract::Error::invalid_spec("branch", "is missing, and no branch is checked out")
            })?,
        };
        check::branch("branch", &branch)?;
        let mut push = Invocation::network("push", ["push", "-q", "--no-verify", "--no-signed"]);
        if request.set_upstream {
            push = push.arg("--set-upstream");
        }
        let push = push.arg("--").arg(remote).arg(format!("refs/heads/{branch}:refs/heads/{branch}"));
        self.to_remote(push, remote, request).await
    }

    async fn to_remote(&self, invocation: Invocation, remote: &str, request: &RemoteRequest) -> Result<()> {
        let invocation = match &request.credentials {
            Some(credentials) => {
                let url =
                    self.runner.run(Invocation::local(invocation.operation, ["remote", "get-url", remote])).await?;
                invocation.credentials(String::from_utf8_lossy(&url).trim(), credentials)?
            }
            None => invocation,
        };
        self.runner.run(invocation).await.map(drop)
    }

    /// The branches here, and those of remotes as they were at the last fetch.
    pub async fn branches(&self) -> Result<Vec<GitBranch>> {
        let format = "--format=%(refname)%00%(objectname)%00%(HEAD)%00%(symref)";
        let args = ["for-each-ref", format, "refs/heads/", "refs/remotes/"];
        let output = self.runner.run(Invocation::local("branches", args).reading()).await?;
        parse::branches(&output).ok_or_else(|| runner::nonsense("branches"))
    }

    /// Checks out a branch, or a commit or tag without one.
    pub async fn checkout(&self, revision: &str) -> Result<()> {
        check::revision("revision", revision)?;
        self.runner.run(Invocation::local("checkout", ["checkout", "-q", revision, "--"])).await.map(drop)
    }

    /// Makes a branch and checks it out; from what is checked out, or from another revision.
    pub async fn create_branch(&self, name: &str, from: Option<&str>) -> Result<()> {
        check::branch("name", name)?;
        let from = from.unwrap_or("HEAD");
        check::revision("from", from)?;
        let args = ["checkout", "-q", "--no-track", "-b", name, from, "--"];
        self.runner.run(Invocation::local("checkout", args)).await.map(drop)
    }

    /// The commit that a revision names, in full.
    pub async fn rev_parse(&self, revision: &str) -> Result<String> {
        check::revision("revision", revision)?;
        let peeled = format!("{revision}^{{commit}}");
        let args = ["rev-parse", "--verify", "-q", "--end-of-options", &peeled];
        let output = self.runner.run(Invocation::local("rev_parse", args).reading().lookup()).await?;
        Ok(String::from_utf8_lossy(&output).trim().to_owned())
    }

    /// Whether one revision is among the ancestors of another, or the same.
    pub async fn is_ancestor(&self, ancestor: &str, of: &str) -> Result<bool> {
        let (ancestor, of) = (self.rev_parse(ancestor).await?, self.rev_parse(of).await?);
        let args = ["merge-base", "--is-ancestor", &ancestor, &of];
        self.runner.test(Invocation::local("is_ancestor", args).reading()).await
    }

    /// The commits that lead to a revision, the latest first, `most` of them.
    pub async fn log(&self, revision: &str, most: u32) -> Result<Vec<GitCommit>> {
        let commit = self.rev_parse(revision).await?;
        let (format, most) = ("--format=%H%x00%P%x00%an%x00%ae%x00%aI%x00%B%x00", format!("--max-count={most}"));
        let log =
            Invocation::local("log", ["log", "-z", "--no-show-signature", "--no-color", format, &most, &commit, "--"]);
        let output = self.runner.run(log.reading()).await?;
        parse::log(&output).ok_or_else(|| runner::nonsense("log"))
    }

    /// The changes between two revisions, or from one to the files as they are, as a patch.
    pub async fn diff(&self, from: &str, to: Option<&str>) -> Result<Bytes> {
        let from = self.rev_parse(from).await?;
        let to = match to {
            Some(to) => Some(self.rev_parse(to).await?),
            None => None,
        };
        let mut diff =
            Invocation::local("diff", ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--binary"]).arg(from);
        if let Some(to) = to {
            diff = diff.arg(to);
        }
        self.runner.run(diff.arg("--").reading()).await
    }

    /// The changes between two revisions, or from one to the files as they are, one for each path.
    pub async fn changes(&self, from: &str, to: Option<&str>) -> Result<Vec<GitChange>> {
        let from = self.rev_parse(from).await?;
        let to = match to {
            Some(to) => Some(self.rev_parse(to).await?),
            None => None,
        };
        changes::changes(&self.runner, &from, to.as_deref()).await
    }

    /// Files of the work tree that git does not know and is not told to ignore.
    pub async fn untracked_files(&self) -> Result<Vec<SandboxPath>> {
        let args = ["ls-files", "--others", "--exclude-standard", "--full-name", "-z"];
        let output = self.runner.run(Invocation::local("untracked_files", args).reading()).await?;
        Ok(output.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(SandboxPath::from).collect())
    }

    /// How large the contents with these ids are, in bytes and in their order; 10,000 at most.
    pub async fn blob_sizes(&self, ids: &[String]) -> Result<Vec<u64>> {
        objects::sizes(&self.runner, ids).await
    }

    /// The contents with these ids, in their order. `limit_exceeded` when they are more than `most` bytes together.
    pub async fn blobs(&self, ids: &[String], most: u64) -> Result<Vec<Bytes>> {
        objects::contents(&self.runner, ids, most).await
    }

    /// Keeps a credential in the repository, for whatever runs git in it and talks to the remote `origin`.
    pub async fn set_credentials(&self, credentials: &GitCredentials) -> Result<()> {
        ambient::set(&*self.sandbox, &self.runner, "origin", credentials).await
    }

    /// Takes the kept credential away, if there is one.
    pub async fn clear_credentials(&self) -> Result<()> {
        ambient::clear(&*self.sandbox, &self.runner).await
    }

    /// Sets a value of the repository's own configuration.
    pub async fn set_config(&self, key: &str, value: &str) -> Result<()> {
        check::key(key)?;
        self.runner.run(Invocation::local("set_config", ["config", "--local", key, value])).await.map(drop)
    }
}

fn remote(request: &RemoteRequest) -> Result<&str> {
    let remote = request.remote.as_deref().unwrap_or("origin");
    check::branch("remote", remote)?;
    Ok(remote)
}
