//! Resource use: of the sandbox's cgroup where it has one, else of the processes in sight.

use super::Agent;
use isobox_wire::{Metrics, settings::Place};
use rustix::fs::statvfs;
use rustix::param::{clock_ticks_per_second, page_size};
use std::fs;
use std::path::Path;

/// Reads everything now. What cannot be told is zero or absent.
pub(super) fn read(agent: &Agent) -> Metrics {
    let mut metrics = cgroup2().unwrap_or_else(|| processes(agent));
    metrics.running = agent.commands.running() as u64;
    if let Ok(disk) = statvfs(agent.place.workdir_os()) {
        metrics.disk_used = (disk.f_blocks - disk.f_bfree) * disk.f_frsize;
        metrics.disk_available = disk.f_bavail * disk.f_frsize;
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

/// Adds up every process in sight, or on the bare host those of our own commands.
fn processes(agent: &Agent) -> Metrics {
    let mut metrics = Metrics { source: "proc".into(), ..Metrics::default() };
    let ours = match agent.settings.place {
        Place::Sandbox => None,
        Place::Host => Some(agent.commands.sessions()),
    };
    let Ok(entries) = fs::read_dir("/proc") else { return metrics };
    for pid in entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()) {
        let Some(process) = Process::read(pid) else { continue };
        if ours.as_ref().is_none_or(|sessions| sessions.contains(&process.session)) {
            metrics.cpu_micros += process.cpu_micros;
            metrics.memory += process.memory;
            metrics.pids += process.threads;
        }
    }
    metrics
}

struct Process {
    session: u32,
    cpu_micros: u64,
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
        // utime, stime, and those of waited-for children.
        let ticks: u64 = (14..=17).filter_map(field).sum();
        Some(Self {
            session: field(6)? as u32,
            cpu_micros: ticks * 1_000_000 / clock_ticks_per_second(),
            threads: field(20)?,
            memory: field(24)? * page_size() as u64,
        })
    }
}
