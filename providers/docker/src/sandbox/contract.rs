//! What the contract asks of a sandbox, in a container.

use super::DockerSandbox;
use super::informed::Informed;
use crate::gvisor;
use crate::status;
use async_trait::async_trait;
use isobox_contract::{
    Access, Capabilities, Capability, Context, Ended, Error, ErrorCode, EventSink, Exec, ExternalId, Files,
    ForkOptions, Lifetimes, Logs, Metrics, OneShots, Platform, Ports, Resource, Resources, Result, Sandbox, SandboxId,
    SandboxImage, SandboxPath, SandboxRecord, SnapshotId, SnapshotOptions, SnapshotStatus, State, Status, Timestamp,
};
use isobox_local::{keep_lifetimes, set_lifetimes};
use isobox_wire::system::SetLifetimes;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[async_trait]
impl Sandbox for DockerSandbox {
    fn id(&self) -> &SandboxId {
        &self.core.id
    }

    fn external_id(&self) -> &ExternalId {
        &self.core.external
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn why_not(&self, capability: Capability) -> Option<String> {
        self.why_missing(capability)
    }

    fn record(&self) -> SandboxRecord {
        let data = self.core.record().to_json();
        SandboxRecord { id: self.core.id, external: self.core.external.clone(), data }
    }

    async fn describe(&self) -> Result<Status> {
        self.here()?;
        let engine = &self.inner.engine;
        let inspected = self.core.inspect().await;
        let failed = engine.failed_on("look at the container", Resource::Sandbox, self.core.id.as_str());
        let mut status = match inspected.map_err(failed) {
            Ok(container) => status::of(&self.core.id, &self.core.external, &container),
            Err(error) if error.code() == ErrorCode::NotFound => {
                let kind = isobox_contract::ProviderKind::DOCKER;
                Status::new(self.core.external.clone(), kind, State::Deleted)
            }
            Err(error) => return Err(error),
        };
        status.id = Some(self.core.id);
        status.resources = self.core.place.limits().or(status.resources);
        status.image = self.core.record().image.as_ref().map(SandboxImage::pinned);
        match self.core.ended() {
            Some(Ended::Died(post_mortem)) => {
                status.state = State::Error;
                status.post_mortem = Some(post_mortem);
            }
            Some(Ended::Deleted) => status.state = State::Deleted,
            _ => {}
        }
        if status.state == State::Running && self.core.guest.is_connected() {
            match self.core.guest.lifetimes(SetLifetimes::default()).await {
                Ok(lifetimes) => {
                    status.expires_at = lifetimes.ttl.and_then(|left| Timestamp::now().checked_add(left));
                }
                // It has ended since the engine was asked.
                Err(error) if error.code() == ErrorCode::InvalidState => status.state = State::Stopped,
                Err(error) => match error.post_mortem() {
                    Some(post_mortem) => {
                        status.state = State::Error;
                        status.post_mortem = Some(Box::new(post_mortem.clone()));
                    }
                    None => return Err(error),
                },
            }
        }
        Ok(status)
    }

    fn workdir(&self) -> &SandboxPath {
        self.core.guest.workdir()
    }

    fn image(&self) -> Option<&SandboxImage> {
        self.image.as_ref()
    }

    async fn platform(&self) -> Result<Platform> {
        Ok(self.core.guest.platform().clone())
    }

    async fn start(&self, context: &Context) -> Result<()> {
        self.start_again(context).await
    }

    async fn stop(&self, grace: Option<Duration>, context: &Context) -> Result<()> {
        self.require(Capability::LifecycleStop)?;
        self.stop_now(grace, context).await
    }

    async fn delete(&self, _context: &Context) -> Result<()> {
        self.remove_now().await
    }

    async fn snapshot(&self, id: &SnapshotId, options: &SnapshotOptions, context: &Context) -> Result<SnapshotStatus> {
        self.require(Capability::LifecycleSnapshot)?;
        self.snapshot_now(id, options, context).await
    }

    async fn fork(&self, id: &SandboxId, options: &ForkOptions, context: &Context) -> Result<Arc<dyn Sandbox>> {
        let mut made = self.fork_now(std::slice::from_ref(id), options, context).await?;
        made.pop().ok_or_else(|| Error::internal("a copy of one is none"))
    }

    async fn fork_many(
        &self,
        ids: &[SandboxId],
        options: &ForkOptions,
        context: &Context,
    ) -> Result<Vec<Arc<dyn Sandbox>>> {
        self.fork_now(ids, options, context).await
    }

    async fn pause(&self, _context: &Context) -> Result<()> {
        self.pause_now().await
    }

    async fn resume(&self, _context: &Context) -> Result<()> {
        self.resume_now().await
    }

    async fn resize(&self, resources: &Resources, _context: &Context) -> Result<()> {
        self.require(Capability::LifecycleResize)?;
        self.resize_now(resources).await
    }

    async fn refresh_activity(&self) -> Result<()> {
        self.core.guest.lifetimes(SetLifetimes { touch: true, ..SetLifetimes::default() }).await.map(drop)
    }

    async fn set_lifetimes(&self, lifetimes: &Lifetimes) -> Result<()> {
        let age = self.age();
        let set = set_lifetimes(lifetimes, age, self.owned.load(Ordering::Relaxed));
        if let Some(Ended::Stopped) = self.core.ended() {
            return self.change_stopped(|settings| keep_lifetimes(&set, age, settings));
        }
        self.authority().lifetimes(set).await.map(drop)
    }

    async fn detach(&self) -> Result<()> {
        self.detach_now().await
    }

    async fn adopt(&self) -> Result<()> {
        self.adopt_now().await
    }

    fn relinquish(&self) -> Result<()> {
        self.relinquish_now()
    }

    async fn keepalive(&self) -> Result<()> {
        self.refresh_activity().await
    }

    async fn ended(&self) -> Result<Ended> {
        self.here()?;
        match self.core.keeper() {
            Some(keeper) if !self.core.gone.load(Ordering::Acquire) => Ok(keeper.wait().await),
            _ => Ok(self.core.ended().unwrap_or(Ended::Stopped)),
        }
    }

    async fn changed(&self, known: State) -> Result<State> {
        self.here()?;
        Ok(self.core.changed(known).await)
    }

    fn observe(&self, events: Arc<dyn EventSink>) {
        self.core.guest.observe(Arc::new(Informed { sink: events, limits: self.limits.clone() }));
    }

    async fn metrics(&self) -> Result<Metrics> {
        self.here()?;
        let mut metrics = match self.core.stands_still() {
            // Its agent stands still.
            true => self.measured_by_engine().await?,
            // Its agent sees only what gVisor's kernel counts, which is not what limits hold for.
            false if gvisor::has(&self.capabilities) => self.measured_by_both().await?,
            false => self.core.guest.measure().await?.0,
        };
        let limits = self.limits();
        metrics.cpu_limit = limits.cpus;
        metrics.memory_limit = limits.memory.or(metrics.memory_limit);
        metrics.pids_limit = limits.pids;
        metrics.disk_limit = limits.disk;
        Ok(metrics)
    }

    fn exec(&self) -> &dyn Exec {
        &self.core.guest
    }

    fn files(&self) -> &dyn Files {
        &self.core.guest
    }

    fn ports(&self) -> Option<&dyn Ports> {
        Some(&self.core.guest)
    }

    fn access(&self) -> Option<&dyn Access> {
        Some(self)
    }

    fn one_shots(&self) -> Option<&dyn OneShots> {
        self.capabilities.has(Capability::OneShotRun).then_some(self)
    }

    fn logs(&self) -> Option<&dyn Logs> {
        Some(self)
    }
}
