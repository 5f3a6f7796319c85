//! A handle of a running command.

mod after;
mod ahead;
mod input;

pub(crate) use input::feed;

use crate::capture::{self, Capture};
use crate::channel::{Channel, Receiver, Sender, parse};
use crate::connection::{Guest, unexpected};
use crate::exec::{PATIENCE, confirm, exit, longest, within};
use crate::observer::{End, Guard};
use after::follow;
use ahead::Ahead;
use async_trait::async_trait;
use bytes::Bytes;
use input::Input;
use isobox_contract::exec::{
    ExecRequest, ExecResult, OutputEvent, OutputLimits, Process, Signal, SignalTarget, Stdin, Stream, TerminalSize,
};
use isobox_contract::{Error, ErrorCode, ExecId, Result};
use isobox_wire as wire;
use isobox_wire::{Kind, Reply, Request};
use std::sync::Mutex as StdMutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

/// A command that runs in the sandbox.
pub(crate) struct GuestProcess {
    guest: Guest,
    id: ExecId,
    pid: Option<u32>,
    takes_input: bool,
    has_terminal: bool,
    merged: bool,
    grace: Option<Duration>,
    reader: Mutex<Reader>,
    ahead: StdMutex<Ahead>,
    result: watch::Sender<Option<Result<ExecResult>>>,
    input: Mutex<Input>,
    /// What is told of it, in the handle of whoever has started it.
    told: StdMutex<Option<Guard>>,
    output_limit: u64,
    detached: AtomicBool,
    /// When it must have ended, whatever the agent says; none for one without a timeout, or that somebody else has started.
    deadline: Option<Instant>,
    /// Held for its existence: the agent ends the command when this direction is reset.
    _held: Sender,
}

struct Reader {
    receiver: Receiver,
    stdout: Capture,
    stderr: Capture,
}

impl GuestProcess {
    pub(crate) fn new(
        guest: Guest,
        id: ExecId,
        request: &ExecRequest,
        started: wire::ProcessInfo,
        channel: Channel,
        guard: Guard,
    ) -> Self {
        let mut process = Self::attached(guest, id, started, channel);
        process.told = StdMutex::new(Some(guard));
        process.output_limit = request.output.total();
        process.detached = AtomicBool::new(request.detached);
        process.deadline = longest(request).and_then(|longest| Instant::now().checked_add(longest));
        process.takes_input = matches!(request.stdin, Stdin::Stream);
        let reader = process.reader.get_mut();
        (reader.stdout, reader.stderr) = (Capture::new(&request.output), Capture::new(&request.output));
        process
    }

    pub(crate) fn attached(guest: Guest, id: ExecId, started: wire::ProcessInfo, channel: Channel) -> Self {
        let capture = || Capture::new(&OutputLimits::default());
        Self {
            guest,
            id,
            pid: (started.pid != 0).then_some(started.pid),
            takes_input: started.stdin,
            has_terminal: started.pty,
            merged: started.pty || started.merge_stderr,
            grace: started.grace,
            reader: Mutex::new(Reader { receiver: channel.receiver, stdout: capture(), stderr: capture() }),
            ahead: StdMutex::default(),
            result: watch::Sender::new(None),
            input: Mutex::new(Input::Unopened),
            told: StdMutex::new(None),
            output_limit: OutputLimits::DEFAULT_BYTES,
            detached: AtomicBool::new(true),
            deadline: None,
            _held: channel.sender,
        }
    }

    /// Gives the command its whole input in the background; the command's end is also the end of that.
    pub(crate) fn feed(&self, bytes: Bytes) {
        let (guest, id) = (self.guest.clone(), self.id);
        tokio::spawn(async move { drop(feed(&guest, id, bytes).await) });
    }

