//! Long work for async callers, on threads of its own: the runtime's pool is for short work, and a runtime that ends waits
//! for everything in it.

use crate::limits::Cancel;
use isobox_contract::{Error, Result};
use tokio::sync::oneshot;

/// Runs `work` on a thread. When the future is dropped, the work is told to end, which it does at its next step.
pub(crate) async fn offload<T: Send + 'static>(work: impl FnOnce(&Cancel) -> Result<T> + Send + 'static) -> Result<T> {
    let guard = Guard(Cancel::default());
    let cancel = guard.0.clone();
    let (answer, answered) = oneshot::channel();
    let thread = std::thread::Builder::new().name("isobox-image".into());
    let begun = thread.spawn(move || {
        // Nobody waits when the future was dropped.
        let _ = answer.send(work(&cancel));
    });
    begun.map_err(|error| Error::io("cannot start a thread for an image", error))?;
    answered.await.unwrap_or_else(|_| Err(Error::internal("a thread for an image ended without an answer")))
}

/// Runs short work where blocking is allowed.
pub(crate) async fn briefly<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Error::internal("looking for an image ended without an answer")))
}

struct Guard(Cancel);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
