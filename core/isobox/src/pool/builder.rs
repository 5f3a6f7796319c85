//! What pool to keep.

use super::Pool;
use super::served::Served;
use super::shared::{Settings, Shared};
use crate::builder::SandboxBuilder;
use crate::isobox::Isobox;
use crate::order::Order;
use isobox_contract::{Capability, Error, Owner, Result, SandboxSpec};
use isobox_control::Admission;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The most sandboxes that one pool keeps.
const MOST: usize = 10_000;

impl Isobox {
    /// A pool that keeps `size` sandboxes like this ready, 1 to 10,000; say more about it, then [`open`](PoolBuilder::open) it.
    pub fn pool(&self, sandbox: SandboxBuilder, size: usize) -> PoolBuilder {
        PoolBuilder { sandbox, size, min_ready: 0, refills: None, max_age: None, name: None, shared: false }
    }
}

/// What pool to keep.
#[derive(Clone, Debug)]
#[must_use = "nothing is made before open is called"]
pub struct PoolBuilder {
    sandbox: SandboxBuilder,
    size: usize,
    min_ready: usize,
    refills: Option<usize>,
    max_age: Option<Duration>,
    name: Option<String>,
    shared: bool,
}

impl PoolBuilder {
    /// Sets how many must be ready before [`open`](Self::open) returns; none by default.
    pub fn min_ready(mut self, count: usize) -> Self {
        self.min_ready = count;
        self
    }

    /// Sets how many are made at once to refill it; by default one for each processor that this process may use. They wait for
    /// all other creates of the machine.
    pub fn refills_at_once(mut self, count: usize) -> Self {
        self.refills = Some(count);
        self
    }

    /// Sets how long one may be ready before it is replaced, such as to follow a tag of an image; for ever by default.
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = Some(age);
        self
    }

    /// Names it, for those who list sandboxes; `pool-1` and so on by default. Pools may have the same name.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        (self.name, self.shared) = (Some(name.into()), false);
        self
    }

    /// Lets every process that shares isobox's directory take from it, by this name, with [`Isobox::take_from`]. What they take
    /// is theirs, and replaced here. One pool at a time is shared under a name.
    pub fn shared_as(mut self, name: impl Into<String>) -> Self {
        (self.name, self.shared) = (Some(name.into()), true);
        self
    }

    /// Opens it and begins to fill it.
    ///
    /// Everything is checked before anything is made, as for a create. `invalid_spec` for what only one sandbox can have: a name
    /// is said when one is taken, and an idempotency key is for a create. With [`min_ready`](Self::min_ready) the error of a
    /// create that fails, and nothing is left then. `already_exists` when another process keeps a pool that is
    /// [shared](Self::shared_as) under the name.
    pub async fn open(self) -> Result<Pool> {
        let opened = Box::pin(self.open_now()).await;
        opened.map_err(|error| error.with_operation("pool.open"))
    }

    async fn open_now(self) -> Result<Pool> {
        let count = self.min_ready;
        let shared = self.settled().await?;
        let pool = Pool::new(shared);
        match pool.ready(count).await {
            Ok(()) => Ok(pool),
            Err(error) => {
                pool.close().await?;
                Err(error)
            }
        }
    }

    async fn settled(self) -> Result<Shared> {
        self.check()?;
        let (size, max_age) = (self.size, self.max_age);
        let refills = self.refills.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let wanted = self.sandbox.order().await?;
        if wanted.spec.name.is_some() {
            return refuse("name", "is for one sandbox and cannot be pooled, say it when one is taken, with take_with");
        }
        if wanted.key.is_some() {
            return refuse("idempotency_key", "is for one sandbox and cannot be pooled, leave it out");
        }
        wanted.check()?;
        needs(&wanted)?;
        let name = self.name.unwrap_or_else(next_name);
        let settings = Settings { size, refills, max_age };
        let served = if self.shared {
            wanted.provider.capabilities().require(Capability::LifecycleOwner)?;
            Some(Served::open(name.clone(), &wanted, settings).await?)
        } else {
            None
        };
        Ok(Shared::new(ready(&wanted, name), wanted, settings, served))
    }

    fn check(&self) -> Result<()> {
        if !(1..=MOST).contains(&self.size) {
            return refuse("pool.size", format!("must be 1 to {MOST}"));
        }
        if self.min_ready > self.size {
            return refuse("pool.min_ready", format!("must be at most the size of {}", self.size));
        }
        if self.refills == Some(0) {
            return refuse("pool.refills_at_once", "must be at least 1");
        }
        if self.max_age == Some(Duration::ZERO) {
            return refuse("pool.max_age", "is zero, leave it out for no limit");
        }
        match &self.name {
            Some(name) => SandboxSpec::default().name(name).validate(),
            None => Ok(()),
        }
    }
}

fn refuse<T>(field: &str, reason: impl Into<String>) -> Result<T> {
    Err(Error::invalid_spec(field, reason))
}

/// Refuses what can be had when a sandbox is made, and not afterwards.
pub(super) fn needs(wanted: &Order) -> Result<()> {
    let (spec, capabilities) = (&wanted.spec, wanted.provider.capabilities());
    if spec.lifetimes.ttl.is_some() || spec.lifetimes.idle_timeout.is_some() {
        capabilities.require(Capability::LifecycleSetLifetimes)?;
    }
    match spec.owner {
        Owner::Detached => capabilities.require(Capability::LifecycleDetach),
        Owner::Process => Ok(()),
    }
}

/// The same while nobody has it: this process's, and of no age.
fn ready(wanted: &Order, name: String) -> Order {
    let mut order = wanted.clone();
    (order.admission, order.pool) = (Admission::Background, Some(name));
    order.spec.owner = Owner::Process;
    (order.spec.lifetimes.ttl, order.spec.lifetimes.idle_timeout) = (None, None);
    order
}

fn next_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("pool-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}
