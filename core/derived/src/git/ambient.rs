//! A credential that stays with a repository, for whatever runs `git` in it.
//!
//! It is in a file of mode 0600 in the repository's own directory; its configuration has a helper, bound to the remote's
//! scheme, host and port, that prints the file. Git never rewrites or erases it, as it does with its own store.

use super::check;
use super::runner::{Invocation, Runner};
use crate::private::quoted;
use isobox_contract::git::GitCredentials;
use isobox_contract::{Error, Result, Sandbox, SandboxPath, WriteOptions};

/// The name of the file.
const FILE: &str = "isobox-credentials";

/// Sets the credential, in the place of an earlier one.
pub(super) async fn set(
    sandbox: &dyn Sandbox,
    runner: &Runner,
    remote: &str,
    credentials: &GitCredentials,
) -> Result<()> {
    const CALL: &str = "set_credentials";
    let url = runner.run(Invocation::local(CALL, ["remote", "get-url", remote])).await?;
    let origin = check::origin(String::from_utf8_lossy(&url).trim(), credentials)?.to_owned();
    let file = file(runner, CALL).await?;
    let text = format!("username={}\npassword={}\n", credentials.username, credentials.password.expose());
    let options = WriteOptions { mode: Some(0o600), parents: false, atomic: true, ..WriteOptions::default() };
    sandbox.files().write(&file, text.into(), options).await?;
    forget(runner, CALL).await?;
    let helper = [b"!f() { test \"$1\" = get && cat ", &quoted(file.as_bytes())[..], b"; }; f"].concat();
    let key = format!("credential.{origin}.helper");
    // An empty one first: helpers of the user's own configuration are not asked.
    for value in [Vec::new(), helper] {
        runner.run(Invocation::local(CALL, ["config", "--local", "--add", &key]).arg(value)).await?;
    }
    Ok(())
}

/// Takes the credential away, if there is one.
pub(super) async fn clear(sandbox: &dyn Sandbox, runner: &Runner) -> Result<()> {
    const CALL: &str = "clear_credentials";
    forget(runner, CALL).await?;
    sandbox.files().remove(&file(runner, CALL).await?, false).await
}

async fn file(runner: &Runner, call: &'static str) -> Result<SandboxPath> {
    let output = runner.run(Invocation::local(call, ["rev-parse", "--absolute-git-dir"]).reading()).await?;
    let directory = output.strip_suffix(b"\n").unwrap_or(&output);
    if directory.contains(&b'\n') {
        return Err(Error::invalid_spec("path", "has a line break, which no credential helper can be given"));
    }
    Ok(SandboxPath::from(directory).join(&FILE.into()))
}

/// Takes out of the configuration what an earlier call has put there, for any remote.
async fn forget(runner: &Runner, call: &'static str) -> Result<()> {
    let args = ["config", "--local", "--name-only", "-z", "--get-regexp", "^credential\\..*\\.helper$", FILE];
    let found = runner.find(Invocation::local(call, args).reading()).await?;
    for key in found.split(|byte| *byte == 0).filter(|key| !key.is_empty()) {
        let unset = Invocation::local(call, ["config", "--local", "--unset-all"]).arg(key);
        runner.run(unset).await?;
    }
    Ok(())
}
