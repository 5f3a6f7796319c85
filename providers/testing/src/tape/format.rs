//! The lines of a tape. Unknown members are ignored when reading.

use super::digest;
use super::redact::Redact;
use bytes::Bytes;
use isobox_contract::exec::Argument;
use isobox_contract::path::bytes_or_text;
use isobox_contract::{
    Capabilities, Entry, ExecRequest, Exit, Metadata, ProviderKind, Report, SandboxPath, Stdin, Stream, TransferReport,
};
use serde::{Deserialize, Serialize};

/// The version that is written and understood.
pub(super) const VERSION: u32 = 1;

#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Line {
    /// The first.
    Tape { version: u32, kind: ProviderKind, capabilities: Box<Capabilities>, env_values: bool },
    /// A sandbox was made.
    Sandbox { sandbox: u64, name: Option<String>, workdir: SandboxPath },
    /// A command was run.
    Exec(Box<Ran>),
    /// Something was done with files.
    File(Box<Asked>),
}

/// A command and what it did.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Ran {
    pub(super) sandbox: u64,
    /// Its place among all calls.
    pub(super) order: u64,
    pub(super) request: Request,
    #[serde(default)]
    pub(super) output: Vec<Piece>,
    pub(super) end: Ending,
}

/// What makes two commands the same.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) argv: Vec<Argument>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    env: Vec<Variable>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cwd: Option<SandboxPath>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stdin: Option<Content>,
    #[serde(default)]
    terminal: bool,
    #[serde(default)]
    merge_stderr: bool,
}

#[derive(Clone, PartialEq, PartialOrd, Eq, Ord, Serialize, Deserialize)]
struct Variable {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

/// What was given, by its digest.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Content {
    bytes: u64,
    sha256: String,
}

impl Content {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, sha256: digest(bytes) }
    }
}

impl Request {
    pub(super) fn of(request: &ExecRequest, redact: &Redact, env_values: bool) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(&redact.bytes(bytes)).into_owned();
        let variable =
            |(name, value): &(Vec<u8>, Vec<u8>)| Variable { name: text(name), value: env_values.then(|| text(value)) };
        let mut env: Vec<_> = request.env.iter().map(variable).collect();
        env.sort();
        Self {
            argv: request.command.argv().iter().map(|word| Argument(redact.bytes(word))).collect(),
            env,
            cwd: request.cwd.clone(),
            user: request.user.clone(),
            stdin: match &request.stdin {
                Stdin::Bytes(bytes) => Some(Content::of(bytes)),
                _ => None,
            },
            terminal: request.pty.is_some(),
            merge_stderr: request.merge_stderr,
        }
    }

    /// The command on one line.
    pub(super) fn line(&self) -> String {
        let words: Vec<Vec<u8>> = self.argv.iter().map(|word| word.0.to_vec()).collect();
        crate::script::words_line(&words)
    }
}

/// A piece of output.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Piece {
    /// When, since the command began.
    pub(super) at_us: u64,
    pub(super) stream: Stream,
    #[serde(with = "bytes_or_text")]
    pub(super) data: Bytes,
    /// How much input it had been given by then.
    #[serde(default)]
    pub(super) after_input: u64,
}

/// How a command ended.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ending {
    /// By itself.
    Exited(Exit),
    /// Because of its timeout or its caller.
    Stopped(Exit),
    /// It did not start.
    Refused(Report),
    /// How is not known.
    Lost(Report),
    /// Nobody waited for it.
    Abandoned,
    /// It wrote more than a tape keeps.
    TooLarge,
}

/// Something that was done with files.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) sandbox: u64,
    pub(super) order: u64,
    pub(super) question: Question,
    pub(super) answer: Answer,
}

/// What was asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "snake_case")]
pub(crate) enum Question {
    Read {
        path: SandboxPath,
        offset: u64,
        length: Option<u64>,
    },
    Stat {
        path: SandboxPath,
        follow: bool,
    },
    Exists {
        path: SandboxPath,
    },
    List {
        path: SandboxPath,
        depth: u32,
    },
    ReadLink {
        path: SandboxPath,
    },
    Download {
        path: SandboxPath,
        exclude: Vec<String>,
    },
    /// Everything that changes something: the call's name and what it was given, by its digest.
    Change {
        call: String,
        path: SandboxPath,
        sha256: String,
    },
}

impl Question {
    pub(super) fn change(call: &str, path: &SandboxPath, given: &[u8]) -> Self {
        Self::Change { call: call.to_owned(), path: path.clone(), sha256: digest(given) }
    }
}

impl std::fmt::Display for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (call, path) = match self {
            Question::Read { path, .. } => ("read", path),
            Question::Stat { path, .. } => ("stat", path),
            Question::Exists { path } => ("exists", path),
            Question::List { path, .. } => ("list", path),
            Question::ReadLink { path } => ("read_link", path),
            Question::Download { path, .. } => ("download", path),
            Question::Change { call, path, .. } => (call.as_str(), path),
        };
        write!(f, "{call} {}", path.escaped())
    }
}

/// What the answer was.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    Bytes(#[serde(with = "bytes_or_text")] Bytes),
    Metadata(Metadata),
    Exists(bool),
    Entries(Vec<Entry>),
    Path(SandboxPath),
    Tree { entries: Vec<TreeEntry>, report: TransferReport },
    Done,
    Failed(Report),
}

/// An entry of a tree that was downloaded.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct TreeEntry {
    path: SandboxPath,
    mode: u32,
    modified: (i64, u32),
    content: TreeContent,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TreeContent {
    Directory,
    File(#[serde(with = "bytes_or_text")] Bytes),
    Symlink(SandboxPath),
}

impl TreeEntry {
    pub(super) fn of(entry: &isobox_tree::memory::Entry, redact: &Redact) -> Self {
        use isobox_tree::memory::Content;
        let content = match &entry.content {
            Content::Directory => TreeContent::Directory,
            Content::File(bytes) => TreeContent::File(redact.bytes(bytes)),
            Content::Symlink(text) => TreeContent::Symlink(text.clone().into()),
        };
        Self { path: entry.path.clone().into(), mode: entry.mode, modified: entry.modified, content }
    }

    pub(super) fn back(&self) -> isobox_tree::memory::Entry {
        use isobox_tree::memory::Content;
        let content = match &self.content {
            TreeContent::Directory => Content::Directory,
            TreeContent::File(bytes) => Content::File(bytes.to_vec()),
            TreeContent::Symlink(text) => Content::Symlink(text.as_bytes().to_vec()),
        };
        let path = self.path.as_bytes().to_vec();
        isobox_tree::memory::Entry { path, mode: self.mode, modified: self.modified, content }
    }
}
