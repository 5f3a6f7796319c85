//! Holding a sandbox still, so that its files can be copied while it runs.
//!
//! ```text
//! in a cgroup v2      its cgroup is frozen, the agent with the commands      nobody in it can notice but by the time
//! otherwise           every process is stopped (SIGSTOP), the agent first    a parent that asks sees that its children go on
//! ```
//!
//! Signals are sent until two looks in a row at all processes find none that runs: what was forked while the first look
//! went on is found by the second. The sandbox's keeper is told beforehand of the cgroup, or of each process, and thaws it,
//! or continues exactly these, when the hold ends, also when this process is killed.

use crate::stopped::Turn;
use isobox_contract::{Error, ErrorCode, Resource, Result, SandboxId};
use isobox_wire::launch::{HOLD_FROZEN, HOLD_NAME, SOCKET_NAME};
use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat, openat};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, connect, socket};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long it may take until nothing runs.
const PATIENCE: Duration = Duration::from_secs(20);
/// The usual places of the v2 hierarchy: alone, and beside v1.
const MOUNTS: [&str; 2] = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];
/// Between two looks.
const PAUSE: Duration = Duration::from_micros(300);

/// Runs `work` on the directory of a sandbox while nothing in it runs, and nobody stops, starts or removes it. The flag
/// is set when the future is dropped: then the result is wanted by nobody.
///
/// # Errors
/// `not_found` when there is no such sandbox, `timeout` when it does not come to rest.
pub async fn while_still<T: Send + 'static>(
    state_dir: &Path,
    id: &SandboxId,
    work: impl FnOnce(&Path, &AtomicBool) -> Result<T> + Send + 'static,
) -> Result<T> {
    let turn = Turn::take(state_dir, id).await?;
    let id = *id;
    let cancelled = Cancelled(Arc::new(AtomicBool::new(false)));
    let (flag, state_dir) = (cancelled.0.clone(), state_dir.to_owned());
    let done = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let _held = keeper(&state_dir).map(|keeper| hold(&state_dir, keeper, &id)).transpose()?;
        work(&state_dir, &flag)
    });
    done.await.unwrap_or_else(|_| Err(Error::internal("the copy of the sandbox's files broke off")))
}

struct Cancelled(Arc<AtomicBool>);

