//! Resource use and deadlines.

use crate::connection::{Guest, unexpected};
use isobox_contract::{Metrics, Result, Timestamp};
use isobox_wire::system::SetLifetimes;
use isobox_wire::{Lifetimes, Reply, Request};

impl Guest {
    /// Checks that the sandbox's user exists and that its working directory can be entered by that user.
    ///
    /// # Errors
    /// `invalid_spec` or `unsupported`, with the field at fault.
    pub async fn check(&self) -> Result<()> {
        self.done(Request::Check).await
    }

    /// What the whole sandbox uses now, and the bytes that are used on the filesystem of the working directory, whoever
    /// uses them.
    ///
    /// # Errors
    /// `transport` or `sandbox_gone` when the agent cannot be asked.
    pub async fn measure(&self) -> Result<(Metrics, u64)> {
        let Reply::Metrics(given) = self.call(Request::Metrics).await? else { return Err(unexpected()) };
        let mut metrics = Metrics::at(Timestamp::now());
        metrics.cpu_time = Some(std::time::Duration::from_micros(given.cpu_micros));
        metrics.memory = Some(given.memory);
        metrics.peak_memory = given.memory_peak;
        metrics.memory_limit = given.memory_limit;
        metrics.pids = Some(given.pids);
        Ok((metrics, given.disk_used))
    }

    /// Reads the deadlines, after changing those that `set` names.
    ///
    /// # Errors
    /// `permission_denied` for a change by a connection that is not the owner's.
    pub async fn lifetimes(&self, set: SetLifetimes) -> Result<Lifetimes> {
        match self.call(Request::Lifetimes(set)).await? {
            Reply::Lifetimes(lifetimes) => Ok(lifetimes),
            _ => Err(unexpected()),
        }
    }

    /// Asks the agent to end everything in the sandbox and itself.
    ///
    /// # Errors
    /// `permission_denied` for a connection that is not the owner's.
    pub async fn shutdown(&self) -> Result<()> {
        self.done(Request::Shutdown).await
    }
}
