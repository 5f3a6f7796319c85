//! How the process of a sandbox ended, for all of this process who watch it.
//!
//! A child can be reaped once. A sandbox that this process has made, and then found again by its record, is watched twice
//! here: whoever comes second has to learn what the first has seen.

use crate::shared::Shared;
use isobox_contract::SandboxId;
use rustix::process::{WaitId, WaitIdOptions, waitid};
use std::collections::BTreeMap;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};

/// How a process ended, as far as it can be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Status {
    Code(u8),
    Signal(i32),
    /// It was not ours to reap.
    Unknown,
}

/// How one process ended, once somebody here has seen it. No lock, which a fork could leave held.
#[derive(Debug, Default)]
pub(crate) struct Fate(AtomicU32);

/// What tells a code, and what tells a signal, from nothing.
const CODE: u32 = 1 << 16;
const SIGNAL: u32 = 1 << 17;

impl Fate {
    fn get(&self) -> Option<Status> {
        match self.0.load(Ordering::Acquire) {
            0 => None,
            seen if seen & CODE != 0 => Some(Status::Code(seen as u8)),
            seen => Some(Status::Signal((seen & !SIGNAL).cast_signed())),
        }
    }

    fn set(&self, status: Status) {
        let seen = match status {
            Status::Code(code) => CODE | u32::from(code),
            Status::Signal(signal) => SIGNAL | signal.cast_unsigned(),
            Status::Unknown => return,
        };
        self.0.store(seen, Ordering::Release);
    }
}

static KNOWN: Shared<BTreeMap<(SandboxId, u32), Weak<Fate>>> = Shared::new(BTreeMap::new());

/// The fate of a process that runs, the same for all who ask. A child that was forked while another thread asked shares none.
pub(crate) fn of(sandbox: SandboxId, pid: u32) -> Arc<Fate> {
    let shared = KNOWN.with(|known| {
        known.retain(|_, fate| fate.strong_count() > 0);
        let there = known.get(&(sandbox, pid)).and_then(Weak::upgrade);
        // One that has ended and whose number is another's now is not meant.
        there.filter(|fate| fate.get().is_none()).unwrap_or_else(|| {
            let fate = Arc::default();
            known.insert((sandbox, pid), Arc::downgrade(&fate));
            fate
        })
    });
    shared.unwrap_or_default()
}

/// Reaps a process that has ended, unless somebody here has done it before.
pub(crate) fn reap(fate: &Fate, pidfd: &OwnedFd) -> Status {
    // Without hanging: somebody else may be about to reap it, or it may not be our child at all.
    let wait = |how| waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED | WaitIdOptions::NOHANG | how);
    // It is told before it is reaped: whoever finds it reaped then finds it told.
    if let (None, Ok(Some(ended))) = (fate.get(), wait(WaitIdOptions::NOWAIT)) {
        fate.set(match (ended.exit_status(), ended.terminating_signal()) {
            (Some(code), _) => Status::Code(u8::try_from(code).unwrap_or(u8::MAX)),
            (None, Some(signal)) => Status::Signal(signal),
            (None, None) => Status::Unknown,
        });
        let _ = wait(WaitIdOptions::empty());
    }
    fate.get().unwrap_or(Status::Unknown)
}
