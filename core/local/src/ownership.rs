//! Whose a sandbox is.
//!
//! ```text
//! owned by this process ──detach──> nobody's ──adopt──> owned by the process that adopts it
//!          └──relinquish──> held by its connection alone ──adopt──┘
//! ```
//!
//! The agent lets only connections of an owner change how long the sandbox lives, and counts the lease from when the last
//! of them is gone. A handle that was attached gets a second connection when it adopts: its commands go on over the first.

use crate::forked::Lease;
use crate::life::{dial, greeting};
use crate::sandbox::LocalSandbox;
use crate::settings::LEASE;
use isobox_contract::{Action, Ended, Result};
use isobox_guest::Guest;
use isobox_wire::system::SetLifetimes;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

impl LocalSandbox {
    /// The connection over which lifetimes are changed.
    pub(crate) fn authority(&self) -> Guest {
        let adopted = self.adopted.read().unwrap_or_else(PoisonError::into_inner);
        adopted.as_ref().unwrap_or(&self.guest).clone()
    }

    pub(crate) fn put_authority(&self, authority: Option<Guest>) {
        *self.adopted.write().unwrap_or_else(PoisonError::into_inner) = authority;
    }

    /// Lets nobody own it, as [`isobox_contract::Sandbox::detach`].
    pub(crate) async fn detach_now(&self) -> Result<()> {
        self.here()?;
        if let Some(Ended::Stopped) = self.ended_as() {
            let _turn = self.turn().await?;
            self.change_stopped(|settings| settings.lease = None)?;
        } else {
            self.authority().lifetimes(SetLifetimes { lease: Some(None), ..SetLifetimes::default() }).await?;
        }
        self.owned.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Leaves it to its lease, as [`isobox_contract::Sandbox::relinquish`].
    pub(crate) fn relinquish_now(&self) -> Result<()> {
        self.here()?;
        self.owned.store(false, Ordering::Relaxed);
        Ok(())
    }

    async fn connect_as_owner(&self) -> Result<Guest> {
        match (self.keeper(), dial(&self.record.state_dir).await) {
            (Some(keeper), Ok(stream)) => {
                Guest::connect(Lease::new(stream), greeting(&self.record, true), keeper.obituary()).await
            }
            _ => Err(self.guest.lost().await),
        }
    }

    /// Makes this process its owner, as [`isobox_contract::Sandbox::adopt`].
    pub(crate) async fn adopt_now(&self) -> Result<()> {
        self.here()?;
        if let Some(Ended::Stopped) = self.ended_as() {
            let _turn = self.turn().await?;
            self.change_stopped(|settings| settings.lease = settings.lease.or(Some(LEASE)))?;
        } else {
            self.alive(Action::Attach)?;
            let owner = self.connect_as_owner().await?;
            if owner.lifetimes(SetLifetimes::default()).await?.lease.is_none() {
                owner.lifetimes(SetLifetimes { lease: Some(Some(LEASE)), ..SetLifetimes::default() }).await?;
            }
            self.put_authority(Some(owner));
        }
        self.owned.store(true, Ordering::Relaxed);
        Ok(())
    }
}
