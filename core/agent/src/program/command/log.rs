//! What a command wrote to one stream, as much as is kept: its beginning, its end, and how much there was.
//!
//! ```text
//! 0            head                     observed - tail        observed
//! ├─────────────┤╌╌╌╌╌╌ omitted ╌╌╌╌╌╌╌╌╌╌┤──────────────────────┤
//! ```

use isobox_wire::exec::Stats;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::time::Instant;

/// What is kept at least from the end, so that somebody who attaches sees recent output.
const RECENT: usize = 64 << 10;

#[derive(Debug)]
pub(super) struct Log {
    kept: Mutex<Kept>,
    changed: Notify,
    look: Notify,
}

/// What the pump is doing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Flow {
    /// It waits for output since then.
    Quiet(Instant),
    /// It has output and passes it on.
    Moving,
    /// A client that does not read keeps it from going on.
    Blocked,
    /// There will be no more.
    Ended,
}

#[derive(Debug)]
struct Kept {
    head: Vec<u8>,
    head_limit: usize,
    tail: VecDeque<u8>,
    tail_limit: usize,
    tail_asked: usize,
    observed: u64,
    flow: Flow,
    spill: Option<Vec<u8>>,
}

/// A piece of a log.
#[derive(Debug, PartialEq)]
pub(super) struct Piece {
    /// Bytes that were asked for and are gone.
    pub(super) missing: u64,
    /// What follows them.
    pub(super) bytes: Vec<u8>,
}

impl Log {
    pub(super) fn new(head: u64, tail: u64) -> Self {
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let kept = Kept {
            head: Vec::new(),
            head_limit: size(head),
            tail: VecDeque::new(),
            tail_limit: size(tail).max(RECENT),
            tail_asked: size(tail),
            observed: 0,
            // As good as unknown: its end is judged by what the pump sees after the command has ended.
            flow: Flow::Quiet(Instant::now()),
            spill: None,
        };
        Self { kept: Mutex::new(kept), changed: Notify::new(), look: Notify::new() }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what the command wrote.
    pub(super) fn append(&self, bytes: &[u8]) {
        self.kept().append(bytes);
        self.changed.notify_waiters();
    }

    /// Whether `more` bytes on top of what there is would be more than is kept.
    pub(super) fn would_overflow(&self, more: usize) -> bool {
        let kept = self.kept();
        kept.observed + more as u64 > (kept.head_limit as u64).saturating_add(kept.tail_asked as u64)
    }

    /// Everything that is kept, in order.
    pub(super) fn contents(&self) -> Vec<u8> {
        let kept = self.kept();
        let (front, back) = kept.tail.as_slices();
        [&kept.head, front, back].concat()
    }

    /// Everything that was asked to be kept, and the numbers that belong to it.
    pub(super) fn captured(&self) -> (Vec<u8>, Stats) {
        let kept = self.kept();
        let mut bytes = kept.head.clone();
        bytes.extend(kept.tail.iter().skip(kept.surplus()));
        (bytes, kept.stats())
    }

    /// The numbers alone.
    pub(super) fn stats(&self) -> Stats {
        self.kept().stats()
    }

    /// The bytes from `offset` on, at most `limit` of them.
    pub(super) fn read(&self, offset: u64, limit: usize) -> Piece {
        self.kept().read(offset, limit)
    }

    /// Bytes of memory that the log holds.
    pub(super) fn held(&self) -> usize {
        let kept = self.kept();
        kept.head.len() + kept.tail.len()
    }

    pub(super) fn observed(&self) -> u64 {
        self.kept().observed
    }

    pub(super) fn set_spill(&self, path: Option<Vec<u8>>) {
        self.kept().spill = path;
    }

    pub(super) fn flow(&self) -> Flow {
        self.kept().flow
    }

    pub(super) fn set_flow(&self, flow: Flow) {
        self.kept().flow = flow;
        self.changed.notify_waiters();
    }

    /// Completes at the next change after this call.
    pub(super) fn changed(&self) -> Notified<'_> {
        self.changed.notified()
    }

    /// Makes the pump look whether there is output right now. It then says `Quiet` with a time after this call, or goes on.
    pub(super) fn look_again(&self) {
        self.look.notify_one();
    }

    /// Completes when the pump is to look.
    pub(super) async fn asked_to_look(&self) {
        self.look.notified().await;
    }

    /// Forgets all but recent output, for a command whose result has been delivered.
    pub(super) fn shrink(&self) {
        let mut kept = self.kept();
        let head = std::mem::take(&mut kept.head);
        if (head.len() + kept.tail.len()) as u64 == kept.observed {
            // Nothing is missing between the two, so the end of the one is recent as well.
            let recent = RECENT.saturating_sub(kept.tail.len()).min(head.len());
            head[head.len() - recent..].iter().rev().for_each(|byte| kept.tail.push_front(*byte));
        }
        kept.head_limit = 0;
        kept.tail_limit = RECENT;
        kept.trim();
        kept.tail.shrink_to_fit();
    }
}

