//! Git.

mod clone;
mod commit;
mod remote;
mod repository;
mod retry;

pub use clone::GitClone;
pub use commit::Commit;
pub use remote::Remote;
pub use repository::Repository;
pub use retry::Retry;

use crate::sandbox::Sandbox;
use isobox_contract::git::{CloneRequest, GitCredentials};
use isobox_contract::{Capability, Result, SandboxPath, SecretValue};
use isobox_derived::DerivedGit;

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
        GitClone::new(self.sandbox.clone(), request)
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
        Repository::new(self.sandbox.clone(), path.into())
    }
}

fn credentials(username: impl Into<String>, password: impl Into<String>) -> GitCredentials {
    GitCredentials { username: username.into(), password: SecretValue::new(password) }
}
