//! Whose a sandbox is, and whether that process is still there.
//!
//! ```text
//!   the lock is held ─────────────────────────────────────────────▶ alive
//!   it is free ─┬─ another boot ──────────────────────────────────▶ dead
//!               ├─ same pid namespace ─┬─ that pid, that start ───▶ alive
//!               │                      ├─ no such process ────────▶ dead
//!               │                      └─ /proc cannot tell ──────▶ unknown
//!               └─ another pid namespace ─┬─ no child has it ─────▶ dead
//!                                         └─ a forked child does ─▶ unknown
//!   no file, or another one ─┬─ another boot ─────────────────────▶ dead
//!                            └─ this boot ────────────────────────▶ unknown
//! ```
//!
//! The lock is two: one of fcntl(2), which a forked child does not inherit but which is lost when anything in the process
//! opens and closes the file, and one of flock(2), which is the other way round. Unknown is never dead.

mod identity;
mod probe;

use crate::clock::whole_micros;
use crate::open::from_io;
use crate::record::{OwnerEntry, ProcessIdentity};
use crate::store::Store;
use isobox_contract::{Error, OwnerId, Result, Timestamp};
use probe::{LockState, Presence};
use rustix::fs::FlockOperation;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often to try to make and lock a file.
const ATTEMPTS: usize = 3;
/// How old the file of a process must be that the store does not know: between making it and telling the store lies a moment.
const BEGINNING: Duration = Duration::from_secs(10 * 60);

/// Whether a process lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It does.
    Alive,
    /// It certainly does not.
    Dead,
    /// It cannot be told from here, so it counts as alive.
    Unknown,
}

/// What shows that this process lives, for as long as it is kept: a file in `owners` that is locked.
///
/// The file is opened once and with `O_CLOEXEC`. It stays behind, unlocked, when this is dropped, which is what proves the
/// death; [`bury`] and [`OwnerLock::end`] remove it.
#[derive(Debug)]
pub struct OwnerLock {
    entry: OwnerEntry,
    path: PathBuf,
    // Closing it gives up both locks.
    file: File,
}

impl OwnerLock {
    /// Makes and locks the file in `home/owners`. Takes well under a millisecond. Then put [`entry`](Self::entry) into the
    /// store, before anything is owned.
    pub fn take(home: &Path) -> Result<Self> {
        for _ in 0..ATTEMPTS {
            if let Some(lock) = Self::attempt(home)? {
                return Ok(lock);
            }
        }
        Err(Error::internal("every file of this process in owners was cleared away before it could be locked"))
    }

    /// Nothing when somebody cleared the file away before it was locked.
    fn attempt(home: &Path) -> Result<Option<Self>> {
        let id = OwnerId::generate();
        let path = path(home, &id);
        let failed = |error: std::io::Error| from_io(&error, &path);
        if let Some(directory) = path.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(failed)?;
        }
        let file =
            OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path).map_err(failed)?;
        rustix::fs::fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|e| failed(e.into()))?;
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
            locked => locked.map_err(|errno| failed(errno.into()))?,
        }
        let metadata = file.metadata().map_err(failed)?;
        if metadata.nlink() == 0 {
            return Ok(None);
        }
        let entry = OwnerEntry {
            id,
            process: identity::own()?,
            lock_inode: metadata.ino(),
            program: identity::program(),
            created_at: whole_micros(Timestamp::now()),
            ended_at: None,
        };
        Ok(Some(Self { entry, path, file }))
    }

    /// What the store is told.
    pub fn entry(&self) -> &OwnerEntry {
        &self.entry
    }

    /// Its id.
    pub fn id(&self) -> OwnerId {
        self.entry.id
    }

    /// Says that this process owns nothing any more, and removes the file.
    pub async fn end(self, store: &dyn Store) -> Result<()> {
        store.end_owner(&self.entry.id).await?;
        drop(self.file);
        remove(&self.path)
    }
}

fn path(home: &Path, id: &OwnerId) -> PathBuf {
    home.join("owners").join(id.as_str())
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(from_io(&error, path)),
        _ => Ok(()),
    }
}

/// Whether a process lives. Reads the lock and `/proc`; takes some ten microseconds, and never blocks.
pub fn life(home: &Path, owner: &OwnerEntry) -> Life {
    let Ok(here) = identity::own() else { return Life::Unknown };
    if owner.process == here {
        // Looking at the lock of this process would give it up.
        return Life::Alive;
    }
    let lock = probe::lock(&path(home, &owner.id), owner.lock_inode);
    let same_namespace = owner.process.pid_namespace == here.pid_namespace;
    let presence = || if same_namespace { probe::presence(&owner.process) } else { Presence::Unknown };
    decide(&owner.process, &here, lock, presence)
}

/// The drawing above.
fn decide(
    owner: &ProcessIdentity,
    here: &ProcessIdentity,
    lock: LockState,
    presence: impl FnOnce() -> Presence,
) -> Life {
    let rebooted = owner.boot != here.boot;
    match lock {
        LockState::Held => Life::Alive,
        _ if rebooted => Life::Dead,
        LockState::Missing => Life::Unknown,
        LockState::Free | LockState::Inherited if owner.pid_namespace == here.pid_namespace => match presence() {
            Presence::There => Life::Alive,
            Presence::Gone => Life::Dead,
            Presence::Unknown => Life::Unknown,
        },
        LockState::Free => Life::Dead,
        LockState::Inherited => Life::Unknown,
    }
}

/// Finds the processes that are dead and were not written down as that, writes it down, and removes their files. Gives
/// them, so that what they owned can be cleaned up.
pub async fn bury(home: &Path, store: &dyn Store) -> Result<Vec<OwnerEntry>> {
    let mut dead = Vec::new();
    for owner in store.owners().await? {
        if life(home, &owner) == Life::Dead {
            store.end_owner(&owner.id).await?;
            remove(&path(home, &owner.id))?;
            dead.push(owner);
        }
    }
    Ok(dead)
}

/// Removes the files of processes that were killed before the store knew them, or whose records are forgotten: those that are not
/// in the store and that nobody has locked. Gives their ids; with `dry_run` it only looks.
///
/// Whoever has locked such a file keeps it, and whoever makes one notices when it was removed before it was locked.
pub async fn clear_owners(home: &Path, store: &dyn Store, dry_run: bool) -> Result<Vec<OwnerId>> {
    let mut cleared = Vec::new();
    for entry in fs::read_dir(home.join("owners")).into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<OwnerId>().ok()) else { continue };
        // A young one may be of this process, which must not look at its own lock.
        let young = Timestamp::now().since(id.created_at()) < BEGINNING;
        if !young && store.owner(&id).await?.is_none() && probe::is_abandoned(&entry.path(), !dry_run) {
            cleared.push(id);
        }
    }
    cleared.sort();
    Ok(cleared)
}

#[cfg(test)]
mod tests;
