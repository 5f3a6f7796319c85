//! How a sandbox goes on, and how it ends.

use crate::exec::Running;
use crate::faults::{Effect, Operation};
use crate::place::{Life, Place};
use crate::sync::locked;
use isobox_contract::{
    Action, DeathCause, Ended, Error, Expiry, Lifetime, Lifetimes, PostMortem, Result, State, Termination,
};
use std::sync::Arc;
use std::time::Duration;

/// How long an owner may be out of touch when nothing is said.
const LEASE: Duration = Duration::from_secs(10);

impl Place {
    /// Meets the faults of an operation: waits, fails, or says what else is to happen.
    pub(crate) async fn meet(
        self: &Arc<Self>,
        operation: Operation,
        about: impl Fn() -> String,
    ) -> Result<Option<Effect>> {
        match self.fleet.meet(operation, about).await? {
            Some(Effect::Death(cause)) => {
                self.die(cause);
                Err(self.life().gone().unwrap_or_else(|| Error::internal("a sandbox did not die")))
            }
            effect => Ok(effect),
        }
    }

    /// The same for what is either done or not.
    pub(crate) async fn meet_plainly(self: &Arc<Self>, operation: Operation, about: impl Fn() -> String) -> Result<()> {
        match self.meet(operation, about).await? {
            Some(Effect::Hang) => std::future::pending().await,
            Some(Effect::Cut(_)) => {
                Err(Error::transport(format!("the connection broke during this {operation}, as the fault plan says")))
            }
            _ => Ok(()),
        }
    }

    /// It dies now, for a reason that nobody asked for.
    pub(crate) fn die(self: &Arc<Self>, cause: DeathCause) {
        let running: Vec<_> = self.commands().into_iter().filter(|running| !running.ended()).collect();
        let mut post_mortem = PostMortem::new(self.id, cause, self.fleet.clock.now());
        post_mortem.running = running.iter().map(|running| running.id).collect();
        post_mortem.last_output = self.last_output();
        post_mortem.memory_limit = locked(&self.state).resources.memory;
        self.end_as(Life::Died(Box::new(post_mortem)));
    }

    fn last_output(&self) -> bytes::Bytes {
        let all: Vec<u8> = self.commands().iter().flat_map(|running| running.written()).collect();
        all[all.len().saturating_sub(PostMortem::MAX_OUTPUT)..].to_vec().into()
    }

    /// It is removed, on purpose.
    pub(crate) fn delete(self: &Arc<Self>) {
        self.end_as(Life::Deleted);
    }

    fn end_as(self: &Arc<Self>, life: Life) {
        let alarms = {
            let mut state = locked(&self.state);
            if state.life.gone().is_some() {
                return;
            }
            state.life = life;
            [state.ttl.take(), state.idle.take()]
        };
        alarms.into_iter().flatten().for_each(|alarm| self.fleet.clock.silence(alarm));
        let gone = self.life().gone().unwrap_or_else(|| Error::internal("a sandbox did not end"));
        self.commands().iter().for_each(|running| running.finish(Err(gone.clone())));
        self.disk.watchers().end();
        self.changed.send_replace(());
    }

    /// Ends everything in it at once, and keeps its files.
    pub(crate) fn stop(self: &Arc<Self>) {
        let alarms = {
            let mut state = locked(&self.state);
            if state.life.gone().is_some() {
                return;
            }
            state.life = Life::Stopped;
            [state.ttl.take(), state.idle.take()]
        };
        alarms.into_iter().flatten().for_each(|alarm| self.fleet.clock.silence(alarm));
        let stopped = Error::invalid_state(State::Stopped, Action::Access);
        self.commands().iter().for_each(|running| running.finish(Err(stopped.clone())));
        locked(&self.state).commands.clear();
        self.changed.send_replace(());
    }

    /// TERM for every command, and KILL for what is left of it after the grace.
    pub(crate) async fn end_commands(&self, grace: Duration) {
        let running: Vec<Arc<Running>> = self.commands();
        running.iter().for_each(|running| running.end(Termination::Cancelled, Some(grace)));
        for running in running {
            drop(running.wait(&isobox_contract::OutputLimits::none()).await);
        }
    }

    pub(crate) fn start(self: &Arc<Self>) {
        locked(&self.state).life = Life::Running;
        self.arm();
        self.used();
        self.changed.send_replace(());
    }

