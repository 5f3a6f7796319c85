//! Watching over a container.
//!
//! ```text
//! running ──the connection breaks──▶ is it there? ──runs──▶ connected again
//!    │                                   │ ended, with a code: stopped, deleted, or died of something
//!    │                                   │ gone: deleted, or removed by somebody else
//!    └─ asked to stop or to go           └ no engine: told so, and asked again until there is one
//! ```
//!
//! The connection to the agent is what tells: it ends with the agent at the same moment, whoever ends that, and costs the engine
//! nothing. What the engine says afterwards is why.

use crate::client::Caller;
use crate::failure::is_unreachable;
use crate::place::Place;
use crate::reach::Reach;
use crate::status;
use bollard::models::ContainerState;
use bollard::query_parameters::WaitContainerOptionsBuilder;
use futures::StreamExt;
use isobox_contract::{
    Action, DeathCause, Ended, Error, ErrorCode, PostMortem, Resource, Result, SandboxId, State, Timestamp,
};
use isobox_guest::{Obituary, Witness};
use isobox_wire::settings::ended;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::watch;

/// What the engine may take to notice that a container has ended.
const NOTICE: Duration = Duration::from_secs(1);
/// How long whoever deletes a sandbox may take before the engine is asked how it is, which is busy with it until then.
const DELETION: Duration = Duration::from_secs(1);
/// Between two questions to an engine that is not there, the first time and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));
/// The code of a process that KILL ended.
const KILLED: i64 = 128 + 9;

/// What becomes of a container that is stopped and whose runtime keeps nothing.
const FORGOTTEN: &str = "its container was stopped, and its runtime has not kept its files";

/// What a container is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Asked {
    Nothing = 0,
    Stop = 1,
    Delete = 2,
}

/// One run of a container, watched.
pub(crate) struct Keeper {
    sandbox: SandboxId,
    container: String,
    place: Place,
    caller: Caller,
    /// Exit codes that are a stop.
    stops: Vec<u8>,
    /// Whether what it has written is there when it is started again.
    keeps_files: AtomicBool,
    asked: AtomicU8,
    ended: watch::Sender<Option<Ended>>,
    obituary: watch::Sender<Option<Error>>,
    witness: Mutex<Option<Witness>>,
}

/// What is known of a container that the connection was lost to.
enum Found {
    Runs,
    Exited(ContainerState, Option<u64>),
    Gone,
}

impl Keeper {
    /// A keeper for a container that runs, or is about to.
    pub(crate) fn new(caller: &Caller, sandbox: SandboxId, container: &str, place: Place, stops: Vec<u8>) -> Arc<Self> {
        Arc::new(Self {
            sandbox,
            container: container.to_owned(),
            place,
            caller: caller.clone(),
            stops,
            keeps_files: AtomicBool::new(true),
            asked: AtomicU8::new(Asked::Nothing as u8),
            ended: watch::Sender::new(None),
            obituary: watch::Sender::new(None),
            witness: Mutex::default(),
        })
    }

    /// Says whether a container that has ended can be started again with its files.
    pub(crate) fn keeps_files(&self, keeps: bool) {
        self.keeps_files.store(keeps, Ordering::Release);
    }

    /// What calls into the sandbox fail with once it is gone.
    pub(crate) fn obituary(&self) -> Obituary {
        self.obituary.subscribe()
    }

    /// Names who has seen what happened in the sandbox, for a post-mortem.
    pub(crate) fn witnessed_by(&self, witness: Witness) {
        *self.witness.lock().unwrap_or_else(PoisonError::into_inner) = Some(witness);
    }

    /// Says that what comes next is on purpose.
    pub(crate) fn ask(&self, what: Asked) {
        self.asked.fetch_max(what as u8, Ordering::AcqRel);
    }

    /// Says that it did not come.
    pub(crate) fn ask_nothing(&self) {
        self.asked.store(Asked::Nothing as u8, Ordering::Release);
    }

    /// It may be there after all: what calls fail with is open again.
    pub(crate) fn hope(&self) {
        if self.ended().is_none() {
            self.obituary.send_replace(None);
        }
    }

    pub(crate) fn is_asked(&self, what: Asked) -> bool {
        self.asked.load(Ordering::Acquire) == what as u8
    }

    /// How it ended, if that is known.
    pub(crate) fn ended(&self) -> Option<Ended> {
        self.ended.borrow().clone()
    }

    /// Waits for the end. Works in any runtime.
    pub(crate) async fn wait(&self) -> Ended {
        let mut known = self.ended.subscribe();
        loop {
            if let Some(ended) = known.borrow_and_update().clone() {
                return ended;
            }
            // The sender is this keeper's.
            let _ = known.changed().await;
        }
    }

