//! Events that wait for their batch, and how many found no room.

use isobox_contract::{EventKind, ProviderKind, Subject};
use isobox_control::NewEvent;
use std::collections::VecDeque;

/// The most that wait. Beyond, only what must not be lost is taken.
pub(super) const CAPACITY: usize = 16_384;
/// The most that wait of what must not be lost. More is only there when the store has failed for long, and is told as a failure.
pub(super) const MOST: usize = 4 * CAPACITY;
/// So many are written without waiting for more.
pub(super) const MANY: usize = 500;
/// The most of one batch, which is what the store takes at once.
const BATCH: usize = 1000;
/// The most subjects whose losses are counted apart.
const COUNTED: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct Queue {
    events: VecDeque<NewEvent>,
    lost: Vec<Lost>,
    /// How many were lost that must not be, since somebody was told so.
    failed: u64,
    pub(super) closed: bool,
    /// Whether the thread runs.
    pub(super) attended: bool,
}

/// How many events of a subject were lost.
#[derive(Debug)]
struct Lost {
    provider: Option<ProviderKind>,
    subject: Subject,
    count: u64,
}

impl Queue {
    /// Takes an event. Whether the thread has to know.
    pub(super) fn add(&mut self, event: NewEvent) -> bool {
        if self.closed {
            return false;
        }
        let must_stay = must_stay(&event.kind);
        if self.events.len() >= if must_stay { MOST } else { CAPACITY } {
            self.failed += u64::from(must_stay);
            self.lose(event.provider, event.subject);
            return false;
        }
        self.events.push_back(event);
        matches!(self.events.len(), 1 | MANY)
    }

    /// Puts back what could not be written and must not be lost, and counts the rest.
    pub(super) fn put_back(&mut self, events: Vec<NewEvent>) {
        for event in events.into_iter().rev() {
            if must_stay(&event.kind) {
                self.events.push_front(event);
            } else {
                self.lose(event.provider, event.subject);
            }
        }
        while self.events.len() > MOST
            && let Some(event) = self.events.pop_back()
        {
            self.failed += u64::from(must_stay(&event.kind));
            self.lose(event.provider, event.subject);
        }
    }

    /// How many were lost that must not be, since this was last asked.
    pub(super) fn take_failed(&mut self) -> u64 {
        std::mem::take(&mut self.failed)
    }

    fn lose(&mut self, provider: Option<ProviderKind>, subject: Subject) {
        let known = self.lost.iter().position(|lost| lost.subject == subject);
        match known.or((self.lost.len() >= COUNTED).then_some(0)) {
            Some(index) => self.lost[index].count += 1,
            None => self.lost.push(Lost { provider, subject, count: 1 }),
        }
    }

    /// What is to be written next, after a word of what was lost before it.
    pub(super) fn take(&mut self) -> Vec<NewEvent> {
        let mut batch: Vec<_> = self.lost.drain(..self.lost.len().min(BATCH / 2)).map(Lost::notice).collect();
        let room = BATCH - batch.len();
        batch.extend(self.events.drain(..room.min(self.events.len())));
        batch
    }

    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.lost.is_empty()
    }

    /// Whether there is no sense in waiting for more.
    pub(super) fn is_due(&self) -> bool {
        self.events.len() >= MANY || self.closed
    }

    pub(super) fn needs_thread(&self) -> bool {
        !self.attended && !self.closed && !self.is_empty()
    }

    pub(super) fn close(&mut self) {
        self.closed = true;
    }

    pub(super) fn is_over(&self) -> bool {
        self.closed && self.is_empty()
    }
}

/// What is dropped for want of room only as a failure: there is little of it, and a story without it makes no sense.
pub(super) fn must_stay(kind: &EventKind) -> bool {
    use EventKind as Kind;
    matches!(kind, Kind::OperationStarted { .. } | Kind::StateObserved { .. } | Kind::Died { .. })
        || kind.ends_operation()
}

impl Lost {
    fn notice(self) -> NewEvent {
        let message =
            format!("{} events were not written down, for want of room or because the store failed", self.count);
        NewEvent {
            at: None,
            provider: self.provider,
            subject: self.subject,
            operation: None,
            correlation: None,
            kind: EventKind::Notice { code: "events_lost".into(), message },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox_contract::{Action, ExecId, SandboxId};
    use std::time::Duration;

    fn of(sandbox: SandboxId, kind: EventKind) -> NewEvent {
        let subject = Subject::Sandbox { id: sandbox, external: None, name: None };
        NewEvent { at: None, provider: None, subject, operation: None, correlation: None, kind }
    }

    fn started(sandbox: SandboxId) -> NewEvent {
        of(sandbox, EventKind::ExecStarted { exec: ExecId::generate(), label: None })
    }

    fn ended(sandbox: SandboxId) -> NewEvent {
        of(sandbox, EventKind::OperationCompleted { action: Action::Pull, duration: Duration::ZERO })
    }

    #[test]
    fn what_finds_no_room_is_counted_and_told_and_an_end_always_finds_some() {
        let (mut queue, one, two) = (Queue::default(), SandboxId::generate(), SandboxId::generate());
        let woken = (0..CAPACITY).filter(|_| queue.add(started(one))).count();
        assert_eq!(woken, 2, "the first wakes the thread, and many do");
        assert!((0..3).all(|_| !queue.add(started(one))));
        queue.add(started(two));
        queue.add(ended(two));
        let mut all = Vec::new();
        while !queue.is_empty() {
            all.extend(queue.take());
        }
        assert_eq!(all.len(), CAPACITY + 3);
        let notice = |event: &NewEvent| match &event.kind {
            EventKind::Notice { code, message } if code == "events_lost" => message.clone(),
            other => panic!("{other:?}"),
        };
        assert!(notice(&all[0]).starts_with("3 events") && notice(&all[1]).starts_with("1 events"));
        assert!(all.last().is_some_and(|event| event.kind.ends_operation()));
    }

    #[test]
    fn also_what_must_not_be_lost_has_a_limit_and_its_loss_is_a_failure() {
        let (mut queue, sandbox) = (Queue::default(), SandboxId::generate());
        for _ in 0..MOST {
            queue.add(ended(sandbox));
        }
        assert_eq!(queue.take_failed(), 0);
        queue.add(ended(sandbox));
        let batch = queue.take();
        for _ in 0..10 {
            queue.add(ended(sandbox));
        }
        assert_eq!(queue.take_failed(), 1);
        queue.put_back(batch);
        assert!(queue.events.len() <= MOST);
        assert!(queue.take_failed() > 0 && queue.take_failed() == 0, "each loss is told once");
    }

    #[test]
    fn what_could_not_be_written_is_tried_again_if_it_must_not_be_lost() {
        let (mut queue, sandbox) = (Queue::default(), SandboxId::generate());
        queue.add(started(sandbox));
        queue.put_back(vec![started(sandbox), ended(sandbox)]);
        let kinds: Vec<_> = queue.take().iter().map(|event| event.kind.as_str()).collect();
        assert_eq!(kinds, ["notice", "operation_completed", "exec_started"]);
        queue.close();
        assert!(!queue.add(started(sandbox)) && queue.is_over());
    }
}
