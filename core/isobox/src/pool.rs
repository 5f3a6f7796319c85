//! Sandboxes that are made before they are needed.
//!
//! ```text
//!   refill ──▶ ready ──▶ taken: never comes back
//!     ▲          └─ dead or too old: removed ─┐
//!     └───────────────────────────────────────┘
//! ```
//!
//! What is ready belongs to this process, whatever it will be when it is taken, so nothing of a pool outlives its process.
//! Other processes may take it too, if the pool is shared under a name.

mod builder;
mod handout;
mod keeper;
mod ready;
mod served;
mod shared;
mod taker;

pub use builder::PoolBuilder;
pub use handout::TakeOptions;
pub use shared::PoolStatus;

use crate::sandbox::Sandbox;
use isobox_contract::{Error, ErrorCode, Result};
use shared::Shared;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::task::JoinHandle;

/// Keeps sandboxes ready, so that [`take`](Self::take) has nothing to wait for; from [`Isobox::pool`](crate::Isobox::pool). Cheap
/// to clone; all clones are the same.
///
/// Dropping the last clone ends what is ready, in the background; what was taken lives on. [`close`](Self::close) says how
/// that went. When this process ends, however it ends, what is ready ends too.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
/// let pool = isobox.pool(isobox.sandbox().env("GREETING", "hello"), 2).min_ready(1).open().await?;
/// let sandbox = pool.take().await?;
/// assert_eq!(sandbox.shell("echo $GREETING").await?.stdout.text(), "hello\n");
/// sandbox.delete().await?;
/// pool.close().await
/// # }
/// ```
#[derive(Clone)]
pub struct Pool {
    inner: Arc<Inner>,
}

struct Inner {
    /// The process whose runtime has the task. In a child that was forked nothing of it is touched.
    process: u32,
    shared: Arc<Shared>,
    /// What refills it.
    keeper: Mutex<Option<JoinHandle<()>>>,
}

impl Pool {
    fn new(shared: Shared) -> Self {
        let (process, shared) = (std::process::id(), Arc::new(shared));
        let pool = Self { inner: Arc::new(Inner { process, shared, keeper: Mutex::default() }) };
        pool.keep();
        pool
    }

    /// Takes a sandbox that is ready, or makes one when there is none, as [`create`](crate::SandboxBuilder::create) does and with its
    /// errors. It belongs to the caller: it ends with its last handle unless the pool was asked for detached ones, and its
    /// lifetimes count from now on. It was never used before.
    ///
    /// One that died while it was ready is replaced. `invalid_state` when the pool is closed.
    pub async fn take(&self) -> Result<Sandbox> {
        self.take_with(TakeOptions::default()).await
    }

    /// The same, with a name, further labels or another ttl. `already_exists` for a name that another sandbox has.
    pub async fn take_with(&self, options: TakeOptions) -> Result<Sandbox> {
        let taken = self.take_now(options).await;
        taken.map_err(|error| error.with_operation("pool.take"))
    }

    async fn take_now(&self, options: TakeOptions) -> Result<Sandbox> {
        self.here()?;
        let shared = &self.inner.shared;
        let order = shared.order_for(options)?;
        self.keep();
        while let Some(ready) = shared.next()? {
            match handout::deliver(ready, order.spec.clone()).await {
                Ok(sandbox) => {
                    shared.was_taken(true);
                    return Ok(sandbox);
                }
                Err(handout::Undelivered::Useless(error)) => {
                    tracing::debug!(code = %error.code(), "a sandbox that was ready cannot be used, the next one is taken");
                }
                Err(handout::Undelivered::Refused(ready, error)) => {
                    shared.put_back(ready);
                    return Err(error);
                }
            }
        }
        let made = Box::pin(order.fulfil()).await?;
        shared.was_taken(false);
        Ok(made)
    }

    /// How it is doing.
    pub fn status(&self) -> PoolStatus {
        self.inner.shared.status()
    }

    /// Waits until so many are ready, at most as many as it keeps. Fails with the error of a refill that fails meanwhile. Cancel safe.
    pub async fn ready(&self, count: usize) -> Result<()> {
        let ready = async {
            self.here()?;
            self.keep();
            self.inner.shared.ready(count).await
        };
        ready.await.map_err(|error| error.with_operation("pool.ready"))
    }

    /// Waits for the next refill that fails, and gives its error. Cancel safe.
    pub async fn failure(&self) -> Error {
        self.inner.shared.failure().await
    }

    /// Waits until it is closed, and says how that went. When it is [shared](PoolBuilder::shared_as), another process may ask
    /// for that, with [`Isobox::end_pool`](crate::Isobox::end_pool). Cancel safe.
    pub async fn ended(&self) -> Result<()> {
        self.inner.shared.over().await
    }

    /// Ends the refilling and removes what is ready; nothing of it is left when this returns. What was taken is left alone. Again
    /// is fine.
    pub async fn close(&self) -> Result<()> {
        self.close_now().await.map_err(|error| error.with_operation("pool.close"))
    }

    async fn close_now(&self) -> Result<()> {
        self.here()?;
        // What refills it also ends it.
        self.keep();
        self.inner.shared.ask_end();
        self.inner.shared.over().await
    }

    /// Refuses everything in a child that was forked.
    fn here(&self) -> Result<()> {
        if std::process::id() == self.inner.process { Ok(()) } else { Err(Error::forked()) }
    }

    /// Starts what refills it, also when that has died.
    fn keep(&self) {
        let mut keeper = self.inner.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        if self.inner.shared.is_over() || keeper.as_ref().is_some_and(|keeper| !keeper.is_finished()) {
            return;
        }
        // It has gone with its runtime, if there was one.
        *keeper = Some(tokio::spawn(keeper::keep(self.inner.shared.clone())));
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if std::process::id() != self.process {
            return;
        }
        if self.shared.is_served() {
            // The keeper knows what others have taken, and does it.
            return self.shared.ask_end();
        }
        if let Some(keeper) = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).take() {
            keeper.abort();
        }
        // Each ends with its last handle.
        drop(self.shared.close());
    }
}

/// The error of a pool that was closed.
fn closed() -> Error {
    Error::new(ErrorCode::InvalidState, "the pool is closed, make another one")
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("status", &self.status()).finish_non_exhaustive()
    }
}
