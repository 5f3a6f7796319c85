//! Where the sandbox and its commands belong.

use super::{AGENT, COMMANDS, Group};
use crate::layout::Controller;
use std::path::{Path, PathBuf};

/// For whoever starts them.
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
