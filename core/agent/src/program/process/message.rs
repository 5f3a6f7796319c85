//! What supervisor and agent say to each other: fixed records, one packet each, over a SOCK_SEQPACKET pair.
//!
//! Both ends are the same program on the same machine, so numbers are in native order. The agent still accepts nothing
//! malformed, because a program with enough rights could write into its supervisor.

use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};

const WORDS: usize = 6;

/// What one packet carries.
type Words = [u64; WORDS];

/// Resources that a tree has used, counting every process of it that has been reaped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// CPU time in user mode.
    pub(crate) user: Duration,
    /// CPU time in the kernel.
    pub(crate) system: Duration,
    /// The largest resident set of any one process, in bytes.
    pub(crate) max_rss: u64,
}

/// Whom a signal is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Leader,
    Group,
    Tree,
}

/// From the agent to a supervisor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Signal(Scope, i32),
    /// End the tree within this time.
    Kill(Duration),
}

/// Where starting a command failed: the step, the system's error, and which candidate file it was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) step: Step,
    pub(super) errno: i32,
    pub(super) candidate: u32,
}

/// The steps between fork and the first instruction of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Step {
    Setup = 1,
    Fork,
    Cgroup,
    Terminal,
    Limits,
    Cwd,
    Capabilities,
    User,
    NotFound,
    InterpreterMissing,
    NotExecutable,
    IsDirectory,
    BadFormat,
    Exec,
}

const STEPS: [Step; 14] = [
    Step::Setup,
    Step::Fork,
    Step::Cgroup,
    Step::Terminal,
    Step::Limits,
    Step::Cwd,
    Step::Capabilities,
    Step::User,
    Step::NotFound,
    Step::InterpreterMissing,
    Step::NotExecutable,
    Step::IsDirectory,
    Step::BadFormat,
    Step::Exec,
];

/// From a supervisor to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notice {
    Started(i32),
    Failed(Failure),
    /// The leader's status as wait(2) encodes it.
    Exited(i32, Usage),
    /// No process is left but this many that could not be ended.
    Empty(u32, Usage),
}

impl Order {
    pub(super) fn send(self, socket: BorrowedFd<'_>) -> Result<(), Errno> {
        let words = match self {
            Order::Signal(scope, signal) => [1, scope as u64, signal as u64, 0, 0, 0],
            Order::Kill(within) => [2, u64::try_from(within.as_millis()).unwrap_or(u64::MAX), 0, 0, 0, 0],
        };
        put(socket, words)
    }

    /// The next order; `None` when the other end is gone.
    pub(super) fn receive(socket: BorrowedFd<'_>) -> Result<Option<Order>, Errno> {
        let Some(words) = get(socket)? else { return Ok(None) };
        let scope = match words[1] {
            0 => Scope::Leader,
            1 => Scope::Group,
            _ => Scope::Tree,
        };
        Ok(Some(match words[0] {
            1 => Order::Signal(scope, words[2] as i32),
            _ => Order::Kill(Duration::from_millis(words[1])),
        }))
    }
}

impl Notice {
    pub(super) fn send(self, socket: BorrowedFd<'_>) -> Result<(), Errno> {
        let with = |tag, first, second, usage: Usage| {
            let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
            [tag, first, second, micros(usage.user), micros(usage.system), usage.max_rss]
        };
        let words = match self {
            Notice::Started(pid) => [1, pid as u64, 0, 0, 0, 0],
            Notice::Failed(failure) => [2, failure.step as u64, failure.errno as u64, failure.candidate.into(), 0, 0],
            Notice::Exited(status, usage) => with(3, status as u64, 0, usage),
            Notice::Empty(unkillable, usage) => with(4, unkillable.into(), 0, usage),
        };
        put(socket, words)
    }

    /// The next notice; `None` when the supervisor is gone or says something that is no notice.
    pub(super) fn receive(socket: BorrowedFd<'_>) -> Result<Option<Notice>, Errno> {
        Ok(get(socket)?.and_then(Notice::parse))
    }

    fn parse(words: Words) -> Option<Notice> {
        let [tag, first, second, user, system, max_rss] = words;
        let usage = Usage { user: Duration::from_micros(user), system: Duration::from_micros(system), max_rss };
        Some(match tag {
            1 => Notice::Started(i32::try_from(first).ok().filter(|pid| *pid > 0)?),
            2 => Notice::Failed(Failure {
                step: STEPS.into_iter().find(|step| *step as u64 == first)?,
                errno: i32::try_from(second).ok()?,
                candidate: u32::try_from(user).ok()?,
            }),
            3 => Notice::Exited(first as i32, usage),
            4 => Notice::Empty(u32::try_from(first).ok()?, usage),
            _ => return None,
        })
    }
}

fn put(socket: BorrowedFd<'_>, words: Words) -> Result<(), Errno> {
    let mut bytes = [0; WORDS * 8];
    for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
        chunk.copy_from_slice(&word.to_ne_bytes());
    }
    rustix::io::retry_on_intr(|| send(socket, &bytes, SendFlags::NOSIGNAL | SendFlags::DONTWAIT)).map(drop)
}

fn get(socket: BorrowedFd<'_>) -> Result<Option<Words>, Errno> {
    let mut bytes = [0; WORDS * 8];
    let received = rustix::io::retry_on_intr(|| recv(socket, &mut bytes[..], RecvFlags::DONTWAIT));
    match received {
        Ok((length, _)) if length == bytes.len() => {}
        // A peer that is gone with unread packets reads as a reset, which is the same news.
        Ok(_) | Err(Errno::CONNRESET) => return Ok(None),
        Err(errno) => return Err(errno),
    }
    let mut words = [0; WORDS];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_ne_bytes(chunk.try_into().expect("chunks are eight bytes"));
    }
    Ok(Some(words))
}
