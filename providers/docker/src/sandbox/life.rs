//! Stop, start, pause and the end of a sandbox.
//!
//! ```text
//! running ──stop: TERM to the agent, which ends everything and exits──> stopped ──start: the config again──> running
//!    └──delete──> gone <──delete──┘
//! ```

use super::DockerSandbox;
use crate::create::Delivery;
use crate::first_process;
use crate::freeze::freezing;
use crate::gvisor;
use crate::keeper::{Asked, Keeper};
use crate::podman;
use crate::removal::end_gvisor;
use bollard::query_parameters::StopContainerOptionsBuilder;
use futures::future::join_all;
use isobox_contract::{Action, Capability, Context, Ended, Error, ErrorCode, Exec, Resource, Resources, Result};
use isobox_guest::Guest;
use isobox_wire::Settings;
use isobox_wire::system::SetLifetimes;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What ending commands may take beyond their grace.
const PATIENCE: Duration = Duration::from_secs(5);
/// What the engine may take to say how a container has ended.
const NOTICE: Duration = Duration::from_secs(30);

/// What a container is doing, as far as a start has to know.
enum Doing {
    Runs,
    StandsStill,
    Nothing,
}

impl DockerSandbox {
    pub(super) async fn start_again(&self, context: &Context) -> Result<()> {
        self.here()?;
        context.remaining("start")?;
        match self.core.ended() {
            None if self.core.stands_still() => return self.resume_now().await,
            None => match self.core.keeper().filter(|keeper| keeper.is_asked(Asked::Stop)) {
                // Whoever asked it to stop waits no longer, and it is about to.
                Some(keeper) => drop(self.ended_by_engine(&keeper).await?),
                None => match (self.doing().await?, self.core.keeper()) {
                    // The engine knows of its end, by its own lifetime or by somebody else, and this handle does not yet.
                    (Doing::Nothing, Some(keeper)) => match heard(&keeper).await? {
                        Ended::Stopped => {}
                        _ => return Err(self.core.guest.lost().await),
                    },
                    _ => return Ok(()),
                },
            },
            Some(Ended::Stopped) => {}
            Some(_) => return Err(self.core.guest.lost().await),
        }
        let keeper = self.next_keeper();
        match self.doing().await? {
            Doing::Runs => {}
            Doing::StandsStill => self.unpause().await?,
            Doing::Nothing => return self.launch_again(keeper, context).await,
        }
        // Somebody else has started it.
        let owner = self.owned.load(Ordering::Relaxed);
        let core = &self.core;
        let reached = core.reach().again(core.record().agent, core.greeting(owner), keeper.obituary()).await?;
        core.note(reached.agent);
        self.go_on(&reached.guest, keeper);
        Ok(())
    }

    fn next_keeper(&self) -> Arc<Keeper> {
        let core = &self.core;
        let caller = self.inner.engine.caller();
        Keeper::new(caller, core.id, core.container(), core.place.clone(), core.stops.clone())
    }

    async fn launch_again(&self, keeper: Arc<Keeper>, context: &Context) -> Result<()> {
        let core = &self.core;
        let mut settings = core.place.kept()?;
        settings.ttl = settings.ttl.map(|ttl| isobox_local::left_of(ttl, self.age()));
        if settings.lease.is_some() {
            // Whoever starts it is its owner.
            self.owned.store(true, Ordering::Relaxed);
        }
        let delivery = Delivery::of(&self.container().await?);
        delivery.deliver(&self.inner, core.container(), &core.place, &settings).await?;
        isobox_fault::point!("docker.start.delivered");
        let started = self.inner.engine.api().start_container(core.container(), None).await;
        started.map_err(self.inner.engine.failed_on("start the container", Resource::Sandbox, core.id.as_str()))?;
        let owner = settings.lease.is_some();
        let reached = core.reach().first(delivery == Delivery::Shared, core.greeting(owner), keeper.obituary()).await?;
        core.note(reached.agent);
        self.limit_again().await?;
        self.go_on(&reached.guest, keeper);
        if self.inner.may_have_beside(&core.id) {
            self.inner.restart_sidecars(&core.id, context).await?;
        }
        Ok(())
    }

    fn go_on(&self, guest: &Guest, keeper: Arc<Keeper>) {
        self.core.guest.continue_with(guest);
        self.core.seen(false);
        self.put_authority(None);
        self.watch(keeper);
    }

