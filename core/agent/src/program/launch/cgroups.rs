//! The cgroups of a sandbox: entered before it goes on, handed over for its commands, removed at its end.

use super::failure::{At, Outcome, note, shown};
use super::tree::Tree;
use isobox_wire::launch::{Cgroups, LaunchConfig, LaunchStep, MemoryFiles};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, unlinkat};
use rustix::io::{Errno, read, write};
use rustix::process::Pid;
use rustix::thread::{NanosleepRelativeResult, Timespec, nanosleep};

/// How often a cgroup is tried that is not empty yet, and how long apart: half a second.
const ATTEMPTS: usize = 500;
const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };

/// What an agent gets of the cgroups.
#[derive(Default)]
pub(crate) struct Granted {
    /// What commands are born in; `..` does not lead out of it.
    pub(crate) commands: Option<OwnedFd>,
    /// What each command writes itself into, at most three.
    pub(crate) joined: Vec<OwnedFd>,
    /// The account of processes that were killed for want of memory.
    pub(crate) events: Option<OwnedFd>,
    /// What freezes the commands.
    pub(crate) freezer: Option<OwnedFd>,
}

impl Granted {
    pub(super) fn open(config: &LaunchConfig) -> Outcome<Self> {
        let groups = &config.cgroups;
        let commands = groups.commands.as_deref().map(|path| {
            let tree = Tree::clone_of(CWD, path, false).map(OwnedFd::from);
            tree.at(LaunchStep::Cgroup, || format!("cannot open the cgroup {}", shown(path)))
        });
        let joined = groups.joined.iter().map(|path| file(&procs(path), OFlags::WRONLY));
        let events = groups.memory.as_ref().map(|memory| file(&memory.events, OFlags::RDONLY));
        let freezer = freezer(config).map(|path| file(&path, OFlags::WRONLY));
        Ok(Self {
            commands: commands.transpose()?,
            joined: joined.collect::<Outcome<_>>()?,
            events: events.transpose()?,
            freezer: freezer.transpose()?,
        })
    }

    pub(super) fn descriptors(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.commands.iter().chain(&self.joined).chain(&self.events).chain(&self.freezer).map(AsFd::as_fd)
    }

    pub(super) fn count(config: &LaunchConfig) -> usize {
        let groups = &config.cgroups;
        let one = [groups.commands.is_some(), groups.memory.is_some(), freezer(config).is_some()];
        groups.joined.len() + one.into_iter().map(usize::from).sum::<usize>()
    }

    pub(super) fn received(config: &LaunchConfig, all: &mut impl Iterator<Item = OwnedFd>) -> Self {
        let groups = &config.cgroups;
        let commands = groups.commands.as_ref().and_then(|_| all.next());
        let joined = all.by_ref().take(groups.joined.len()).collect();
        let events = groups.memory.as_ref().and_then(|_| all.next());
        Self { commands, joined, events, freezer: all.next() }
    }
}

/// Puts the sandbox into its v1 cgroups.
pub(super) fn enter(groups: &Cgroups, sandbox: Pid) -> Outcome {
    groups.entered.iter().try_for_each(|path| {
        let file = file(&procs(path), OFlags::WRONLY)?;
        let entered = write(file, sandbox.to_string().as_bytes());
        entered.map(drop).at(LaunchStep::Cgroup, || format!("cannot enter the cgroup {}", shown(path)))
    })
}

/// Whether the limit of memory has killed the sandbox's first process; what it was is said in the log.
pub(super) fn ran_out(memory: &MemoryFiles) -> bool {
    let text = |path: &[u8]| contents(path).unwrap_or_default();
    let killed = text(&memory.own_events).lines().any(|line| line.strip_prefix("oom_kill ").is_some_and(|n| n != "0"));
    if killed {
        note(&format!("out of memory: limit {} peak {}", text(&memory.limit).trim(), text(&memory.peak).trim()));
    }
    killed
}

/// Removes what a dead sandbox leaves. The last of its processes may not be gone entirely yet.
pub(super) fn remove(groups: &Cgroups) {
    for path in &groups.removed {
        if let Err(errno) = remove_tree(CWD, path) {
            note(&format!("cannot remove the cgroup {}: {errno}", shown(path)));
        }
    }
}

fn remove_tree(parent: impl AsFd, path: &[u8]) -> Result<(), Errno> {
    let parent = parent.as_fd();
    for _ in 0..ATTEMPTS {
        match unlinkat(parent, path, AtFlags::REMOVEDIR) {
            Err(Errno::BUSY | Errno::NOTEMPTY) => {}
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            Err(errno) => return Err(errno),
        }
        let directory = openat(parent, path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let below = Dir::read_from(&directory)?.flatten().filter(|entry| entry.file_type() == FileType::Directory);
        let below = below.filter(|entry| !entry.file_name().to_bytes().starts_with(b"."));
        for entry in below {
            // What it leaves shows when this is tried again.
            let _ = remove_tree(&directory, entry.file_name().to_bytes());
        }
        let NanosleepRelativeResult::Ok = nanosleep(&PAUSE) else { continue };
    }
    Err(Errno::BUSY)
}

fn freezer(config: &LaunchConfig) -> Option<Vec<u8>> {
    let commands = config.cgroups.commands.as_ref().filter(|_| config.pauses)?;
    Some([commands, &b"/cgroup.freeze"[..]].concat())
}

fn procs(path: &[u8]) -> Vec<u8> {
    [path, b"/cgroup.procs"].concat()
}

fn file(path: &[u8], flags: OFlags) -> Outcome<OwnedFd> {
    openat(CWD, path, flags | OFlags::CLOEXEC, Mode::empty())
        .at(LaunchStep::Cgroup, || format!("cannot open {}", shown(path)))
}

fn contents(path: &[u8]) -> Option<String> {
    let mut buffer = [0; 512];
    let length = read(file(path, OFlags::RDONLY).ok()?, &mut buffer).ok()?;
    std::str::from_utf8(&buffer[..length]).ok().map(str::to_owned)
}
