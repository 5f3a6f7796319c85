//! Who descends from whom, read from /proc.
//!
//! The directory is opened once, before anything hostile runs, so a program that mounts something over /proc blinds nobody. A
//! /proc that shows another pid namespace is not used: its numbers would be other processes.

use std::collections::BTreeMap;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;

use libc::pid_t;
use rustix::fs::{Dir, Mode, OFlags, open, openat, readlinkat};
use rustix::io::Errno;

use super::sys;

/// Pids to try one by one when /proc tells nothing: the default range first, then all that Linux has.
const PID_RANGES: [pid_t; 2] = [1 << 15, 1 << 22];

static PROC: OnceLock<Option<OwnedFd>> = OnceLock::new();

/// This pid namespace's /proc, opened at the first call.
pub(super) fn proc_directory() -> Option<BorrowedFd<'static>> {
    let opened = PROC.get_or_init(|| {
        let proc = open("/proc", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok()?;
        let me = readlinkat(&proc, "self", Vec::new()).ok()?;
        (me.to_bytes() == std::process::id().to_string().as_bytes()).then_some(proc)
    });
    opened.as_ref().map(AsFd::as_fd)
}

/// Where the shape of the tree is read from.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// `/proc/PID/task/TID/children`: cost grows with the tree.
    Children(BorrowedFd<'a>),
    /// The parent in every `/proc/PID/stat`, on kernels without `children`: cost grows with the machine.
    Stat(BorrowedFd<'a>),
    /// No /proc: only direct children can be told, by asking the kernel pid by pid. Enough, because the children of a
    /// killed child become direct ones.
    Wait,
}

impl<'a> Source<'a> {
    pub(super) fn new(proc: Option<BorrowedFd<'a>>) -> Self {
        let Some(proc) = proc else { return Source::Wait };
        let me = std::process::id();
        let path = format!("{me}/task/{me}/children");
        match openat(proc, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) {
            Ok(_) => Source::Children(proc),
            Err(_) => Source::Stat(proc),
        }
    }

    /// Calls `visit` for every descendant of this process, parents before their children are looked up. A descendant
    /// for which `visit` says no is left out with everything under it.
    ///
    /// A parent that `visit` stops cannot reap, so the pids read under it afterwards cannot have been given to others.
    pub(super) fn walk(self, mut visit: impl FnMut(pid_t) -> bool) {
        let me = std::process::id().cast_signed();
        match self {
            Source::Children(proc) => {
                let mut open: Vec<pid_t> = vec![me];
                while let Some(parent) = open.pop() {
                    open.extend(children(proc, parent).into_iter().filter(|pid| visit(*pid)));
                }
            }
            Source::Stat(proc) => {
                let family = family(proc);
                let mut open: Vec<pid_t> = vec![me];
                while let Some(parent) = open.pop() {
                    let children = family.get(&parent).into_iter().flatten().copied();
                    open.extend(children.filter(|pid| visit(*pid)));
                }
            }
            Source::Wait => {
                for pid in PID_RANGES.into_iter().find_map(direct_children).into_iter().flatten() {
                    visit(pid);
                }
            }
        }
    }
}

/// The process group of `pid`; 0 for one that was made outside of this pid namespace.
pub(super) fn group_of(pid: pid_t) -> Option<pid_t> {
    sys::getpgid(pid).ok()
}

/// The session of `pid`, 0 being this process; answers 0 for a session that was made outside of this pid namespace.
pub(super) fn session_of(pid: pid_t) -> Option<pid_t> {
    sys::getsid(pid).ok()
}

/// The entries of a directory below /proc that are numbers.
pub(super) fn numbers(proc: BorrowedFd<'_>, path: &str) -> Result<Vec<pid_t>, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = Dir::new(openat(proc, path, flags, Mode::empty())?)?;
    Ok(directory.filter_map(|entry| entry.ok()?.file_name().to_str().ok()?.parse().ok()).collect())
}

fn children(proc: BorrowedFd<'_>, parent: pid_t) -> Vec<pid_t> {
    let threads = numbers(proc, &format!("{parent}/task")).unwrap_or_default();
    let mut found = Vec::new();
    for thread in threads {
        let text = read(proc, &format!("{parent}/task/{thread}/children")).unwrap_or_default();
        let words = text.split(u8::is_ascii_whitespace);
        found.extend(words.filter_map(|word| std::str::from_utf8(word).ok()?.parse::<pid_t>().ok()));
    }
    found
}

/// Every process by its parent, the youngest first, because those are the ones that run away.
fn family(proc: BorrowedFd<'_>) -> BTreeMap<pid_t, Vec<pid_t>> {
    let mut family: BTreeMap<pid_t, Vec<pid_t>> = BTreeMap::new();
    for pid in numbers(proc, ".").unwrap_or_default().into_iter().rev() {
        if let Some(parent) = read(proc, &format!("{pid}/stat")).ok().as_deref().and_then(parent_in_stat) {
            family.entry(parent).or_default().push(pid);
        }
    }
    family
}

/// The fourth field; the second, the name, is in parentheses and may itself hold any byte.
fn parent_in_stat(stat: &[u8]) -> Option<pid_t> {
    let after_name = stat.rsplit(|byte| *byte == b')').next()?;
    let field = after_name.split(|byte| *byte == b' ').nth(2)?;
    std::str::from_utf8(field).ok()?.parse().ok()
}

fn direct_children(limit: pid_t) -> Option<Vec<pid_t>> {
    let found: Vec<pid_t> = (1..=limit).filter(|pid| sys::is_child(*pid)).collect();
    (!found.is_empty()).then_some(found)
}

fn read(proc: BorrowedFd<'_>, path: &str) -> Result<Vec<u8>, Errno> {
    let file = openat(proc, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let mut text = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        match rustix::io::retry_on_intr(|| rustix::io::read(&file, &mut chunk[..]))? {
            0 => return Ok(text),
            length => text.extend_from_slice(&chunk[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_is_read_past_a_hostile_name() {
        assert_eq!(parent_in_stat(b"7 (a) S 1 (b) c) R 42 7 7 0"), Some(42));
        assert_eq!(parent_in_stat(b"garbage"), None);
    }
}
