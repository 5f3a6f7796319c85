//! The part of a pool that other processes see.
//!
//! ```text
//!   made ─▶ relinquished ─▶ offered ─┬─ taken, by whatever process ─▶ let go of here, at once
//!                                    └─ withdrawn ─▶ removed
//! ```
//!
//! Before it is offered the end of its handle here stops being its end, and only this process's connection keeps its lease. So
//! at no point can this process end what another one has taken; and what nobody takes ends with the lease.

use super::shared::Settings;
use crate::control::{in_background, to_its_end};
use crate::order::Order;
use isobox_contract::{Detail, Error, ErrorCode, OwnerId, Report, Resource, Result, SandboxId};
use isobox_control::{NewPool, Offered, Store, bury};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long to wait when the store cannot be asked.
const PAUSE: Duration = Duration::from_secs(1);
/// The version of this library.
pub(super) const LIBRARY: &str = env!("CARGO_PKG_VERSION");

/// A pool that other processes take from, as it is written down. It is not any more when this is dropped.
pub(super) struct Served {
    /// The process that has opened it. In a child that was forked nothing of it is touched.
    process: u32,
    store: Arc<dyn Store>,
    name: String,
    owner: OwnerId,
    /// The last event that was minded.
    seen: AtomicU64,
}

impl Served {
    /// Writes it down. `already_exists` when another process that lives keeps one of this name.
    pub(super) async fn open(name: String, wanted: &Order, settings: Settings) -> Result<Self> {
        let control = wanted.isobox.control();
        let (store, owner) = (control.store().clone(), control.owner());
        let (provider, spec) = (wanted.provider.kind().clone(), wanted.spec.clone());
        let size = settings.size as u64;
        let pool = NewPool { name, owner, provider, spec, library: LIBRARY.to_owned(), size };
        match Self::put(store.clone(), pool.clone()).await {
            Err(error) if error.code() == ErrorCode::AlreadyExists => {
                let found = store.pool(&pool.name).await?;
                if let Some(other) = found
                    && !control.is_dead(Some(other.owner)).await?
                {
                    return Err(kept(&pool.name, other.pid));
                }
                bury(wanted.isobox.home(), &*store).await?;
                Self::put(store, pool).await
            }
            put => put,
        }
    }

    async fn put(store: Arc<dyn Store>, pool: NewPool) -> Result<Self> {
        // To its end: a row that nobody knows of would be a pool that nobody fills.
        to_its_end("opening a pool", async move {
            store.put_pool(pool.clone()).await?;
            let (process, name, owner, seen) = (std::process::id(), pool.name, pool.owner, AtomicU64::new(0));
            Ok(Self { process, store, name, owner, seen })
        })
        .await
    }

    /// What nobody has taken.
    pub(super) async fn offered(&self) -> Result<Offered> {
        self.store.offered(&self.name, &self.owner).await
    }

    /// Lets every process take one.
    pub(super) async fn offer(&self, id: &SandboxId) -> Result<()> {
        self.store.offer(id).await
    }

    /// Waits until something has happened since the last time.
    pub(super) async fn changed(&self) {
        match self.store.wait_past(self.seen.load(Ordering::Relaxed)).await {
            Ok(last) => self.seen.store(last, Ordering::Relaxed),
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }

    /// Writes down why it is not refilled, or that it is.
    pub(super) async fn say(&self, failure: Option<&Error>) {
        let failure = failure.map(Report::from);
        if let Err(error) = self.store.set_pool_failure(&self.name, &self.owner, failure).await {
            tracing::warn!(code = %error.code(), "what is wrong with a pool is not written down");
        }
    }

    /// Lets nobody take from it any more.
    pub(super) async fn end(&self) -> Result<()> {
        match self.store.end_pool(&self.name, Some(self.owner)).await {
            Err(error) if error.code() != ErrorCode::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Forgets it.
    pub(super) async fn forget(&self) -> Result<()> {
        self.store.remove_pool(&self.name, &self.owner).await
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if std::process::id() != self.process {
            return;
        }
        let (store, name, owner) = (self.store.clone(), self.name.clone(), self.owner);
        in_background(async move {
            // Usually it was forgotten before.
            if let Err(error) = store.remove_pool(&name, &owner).await {
                tracing::debug!(code = %error.code(), "the end of a pool is not written down");
            }
        });
    }
}

fn kept(name: &str, pid: Option<u32>) -> Error {
    let by = pid.map(|pid| format!(" {pid}")).unwrap_or_default();
    let message = format!(
        "process{by} keeps a pool named {name}, take from that, end it with isobox pool stop {name}, or choose another name"
    );
    let detail = Detail::Resource { resource: Resource::Pool, id: name.to_owned() };
    Error::new(ErrorCode::AlreadyExists, message).with_detail(detail)
}
