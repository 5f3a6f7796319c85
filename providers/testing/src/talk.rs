//! The inside of an interactive command.

use crate::call::Call;
use crate::exec::Running;
use bytes::Bytes;
use isobox_contract::{Stream, TerminalSize};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What an interactive command reads and writes. Its future is dropped where it is when the command is ended from outside.
///
/// A terminal here does not echo and leaves line ends as they are: what comes out is what the command writes.
pub struct Talk {
    running: Arc<Running>,
    call: Arc<Call>,
    /// Input that came and was not read as a line yet.
    pending: Vec<u8>,
}

impl Talk {
    pub(crate) fn new(running: Arc<Running>, call: Arc<Call>) -> Self {
        Self { running, call, pending: Vec::new() }
    }

    /// The command that this is.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// The next input as it was written; nothing at its end.
    pub async fn read(&mut self) -> Option<Bytes> {
        if !self.pending.is_empty() {
            return Some(std::mem::take(&mut self.pending).into());
        }
        self.running.read().await
    }

    /// The next line of input without its end; nothing at the end of the input.
    pub async fn read_line(&mut self) -> Option<String> {
        loop {
            if let Some(at) = self.pending.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
                let line: Vec<u8> = self.pending.drain(..=at).collect();
                return Some(String::from_utf8_lossy(&line[..at]).into_owned());
            }
            match self.running.read().await {
                Some(bytes) => self.pending.extend_from_slice(&bytes),
                None if self.pending.is_empty() => return None,
                None => return Some(String::from_utf8_lossy(&std::mem::take(&mut self.pending)).into_owned()),
            }
        }
    }

    /// The whole rest of the input.
    pub async fn read_to_end(&mut self) -> Bytes {
        let mut all = std::mem::take(&mut self.pending);
        while let Some(bytes) = self.running.read().await {
            all.extend_from_slice(&bytes);
        }
        all.into()
    }

    /// Writes to stdout, or to the terminal.
    pub fn write(&self, output: impl Into<Bytes>) {
        self.running.put(Stream::Stdout, output.into());
    }

    /// Writes to stderr, or to the terminal.
    pub fn write_err(&self, output: impl Into<Bytes>) {
        self.running.put(Stream::Stderr, output.into());
    }

    /// Takes that long, by the clock.
    pub async fn sleep(&self, duration: Duration) {
        self.running.clone().rest(duration).await;
    }

    /// The size of its terminal now.
    pub fn terminal(&self) -> Option<TerminalSize> {
        self.running.size()
    }
}

impl fmt::Debug for Talk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Talk").field("call", &self.call).finish_non_exhaustive()
    }
}
