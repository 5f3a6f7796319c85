//! How far an import or an export is, for whoever listens.

use isobox_contract::{Action, Context, EventKind, EventSink, Progress, ProgressUnit};
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes between two reports.
const EVERY: u64 = 4 << 20;

/// What is done with the bytes.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    Unpack,
    Export,
}

/// Counts bytes and tells of them now and then.
#[derive(Clone)]
pub(crate) struct Counter {
    events: Arc<dyn EventSink>,
    step: Step,
    done: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Counter {
    pub(crate) fn new(context: &Context, step: Step, total: Option<u64>) -> Self {
        Self { events: context.events.clone(), step, done: Arc::new(AtomicU64::new(0)), total }
    }

    /// The stream, counted.
    pub(crate) fn counted<R>(&self, stream: R) -> Counted<R> {
        Counted { stream, counter: self.clone() }
    }

    fn add(&self, count: u64) {
        let before = self.done.fetch_add(count, Ordering::Relaxed);
        let now = before + count;
        if before / EVERY != now / EVERY || Some(now) == self.total {
            self.tell(now);
        }
    }

    fn tell(&self, done: u64) {
        let (action, code) = match self.step {
            Step::Unpack => (Action::Pull, "image.unpack"),
            Step::Export => (Action::Snapshot, "snapshot.export"),
        };
        let progress = Progress {
            code: code.into(),
            message: None,
            completed: Some(done),
            total: self.total,
            unit: Some(ProgressUnit::Bytes),
        };
        self.events.emit(EventKind::OperationProgress { action, progress });
    }
}

pub(crate) struct Counted<R> {
    stream: R,
    counter: Counter,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        if count > 0 {
            self.counter.add(count as u64);
        }
        Ok(count)
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.stream.write(bytes)?;
        self.counter.add(count as u64);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
