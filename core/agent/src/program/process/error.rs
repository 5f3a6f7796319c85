//! Why a command did not start, in words that say what to do.

use std::ffi::CString;
use std::fmt;

use rustix::io::Errno;

use super::message::{Failure, Step};

/// What kept a command from starting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StartErrorKind {
    /// The command itself is malformed.
    Invalid,
    /// The working directory cannot be entered.
    Cwd,
    /// The user's ids cannot be taken on.
    User,
    /// No such program.
    NotFound,
    /// The program is there but may not be executed.
    NotExecutable,
    /// The program is a directory.
    IsDirectory,
    /// The program is for no interpreter or architecture that is here.
    BadFormat,
    /// The interpreter in the program's first line, or its loader, is missing.
    InterpreterMissing,
    /// Arguments and environment are larger than the kernel takes.
    ArgumentsTooLong,
    /// No more processes or memory.
    Exhausted,
    /// stdin is not a terminal that can be taken.
    Terminal,
    /// A part of the environment of the process could not be set up: streams, cgroup, limits, capabilities.
    Setup,
}

/// A command that did not start; no process of it remains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StartError {
    /// What it was.
    pub(crate) kind: StartErrorKind,
    /// The system's error, when there was one.
    pub(crate) errno: Option<Errno>,
    message: String,
}

impl StartError {
    pub(super) fn invalid(message: &str) -> Self {
        Self { kind: StartErrorKind::Invalid, errno: None, message: message.to_owned() }
    }

    /// The exit code by which shells tell this: 127 for a program that is missing, 126 for one that cannot run.
    pub(crate) fn exit_code(&self) -> Option<i32> {
        use StartErrorKind::*;
        match self.kind {
            NotFound => Some(127),
            NotExecutable | IsDirectory | BadFormat | InterpreterMissing | ArgumentsTooLong => Some(126),
            Invalid | Cwd | User | Exhausted | Terminal | Setup => None,
        }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for StartError {}

/// The names that a message needs, kept by the agent because a supervisor sends numbers only.
#[derive(Debug, Clone, Default)]
pub(super) struct Naming {
    pub(super) program: Vec<u8>,
    pub(super) path: Vec<u8>,
    pub(super) candidates: Vec<CString>,
    pub(super) cwd: Vec<u8>,
    pub(super) user: Option<(u32, u32)>,
}

impl Naming {
    pub(super) fn explain(&self, failure: Failure) -> StartError {
        let errno = Errno::from_raw_os_error(failure.errno);
        let kind = kind(failure.step, errno);
        StartError { kind, errno: Some(errno), message: self.message(kind, failure, errno) }
    }

    fn message(&self, kind: StartErrorKind, failure: Failure, errno: Errno) -> String {
        let file = self.candidates.get(failure.candidate as usize).map(|path| quote(path.as_bytes()));
        let file = file.unwrap_or_else(|| quote(&self.program));
        let reason = reason(errno);
        match kind {
            StartErrorKind::Invalid => reason,
            StartErrorKind::Cwd => self.explain_cwd(errno),
            StartErrorKind::User => self.explain_user(errno),
            StartErrorKind::NotFound if self.searched() => format!(
                "program {} is in no directory of PATH ({}); install it or give its path",
                quote(&self.program),
                String::from_utf8_lossy(&self.path)
            ),
            StartErrorKind::NotFound => format!("program {file} does not exist; check its path"),
            StartErrorKind::NotExecutable => {
                format!(
                    "program {file} may not be executed; check its mode, its directories and the noexec mount option"
                )
            }
            StartErrorKind::IsDirectory => format!("program {file} is a directory; name a file in it"),
            StartErrorKind::BadFormat => {
                format!("program {file} is neither a program for this machine nor a script; check its architecture")
            }
            StartErrorKind::InterpreterMissing => format!(
                "program {file} exists but the interpreter in its first line, or its dynamic loader, does not; install that"
            ),
            StartErrorKind::ArgumentsTooLong => {
                "arguments and environment are longer than the kernel takes; pass large values through stdin or a file"
                    .to_owned()
            }
            StartErrorKind::Exhausted => {
                format!("no process can be started: {reason}; raise the limit of processes or memory, or end some")
            }
            StartErrorKind::Terminal => {
                format!("stdin cannot be made the controlling terminal: {reason}; pass a fresh terminal")
            }
            StartErrorKind::Setup => format!("{} could not be set up: {reason}", subject(failure.step)),
        }
    }

    fn searched(&self) -> bool {
        !self.program.is_empty() && !self.program.contains(&b'/')
    }

    fn explain_cwd(&self, errno: Errno) -> String {
        let cwd = quote(&self.cwd);
        match errno {
            Errno::NOENT => format!("working directory {cwd} does not exist; create it or choose another"),
            Errno::NOTDIR => format!("working directory {cwd} is not a directory; choose another"),
            Errno::ACCESS | Errno::PERM => {
                format!("working directory {cwd} may not be entered by the command's user; choose another")
            }
            _ => format!("working directory {cwd} cannot be entered: {}", reason(errno)),
        }
    }

    fn explain_user(&self, errno: Errno) -> String {
        let (uid, gid) = self.user.unwrap_or_default();
        match errno {
            Errno::PERM => format!(
                "the agent may not become user {uid} and group {gid}; start the sandbox as root or leave the user out"
            ),
            Errno::INVAL => {
                format!("user {uid} or group {gid} is not mapped in this sandbox; map more ids or leave the user out")
            }
            Errno::AGAIN => format!("user {uid} has reached its limit of processes; raise it or end some"),
            _ => format!("user {uid} and group {gid} cannot be taken on: {}", reason(errno)),
        }
    }
}

fn kind(step: Step, errno: Errno) -> StartErrorKind {
    use StartErrorKind as Kind;
    match (step, errno) {
        (Step::NotFound, _) => Kind::NotFound,
        (Step::InterpreterMissing, _) => Kind::InterpreterMissing,
        (Step::IsDirectory, _) => Kind::IsDirectory,
        (Step::BadFormat, _) => Kind::BadFormat,
        (Step::Cwd, _) => Kind::Cwd,
        (Step::User, _) => Kind::User,
        (Step::Terminal, _) => Kind::Terminal,
        (Step::Exec, Errno::TOOBIG) => Kind::ArgumentsTooLong,
        (Step::Exec | Step::Fork, Errno::NOMEM | Errno::AGAIN) => Kind::Exhausted,
        (Step::Exec | Step::NotExecutable, _) => Kind::NotExecutable,
        (Step::Setup | Step::Fork | Step::Cgroup | Step::Limits | Step::Capabilities, _) => Kind::Setup,
    }
}

fn subject(step: Step) -> &'static str {
    match step {
        Step::Cgroup => "the command's cgroup",
        Step::Limits => "the limit of open files",
        Step::Capabilities => "the command's capabilities",
        Step::Fork => "the command's process",
        _ => "the command's supervisor",
    }
}

/// The system's words for an error, in the style of the other messages.
fn reason(errno: Errno) -> String {
    let text = std::io::Error::from(errno).to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}

fn quote(bytes: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(bytes))
}
