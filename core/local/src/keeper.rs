//! The process that stands for a sandbox on this machine.
//!
//! ```text
//! running ──terminate──> ending ──reaped──> ended: stopped or deleted
//!    └──ends by itself──────────reaped──> ended: died, with the cause
//! ```

use crate::cgroups::Cgroups;
use crate::fate::{self, Fate, Status};
use crate::shared::Shared;
use crate::stopped::{Stopped, Turn};
use isobox_contract::{Action, DeathCause, Ended, Error, ErrorCode, PostMortem, Result, SandboxId, Timestamp};
use isobox_guest::{Guest, Obituary, Witness};
use isobox_wire::settings::ended;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid};
use std::io::Read;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::unix::AsyncFd;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Bytes of the agent's log that are kept for a post-mortem: what one pipe holds.
const LOG: usize = 64 << 10;
/// How long a process may take to end before it is killed.
const PATIENCE: Duration = Duration::from_secs(15);

/// How long the agent's last word may be under way once its process has ended.
const LAST_WORD: Duration = Duration::from_secs(1);

/// A sandbox's process, watched.
pub(crate) struct Keeper {
    sandbox: SandboxId,
    state_dir: PathBuf,
    pid: u32,
    pidfd: OwnedFd,
    /// How it ended, for all who watch it here.
    fate: Arc<Fate>,
    asked: AtomicBool,
    state: watch::Sender<State>,
    obituary: watch::Sender<Option<Error>>,
    log: Mutex<Option<std::fs::File>>,
    /// Keeps others from finding what is about to end.
    turn: Mutex<Option<Turn>>,
    /// The agent's own word of why it ends, for a process that is not ours to reap.
    word: Mutex<Option<JoinHandle<Option<u8>>>>,
    /// Who has seen what happened in the sandbox, and what limits it.
    witness: Mutex<Option<(Witness, Option<Cgroups>)>>,
}

/// What is known of the process, and who finds out more.
#[derive(Debug, Clone)]
enum State {
    /// A task waits for its end.
    Attended,
    /// The runtime of that task is gone: whoever wants to know has to wait for the process itself.
    Unattended,
    Ended(Ended),
}

/// What a sandbox that is asked to end leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Leave {
    /// It is deleted.
    Nothing,
    /// It is stopped.
    Files,
}

impl Keeper {
    /// Watches a process from now on: a child of ours, which is reaped, or somebody else's.
    pub(crate) fn watch(sandbox: SandboxId, state_dir: &Path, pid: u32, log: Option<OwnedFd>) -> Result<Arc<Self>> {
        let raw = i32::try_from(pid).ok().and_then(Pid::from_raw);
        let raw = raw.ok_or_else(|| Error::internal("the sandbox's process has no number"))?;
        let open = |errno: rustix::io::Errno| {
            let refused = matches!(errno, rustix::io::Errno::NOSYS | rustix::io::Errno::PERM);
            let why = if refused { format!(", {}", isobox_wire::remedy::FILTER.hint()) } else { String::new() };
            Error::io(format!("cannot watch the sandbox's process (pidfd_open){why}"), errno.into())
        };
        let pidfd = pidfd_open(raw, PidfdFlags::empty()).map_err(open)?;
        let keeper = Arc::new(Self {
            sandbox,
            state_dir: state_dir.to_owned(),
            pid,
            pidfd,
            fate: fate::of(sandbox, pid),
            asked: AtomicBool::new(false),
            state: watch::Sender::new(State::Attended),
            obituary: watch::Sender::new(None),
            log: Mutex::new(log.map(Into::into)),
            turn: Mutex::default(),
            word: Mutex::default(),
            witness: Mutex::default(),
        });
        orphans::reap();
        tokio::spawn(Attendant::new(&keeper)?.attend());
        Ok(keeper)
    }

    /// What calls into the sandbox fail with once it is gone.
    pub(crate) fn obituary(&self) -> Obituary {
        self.obituary.subscribe()
    }

    /// Names who has seen what happened in the sandbox, for a post-mortem.
    pub(crate) fn witnessed_by(&self, witness: Witness, cgroups: Option<Cgroups>) {
        *self.witness.lock().unwrap_or_else(PoisonError::into_inner) = Some((witness, cgroups));
    }

    /// Lets the agent say why it ends, until [`hush`](Self::hush).
    pub(crate) fn listen(&self, guest: Guest) {
        let word = tokio::spawn(async move { guest.ending().await.ok() });
        *self.word.lock().unwrap_or_else(PoisonError::into_inner) = Some(word);
    }

