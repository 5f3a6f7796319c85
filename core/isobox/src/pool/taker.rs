//! Taking from a pool that another process keeps.
//!
//! ```text
//!   look who keeps it ─▶ take one, in the books ─┬─ none is ready ─▶ make one, or wait for the next
//!                                                └─▶ adopt it ─▶ its lifetimes begin ─▶ detach it, if that is asked for
//! ```
//!
//! From the second step on it is this process's: when this process dies, it is removed as everything else that it owned. When the
//! keeper dies, it lives on, since the lease is long enough to adopt it.

use super::builder::needs;
use super::handout::{TakeOptions, delivered};
use super::served::LIBRARY;
use crate::isobox::Isobox;
use crate::order::Order;
use crate::sandbox::Sandbox;
use isobox_contract::{Context, Detail, Error, ErrorCode, Owner, Resource, Result};
use isobox_control::{Admission, PoolEntry, SandboxChange, SandboxEntry, Take, bury};
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// How long to wait for a change before looking whether the keeper has died, which nothing announces.
const LOOK: Duration = Duration::from_millis(500);
/// How long a keeper may take to end its pool.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many in a row may be dead: more are not dead, and cannot be reached from here.
const DEAD: u32 = 3;

/// Why nothing came of a sandbox that was taken.
enum Miss {
    /// It was dead, or cannot be reached.
    Dead(Error),
    Failed(Error),
}

impl Isobox {
    /// Takes a sandbox from a pool that some process keeps and has [shared](crate::PoolBuilder::shared_as) under this name.
    ///
    /// It belongs to the caller like one that was created, and lives on when the pool ends: it ends with its last handle
    /// unless the pool is for detached ones, and its lifetimes count from now on. It was never used before.
    ///
    /// When none is ready, one is made here, as [`create`](crate::SandboxBuilder::create) does and with its errors. Of a pool
    /// with secrets only its own process can make one, and the next is waited for; `overloaded` when none comes in time.
    /// `not_found` when no process that lives keeps such a pool.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> isobox::Result<()> {
    /// # let home = tempfile::tempdir().unwrap();
    /// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
    /// let pool = isobox.pool(isobox.sandbox().env("GREETING", "hello"), 2).shared_as("build").open().await?;
    ///
    /// // In any process:
    /// let sandbox = isobox.take_from("build").await?;
    /// assert_eq!(sandbox.shell("echo $GREETING").await?.stdout.text(), "hello\n");
    /// sandbox.delete().await?;
    /// # pool.close().await
    /// # }
    /// ```
    pub async fn take_from(&self, pool: &str) -> Result<Sandbox> {
        self.take_from_with(pool, TakeOptions::default()).await
    }

    /// The same, with a name, further labels or another ttl, or detached. `already_exists` for a name that another sandbox has.
    pub async fn take_from_with(&self, pool: &str, options: TakeOptions) -> Result<Sandbox> {
        let taken = Box::pin(self.take_now(pool, options)).await;
        taken.map_err(|error| error.with_operation("pool.take"))
    }

    /// The pools that processes share, by their names.
    pub async fn pools(&self) -> Result<Vec<PoolEntry>> {
        let told = |error: Error| error.with_operation("pools");
        let mut pools = self.control().store().pools().await.map_err(told)?;
        let mut all_live = true;
        for pool in &pools {
            all_live &= !self.control().is_dead(Some(pool.owner)).await.map_err(told)?;
        }
        if !all_live {
            bury(self.home(), &**self.control().store()).await.map_err(told)?;
            pools = self.control().store().pools().await.map_err(told)?;
        }
        Ok(pools)
    }

    /// Ends a pool, whichever process keeps it, and returns when nothing of it is left. What was taken lives on. `not_found` when
    /// there is no such pool, `timeout` when its process does not answer within a minute.
    pub async fn end_pool(&self, name: &str) -> Result<()> {
        let ended = match timeout(PATIENCE, Box::pin(self.end_now(name))).await {
            Ok(ended) => ended,
            Err(_) => {
                let message = format!(
                    "the process that keeps the pool {name} did not end it within {PATIENCE:?}, end that process"
                );
                Err(Error::new(ErrorCode::Timeout, message))
            }
        };
        ended.map_err(|error| error.with_operation("pool.end"))
    }

    async fn end_now(&self, name: &str) -> Result<()> {
        let store = self.control().store();
        let keeper = match store.end_pool(name, None).await {
            Err(error) if error.code() == ErrorCode::NotFound => return Err(nobody(name)),
            pool => pool?.owner,
        };
        loop {
            // Asked for first: the end may come between the two.
            let last = store.last_sequence().await?;
            if store.pool(name).await?.is_none_or(|pool| pool.owner != keeper) {
                return Ok(());
            }
            if self.control().is_dead(Some(keeper)).await? {
                return self.collect_garbage().await.map(drop);
            }
            if let Ok(seen) = timeout(LOOK, store.wait_past(last)).await {
                seen?;
            }
        }
    }

