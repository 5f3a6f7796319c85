//! What a sandbox uses, by the accounts of its cgroups.

use crate::files::read;
use crate::group::Group;
use crate::layout::Controller;
use crate::parse::{number, value};
use std::path::Path;
use std::time::Duration;

/// What a sandbox uses. What is not counted here is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time of everything that ever ran in it.
    pub cpu: Option<Duration>,
    /// Bytes of memory that commands use, without cached files that nobody has used lately.
    pub memory: Option<u64>,
    /// The most bytes of memory that commands used, cached files included.
    pub memory_peak: Option<u64>,
    /// Processes and threads that commands have.
    pub pids: Option<u64>,
    /// Processes that the limit of memory has killed.
    pub oom_kills: Option<u64>,
}

impl Group {
    /// What the sandbox uses now.
    pub fn usage(&self) -> Usage {
        let cpu = self.unified.as_ref().and_then(|path| value(&read(&path.join("cpu.stat")).ok()?, "usage_usec"));
        let mut usage = Usage { cpu: cpu.map(Duration::from_micros), ..Usage::default() };
        if let Some(path) = self.commands_in(Controller::Memory) {
            let names = match self.in_legacy(Controller::Memory) {
                Some(_) => ["memory.usage_in_bytes", "memory.max_usage_in_bytes", "total_inactive_file"],
                None => ["memory.current", "memory.peak", "inactive_file"],
            };
            (usage.memory, usage.memory_peak) = memory(&path, names);
        }
        usage.pids = self.commands_in(Controller::Pids).and_then(|path| single(&path.join("pids.current")));
        usage.oom_kills = self.oom_events().and_then(|[commands, _]| value(&read(&commands).ok()?, "oom_kill"));
        usage
    }
}

impl Group {
    /// How often the limit of processes has refused one; nothing where there is no such limit. Some kernels count it in the
    /// cgroup of who tried, others in the one that has the limit.
    pub fn refused_forks(&self) -> Option<u64> {
        self.limits().pids?;
        let commands = self.commands_in(Controller::Pids)?;
        let count = |path: &Path| value(&read(&path.join("pids.events")).ok()?, "max");
        let counts = [count(&commands), commands.parent().and_then(count)];
        counts.into_iter().flatten().reduce(u64::saturating_add)
    }
}

fn memory(path: &Path, [now, peak, cached]: [&str; 3]) -> (Option<u64>, Option<u64>) {
    let idle = read(&path.join("memory.stat")).ok().and_then(|text| value(&text, cached)).unwrap_or(0);
    (single(&path.join(now)).map(|used| used.saturating_sub(idle)), single(&path.join(peak)))
}

fn single(path: &Path) -> Option<u64> {
    number(&read(path).ok()?)
}
