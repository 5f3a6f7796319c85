//! The cgroups of one sandbox.
//!
//! They are made before the sandbox, which is born in them, and outlive it until somebody removes them.

use crate::files::{make, move_all, read, write};
use crate::layout::{Controller, Layout, Place, Unified};
use crate::limits::{Limits, PERIOD, quota};
use crate::obstacle::Obstacle;
use crate::{PARENT, legacy, remove};
use rustix::fs::{FlockOperation, Gid, Mode, OFlags, Uid};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Why the cgroups of a sandbox cannot be as they are wanted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A limit cannot be enforced here.
    #[error("{obstacle}")]
    Limit {
        /// What would have enforced it.
        controller: Controller,
        /// Why it cannot.
        obstacle: Obstacle,
    },
    /// The sandbox was made without this limit, which here cannot be added later.
    #[error(
        "the sandbox was made without this limit, and in a hierarchy of cgroup v1 it cannot be added: give it when the \
         sandbox is made"
    )]
    Late(Controller),
    /// More is in use than the new limit allows.
    #[error("more than the new limit is in use")]
    InUse(Controller),
    /// A file of a cgroup cannot be used.
    #[error("cannot use {}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Error {
    pub(crate) fn file(path: &Path, source: io::Error) -> Self {
        Self::File { path: path.into(), source }
    }

    /// The system's error number, where a file could not be used.
    pub fn errno(&self) -> Option<Errno> {
        match self {
            Self::File { source, .. } => source.raw_os_error().map(Errno::from_raw_os_error),
            _ => None,
        }
    }

    pub(crate) fn is_missing(&self) -> bool {
        self.errno() == Some(Errno::NOENT)
    }
}

/// The cgroups of one sandbox. It can be kept in a record and used from another process; dropping it does nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The directory in the v2 hierarchy.
    pub(crate) unified: Option<PathBuf>,
    /// What that hierarchy can limit.
    pub(crate) controllers: Vec<Controller>,
    /// The directories in v1 hierarchies.
    pub(crate) legacy: Vec<(Controller, PathBuf)>,
    pub(crate) limits: Limits,
    /// The user and group of what isobox runs in it, when they are others than the caller's.
    owner: Option<(u32, u32)>,
}

/// While it lives, the cgroups that were just made are not taken for somebody's left over ones.
#[derive(Debug)]
pub struct Birth {
    _lock: Option<OwnedFd>,
}

impl Group {
    /// Makes what the limits need and, where there is a v2 hierarchy, what freezing needs; nothing when there is neither.
    /// `owner` is the user of what isobox runs in the sandbox, when that is another one than the caller.
    ///
    /// # Errors
    /// [`Error::Limit`] for a limit that cannot be enforced here; then nothing is made. [`Error::File`] when the machine
    /// refuses what it seemed to offer; then nothing is left.
    pub fn create(
        layout: &Layout,
        name: &str,
        limits: Limits,
        owner: Option<(u32, u32)>,
    ) -> Result<(Option<Self>, Birth), Error> {
        let mut group = Self { unified: None, controllers: Vec::new(), legacy: Vec::new(), limits, owner };
        for controller in limits.needs() {
            match layout.of(controller) {
                Ok(Place::Unified) => {}
                Ok(Place::Legacy(mount)) => group.legacy.push((controller, mount.join(PARENT).join(name))),
                Err(obstacle) => return Err(Error::Limit { controller, obstacle: obstacle.clone() }),
            }
        }
        if let Ok(unified) = &layout.unified {
            group.unified = Some(unified.parent.join(PARENT).join(name));
            group.controllers.clone_from(&unified.controllers);
        }
        let Some(first) = group.unified.iter().chain(group.legacy.iter().map(|(_, path)| path)).next() else {
            return Ok((None, Birth { _lock: None }));
        };
        let birth = birth(layout, first)?;
        match group.make(layout) {
            Ok(()) => Ok((Some(group), birth)),
            Err(error) => {
                group.remove();
                Err(error)
            }
        }
    }

