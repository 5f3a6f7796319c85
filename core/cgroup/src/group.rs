//! The cgroups of one sandbox.
//!
//! They are made before the sandbox, which is born in them, and outlive it until somebody removes them.

mod parent;
mod places;

use crate::files::{make, read};
use crate::layout::{Controller, Layout, Place};
use crate::limits::Limits;
use crate::obstacle::Obstacle;
use crate::unified::{divide, file_of, limit};
use crate::{PARENT, legacy, remove};
use parent::{birth, prepare};
use rustix::fs::{Gid, Uid};
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

/// What commands run in.
pub(crate) const COMMANDS: &str = "commands";
/// What isobox runs in, when something is limited.
pub(crate) const AGENT: &str = "agent";

impl Limits {
    /// The controllers that enforce what is limited.
    pub(crate) fn needs(&self) -> Vec<Controller> {
        let given = [self.cpu_millis.is_some(), self.memory.is_some(), self.pids.is_some()];
        Controller::ALL.into_iter().zip(given).filter_map(|(controller, given)| given.then_some(controller)).collect()
    }
}

pub(crate) fn unless_missing(result: Result<(), Error>) -> Result<(), Error> {
    match result {
        Err(error) if error.is_missing() => Ok(()),
        other => other,
    }
}
