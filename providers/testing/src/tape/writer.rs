//! Writing a tape.

use super::format::{Ending, Line, Piece, Ran, VERSION};
use super::redact::Redact;
use crate::sync::locked;
use bytes::Bytes;
use isobox_contract::{Capabilities, Detail, Error, ProviderKind, Report, Result, Stream};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) struct Writer {
    file: Mutex<File>,
    order: AtomicU64,
    sandboxes: AtomicU64,
    pub(super) redact: Redact,
    pub(super) env_values: bool,
    failed: Mutex<Option<Error>>,
}

impl Writer {
    pub(super) fn create(path: &Path, kind: &ProviderKind, able: &Capabilities, env_values: bool) -> Result<Self> {
        let made = File::create(path);
        let file = made.map_err(|error| Error::io(format!("the tape {}", path.display()), error))?;
        let writer = Self {
            file: Mutex::new(file),
            order: AtomicU64::new(0),
            sandboxes: AtomicU64::new(0),
            redact: Redact::default(),
            env_values,
            failed: Mutex::new(None),
        };
        let capabilities = Box::new(able.clone());
        writer.write(&Line::Tape { version: VERSION, kind: kind.clone(), capabilities, env_values });
        writer.failed().map_or(Ok(writer), Err)
    }

    /// The place of the next call.
    pub(super) fn next(&self) -> u64 {
        self.order.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn next_sandbox(&self) -> u64 {
        self.sandboxes.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Writes a line. What goes wrong is told by whoever finishes the tape: the program must not notice that it is recorded.
    pub(super) fn write(&self, line: &Line) {
        let written = serde_json::to_vec(line).map_err(std::io::Error::other).and_then(|mut bytes| {
            bytes.push(b'\n');
            locked(&self.file).write_all(&bytes)
        });
        if let Err(error) = written {
            locked(&self.failed).get_or_insert(Error::io("a tape", error));
        }
    }

    /// Writes a command that has ended.
    pub(super) fn ran(&self, mut ran: Ran) {
        if !self.redact.is_empty() {
            ran.output = self.redacted(ran.output);
        }
        if matches!(ran.end, Ending::TooLarge) {
            ran.output.clear();
        }
        self.write(&Line::Exec(Box::new(ran)));
    }

    /// Output without secrets, also those that two pieces have between them: then the stream becomes one piece.
    fn redacted(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = pieces;
        for stream in [Stream::Stdout, Stream::Stderr] {
            let of = |piece: &Piece| piece.stream == stream;
            let join = |pieces: &[Piece]| -> Vec<u8> {
                pieces.iter().filter(|piece| of(piece)).flat_map(|piece| piece.data.to_vec()).collect()
            };
            let whole = self.redact.bytes(&join(&pieces));
            for piece in pieces.iter_mut().filter(|piece| of(piece)) {
                piece.data = self.redact.bytes(&piece.data);
            }
            if whole != join(&pieces) {
                let mut rest: Option<Bytes> = Some(whole);
                pieces.retain_mut(|piece| match (of(piece), rest.take()) {
                    (true, Some(whole)) => {
                        piece.data = whole;
                        true
                    }
                    (of, kept) => {
                        rest = kept;
                        !of
                    }
                });
            }
        }
        pieces
    }

    /// An error without the last output of a sandbox.
    pub(super) fn report(error: &Error) -> Report {
        let mut report = Report::from(error);
        if let Detail::PostMortem(post_mortem) = &mut report.detail {
            post_mortem.last_output = Bytes::new();
        }
        report
    }

    pub(super) fn failed(&self) -> Option<Error> {
        locked(&self.failed).clone()
    }
}
