//! The keeper: stays on the host, waits for the sandbox to end, and removes what it leaves.

use super::call::{self, Cloned, Signals, clone_process};
use super::cgroups;
use super::check::check;
use super::connection::{Connection, NoConfig};
use super::failure::{At, Outcome, failed, shown};
use super::grants::{Grants, let_go_on};
use super::hint;
use super::hold::Hold;
use super::inside::{self, Entry, Place};
use super::maps::{outside, write_maps};
use super::ranges;
use super::state::StateDirectory;
use isobox_wire::launch::{Disk, LaunchConfig, LaunchFailure, LaunchReport, LaunchStep};
use isobox_wire::settings::ended;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{CWD, Gid, Mode, OFlags, Uid, openat};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getegid, geteuid, getpid, pidfd_open, pidfd_send_signal, setsid,
    umask, waitid,
};
use std::process::ExitCode;

/// What a sandbox is born into. The cgroup namespace is its own doing, so that its root is the cgroup it was put in.
const NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS;

/// What the keeper does something about: USR1 lets the sandbox be held still, USR2 stops it, and the others end it.
const SIGNALS: [libc::c_int; 5] = [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGUSR1, libc::SIGUSR2];

/// Runs the launcher on descriptor 0. Returns in both processes: in the sandbox after `serve` has returned, in the
/// keeper after everything is removed, with the sandbox's exit code, 128 and the signal that ended it,
/// [`ended::OUT_OF_MEMORY`], or 1 when it never was.
pub(crate) fn run(serve: fn(Place) -> ExitCode) -> ExitCode {
    umask(Mode::WGRP | Mode::WOTH);
    let connection = Connection::inherited();
    // What a careless caller let through would stay open as long as the sandbox lives. A failure changes only that.
    let _ = call::join_outputs().and_then(|()| call::close_from(3));
    let (config, launched, disk) = match connection.read_config() {
        Ok(config) => config,
        Err(NoConfig::Closed) => return ExitCode::FAILURE,
        Err(NoConfig::Bad(failure)) => return fail(&connection, failure),
    };
    let (user, group) = (geteuid(), getegid());
    hint::remember(user.is_root());
    if let Err(failure) = check(&config, user.as_raw(), group.as_raw()) {
        return fail(&connection, failure);
    }
    // It is a session leader already when the library spawned it as one.
    let _ = setsid();
    launch(connection, Asked { config, launched, disk }, serve)
}

/// What the library asks for.
struct Asked {
    config: LaunchConfig,
    /// The config as it came.
    launched: Vec<u8>,
    /// The mount for the layers that came with it.
    disk: Option<OwnedFd>,
}

fn launch(connection: Connection, asked: Asked, serve: fn(Place) -> ExitCode) -> ExitCode {
    let Asked { config, launched, disk } = asked;
    let root = geteuid().is_root();
    let signals = match Signals::block(&SIGNALS).at(LaunchStep::Internal, || "cannot take signals".into()) {
        Ok(signals) => signals,
        Err(failure) => return fail(&connection, failure),
    };
    let state = match config.again {
        true => StateDirectory::again(&config.state_dir),
        false => StateDirectory::create(&config.state_dir, root.then(|| mapped_root(&config))),
    };
    let state = state.and_then(|state| match config.disk {
        Disk::Project(number) => state.in_project(number, (!config.again).then(|| mapped_root(&config))),
        _ => Ok(state),
    });
    let state = match state {
        Ok(state) => state,
        Err(failure) => return fail(&connection, failure),
    };
    match start(&state, &config, root, disk) {
        Ok(Started::Sandbox(entry)) => {
            drop((state, launched, signals.restore()));
            inside::run(connection, config, entry, serve)
        }
        Ok(Started::Keeper(sandbox)) => {
            keep(connection, Kept { config, launched, state }, &signals.descriptor, sandbox)
        }
        Err(failure) => {
            state.settle(config.again, &launched, config.keep);
            cgroups::remove(&config.cgroups);
            fail(&connection, failure)
        }
    }
}

