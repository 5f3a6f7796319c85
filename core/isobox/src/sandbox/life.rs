//! Starting, stopping and what else changes its state.

use super::{Sandbox, context};
use isobox_contract::{Action, Capability, Resources, Result, State};
use std::sync::atomic::Ordering;
use std::time::Duration;

impl Sandbox {
    /// Starts it again after a stop. One that runs is fine.
    pub async fn start(&self) -> Result<()> {
        let context = context();
        self.act("start", Action::Start, State::Running, self.raw().start(&context)).await?;
        self.watch();
        Ok(())
    }

    /// Ends everything in it, TERM and after the grace KILL, and keeps its files. One that is stopped is fine. Needs
    /// `lifecycle.stop`.
    pub async fn stop(&self, grace: Option<Duration>) -> Result<()> {
        self.require("stop", Capability::LifecycleStop)?;
        let context = context();
        self.act("stop", Action::Stop, State::Stopped, self.raw().stop(grace, &context)).await
    }

    /// Freezes every command in it and returns when none runs any more. Its deadlines go on, and so do the timeouts of
    /// its commands. Until [`resume`](Self::resume) what needs it to run is refused with `invalid_state`; deleting is not.
    /// One that is paused is fine.
    pub async fn pause(&self) -> Result<()> {
        self.require("pause", Capability::LifecyclePause)?;
        let context = context();
        self.act("pause", Action::Pause, State::Paused, self.raw().pause(&context)).await
    }

    /// Lets its commands go on where they were. One that runs is fine.
    pub async fn resume(&self) -> Result<()> {
        self.require("resume", Capability::LifecyclePause)?;
        let context = context();
        self.act("resume", Action::Resume, State::Running, self.raw().resume(&context)).await
    }

    /// Changes limits while it runs; those that are left out stay as they are. `unsupported` with the reason for one
    /// that cannot be changed here, `invalid_spec` for one that is below what is in use; then nothing has changed.
    pub async fn resize(&self, resources: Resources) -> Result<()> {
        self.require("resize", Capability::LifecycleResize)?;
        self.told("resize", resources.validate())?;
        resources.needs().into_iter().try_for_each(|capability| self.require("resize", capability))?;
        let context = context();
        let resized = self.isobox().control().during(
            &self.inner.sandbox,
            Action::Resize,
            self.raw().resize(&resources, &context),
        );
        self.told("resize", resized.await)
    }

    /// Removes it. Nothing of it runs and nothing of it is left when this returns. One that is gone is fine.
    pub async fn delete(&self) -> Result<()> {
        let context = context();
        self.act("delete", Action::Delete, State::Deleted, self.raw().delete(&context)).await?;
        self.inner.owned.store(false, Ordering::Relaxed);
        Ok(())
    }
}