impl Drop for Cancelled {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The process that has bound the sandbox's socket; none when it does not run.
fn keeper(state_dir: &Path) -> Option<Pid> {
    let directory = openat(CWD, state_dir, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let path = format!("/proc/self/fd/{}/{SOCKET_NAME}", directory.as_raw_fd());
    let stream = socket(AddressFamily::UNIX, SocketType::STREAM, None).ok()?;
    connect(&stream, &SocketAddrUnix::new(path).ok()?).ok()?;
    rustix::net::sockopt::socket_peercred(&stream).ok().map(|peer| peer.pid)
}

/// While it lives, the sandbox stands still.
struct Held(#[expect(dead_code, reason = "the keeper waits for its end")] OwnedFd);

fn hold(state_dir: &Path, keeper: Pid, id: &SandboxId) -> Result<Held> {
    let deadline = Instant::now() + PATIENCE;
    let name = state_dir.join(HOLD_NAME);
    let _ = fs::remove_file(&name);
    mknodat(CWD, &name, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).map_err(failed)?;
    let _name = Name(name.clone());
    let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fifo = openat(CWD, &name, flags, Mode::empty()).map_err(failed)?;
    let pidfd = pidfd_open(keeper, PidfdFlags::empty()).map_err(failed)?;
    if self::keeper(state_dir) != Some(keeper) {
        // It has ended, and its number may be another's by now.
        return Err(Error::not_found(Resource::Sandbox, *id));
    }
    pidfd_send_signal(&pidfd, Signal::USR1).map_err(failed)?;
    while name.symlink_metadata().is_ok() {
        pause(deadline)?;
    }
    match cgroup(keeper, id) {
        Some(cgroup) => freeze(&cgroup, &fifo)?,
        None => stop_all(keeper, &fifo, deadline)?,
    }
    Ok(Held(fifo))
}

/// The cgroup of everything that is in the sandbox: the one with its name, as the kernel shows it of the sandbox's first
/// process. Nothing where it has none, and where it cannot be seen from here.
fn cgroup(keeper: Pid, id: &SandboxId) -> Option<PathBuf> {
    let first = below(keeper).first().copied()?;
    let path = unified_path(first)?;
    let end = path.find(id.as_str())? + id.as_str().len();
    MOUNTS.iter().map(|mount| PathBuf::from(format!("{mount}{}", &path[..end]))).find(|path| may_freeze(path))
}

fn may_freeze(cgroup: &Path) -> bool {
    rustix::fs::access(cgroup.join("cgroup.freeze"), rustix::fs::Access::WRITE_OK).is_ok()
}

fn freeze(cgroup: &Path, fifo: &OwnedFd) -> Result<()> {
    rustix::io::write(fifo, &HOLD_FROZEN.to_ne_bytes()).map_err(failed)?;
    isobox_cgroup::freeze(cgroup, PATIENCE).map_err(|error| match error.errno() {
        Some(errno) => failed(errno),
        None => restless(),
    })
}

/// Stops every process below the keeper, and tells it of each.
fn stop_all(keeper: Pid, fifo: &OwnedFd, deadline: Instant) -> Result<()> {
    let mut stopped = HashSet::new();
    let mut quiet = 0;
    while quiet < 2 {
        let mut running = 0;
        for process in below(keeper) {
            if stands(process) || frozen(process) {
                continue;
            }
            running += 1;
            if stopped.insert(process) {
                rustix::io::write(fifo, &process.as_raw_nonzero().get().to_ne_bytes()).map_err(failed)?;
            }
            // One that has ended needs no stop.
            let _ = kill_process(process, Signal::STOP);
        }
        quiet = if running == 0 { quiet + 1 } else { 0 };
        if quiet < 2 {
            pause(deadline)?;
        }
    }
    Ok(())
}

fn failed(errno: rustix::io::Errno) -> Error {
    Error::io("cannot hold the sandbox still", errno.into())
}

fn restless() -> Error {
    let message = format!("the sandbox did not come to rest within {PATIENCE:?}, something in it waits for a device");
    Error::new(ErrorCode::Timeout, message)
}

/// The FIFO's name, which nobody leaves lying about.
struct Name(PathBuf);

impl Drop for Name {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn pause(deadline: Instant) -> Result<()> {
    if Instant::now() >= deadline {
        return Err(restless());
    }
    std::thread::sleep(PAUSE);
    Ok(())
}

/// Every process below another one, parents before their children.
fn below(ancestor: Pid) -> Vec<Pid> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        if let Some((_, parent)) = stat(&entry.path().join("stat")) {
            children.entry(parent).or_default().push(process);
        }
    }
    let mut all = Vec::new();
    let mut next = vec![ancestor.as_raw_nonzero().get()];
    while let Some(parent) = next.pop() {
        let found = children.remove(&parent).unwrap_or_default();
        all.extend(found.iter().filter_map(|process| Pid::from_raw(*process)));
        next.extend(found);
    }
    all
}

/// Whether no thread of it runs. A thread that waits in the kernel counts as running, unless it is for a child of its own
/// that is stopped: the parent of a vfork cannot be stopped before that child goes on.
fn stands(process: Pid) -> bool {
    let process = process.as_raw_nonzero();
    let mut waits = false;
    for thread in fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
        match stat(&thread.path().join("stat")) {
            None | Some((b'T' | b't' | b'Z' | b'X', _)) => {}
            Some((b'D', _)) => waits = true,
            Some(_) => return false,
        }
    }
    !waits || stopped_child(process.get())
}

/// Whether a cgroup of it is frozen, as in a sandbox that is paused.
fn frozen(process: Pid) -> bool {
    let Some(path) = unified_path(process) else { return false };
    MOUNTS.iter().any(|mount| {
        let events = fs::read_to_string(format!("{mount}{path}/cgroup.events")).unwrap_or_default();
        events.lines().any(|line| line == "frozen 1")
    })
}

/// The v2 cgroup of a process, below its mount.
fn unified_path(process: Pid) -> Option<String> {
    let groups = fs::read_to_string(format!("/proc/{}/cgroup", process.as_raw_nonzero())).ok()?;
    groups.lines().find_map(|line| line.strip_prefix("0::").map(str::to_owned))
}

fn stopped_child(parent: i32) -> bool {
    let tasks = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let lists = tasks.map(|task| fs::read_to_string(task.path().join("children")).unwrap_or_default());
    lists
        .flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .any(|child| matches!(stat(Path::new(&format!("/proc/{child}/stat"))), Some((b'T' | b't', _))))
}

/// The state and the parent in a `stat` of proc(5), counted from the end of the name, which may hold anything.
fn stat(path: &Path) -> Option<(u8, i32)> {
    let text = fs::read(path).ok()?;
    let name_end = text.iter().rposition(|byte| *byte == b')')?;
    let mut fields = str::from_utf8(&text[name_end + 1..]).ok()?.split_ascii_whitespace();
    let state = *fields.next()?.as_bytes().first()?;
    Some((state, fields.next()?.parse().ok()?))
}
