//! What the contract asks of a sandbox, on this machine.

use super::LocalSandbox;
use crate::cgroups::Cgroups;
use crate::informed::Informed;
use crate::settings::{keep_lifetimes, set_lifetimes};
use async_trait::async_trait;
use isobox_contract::{
    Action, Capabilities, Capability, Context, Ended, Error, EventSink, Exec, ExternalId, Files, ForkOptions,
    Lifetimes, Metrics, Platform, Ports, Resources, Result, Sandbox, SandboxId, SandboxImage, SandboxKind, SandboxPath,
    SandboxRecord, SnapshotId, SnapshotOptions, SnapshotStatus, State, Status, Timestamp,
};
use isobox_wire::system::SetLifetimes;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

impl LocalSandbox {
    async fn describe_now(&self) -> Result<Status> {
        let (state, post_mortem) = match self.ended_as() {
            None if self.is_paused() => (State::Paused, None),
            None => (State::Running, None),
            Some(Ended::Stopped) => (self.state_when_stopped(), None),
            Some(Ended::Died(post_mortem)) => (State::Error, Some(post_mortem)),
            Some(_) => (State::Deleted, None),
        };
        let mut status = Status::new(self.external.clone(), self.kind.clone(), state);
        status.id = Some(self.id);
        status.name = self.record.name.clone();
        status.labels = self.record.labels.clone();
        status.kind = self.capabilities.has(Capability::CreateKindContainer).then_some(SandboxKind::Container);
        status.image = self.record.image.as_ref().map(SandboxImage::pinned);
        status.post_mortem = post_mortem;
        status.workspace = self.workspace.map(|workspace| workspace.0);
        status.created_at = Some(self.id.created_at());
        status.resources = self.cgroups.as_ref().map(|cgroups| {
            let limits = cgroups.limits();
            let cpus = limits.cpu_millis.map(|millis| millis as f64 / 1000.0);
            Resources { cpus, memory: limits.memory, pids: limits.pids, ..Resources::default() }
        });
        if let Some(limit) = self.disk_limit() {
            status.resources.get_or_insert_default().disk = Some(limit);
        }
        if matches!(state, State::Running | State::Paused) {
            let lifetimes = self.guest.lifetimes(SetLifetimes::default()).await?;
            status.expires_at = lifetimes.ttl.and_then(|left| Timestamp::now().checked_add(left));
        }
        Ok(status)
    }
}

#[async_trait]
impl Sandbox for LocalSandbox {
    fn id(&self) -> &SandboxId {
        &self.id
    }