    async fn container(&self) -> Result<bollard::models::ContainerInspectResponse> {
        let engine = &self.inner.engine;
        let inspected = engine.caller().inspect(self.core.container()).await;
        inspected.map_err(engine.failed_on("look at the container", Resource::Sandbox, self.core.id.as_str()))
    }

    async fn doing(&self) -> Result<Doing> {
        let state = self.container().await?.state.unwrap_or_default();
        Ok(match (state.running, state.paused) {
            (_, Some(true)) => Doing::StandsStill,
            (Some(true), _) => Doing::Runs,
            _ => Doing::Nothing,
        })
    }

    /// How old it is.
    pub(super) fn age(&self) -> Duration {
        isobox_local::age(self.core.record().born.as_ref(), &self.core.id)
    }

    pub(super) async fn stop_now(&self, grace: Option<Duration>, context: &Context) -> Result<()> {
        self.here()?;
        context.remaining("stop")?;
        let keeper = match (self.core.ended(), self.core.keeper()) {
            (Some(Ended::Stopped), _) | (None, None) => return Ok(()),
            (Some(_), _) => return Err(self.core.guest.lost().await),
            (None, Some(keeper)) => keeper,
        };
        if self.core.stands_still() {
            // What stands still hears nothing.
            self.unpause().await?;
        }
        let lifetimes = self.core.guest.lifetimes(SetLifetimes::default()).await.ok();
        if let Some(grace) = grace.filter(|grace| !grace.is_zero()) {
            self.end_commands(grace).await;
        }
        isobox_fault::point!("docker.stop.taken");
        keeper.ask(Asked::Stop);
        let ended = self.ended_by_engine(&keeper).await;
        isobox_fault::point!("docker.stop.ended");
        match ended {
            Ok(Ended::Stopped) => {}
            Ok(_) => {
                return Err(Error::new(ErrorCode::Incomplete, "the sandbox did not stop by itself, and was killed"));
            }
            Err(error) => {
                keeper.ask_nothing();
                return Err(error);
            }
        }
        if self.inner.may_have_beside(&self.core.id) {
            self.inner.stop_sidecars(&self.core.id).await?;
            self.inner.remove_one_shots(&self.core.id).await?;
        }
        let Some(lifetimes) = lifetimes else { return Ok(()) };
        let age = self.age();
        self.change_stopped(|settings: &mut Settings| {
            settings.ttl = lifetimes.ttl.and_then(|left| age.checked_add(left));
            settings.idle_timeout = lifetimes.idle_timeout;
            settings.lease = lifetimes.lease;
        })
    }

    async fn ended_by_engine(&self, keeper: &Keeper) -> Result<Ended> {
        let engine = &self.inner.engine;
        let options = StopContainerOptionsBuilder::default().t(crate::body::STOP as i32).build();
        let stopped = engine.api().stop_container(self.core.container(), Some(options)).await;
        stopped.map_err(engine.failed_on("stop the container", Resource::Sandbox, self.core.id.as_str()))?;
        heard(keeper).await
    }

    /// TERM for every command's tree, and KILL for what is left of it after the grace.
    async fn end_commands(&self, grace: Duration) {
        let guest = &self.core.guest;
        let Ok(all) = guest.processes().await else { return };
        let stopped = join_all(all.iter().map(|process| guest.stop_process(&process.id, Some(grace))));
        // What does not end so is killed with the sandbox.
        let _ = tokio::time::timeout(grace.saturating_add(PATIENCE), stopped).await;
    }

    pub(super) async fn remove_now(&self) -> Result<()> {
        self.here()?;
        isobox_fault::point!("docker.delete.taken");
        if let Some(keeper) = self.core.keeper() {
            keeper.ask(Asked::Delete);
        }
        if *self.core.paused.borrow() && gvisor::has(&self.capabilities) {
            // Its kernel passes no signal on while it stands still, and the engine would wait for that. It goes all the same.
            let _ = self.unpause().await;
        }
        // What runs beside it goes first.
        if !self.inner.may_have_beside(&self.core.id) {
            if let Some(agent) = self.core.record().agent {
                let _ = first_process::kill(agent, self.core.container());
            }
            if gvisor::has(&self.capabilities) {
                end_gvisor(&self.inner.engine, self.core.container()).await;
            }
        }
        isobox_fault::point!("docker.delete.killed");
        self.inner.remove(self.core.container(), &self.core.id).await?;
        self.core.gone.store(true, Ordering::Release);
        if let Some(keeper) = self.core.keeper() {
            keeper.publish(Ended::Deleted);
        }
        Ok(())
    }

