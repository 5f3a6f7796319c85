//! A handle of a running command.

use crate::capture::{self, Capture};
use crate::channel::{Channel, Receiver, Sender, parse};
use crate::connection::{Guest, unexpected};
use crate::exec::{confirm, exit};
use crate::observer::{End, Guard};
use async_trait::async_trait;
use bytes::Bytes;
use isobox_contract::exec::{
    ExecRequest, ExecResult, OutputEvent, OutputLimits, Process, Signal, SignalTarget, Stdin, Stream, TerminalSize,
};
use isobox_contract::{Error, ErrorCode, ExecId, Result};
use isobox_wire as wire;
use isobox_wire::{Kind, Reply, Request};
use std::collections::VecDeque;
use std::sync::Mutex as StdMutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, watch};

/// Bytes that a waiter reads ahead for a consumer before they count as missed.
const READ_AHEAD: usize = 8 << 20;

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
    /// Held for its existence: the agent ends the command when this direction is reset.
    _held: Sender,
}

struct Reader {
    receiver: Receiver,
    stdout: Capture,
    stderr: Capture,
}

/// What a waiter read and a consumer has not seen yet.
#[derive(Default)]
struct Ahead {
    events: VecDeque<OutputEvent>,
    bytes: usize,
    missed: [u64; 2],
    end_told: bool,
}

enum Input {
    Unopened,
    Open(Channel),
    Closed,
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

    /// Takes what was read ahead; then the end, once.
    fn take(&self) -> Option<Result<Option<OutputEvent>>> {
        let mut ahead = self.ahead();
        for (index, stream) in [Stream::Stdout, Stream::Stderr].into_iter().enumerate() {
            let bytes = std::mem::take(&mut ahead.missed[index]);
            if bytes > 0 {
                return Some(Ok(Some(OutputEvent::Gap { stream, bytes })));
            }
        }
        if let Some(event) = ahead.events.pop_front() {
            ahead.bytes -= size(&event);
            return Some(Ok(Some(event)));
        }
        let ended = self.result.borrow().clone()?;
        let told = std::mem::replace(&mut ahead.end_told, true);
        Some(ended.map(|result| (!told).then(|| OutputEvent::Exited(result.exit()))))
    }

    /// Keeps an event for whoever consumes them.
    fn put(&self, event: OutputEvent) {
        let mut ahead = self.ahead();
        ahead.bytes += size(&event);
        ahead.events.push_back(event);
        while ahead.bytes > READ_AHEAD
            && let Some(event) = ahead.events.pop_front()
        {
            ahead.bytes -= size(&event);
            match event {
                OutputEvent::Stdout(bytes) => ahead.missed[0] += bytes.len() as u64,
                OutputEvent::Stderr(bytes) => ahead.missed[1] += bytes.len() as u64,
                OutputEvent::Gap { stream, bytes } => ahead.missed[usize::from(stream == Stream::Stderr)] += bytes,
                _ => {}
            }
        }
    }

    /// Reads one event from the agent; the end goes into the result.
    async fn read(&self, reader: &mut Reader) -> Result<Option<OutputEvent>> {
        let frame = match reader.receiver.next().await {
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

fn size(event: &OutputEvent) -> usize {
    match event {
        OutputEvent::Stdout(bytes) | OutputEvent::Stderr(bytes) => bytes.len(),
        _ => 0,
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
            if let Some(taken) = self.take() {
                return taken;
            }
            let mut reader = self.reader.lock().await;
            // While this one waited for its turn, another may have read for it.
            if !self.ended()
                && self.ahead().events.is_empty()
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
        if matches!(*input, Input::Unopened) {
            *input = Input::Open(open_input(&self.guest, self.id).await?);
        }
        let Input::Open(channel) = &mut *input else {
            return Err(Error::new(ErrorCode::InvalidState, "the command's input has ended, nothing can follow"));
        };
        let sent = tokio::select! {
            biased;
            // The agent only speaks here when it takes no more.
            answer = channel.receiver.answer() => answer.and(Err(unexpected())),
            sent = channel.sender.data(&data) => sent,
        };
        if sent.is_err() {
            *input = Input::Closed;
        }
        sent
    }

    async fn close_stdin(&self) -> Result<()> {
        let mut input = self.input.lock().await;
        if !self.takes_input {
            return Ok(());
        }
        if matches!(*input, Input::Unopened) {
            *input = match open_input(&self.guest, self.id).await {
                Ok(channel) => Input::Open(channel),
                // It has ended, and its input with it.
                Err(error) if is_over(&error) => Input::Closed,
                Err(error) => return Err(error),
            };
        }
        let after = if self.has_terminal { Input::Unopened } else { Input::Closed };
        if let Input::Open(mut channel) = std::mem::replace(&mut *input, after) {
            let _ = channel.sender.eof().await;
            if self.has_terminal {
                let _ = channel.answer().await;
            } else {
                // The agent goes on feeding what it has; a closed channel would tell it to stop.
                tokio::spawn(async move { drop(channel.answer().await) });
            }
        }
        Ok(())
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
                self.put(event);
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

/// Waits for the end of a command that goes on without its handle, for as long as there is another one of its sandbox.
fn follow(guest: &Guest, id: ExecId, guard: Guard) -> impl Future<Output = ()> + Send + 'static {
    let (weak, dropped) = (guest.downgrade(), guest.until_dropped());
    async move {
        let end = async {
            let guest = weak.upgrade()?;
            let channel = guest.begin(Request::Attach(silently(id))).await;
            // What is left is the stream: it keeps the connection, and no handle.
            drop(guest);
            Some(last_word(channel).await)
        };
        let end = tokio::select! { end = end => end, () = dropped => None };
        match end {
            Some(end) => guard.ended(end),
            None => guard.leave(),
        }
    }
}

/// Behind everything that will ever be written, so that nothing comes but the end.
fn silently(id: ExecId) -> wire::Attach {
    let from = wire::exec::From::Offset { stdout: u64::MAX, stderr: u64::MAX };
    wire::Attach { process: id.to_string(), from }
}

async fn last_word(channel: Result<Channel>) -> End {
    let Ok(mut channel) = channel else { return End::unknown() };
    loop {
        match channel.answer().await {
            Ok(Reply::Exited(ended)) => return End::exit(exit(&ended)),
            Ok(_) => {}
            Err(_) => return End::unknown(),
        }
    }
}

async fn open_input(guest: &Guest, id: ExecId) -> Result<Channel> {
    let mut channel = guest.begin(Request::Input { process: id.to_string() }).await?;
    match channel.answer().await? {
        Reply::Done => Ok(channel),
        _ => Err(unexpected()),
    }
}

/// Gives a command its whole input and waits until it has taken it, or stopped reading.
pub(crate) async fn feed(guest: &Guest, id: ExecId, bytes: Bytes) -> Result<()> {
    let Channel { mut receiver, mut sender } = open_input(guest, id).await?;
    let sending = async {
        sender.data(&bytes).await?;
        sender.eof().await
    };
    tokio::select! {
        biased;
        answer = receiver.answer() => return answer.map(drop),
        sent = sending => sent?,
    }
    receiver.answer().await.map(drop)
}

/// Whether a refusal of input means that the command, or its input, has ended already.
fn is_over(error: &Error) -> bool {
    matches!(error.code(), ErrorCode::InvalidState | ErrorCode::NotFound | ErrorCode::Io)
}
