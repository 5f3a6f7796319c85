//! What a machine offers.

use crate::detect::detect;
use crate::obstacle::Obstacle;
use crate::view::{Machine, View};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// What a limit is enforced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Controller {
    /// Processor time.
    Cpu,
    /// Memory.
    Memory,
    /// Processes and threads.
    Pids,
}

impl Controller {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Cpu, Self::Memory, Self::Pids];

    /// The kernel's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Memory => "memory",
            Self::Pids => "pids",
        }
    }
}

impl fmt::Display for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Where a controller is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the v2 hierarchy.
    Unified,
    /// In a v1 hierarchy, mounted here.
    Legacy(PathBuf),
}

/// The v2 hierarchy, as far as it is ours to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unified {
    /// The cgroup in which [`PARENT`](crate::PARENT) is made.
    pub parent: PathBuf,
    /// Whether processes have to make room first, into a cgroup beside it: one that has processes itself cannot give
    /// controllers to its children.
    pub crowded: bool,
    /// The controllers that sandboxes get there.
    pub controllers: Vec<Controller>,
}

/// What a machine offers to a caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The v2 hierarchy: freezing, killing at once, and accounts of processor time.
    pub unified: Result<Unified, Obstacle>,
    /// Limits of processor time.
    pub cpu: Result<Place, Obstacle>,
    /// Limits of memory.
    pub memory: Result<Place, Obstacle>,
    /// Limits of processes.
    pub pids: Result<Place, Obstacle>,
}

impl Layout {
    /// What this machine offers to this process. Reads a few files and changes nothing.
    pub fn of_this_machine() -> Self {
        detect(&Machine, rustix::process::geteuid().is_root())
    }

    /// What a machine that looks like this offers, to root or to an ordinary user.
    pub fn seen(view: &dyn View, root: bool) -> Self {
        detect(view, root)
    }

    /// Where a controller is, or why it cannot be used.
    pub fn of(&self, controller: Controller) -> &Result<Place, Obstacle> {
        match controller {
            Controller::Cpu => &self.cpu,
            Controller::Memory => &self.memory,
            Controller::Pids => &self.pids,
        }
    }
}
