//! A handle of a sandbox, as the contract has it.

use crate::exec::Commands;
use crate::faults::Operation;
use crate::filing::Filing;
use crate::place::{Life, Place};
use crate::ports::Doors;
use crate::session::Shells;
use crate::sync::locked;
use crate::tape::Playing;
use async_trait::async_trait;
use isobox_contract::{
    Action, Capabilities, Capability, Context, Ended, Error, EventSink, Exec, ExternalId, Files, ForkOptions, Labels,
    Lifetime, Lifetimes, Metrics, NetworkPolicy, Platform, Ports, Resources, Result, Sandbox, SandboxId, SandboxImage,
    SandboxPath, SandboxRecord, SandboxSpec, Sessions, SnapshotId, SnapshotOptions, SnapshotStatus, Status,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(crate) struct Handle {
    place: Arc<Place>,
    commands: Commands,
    files: Box<dyn Files>,
    doors: Doors,
    shells: Shells,
    runtime_dir: SandboxPath,
    /// Whether the end of this handle is the end of the sandbox.
    owner: AtomicBool,
    /// Whether it was the owner's, and another one may be by now.
    relinquished: AtomicBool,
}

impl Handle {
    pub(crate) fn shared(place: Arc<Place>, owner: bool) -> Arc<dyn Sandbox> {
        Arc::new(Self {
            commands: Commands(place.clone()),
            files: files_of(&place),
            doors: Doors(place.clone()),
            shells: Shells(place.clone()),
            runtime_dir: "/run/isobox".into(),
            owner: AtomicBool::new(owner),
            relinquished: AtomicBool::new(false),
            place,
        })
    }

    /// Does something to the sandbox, with all that may come in between.
    async fn act<T>(
        &self,
        operation: Operation,
        context: &Context,
        act: impl Future<Output = Result<T>> + Send,
    ) -> Result<T> {
        let at = self.place.fleet.clock.elapsed();
        let done = async {
            context.remaining(&operation.to_string())?;
            self.place.meet_plainly(operation, || self.place.about()).await?;
            act.await
        };
        let done = done.await;
        self.place.fleet.recording.operation(operation, Some(self.place.id), self.place.about(), at, &done);
        done
    }

    fn require(&self, capability: Capability) -> Result<()> {
        self.place.capabilities.require(capability)
    }

    /// A copy of it under another id.
    fn copy(&self, id: &SandboxId, options: &ForkOptions) -> Result<Arc<Place>> {
        let (labels, lifetimes, network, resources, detached) = {
            let state = locked(&self.place.state);
            (state.labels.clone(), state.lifetimes, state.network.clone(), state.resources, state.detached)
        };
        let owner = if detached { isobox_contract::Owner::Detached } else { isobox_contract::Owner::Process };
        let spec = SandboxSpec {
            name: options.name.clone(),
            labels: options.labels.clone().unwrap_or(labels),
            lifetimes,
            network,
            resources,
            owner,
            ..self.place.spec.clone()
        };
        self.place.fleet.make_with(id, &spec, self.place.disk.copied())
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if self.owner.load(Ordering::Relaxed) && !locked(&self.place.state).detached {
            self.place.delete();
        } else if self.relinquished.load(Ordering::Relaxed) {
            self.place.lose_owner();
        }
    }
}

/// Its files, in memory or on a tape.
fn files_of(place: &Arc<Place>) -> Box<dyn Files> {
    let filing = Filing(place.clone());
    match &place.fleet.player {
        Some(player) => Box::new(Playing { filing, player: player.clone() }),
        None => Box::new(filing),
    }
}

/// What is told of a sandbox.
pub(crate) fn status_of(place: &Place) -> Status {
    let life = place.life();
    let mut status = Status::new(place.external.clone(), place.fleet.kind.clone(), life.state());
    if let Life::Died(post_mortem) = life {
        status.post_mortem = Some(post_mortem);
    }
    status.id = Some(place.id);
    status.name = place.name.clone();
    status.image = place.image.as_ref().map(SandboxImage::pinned);
    if let isobox_contract::Source::Snapshot { snapshot } = &place.spec.source {
        status.snapshot = Some(snapshot.clone());
    }
    status.created_at = Some(place.fleet.clock.at(place.created));
    let state = locked(&place.state);
    status.labels = state.labels.clone();
    status.network = Some(state.network.clone());
    status.resources = (!state.resources.is_empty()).then_some(state.resources);
    status.expires_at = state.ttl.map(|(at, _)| place.fleet.clock.at(at));
    status
}

#[async_trait]
impl Sandbox for Handle {
    fn id(&self) -> &SandboxId {
        &self.place.id
    }

    fn external_id(&self) -> &ExternalId {
        &self.place.external
    }

    fn capabilities(&self) -> &Capabilities {
        &self.place.capabilities
    }

    fn record(&self) -> SandboxRecord {
        SandboxRecord { id: self.place.id, external: self.place.external.clone(), data: serde_json::Value::Null }
    }

    async fn describe(&self) -> Result<Status> {
        Ok(status_of(&self.place))
    }

    fn workdir(&self) -> &SandboxPath {
        &self.place.workdir
    }

    fn image(&self) -> Option<&SandboxImage> {
        self.place.image.as_ref()
    }

    fn runtime_dir(&self) -> Option<&SandboxPath> {
        Some(&self.runtime_dir)
    }

    async fn platform(&self) -> Result<Platform> {
        let (os, arch) = ("linux".to_owned(), std::env::consts::ARCH.to_owned());
        Ok(Platform { os, arch, version: "0-testing".to_owned() })
    }

    async fn environment(&self) -> Result<BTreeMap<Vec<u8>, Vec<u8>>> {
        self.require(Capability::ExecEnvironment)?;
        Ok(self.place.environment())
    }

    async fn start(&self, context: &Context) -> Result<()> {
        let start = async {
            match self.place.life() {
                Life::Running => {}
                Life::Paused => self.place.freeze(false),
                Life::Stopped => self.place.start(),
                gone => return Err(gone.gone().unwrap_or_else(|| Error::internal("a sandbox has no state"))),
            }
            Ok(())
        };
        self.act(Operation::Start, context, start).await
    }

    async fn stop(&self, grace: Option<Duration>, context: &Context) -> Result<()> {
        self.require(Capability::LifecycleStop)?;
        let stop = async {
            self.place.alive(Action::Stop)?;
            if let Some(grace) = grace.filter(|grace| !grace.is_zero()) {
                self.place.end_commands(grace).await;
            }
            self.place.stop();
            Ok(())
        };
        self.act(Operation::Stop, context, stop).await
    }

    async fn delete(&self, context: &Context) -> Result<()> {
        let delete = async {
            self.place.delete();
            Ok(())
        };
        self.act(Operation::Delete, context, delete).await
    }

    async fn pause(&self, context: &Context) -> Result<()> {
        self.require(Capability::LifecyclePause)?;
        let pause = async {
            self.place.alive(Action::Pause)?;
            self.place.freeze(true);
            Ok(())
        };
        self.act(Operation::Pause, context, pause).await
    }

    async fn resume(&self, context: &Context) -> Result<()> {
        self.require(Capability::LifecyclePause)?;
        let resume = async {
            self.place.alive(Action::Resume)?;
            self.place.freeze(false);
            Ok(())
        };
        self.act(Operation::Resume, context, resume).await
    }

    async fn fork(&self, id: &SandboxId, options: &ForkOptions, context: &Context) -> Result<Arc<dyn Sandbox>> {
        if options.include_memory {
            return Err(Error::unsupported(Capability::LifecycleFork));
        }
        self.require(Capability::LifecycleForkFilesystem)?;
        let fork = async {
            self.place.alive(Action::Fork)?;
            Ok(Handle::shared(self.copy(id, options)?, true))
        };
        self.act(Operation::Fork, context, fork).await
    }

    async fn resize(&self, resources: &Resources, context: &Context) -> Result<()> {
        self.require(Capability::LifecycleResize)?;
        resources.needs().into_iter().try_for_each(|capability| self.require(capability))?;
        let resize = async {
            self.place.alive(Action::Resize)?;
            let mut state = locked(&self.place.state);
            let now = state.resources;
            state.resources = Resources {
                cpus: resources.cpus.or(now.cpus),
                memory: resources.memory.or(now.memory),
                disk: resources.disk.or(now.disk),
                pids: resources.pids.or(now.pids),
                gpus: resources.gpus.or(now.gpus),
            };
            drop(state);
            if resources.disk.is_some() {
                self.place.disk.limit(resources.disk);
            }
            Ok(())
        };
        self.act(Operation::Resize, context, resize).await
    }

    async fn snapshot(&self, id: &SnapshotId, options: &SnapshotOptions, context: &Context) -> Result<SnapshotStatus> {
        self.require(Capability::LifecycleSnapshot)?;
        let snapshot = async {
            self.place.alive(Action::Snapshot)?;
            self.place.snapshot(id, options)
        };
        self.act(Operation::Snapshot, context, snapshot).await
    }

    async fn refresh_activity(&self) -> Result<()> {
        self.require(Capability::LifecycleRefreshActivity)?;
        self.place.alive(Action::RefreshActivity)?;
        self.place.used();
        Ok(())
    }

    async fn set_lifetimes(&self, lifetimes: &Lifetimes) -> Result<()> {
        self.require(Capability::LifecycleSetLifetimes)?;
        lifetimes.needs().into_iter().try_for_each(|capability| self.require(capability))?;
        self.place.alive(Action::SetLifetimes)?;
        self.place.live_for(*lifetimes);
        if let Some(Lifetime::After(ttl)) = lifetimes.ttl {
            // One that is over already is over now.
            let end = self.place.created.saturating_add(ttl);
            let now = self.place.fleet.clock.elapsed();
            if end <= now {
                self.place.fleet.clock.reach(now);
            }
        }
        Ok(())
    }

    async fn set_labels(&self, labels: &Labels) -> Result<()> {
        self.require(Capability::LifecycleLabels)?;
        self.place.alive(Action::SetLabels)?;
        locked(&self.place.state).labels = labels.clone();
        Ok(())
    }

    async fn update_network(&self, network: &NetworkPolicy) -> Result<()> {
        self.require(Capability::LifecycleUpdateNetwork)?;
        network.needs().into_iter().try_for_each(|capability| self.require(capability))?;
        self.place.alive(Action::UpdateNetwork)?;
        locked(&self.place.state).network = network.clone();
        Ok(())
    }

    async fn detach(&self) -> Result<()> {
        self.require(Capability::LifecycleDetach)?;
        self.place.alive(Action::Detach)?;
        locked(&self.place.state).detached = true;
        Ok(())
    }

    async fn adopt(&self) -> Result<()> {
        self.require(Capability::LifecycleOwner)?;
        self.place.alive(Action::Attach)?;
        let mut state = locked(&self.place.state);
        (state.detached, state.adopted) = (false, true);
        self.owner.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn relinquish(&self) -> Result<()> {
        self.require(Capability::LifecycleOwner)?;
        let relinquished = self.owner.swap(false, Ordering::Relaxed);
        self.relinquished.fetch_or(relinquished, Ordering::Relaxed);
        Ok(())
    }

    async fn keepalive(&self) -> Result<()> {
        self.require(Capability::LifecycleOwner)?;
        self.place.alive(Action::Attach)?;
        self.place.used();
        Ok(())
    }

    async fn ended(&self) -> Result<Ended> {
        self.require(Capability::ObserveEnded)?;
        Ok(self.place.ended().await)
    }

    fn observe(&self, events: Arc<dyn EventSink>) {
        let _ = self.place.sink.set(events);
    }

    async fn metrics(&self) -> Result<Metrics> {
        self.require(Capability::ObserveMetrics)?;
        if let Some(gone) = self.place.life().gone() {
            return Err(gone);
        }
        let running = self.place.commands().iter().filter(|running| !running.ended()).count() as u64;
        let mut metrics = Metrics::at(self.place.fleet.clock.now());
        let resources = locked(&self.place.state).resources;
        (metrics.pids, metrics.disk) = (Some(running), Some(self.place.disk.copied().bytes()));
        (metrics.cpu_limit, metrics.memory_limit) = (resources.cpus, resources.memory);
        (metrics.disk_limit, metrics.pids_limit) = (resources.disk, resources.pids);
        Ok(metrics)
    }

    fn exec(&self) -> &dyn Exec {
        &self.commands
    }

    fn files(&self) -> &dyn Files {
        &*self.files
    }

    fn ports(&self) -> Option<&dyn Ports> {
        self.place.capabilities.has(Capability::AccessPorts).then_some(&self.doors)
    }

    fn sessions(&self) -> Option<&dyn Sessions> {
        self.place.capabilities.has(Capability::SessionsNative).then_some(&self.shells)
    }
}
