//! How a command ends, by itself or from outside.

use super::capture::captured;
use super::running::Running;
use crate::sync::locked;
use isobox_contract::{
    Captured, Error, ExecRequest, ExecResult, Exit, OutputLimits, Result, Signal, Spill, Stream, Termination,
};
use std::sync::Arc;
use std::time::Duration;

/// Signals that end nothing by default (signal(7)).
const HARMLESS: [Signal; 8] =
    [Signal::CHLD, Signal::CONT, Signal::URG, Signal::WINCH, Signal::STOP, Signal::TSTP, Signal::TTIN, Signal::TTOU];

impl Running {
    /// Has its timeout end it.
    pub(super) fn keep_time(self: &Arc<Self>) {
        let Some(timeout) = self.request().timeout else { return };
        let running = Arc::downgrade(self);
        let at = self.begun.saturating_add(timeout);
        let mut state = locked(&self.state);
        state.timeout = Some(self.clock.alarm(at, move || {
            if let Some(running) = running.upgrade() {
                locked(&running.state).timeout = None;
                running.end(Termination::TimedOut, running.request().grace);
            }
        }));
    }

    /// Ends it: TERM, the grace, KILL; without a grace KILL. A second time can only make it quicker.
    pub(crate) fn end(self: &Arc<Self>, cause: Termination, grace: Option<Duration>) {
        let grace = grace.filter(|grace| !grace.is_zero());
        let (cause, hears) = {
            let mut state = locked(&self.state);
            let cause = *state.cause.get_or_insert(cause);
            (cause, !state.ignores_term && !state.frozen)
        };
        match grace {
            None => self.kill(cause),
            Some(_) if hears => self.end_by(Signal::TERM, cause),
            Some(grace) => self.kill_after(cause, grace),
        }
    }

    fn kill(self: &Arc<Self>, cause: Termination) {
        // Who would have been content with TERM has killed it.
        let killed = if cause == Termination::Cancelled { Termination::Killed } else { cause };
        self.end_by(Signal::KILL, killed);
    }

    fn kill_after(self: &Arc<Self>, cause: Termination, grace: Duration) {
        let at = self.clock.elapsed().saturating_add(grace);
        let running = Arc::downgrade(self);
        let earlier = {
            let mut state = locked(&self.state);
            if state.exit.is_some() || state.kill.is_some_and(|(known, _)| known <= at) {
                return;
            }
            let alarm = self.clock.alarm(at, move || {
                if let Some(running) = running.upgrade() {
                    running.kill(cause);
                }
            });
            state.kill.replace(alarm)
        };
        earlier.into_iter().for_each(|alarm| self.clock.silence(alarm));
        self.notify();
    }

    fn end_by(self: &Arc<Self>, signal: Signal, cause: Termination) {
        let ran = self.clock.elapsed().saturating_sub(self.begun);
        self.finish(Ok(Exit::signal(signal.number(), cause, ran)));
    }

    /// What a signal does to it.
    pub(crate) fn hear(self: &Arc<Self>, signal: Signal) {
        let deaf = {
            let state = locked(&self.state);
            signal != Signal::KILL && (state.frozen || (signal == Signal::TERM && state.ignores_term))
        };
        if !deaf && !HARMLESS.contains(&signal) {
            self.end_by(signal, Termination::Signalled);
        }
    }

    /// It has ended; the first end counts.
    pub(crate) fn finish(self: &Arc<Self>, end: Result<Exit>) {
        let (alarms, task) = {
            let mut state = locked(&self.state);
            if state.exit.is_some() {
                return;
            }
            let (cpu_time, peak_memory) = state.usage;
            state.exit = Some(end.map(|exit| Exit {
                cpu_time: cpu_time.or(exit.cpu_time),
                peak_memory: peak_memory.or(exit.peak_memory),
                ..exit
            }));
            let mut alarms: Vec<_> = std::mem::take(&mut state.waits).into_iter().collect();
            alarms.extend(state.timeout.take().into_iter().chain(state.kill.take()));
            (alarms, state.task.take())
        };
        alarms.into_iter().for_each(|alarm| self.clock.silence(alarm));
        if let Some(task) = task {
            task.abort();
        }
        if let Some(place) = self.place.upgrade() {
            self.spill(&place);
            place.command_ended(self);
        }
        self.notify();
    }

    /// Writes what does not fit into files of the sandbox.
    fn spill(&self, place: &Arc<crate::place::Place>) {
        for stream in [Stream::Stdout, Stream::Stderr] {
            if let Some(path) = self.spilled(stream) {
                let all = captured(self.pieces(stream).iter(), &OutputLimits::bytes(u64::MAX));
                place.files_at("/").write_bytes(path, all.bytes);
            }
        }
    }

    /// The file that has the whole of an output that did not fit.
    fn spilled(&self, stream: Stream) -> Option<isobox_contract::SandboxPath> {
        let limits = &self.request().output;
        let written = locked(&self.state).written[usize::from(stream == Stream::Stderr)];
        if written <= limits.total() {
            return None;
        }
        let directory = match &limits.spill {
            Spill::Directory(directory) => self.place.upgrade()?.workdir().join(directory),
            Spill::Temporary => "/tmp".into(),
            Spill::Off => return None,
        };
        Some(directory.join(&format!("{}.{stream}", self.id).into()))
    }

    fn pieces(&self, stream: Stream) -> Vec<bytes::Bytes> {
        let state = locked(&self.state);
        state.output.iter().filter(|(of, _)| *of == stream).map(|(_, bytes)| bytes.clone()).collect()
    }

    fn captured(&self, stream: Stream, limits: &OutputLimits) -> Captured {
        Captured { spill: self.spilled(stream), ..captured(self.pieces(stream).iter(), limits) }
    }

    /// Its end with its output, once it has ended.
    pub(crate) fn result(&self, limits: &OutputLimits) -> Option<Result<ExecResult>> {
        let exit = match locked(&self.state).exit.clone()? {
            Ok(exit) => exit,
            Err(error) => return Some(Err(error)),
        };
        let (stdout, stderr) = (self.captured(Stream::Stdout, limits), self.captured(Stream::Stderr, limits));
        let mut result = ExecResult::new(exit, stdout, stderr);
        result.streams_separated = !self.merged();
        Some(Ok(result))
    }

    /// Waits for its end.
    pub(crate) async fn wait(self: &Arc<Self>, limits: &OutputLimits) -> Result<ExecResult> {
        let mut changed = self.subscribe();
        loop {
            if let Some(result) = self.result(limits) {
                return result;
            }
            self.changes(&mut changed).await;
        }
    }
}

/// Ends a command that nobody waits for any more.
pub(super) struct EndedWith(pub(super) Arc<Running>);

impl Drop for EndedWith {
    fn drop(&mut self) {
        if !locked(&self.0.state).detached {
            self.0.end(Termination::Cancelled, None);
        }
    }
}

/// Why input cannot be written to a command that was started without a stream.
pub(super) fn no_input(request: &ExecRequest) -> Option<Error> {
    let message = "the command has no input stream, start it with one";
    (request.stdin != isobox_contract::Stdin::Stream)
        .then(|| Error::new(isobox_contract::ErrorCode::InvalidState, message))
}
