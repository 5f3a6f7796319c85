//! The sandbox's side of a launch: from a fresh clone of the keeper to the agent in a finished place.

use super::call;
use super::cgroups::Granted;
use super::connection::Connection;
use super::failure::{At, Outcome, refused};
use super::grants::{Grants, wait_for_leave};
use super::maps::write_maps;
use super::tree::{FsOption, PLAIN, Tree};
use super::{binds, devices, directory, filter, host, kernel, network, privileges, ranges, read_only};
use isobox_wire::launch::{DISK_NAME, Disk, LaunchConfig, LaunchReport, LaunchStep, RootFs};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use rustix::fs::{CWD, Gid, Mode, OFlags, Uid, openat};
use rustix::io::Errno;
use rustix::mount::{MountPropagationFlags, UnmountFlags, mount_change, unmount};
use rustix::process::{Signal, fchdir, pivot_root, set_parent_process_death_signal, setsid, umask};
use rustix::thread::{UnshareFlags, set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use std::process::ExitCode;

/// The exit code of a sandbox that could not be completed.
pub(super) const NEVER_WAS: u8 = 2;

/// What the agent finds when the sandbox is complete. Nothing else is open but the log, as descriptors 1 and 2.
pub(crate) struct Place {
    /// The stream to the library, which speaks the agent's protocol from here on.
    pub(crate) connection: OwnedFd,
    /// The listening socket for more connections.
    pub(crate) listener: OwnedFd,
    /// The cgroups of its commands, as far as there are some.
    pub(crate) cgroups: Granted,
    /// The agent's settings as the library sent them.
    pub(crate) settings: Vec<u8>,
}

/// What a sandbox inherits from its keeper.
pub(super) struct Entry {
    pub(super) listener: OwnedFd,
    pub(super) keeper: OwnedFd,
    /// Where a sandbox waits for its ids, and as root for what it is given.
    pub(super) grants: Option<OwnedFd>,
    /// The mount for its layers.
    pub(super) disk: Option<OwnedFd>,
}

/// Completes the sandbox, reports, and serves.
pub(super) fn run(
    connection: Connection,
    config: LaunchConfig,
    entry: Entry,
    serve: fn(Place) -> ExitCode,
) -> ExitCode {
    let built = build(&config, entry);
    let report = match &built {
        Ok(built) => LaunchReport::Ready { pid: built.pid },
        Err(failure) => LaunchReport::Failed(failure.clone()),
    };
    let reported = connection.report(&report);
    let (Ok(built), Ok(()), Ok(connection)) = (built, reported, connection.into_stream()) else {
        return ExitCode::from(NEVER_WAS);
    };
    serve(Place { connection, listener: built.listener, cgroups: built.cgroups, settings: config.agent })
}

struct Built {
    pid: u32,
    listener: OwnedFd,
    cgroups: Granted,
}

fn build(config: &LaunchConfig, entry: Entry) -> Outcome<Built> {
    let Entry { listener, keeper, grants, disk } = entry;
    // Modes are given where things are made.
    umask(Mode::empty());
    if let Some(socket) = grants.as_ref().filter(|_| !config.cgroups.entered.is_empty()) {
        wait_for_leave(socket.as_fd())?;
    }
    separate(config)?;
    let grants = take_ids(config, grants)?;
    tie_to(&keeper)?;
    let Grants { lower, mounts, cgroups } = grants;
    enter_disk(config.disk, disk)?;
    let root = match &config.root {
        RootFs::Host | RootFs::HostLayers { .. } => host::mount(&lower, config)?,
        RootFs::Directory(_) | RootFs::Layers { .. } => directory::mount(&lower, config)?,
    };
    drop(lower);
    kernel::mount_proc(root.as_fd(), config)?;
    kernel::mount_sys(root.as_fd())?;
    devices::mount(root.as_fd(), config)?;
    let own = config.confinement.read_only_root.then(|| read_only::places(root.as_fd(), config)).transpose()?;
    binds::mount(root.as_fd(), config, mounts)?;
    read_only::close(own)?;
    let pid = own_pid()?;
    change_root(root.as_fd())?;
    umask(Mode::WGRP | Mode::WOTH);
    privileges::reduce().at(LaunchStep::Privileges, || "cannot drop privileges".into())?;
    drop((root, keeper));
    close_rest(&listener, &cgroups).at(LaunchStep::Privileges, || "cannot close descriptors".into())?;
    if let Some(program) = &config.confinement.system_calls {
        filter::install(program)?;
    }
    Ok(Built { pid, listener, cgroups })
}

/// Changes into where the layers are going to be. A filesystem of its own is mounted there, which nobody outside sees.
fn enter_disk(disk: Disk, sent: Option<OwnedFd>) -> Outcome {
    let tree = match (disk, sent) {
        (Disk::Directory, _) => return Ok(()),
        (Disk::Project(_), _) => {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let entered = openat(CWD, DISK_NAME, flags, Mode::empty()).and_then(fchdir);
            return entered.at(LaunchStep::StateDirectory, || "cannot enter the directory for the layer".into());
        }
        (Disk::Memory(size), _) => {
            let options = [FsOption::Value(c"size", &size.to_string()), FsOption::Value(c"mode", "700")];
            Tree::new(c"tmpfs", &options, PLAIN)
        }
        (Disk::Sent, sent) => sent.map(Tree::received).ok_or(Errno::BADF),
    };
    let covered = tree.and_then(|tree| {
        tree.attach(CWD, c".")?;
        fchdir(&tree)
    });
    covered.at(LaunchStep::StateDirectory, || "cannot mount the disk for the layer".into())
}

/// What needs neither ids nor files, and so runs while the keeper writes the id maps.
fn separate(config: &LaunchConfig) -> Outcome {
    setsid().at(LaunchStep::Internal, || "cannot make a session".into())?;
    unshare_cgroups().at(LaunchStep::Namespaces, || "cannot make a cgroup namespace".into())?;
    mount_change(c"/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .at(LaunchStep::PivotRoot, || "cannot make the mounts private".into())?;
    rustix::system::sethostname(config.hostname.as_bytes())
        .at(LaunchStep::Hostname, || "cannot set the host name".into())?;
    network::raise_loopback().at(LaunchStep::Network, || "cannot bring the loopback interface up".into())
}

#[allow(unsafe_code, reason = "rustix marks all of unshare unsafe for the sake of CLONE_FILES")]
fn unshare_cgroups() -> rustix::io::Result<()> {
    // SAFETY: descriptors stay shared; nothing but the view of cgroups changes.
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWCGROUP) }
}