    pub(crate) fn freeze(self: &Arc<Self>, frozen: bool) {
        locked(&self.state).life = if frozen { Life::Paused } else { Life::Running };
        self.commands().iter().for_each(|running| running.freeze(frozen));
        self.used();
        self.changed.send_replace(());
    }

    /// How it has ended, if it has.
    pub(crate) fn ended_as(&self) -> Option<Ended> {
        match self.life() {
            Life::Stopped => Some(Ended::Stopped),
            Life::Deleted => Some(Ended::Deleted),
            Life::Died(post_mortem) => Some(Ended::Died(post_mortem)),
            Life::Running | Life::Paused => None,
        }
    }

    /// Waits until it is deleted or dead.
    pub(crate) async fn gone(&self) {
        let mut changed = self.changed.subscribe();
        while !self.is_gone() {
            // Sent by this sandbox, which is there.
            let _ = changed.changed().await;
        }
    }

    pub(crate) async fn ended(&self) -> Ended {
        let mut changed = self.changed.subscribe();
        loop {
            if let Some(ended) = self.ended_as() {
                return ended;
            }
            // Sent by this sandbox, which is there.
            let _ = changed.changed().await;
        }
    }
}

/// Lifetimes.
impl Place {
    /// Replaces them all.
    pub(crate) fn live_for(self: &Arc<Self>, lifetimes: Lifetimes) {
        locked(&self.state).lifetimes = lifetimes;
        self.arm();
        self.used();
    }

    /// Sets the alarm of its longest life.
    pub(crate) fn arm(self: &Arc<Self>) {
        let (earlier, lifetimes) = {
            let mut state = locked(&self.state);
            (state.ttl.take(), state.lifetimes)
        };
        earlier.into_iter().for_each(|alarm| self.fleet.clock.silence(alarm));
        if let Some(Lifetime::After(ttl)) = lifetimes.ttl {
            let place = Arc::downgrade(self);
            let ring = move || place.upgrade().into_iter().for_each(|place| place.expire(lifetimes.on_expiry));
            let alarm = self.fleet.clock.alarm(self.created.saturating_add(ttl), ring);
            locked(&self.state).ttl = Some(alarm);
        }
    }

    /// It is used now, so its idle time begins anew, once no command runs.
    pub(crate) fn used(self: &Arc<Self>) {
        let busy = self.commands().iter().any(|running| !running.ended());
        let (earlier, idle, expiry) = {
            let mut state = locked(&self.state);
            state.used = self.fleet.clock.elapsed();
            let live = matches!(state.life, Life::Running);
            let idle = state.lifetimes.idle_timeout.filter(|_| live && !busy);
            (state.idle.take(), idle, state.lifetimes.idle_expiry())
        };
        earlier.into_iter().for_each(|alarm| self.fleet.clock.silence(alarm));
        if let Some(Lifetime::After(idle)) = idle {
            let place = Arc::downgrade(self);
            let ring = move || place.upgrade().into_iter().for_each(|place| place.expire(expiry));
            let alarm = self.fleet.clock.alarm(self.fleet.clock.elapsed().saturating_add(idle), ring);
            locked(&self.state).idle = Some(alarm);
        }
    }

    /// Its owner is gone: it ends with the lease, unless somebody is its owner by then.
    pub(crate) fn lose_owner(self: &Arc<Self>) {
        let lease = locked(&self.state).lifetimes.owner_lease.unwrap_or(LEASE);
        let place = Arc::downgrade(self);
        self.fleet.clock.alarm(self.fleet.clock.elapsed().saturating_add(lease), move || {
            let Some(place) = place.upgrade() else { return };
            let owned = {
                let state = locked(&place.state);
                state.adopted || state.detached
            };
            if !owned {
                place.die(DeathCause::OwnerLost);
            }
        });
    }

    fn expire(self: &Arc<Self>, expiry: Expiry) {
        match expiry {
            Expiry::Stop => self.stop(),
            Expiry::Pause => self.freeze(true),
            _ => self.die(DeathCause::Expired),
        }
    }

    /// When a lifetime ends, by the clock.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        let state = locked(&self.state);
        state.ttl.into_iter().chain(state.idle).map(|(at, _)| at).min()
    }
}