    fn make(&self, layout: &Layout) -> Result<(), Error> {
        if let (Some(path), Ok(unified)) = (&self.unified, &layout.unified) {
            let made = self.make_unified(path);
            if made.as_ref().is_err_and(Error::is_missing) {
                prepare(unified)?;
                self.make_unified(path)?;
            } else {
                made?;
            }
        }
        for (_, path) in &self.legacy {
            let made = make(path);
            if made.as_ref().is_err_and(Error::is_missing) {
                // The first one here since the machine started, or since somebody tidied up.
                make(path.parent().unwrap_or(path))?;
                make(path)?;
            } else {
                made?;
            }
            make(&path.join(COMMANDS))?;
        }
        self.apply(&self.limits)
    }

    fn make_unified(&self, path: &Path) -> Result<(), Error> {
        let commands = path.join(COMMANDS);
        make(path)?;
        make(&commands)?;
        // What a process is moved by has to be writable in both and above them.
        for directory in [path, &commands] {
            if let Some((user, group)) = self.owner {
                let file = directory.join("cgroup.procs");
                let ids = (Some(Uid::from_raw(user)), Some(Gid::from_raw(group)));
                rustix::fs::chown(&file, ids.0, ids.1).map_err(|errno| Error::file(&file, errno.into()))?;
            }
        }
        // With the controllers it has: a parent that somebody made and did not finish.
        match self.limits.needs().into_iter().find(|needed| self.controllers.contains(needed)) {
            Some(needed) => read(&path.join(file_of(needed))).map(drop),
            None => Ok(()),
        }
    }

    /// Completes it once the sandbox is there and before anything runs in it.
    ///
    /// # Errors
    /// [`Error::File`] when a limit cannot be set.
    pub fn settle(&self) -> Result<(), Error> {
        let Some(path) = &self.unified else { return Ok(()) };
        let needed: Vec<_> =
            self.limits.needs().into_iter().filter(|needed| self.in_legacy(*needed).is_none()).collect();
        if needed.is_empty() {
            return Ok(());
        }
        divide(path, &needed)?;
        let commands = path.join(COMMANDS);
        needed.into_iter().try_for_each(|controller| limit(&commands, controller, &self.limits))
    }

    /// Changes limits; those that are left out stay as they are.
    ///
    /// # Errors
    /// [`Error::Limit`] and [`Error::Late`] for what cannot be enforced, before anything is changed. [`Error::InUse`]
    /// when more memory is used than would be allowed.
    pub fn resize(&mut self, layout: &Layout, limits: &Limits) -> Result<(), Error> {
        for controller in limits.needs() {
            if let Err(obstacle) = layout.of(controller) {
                return Err(Error::Limit { controller, obstacle: obstacle.clone() });
            }
            if !self.controllers.contains(&controller) && self.in_legacy(controller).is_none() {
                return Err(Error::Late(controller));
            }
        }
        if let Some(memory) = limits.memory
            && self.unreclaimable().is_some_and(|used| used > memory)
        {
            return Err(Error::InUse(Controller::Memory));
        }
        self.apply(limits)?;
        let merged = Limits {
            cpu_millis: limits.cpu_millis.or(self.limits.cpu_millis),
            memory: limits.memory.or(self.limits.memory),
            pids: limits.pids.or(self.limits.pids),
        };
        self.limits = merged;
        self.settle()
    }

