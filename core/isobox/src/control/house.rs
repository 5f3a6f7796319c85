//! Keeping the books in order: what is old goes while isobox is open, and this process when it closes it.

use super::{Control, background};
use isobox_contract::Result;
use isobox_control::{OperationFilter, OwnerLock, Page, SandboxFilter, Store};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

/// How often what is old is dropped, by one of all processes.
const PRUNE: Duration = Duration::from_secs(600);
/// How long the drop of the last handle may wait for the last events to be written.
const LAST: Duration = Duration::from_millis(500);

impl Control {
    /// Drops what is old, unless another process has done that in the last minutes.
    pub(super) async fn prune_when_due(&self) -> Result<()> {
        if self.store().claim("prune", PRUNE).await? {
            let pruned = self.store().prune(&self.retention).await?;
            tracing::debug!(?pruned, "what was old is dropped");
        }
        Ok(())
    }
}

impl Drop for Control {
    /// Writes the last events, and says that this process owns nothing any more, if that is so.
    fn drop(&mut self) {
        let Some(owner) = self.owner.take() else { return };
        if owner.entry().process.pid != std::process::id() {
            // A child that was forked: the events and the sandboxes are its parent's.
            return;
        }
        let (store, recorder) = (self.store.clone(), self.recorder.clone());
        let (tell, told) = mpsc::channel::<()>();
        let last = async move {
            if let Err(error) = recorder.flush().await {
                tracing::warn!(code = %error.code(), "the last events are not written down");
            }
            recorder.close();
            if let Err(error) = leave(&store, owner).await {
                tracing::debug!(code = %error.code(), "the end of this process is not written down");
            }
            drop(tell);
        };
        if background::in_thread(last).is_ok() {
            // In a thread of its own, so that it goes on when the runtime that this is dropped in does not.
            let _ = told.recv_timeout(LAST);
        }
    }
}

/// Ends the owner when nothing is left that it owns. Otherwise its file stays, and its end is what others find.
async fn leave(store: &Arc<dyn Store>, owner: OwnerLock) -> Result<()> {
    let filter = SandboxFilter { owner: Some(owner.id()), ..SandboxFilter::default() };
    let running = OperationFilter { running: true, owner: Some(owner.id()), sandbox: None };
    let owned = store.sandboxes(filter, Page::first()).await?.iter().any(|entry| !entry.detached);
    if owned || !store.operations(running, 1).await?.is_empty() {
        return Ok(());
    }
    owner.end(&**store).await
}
