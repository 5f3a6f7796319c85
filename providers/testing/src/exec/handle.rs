//! What callers hold: the commands of a sandbox, and one that runs.

use super::ending::{EndedWith, no_input};
use super::running::Running;
use crate::place::Place;
use crate::sync::locked;
use async_trait::async_trait;
use bytes::Bytes;
use isobox_contract::exec::Argument;
use isobox_contract::{
    Capability, Error, ErrorCode, Exec, ExecId, ExecRequest, ExecResult, OutputEvent, OutputLimits, Process,
    ProcessInfo, ProcessState, Replay, Resource, Result, Signal, SignalTarget, Stdin, Stream, TerminalSize,
    Termination,
};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The commands of one sandbox.
pub(crate) struct Commands(pub(crate) Arc<Place>);

#[async_trait]
impl Exec for Commands {
    async fn run(&self, request: ExecRequest) -> Result<ExecResult> {
        if request.stdin == Stdin::Stream {
            let reason = "is a stream, which nobody could write to here; use spawn, or give bytes";
            return Err(Error::invalid_spec("stdin", reason));
        }
        let limits = request.output.clone();
        let running = EndedWith(self.0.launch(request).await?);
        running.0.wait(&limits).await
    }

    async fn spawn(&self, request: ExecRequest) -> Result<Box<dyn Process>> {
        self.0.capabilities.require(Capability::ExecSpawn)?;
        let limits = request.output.clone();
        let running = self.0.launch(request).await?;
        let cursor = Mutex::new(Cursor::default());
        let owner = Some(EndedWith(running.clone()));
        Ok(Box::new(Handle { running, limits, cursor, _owner: owner }))
    }

    async fn processes(&self) -> Result<Vec<ProcessInfo>> {
        self.0.capabilities.require(Capability::ExecAttach)?;
        self.0.alive(isobox_contract::Action::Exec)?;
        Ok(self.0.commands().iter().map(|running| running.info()).collect())
    }

    async fn attach(&self, id: &ExecId, from: Replay) -> Result<Box<dyn Process>> {
        self.0.capabilities.require(Capability::ExecAttach)?;
        self.0.alive(isobox_contract::Action::Exec)?;
        let running = self.0.command(id).ok_or_else(|| Error::not_found(Resource::Exec, id))?;
        let cursor = Mutex::new(Cursor::at(&running, from));
        Ok(Box::new(Handle { running, limits: OutputLimits::default(), cursor, _owner: None }))
    }
}

impl Running {
    fn info(&self) -> ProcessInfo {
        let request = self.request();
        let state = locked(&self.state);
        ProcessInfo {
            id: self.id,
            pid: Some(self.pid),
            argv: self.call.argv().into_iter().map(|word| Argument(word.into())).collect(),
            label: request.label.clone(),
            user: request.user.clone(),
            pty: request.pty.is_some(),
            detached: state.detached,
            started_at: self.clock.at(self.begun),
            stdout_bytes: state.written[0],
            stderr_bytes: state.written[1],
            cpu_time: state.usage.0,
            memory: None,
            state: match &state.exit {
                None => ProcessState::Running,
                Some(Ok(exit)) => ProcessState::Exited(exit.clone()),
                Some(Err(_)) => ProcessState::Exited(isobox_contract::Exit {
                    termination: Termination::Unknown,
                    ..isobox_contract::Exit::code(-1, Duration::ZERO)
                }),
            },
        }
    }
}

/// A command that somebody has started or found again.
struct Handle {
    running: Arc<Running>,
    limits: OutputLimits,
    cursor: Mutex<Cursor>,
    /// Held for its end: only the handle of who has started it ends the command.
    _owner: Option<EndedWith>,
}

/// What of the output was delivered.
#[derive(Default)]
struct Cursor {
    piece: usize,
    /// Bytes to leave out of each stream.
    skip: [u64; 2],
    end_told: bool,
}

impl Cursor {
    fn at(running: &Running, from: Replay) -> Self {
        match from {
            Replay::All => Self::default(),
            Replay::From { stdout, stderr } => Self { skip: [stdout, stderr], ..Self::default() },
            _ => Self { piece: locked(&running.state).output.len(), ..Self::default() },
        }
    }

    /// The next piece that is there.
    fn take(&mut self, output: &[(Stream, Bytes)]) -> Option<OutputEvent> {
        while let Some((stream, bytes)) = output.get(self.piece) {
            self.piece += 1;
            let skip = &mut self.skip[usize::from(*stream == Stream::Stderr)];
            let left_out = (*skip).min(bytes.len() as u64);
            *skip -= left_out;
            let rest = bytes.slice(usize::try_from(left_out).unwrap_or(usize::MAX)..);
            if !rest.is_empty() {
                return Some(match stream {
                    Stream::Stderr => OutputEvent::Stderr(rest),
                    _ => OutputEvent::Stdout(rest),
                });
            }
        }
        None
    }
}

impl Handle {
    /// What is to be delivered now; nothing when that has to come first.
    fn ready(&self) -> Option<Result<Option<OutputEvent>>> {
        let (mut cursor, state) = (locked(&self.cursor), locked(&self.running.state));
        if let Some(event) = cursor.take(&state.output) {
            return Some(Ok(Some(event)));
        }
        let exit = state.exit.clone()?;
        let told = std::mem::replace(&mut cursor.end_told, true);
        Some(exit.map(|exit| (!told).then_some(OutputEvent::Exited(exit))))
    }
}

#[async_trait]
impl Process for Handle {
    fn id(&self) -> &ExecId {
        &self.running.id
    }

    fn pid(&self) -> Option<u32> {
        Some(self.running.pid)
    }

    async fn next(&self) -> Result<Option<OutputEvent>> {
        let mut changed = self.running.subscribe();
        loop {
            if let Some(ready) = self.ready() {
                return ready;
            }
            self.running.changes(&mut changed).await;
        }
    }

    async fn write(&self, data: Bytes) -> Result<()> {
        if let Some(refused) = no_input(self.running.request()) {
            return Err(refused);
        }
        self.running.write(data.clone())?;
        if let Some(place) = self.running.place.upgrade() {
            place.fleet.recording.input(self.running.recorded, &data);
        }
        Ok(())
    }

    async fn close_stdin(&self) -> Result<()> {
        if no_input(self.running.request()).is_none() {
            self.running.end_input();
        }
        Ok(())
    }

    async fn signal(&self, signal: Signal, _target: SignalTarget) -> Result<()> {
        if let Some(place) = self.running.place.upgrade() {
            place.capabilities.require(Capability::ExecSignals)?;
            place.fleet.recording.signal(self.running.recorded, signal);
        }
        self.running.hear(signal);
        Ok(())
    }

    async fn resize(&self, size: TerminalSize) -> Result<()> {
        if self.running.request().pty.is_none() {
            let message = "the command has no terminal, start it with one";
            return Err(Error::new(ErrorCode::InvalidState, message));
        }
        self.running.resize(size);
        Ok(())
    }

    async fn stop(&self, grace: Option<Duration>) -> Result<()> {
        let grace = grace.or(self.running.request().grace).filter(|grace| !grace.is_zero());
        let cause = if grace.is_some() { Termination::Cancelled } else { Termination::Killed };
        self.running.end(cause, grace);
        let mut changed = self.running.subscribe();
        while !self.running.ended() {
            self.running.changes(&mut changed).await;
        }
        Ok(())
    }

    async fn wait(&self) -> Result<ExecResult> {
        self.running.wait(&self.limits).await
    }

    async fn detach(&self) -> Result<()> {
        locked(&self.running.state).detached = true;
        Ok(())
    }
}