    /// Whom it was made for, as [`create`](Self::create) was told.
    pub fn owner(&self) -> Option<(u32, u32)> {
        self.owner
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Sets everything but what [`settle`](Self::settle) does. What isobox runs in the sandbox is beside the limits of
    /// commands, and in looser ones around both: should it be taken over, it cannot take the machine.
    fn apply(&self, limits: &Limits) -> Result<(), Error> {
        let around = limits.around();
        for controller in limits.needs() {
            match self.in_legacy(controller) {
                Some(path) => {
                    legacy::limit(&path.join(COMMANDS), controller, limits)?;
                    legacy::limit(path, controller, &around)?;
                }
                None => limit(self.own(), controller, &around)?,
            }
        }
        Ok(())
    }

    /// What the kernel cannot take back by dropping caches.
    fn unreclaimable(&self) -> Option<u64> {
        let stat = read(&self.commands_in(Controller::Memory)?.join("memory.stat")).ok()?;
        let part = |names: [&str; 2]| names.into_iter().find_map(|name| crate::parse::value(&stat, name)).unwrap_or(0);
        Some(part(["total_rss", "anon"]) + part(["total_shmem", "shmem"]))
    }

    /// Where a controller counts what commands use.
    pub(crate) fn commands_in(&self, controller: Controller) -> Option<PathBuf> {
        self.in_legacy(controller).map(|path| path.join(COMMANDS)).or_else(|| self.commands())
    }

    pub(crate) fn in_legacy(&self, controller: Controller) -> Option<&Path> {
        self.legacy.iter().find(|(of, _)| *of == controller).map(|(_, path)| path.as_path())
    }

    pub(crate) fn own(&self) -> &Path {
        self.unified.as_deref().unwrap_or(Path::new("/nonexistent"))
    }

    /// Removes it. It has to be empty, or about to be; what is left after a moment stays and is somebody's to sweep.
    /// The answer is whether everything is gone.
    pub fn remove(&self) -> bool {
        self.directories().iter().all(|path| remove::tree(path))
    }
}

/// Where the sandbox and its commands belong, for whoever starts them.
impl Group {
    /// The v2 cgroup that the sandbox is born in.
    pub fn born_in(&self) -> Option<&Path> {
        self.unified.as_deref()
    }

    /// The v1 cgroups that the sandbox enters before it goes on.
    pub fn entered(&self) -> Vec<&Path> {
        self.legacy.iter().map(|(_, path)| path.as_path()).collect()
    }

    /// The v2 cgroup that commands are born in.
    pub fn commands(&self) -> Option<PathBuf> {
        self.unified.as_ref().map(|path| path.join(COMMANDS))
    }

    /// The v1 cgroups that each command enters.
    pub fn joined(&self) -> Vec<PathBuf> {
        self.legacy.iter().map(|(_, path)| path.join(COMMANDS)).collect()
    }

    /// The files with a line `oom_kill N`, how many processes the limit of memory has killed: of commands, and of what
    /// isobox runs. A v1 cgroup counts for itself, a v2 cgroup with all below it, and those below are not there yet.
    pub fn oom_events(&self) -> Option<[PathBuf; 2]> {
        match (self.in_legacy(Controller::Memory), self.limits.memory) {
            (Some(path), _) => Some([path.join(COMMANDS), path.into()].map(|path| path.join("memory.oom_control"))),
            (None, Some(_)) => Some([self.own().into(), self.own().join(AGENT)].map(|path| path.join("memory.events"))),
            (None, None) => None,
        }
    }

    /// The files with the limit of memory and the highest use of the whole sandbox.
    pub fn memory_files(&self) -> Option<[PathBuf; 2]> {
        self.limits.memory?;
        let commands = self.commands_in(Controller::Memory)?;
        let [limit, peak] = match self.in_legacy(Controller::Memory) {
            Some(_) => ["memory.limit_in_bytes", "memory.max_usage_in_bytes"],
            None => ["memory.max", "memory.peak"],
        };
        // The limit is that of commands; what isobox uses for them, such as for files in memory, is around them.
        Some([commands.join(limit), commands.parent()?.join(peak)])
    }

    /// Every directory of it, children before their parents.
    pub fn directories(&self) -> Vec<PathBuf> {
        let unified = self.unified.iter().flat_map(|path| [path.join(COMMANDS), path.join(AGENT), path.clone()]);
        let legacy = self.legacy.iter().flat_map(|(_, path)| [path.join(COMMANDS), path.clone()]);
        unified.chain(legacy).collect()
    }
}

/// What commands run in.
pub(crate) const COMMANDS: &str = "commands";
/// What isobox runs in, when something is limited.
const AGENT: &str = "agent";

impl Limits {
    /// The controllers that enforce what is limited.
    pub(crate) fn needs(&self) -> Vec<Controller> {
        let given = [self.cpu_millis.is_some(), self.memory.is_some(), self.pids.is_some()];
        Controller::ALL.into_iter().zip(given).filter_map(|(controller, given)| given.then_some(controller)).collect()
    }
}

/// A file that is there exactly when a v2 cgroup has the controller.
fn file_of(controller: Controller) -> &'static str {
    match controller {
        Controller::Cpu => "cpu.max",
        Controller::Memory => "memory.max",
        Controller::Pids => "pids.max",
    }
}