    /// Lets go of the connection that the agent is listened to on.
    pub(crate) fn hush(&self) {
        if let Some(word) = &*self.word.lock().unwrap_or_else(PoisonError::into_inner) {
            word.abort();
        }
    }

    async fn last_word(&self) -> Option<u8> {
        let word = self.word.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        tokio::time::timeout(LAST_WORD, word).await.ok()?.ok()?
    }

    /// Asks the process to end everything and go, and has the turn until then, whoever stops waiting for it. One that has ended
    /// is fine.
    pub(crate) fn terminate_in(&self, turn: &Turn, leave: Leave) {
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = Some(turn.clone());
        self.terminate(leave);
        if self.ended().is_some() {
            self.give_turn_back();
        }
    }

    /// Whether it was asked to end through this handle.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Acquire)
    }

    fn give_turn_back(&self) {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Asks the process to end everything and go. One that has ended is fine.
    pub(crate) fn terminate(&self, leave: Leave) {
        self.asked.store(true, Ordering::Release);
        let signal = match leave {
            Leave::Nothing => Signal::TERM,
            Leave::Files => Signal::USR2,
        };
        let _ = pidfd_send_signal(&self.pidfd, signal);
    }

    /// Waits for the end, and forces it when it does not come.
    ///
    /// # Errors
    /// `incomplete` when not even that ends it.
    pub(crate) async fn end(self: &Arc<Self>, turn: Option<&Turn>, leave: Leave) -> Result<()> {
        match turn {
            Some(turn) => self.terminate_in(turn, leave),
            None => self.terminate(leave),
        }
        if tokio::time::timeout(PATIENCE, self.wait()).await.is_ok() {
            return Ok(());
        }
        let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
        let killed = tokio::time::timeout(PATIENCE, self.wait()).await;
        killed.map(drop).map_err(|_| {
            let message = format!("the sandbox's process {} does not end, it is stuck in the kernel", self.pid);
            Error::new(ErrorCode::Incomplete, message).with_sandbox(&self.sandbox)
        })
    }

    /// Waits for the end. Works in any runtime.
    pub(crate) async fn wait(self: &Arc<Self>) -> Ended {
        let mut state = self.state.subscribe();
        loop {
            let known = state.borrow_and_update().clone();
            match known {
                State::Ended(ended) => return ended,
                State::Attended => drop(state.changed().await),
                State::Unattended => match Attendant::new(self) {
                    Ok(attendant) => attendant.attend().await,
                    // Without a runtime that can watch descriptors nobody gets here.
                    Err(_) => std::future::pending().await,
                },
            }
        }
    }

    /// How it ended, if it has by now: what another process has just ended is not known yet to whoever waits for it here.
    pub(crate) async fn ended_now(self: &Arc<Self>) -> Option<Ended> {
        let mut events = [PollFd::new(&self.pidfd, PollFlags::IN)];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        match poll(&mut events, Some(&at_once)) {
            Ok(0) => self.ended(),
            _ => Some(self.wait().await),
        }
    }

    /// How it ended, if it has.
    pub(crate) fn ended(&self) -> Option<Ended> {
        match &*self.state.borrow() {
            State::Ended(ended) => Some(ended.clone()),
            _ => None,
        }
    }

    fn publish(&self, status: Status) {
        if self.ended().is_some() {
            return;
        }
        let ended = if Stopped::is_in(&self.state_dir) {
            Ended::Stopped
        } else if self.asked.load(Ordering::Acquire) || status == Status::Code(ended::SHUTDOWN) {
            Ended::Deleted
        } else {
            Ended::Died(Box::new(self.post_mortem(status)))
        };
        let error = match &ended {
            Ended::Died(post_mortem) => Error::sandbox_gone((**post_mortem).clone()),
            Ended::Stopped => Error::invalid_state(isobox_contract::State::Stopped, Action::Access),
            _ => Error::new(ErrorCode::SandboxGone, "the sandbox was deleted"),
        };
        self.obituary.send_replace(Some(error.with_sandbox(&self.sandbox)));
        self.state.send_replace(State::Ended(ended));
        self.give_turn_back();
    }

    fn post_mortem(&self, status: Status) -> PostMortem {
        let cause = match status {
            Status::Code(ended::OWNER_LOST) => DeathCause::OwnerLost,
            Status::Code(ended::EXPIRED | ended::IDLE) => DeathCause::Expired,
            Status::Code(ended::OUT_OF_MEMORY) => DeathCause::Oom,
            // Nothing in the sandbox can signal its keeper.
            Status::Signal(_) => DeathCause::RemovedExternally,
            Status::Code(_) => DeathCause::AgentCrashed,
            Status::Unknown => DeathCause::Unknown,
        };
        let mut post_mortem = PostMortem::new(self.sandbox, cause, Timestamp::now());
        if let Some((witness, cgroups)) = &*self.witness.lock().unwrap_or_else(PoisonError::into_inner) {
            witness.testify(&mut post_mortem);
            cgroups.iter().for_each(|cgroups| cgroups.testify(&mut post_mortem));
        }
        match status {
            Status::Signal(signal) => post_mortem.signal = Some(signal),
            Status::Code(code) if cause == DeathCause::AgentCrashed => post_mortem.exit_code = Some(code.into()),
            _ => {}
        }
        let log = self.log();
        if cause == DeathCause::Oom {
            let (limit, peak) = memory(&log);
            post_mortem.memory_limit = limit.or(post_mortem.memory_limit);
            post_mortem.peak_memory = peak.or(post_mortem.peak_memory);
            return post_mortem;
        }
        post_mortem.reason = match status {
            Status::Code(ended::IDLE) => Some("it was idle for too long".into()),
            _ => last_words(&log),
        };
        post_mortem
    }

    /// What the agent and its keeper said.
    fn log(&self) -> String {
        let mut bytes = Vec::new();
        if let Some(log) = self.log.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // The pipe does not block: its end, or a writer that lives on, ends the reading.
            let _ = log.take(LOG as u64).read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// The last line of a log, without control characters.
fn last_words(log: &str) -> Option<String> {
    let line = log.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(line.chars().filter(|c| !c.is_control()).take(900).collect())
}

/// The limit of memory and its highest use, in the keeper's words.
fn memory(log: &str) -> (Option<u64>, Option<u64>) {
    let words = log.lines().rev().find_map(|line| line.strip_prefix("isobox: out of memory: limit "));
    let (limit, peak) = words.and_then(|words| words.split_once(" peak ")).unwrap_or_default();
    (limit.parse().ok(), peak.parse().ok())
}

#[allow(unsafe_code, reason = "the compiler cannot tell that an owner keeps its descriptor open")]
fn register(pidfd: OwnedFd) -> Result<AsyncFd<OwnedFd>> {
    // SAFETY: the descriptor is owned by what watches it and never replaced.
    let registered = unsafe { AsyncFd::register_with_interest(pidfd, tokio::io::Interest::READABLE) };
    registered.map_err(|error| Error::io("cannot watch the sandbox's process", error.into()))
}

/// Waits for the process, reaps it, and tells. When it is dropped before, others have to.
struct Attendant {
    keeper: Arc<Keeper>,
    watched: AsyncFd<OwnedFd>,
}

impl Attendant {
    fn new(keeper: &Arc<Keeper>) -> Result<Self> {
        let pidfd = keeper.pidfd.try_clone().map_err(|error| Error::io("cannot watch the sandbox's process", error))?;
        Ok(Self { keeper: keeper.clone(), watched: register(pidfd)? })
    }

    async fn attend(self) {
        let readable = self.watched.readable().await.map(drop);
        let status = match readable {
            Ok(()) => match fate::reap(&self.keeper.fate, self.watched.get_ref()) {
                Status::Unknown => self.keeper.last_word().await.map_or(Status::Unknown, Status::Code),
                known => known,
            },
            // The runtime shuts down.
            Err(_) => return,
        };
        self.keeper.publish(status);
    }
}

impl Drop for Attendant {
    fn drop(&mut self) {
        let left = self.keeper.state.send_if_modified(|state| {
            let attended = matches!(state, State::Attended);
            if attended {
                *state = State::Unattended;
            }
            attended
        });
        if left && let Ok(pidfd) = self.keeper.pidfd.try_clone() {
            orphans::add(pidfd);
        }
    }
}

/// Processes that were left by the runtime that waited for them, so that they do not stay zombies.
mod orphans {
    use super::{OwnedFd, Shared, WaitId, WaitIdOptions, waitid};
    use std::os::fd::AsFd;

    /// In a child that was forked while it was in use, a zombie is better than a hang.
    static ALL: Shared<Vec<OwnedFd>> = Shared::new(Vec::new());

    pub(super) fn add(pidfd: OwnedFd) {
        ALL.with(|all| all.push(pidfd));
        reap();
    }

    /// Reaps those that have ended.
    pub(super) fn reap() {
        let runs = |pidfd: &OwnedFd| {
            let waited = waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
            matches!(waited, Ok(None))
        };
        ALL.with(|all| all.retain(runs));
    }
}

impl std::fmt::Debug for Keeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keeper").field("pid", &self.pid).field("pidfd", &self.pidfd.as_raw_fd()).finish_non_exhaustive()
    }
}