    /// Finds out what it means that the connection was lost, until there is an end, or it was connected again.
    pub(crate) async fn attend(
        keeper: Weak<Self>,
        closed: impl Future<Output = ()>,
        again: impl Fn() -> Pin<Box<dyn Future<Output = bool> + Send>>,
    ) -> bool {
        closed.await;
        if let Some(keeper) = keeper.upgrade().filter(|keeper| keeper.is_asked(Asked::Delete)) {
            let _ = tokio::time::timeout(DELETION, keeper.wait()).await;
        }
        let (mut pause, mut engine_down) = (PAUSE.0, false);
        loop {
            let Some(keeper) = keeper.upgrade().filter(|keeper| keeper.ended().is_none()) else { return false };
            match keeper.look().await {
                Ok(Found::Runs) if again().await => return true,
                Ok(Found::Runs) => {}
                Ok(found) => {
                    let ended = keeper.judge(found, engine_down).await;
                    keeper.publish(ended);
                    return false;
                }
                Err(error) => {
                    engine_down |= is_unreachable(&error);
                    keeper.obituary.send_replace(Some(error.with_sandbox(&keeper.sandbox)));
                }
            }
            drop(keeper);
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSE.1);
        }
    }

    /// What a container died of that ended when nobody watched; nothing for one that is not there, or did not die.
    pub(crate) async fn autopsy(&self) -> Result<Option<PostMortem>> {
        match self.inspect().await? {
            Found::Runs | Found::Gone => Ok(None),
            found => match self.judge(found, false).await {
                Ended::Died(post_mortem) => Ok(Some(*post_mortem)),
                _ => Ok(None),
            },
        }
    }

    /// Looks after the container once the engine has had time to notice that it ended.
    async fn look(&self) -> Result<Found> {
        let found = self.inspect().await?;
        let Found::Runs = found else { return Ok(found) };
        let options = WaitContainerOptionsBuilder::default().condition("not-running").build();
        let mut waiting = Box::pin(self.caller.api().wait_container(&self.container, Some(options)));
        // Whatever it says, and if it says nothing in time: what counts is how it is then.
        let _ = tokio::time::timeout(NOTICE, waiting.next()).await;
        self.inspect().await
    }

    async fn inspect(&self) -> Result<Found> {
        let inspected = self.caller.inspect(&self.container).await;
        let failed = self.caller.failed_on("look at the container", Resource::Sandbox, &self.container);
        match inspected.map_err(failed) {
            Ok(container) => {
                let state = container.state.unwrap_or_default();
                let memory = container.host_config.and_then(|host| host.memory).filter(|memory| *memory > 0);
                // What is being removed has no state of its own any more.
                let gone = state.dead == Some(true);
                Ok(match status::runs(&state) {
                    true => Found::Runs,
                    false if gone => Found::Gone,
                    false => Found::Exited(state, memory.map(|memory| memory.unsigned_abs())),
                })
            }
            Err(error) if error.code() == ErrorCode::NotFound => Ok(Found::Gone),
            Err(error) => Err(error),
        }
    }

    async fn judge(&self, found: Found, engine_down: bool) -> Ended {
        if self.is_asked(Asked::Delete) {
            return Ended::Deleted;
        }
        let (state, limit) = match found {
            Found::Exited(state, limit) => (state, limit),
            Found::Runs | Found::Gone => {
                let cause = if engine_down { DeathCause::EngineDown } else { DeathCause::RemovedExternally };
                return self.died(cause, |_| {});
            }
        };
        let code = state.exit_code.unwrap_or_default();
        let agents = u8::try_from(code).ok();
        if agents == Some(ended::STOPPED) || agents.is_some_and(|code| self.stops.contains(&code)) {
            return match self.keeps_files.load(Ordering::Acquire) {
                true => Ended::Stopped,
                false => self.died(DeathCause::RemovedExternally, |post_mortem| {
                    post_mortem.reason = Some(FORGOTTEN.into());
                }),
            };
        }
        match agents {
            Some(ended::SHUTDOWN) if !engine_down => Ended::Deleted,
            Some(ended::OWNER_LOST) => self.died(DeathCause::OwnerLost, |_| {}),
            Some(ended::EXPIRED) => self.died(DeathCause::Expired, |_| {}),
            Some(ended::IDLE) => self.died(DeathCause::Expired, |post_mortem| {
                post_mortem.reason = Some("it was idle for too long".into());
            }),
            _ if code == KILLED && state.oom_killed == Some(true) => self.died(DeathCause::Oom, |post_mortem| {
                // It ends so only where all of it is taken.
                (post_mortem.memory_limit, post_mortem.peak_memory) = (limit, limit);
                post_mortem.signal = Some(9);
            }),
            _ if engine_down => self.died(DeathCause::EngineDown, |_| {}),
            // Nothing in a container can kill its first process.
            _ if code == KILLED => self.died(DeathCause::RemovedExternally, |post_mortem| {
                post_mortem.signal = Some(9);
                post_mortem.reason = Some("its container was killed or removed".into());
            }),
            _ => {
                let reach = Reach { caller: &self.caller, container: &self.container, place: &self.place };
                let said = reach.last_words().await;
                self.died(DeathCause::AgentCrashed, |post_mortem| {
                    post_mortem.exit_code = i32::try_from(code).ok();
                    post_mortem.reason = said;
                })
            }
        }
    }

    fn died(&self, cause: DeathCause, more: impl FnOnce(&mut PostMortem)) -> Ended {
        let mut post_mortem = PostMortem::new(self.sandbox, cause, Timestamp::now());
        if let Some(witness) = &*self.witness.lock().unwrap_or_else(PoisonError::into_inner) {
            witness.testify(&mut post_mortem);
        }
        more(&mut post_mortem);
        Ended::Died(Box::new(post_mortem))
    }

    /// Tells everybody how it ended; the first word counts.
    pub(crate) fn publish(&self, ended: Ended) {
        let error = match &ended {
            Ended::Died(post_mortem) => Error::sandbox_gone((**post_mortem).clone()),
            Ended::Stopped => Error::invalid_state(State::Stopped, Action::Access),
            _ => Error::new(ErrorCode::SandboxGone, "the sandbox was deleted"),
        };
        let first = self.ended.send_if_modified(|known| {
            let first = known.is_none();
            if first {
                *known = Some(ended);
            }
            first
        });
        if first {
            self.obituary.send_replace(Some(error.with_sandbox(&self.sandbox)));
        }
    }
}

impl std::fmt::Debug for Keeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keeper").field("container", &self.container).finish_non_exhaustive()
    }
}