pub(crate) fn unless_missing(result: Result<(), Error>) -> Result<(), Error> {
    match result {
        Err(error) if error.is_missing() => Ok(()),
        other => other,
    }
}

/// The parent of all, with the lock that a sweep needs for itself.
fn birth(layout: &Layout, group: &Path) -> Result<Birth, Error> {
    let parent = group.parent().unwrap_or(group);
    let open = || rustix::fs::open(parent, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
    let directory = match open() {
        Err(Errno::NOENT) => {
            for controller in Controller::ALL {
                if let Ok(Place::Legacy(mount)) = layout.of(controller) {
                    make(&mount.join(PARENT))?;
                }
            }
            if let Ok(unified) = &layout.unified {
                prepare(unified)?;
            }
            open()
        }
        opened => opened,
    };
    let locked = directory.and_then(|directory| {
        rustix::io::retry_on_intr(|| rustix::fs::flock(&directory, FlockOperation::LockShared))?;
        Ok(directory)
    });
    locked.map(|lock| Birth { _lock: Some(lock) }).map_err(|errno| Error::file(parent, errno.into()))
}

/// Makes the parent of all in the v2 hierarchy, and gives its children what they need.
fn prepare(unified: &Unified) -> Result<(), Error> {
    const ATTEMPTS: usize = 20;
    let parent = unified.parent.join(PARENT);
    make(&parent)?;
    if unified.controllers.is_empty() {
        return Ok(());
    }
    let aside = unified.parent.join(format!("{PARENT}-processes"));
    let wanted: Vec<String> = unified.controllers.iter().map(|controller| format!("+{controller}")).collect();
    let enable = |path: &Path| write(&path.join("cgroup.subtree_control"), &wanted.join(" "));
    for _ in 0..ATTEMPTS {
        match enable(&unified.parent) {
            // Processes keep it from that; more may come while they move.
            Err(error) if unified.crowded && error.errno() == Some(Errno::BUSY) => {
                make(&aside)?;
                move_all(&unified.parent, &aside)?;
            }
            Err(error) => return Err(error),
            Ok(()) => return enable(&parent),
        }
    }
    Err(Error::file(&unified.parent, io::ErrorKind::ResourceBusy.into()))
}

/// Gives controllers to what is below a sandbox's cgroup. isobox's own processes get a cgroup beside that of commands,
/// since below one that divides something only leaves may have processes.
fn divide(path: &Path, controllers: &[Controller]) -> Result<(), Error> {
    let missing = |controller: &&Controller| read(&path.join(COMMANDS).join(file_of(**controller))).is_err();
    let missing: Vec<String> = controllers.iter().filter(missing).map(|controller| format!("+{controller}")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let agent = path.join(AGENT);
    make(&agent)?;
    move_all(path, &agent)?;
    write(&path.join("cgroup.subtree_control"), &missing.join(" "))
}

/// Sets one limit of a v2 cgroup.
fn limit(path: &Path, controller: Controller, limits: &Limits) -> Result<(), Error> {
    let (limit, file) =
        (|value: Option<u64>| value.map_or("max".to_owned(), |value| value.to_string()), file_of(controller));
    match controller {
        Controller::Cpu => {
            let (quota, period) = limits.cpu_millis.map_or(("max".to_owned(), PERIOD), |millis| {
                let (quota, period) = quota(millis);
                (quota.to_string(), period)
            });
            write(&path.join(file), &format!("{quota} {period}"))
        }
        Controller::Memory => {
            write(&path.join(file), &limit(limits.memory))?;
            // Absent in a kernel without swap.
            unless_missing(write(&path.join("memory.swap.max"), "0"))
        }
        Controller::Pids => write(&path.join(file), &limit(limits.pids)),
    }
}
