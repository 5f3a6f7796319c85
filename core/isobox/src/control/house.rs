//! What is done now and then while isobox is open, and at its end.

use super::{Control, background};
use isobox_contract::Result;
use isobox_control::{OperationFilter, OwnerLock, Page, Retention, SandboxFilter, Store};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// How often what is old is dropped, by one of all processes.
const PRUNE: Duration = Duration::from_secs(600);
/// How long the drop of the last handle may wait for the last events to be written.
const LAST: Duration = Duration::from_millis(500);

/// A task that drops what is old. It ends with this.
#[derive(Debug)]
pub(crate) struct House {
    /// The process whose runtime has the task. In a child that was forked nothing of it is touched.
    process: u32,
    task: JoinHandle<()>,
}

impl House {
    /// Begins with what is due.
    pub(crate) fn keep(control: &Control) -> Self {
        let (store, retention) = (control.store().clone(), control.retention().clone());
        let task = tokio::spawn(async move {
            loop {
                if let Err(error) = prune(&*store, &retention).await {
                    tracing::warn!(code = %error.code(), "what is old could not be dropped, it is tried again later");
                }
                tokio::time::sleep(PRUNE).await;
            }
        });
        Self { process: std::process::id(), task }
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if std::process::id() == self.process {
            self.task.abort();
        }
    }
}

/// Drops what is old, unless another process has just done that.
async fn prune(store: &dyn Store, retention: &Retention) -> Result<()> {
    if store.claim("prune", PRUNE).await? {
        let pruned = store.prune(retention).await?;
        tracing::debug!(?pruned, "what was old is dropped");
    }
    Ok(())
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