impl Kept {
    /// Bytes of the tail that are there for followers only.
    fn surplus(&self) -> usize {
        self.tail.len().saturating_sub(self.tail_asked)
    }

    fn stats(&self) -> Stats {
        let retained = (self.head.len() + self.tail.len() - self.surplus()) as u64;
        Stats {
            observed: self.observed,
            retained,
            omitted: self.observed - retained,
            gap: self.head.len() as u64,
            spill: self.spill.clone().map(Into::into),
        }
    }

    fn append(&mut self, mut bytes: &[u8]) {
        self.observed += bytes.len() as u64;
        // The head takes the beginning of the stream only, also after a shrink.
        if self.tail.is_empty() && self.head.len() < self.head_limit {
            let (first, rest) = bytes.split_at(bytes.len().min(self.head_limit - self.head.len()));
            self.head.extend_from_slice(first);
            bytes = rest;
        }
        let last = &bytes[bytes.len().saturating_sub(self.tail_limit)..];
        if last.len() < bytes.len() {
            self.tail.clear();
        }
        self.tail.extend(last);
        self.trim();
    }

    fn trim(&mut self) {
        let surplus = self.tail.len().saturating_sub(self.tail_limit);
        self.tail.drain(..surplus);
    }

    fn read(&self, offset: u64, limit: usize) -> Piece {
        let head = self.head.len() as u64;
        let tail = self.observed - self.tail.len() as u64;
        if offset < head {
            let bytes = &self.head[offset as usize..];
            return Piece { missing: 0, bytes: bytes[..bytes.len().min(limit)].to_vec() };
        }
        let start = offset.clamp(tail, self.observed);
        let skip = (start - tail) as usize;
        let bytes = self.tail.iter().skip(skip).take(limit).copied().collect();
        Piece { missing: start.saturating_sub(offset), bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(head: u64, tail: u64, pieces: &[&[u8]]) -> Log {
        let log = Log::new(head, tail);
        pieces.iter().for_each(|piece| log.append(piece));
        log
    }

    #[test]
    fn what_fits_is_kept_whole() {
        let (bytes, stats) = written(3, 3, &[b"ab", b"cd", b"ef"]).captured();
        assert_eq!(bytes, b"abcdef");
        assert_eq!((stats.observed, stats.retained, stats.omitted), (6, 6, 0));
    }

    #[test]
    fn what_does_not_fit_keeps_its_beginning_and_its_end() {
        for pieces in [&[&b"0123456789"[..]][..], &[b"01", b"2345", b"6", b"789"], &[b"0123", b"456789"]] {
            let (bytes, stats) = written(3, 2, pieces).captured();
            assert_eq!(bytes, b"01289");
            assert_eq!((stats.observed, stats.retained, stats.omitted, stats.gap), (10, 5, 5, 3));
        }
    }

    #[test]
    fn nothing_is_kept_when_nothing_is_asked_for_but_recent_output_can_be_followed() {
        let log = written(0, 0, &[b"hello"]);
        assert_eq!(log.captured().1, Stats { observed: 5, omitted: 5, ..Stats::default() });
        assert_eq!(log.read(1, 3), Piece { missing: 0, bytes: b"ell".to_vec() });
    }

    #[test]
    fn a_follower_is_told_what_it_missed() {
        let log = written(4, 0, &[&b"x".repeat(4), &b"y".repeat(100), &b"z".repeat(RECENT)]);
        assert_eq!(log.read(2, 10).bytes, b"xx");
        let piece = log.read(4, 10);
        assert_eq!((piece.missing, piece.bytes), (100, b"z".repeat(10)));
        assert_eq!(log.read(log.observed(), 10), Piece { missing: 0, bytes: Vec::new() });
    }

    #[test]
    fn recent_output_is_there_after_a_shrink() {
        let log = written(100, 100, &[b"hello ", b"world"]);
        log.shrink();
        assert_eq!(log.read(0, 100), Piece { missing: 0, bytes: b"hello world".to_vec() });
        let log = written(3, 100, &[b"abc", &b"x".repeat(RECENT), b"end"]);
        log.shrink();
        assert_eq!(log.read(0, 100).missing, 6);
        log.append(b"more");
        assert_eq!(log.read(log.observed() - 7, 100).bytes, b"endmore");
    }

    #[test]
    fn memory_stays_flat_whatever_is_written() {
        let log = Log::new(1000, 1000);
        let chunk = vec![7; 128 << 10];
        (0..4096).for_each(|_| log.append(&chunk));
        assert_eq!(log.observed(), 512 << 20);
        let kept = log.kept();
        assert!(
            kept.head.capacity() + kept.tail.capacity() < 1 << 20,
            "{} {}",
            kept.head.capacity(),
            kept.tail.capacity()
        );
    }
}
