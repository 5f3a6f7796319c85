//! How the process of a sandbox ended, for all of this process who watch it.
//!
//! A child can be reaped once. A sandbox that this process has made, and then found again by its record, is watched twice
//! here: whoever comes second has to learn what the first has seen.

use isobox_contract::SandboxId;
use rustix::process::{WaitId, WaitIdOptions, waitid};
use std::collections::BTreeMap;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// How a process ended, as far as it can be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Status {
    Code(u8),
    Signal(i32),
    /// It was not ours to reap.
    Unknown,
}

/// How one process ended, once somebody here has seen it.
pub(crate) type Fate = Arc<Mutex<Option<Status>>>;

type Known = BTreeMap<(SandboxId, u32), Weak<Mutex<Option<Status>>>>;

static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());

/// The fate of a process that runs, the same for all who ask.
pub(crate) fn of(sandbox: SandboxId, pid: u32) -> Fate {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.retain(|_, fate| fate.strong_count() > 0);
    let there = known.get(&(sandbox, pid)).and_then(Weak::upgrade);
    // One that has ended and whose number is another's now is not meant.
    let open = there.filter(|fate| fate.lock().unwrap_or_else(PoisonError::into_inner).is_none());
    open.unwrap_or_else(|| {
        let fate = Fate::default();
        known.insert((sandbox, pid), Arc::downgrade(&fate));
        fate
    })
}

/// Reaps a process that has ended, unless somebody here has done it before.
pub(crate) fn reap(fate: &Fate, pidfd: &OwnedFd) -> Status {
    let mut seen = fate.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(status) = *seen {
        return status;
    }
    // Without hanging: somebody else may be about to reap it, or it may not be our child at all.
    let status = match waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
        Ok(Some(status)) => match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Status::Code(u8::try_from(code).unwrap_or(u8::MAX)),
            (None, Some(signal)) => Status::Signal(signal),
            (None, None) => Status::Unknown,
        },
        _ => Status::Unknown,
    };
    if status != Status::Unknown {
        *seen = Some(status);
    }
    status
}
