//! What happens in a sandbox, with what only its machine knows: the values of limits, and that of processes being reached.

use crate::cgroups::Cgroups;
use crate::disk::Disk;
use isobox_contract::event::LimitKind;
use isobox_contract::{EventKind, EventSink, Timestamp};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A sink that knows the sandbox.
pub(crate) struct Informed {
    sink: Arc<dyn EventSink>,
    cgroups: Option<Cgroups>,
    disk: Option<(Disk, PathBuf)>,
    /// Processes that were refused, as far as it was told.
    refused: AtomicU64,
}

impl Informed {
    pub(crate) fn new(sink: Arc<dyn EventSink>, cgroups: Option<Cgroups>, disk: Option<(Disk, PathBuf)>) -> Self {
        let refused = cgroups.as_ref().and_then(Cgroups::refused_forks).unwrap_or_default();
        Self { sink, cgroups, disk, refused: AtomicU64::new(refused) }
    }

    fn limit(&self, limit: LimitKind) -> Option<u64> {
        match limit {
            LimitKind::Memory => self.cgroups.as_ref()?.limits().memory,
            LimitKind::Pids => self.cgroups.as_ref()?.limits().pids,
            LimitKind::Disk => self.disk.as_ref().map(|(disk, state_dir)| disk.limit(state_dir)),
            _ => None,
        }
    }

    /// A command that could not have another process mostly fails. The counter is the sandbox's and not the command's.
    fn look_for_refused(&self, at: Timestamp) {
        let Some(now) = self.cgroups.as_ref().and_then(Cgroups::refused_forks) else { return };
        if self.refused.swap(now, Ordering::Relaxed) < now {
            let (limit, max) = (LimitKind::Pids, self.limit(LimitKind::Pids));
            self.sink.emit_at(at, EventKind::LimitReached { limit, max, exec: None });
        }
    }
}

impl EventSink for Informed {
    fn emit(&self, event: EventKind) {
        self.emit_at(Timestamp::now(), event);
    }

    fn emit_at(&self, at: Timestamp, event: EventKind) {
        match event {
            EventKind::LimitReached { limit, max: None, exec } => {
                self.sink.emit_at(at, EventKind::LimitReached { limit, max: self.limit(limit), exec });
            }
            EventKind::ExecExited { exit, exec } => {
                if exit.exit_code != 0 {
                    self.look_for_refused(at);
                }
                self.sink.emit_at(at, EventKind::ExecExited { exit, exec });
            }
            event => self.sink.emit_at(at, event),
        }
    }
}
