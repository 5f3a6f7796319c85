//! What a provider does whose sandboxes can be copied.

use async_trait::async_trait;
use isobox_contract::{Context, ForkOptions, Result, Sandbox, SandboxId, SnapshotId, SnapshotOptions, SnapshotStatus};
use std::sync::Arc;

/// Makes copies of sandboxes, by their ids.
#[async_trait]
pub trait Copies: Send + Sync {
    /// As [`Sandbox::snapshot`].
    async fn snapshot(
        &self,
        sandbox: &SandboxId,
        id: &SnapshotId,
        options: &SnapshotOptions,
        context: &Context,
    ) -> Result<SnapshotStatus>;

    /// As [`Sandbox::fork_many`].
    async fn fork(
        self: Arc<Self>,
        sandbox: &SandboxId,
        ids: &[SandboxId],
        options: &ForkOptions,
        context: &Context,
    ) -> Result<Vec<Arc<dyn Sandbox>>>;
}
