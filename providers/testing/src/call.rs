//! A command as a script sees it.

use crate::files::TestFiles;
use bytes::Bytes;
use isobox_contract::{Command, ExecRequest, NetworkPolicy, SandboxId, SandboxPath, Stdin, TerminalSize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// A command that was asked for, with everything that a real one could know. `Debug` shows no arguments, values and input;
/// [`line`](Self::line) does.
#[derive(Clone)]
pub struct Call {
    pub(crate) request: ExecRequest,
    pub(crate) env: BTreeMap<Vec<u8>, Vec<u8>>,
    pub(crate) cwd: SandboxPath,
    pub(crate) sandbox: SandboxId,
    pub(crate) name: Option<String>,
    pub(crate) image: Option<String>,
    pub(crate) network: NetworkPolicy,
    pub(crate) number: u64,
    pub(crate) files: TestFiles,
}

impl Call {
    /// The program and its arguments; `sh`, `-c` and the script for a shell command.
    pub fn argv(&self) -> Vec<Vec<u8>> {
        self.request.command.argv()
    }

    /// The same as text, with replacement characters where it is not UTF-8.
    pub fn words(&self) -> Vec<String> {
        self.argv().iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect()
    }

    /// The script of a shell command.
    pub fn script(&self) -> Option<Cow<'_, str>> {
        match &self.request.command {
            Command::Shell(script) => Some(String::from_utf8_lossy(script)),
            Command::Argv(_) => None,
        }
    }

    /// The command on one line, quoted as for a shell.
    pub fn line(&self) -> String {
        line(&self.request.command)
    }

    /// A variable as the command sees it: the sandbox's, unless the call says otherwise.
    pub fn env(&self, name: &str) -> Option<Cow<'_, str>> {
        self.env.get(name.as_bytes()).map(|value| String::from_utf8_lossy(value))
    }

    /// Its input; empty when it has none or gets it later.
    pub fn stdin(&self) -> Bytes {
        match &self.request.stdin {
            Stdin::Bytes(bytes) => bytes.clone(),
            _ => Bytes::new(),
        }
    }

    /// Its working directory, absolute.
    pub fn cwd(&self) -> &SandboxPath {
        &self.cwd
    }

    /// The user that the call names.
    pub fn user(&self) -> Option<&str> {
        self.request.user.as_deref()
    }

    /// The size of its terminal, if it has one.
    pub fn terminal(&self) -> Option<TerminalSize> {
        self.request.pty
    }

    /// Its timeout.
    pub fn timeout(&self) -> Option<Duration> {
        self.request.timeout
    }

    /// The caller's name for it.
    pub fn label(&self) -> Option<&str> {
        self.request.label.as_deref()
    }

    /// The whole request.
    pub fn request(&self) -> &ExecRequest {
        &self.request
    }

    /// The sandbox that it is for.
    pub fn sandbox(&self) -> &SandboxId {
        &self.sandbox
    }

    /// The name of the sandbox.
    pub fn sandbox_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The reference of the image that the sandbox was made from.
    pub fn image(&self) -> Option<&str> {
        self.image.as_deref()
    }

    /// What the sandbox may reach.
    pub fn network(&self) -> &NetworkPolicy {
        &self.network
    }

    /// Which command of the provider this is, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The files of the sandbox, relative paths starting where the command runs, to be read and changed as a real command
    /// would.
    pub fn files(&self) -> &TestFiles {
        &self.files
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("request", &self.request)
            .field("sandbox", &self.sandbox)
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

/// A command on one line: a script after `$`, or quoted words.
pub(crate) fn line(command: &Command) -> String {
    match command {
        Command::Shell(script) => format!("sh -c {}", quoted(script)),
        Command::Argv(argv) => argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    }
}

pub(crate) fn quoted(word: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./=:,+@%".contains(byte);
    if !word.is_empty() && word.iter().all(plain) {
        return String::from_utf8_lossy(word).into_owned();
    }
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let text: String = String::from_utf8_lossy(word).chars().map(escape).collect();
    format!("'{}'", text.replace('\'', "'\\''"))
}
