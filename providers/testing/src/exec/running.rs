//! One command, from its start to its end.
//!
//! ```text
//!   step ─▶ step ─▶ …           one after the other, at once
//!     │ wait: an alarm of the clock      │ input: what is written
//!     └────────────▶ goes on ◀───────────┘
//!   after the last step: its end, which anything from outside may bring earlier
//! ```

use super::sanitize::Filter;
use crate::call::Call;
use crate::clock::{AlarmId, Clock};
use crate::place::Place;
use crate::reply::{End, Reply, Step};
use crate::sync::locked;
use crate::talk::Talk;
use bytes::Bytes;
use isobox_contract::{Error, ErrorCode, ExecId, ExecRequest, Exit, Result, Stream, TerminalSize, Termination};
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::AbortHandle;

pub(crate) struct Running {
    pub(crate) id: ExecId,
    pub(crate) pid: u32,
    pub(crate) call: Arc<Call>,
    pub(crate) clock: Clock,
    /// When it began, by the clock.
    pub(crate) begun: Duration,
    /// Its number in the recording.
    pub(crate) recorded: usize,
    pub(super) place: Weak<Place>,
    pub(super) state: Mutex<State>,
    changed: watch::Sender<()>,
}

pub(super) struct State {
    steps: VecDeque<Step>,
    end: Option<End>,
    filters: [Filter; 2],
    pub(super) output: Vec<(Stream, Bytes)>,
    pub(super) written: [u64; 2],
    /// What was written to it and not read yet; nothing for an end of file.
    input: VecDeque<Option<Bytes>>,
    received: u64,
    input_ended: bool,
    awaits_input: bool,
    /// What makes it go on.
    pub(super) waits: BTreeSet<AlarmId>,
    pub(super) timeout: Option<AlarmId>,
    pub(super) kill: Option<AlarmId>,
    /// Why it is being ended from outside.
    pub(super) cause: Option<Termination>,
    pub(super) ignores_term: bool,
    /// It does nothing more by itself.
    pub(super) hangs: bool,
    pub(super) frozen: bool,
    /// It would have gone on while it was frozen.
    held: bool,
    pub(super) exit: Option<Result<Exit>>,
    pub(super) usage: (Option<Duration>, Option<u64>),
    size: Option<TerminalSize>,
    pub(super) detached: bool,
    pub(super) task: Option<AbortHandle>,
}

impl State {
    fn new(request: &ExecRequest, reply: Reply) -> Self {
        let filter = || Filter::new(request.output.sanitize);
        Self {
            steps: reply.steps.into(),
            end: Some(reply.end),
            filters: [filter(), filter()],
            output: Vec::new(),
            written: [0; 2],
            input: VecDeque::new(),
            received: 0,
            input_ended: false,
            awaits_input: false,
            waits: BTreeSet::new(),
            timeout: None,
            kill: None,
            cause: None,
            ignores_term: reply.ignores_term,
            hangs: false,
            frozen: false,
            held: false,
            exit: None,
            usage: (reply.cpu_time, reply.peak_memory),
            size: request.pty,
            detached: request.detached,
            task: None,
        }
    }
}

impl Running {
    pub(super) fn new(
        place: &Arc<Place>,
        id: ExecId,
        pid: u32,
        call: Arc<Call>,
        reply: Reply,
        recorded: usize,
    ) -> Self {
        let clock = place.fleet.clock.clone();
        let state = Mutex::new(State::new(call.request(), reply));
        let (begun, changed) = (clock.elapsed(), watch::Sender::new(()));
        Self { id, pid, call, clock, begun, recorded, place: Arc::downgrade(place), state, changed }
    }

    pub(super) fn request(&self) -> &ExecRequest {
        self.call.request()
    }

