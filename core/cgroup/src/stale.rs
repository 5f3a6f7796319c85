//! Cgroups whose sandbox is gone: somebody was killed before it could clean up.

use crate::layout::{Controller, Layout, Place};
use crate::{PARENT, remove};
use rustix::fs::{FlockOperation, Mode, OFlags};
use std::collections::BTreeSet;
use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Removes every cgroup of a sandbox in which nothing is. One that is just being made is left alone. Answers how many
/// sandboxes were cleaned up after; none when somebody makes one right now, and none without a v2 hierarchy, which alone
/// holds every sandbox that lives.
pub fn sweep(layout: &Layout) -> usize {
    let Some(found) = Stale::find(layout) else { return 0 };
    found.cgroups.iter().filter(|(at, path)| remove::tree(path) && *at == 0).count()
}

/// The names of the sandboxes that [`sweep`] would clean up after. Changes nothing.
pub fn stale(layout: &Layout) -> BTreeSet<String> {
    let found = Stale::find(layout).map(|stale| stale.cgroups).unwrap_or_default();
    found.iter().filter_map(|(_, path)| Some(path.file_name()?.to_str()?.to_owned())).collect()
}

/// Removes the cgroups of the sandbox with this name, of which nothing runs any more; nobody may be making it.
pub fn remove_named(layout: &Layout, name: &str) {
    for path in parents(layout).iter().map(|parent| parent.join(name)).filter(|path| path.is_dir()) {
        remove::tree(&path);
    }
}

/// What is left over. While it lives, nobody makes a cgroup.
struct Stale {
    /// With the number of the hierarchy.
    cgroups: Vec<(usize, PathBuf)>,
    _locks: Vec<OwnedFd>,
}

impl Stale {
    fn find(layout: &Layout) -> Option<Self> {
        layout.unified.as_ref().ok()?;
        let parents = parents(layout);
        // The hierarchy that `birth` locks: what everybody has first.
        let locks = parents.iter().map(|parent| lock(parent)).collect::<Option<Vec<_>>>()?;
        let mut cgroups = Vec::new();
        for (at, parent) in parents.iter().enumerate() {
            let entries = fs::read_dir(parent).into_iter().flatten().flatten();
            for path in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
                let path = path.path();
                // A sandbox that lives is in the first of its hierarchies; in the others it may have only commands.
                let name = path.file_name().unwrap_or_default();
                let alive = parents[..at].iter().any(|earlier| {
                    let first = earlier.join(name);
                    first.exists() && !is_empty(&first)
                });
                if !alive && is_empty(&path) {
                    cgroups.push((at, path));
                }
            }
        }
        Some(Self { cgroups, _locks: locks })
    }
}

fn parents(layout: &Layout) -> Vec<PathBuf> {
    let unified = layout.unified.iter().map(|unified| unified.parent.join(PARENT));
    let legacy = Controller::ALL.into_iter().filter_map(|controller| match layout.of(controller) {
        Ok(Place::Legacy(mount)) => Some(mount.join(PARENT)),
        _ => None,
    });
    unified.chain(legacy).filter(|parent| parent.is_dir()).collect()
}

fn lock(parent: &Path) -> Option<OwnedFd> {
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