/// Becomes root of the user namespace and opens, or is given, what the sandbox gets of the host.
fn take_ids(config: &LaunchConfig, socket: Option<OwnedFd>) -> Outcome<Grants> {
    let Some(socket) = socket else {
        write_maps("/proc/self", config, false)?;
        return Grants::open_here(config);
    };
    let helped = config.id_helpers.is_some();
    let received = if helped {
        ranges::wait_for(socket.as_fd()).map(|()| None)
    } else {
        Grants::receive(socket.as_fd(), config).map(Some)
    };
    let received = received?;
    let root = || {
        set_thread_res_gid(Gid::ROOT, Gid::ROOT, Gid::ROOT)?;
        set_thread_groups(&[])?;
        set_thread_res_uid(Uid::ROOT, Uid::ROOT, Uid::ROOT)
    };
    root().at(LaunchStep::IdMap, || "cannot become the sandbox's root".into())?;
    received.map_or_else(|| Grants::open_here(config), Ok)
}

/// Ends this process, and with it the sandbox, when the keeper ends. The kernel forgets this with a change of ids.
fn tie_to(keeper: &OwnedFd) -> Outcome {
    let tied = set_parent_process_death_signal(Some(Signal::KILL)).and_then(|()| {
        let mut events = [PollFd::new(keeper, PollFlags::IN)];
        poll(&mut events, Some(&Timespec::default()))
    });
    match tied.at(LaunchStep::Internal, || "cannot be tied to the launcher".into())? {
        0 => Ok(()),
        _ => Err(refused(LaunchStep::Internal, "the launcher is gone".into(), "try again")),
    }
}

/// This process in the caller's process namespace, which is the one of the `/proc` that is about to go.
fn own_pid() -> Outcome<u32> {
    let link = rustix::fs::readlinkat(CWD, c"/proc/self", [0; 16]);
    let link = link.at(LaunchStep::Proc, || "cannot read /proc/self".into())?;
    let pid = link.to_str().ok().and_then(|text| text.parse().ok());
    pid.ok_or_else(|| {
        refused(LaunchStep::Proc, "/proc/self names no process".into(), "mount procfs at /proc on the host")
    })
}

/// Makes `root` the root and lets go of everything that was mounted before.
fn change_root(root: BorrowedFd<'_>) -> Outcome {
    let change = || {
        fchdir(root)?;
        // The old root lands on top of the new one, where one unmount takes it away.
        pivot_root(c".", c".")?;
        unmount(c".", UnmountFlags::DETACH)?;
        rustix::process::chdir(c"/")
    };
    change().at(LaunchStep::PivotRoot, || "cannot change into the new root".into())
}

/// Closes whatever else is open, should anything have been forgotten.
fn close_rest(listener: &OwnedFd, cgroups: &Granted) -> rustix::io::Result<()> {
    let given = cgroups.descriptors().map(|given| given.as_raw_fd());
    let mut kept: Vec<_> = given.chain([listener.as_raw_fd()]).collect();
    kept.sort_unstable();
    let mut first = 3;
    for descriptor in kept {
        call::close_range(first, descriptor - 1)?;
        first = descriptor + 1;
    }
    call::close_from(first)
}
