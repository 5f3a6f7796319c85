//! Cloning: everything that talks to the remote first, and then, without the credential, the files.

use super::check;
use super::runner::{CLONE, Invocation, Runner, failure};
use isobox_contract::git::{ClonePin, CloneRequest};
use isobox_contract::{Error, ErrorCode, GitFailure, Result, Sandbox, SandboxPath};
use std::sync::Arc;

/// What a clone has begun to write. Taken away again when it is dropped before its end, in the background.
struct Begun {
    sandbox: Arc<dyn Sandbox>,
    target: SandboxPath,
    /// The directory was there, empty, and stays.
    existed: bool,
    complete: bool,
}

impl Begun {
    async fn remove(&mut self) -> Result<()> {
        self.complete = true;
        remove(&*self.sandbox, &self.target, self.existed).await
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if self.complete {
            return;
        }
        let (sandbox, target, existed) = (self.sandbox.clone(), self.target.clone(), self.existed);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { drop(remove(&*sandbox, &target, existed).await) });
        }
    }
}

async fn remove(sandbox: &dyn Sandbox, target: &SandboxPath, existed: bool) -> Result<()> {
    if !existed {
        return sandbox.files().remove(target, true).await;
    }
    for entry in sandbox.files().list(target, 1).await? {
        sandbox.files().remove(&target.join(&entry.path), true).await?;
    }
    Ok(())
}

fn validate(request: &CloneRequest) -> Result<()> {
    check::url(&request.url)?;
    check::path("target", &request.target)?;
    if let Some(branch) = &request.branch {
        check::branch("branch", branch)?;
    }
    match &request.pin {
        Some(ClonePin::Commit(commit)) => check::commit("pin", commit)?,
        Some(ClonePin::Tag(tag)) => check::branch("pin", tag)?,
        None => {}
    }
    if request.depth == Some(0) {
        return Err(Error::invalid_spec("depth", "is zero, leave it out for all commits"));
    }
    if let Some(credentials) = &request.credentials {
        check::origin(&request.url, credentials)?;
    }
    Ok(())
}

/// Whether the target is there, as an empty directory.
async fn exists(sandbox: &dyn Sandbox, target: &SandboxPath) -> Result<bool> {
    let taken =
        || failure("clone", GitFailure::TargetExists, format!("{} is not an empty directory", target.escaped()));
    match sandbox.files().list(target, 1).await {
        Ok(entries) if entries.is_empty() => Ok(true),
        Ok(_) => Err(taken()),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(false),
        Err(_) if sandbox.files().exists(target).await? => Err(taken()),
        Err(error) => Err(error),
    }
}

/// Clones. When it fails, what was there before is there again.
pub(super) async fn clone(sandbox: Arc<dyn Sandbox>, request: &CloneRequest) -> Result<()> {
    validate(request)?;
    let existed = exists(&*sandbox, &request.target).await?;
    let target = sandbox.workdir().join(&request.target);
    let mut begun = Begun { sandbox: sandbox.clone(), target: target.clone(), existed, complete: false };
    let done = match &request.pin {
        None => whole(&sandbox, request, &target).await,
        Some(pin) => pinned(&sandbox, request, &target, pin).await,
    };
    if let Err(error) = done {
        begun.remove().await?;
        return Err(error);
    }
    begun.complete = true;
    Ok(())
}

fn depth(invocation: Invocation, request: &CloneRequest) -> Invocation {
    match request.depth {
        Some(depth) => invocation.arg(format!("--depth={depth}")),
        None => invocation,
    }
}

fn authorised(invocation: Invocation, request: &CloneRequest) -> Result<Invocation> {
    match &request.credentials {
        Some(credentials) => invocation.credentials(&request.url, credentials),
        None => Ok(invocation),
    }
}

async fn whole(sandbox: &Arc<dyn Sandbox>, request: &CloneRequest, target: &SandboxPath) -> Result<()> {
    let mut clone =
        Invocation::network("clone", ["clone", "-q", "--no-checkout", "--no-recurse-submodules"]).within(CLONE);
    if let Some(branch) = &request.branch {
        clone = clone.arg(format!("--branch={branch}"));
    }
    let clone = depth(clone, request).arg("--").arg(request.url.as_bytes()).path(target);
    Runner::new(sandbox.clone(), None).run(authorised(clone, request)?).await?;
    let repository = Runner::new(sandbox.clone(), Some(target.clone()));
    let head = Invocation::local("clone", ["rev-parse", "-q", "--verify", "HEAD^{commit}"]);
    match repository.test(head).await? {
        true => repository
            .run(Invocation::local("clone", ["checkout", "-q", "-f", "HEAD", "--"]).within(CLONE))
            .await
            .map(drop),
        // The remote has no commit yet.
        false => Ok(()),
    }
}

async fn pinned(
    sandbox: &Arc<dyn Sandbox>,
    request: &CloneRequest,
    target: &SandboxPath,
    pin: &ClonePin,
) -> Result<()> {
    Runner::new(sandbox.clone(), None).run(Invocation::local("clone", ["init", "-q", "--"]).path(target)).await?;
    let repository = Runner::new(sandbox.clone(), Some(target.clone()));
    let remote = Invocation::local("clone", ["remote", "add", "--", "origin"]).arg(request.url.as_bytes());
    repository.run(remote).await?;
    let (wanted, local) = match pin {
        ClonePin::Commit(commit) => (commit.clone(), commit.clone()),
        ClonePin::Tag(tag) => (format!("+refs/tags/{tag}:refs/tags/{tag}"), format!("refs/tags/{tag}")),
    };
    let fetch = Invocation::network("clone", ["fetch", "-q", "--no-tags", "--no-recurse-submodules"]).within(CLONE);
    let fetch = depth(fetch, request).arg("--").arg("origin").arg(wanted);
    repository.run(authorised(fetch, request)?).await?;
    let commit = format!("{local}^{{commit}}");
    let checkout = match &request.branch {
        Some(branch) => Invocation::local("clone", ["checkout", "-q", "--no-track", "-B", branch, &commit, "--"]),
        None => Invocation::local("clone", ["checkout", "-q", "--detach", &commit, "--"]),
    };
    repository.run(checkout.within(CLONE)).await.map(drop)
}