    async fn take_now(&self, name: &str, options: TakeOptions) -> Result<Sandbox> {
        let until = Instant::now().checked_add(options.patience());
        let mut dead = 0;
        loop {
            let pool = self.pool_of(name).await?;
            let order = self.order_of(&pool, options.clone())?;
            let last = if pool.whole { 0 } else { self.control().store().last_sequence().await? };
            match self.take_one(&pool, &order).await {
                Ok(Some(sandbox)) => return Ok(sandbox),
                Ok(None) if pool.whole => return Box::pin(order.fulfil()).await,
                Ok(None) if until.is_some_and(|until| until <= Instant::now()) => return Err(late(&pool, &options)),
                Ok(None) => {
                    let look = Instant::now() + LOOK;
                    let look = until.map_or(look, |until| until.min(look));
                    if let Ok(seen) = timeout_at(look, self.control().store().wait_past(last)).await {
                        seen?;
                    }
                }
                Err(Miss::Dead(error)) if dead == DEAD => return Err(error),
                Err(Miss::Dead(_)) => dead += 1,
                Err(Miss::Failed(error)) if error.code() == ErrorCode::NotFound => return Err(nobody(name)),
                Err(Miss::Failed(error)) => return Err(error),
            }
        }
    }

    /// The pool, if its process lives.
    async fn pool_of(&self, name: &str) -> Result<PoolEntry> {
        let control = self.control();
        let pool = control.store().pool(name).await?.ok_or_else(|| nobody(name))?;
        if control.is_dead(Some(pool.owner)).await? {
            bury(self.home(), &**control.store()).await?;
            return Err(nobody(name));
        }
        if pool.ending {
            return Err(nobody(name));
        }
        if pool.library != LIBRARY {
            let message = format!(
                "the pool {name} is kept by isobox {}, and this is {LIBRARY}: use the same version for both",
                pool.library
            );
            return Err(Error::new(ErrorCode::Conflict, message).with_detail(detail(name)));
        }
        Ok(pool)
    }

    /// What is asked for.
    fn order_of(&self, pool: &PoolEntry, options: TakeOptions) -> Result<Order> {
        let provider = self.registry().named(pool.provider.as_str())?;
        let (mut spec, timeout) = (pool.spec.clone(), options.patience());
        let changed = options.change(&mut spec);
        let (isobox, events, admission) = (self.clone(), Context::quiet().events, Admission::InTurn);
        let order = Order { isobox, provider, spec, timeout, events, key: None, get: false, admission, pool: None };
        if changed {
            order.check()?;
            needs(&order)?;
        }
        Ok(order)
    }

    async fn take_one(&self, pool: &PoolEntry, order: &Order) -> Result<Option<Sandbox>, Miss> {
        let (owner, keeper) = (self.control().owner(), pool.owner);
        let take = Take { pool: pool.name.clone(), keeper, spec: order.spec.clone(), owner };
        delivered(taken(order.clone(), take), Miss::Failed).await
    }
}

/// Takes one, and makes it this process's or nobody's.
async fn taken(order: Order, take: Take) -> Result<Option<Sandbox>, Miss> {
    let control = order.isobox.control();
    let Some(entry) = control.store().take(take).await.map_err(Miss::Failed)? else { return Ok(None) };
    isobox_fault::point!("take.claimed");
    let error = match adopted(&order, &entry).await {
        Ok(sandbox) => return Ok(Some(sandbox)),
        Err(error) => error,
    };
    let dead = matches!(
        error.code(),
        ErrorCode::NotFound | ErrorCode::SandboxGone | ErrorCode::InvalidState | ErrorCode::Transport
    );
    // It is this process's by now, and nobody else's to remove.
    if let Err(error) = control.remove(order.isobox.registry(), &entry).await {
        tracing::warn!(code = %error.code(), "a sandbox that was taken from a pool in vain is not removed");
    }
    Err(if dead { Miss::Dead(error) } else { Miss::Failed(error) })
}

async fn adopted(order: &Order, entry: &SandboxEntry) -> Result<Sandbox> {
    let record = entry.record().ok_or_else(|| Error::internal("a sandbox of a pool has no record"))?;
    let attached = order.provider.attach(&record, &Context::quiet()).await?;
    let sandbox = Sandbox::found(order.isobox.clone(), order.provider.clone(), attached, entry);
    sandbox.take_over().await?;
    isobox_fault::point!("take.adopted");
    sandbox.live_from_now().await?;
    if order.spec.owner == Owner::Detached {
        sandbox.let_go().await?;
        isobox_fault::point!("take.let_go");
        let change = SandboxChange { owner: Some(None), detached: Some(true), ..SandboxChange::default() };
        order.isobox.control().store().change(&entry.id, change).await?;
    }
    Ok(sandbox)
}

fn detail(name: &str) -> Detail {
    Detail::Resource { resource: Resource::Pool, id: name.to_owned() }
}

fn nobody(name: &str) -> Error {
    let shown = name.escape_debug();
    let message = format!("no process keeps a pool named {shown}, start one with isobox pool serve {shown}");
    Error::new(ErrorCode::NotFound, message).with_detail(detail(name))
}

/// The error when none came in time of a pool that only its own process can fill.
fn late(pool: &PoolEntry, options: &TakeOptions) -> Error {
    let why = match &pool.failure {
        Some(failure) => format!("its last refill failed: {}", failure.message),
        None => "have it keep more ready, or wait longer".to_owned(),
    };
    let message = format!(
        "nothing of the pool {} was ready within {:?}, and only its own process has its secrets: {why}",
        pool.name,
        options.patience()
    );
    Error::new(ErrorCode::Overloaded, message).with_detail(detail(&pool.name)).with_retry_after(LOOK)
}
