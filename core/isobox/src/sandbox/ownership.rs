//! Whose it is, and how it goes from one to another.

use super::Sandbox;
use crate::builder::DEFAULT_DETACHED_TTL;
use isobox_contract::{Capability, Labels, Lifetimes, OwnerId, Result};
use isobox_control::{SandboxChange, SandboxEntry};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

impl Sandbox {
    /// Whether it ends with the last handle of it and with this process.
    pub fn is_owned(&self) -> bool {
        self.inner.owned.load(Ordering::Relaxed)
    }

    /// Lets it live on without its handles and this process. One without a [`ttl`](Self::set_ttl) and without an idle timeout
    /// gets a ttl: it ends [`DEFAULT_DETACHED_TTL`](crate::DEFAULT_DETACHED_TTL) from now. For ever must be said:
    /// [`Lifetime::Never`](isobox_contract::Lifetime::Never).
    pub async fn detach(&self) -> Result<()> {
        self.require("detach", Capability::LifecycleDetach)?;
        let mut lifetimes = self.inner.lifetimes.lock().await;
        if lifetimes.ttl.is_none() && lifetimes.idle_timeout.is_none() {
            let age = self.age().saturating_sub(self.head_start());
            let wanted = Lifetimes { ttl: Some((age + DEFAULT_DETACHED_TTL).into()), ..*lifetimes };
            // Before it is detached: somebody may have none but this.
            self.replace_lifetimes(&wanted).await?;
            *lifetimes = wanted;
        }
        self.told("detach", self.raw().detach().await)?;
        isobox_fault::point!("detach.done");
        self.owned_by(None).await
    }

    /// Makes this process its owner, so that it ends with this handle. Whoever owned it before has to detach it first.
    pub async fn adopt(&self) -> Result<()> {
        self.require("adopt", Capability::LifecycleOwner)?;
        self.told("adopt", self.raw().adopt().await)?;
        isobox_fault::point!("adopt.done");
        self.owned_by(Some(self.inner.isobox.control().owner())).await
    }

    async fn owned_by(&self, owner: Option<OwnerId>) -> Result<()> {
        self.inner.owned.store(owner.is_some(), Ordering::Relaxed);
        let detached = Some(owner.is_none());
        let change = SandboxChange { owner: Some(owner), detached, ..SandboxChange::default() };
        self.told("owner", self.inner.isobox.control().store().change(self.id(), change).await.map(drop))
    }

    /// The handle of one that a pool kept ready, for whoever takes it. This one leaves it alone from now on.
    pub(crate) fn handed_over(&self, entry: &SandboxEntry) -> Self {
        let (isobox, provider, raw) = (self.inner.isobox.clone(), self.inner.provider.clone(), self.shared());
        let (name, lifetimes) = (entry.name.clone(), entry.spec.lifetimes);
        let owned = self.inner.owned.swap(false, Ordering::Relaxed);
        *self.inner.watch.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Self::with(isobox, provider, raw, name, lifetimes, owned, Taken::of(entry))
    }

    /// Lets it live on by itself, as is written down.
    pub(crate) async fn let_go(&self) -> Result<()> {
        self.told("detach", self.raw().detach().await)?;
        self.inner.owned.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Leaves it to its lease, and to whatever process adopts it.
    pub(crate) fn relinquish(&self) -> Result<()> {
        self.told("relinquish", self.raw().relinquish())?;
        self.inner.owned.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Makes this process its owner, as is written down.
    pub(crate) async fn take_over(&self) -> Result<()> {
        self.told("adopt", self.raw().adopt().await)?;
        self.inner.owned.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Whether a pool kept it ready before it was taken.
    pub(crate) fn was_pooled(&self) -> bool {
        self.inner.taken.is_some()
    }
}

/// What was said about a sandbox when it was taken from a pool.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// How old it was. Its lifetimes count from then on.
    pub(super) age: Duration,
    pub(super) name: Option<String>,
    pub(super) labels: Labels,
}

impl Taken {
    pub(super) fn of(entry: &SandboxEntry) -> Option<Self> {
        let age = entry.taken_at?.since(entry.id.created_at());
        Some(Self { age, name: entry.name.clone(), labels: entry.labels.clone() })
    }
}
