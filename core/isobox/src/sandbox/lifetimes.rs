//! How long it may live.

use super::Sandbox;
use isobox_contract::{Capability, Lifetime, Lifetimes, Result, Timestamp};
use isobox_control::SandboxChange;
use std::time::Duration;

impl Sandbox {
    /// Counts it as used now, for its idle timeout.
    pub async fn touch(&self) -> Result<()> {
        self.require("refresh_activity", Capability::LifecycleRefreshActivity)?;
        self.told("refresh_activity", self.raw().refresh_activity().await)
    }

    /// Replaces how long it may exist at most, counted from its creation, or from when it was taken from a pool. Other
    /// lifetimes stay as this handle set them.
    pub async fn set_ttl(&self, ttl: impl Into<Lifetime>) -> Result<()> {
        let ttl = Some(ttl.into());
        let mut lifetimes = self.inner.lifetimes.lock().await;
        let wanted = Lifetimes { ttl, ..*lifetimes };
        self.replace_lifetimes(&wanted).await?;
        *lifetimes = wanted;
        Ok(())
    }

    /// Replaces all its lifetimes.
    pub async fn set_lifetimes(&self, wanted: Lifetimes) -> Result<()> {
        let mut lifetimes = self.inner.lifetimes.lock().await;
        self.replace_lifetimes(&wanted).await?;
        *lifetimes = wanted;
        Ok(())
    }

    pub(super) async fn replace_lifetimes(&self, wanted: &Lifetimes) -> Result<()> {
        const NAME: &str = "set_lifetimes";
        self.require(NAME, Capability::LifecycleSetLifetimes)?;
        self.told(NAME, wanted.validate())?;
        wanted.needs().into_iter().try_for_each(|capability| self.require(NAME, capability))?;
        let head_start = self.head_start();
        self.told(NAME, self.raw().set_lifetimes(&later(wanted, head_start)).await)?;
        let expires_at = match wanted.ttl {
            Some(Lifetime::After(ttl)) => self.id().created_at().checked_add(ttl.saturating_add(head_start)),
            _ => None,
        };
        let change = SandboxChange { expires_at: Some(expires_at), ..SandboxChange::default() };
        self.told(NAME, self.inner.isobox.control().store().change(self.id(), change).await.map(drop))?;
        self.inner.isobox.expires_anew();
        Ok(())
    }

    /// Begins the lifetimes that are written down for it now.
    pub(crate) async fn live_from_now(&self) -> Result<()> {
        let lifetimes = *self.inner.lifetimes.lock().await;
        if lifetimes.ttl.is_none() && lifetimes.idle_timeout.is_none() {
            return Ok(());
        }
        self.told("set_lifetimes", self.raw().set_lifetimes(&later(&lifetimes, self.age())).await)
    }

    pub(super) fn age(&self) -> Duration {
        Timestamp::now().since(self.id().created_at())
    }

    /// How old it was when its lifetimes began.
    pub(super) fn head_start(&self) -> Duration {
        self.inner.taken.as_ref().map_or(Duration::ZERO, |taken| taken.age)
    }
}

/// The same lifetimes of one that is older by `age`.
fn later(lifetimes: &Lifetimes, age: Duration) -> Lifetimes {
    let ttl = match lifetimes.ttl {
        Some(Lifetime::After(ttl)) => Some(Lifetime::After(ttl.saturating_add(age))),
        other => other,
    };
    Lifetimes { ttl, ..*lifetimes }
}
