//! What is told of the commands that this client starts, and what it remembers of them for a post-mortem.
//!
//! ```text
//! run    ── begun ──(a moment)──▶ start told ──▶ end told        a quick one: both at its end
//! spawn  ── start told ──▶ end told, by the handle; by a follower once a detached one has none
//! ```
//!
//! The agent says nothing of the start of a command that is run to its end, since that would cost a message. So a start is
//! told a moment later, unless the command was refused meanwhile, or with its end, with the time that it had. Each start that
//! was told has an end; one that nobody can know is `unknown`.

use isobox_contract::event::LimitKind;
use isobox_contract::exec::{ExecResult, Exit, Termination};
use isobox_contract::{Error, ErrorCode, EventKind, EventSink, ExecId, PostMortem, Timestamp, TransferReport};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

/// What the agent may need to refuse a command.
const MOMENT: Duration = Duration::from_millis(20);
/// The most events that are kept until somebody listens: those of a sandbox's own beginning.
const EARLY: usize = 64;
/// How often it is told that a disk is full.
const FULL: Duration = Duration::from_secs(1);
/// The most commands that a post-mortem names.
const RUNNING: usize = 64;

/// One client's commands.
pub(crate) struct Observer {
    sink: OnceLock<Arc<dyn EventSink>>,
    state: Mutex<State>,
    output: Mutex<VecDeque<u8>>,
}

#[derive(Default)]
struct State {
    running: HashMap<ExecId, Running>,
    /// Whether a task looks after starts that are to be told.
    ticking: bool,
    early: Vec<(Timestamp, EventKind)>,
    /// When it was last told that the disk is full.
    full: Option<Instant>,
}

struct Running {
    label: Option<String>,
    at: Timestamp,
    since: Instant,
    told: bool,
}

/// What is known of an end.
pub(crate) struct End {
    exit: Exit,
    /// The limit of output that was exceeded.
    omitted: Option<u64>,
}

impl End {
    pub(crate) fn of(result: &ExecResult, limit: u64) -> Self {
        let omitted = result.stdout.omitted > 0 || result.stderr.omitted > 0;
        Self { exit: result.exit(), omitted: omitted.then_some(limit) }
    }

    pub(crate) fn unknown() -> Self {
        Self::untold(Termination::Unknown)
    }

    pub(crate) fn exit(exit: Exit) -> Self {
        Self { exit, omitted: None }
    }

    fn untold(termination: Termination) -> Self {
        Self { exit: Exit { termination, ..Exit::code(-1, Duration::ZERO) }, omitted: None }
    }
}

impl Observer {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { sink: OnceLock::new(), state: Mutex::default(), output: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells this sink from now on, and what was not told yet. Only the first call has an effect.
    pub(crate) fn tell(&self, sink: Arc<dyn EventSink>) {
        let mut state = self.state();
        if self.sink.set(sink.clone()).is_ok() {
            std::mem::take(&mut state.early).into_iter().for_each(|(at, event)| sink.emit_at(at, event));
        }
    }

    fn emit(&self, state: &mut State, at: Timestamp, event: EventKind) {
        match self.sink.get() {
            Some(sink) => sink.emit_at(at, event),
            None if state.early.len() < EARLY => state.early.push((at, event)),
            None => {}
        }
    }

    /// A command is asked for; its start is told in a moment. Dropping the guard says that its caller went away.
    pub(crate) fn begin(self: &Arc<Self>, id: ExecId, label: Option<String>) -> Guard {
        let mut state = self.state();
        let started = Running { label, at: Timestamp::now(), since: Instant::now(), told: false };
        // A second command with the id of one that runs is refused, and is not the one that is told of.
        let ours = !state.running.contains_key(&id);
        if ours {
            state.running.insert(id, started);
        }
        let ticking = std::mem::replace(&mut state.ticking, true);
        drop(state);
        if !ticking {
            tokio::spawn(tell_starts(Ticking { observer: Arc::downgrade(self), over: false }));
        }
        Guard { observer: self.clone(), id, over: !ours }
    }

    /// Tells that a command has started.
    fn started(&self, state: &mut State, id: &ExecId) {
        let Some(running) = state.running.get_mut(id).filter(|running| !running.told) else { return };
        running.told = true;
        let (at, label) = (running.at, running.label.clone());
        self.emit(state, at, EventKind::ExecStarted { exec: *id, label });
    }

    /// Tells how a command ended.
    fn ended(&self, id: &ExecId, end: End) {
        let mut state = self.state();
        self.started(&mut state, id);
        let Some(running) = state.running.remove(id) else { return };
        let End { mut exit, omitted } = end;
        if exit.duration.is_zero() {
            exit.duration = running.since.elapsed();
        }
        let (at, oom_killed) = (Timestamp::now(), exit.oom_killed);
        if oom_killed {
            self.emit(&mut state, at, EventKind::LimitReached { limit: LimitKind::Memory, max: None, exec: Some(*id) });
        }
        // Whoever wants nothing kept reads the output as it comes, and misses nothing.
        if omitted.is_some_and(|most| most > 0) {
            let event = EventKind::LimitReached { limit: LimitKind::Output, max: omitted, exec: Some(*id) };
            self.emit(&mut state, at, event);
        }
        self.emit(&mut state, at, EventKind::ExecExited { exec: *id, exit });
    }

