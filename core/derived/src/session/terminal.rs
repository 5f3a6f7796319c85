//! The shell's terminal: what comes out of it is read all the time, whether a script runs or not.

use super::capture::Capture;
use super::echoed::Echoed;
use super::scanner::{End, Scanner};
use bytes::Bytes;
use isobox_contract::{Exit, OutputEvent, Process, Result};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Bytes of a script's output that are kept from its beginning, and as many from its end.
const KEPT: usize = 5 << 20;

/// A terminal with a shell in it. Dropping it ends the shell and everything that came out of it.
pub(super) struct Terminal {
    process: Arc<dyn Process>,
    seen: Arc<Seen>,
    reader: JoinHandle<()>,
}

struct Seen {
    scanner: Mutex<Option<Scanner>>,
    /// Changes whenever a waiter should look.
    changed: watch::Sender<u64>,
    over: watch::Sender<Option<Result<Exit>>>,
}

impl Seen {
    fn scanner(&self) -> MutexGuard<'_, Option<Scanner>> {
        self.scanner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, bytes: &[u8]) {
        let mut scanner = self.scanner();
        if let Some(scanner) = &mut *scanner {
            let before = (scanner.has_begun(), scanner.end().is_some());
            scanner.push(bytes);
            if before != (scanner.has_begun(), scanner.end().is_some()) {
                self.changed.send_modify(|count| *count += 1);
            }
        }
    }
}

impl Terminal {
    /// Begins to read.
    pub(super) fn new(process: Arc<dyn Process>) -> Self {
        let seen = Arc::new(Seen {
            scanner: Mutex::new(None),
            changed: watch::Sender::new(0),
            over: watch::Sender::new(None),
        });
        let reader = tokio::spawn(read(process.clone(), seen.clone()));
        Self { process, seen, reader }
    }

    /// The shell's process id in the sandbox.
    pub(super) fn pid(&self) -> Option<u32> {
        self.process.pid()
    }

    /// From now on, output is looked through for the marks with this token. `echoed` knows what is typed next.
    pub(super) fn begin(&self, token: &str, echoed: Echoed) {
        *self.seen.scanner() = Some(Scanner::new(token, echoed, Capture::new(KEPT, KEPT)));
    }

    /// Types something beside a script that runs.
    pub(super) async fn write_beside(&self, bytes: &[u8]) -> Result<()> {
        if let Some(scanner) = &mut *self.seen.scanner() {
            scanner.typed(bytes);
        }
        self.write(bytes).await
    }

    /// Types something.
    pub(super) async fn write(&self, bytes: &[u8]) -> Result<()> {
        match self.process.write(Bytes::copy_from_slice(bytes)).await {
            // A shell that has ended is seen at its output.
            Err(_) if self.exit().is_some() => Ok(()),
            Err(error) if error.code() == isobox_contract::ErrorCode::Io => Ok(()),
            written => written,
        }
    }

    /// The end of the script, once its mark has come.
    pub(super) fn end(&self) -> Option<End> {
        self.seen.scanner().as_ref().and_then(|scanner| scanner.end().cloned())
    }

    /// Waits until the script has begun, or can no longer do so.
    pub(super) async fn begun(&self) {
        let mut changed = self.seen.changed.subscribe();
        let waiting = || self.seen.scanner().as_ref().is_some_and(|scanner| !scanner.has_begun());
        while waiting() && self.exit().is_none() && changed.changed().await.is_ok() {}
    }

    /// How the shell ended, if it has.
    pub(super) fn exit(&self) -> Option<Result<Exit>> {
        self.seen.over.borrow().clone()
    }

    /// Takes the script's output, and how many bytes of it were too many.
    pub(super) fn take(&self) -> (Bytes, u64) {
        self.seen.scanner().take().map(Scanner::finish).unwrap_or_default()
    }

    /// Waits for the script's end or the shell's. An error when the shell's end is not known.
    pub(super) async fn settled(&self) -> Result<()> {
        let (mut changed, mut over) = (self.seen.changed.subscribe(), self.seen.over.subscribe());
        loop {
            if self.end().is_some() {
                return Ok(());
            }
            if let Some(exit) = over.borrow_and_update().clone() {
                return exit.map(drop);
            }
            tokio::select! {
                changed = changed.changed() => if changed.is_err() { return Ok(()) },
                over = over.changed() => if over.is_err() { return Ok(()) },
            }
        }
    }

    /// Ends the shell and everything that came out of it.
    pub(super) async fn stop(&self) -> Result<()> {
        self.process.stop(Some(Duration::ZERO)).await
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.reader.abort();
        // What a shell that has ended left behind is not ended by dropping its handle.
        if self.exit().is_some()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let process = self.process.clone();
            runtime.spawn(async move { drop(process.stop(Some(Duration::ZERO)).await) });
        }
    }
}

async fn read(process: Arc<dyn Process>, seen: Arc<Seen>) {
    loop {
        let over = match process.next().await {
            Ok(Some(OutputEvent::Stdout(bytes) | OutputEvent::Stderr(bytes))) => {
                seen.push(&bytes);
                continue;
            }
            Ok(Some(OutputEvent::Exited(exit))) => Ok(exit),
            Ok(Some(_)) => continue,
            Ok(None) => process.wait().await.map(|result| result.exit()),
            Err(error) => Err(error),
        };
        seen.over.send_replace(Some(over));
        return;
    }
}
