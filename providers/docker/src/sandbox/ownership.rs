//! Whose a sandbox is.
//!
//! ```text
//! owned by this process ──detach──> nobody's ──adopt──> owned by the process that adopts it
//! ```
//!
//! The agent lets only connections of an owner change how long the sandbox lives, and counts the lease from when the last of them
//! is gone. A handle that was attached gets a second connection when it adopts: its commands go on over the first.

use super::DockerSandbox;
use isobox_contract::{Action, Ended, Result};
use isobox_guest::Guest;
use isobox_local::LEASE;
use isobox_wire::system::SetLifetimes;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

impl DockerSandbox {
    /// The connection over which lifetimes are changed.
    pub(super) fn authority(&self) -> Guest {
        let adopted = self.core.adopted.read().unwrap_or_else(PoisonError::into_inner);
        adopted.as_ref().unwrap_or(&self.core.guest).clone()
    }

    pub(super) fn put_authority(&self, authority: Option<Guest>) {
        *self.core.adopted.write().unwrap_or_else(PoisonError::into_inner) = authority;
    }

    pub(super) async fn detach_now(&self) -> Result<()> {
        self.here()?;
        if let Some(Ended::Stopped) = self.core.ended() {
            self.change_stopped(|settings| settings.lease = None)?;
        } else {
            self.authority().lifetimes(SetLifetimes { lease: Some(None), ..SetLifetimes::default() }).await?;
        }
        self.owned.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Leaves it to its lease, which the connection of this handle keeps from running out.
    pub(super) fn relinquish_now(&self) -> Result<()> {
        self.here()?;
        self.owned.store(false, Ordering::Relaxed);
        Ok(())
    }

    pub(super) async fn adopt_now(&self) -> Result<()> {
        self.here()?;
        if let Some(Ended::Stopped) = self.core.ended() {
            self.change_stopped(|settings| settings.lease = settings.lease.or(Some(LEASE)))?;
        } else {
            self.alive(Action::Attach)?;
            let core = &self.core;
            let Some(keeper) = core.keeper() else { return Err(core.guest.lost().await) };
            let reached = core.reach().again(core.record().agent, core.greeting(true), keeper.obituary()).await?;
            let owner = reached.guest;
            let lease = owner.lifetimes(SetLifetimes::default()).await?.lease.unwrap_or(LEASE);
            owner.lifetimes(SetLifetimes { lease: Some(Some(lease)), ..SetLifetimes::default() }).await?;
            self.put_authority(Some(owner));
        }
        self.owned.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Changes what the agent is told by whoever starts the sandbox again.
    pub(super) fn change_stopped(&self, change: impl FnOnce(&mut isobox_wire::Settings)) -> Result<()> {
        let mut settings = self.core.place.kept()?;
        change(&mut settings);
        self.core.place.keep(&settings)
    }
}
