//! The cgroup that all sandboxes' cgroups are in.

use super::{Birth, Error};
use crate::PARENT;
use crate::files::{make, move_all, write};
use crate::layout::{Controller, Layout, Place, Unified};
use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::io;
use std::path::Path;

/// The parent of all, with the lock that a sweep needs for itself.
pub(super) fn birth(layout: &Layout, group: &Path) -> Result<Birth, Error> {
    let parent = group.parent().unwrap_or(group);
    let open = || rustix::fs::open(parent, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
    let directory = match open() {
        Err(Errno::NOENT) => {
            for controller in Controller::ALL {
                if let Ok(Place::Legacy(mount)) = layout.of(controller) {
                    make(&mount.join(PARENT))?;
                }
            }
            if let Ok(unified) = &layout.unified {
                prepare(unified)?;
            }
            open()
        }
        opened => opened,
    };
    let locked = directory.and_then(|directory| {
        rustix::io::retry_on_intr(|| rustix::fs::flock(&directory, FlockOperation::LockShared))?;
        Ok(directory)
    });
    locked.map(|lock| Birth { _lock: Some(lock) }).map_err(|errno| Error::file(parent, errno.into()))
}

/// Makes the parent of all in the v2 hierarchy, and gives its children what they need.
pub(super) fn prepare(unified: &Unified) -> Result<(), Error> {
    const ATTEMPTS: usize = 20;
    let parent = unified.parent.join(PARENT);
    make(&parent)?;
    if unified.controllers.is_empty() {
        return Ok(());
    }
    let aside = unified.parent.join(format!("{PARENT}-processes"));
    let wanted: Vec<String> = unified.controllers.iter().map(|controller| format!("+{controller}")).collect();
    let enable = |path: &Path| write(&path.join("cgroup.subtree_control"), &wanted.join(" "));
    for _ in 0..ATTEMPTS {
        match enable(&unified.parent) {
            // Processes keep it from that; more may come while they move.
            Err(error) if unified.crowded && error.errno() == Some(Errno::BUSY) => {
                make(&aside)?;
                move_all(&unified.parent, &aside)?;
            }
            Err(error) => return Err(error),
            Ok(()) => return enable(&parent),
        }
    }
    Err(Error::file(&unified.parent, io::ErrorKind::ResourceBusy.into()))
}