enum Started {
    Keeper(Sandbox),
    Sandbox(Entry),
}

/// The sandbox as its keeper knows it.
struct Sandbox {
    pid: Pid,
    pidfd: OwnedFd,
    /// Where a sandbox waits for its ids, and as root for what it is given.
    grants: Option<OwnedFd>,
}

fn start(state: &StateDirectory, config: &LaunchConfig, root: bool, disk: Option<OwnedFd>) -> Outcome<Started> {
    let internal = |errno| failed(LaunchStep::Internal, errno, "cannot prepare the launch");
    let listener = state.listen()?;
    let keeper = pidfd_open(getpid(), PidfdFlags::empty()).map_err(internal)?;
    let pair = if root || config.id_helpers.is_some() {
        Some(socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None).map_err(internal)?)
    } else {
        None
    };
    let cgroup = config.cgroups.born_in.as_deref().map(open_cgroup).transpose()?;
    let cloned = clone_process(NAMESPACES as u64, cgroup.as_ref().map(AsFd::as_fd)).map_err(|errno| {
        let step = if cgroup.is_some() { refused_by(errno) } else { LaunchStep::Namespaces };
        failed(step, errno, "cannot make the sandbox's namespaces")
    })?;
    let (ours, theirs) = pair.unzip();
    Ok(match cloned {
        Cloned::Parent(pid, pidfd) => Started::Keeper(Sandbox { pid, pidfd, grants: ours }),
        Cloned::Child => Started::Sandbox(Entry { listener, keeper, grants: theirs, disk }),
    })
}

/// What a clone into a cgroup failed at: these are the errors of moving a process into one (cgroups(7)), all others those
/// of the namespaces (clone(2)).
fn refused_by(errno: Errno) -> LaunchStep {
    match errno {
        Errno::ACCESS | Errno::BUSY | Errno::OPNOTSUPP | Errno::NOENT | Errno::NODEV => LaunchStep::Cgroup,
        _ => LaunchStep::Namespaces,
    }
}

