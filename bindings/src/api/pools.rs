//! Sandboxes that are ready before they are asked for.

use super::{CreateOptions, Result, Sandbox};
use crate::Lifetime;
use crate::cross::Cross;
use crate::held::Held;
use std::collections::BTreeMap;
use std::time::Duration;

/// What a pool keeps ready.
#[derive(Clone, Debug, Default)]
pub struct PoolOptions {
    /// What its sandboxes are made from and like; the default of everything by default.
    pub sandbox: Option<CreateOptions>,
    /// How many must be ready before it is open; none by default.
    pub min_ready: Option<u32>,
    /// How many are made at once to refill it; one for each processor by default.
    pub refills_at_once: Option<u32>,
    /// How long one is kept before another is made in its place; for ever by default.
    pub max_age: Option<Duration>,
    /// A name, for people.
    pub name: Option<String>,
    /// A name by which other processes take from it.
    pub shared_as: Option<String>,
}

impl PoolOptions {
    pub(super) fn apply(self, isobox: &isobox::Isobox, size: u32) -> isobox::Result<isobox::PoolBuilder> {
        let sandbox = self.sandbox.unwrap_or_default().apply(isobox.sandbox())?;
        let mut pool = isobox.pool(sandbox, size as usize).min_ready(self.min_ready.unwrap_or_default() as usize);
        if let Some(count) = self.refills_at_once {
            pool = pool.refills_at_once(count as usize);
        }
        if let Some(age) = self.max_age {
            pool = pool.max_age(age);
        }
        if let Some(name) = self.name {
            pool = pool.name(name);
        }
        Ok(match self.shared_as {
            Some(name) => pool.shared_as(name),
            None => pool,
        })
    }
}

/// What a sandbox of a pool becomes when it is taken.
#[derive(Clone, Debug, Default)]
pub struct TakeOptions {
    /// A name, unique among live sandboxes.
    pub name: Option<String>,
    /// Labels beside those it has.
    pub labels: BTreeMap<String, String>,
    /// How long it exists from now on.
    pub ttl: Option<Lifetime>,
    /// Let it live on without this process.
    pub detached: bool,
    /// How long taking it may take.
    pub timeout: Option<Duration>,
}

impl Cross<isobox::TakeOptions> for TakeOptions {
    fn cross(self) -> isobox::TakeOptions {
        let mut options = isobox::TakeOptions::default();
        if let Some(name) = self.name {
            options = options.name(name);
        }
        for (name, value) in self.labels {
            options = options.label(name, value);
        }
        if let Some(ttl) = self.ttl {
            let ttl: isobox::Lifetime = ttl.cross();
            options = options.ttl(ttl);
        }
        if let Some(timeout) = self.timeout {
            options = options.timeout(timeout);
        }
        if self.detached { options.detached() } else { options }
    }
}

/// How a pool is doing.
#[derive(Clone, Debug)]
pub struct PoolStatus {
    /// How many it keeps.
    pub size: u64,
    /// How many are ready.
    pub ready: u64,
    /// How many are being made.
    pub making: u64,
    /// How many were ready when they were taken.
    pub taken: u64,
    /// How many were made when they were asked for, because none was ready.
    pub made_directly: u64,
    /// Why the last refill failed, until one succeeds.
    pub failure: Option<String>,
}

impl Cross<PoolStatus> for isobox::PoolStatus {
    fn cross(self) -> PoolStatus {
        PoolStatus {
            size: self.size.cross(),
            ready: self.ready.cross(),
            making: self.making.cross(),
            taken: self.taken,
            made_directly: self.made_directly,
            failure: self.failure.map(|error| error.message().to_owned()),
        }
    }
}

/// Sandboxes that are ready before they are asked for. None is handed out twice.
#[derive(Clone)]
pub struct Pool {
    pool: Held<isobox::Pool>,
}

impl Pool {
    pub(super) fn new(pool: isobox::Pool) -> Self {
        Self { pool: Held::new(pool) }
    }

    /// A sandbox that is ready, or a new one.
    pub async fn take(&self, options: TakeOptions) -> Result<Sandbox> {
        Sandbox::hold(self.pool.get()?.take_with(options.cross()).await?)
    }

    /// Waits until so many are ready.
    pub async fn ready(&self, count: u32) -> Result<()> {
        Ok(self.pool.get()?.ready(count as usize).await?)
    }

    /// How it is doing.
    pub async fn status(&self) -> Result<PoolStatus> {
        Ok(self.pool.get()?.status().cross())
    }

    /// Ends it with what it keeps ready. What was taken from it stays. Again is fine.
    pub async fn close(&self) -> Result<()> {
        Ok(self.pool.get()?.close().await?)
    }
}
