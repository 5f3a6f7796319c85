//! Commands that are written down.

use super::format::{Ending, Piece, Ran, Request};
use super::writer::Writer;
use crate::sync::locked;
use async_trait::async_trait;
use bytes::Bytes;
use isobox_contract::{
    Capability, Exec, ExecId, ExecRequest, ExecResult, Exit, OutputEvent, Process, ProcessInfo, Replay, Result,
    Sandbox, Signal, SignalTarget, Stream, TerminalSize, Termination,
};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The most output of one command that a tape keeps.
const MOST: u64 = 64 << 20;

pub(super) struct RecordedExec {
    pub(super) inner: Arc<dyn Sandbox>,
    pub(super) writer: Arc<Writer>,
    pub(super) sandbox: u64,
}

impl RecordedExec {
    fn begin(&self, request: &ExecRequest) -> Log {
        let request = Request::of(request, &self.writer.redact, self.writer.env_values);
        let (sandbox, order) = (self.sandbox, self.writer.next());
        let ran = Ran { sandbox, order, request, output: Vec::new(), end: Ending::Abandoned };
        Log { ran: Some(ran), writer: self.writer.clone(), begun: Instant::now(), given: 0, seen: [0; 2], gap: false }
    }

    async fn start(&self, request: ExecRequest) -> Result<RecordedProcess> {
        let mut log = self.begin(&request);
        match self.inner.exec().spawn(request).await {
            Ok(inner) => Ok(RecordedProcess { inner, log: Mutex::new(log) }),
            Err(error) => {
                log.end(Ending::Refused(Writer::report(&error)));
                Err(error)
            }
        }
    }

    /// Runs a command that cannot be watched.
    async fn run_unseen(&self, request: ExecRequest) -> Result<ExecResult> {
        let mut log = self.begin(&request);
        let done = self.inner.exec().run(request).await;
        match &done {
            Ok(result) => log.result(result),
            Err(error) => log.end(Ending::Refused(Writer::report(error))),
        }
        done
    }
}

#[async_trait]
impl Exec for RecordedExec {
    async fn run(&self, request: ExecRequest) -> Result<ExecResult> {
        let stream = request.stdin == isobox_contract::Stdin::Stream;
        if stream || !self.inner.capabilities().has(Capability::ExecSpawn) {
            return self.run_unseen(request).await;
        }
        // As a process, whose output comes with its times.
        let process = self.start(request).await?;
        while process.next().await?.is_some() {}
        process.wait().await
    }

    async fn spawn(&self, request: ExecRequest) -> Result<Box<dyn Process>> {
        Ok(Box::new(self.start(request).await?))
    }

    async fn processes(&self) -> Result<Vec<ProcessInfo>> {
        self.inner.exec().processes().await
    }

    async fn attach(&self, id: &ExecId, from: Replay) -> Result<Box<dyn Process>> {
        self.inner.exec().attach(id, from).await
    }
}

struct RecordedProcess {
    inner: Box<dyn Process>,
    log: Mutex<Log>,
}

/// What is known of a command so far. Dropping it writes down that nobody waited for the end.
struct Log {
    ran: Option<Ran>,
    writer: Arc<Writer>,
    begun: Instant,
    /// Bytes of input.
    given: u64,
    /// Bytes of output.
    seen: [u64; 2],
    /// Some are missing.
    gap: bool,
}

impl Log {
    fn piece(&mut self, stream: Stream, data: &Bytes) {
        let index = usize::from(stream == Stream::Stderr);
        self.seen[index] += data.len() as u64;
        self.gap |= self.seen[0] + self.seen[1] > MOST;
        let at_us = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        if let Some(ran) = self.ran.as_mut().filter(|_| !self.gap) {
            ran.output.push(Piece { at_us, stream, data: data.clone(), after_input: self.given });
        }
    }

    fn exit(&mut self, exit: &Exit) {
        let by_itself = matches!(exit.termination, Termination::Exited | Termination::Signalled | Termination::Unknown);
        self.end(if by_itself { Ending::Exited(exit.clone()) } else { Ending::Stopped(exit.clone()) });
    }

    /// Its end, with the output that nobody has seen in pieces.
    fn result(&mut self, result: &ExecResult) {
        for (stream, captured) in [(Stream::Stdout, &result.stdout), (Stream::Stderr, &result.stderr)] {
            let seen = usize::try_from(self.seen[usize::from(stream == Stream::Stderr)]).unwrap_or(usize::MAX);
            self.gap |= captured.truncated() && captured.observed > seen as u64;
            if seen < captured.bytes.len() && !captured.truncated() {
                self.piece(stream, &captured.bytes.slice(seen..));
            }
        }
        self.exit(&result.exit());
    }

    fn end(&mut self, end: Ending) {
        if let Some(ran) = self.ran.take() {
            let end = if self.gap { Ending::TooLarge } else { end };
            self.writer.ran(Ran { end, ..ran });
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.end(Ending::Abandoned);
    }
}

#[async_trait]
impl Process for RecordedProcess {
    fn id(&self) -> &ExecId {
        self.inner.id()
    }

    fn pid(&self) -> Option<u32> {
        self.inner.pid()
    }

    async fn next(&self) -> Result<Option<OutputEvent>> {
        let next = self.inner.next().await;
        let mut log = locked(&self.log);
        match &next {
            Ok(Some(OutputEvent::Stdout(data))) => log.piece(Stream::Stdout, data),
            Ok(Some(OutputEvent::Stderr(data))) => log.piece(Stream::Stderr, data),
            Ok(Some(OutputEvent::Gap { .. })) => log.gap = true,
            Ok(Some(OutputEvent::Exited(exit))) => log.exit(exit),
            Ok(_) => {}
            Err(error) => log.end(Ending::Lost(Writer::report(error))),
        }
        next
    }

    async fn write(&self, data: Bytes) -> Result<()> {
        let given = data.len() as u64;
        // Before it is written: what it answers may come before this returns.
        locked(&self.log).given += given;
        self.inner.write(data).await
    }

    async fn close_stdin(&self) -> Result<()> {
        self.inner.close_stdin().await
    }

    async fn signal(&self, signal: Signal, target: SignalTarget) -> Result<()> {
        self.inner.signal(signal, target).await
    }

    async fn resize(&self, size: TerminalSize) -> Result<()> {
        self.inner.resize(size).await
    }

    async fn stop(&self, grace: Option<Duration>) -> Result<()> {
        self.inner.stop(grace).await
    }

    async fn wait(&self) -> Result<ExecResult> {
        let done = self.inner.wait().await;
        let mut log = locked(&self.log);
        match &done {
            Ok(result) => log.result(result),
            Err(error) => log.end(Ending::Lost(Writer::report(error))),
        }
        done
    }

    async fn detach(&self) -> Result<()> {
        self.inner.detach().await
    }
}
