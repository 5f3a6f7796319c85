//! One `git` command.

use super::{check, failure};
use bytes::Bytes;
use isobox_contract::git::GitCredentials;
use isobox_contract::{
    Detail, Error, ErrorCode, ExecRequest, ExecResult, GitFailure, OutputLimits, Result, Sandbox, SandboxPath,
};
use std::sync::Arc;
use std::time::Duration;

/// How long a command may take that talks to nobody.
const LOCAL: Duration = Duration::from_secs(60);
/// How long one may take that talks to a remote.
const NETWORK: Duration = Duration::from_secs(300);
/// How long a clone may take.
pub(super) const CLONE: Duration = Duration::from_secs(600);

/// Configuration for every command: nothing that a repository, or somebody's own configuration, would have git run.
const CONFIG: [&str; 11] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.quotePath=false",
    "core.pager=cat",
    "core.askPass=",
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "protocol.ext.allow=never",
    "advice.detachedHead=false",
];

/// Variables for every command: plain English, no question to anybody.
const ENVIRONMENT: [(&str, &str); 9] = [
    ("LC_ALL", "C"),
    ("LANGUAGE", "C"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", ""),
    ("SSH_ASKPASS", ""),
    ("GIT_SSH_COMMAND", "ssh -oBatchMode=yes"),
    ("GIT_EDITOR", "true"),
    ("GIT_PAGER", "cat"),
    ("GIT_MERGE_AUTOEDIT", "no"),
];

/// Hands the credential of this one command to git, from variables that no other command has.
const HELPER: &str = "!f() { test \"$1\" = get && \
     printf 'username=%s\\npassword=%s\\n' \"$ISOBOX_GIT_USERNAME\" \"$ISOBOX_GIT_PASSWORD\"; }; f";

/// What to run.
pub(super) struct Invocation {
    /// What it is called in errors.
    pub(super) operation: &'static str,
    config: Vec<String>,
    args: Vec<Vec<u8>>,
    env: Vec<(String, String)>,
    input: Option<Bytes>,
    timeout: Duration,
    lookup: bool,
    output: OutputLimits,
}

impl Invocation {
    /// A command that talks to nobody.
    pub(super) fn local<const N: usize>(operation: &'static str, args: [&str; N]) -> Self {
        let args = args.map(|arg| arg.as_bytes().to_vec()).to_vec();
        Self {
            operation,
            config: Vec::new(),
            args,
            env: Vec::new(),
            input: None,
            timeout: LOCAL,
            lookup: false,
            output: OutputLimits::default(),
        }
    }

    /// A command that talks to a remote.
    pub(super) fn network<const N: usize>(operation: &'static str, args: [&str; N]) -> Self {
        Self::local(operation, args).within(NETWORK)
    }

    pub(super) fn within(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    pub(super) fn arg(mut self, arg: impl Into<Vec<u8>>) -> Self {
        self.args.push(arg.into());
        self
    }

    pub(super) fn path(self, path: &SandboxPath) -> Self {
        self.arg(path.as_bytes())
    }

    /// A path in the work tree, in which nothing is a pattern.
    pub(super) fn literal(self, path: &SandboxPath) -> Self {
        self.arg([b":(literal)", path.as_bytes()].concat())
    }

    pub(super) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn input(mut self, input: &str) -> Self {
        self.input = Some(Bytes::copy_from_slice(input.as_bytes()));
        self
    }

    /// How much of what it prints is kept.
    pub(super) fn keeping(mut self, output: OutputLimits) -> Self {
        self.output = output;
        self
    }

    /// It changes nothing, and takes no lock for that.
    pub(super) fn reading(self) -> Self {
        self.env("GIT_OPTIONAL_LOCKS", "0")
    }

    /// When it fails and says nothing, what it looked for is not there.
    pub(super) fn lookup(mut self) -> Self {
        self.lookup = true;
        self
    }

    /// Gives a credential to this remote, and to no other.
    pub(super) fn credentials(mut self, url: &str, credentials: &GitCredentials) -> Result<Self> {
        let origin = check::origin(url, credentials)?;
        self.config.push("credential.helper=".to_owned());
        self.config.push(format!("credential.{origin}.helper={HELPER}"));
        Ok(self
            .env("ISOBOX_GIT_USERNAME", &credentials.username)
            .env("ISOBOX_GIT_PASSWORD", credentials.password.expose()))
    }

    fn request(&self, cwd: Option<&SandboxPath>) -> ExecRequest {
        let mut argv = vec![b"git".to_vec()];
        for config in CONFIG.iter().copied().chain(self.config.iter().map(String::as_str)) {
            argv.extend([b"-c".to_vec(), config.as_bytes().to_vec()]);
        }
        argv.extend(self.args.iter().cloned());
        let mut request = ExecRequest::argv(argv).timeout(self.timeout).label(format!("git {}", self.operation));
        request.output = self.output.clone();
        request.cwd = cwd.cloned();
        for (name, value) in ENVIRONMENT {
            request = request.env(name, value);
        }
        for (name, value) in &self.env {
            request = request.env(name.as_str(), value.as_str());
        }
        match &self.input {
            Some(input) => request.input(input.clone()),
            None => request,
        }
    }
}

/// Runs git in one directory.
pub(super) struct Runner {
    sandbox: Arc<dyn Sandbox>,
    cwd: Option<SandboxPath>,
}

impl Runner {
    pub(super) fn new(sandbox: Arc<dyn Sandbox>, cwd: Option<SandboxPath>) -> Self {
        Self { sandbox, cwd }
    }

    /// What it prints; an error when it fails.
    pub(super) async fn run(&self, invocation: Invocation) -> Result<Bytes> {
        let result = self.execute(&invocation).await?;
        if result.success() {
            return Ok(result.require_complete()?.stdout.bytes);
        }
        Err(failed(&invocation, result))
    }

    /// What it prints; nothing when what it looks for is not there (1).
    pub(super) async fn find(&self, invocation: Invocation) -> Result<Bytes> {
        match self.run(invocation.lookup()).await {
            Err(error) if error.code() == ErrorCode::NotFound => Ok(Bytes::new()),
            found => found,
        }
    }

    /// Whether it says yes (0) or no (1).
    pub(super) async fn test(&self, invocation: Invocation) -> Result<bool> {
        let result = self.execute(&invocation).await?;
        match result.exit_code {
            0 | 1 if result.signal.is_none() => Ok(result.exit_code == 0),
            _ => Err(failed(&invocation, result)),
        }
    }

    async fn execute(&self, invocation: &Invocation) -> Result<ExecResult> {
        let run = self.sandbox.exec().run(invocation.request(self.cwd.as_ref())).await;
        let result = run.map_err(|error| match error.code() {
            ErrorCode::NotFound => unavailable(invocation.operation).with_source(error),
            _ => error,
        })?;
        if result.timed_out {
            return Err(Error::timeout(format!("git.{}", invocation.operation), invocation.timeout));
        }
        Ok(result)
    }
}

fn detail(operation: &str, kind: GitFailure, exec: Option<Box<isobox_contract::ExecFailure>>) -> Detail {
    Detail::Git { operation: operation.to_owned(), kind, exec, earlier: Vec::new() }
}

fn unavailable(operation: &str) -> Error {
    let kind = GitFailure::GitUnavailable;
    let message = "there is no git in the sandbox, use an image that has it";
    Error::new(kind.code(), message).with_detail(detail(operation, kind, None))
}

/// Git said what nobody expects.
pub(super) fn nonsense(operation: &str) -> Error {
    let message = format!("git {operation} printed what cannot be read");
    Error::new(ErrorCode::Internal, message).with_detail(detail(operation, GitFailure::Unclassified, None))
}

/// A failure of its own kind, about no command.
pub(super) fn failure(operation: &str, kind: GitFailure, message: impl Into<String>) -> Error {
    Error::new(kind.code(), message).with_detail(detail(operation, kind, None))
}

fn failed(invocation: &Invocation, result: ExecResult) -> Error {
    let silent = result.stderr.bytes.is_empty() && result.exit_code == 1;
    let kind = match failure::classify(&result.stderr.bytes, &result.stdout.bytes) {
        GitFailure::Unclassified if invocation.lookup && silent => GitFailure::RefNotFound,
        kind => kind,
    };
    let operation = invocation.operation;
    let message = format!("git {operation} failed: {}", kind.as_str().replace('_', " "));
    let command = result.into_error(Some(&format!("git {operation}")));
    let exec = match command.detail() {
        Detail::Exec(exec) => Some(exec.clone()),
        _ => None,
    };
    let code = if command.code() == ErrorCode::OutOfMemory { ErrorCode::OutOfMemory } else { kind.code() };
    let error = Error::new(code, message).with_detail(detail(operation, kind, exec));
    error.retryable(kind == GitFailure::RemoteUnavailable)
}
