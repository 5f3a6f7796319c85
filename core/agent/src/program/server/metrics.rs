//! Resource use: of the sandbox's cgroup where it has one, else of the processes in sight.

use super::Agent;
use isobox_wire::{Metrics, settings::Place};
use rustix::fs::statvfs;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Reads everything now. What cannot be told is zero or absent.
pub(super) fn read(agent: &Agent) -> Metrics {
    // On the bare host the agent is in the cgroup of whoever started it, together with others.
    let own = if agent.settings.place == Place::Host { None } else { cgroup2() };
    let mut metrics = own.unwrap_or_else(|| processes(agent));
    metrics.running = agent.commands.running() as u64;
    if let Ok(disk) = statvfs(agent.place.workdir_os()) {
        metrics.disk_used = disk.f_blocks.saturating_sub(disk.f_bfree).saturating_mul(disk.f_frsize);
        metrics.disk_available = disk.f_bavail.saturating_mul(disk.f_frsize);
    }
    metrics
}

/// Only where memory is counted for this cgroup alone; the root cgroup has no `memory.current`.
fn cgroup2() -> Option<Metrics> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    let directory = Path::new("/sys/fs/cgroup").join(path.trim_start_matches('/'));
    let number = |file: &str| fs::read_to_string(directory.join(file)).ok()?.trim().parse::<u64>().ok();
    let cpu = fs::read_to_string(directory.join("cpu.stat")).ok()?;
    Some(Metrics {
        memory: number("memory.current")?,
        memory_peak: number("memory.peak"),
        memory_limit: number("memory.max"),
        pids: number("pids.current")?,
        cpu_micros: cpu.lines().find_map(|line| line.strip_prefix("usage_usec ")?.parse().ok())?,
        source: "cgroup2".into(),
        ..Metrics::default()
    })
}

/// The most processor time that was ever added up. A process that ends while the sum is made may be missing in it.
static CPU_MICROS: AtomicU64 = AtomicU64::new(0);

/// Adds up every process in sight, or on the bare host those that our commands started.
fn processes(agent: &Agent) -> Metrics {
    let mut metrics = Metrics { source: "proc".into(), ..Metrics::default() };
    let mut all = all();
    let own = std::process::id();
    if agent.settings.place == Place::Host {
        // What has ended is in the account of whoever waited for it, in the end of the agent.
        metrics.cpu_micros += all.remove(&own).map_or(0, |agent| agent.waited_micros);
        let ours: HashSet<u32> =
            all.keys().copied().filter(|pid| ancestor(&all, *pid, |pid| pid == own).is_some()).collect();
        all.retain(|pid, _| ours.contains(pid));
    }
    for process in all.values() {
        metrics.cpu_micros += process.cpu_micros + process.waited_micros;
        metrics.memory += process.memory;
        metrics.pids += process.threads;
    }
    metrics.cpu_micros = metrics.cpu_micros.max(CPU_MICROS.fetch_max(metrics.cpu_micros, Ordering::Relaxed));
    metrics
}

/// What a command uses.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Use {
    pub(crate) cpu_micros: u64,
    pub(crate) memory: u64,
}

/// What everything below each of these supervisors uses, and what has ended there has used.
pub(crate) fn uses_below(supervisors: &HashSet<u32>) -> HashMap<u32, Use> {
    if supervisors.is_empty() {
        return HashMap::new();
    }
    let all = all();
    let mut uses = HashMap::new();
    for (pid, process) in &all {
        if supervisors.contains(pid) {
            uses.entry(*pid).or_insert_with(Use::default).cpu_micros += process.waited_micros;
        } else if let Some(supervisor) = ancestor(&all, *pid, |pid| supervisors.contains(&pid)) {
            let sum = uses.entry(supervisor).or_insert_with(Use::default);
            sum.cpu_micros += process.cpu_micros + process.waited_micros;
            sum.memory += process.memory;
        }
    }
    uses
}

fn all() -> HashMap<u32, Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return HashMap::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter_map(|pid| Some((pid, Process::read(pid)?))).collect()
}

/// The nearest of a process's ancestors that is one of those. Nothing of a command leaves its supervisor, and none of these
/// the agent.
fn ancestor(all: &HashMap<u32, Process>, pid: u32, wanted: impl Fn(u32) -> bool) -> Option<u32> {
    let mut at = pid;
    // The processes were not all read at once, so their parents need not make a tree.
    for _ in 0..all.len() {
        at = all.get(&at)?.parent;
        if wanted(at) {
            return Some(at);
        }
    }
    None
}

/// A setting of the kernel that the C library was told when the program began. rustix asks for it at the first use, before
/// linux 6.4 through a file that a process with hidden memory may not read, and panics.
#[allow(unsafe_code)]
fn setting(name: libc::c_int) -> u64 {
    // SAFETY: sysconf takes a plain number.
    let value = unsafe { libc::sysconf(name) };
    u64::try_from(value).unwrap_or_default().max(1)
}

struct Process {
    parent: u32,
    cpu_micros: u64,
    /// Of children that it has waited for.
    waited_micros: u64,
    memory: u64,
    threads: u64,
}

impl Process {
    /// Reads `/proc/PID/stat` (proc(5)); the name in it may hold anything, so fields are counted from its last parenthesis.
    fn read(pid: u32) -> Option<Self> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        let name_end = stat.iter().rposition(|byte| *byte == b')')?;
        let fields: Vec<&str> = str::from_utf8(&stat[name_end + 1..]).ok()?.split_ascii_whitespace().collect();
        // Field 3, the state, is the first one after the name.
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        let micros = |ticks: u64| ticks * 1_000_000 / setting(libc::_SC_CLK_TCK);
        Some(Self {
            parent: field(4)? as u32,
            // utime, stime, and those of waited-for children, which are signed.
            cpu_micros: micros(field(14)? + field(15)?),
            waited_micros: micros(field(16).unwrap_or(0) + field(17).unwrap_or(0)),
            threads: field(20)?,
            memory: field(24)? * setting(libc::_SC_PAGESIZE),
        })
    }
}
