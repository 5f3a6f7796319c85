//! Output as it comes in: kept within limits, counted in full.

use isobox_contract::SandboxPath;
use isobox_contract::exec::{Captured, OutputLimits};
use isobox_wire::exec::Stats;
use std::collections::VecDeque;

/// What a streaming client keeps of one stream: the first and the last bytes.
#[derive(Debug)]
pub(crate) struct Capture {
    head: Vec<u8>,
    head_limit: usize,
    tail: VecDeque<u8>,
    tail_limit: usize,
    observed: u64,
    lost: u64,
}

impl Capture {
    pub(crate) fn new(limits: &OutputLimits) -> Self {
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        Self {
            head: Vec::new(),
            head_limit: size(limits.head),
            tail: VecDeque::new(),
            tail_limit: size(limits.tail),
            observed: 0,
            lost: 0,
        }
    }

    pub(crate) fn push(&mut self, mut bytes: &[u8]) {
        self.observed += bytes.len() as u64;
        let (first, rest) = bytes.split_at(bytes.len().min(self.head_limit - self.head.len()));
        self.head.extend_from_slice(first);
        bytes = rest;
        let last = &bytes[bytes.len().saturating_sub(self.tail_limit)..];
        if last.len() < bytes.len() {
            self.tail.clear();
        }
        self.tail.extend(last);
        let surplus = self.tail.len().saturating_sub(self.tail_limit);
        self.tail.drain(..surplus);
    }

    /// Bytes that will never come.
    pub(crate) fn miss(&mut self, bytes: u64) {
        self.lost = self.lost.saturating_add(bytes);
    }

    pub(crate) fn captured(&self, spill: Option<SandboxPath>) -> Captured {
        let mut bytes = self.head.clone();
        let (front, back) = self.tail.as_slices();
        bytes.extend_from_slice(front);
        bytes.extend_from_slice(back);
        let retained = bytes.len() as u64;
        Captured {
            bytes: bytes.into(),
            observed: self.observed,
            retained,
            omitted: self.observed - retained,
            omitted_at: self.head.len() as u64,
            lost: self.lost,
            spill,
        }
    }
}

/// The file that holds the whole stream, as the agent says.
pub(crate) fn spill(stats: &Stats) -> Option<SandboxPath> {
    stats.spill.as_ref().map(|path| SandboxPath::from(path.to_vec()))
}

/// What the agent kept and sent, with its own account of what it left out. The account is the agent's word: it is made to
/// fit what came.
pub(crate) fn kept(bytes: Vec<u8>, stats: &Stats) -> Captured {
    let retained = bytes.len() as u64;
    let observed = stats.observed.max(retained);
    Captured {
        bytes: bytes.into(),
        observed,
        retained,
        omitted: observed - retained,
        omitted_at: stats.gap.min(retained),
        lost: 0,
        spill: spill(stats),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_kept_and_everything_is_counted() {
        let mut capture = Capture::new(&OutputLimits { head: 3, tail: 2, ..OutputLimits::default() });
        for piece in [&b"01"[..], b"23456", b"7", b"89"] {
            capture.push(piece);
        }
        let captured = capture.captured(None);
        assert_eq!(&captured.bytes[..], b"01289");
        assert_eq!((captured.observed, captured.retained, captured.omitted, captured.omitted_at), (10, 5, 5, 3));
    }

    #[test]
    fn a_false_account_cannot_break_the_sum() {
        let stats = Stats { observed: 1, retained: 9, omitted: 77, gap: 1000, spill: None };
        let captured = kept(b"abc".to_vec(), &stats);
        assert_eq!((captured.observed, captured.retained, captured.omitted, captured.omitted_at), (3, 3, 0, 3));
    }
}
