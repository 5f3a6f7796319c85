//! What happens in a sandbox, with the values of its limits, which its agent does not know.

use isobox_contract::event::LimitKind;
use isobox_contract::{EventKind, EventSink, Resources, Timestamp};
use std::sync::{Arc, Mutex, PoisonError};

/// A sink that knows the sandbox's limits.
pub(super) struct Informed {
    pub(super) sink: Arc<dyn EventSink>,
    pub(super) limits: Arc<Mutex<Resources>>,
}

impl EventSink for Informed {
    fn emit(&self, event: EventKind) {
        self.emit_at(Timestamp::now(), event);
    }

    fn emit_at(&self, at: Timestamp, event: EventKind) {
        let limits = *self.limits.lock().unwrap_or_else(PoisonError::into_inner);
        let event = match event {
            EventKind::LimitReached { limit: LimitKind::Memory, max: None, exec } => {
                EventKind::LimitReached { limit: LimitKind::Memory, max: limits.memory, exec }
            }
            event => event,
        };
        self.sink.emit_at(at, event);
    }
}
