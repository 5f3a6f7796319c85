//! How much an image may be.

use crate::problem::Problem;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most that one layer may unpack to, against archives that are small and unpack to everything there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the unpacked stream, and the size of one file with its holes; 64 GiB by default.
    pub bytes: u64,
    /// Entries; 4 million by default.
    pub entries: u64,
    /// Bytes of the names of directories and late links, which are kept in memory while a layer is unpacked; 64 MiB by
    /// default.
    pub names: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 << 30, entries: 4_000_000, names: 64 << 20 }
    }
}

/// Says that nobody waits for the work any more. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Ends the work at its next step.
    pub(crate) fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Set once nobody waits.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.0.load(Ordering::Relaxed) { Err(Problem::Cancelled) } else { Ok(()) }
    }
}

/// A stream that fails when it is longer than the limit or nobody waits for it.
pub(crate) struct Bounded<R> {
    stream: R,
    left: u64,
    max: u64,
    cancel: Cancel,
}

impl<R> Bounded<R> {
    pub(crate) fn new(stream: R, max: u64, cancel: &Cancel) -> Self {
        Self { stream, left: max, max, cancel: cancel.clone() }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.cancel.check()?;
        let count = self.stream.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return Err(Problem::Limit { what: "bytes", max: self.max }.into()),
        }
        Ok(count)
    }
}
