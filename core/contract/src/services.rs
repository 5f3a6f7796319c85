//! Background services: a provider's own way. Without one, they are detached commands.

use crate::error::Result;
use crate::exec::ExecRequest;
use crate::ids::ExecId;
use async_trait::async_trait;
use bytes::Bytes;
use std::time::Duration;

/// The services of one sandbox. They live until they are stopped or the sandbox is.
#[async_trait]
pub trait Services: Send + Sync {
    /// Starts one. A timeout in the request is refused.
    async fn spawn(&self, request: ExecRequest) -> Result<ExecId>;

    /// Whether it runs.
    async fn status(&self, id: &ExecId) -> Result<ServiceStatus>;

    /// The last bytes of its output.
    async fn logs(&self, id: &ExecId, last: u64) -> Result<Bytes>;

    /// Ends its tree: TERM, the grace, KILL. One that has ended is fine.
    async fn stop(&self, id: &ExecId, grace: Duration) -> Result<()>;
}

/// Whether a service runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceStatus {
    /// It does.
    pub running: bool,
    /// It did, and ended with this.
    pub exit_code: Option<i32>,
}