    /// A command that was refused never was, unless its start was told.
    fn refused(&self, id: &ExecId) {
        let mut state = self.state();
        if state.running.get(id).is_some_and(|running| running.told) {
            drop(state);
            return self.ended(id, End::unknown());
        }
        state.running.remove(id);
    }

    /// Tells how a command ended that somebody else has started, in case nobody else does.
    pub(crate) fn overheard(&self, id: &ExecId, exit: Exit) {
        let mut state = self.state();
        if !state.running.contains_key(id) {
            self.emit(&mut state, Timestamp::now(), EventKind::ExecExited { exec: *id, exit });
        }
    }

    /// Tells that files were copied, or that there was no room for them.
    pub(crate) fn transferred(&self, upload: bool, result: &Result<TransferReport, Error>) {
        match result {
            Ok(TransferReport { files, bytes, .. }) => {
                let event = EventKind::FilesTransferred { upload, files: *files, bytes: *bytes };
                self.emit(&mut self.state(), Timestamp::now(), event);
            }
            Err(error) if upload => self.wrote(error),
            Err(_) => {}
        }
    }

    /// Tells that the disk is full, if that is what an attempt to write failed with.
    pub(crate) fn wrote(&self, error: &Error) {
        if error.code() != ErrorCode::OutOfDisk {
            return;
        }
        let mut state = self.state();
        if state.full.is_none_or(|told| told.elapsed() >= FULL) {
            state.full = Some(Instant::now());
            let event = EventKind::LimitReached { limit: LimitKind::Disk, max: None, exec: None };
            self.emit(&mut state, Timestamp::now(), event);
        }
    }

    /// Remembers the last of what commands wrote.
    pub(crate) fn saw(&self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let last = &bytes[bytes.len().saturating_sub(PostMortem::MAX_OUTPUT)..];
        let surplus = (output.len() + last.len()).saturating_sub(PostMortem::MAX_OUTPUT);
        output.drain(..surplus);
        output.extend(last);
    }
}

/// Tells of starts that have not been refused in time, for as long as there are such.
async fn tell_starts(mut ticking: Ticking) {
    loop {
        tokio::time::sleep(MOMENT).await;
        let Some(observer) = ticking.observer.upgrade() else { return };
        let mut state = observer.state();
        let due = |running: &Running| !running.told && running.since.elapsed() >= MOMENT;
        let mut started: Vec<_> = state.running.iter().filter(|(_, running)| due(running)).map(|(id, _)| *id).collect();
        started.sort_unstable();
        started.iter().for_each(|id| observer.started(&mut state, id));
        if state.running.values().all(|running| running.told) {
            state.ticking = false;
            ticking.over = true;
            return;
        }
    }
}

/// The task that tells of starts. Its runtime may end before it.
struct Ticking {
    observer: Weak<Observer>,
    over: bool,
}

impl Drop for Ticking {
    fn drop(&mut self) {
        if !self.over
            && let Some(observer) = self.observer.upgrade()
        {
            observer.state().ticking = false;
        }
    }
}

/// One command, until its end is told.
pub(crate) struct Guard {
    observer: Arc<Observer>,
    id: ExecId,
    over: bool,
}

impl Guard {
    /// It certainly runs.
    pub(crate) fn started(&self) {
        if !self.over {
            self.observer.started(&mut self.observer.state(), &self.id);
        }
    }

    /// It has ended.
    pub(crate) fn ended(mut self, end: End) {
        if !std::mem::replace(&mut self.over, true) {
            self.observer.ended(&self.id, end);
        }
    }

    /// There was an error in place of an end.
    pub(crate) fn failed(self, error: &Error) {
        use ErrorCode::{Incomplete, SandboxGone, Timeout, Transport};
        match error.code() {
            // It may well have started.
            Incomplete | SandboxGone | Timeout | Transport => self.ended(End::unknown()),
            _ => self.refused(),
        }
    }

    /// Nobody looks after it any more, and its end is not known here.
    pub(crate) fn leave(mut self) {
        if !std::mem::replace(&mut self.over, true) {
            self.observer.state().running.remove(&self.id);
        }
    }

    fn refused(mut self) {
        if !std::mem::replace(&mut self.over, true) {
            self.observer.refused(&self.id);
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if !self.over {
            self.observer.ended(&self.id, End::untold(Termination::Cancelled));
        }
    }
}

/// What a client knows of a sandbox that has died.
#[derive(Clone)]
pub struct Witness(pub(crate) Arc<Observer>);

impl Witness {
    /// Adds the last output that came from the sandbox, and what was running, as far as this client knows.
    pub fn testify(&self, post_mortem: &mut PostMortem) {
        let output = self.0.output.lock().unwrap_or_else(PoisonError::into_inner);
        post_mortem.last_output = output.iter().copied().collect::<Vec<_>>().into();
        drop(output);
        let mut running: Vec<_> = self.0.state().running.keys().copied().collect();
        running.sort_unstable();
        running.truncate(RUNNING);
        post_mortem.running = running;
    }
}