    fn ahead(&self) -> std::sync::MutexGuard<'_, Ahead> {
        self.ahead.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Reads one event from the agent; the end goes into the result.
    async fn read(&self, reader: &mut Reader) -> Result<Option<OutputEvent>> {
        // Whoever looks only after the deadline has to be told what the agent said before.
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now()).max(PATIENCE);
        let frame = match within(self.deadline.map(left), reader.receiver.next()).await {
            Ok(Some(frame)) => frame,
            Ok(None) => return self.end(Err(reader.receiver.lost().await)),
            Err(error) => return self.end(Err(error)),
        };
        match frame.kind {
            Kind::Stdout => {
                self.guest.observer().saw(&frame.payload);
                reader.stdout.push(&frame.payload);
                Ok(Some(OutputEvent::Stdout(frame.payload)))
            }
            Kind::Stderr => {
                self.guest.observer().saw(&frame.payload);
                reader.stderr.push(&frame.payload);
                Ok(Some(OutputEvent::Stderr(frame.payload)))
            }
            Kind::Message => self.message(reader, &frame.payload),
            Kind::Data | Kind::Eof => self.end(Err(unexpected())),
        }
    }

    fn message(&self, reader: &mut Reader, payload: &[u8]) -> Result<Option<OutputEvent>> {
        match parse(payload) {
            Ok(Reply::Gap { stderr, bytes }) => {
                let (stream, capture) =
                    if stderr { (Stream::Stderr, &mut reader.stderr) } else { (Stream::Stdout, &mut reader.stdout) };
                capture.miss(bytes);
                Ok(Some(OutputEvent::Gap { stream, bytes }))
            }
            Ok(Reply::Exited(ended)) => {
                let stdout = reader.stdout.captured(capture::spill(&ended.stdout));
                let stderr = reader.stderr.captured(capture::spill(&ended.stderr));
                let mut result = ExecResult::new(exit(&ended), stdout, stderr);
                result.streams_separated = !self.merged;
                match self.guard() {
                    Some(guard) => guard.ended(End::of(&result, self.output_limit)),
                    None => self.guest.observer().overheard(&self.id, result.exit()),
                }
                self.end(confirm(&ended).map(|()| result))
            }
            Ok(_) => self.end(Err(unexpected())),
            Err(error) => self.end(Err(error)),
        }
    }

    fn guard(&self) -> Option<Guard> {
        self.told.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
    }

    fn end(&self, result: Result<ExecResult>) -> Result<Option<OutputEvent>> {
        if let Some(guard) = self.guard() {
            guard.ended(End::unknown());
        }
        self.result.send_replace(Some(result));
        Ok(None)
    }

    fn ended(&self) -> bool {
        self.result.borrow().is_some()
    }
}

#[async_trait]
impl Process for GuestProcess {
    fn id(&self) -> &ExecId {
        &self.id
    }

    fn pid(&self) -> Option<u32> {
        self.pid
    }

    async fn next(&self) -> Result<Option<OutputEvent>> {
        loop {
            let taken = self.ahead().take(|| self.result.borrow().clone());
            if let Some(taken) = taken {
                return taken;
            }
            let mut reader = self.reader.lock().await;
            // While this one waited for its turn, another may have read for it.
            if !self.ended()
                && self.ahead().is_empty()
                && let Some(event) = self.read(&mut reader).await?
            {
                return Ok(Some(event));
            }
        }
    }

    async fn write(&self, data: Bytes) -> Result<()> {
        let mut input = self.input.lock().await;
        if !self.takes_input {
            return Err(Error::new(ErrorCode::InvalidState, "the command has no input stream, start it with one"));
        }
        input.write(&self.guest, self.id, &data).await
    }

    async fn close_stdin(&self) -> Result<()> {
        let mut input = self.input.lock().await;
        if !self.takes_input {
            return Ok(());
        }
        input.close(&self.guest, self.id, self.has_terminal).await
    }

    async fn signal(&self, signal: Signal, target: SignalTarget) -> Result<()> {
        let target = match target {
            SignalTarget::Leader => wire::exec::Target::Leader,
            _ => wire::exec::Target::Tree,
        };
        self.guest.done(Request::Signal { process: self.id.to_string(), signal: signal.number(), target }).await
    }

    async fn resize(&self, size: TerminalSize) -> Result<()> {
        let size = wire::exec::Size { rows: size.rows, columns: size.cols };
        self.guest.done(Request::Resize { process: self.id.to_string(), size }).await
    }

    async fn stop(&self, grace: Option<Duration>) -> Result<()> {
        let grace = grace.or(self.grace).filter(|grace| !grace.is_zero());
        self.guest.done(Request::Stop { process: self.id.to_string(), grace }).await
    }

    async fn wait(&self) -> Result<ExecResult> {
        let mut result = self.result.subscribe();
        loop {
            if let Some(result) = result.borrow_and_update().clone() {
                return result;
            }
            let mut reader = tokio::select! {
                reader = self.reader.lock() => reader,
                _ = result.changed() => continue,
            };
            if !self.ended()
                && let Some(event) = self.read(&mut reader).await?
            {
                self.ahead().put(event);
            }
        }
    }

    async fn detach(&self) -> Result<()> {
        self.guest.done(Request::Detach { process: self.id.to_string() }).await?;
        self.detached.store(true, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for GuestProcess {
    fn drop(&mut self) {
        let Some(guard) = self.guard() else { return };
        if self.guest.here().is_err() {
            // A thread that is not there may have the locks that telling takes.
            std::mem::forget(guard);
        } else if self.detached.load(Ordering::Relaxed) {
            match tokio::runtime::Handle::try_current() {
                Ok(runtime) => drop(runtime.spawn(follow(&self.guest, self.id, guard))),
                Err(_) => guard.leave(),
            }
        }
    }
}
