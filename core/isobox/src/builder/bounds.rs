//! How long a sandbox may exist, and how much it may use.

use super::SandboxBuilder;
use isobox_contract::{Expiry, Lifetime, Resources};
use std::time::Duration;

impl SandboxBuilder {
    /// Sets how long it may exist at most, whatever it does. This is no timeout of a command.
    pub fn ttl(mut self, ttl: impl Into<Lifetime>) -> Self {
        self.spec.lifetimes.ttl = Some(ttl.into());
        self
    }

    /// Sets how long it may go without use. Use is a running command, a transfer, or a connection to a port.
    pub fn idle_timeout(mut self, idle: impl Into<Lifetime>) -> Self {
        self.spec.lifetimes.idle_timeout = Some(idle.into());
        self
    }

    /// Sets what happens at the end of a lifetime; it is deleted by default.
    pub fn on_expiry(mut self, expiry: Expiry) -> Self {
        self.spec.lifetimes.on_expiry = expiry;
        self
    }

    /// Sets what happens when it has not been used for too long, where that is something else than
    /// [`on_expiry`](Self::on_expiry).
    pub fn on_idle(mut self, expiry: Expiry) -> Self {
        self.spec.lifetimes.on_idle = Some(expiry);
        self
    }

    /// Sets how long this process may be out of touch before it ends; the provider's default is a few seconds.
    pub fn owner_lease(mut self, lease: Duration) -> Self {
        self.spec.lifetimes.owner_lease = Some(lease);
        self
    }

    /// Sets all limits.
    pub fn resources(mut self, resources: Resources) -> Self {
        self.spec.resources = resources;
        self
    }

    /// Limits the processors; fractions are fine.
    pub fn cpus(mut self, cpus: f64) -> Self {
        self.spec.resources.cpus = Some(cpus);
        self
    }

    /// Limits the memory, in bytes.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.spec.resources.memory = Some(bytes);
        self
    }

    /// Limits the disk, in bytes.
    pub fn disk(mut self, bytes: u64) -> Self {
        self.spec.resources.disk = Some(bytes);
        self
    }

    /// Limits the processes and threads.
    pub fn pids(mut self, pids: u64) -> Self {
        self.spec.resources.pids = Some(pids);
        self
    }
}
