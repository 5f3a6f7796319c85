//! The first and the last bytes of an output.

use bytes::Bytes;
use std::collections::VecDeque;

/// Keeps at most `head` bytes of the beginning and `tail` of the end.
pub(super) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    limits: (usize, usize),
    omitted: u64,
}

impl Capture {
    /// Has nothing yet.
    pub(super) fn new(head: usize, tail: usize) -> Self {
        Self { head: Vec::new(), tail: VecDeque::new(), limits: (head, tail), omitted: 0 }
    }

    /// Adds bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.limits.0 - self.head.len()));
        self.head.extend_from_slice(first);
        let skipped = rest.len().saturating_sub(self.limits.1);
        self.tail.extend(&rest[skipped..]);
        let surplus = self.tail.len().saturating_sub(self.limits.1);
        self.tail.drain(..surplus);
        self.omitted += (skipped + surplus) as u64;
    }

    /// What was kept, and how many bytes were not.
    pub(super) fn finish(mut self) -> (Bytes, u64) {
        let (front, back) = self.tail.as_slices();
        self.head.extend_from_slice(front);
        self.head.extend_from_slice(back);
        (self.head.into(), self.omitted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_left_out_and_counted() {
        for size in 1..=10 {
            let mut capture = Capture::new(3, 2);
            b"0123456789".chunks(size).for_each(|piece| capture.push(piece));
            let (bytes, omitted) = capture.finish();
            assert_eq!((&bytes[..], omitted), (&b"01289"[..], 5), "in pieces of {size}");
        }
    }
}