    pub(crate) fn merged(&self) -> bool {
        self.request().merge_stderr || self.request().pty.is_some()
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    pub(super) fn notify(&self) {
        self.changed.send_replace(());
    }

    /// Does what it does next, until it has to wait.
    pub(super) fn proceed(self: &Arc<Self>) {
        loop {
            let step = {
                let mut state = locked(&self.state);
                if state.exit.is_some() {
                    return;
                }
                if state.frozen {
                    state.held = true;
                    return;
                }
                if let Some(Step::Input(bytes)) = state.steps.front()
                    && state.received < *bytes
                    && !state.input_ended
                {
                    state.awaits_input = true;
                    return;
                }
                state.steps.pop_front()
            };
            match step {
                Some(Step::Wait(delay)) => return self.go_on_after(delay),
                Some(Step::Stdout(bytes)) => self.put(Stream::Stdout, bytes),
                Some(Step::Stderr(bytes)) => self.put(Stream::Stderr, bytes),
                Some(Step::Files(change)) => change(self.call.files()),
                Some(Step::Input(_)) => {}
                None => return self.end_by_itself(),
            }
        }
    }

    fn go_on_after(self: &Arc<Self>, delay: Duration) {
        let running = self.clone();
        let mut state = locked(&self.state);
        let at = self.clock.elapsed().saturating_add(delay);
        let id = self.clock.alarm(at, move || {
            locked(&running.state).waits.clear();
            running.proceed();
        });
        state.waits.insert(id);
        drop(state);
        self.notify();
    }

    fn end_by_itself(self: &Arc<Self>) {
        let end = locked(&self.state).end.take();
        let ran = self.clock.elapsed().saturating_sub(self.begun);
        match end {
            Some(End::Exit(code)) => self.finish(Ok(Exit::code(code, ran))),
            Some(End::Exactly(exit)) => self.finish(Ok(exit)),
            Some(End::Signal(signal)) => {
                self.finish(Ok(Exit::signal(signal.number(), Termination::Signalled, ran)));
            }
            Some(End::OutOfMemory) => {
                let exit = Exit::signal(isobox_contract::Signal::KILL.number(), Termination::Signalled, ran);
                self.finish(Ok(Exit { oom_killed: true, ..exit }));
            }
            Some(End::Lost(error) | End::Refused(error)) => self.finish(Err(error)),
            Some(End::Death(cause)) => {
                if let Some(place) = self.place.upgrade() {
                    place.die(cause);
                }
            }
            Some(End::Talk(driver)) => {
                let (running, talk) = (self.clone(), Talk::new(self.clone(), self.call.clone()));
                let task = tokio::spawn(async move {
                    let code = driver(talk).await;
                    let ran = running.clock.elapsed().saturating_sub(running.begun);
                    running.finish(Ok(Exit::code(code, ran)));
                });
                locked(&self.state).task = Some(task.abort_handle());
            }
            Some(End::Never) | None => {
                locked(&self.state).hangs = true;
                self.notify();
            }
        }
    }

    /// Writes to one of its outputs.
    pub(crate) fn put(&self, stream: Stream, bytes: Bytes) {
        let stream = if self.merged() { Stream::Stdout } else { stream };
        let index = usize::from(stream == Stream::Stderr);
        {
            let mut state = locked(&self.state);
            let bytes = state.filters[index].apply(bytes);
            if bytes.is_empty() || state.exit.is_some() {
                return;
            }
            state.written[index] += bytes.len() as u64;
            state.output.push((stream, bytes));
        }
        self.notify();
    }

    /// The next input; nothing at its end.
    pub(crate) async fn read(&self) -> Option<Bytes> {
        let mut changed = self.subscribe();
        loop {
            {
                let mut state = locked(&self.state);
                if let Some(input) = state.input.pop_front() {
                    return input;
                }
                if state.input_ended {
                    return None;
                }
            }
            // Sent by this command, which is there.
            let _ = changed.changed().await;
        }
    }

    /// Takes that long.
    pub(crate) async fn rest(self: Arc<Self>, duration: Duration) {
        let (ring, mut rung) = watch::channel(false);
        let at = self.clock.elapsed().saturating_add(duration);
        let id = self.clock.alarm(at, move || {
            ring.send_replace(true);
        });
        locked(&self.state).waits.insert(id);
        let _resting = Resting { running: self.clone(), id };
        self.notify();
        // An error says that it was silenced, with the command that rests.
        let _ = rung.wait_for(|rung| *rung).await;
    }

    /// Gives it input.
    pub(crate) fn write(self: &Arc<Self>, data: Bytes) -> Result<()> {
        {
            let mut state = locked(&self.state);
            if state.exit.is_some() {
                return Err(
                    Error::new(ErrorCode::Io, "the command has ended and takes no more input").infrastructure(false)
                );
            }
            if state.input_ended {
                let message = "the command's input has ended, nothing can follow";
                return Err(Error::new(ErrorCode::InvalidState, message));
            }
            state.received += data.len() as u64;
            state.input.push_back(Some(data));
        }
        self.input_came();
        Ok(())
    }

    /// Ends its input; on a terminal, once.
    pub(crate) fn end_input(self: &Arc<Self>) {
        {
            let mut state = locked(&self.state);
            if self.request().pty.is_some() {
                state.input.push_back(None);
            } else {
                state.input_ended = true;
            }
        }
        self.input_came();
    }

    fn input_came(self: &Arc<Self>) {
        let goes_on = std::mem::take(&mut locked(&self.state).awaits_input);
        self.notify();
        if goes_on {
            self.proceed();
        }
    }

    pub(crate) fn size(&self) -> Option<TerminalSize> {
        locked(&self.state).size
    }

    pub(crate) fn resize(&self, size: TerminalSize) {
        locked(&self.state).size = Some(size);
    }

    /// Stands still, or goes on.
    pub(crate) fn freeze(self: &Arc<Self>, frozen: bool) {
        let goes_on = {
            let mut state = locked(&self.state);
            state.frozen = frozen;
            !frozen && std::mem::take(&mut state.held)
        };
        if goes_on {
            self.proceed();
        }
    }

    pub(crate) fn ended(&self) -> bool {
        locked(&self.state).exit.is_some()
    }

    /// How it has ended, if it has.
    pub(crate) fn end_now(&self) -> Option<Result<Exit>> {
        locked(&self.state).exit.clone()
    }

    /// Everything that it has written to both outputs.
    pub(crate) fn written(&self) -> Vec<u8> {
        locked(&self.state).output.iter().flat_map(|(_, bytes)| bytes.to_vec()).collect()
    }

    /// When it goes on or ends, as far as the clock decides that.
    pub(super) fn due(&self) -> Option<Duration> {
        let state = locked(&self.state);
        let first = state.waits.first().map(|(at, _)| *at).filter(|_| !state.frozen);
        let end = match state.hangs {
            true => state.timeout.map(|(at, _)| at).into_iter().chain(self.place.upgrade()?.deadline()).min(),
            false => None,
        };
        first.into_iter().chain(state.kill.map(|(at, _)| at)).chain(end).min()
    }

    /// Waits until something of it has changed. A clock that skips is moved there.
    pub(super) async fn changes(&self, changed: &mut watch::Receiver<()>) {
        let due = self.due();
        if let Some(due) = due.filter(|_| self.clock.skips()) {
            self.clock.reach(due);
            return tokio::task::yield_now().await;
        }
        let _awaited = due.map(|due| self.clock.awaited(due));
        // Sent by this command, which is there.
        let _ = changed.changed().await;
    }
}

struct Resting {
    running: Arc<Running>,
    id: AlarmId,
}

impl Drop for Resting {
    fn drop(&mut self) {
        locked(&self.running.state).waits.remove(&self.id);
        self.running.clock.silence(self.id);
    }
}
