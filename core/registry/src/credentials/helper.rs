//! Credential helpers: programs `docker-credential-NAME` that are asked for the credentials of a registry.
//!
//! ```text
//!   docker-credential-NAME get   <- the registry's name on standard input
//!                                -> {"ServerURL": ..., "Username": ..., "Secret": ...}, or a message and a failure
//! ```
//!
//! A helper gets a deadline, its output a limit, and nothing that it says is passed on: it may hold a secret.

use super::Credentials;
use rustix::process::{Pid, Signal, kill_process_group};
use serde::Deserialize;
use std::fmt;
use std::io;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

/// The most that a helper may say.
const LONGEST: u64 = 64 * 1024;

/// What helpers are asked about for Docker Hub, by an old convention of Docker's.
const HUB_KEY: &str = "https://index.docker.io/v1/";

/// What a helper says when it has nothing. From docker-credential-helpers, `credentials/error.go`.
const NOTHING: &str = "credentials not found in native keychain";

/// Why a helper was of no help. `Display` completes the sentence "the helper ...".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    Name,
    Missing(String),
    Start(io::ErrorKind),
    Timeout(Duration),
    Failed(String),
    Garbage,
}

impl Problem {
    pub(crate) fn is_timeout(&self) -> bool {
        matches!(self, Problem::Timeout(_))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Name => f.write_str("has a name that no program can have, correct Docker's config.json"),
            Problem::Missing(program) => write!(f, "is not there: {program} is not on the PATH"),
            Problem::Start(kind) => write!(f, "cannot be started: {kind}"),
            Problem::Timeout(patience) => write!(f, "did not answer within {patience:?}"),
            Problem::Failed(status) => write!(f, "failed with {status}, run it by hand to see why"),
            Problem::Garbage => f.write_str("did not answer as credential helpers do"),
        }
    }
}

/// Asks the helper of that name; `None` when it knows the registry not.
pub(crate) async fn get(name: &str, registry: &str, patience: Duration) -> Result<Option<Credentials>, Problem> {
    let fit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if name.is_empty() || name.len() > 128 || !name.bytes().all(fit) {
        return Err(Problem::Name);
    }
    let program = format!("docker-credential-{name}");
    let mut running = Running::start(&program)?;
    let key = if registry == "docker.io" { HUB_KEY } else { registry };
    match tokio::time::timeout(patience, running.ask(key)).await {
        Err(_) => Err(Problem::Timeout(patience)),
        Ok(Err(_)) => Err(Problem::Garbage),
        Ok(Ok((output, _))) if output.len() as u64 > LONGEST => Err(Problem::Garbage),
        Ok(Ok((output, None))) => parse(&output).ok_or(Problem::Garbage).map(Some),
        Ok(Ok((output, Some(_)))) if output.trim_ascii() == NOTHING.as_bytes() => Ok(None),
        Ok(Ok((_, Some(status)))) => Err(Problem::Failed(status)),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Answer {
    username: String,
    secret: String,
}

/// Reads what a helper says.
pub(crate) fn parse(output: &[u8]) -> Option<Credentials> {
    let answer: Answer = serde_json::from_slice(output).ok()?;
    Some(credentials(answer.username, answer.secret))
}

/// By a convention of Docker's, a name of `<token>` says that the password is an identity token.
pub(crate) fn credentials(username: String, password: String) -> Credentials {
    match username.as_str() {
        "<token>" => Credentials::Identity(password),
        _ => Credentials::Basic { username, password },
    }
}

/// A helper at work. Dropping it ends the helper and what it started.
struct Running {
    child: Child,
    group: Option<Pid>,
}

impl Running {
    fn start(program: &str) -> Result<Self, Problem> {
        let mut command = Command::new(program);
        command.arg("get").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let child = command.process_group(0).kill_on_drop(true).spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Problem::Missing(program.to_owned()),
            kind => Problem::Start(kind),
        })?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        Ok(Self { child, group })
    }

    /// What it says, and how it ended when that was not well.
    async fn ask(&mut self, key: &str) -> io::Result<(Vec<u8>, Option<String>)> {
        if let Some(mut input) = self.child.stdin.take() {
            // A helper that does not read what it is asked has still to end by itself.
            let _ = input.write_all(key.as_bytes()).await;
        }
        let mut output = Vec::new();
        if let Some(stdout) = self.child.stdout.take() {
            stdout.take(LONGEST + 1).read_to_end(&mut output).await?;
        }
        if output.len() as u64 > LONGEST {
            return Ok((output, None));
        }
        let status = self.child.wait().await?;
        // The number may belong to somebody else from here on.
        self.group = None;
        Ok((output, (!status.success()).then(|| status.to_string())))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
