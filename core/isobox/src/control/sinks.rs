//! Where providers and agents say what happens, on its way to the recorder.

use super::{Control, Recorder};
use crate::record::Record;
use isobox_contract::{Action, Report};
use isobox_contract::{EventKind, EventSink, OperationId, Progress, ProviderKind, Result, Subject, Timestamp};
use isobox_control::NewEvent;
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The longest name of a command that is kept, in bytes.
const LABEL: usize = 1024;
/// How often one piece of progress is written down at most, apart from its beginning and its end.
const PROGRESS: Duration = Duration::from_millis(100);

/// What happens to one thing.
#[derive(Clone)]
pub(crate) struct Told {
    recorder: Recorder,
    record: Record,
    provider: ProviderKind,
    subject: Subject,
    operation: Option<OperationId>,
}

impl Control {
    /// Where it is told what happens to something.
    pub(crate) fn told(&self, provider: &ProviderKind, subject: Subject, operation: Option<OperationId>) -> Told {
        let (recorder, record, provider) = (self.recorder().clone(), self.record(), provider.clone());
        Told { recorder, record, provider, subject, operation }
    }
}

impl Told {
    fn add(&self, at: Option<Timestamp>, kind: EventKind) {
        self.recorder.add(NewEvent {
            at,
            provider: Some(self.provider.clone()),
            subject: self.subject.clone(),
            operation: self.operation,
            correlation: None,
            kind: shortened(kind),
        });
    }

    /// Tells of an operation from its beginning to its end.
    pub(crate) async fn operation<T>(&self, action: Action, act: impl Future<Output = Result<T>>) -> Result<T> {
        let begun = Instant::now();
        self.add(None, EventKind::OperationStarted { action });
        let mut end = Ending { told: self, action, begun, error: Some(Report::from(&given_up())) };
        let done = act.await;
        end.error = done.as_ref().err().map(Report::from);
        done
    }
}

fn given_up() -> isobox_contract::Error {
    isobox_contract::Error::cancelled("the operation")
}

/// The end of an operation, also of one whose caller has gone.
struct Ending<'a> {
    told: &'a Told,
    action: Action,
    begun: Instant,
    error: Option<Report>,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let (action, duration) = (self.action, self.begun.elapsed());
        let kind = match self.error.take() {
            None => EventKind::OperationCompleted { action, duration },
            Some(error) => EventKind::OperationFailed { action, duration, error },
        };
        self.told.add(None, kind);
    }
}

impl EventSink for Told {
    fn emit(&self, event: EventKind) {
        self.emit_at(Timestamp::now(), event);
    }

    fn emit_at(&self, at: Timestamp, event: EventKind) {
        if self.record.wants(&event) {
            self.add(Some(at), event);
        }
    }
}

fn shortened(mut kind: EventKind) -> EventKind {
    if let EventKind::ExecStarted { label: Some(label), .. } = &mut kind
        && label.len() > LABEL
    {
        let end = (0..=LABEL).rev().find(|end| label.is_char_boundary(*end));
        label.truncate(end.unwrap_or_default());
    }
    kind
}

/// Progress for the caller, all of it, and for the books, some of it.
pub(crate) struct Both {
    caller: Arc<dyn EventSink>,
    books: Told,
    /// When each piece was last written down.
    last: Mutex<HashMap<String, Instant>>,
}

impl Both {
    pub(crate) fn new(caller: Arc<dyn EventSink>, books: Told) -> Arc<Self> {
        Arc::new(Self { caller, books, last: Mutex::default() })
    }

    fn is_due(&self, progress: &Progress) -> bool {
        let piece = format!("{} {}", progress.code, progress.message.as_deref().unwrap_or_default());
        let over = progress.total.is_some() && progress.completed == progress.total;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let due = over || last.get(&piece).is_none_or(|last| last.elapsed() >= PROGRESS);
        if due {
            last.insert(piece, Instant::now());
        }
        due
    }
}

impl EventSink for Both {
    fn emit(&self, event: EventKind) {
        let due = match &event {
            EventKind::OperationProgress { progress, .. } => self.books.record.progress && self.is_due(progress),
            _ => true,
        };
        if due {
            self.books.emit(event.clone());
        }
        self.caller.emit(event);
    }
}