    pub(super) async fn pause_now(&self) -> Result<()> {
        self.alive(Action::Pause)?;
        self.capabilities.require(Capability::LifecyclePause)?;
        let engine = &self.inner.engine;
        let _steady = self.core.steady.lock().await;
        let pause = || async {
            let paused = engine.api().pause_container(self.core.container()).await;
            paused.map_err(engine.failed_on("pause the container", Resource::Sandbox, self.core.id.as_str()))
        };
        match freezing(pause).await {
            // It may be so already.
            Err(error)
                if error.code() == ErrorCode::Conflict && matches!(self.doing().await, Ok(Doing::StandsStill)) => {}
            paused => paused?,
        }
        self.core.seen(true);
        Ok(())
    }

    pub(super) async fn resume_now(&self) -> Result<()> {
        self.alive(Action::Resume)?;
        self.capabilities.require(Capability::LifecyclePause)?;
        self.unpause().await?;
        if self.core.guest.is_connected() {
            return Ok(());
        }
        // It was found paused, when nobody could be connected to.
        let Some(keeper) = self.core.keeper() else { return Ok(()) };
        let core = &self.core;
        let owner = self.owned.load(Ordering::Relaxed);
        let reached = core.reach().again(core.record().agent, core.greeting(owner), keeper.obituary()).await?;
        core.note(reached.agent);
        self.go_on(&reached.guest, keeper);
        Ok(())
    }

    async fn unpause(&self) -> Result<()> {
        let engine = &self.inner.engine;
        let _steady = self.core.steady.lock().await;
        let resumed = engine.api().unpause_container(self.core.container()).await;
        let failed = engine.failed_on("resume the container", Resource::Sandbox, self.core.id.as_str());
        match resumed.map_err(failed) {
            Err(error) if is_not_paused(&error) && matches!(self.doing().await, Ok(Doing::Runs)) => {}
            resumed => resumed?,
        }
        self.core.seen(false);
        Ok(())
    }

    pub(super) async fn resize_now(&self, resources: &Resources) -> Result<()> {
        self.alive(Action::Resize)?;
        self.capabilities.require(Capability::LifecycleResize)?;
        let fixed = [("resources.gpus", resources.gpus.is_some()), ("resources.disk", resources.disk.is_some())];
        if let Some((field, _)) = fixed.into_iter().find(|(_, wanted)| *wanted) {
            let reason = "cannot be changed while the sandbox is there, make a new one";
            return Err(Error::invalid_spec(field, reason));
        }
        let engine = &self.inner.engine;
        let limits = crate::body::limits(resources, engine.facts().await?)?;
        self.change_limits(&limits).await?;
        let known = {
            let mut known = self.limits.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            known.cpus = resources.cpus.or(known.cpus);
            known.memory = resources.memory.or(known.memory);
            known.pids = resources.pids.or(known.pids);
            *known
        };
        if engine.facts().await?.podman { self.core.place.keep_limits(&known) } else { Ok(()) }
    }

    /// Podman changes limits for one run of a container only.
    async fn limit_again(&self) -> Result<()> {
        let Some(changed) = self.core.place.limits() else { return Ok(()) };
        let facts = self.inner.engine.facts().await?;
        self.change_limits(&crate::body::limits(&changed, facts)?).await
    }

    async fn change_limits(&self, limits: &crate::body::Limits) -> Result<()> {
        let engine = &self.inner.engine;
        let failed = engine.failed_on("change the limits", Resource::Sandbox, self.core.id.as_str());
        if engine.facts().await?.podman {
            return podman::update(engine.caller(), self.core.container(), limits).await.map_err(failed);
        }
        let update = bollard::models::ContainerUpdateBody {
            nano_cpus: limits.nano_cpus,
            memory: limits.memory,
            memory_swap: limits.memory_swap,
            pids_limit: limits.pids,
            ..bollard::models::ContainerUpdateBody::default()
        };
        let updated = engine.api().update_container(self.core.container(), update).await;
        updated.map(drop).map_err(failed)
    }
}

/// How it has ended, which the engine is about to say.
async fn heard(keeper: &Keeper) -> Result<Ended> {
    tokio::time::timeout(NOTICE, keeper.wait()).await.map_err(|_| Error::timeout("stop", NOTICE))
}

/// The engine calls it a failure of its own.
fn is_not_paused(error: &Error) -> bool {
    matches!(error.code(), ErrorCode::Conflict | ErrorCode::Internal) && error.message().contains("not paused")
}
