//! From a request to a running process.

use super::entry::{Command, Streams};
use super::input::END_OF_TRANSMISSION;
use super::log::Log;
use super::pump::{Pump, Sink};
use super::runner::{Runner, next_report};
use super::sanitize::Filter;
use super::spill::Spill;
use crate::files::Place;
use crate::process::{Account, Launch, Pty, Report, StartError, StartErrorKind, Tree};
use crate::server::Agent;
use isobox_wire::exec::Sanitize;
use isobox_wire::{Exec, Failure, FailureCode, Kind};
use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
use rustix::pipe::{PipeFlags, pipe_with};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// The ends that the command gets.
struct Theirs {
    stdin: OwnedFd,
    stdout: OwnedFd,
    stderr: OwnedFd,
}

/// The ends that the agent keeps.
struct Ours {
    input: Option<OwnedFd>,
    stdout: OwnedFd,
    stderr: Option<OwnedFd>,
    terminal: Option<OwnedFd>,
}

/// A command that runs, and what keeps it running.
pub(super) struct Running {
    pub(super) command: Arc<Command>,
    pub(super) runner: Runner,
    pub(super) pumps: Vec<Pump>,
}

fn system(what: &str, error: impl Into<std::io::Error>) -> Failure {
    let error = error.into();
    let code = match error.raw_os_error() {
        Some(libc::EMFILE | libc::ENFILE | libc::EAGAIN) => FailureCode::LimitExceeded,
        Some(libc::ENOMEM) => FailureCode::OutOfMemory,
        _ => FailureCode::Internal,
    };
    let failure = Failure::new(code, format!("{what}: {error}"));
    error.raw_os_error().into_iter().fold(failure, Failure::errno)
}

/// Starts the command and waits until its program executes.
pub(super) async fn start(agent: &Agent, exec: &Exec, sink: Option<Sink>) -> Result<Running, Failure> {
    let account = agent.place.account(exec.user.as_deref())?;
    let (theirs, ours) = streams(exec, &account)?;
    let watch_input = |input| watched(input, Interest::WRITABLE);
    let (input, terminal) = (ours.input.map(watch_input).transpose()?, ours.terminal);
    let (command, orders) = Command::new(exec, Streams { input, terminal });
    let admission = agent.commands.insert(&command)?;
    let oom = agent.oom.as_ref().map(|account| account.since_now(&agent.commands));
    let started = launch(agent, exec, &account, &theirs);
    drop(theirs);
    let (tree, leader) = confirmed(started).await?;
    command.set_pids(leader, tree.get_ref().supervisor().as_raw_nonzero().get().unsigned_abs());
    let ids = (account.credentials.uid, account.credentials.gid);
    let mut pumps = vec![pump(&agent.place, exec, ours.stdout, Kind::Stdout, &command.stdout, ids, sink.clone())?];
    match ours.stderr {
        Some(stderr) => pumps.push(pump(&agent.place, exec, stderr, Kind::Stderr, &command.stderr, ids, sink)?),
        None => command.stderr.set_flow(super::log::Flow::Ended),
    }
    let mut runner = Runner::new(command.clone(), tree, orders, exec);
    runner.oom = oom;
    admission.keep();
    Ok(Running { command, runner, pumps })
}

fn launch(agent: &Agent, exec: &Exec, account: &Account, theirs: &Theirs) -> Result<Tree, Failure> {
    let stdio = [theirs.stdin.as_fd(), theirs.stdout.as_fd(), theirs.stderr.as_fd()];
    let mut launch = Launch::new(exec.argv.iter().map(|word| word.to_vec()).collect(), stdio);
    launch.env = environment(agent, exec, account);
    launch.cwd =
        agent.place.resolve(exec.cwd.as_deref().map_or(&b""[..], Vec::as_slice)).as_os_str().as_bytes().to_vec();
    launch.credentials = agent.place.change_to(account);
    launch.tty = exec.pty.is_some();
    launch.cgroup = agent.cgroups.commands.as_ref().map(AsFd::as_fd);
    launch.joined = agent.cgroups.joined.iter().map(AsFd::as_fd).collect();
    launch.start().map_err(refused)
}

async fn confirmed(tree: Result<Tree, Failure>) -> Result<(AsyncFd<Tree>, u32), Failure> {
    let mut tree = register(tree?, Interest::READABLE)?;
    match next_report(&mut tree).await {
        Report::Started { leader } => Ok((tree, leader.as_raw_nonzero().get().unsigned_abs())),
        Report::Failed(error) => Err(refused(error)),
        _ => Err(Failure::new(FailureCode::Internal, "the command's supervisor ended before the command began")),
    }
}

