//! What to start: the description of one command, and its start.
#![allow(unsafe_code)]

use std::convert::Infallible;
use std::ffi::CString;
use std::os::fd::{AsRawFd, BorrowedFd};

use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::Pid;

use super::credentials::Credentials;
use super::descend::proc_directory;
use super::error::{Naming, StartError};
use super::exec::Image;
use super::leader::{Plan, failure};
use super::lookup;
use super::message::Step;
use super::supervisor::{self, Fds};
use super::sys::{self, check, set_mask};
use super::tree::{Tree, supervisors};

/// The usual mask of new files: writable by their owner only.
const DEFAULT_UMASK: u32 = 0o022;

/// How many v1 cgroups a leader can move into.
pub(super) const MOST_JOINED: usize = 3;

/// A command, complete: nothing is taken from the agent's own environment, directory, signals or limits.
///
/// The leader has a session of its own, so a terminal signal of the host never reaches it; default signal handlers and
/// an empty mask; and no descriptors but its three streams.
#[derive(Debug, Clone)]
pub(crate) struct Launch<'a> {
    /// The program and its arguments. A program without a slash is searched on the PATH in `env`.
    pub(crate) argv: Vec<Vec<u8>>,
    /// The whole environment, `NAME=value` each, in this order.
    pub(crate) env: Vec<Vec<u8>>,
    /// Working directory; must exist.
    pub(crate) cwd: Vec<u8>,
    /// The ids to take on; none means the agent's.
    pub(crate) credentials: Option<Credentials>,
    /// stdin, stdout, stderr.
    pub(crate) stdio: [BorrowedFd<'a>; 3],
    /// stdin is a terminal that becomes the controlling one, with the leader in its foreground.
    pub(crate) tty: bool,
    /// No execve below the leader can gain rights.
    pub(crate) no_new_privs: bool,
    /// Capabilities that may be kept, by bit; none leaves all sets as they are.
    pub(crate) keep_caps: Option<u64>,
    /// Mask of the modes of new files; 022 by default.
    pub(crate) umask: u32,
    /// Soft and hard limit of open files; none leaves the agent's.
    pub(crate) nofile: Option<(u64, u64)>,
    /// A cgroup v2 directory in which the leader starts. The supervisor stays outside, so it outlives an OOM kill and
    /// a freeze.
    pub(crate) cgroup: Option<BorrowedFd<'a>>,
    /// Files `cgroup.procs` of v1 cgroups that the leader moves into, at most [`MOST_JOINED`]. Likewise.
    pub(crate) joined: Vec<BorrowedFd<'a>>,
}

impl<'a> Launch<'a> {
    /// A command with these streams, in `/`, with an empty environment, as the agent's own user.
    pub(crate) fn new(argv: Vec<Vec<u8>>, stdio: [BorrowedFd<'a>; 3]) -> Self {
        Self {
            argv,
            env: Vec::new(),
            cwd: b"/".to_vec(),
            credentials: None,
            stdio,
            tty: false,
            no_new_privs: false,
            keep_caps: None,
            umask: DEFAULT_UMASK,
            nofile: None,
            cgroup: None,
            joined: Vec::new(),
        }
    }

    /// Starts the command under a supervisor and returns without waiting for it.
    ///
    /// # Errors
    /// Only what is known at once: strings with NUL bytes, no argv, no memory, process or descriptor for the supervisor. Everything
    /// else is a [`Report::Failed`](super::Report::Failed).
    pub(crate) fn start(&self) -> Result<Tree, StartError> {
        let (mut plan, naming) = self.plan()?;
        let setup = |errno| naming.explain(failure(Step::Setup, errno));
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None).map_err(setup)?;
        let fds = Fds {
            control: theirs.as_raw_fd(),
            stdio: self.stdio.map(|fd| fd.as_raw_fd()),
            proc: sys::raw(proc_directory()),
            cgroup: sys::raw(self.cgroup),
            joined: std::array::from_fn(|index| sys::raw(self.joined.get(index).copied())),
        };
        let supervisor = fork(|agent| supervisor::run(agent, fds, &mut plan))
            .map_err(|errno| naming.explain(failure(Step::Fork, errno)))?;
        Ok(Tree::new(ours, supervisor, naming))
    }

    fn plan(&self) -> Result<(Plan, Naming), StartError> {
        let argv = strings(&self.argv, "an argument")?;
        let env = strings(&self.env, "an environment variable")?;
        let cwd = string(&self.cwd, "the working directory")?;
        let program = argv.first().ok_or_else(|| StartError::invalid("the command has no program; name one"))?;
        let candidates = lookup::candidates(program, &self.env);
        let naming = Naming {
            program: self.argv.first().cloned().unwrap_or_default(),
            path: lookup::search_path(&self.env).to_vec(),
            candidates: candidates.clone(),
            cwd: self.cwd.clone(),
            user: self.credentials.as_ref().map(|ids| (ids.uid, ids.gid)),
        };
        let plan = Plan {
            image: Image::new(candidates, argv, env),
            cwd,
            credentials: self.credentials.clone(),
            tty: self.tty,
            no_new_privs: self.no_new_privs,
            keep_caps: self.keep_caps,
            umask: self.umask,
            nofile: self.nofile,
        };
        Ok((plan, naming))
    }
}

fn strings(all: &[Vec<u8>], what: &str) -> Result<Vec<CString>, StartError> {
    all.iter().map(|bytes| string(bytes, what)).collect()
}

fn string(bytes: &[u8], what: &str) -> Result<CString, StartError> {
    CString::new(bytes).map_err(|_| StartError::invalid(&format!("{what} contains a NUL byte; remove it")))
}

/// Forks a process that runs `child` with every signal blocked, and registers it as a supervisor before anybody can take
/// it for a stray.
fn fork(child: impl FnOnce(Pid) -> Infallible) -> Result<Pid, Errno> {
    let agent = rustix::process::getpid();
    let mut supervisors = supervisors();
    let mask = set_mask(u64::MAX);
    // SAFETY: glibc's fork leaves malloc usable in the child of a threaded process, and the child takes no other lock.
    let forked = check(unsafe { libc::fork() }.into());
    if matches!(forked, Ok(0)) {
        child(agent);
    }
    set_mask(mask);
    let pid = Pid::from_raw(forked? as i32).expect("fork returned a positive pid to the parent");
    supervisors.insert(pid.as_raw_nonzero().get());
    Ok(pid)
}