fn open_cgroup(path: &[u8]) -> Outcome<OwnedFd> {
    openat(CWD, path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .at(LaunchStep::Cgroup, || format!("cannot open the cgroup {}", shown(path)))
}

/// What a keeper keeps.
struct Kept {
    config: LaunchConfig,
    /// The config as it came.
    launched: Vec<u8>,
    state: StateDirectory,
}

impl Kept {
    /// Removes what the sandbox leaves, or keeps it if it was told to stop, or if an end with this code is a stop.
    fn settle(&self, code: ExitCode, told: bool) {
        let stops = |stop: &u8| code == ExitCode::from(*stop);
        let never_was = self.config.again && stops(&inside::NEVER_WAS);
        let stopped = told || never_was || self.config.stop_after.iter().any(stops);
        self.state.settle(stopped, &self.launched, self.config.keep);
        cgroups::remove(&self.config.cgroups);
    }
}

/// Gives the sandbox what it cannot take itself, then waits for its end.
fn keep(connection: Connection, kept: Kept, signals: &OwnedFd, sandbox: Sandbox) -> ExitCode {
    let Sandbox { pid, pidfd, grants } = sandbox;
    // The socket stays open until a sandbox that waits on it is dead: it would report the end of the socket as the failure.
    let granted = grants.as_ref().map_or(Ok(None), |grants| grant(pid, &kept.config, grants));
    let namespace = match granted {
        Ok(namespace) => namespace,
        Err(failure) => {
            end(&pidfd);
            kept.settle(ExitCode::from(inside::NEVER_WAS), false);
            return fail(&connection, failure);
        }
    };
    drop((connection, grants));
    if kept.config.again {
        kept.state.forget_stop();
    }
    // Comes after everything that may be reported, and is only a name.
    let _ = rustix::thread::set_name(c"isobox-keeper");
    let told = wait(&pidfd, signals, &kept);
    let mut code = end(&pidfd);
    let killed = code == ExitCode::from(128 + libc::SIGKILL as u8) && told.is_none();
    if killed && kept.config.cgroups.memory.as_ref().is_some_and(cgroups::ran_out) {
        code = ExitCode::from(ended::OUT_OF_MEMORY);
    }
    if let Some(namespace) = namespace {
        ranges::enter(namespace.as_fd());
    }
    kept.settle(code, told == Some(libc::SIGUSR2));
    code
}

/// The answer is the sandbox's user namespace, when there are files in it that only its root can remove.
fn grant(pid: Pid, config: &LaunchConfig, socket: &OwnedFd) -> Outcome<Option<OwnedFd>> {
    if !config.cgroups.entered.is_empty() {
        cgroups::enter(&config.cgroups, pid)?;
        let_go_on(socket.as_fd())?;
    }
    if let Some(helpers) = &config.id_helpers {
        let namespace = ranges::write(pid, helpers, &config.uid_map, &config.gid_map)?;
        ranges::announce(socket.as_fd());
        return Ok(Some(namespace));
    }
    let process = format!("/proc/{pid}");
    write_maps(&process, config, true)?;
    let namespace = openat(CWD, format!("{process}/ns/user"), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
    let namespace = namespace.at(LaunchStep::IdMap, || "cannot open the sandbox's user namespace".into())?;
    let grants = Grants::open_for(config, namespace.as_fd())?;
    // A sandbox that failed in the meantime has reported that itself.
    let _ = grants.send(socket.as_fd());
    Ok(None)
}

/// Waits for the sandbox to end, or for a signal to end it, which is the answer.
fn wait(sandbox: &OwnedFd, signals: &OwnedFd, kept: &Kept) -> Option<libc::c_int> {
    let mut hold: Option<Hold> = None;
    loop {
        let mut events = vec![PollFd::new(sandbox, PollFlags::IN), PollFd::new(signals, PollFlags::IN)];
        events.extend(hold.as_ref().map(|hold| PollFd::new(&hold.fifo, PollFlags::IN)));
        // Only a signal handler could interrupt the call, and there is none.
        let _ = retry_on_intr(|| poll(&mut events, None));
        let happened = |index: usize| events.get(index).is_some_and(|event| !event.revents().is_empty());
        let (ended, signalled, told) = (happened(0), happened(1), happened(2));
        let signal = if signalled { call::next_signal(signals) } else { None };
        match signal {
            Some(libc::SIGUSR1) | None if !ended => {}
            Some(libc::SIGUSR1) | None => return None,
            Some(signal) => return Some(signal),
        }
        if signalled {
            hold = Hold::take(kept.state.directory(), kept.config.cgroups.born_in.as_deref());
        }
        if (told || signalled) && !hold.as_mut().is_some_and(Hold::goes_on) {
            hold = None;
        }
    }
}

/// Kills the sandbox, dead or alive, and waits for its end, which is the end of all its processes.
fn end(sandbox: &OwnedFd) -> ExitCode {
    // Without effect on one that is dead already.
    let _ = pidfd_send_signal(sandbox, Signal::KILL);
    let status = retry_on_intr(|| waitid(WaitId::PidFd(sandbox.as_fd()), WaitIdOptions::EXITED));
    let Ok(Some(status)) = status else { return ExitCode::FAILURE };
    let code = status.exit_status().or_else(|| status.terminating_signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}

fn fail(connection: &Connection, failure: LaunchFailure) -> ExitCode {
    // With nobody to tell there is nothing to do but end.
    let _ = connection.report(&LaunchReport::Failed(failure));
    ExitCode::FAILURE
}

fn mapped_root(config: &LaunchConfig) -> (Uid, Gid) {
    let root = |map| outside(map, 0).expect("the maps were checked");
    (Uid::from_raw(root(&config.uid_map)), Gid::from_raw(root(&config.gid_map)))
}