    fn external_id(&self) -> &ExternalId {
        &self.external
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn record(&self) -> SandboxRecord {
        let mut record = self.record.clone();
        record.cgroups = self.cgroups.as_ref().map(Cgroups::snapshot);
        SandboxRecord { id: self.id, external: self.external.clone(), data: record.to_json() }
    }

    async fn describe(&self) -> Result<Status> {
        self.here()?;
        match self.describe_now().await {
            // It ended while it was asked, which it says now.
            Err(_) if self.ended_as().is_some() => self.describe_now().await,
            described => described,
        }
    }
    fn workdir(&self) -> &SandboxPath {
        self.guest.workdir()
    }

    fn image(&self) -> Option<&SandboxImage> {
        self.record.image.as_ref()
    }

    fn runtime_dir(&self) -> Option<&SandboxPath> {
        self.runtime_dir.as_ref()
    }

    async fn platform(&self) -> Result<Platform> {
        Ok(self.guest.platform().clone())
    }

    async fn start(&self, context: &Context) -> Result<()> {
        if self.ended_as().is_none() && self.is_paused() {
            return self.resume(context).await;
        }
        self.start_again(context).await
    }

    async fn stop(&self, grace: Option<Duration>, context: &Context) -> Result<()> {
        self.stop_now(grace, context).await
    }

    async fn delete(&self, _context: &Context) -> Result<()> {
        self.remove_all().await
    }

    async fn pause(&self, _context: &Context) -> Result<()> {
        self.alive(Action::Pause)?;
        self.cgroups_for(Capability::LifecyclePause)?.pause().await
    }

    async fn resume(&self, _context: &Context) -> Result<()> {
        self.alive(Action::Resume)?;
        let cgroups = self.cgroups_for(Capability::LifecyclePause)?;
        // Before it runs: what its lifetimes have paused has to have an end again.
        self.guest.lifetimes(SetLifetimes { touch: true, ..SetLifetimes::default() }).await?;
        cgroups.resume().await
    }

    async fn resize(&self, resources: &Resources, _context: &Context) -> Result<()> {
        self.alive(Action::Resize)?;
        if resources.gpus.is_some() {
            return Err(Error::invalid_spec(
                "resources.gpus",
                "cannot be changed while the sandbox is there, make a new one",
            ));
        }
        let others = Resources { disk: None, ..*resources };
        if others != Resources::default() {
            self.cgroups_for(Capability::LifecycleResize)?.resize(&others)?;
        }
        match (resources.disk, self.record.disk) {
            (None, _) => Ok(()),
            (Some(bytes), Some(disk)) => disk.resize(&self.record.state_dir, bytes),
            (Some(_), None) => Err(crate::disk::fixed()),
        }
    }

    async fn snapshot(&self, id: &SnapshotId, options: &SnapshotOptions, context: &Context) -> Result<SnapshotStatus> {
        self.here()?;
        let copies = self.copies.get().ok_or_else(|| Error::unsupported("lifecycle.snapshot"))?;
        copies.snapshot(&self.id, id, options, context).await
    }

    async fn fork(&self, id: &SandboxId, options: &ForkOptions, context: &Context) -> Result<Arc<dyn Sandbox>> {
        let mut made = self.fork_many(std::slice::from_ref(id), options, context).await?;
        made.pop().ok_or_else(|| Error::internal("a fork has made nothing"))
    }

    async fn fork_many(
        &self,
        ids: &[SandboxId],
        options: &ForkOptions,
        context: &Context,
    ) -> Result<Vec<Arc<dyn Sandbox>>> {
        self.here()?;
        if options.include_memory {
            return Err(Error::unsupported("lifecycle.fork"));
        }
        let copies = self.copies.get().ok_or_else(|| Error::unsupported("lifecycle.fork_filesystem"))?;
        copies.clone().fork(&self.id, ids, options, context).await
    }

    async fn refresh_activity(&self) -> Result<()> {
        self.guest.lifetimes(SetLifetimes { touch: true, ..SetLifetimes::default() }).await.map(drop)
    }

    async fn set_lifetimes(&self, lifetimes: &Lifetimes) -> Result<()> {
        let age = self.age();
        let set = set_lifetimes(lifetimes, age, self.owned.load(Ordering::Relaxed));
        if let Some(Ended::Stopped) = self.ended_as() {
            let _turn = self.turn().await?;
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
        match self.keeper() {
            Some(keeper) if !self.gone.load(Ordering::Acquire) => Ok(keeper.wait().await),
            _ => Ok(self.ended_as().unwrap_or(Ended::Stopped)),
        }
    }

    fn observe(&self, events: Arc<dyn EventSink>) {
        let disk = self.record.disk.map(|disk| (disk, self.record.state_dir.clone()));
        self.guest.observe(Arc::new(Informed::new(events, self.cgroups.clone(), disk)));
    }

    async fn metrics(&self) -> Result<Metrics> {
        let (mut metrics, on_disk) = self.guest.measure().await?;
        if let Some(disk) = self.record.disk {
            metrics.disk = disk.usage(&self.record.state_dir).or(Some(on_disk));
            metrics.disk_limit = self.disk_limit();
        }
        if let Some(cgroups) = &self.cgroups {
            cgroups.measure(&mut metrics);
        }
        Ok(metrics)
    }

    fn exec(&self) -> &dyn Exec {
        &self.guest
    }

    fn files(&self) -> &dyn Files {
        &self.guest
    }

    fn ports(&self) -> Option<&dyn Ports> {
        Some(&self.guest)
    }
}