fn refused(error: StartError) -> Failure {
    let (code, field) = match error.kind {
        StartErrorKind::Invalid => (FailureCode::InvalidSpec, Some("argv")),
        StartErrorKind::Cwd => (FailureCode::InvalidSpec, Some("cwd")),
        StartErrorKind::User => (FailureCode::InvalidSpec, Some("user")),
        StartErrorKind::NotFound => (FailureCode::NotFound, Some("argv[0]")),
        StartErrorKind::NotExecutable | StartErrorKind::IsDirectory => (FailureCode::PermissionDenied, Some("argv[0]")),
        StartErrorKind::BadFormat | StartErrorKind::InterpreterMissing => (FailureCode::InvalidSpec, Some("argv[0]")),
        StartErrorKind::ArgumentsTooLong => (FailureCode::LimitExceeded, Some("argv")),
        StartErrorKind::Exhausted => (FailureCode::LimitExceeded, None),
        StartErrorKind::Terminal | StartErrorKind::Setup => (FailureCode::Internal, None),
    };
    let mut failure = Failure::new(code, error.to_string());
    failure.field = field.map(str::to_owned);
    failure.errno = error.errno.map(|errno| errno.raw_os_error());
    failure.exit_code = error.exit_code();
    failure
}

/// The sandbox's environment with the request's on top; of two values for one name the later holds.
fn environment(agent: &Agent, exec: &Exec, account: &Account) -> Vec<Vec<u8>> {
    let mut all: Vec<(Vec<u8>, Vec<u8>)> = agent.place.environment(account, exec.pty.is_some());
    let given = agent.settings.env.iter().chain(&exec.env);
    for (name, value) in given {
        all.retain(|(known, _)| known != name.as_slice());
        all.push((name.to_vec(), value.to_vec()));
    }
    all.into_iter().map(|(name, value)| [name, value].join(&b'=')).collect()
}

fn streams(exec: &Exec, account: &Account) -> Result<(Theirs, Ours), Failure> {
    match exec.pty {
        Some(size) => {
            let pty = Pty::open(size.rows, size.columns, Some(account.credentials.uid))
                .map_err(|error| system("cannot open a terminal in the sandbox", error))?;
            if !exec.stdin {
                // As from /dev/null, the end is all that a read gets.
                let _ = rustix::io::write(&pty.master, &[END_OF_TRANSMISSION]);
            }
            let again = |fd: &OwnedFd| fd.try_clone().map_err(|error| system("cannot share a terminal", error));
            let theirs = Theirs { stdin: again(&pty.slave)?, stdout: again(&pty.slave)?, stderr: pty.slave };
            let (input, terminal) = (Some(again(&pty.master)?), Some(again(&pty.master)?));
            Ok((theirs, Ours { input, stdout: pty.master, stderr: None, terminal }))
        }
        None => pipes(exec),
    }
}

fn pipes(exec: &Exec) -> Result<(Theirs, Ours), Failure> {
    let pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(|errno| system("cannot open a pipe", errno));
    let (stdin, input) = match exec.stdin {
        true => pipe().map(|(theirs, ours)| (theirs, Some(ours)))?,
        false => (null()?, None),
    };
    let (stdout, their_stdout) = pipe()?;
    let (stderr, their_stderr) = match exec.merge_stderr {
        true => (None, their_stdout.try_clone().map_err(|error| system("cannot share a pipe", error))?),
        false => pipe().map(|(ours, theirs)| (Some(ours), theirs))?,
    };
    Ok((Theirs { stdin, stdout: their_stdout, stderr: their_stderr }, Ours { input, stdout, stderr, terminal: None }))
}

fn null() -> Result<OwnedFd, Failure> {
    open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
        .map_err(|errno| system("cannot open /dev/null in the sandbox", errno))
}

fn watched(fd: OwnedFd, interest: Interest) -> Result<AsyncFd<OwnedFd>, Failure> {
    fcntl_setfl(&fd, OFlags::NONBLOCK).map_err(|errno| system("cannot watch a stream", errno))?;
    register(fd, interest)
}

/// Watches a descriptor for as long as its owner lives. Only for what is of interest: the rest would wake the agent for
/// nothing.
#[allow(unsafe_code, reason = "the compiler cannot tell that an owner keeps its descriptor open")]
fn register<T: AsRawFd + AsFd>(owner: T, interest: Interest) -> Result<AsyncFd<T>, Failure> {
    // SAFETY: only streams and trees are passed here; both own one descriptor, never replace it, and are moved into the result.
    let registered = unsafe { AsyncFd::register_with_interest(owner, interest) };
    registered.map_err(|error| system("cannot watch a stream", error))
}

fn pump(
    place: &Place,
    exec: &Exec,
    source: OwnedFd,
    kind: Kind,
    log: &Arc<Log>,
    owner: (u32, u32),
    sink: Option<Sink>,
) -> Result<Pump, Failure> {
    let suffix = if kind == Kind::Stdout { "stdout" } else { "stderr" };
    let spill = exec.output.spill.as_ref().map(|directory| {
        let directory = if directory.is_empty() { place.temporary().to_owned() } else { place.resolve(directory) };
        let path = directory.join(format!("{}.{suffix}", exec.id));
        Spill::new(path, owner)
    });
    let sanitize = if exec.pty.is_some() { Sanitize::Raw } else { exec.output.sanitize };
    Ok(Pump {
        source: watched(source, Interest::READABLE)?,
        kind,
        log: log.clone(),
        filter: Filter::new(sanitize),
        spill,
        sink,
    })
}
