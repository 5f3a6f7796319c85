//! What whoever waits for a command's end reads ahead of whoever consumes its output.

use isobox_contract::Result;
use isobox_contract::exec::{ExecResult, OutputEvent, Stream};
use std::collections::VecDeque;

/// Bytes that a waiter reads ahead for a consumer before they count as missed.
const READ_AHEAD: usize = 8 << 20;

/// What a waiter read and a consumer has not seen yet.
#[derive(Default)]
pub(super) struct Ahead {
    events: VecDeque<OutputEvent>,
    bytes: usize,
    missed: [u64; 2],
    end_told: bool,
}

impl Ahead {
    /// Whether nothing waits to be taken.
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Takes what was read ahead; then the end, once.
    pub(super) fn take(
        &mut self,
        ended: impl FnOnce() -> Option<Result<ExecResult>>,
    ) -> Option<Result<Option<OutputEvent>>> {
        for (index, stream) in [Stream::Stdout, Stream::Stderr].into_iter().enumerate() {
            let bytes = std::mem::take(&mut self.missed[index]);
            if bytes > 0 {
                return Some(Ok(Some(OutputEvent::Gap { stream, bytes })));
            }
        }
        if let Some(event) = self.events.pop_front() {
            self.bytes -= size(&event);
            return Some(Ok(Some(event)));
        }
        let ended = ended()?;
        let told = std::mem::replace(&mut self.end_told, true);
        Some(ended.map(|result| (!told).then(|| OutputEvent::Exited(result.exit()))))
    }

    /// Keeps an event for whoever consumes them.
    pub(super) fn put(&mut self, event: OutputEvent) {
        self.bytes += size(&event);
        self.events.push_back(event);
        while self.bytes > READ_AHEAD
            && let Some(event) = self.events.pop_front()
        {
            self.bytes -= size(&event);
            match event {
                OutputEvent::Stdout(bytes) => self.missed[0] += bytes.len() as u64,
                OutputEvent::Stderr(bytes) => self.missed[1] += bytes.len() as u64,
                OutputEvent::Gap { stream, bytes } => self.missed[usize::from(stream == Stream::Stderr)] += bytes,
                _ => {}
            }
        }
    }
}

fn size(event: &OutputEvent) -> usize {
    match event {
        OutputEvent::Stdout(bytes) | OutputEvent::Stderr(bytes) => bytes.len(),
        _ => 0,
    }
}
