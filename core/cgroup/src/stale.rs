//! Cgroups whose sandbox is gone: somebody was killed before it could clean up.

use crate::layout::{Controller, Layout, Place};
use crate::{PARENT, remove};
use rustix::fs::{FlockOperation, Mode, OFlags};
use std::fs;
use std::path::{Path, PathBuf};

/// Removes every cgroup of a sandbox in which nothing is. One that is just being made is left alone. Answers how many
/// sandboxes were cleaned up after; none when somebody makes one right now, and none without a v2 hierarchy, which alone
/// holds every sandbox that lives.
pub fn sweep(layout: &Layout) -> usize {
    if layout.unified.is_err() {
        return 0;
    }
    let parents = parents(layout);
    // The hierarchy that `birth` locks: what everybody has first.
    let locks: Vec<_> = parents.iter().map(|parent| lock(parent)).collect();
    if locks.iter().any(Option::is_none) {
        return 0;
    }
    let mut swept = 0;
    for (at, parent) in parents.iter().enumerate() {
        let Ok(entries) = fs::read_dir(parent) else { continue };
        for path in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            let path = path.path();
            // A sandbox that lives is in the first of its hierarchies; in the others it may have only commands.
            let name = path.file_name().unwrap_or_default();
            let alive = parents[..at].iter().any(|earlier| earlier.join(name).exists());
            if !alive && is_empty(&path) && remove::tree(&path) && at == 0 {
                swept += 1;
            }
        }
    }
    swept
}

fn parents(layout: &Layout) -> Vec<PathBuf> {
    let unified = layout.unified.iter().map(|unified| unified.parent.join(PARENT));
    let legacy = Controller::ALL.into_iter().filter_map(|controller| match layout.of(controller) {
        Ok(Place::Legacy(mount)) => Some(mount.join(PARENT)),
        _ => None,
    });
    unified.chain(legacy).filter(|parent| parent.is_dir()).collect()
}

fn lock(parent: &Path) -> Option<std::os::fd::OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = rustix::fs::open(parent, flags, Mode::empty()).ok()?;
    rustix::fs::flock(&directory, FlockOperation::NonBlockingLockExclusive).ok()?;
    Some(directory)
}

/// Whether no process is in it or below it.
fn is_empty(path: &Path) -> bool {
    let none = |path: &Path| fs::read_to_string(path.join("cgroup.procs")).is_ok_and(|all| all.trim().is_empty());
    let below = |path: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()).collect()
    };
    none(path) && below(path).iter().all(|child| is_empty(child))
}
