//! What goes on without its caller.

use isobox_contract::{Error, ErrorCode, Result};
use std::future::Future;
use std::time::Duration;

/// How long what has to be written down is tried again: as long as somebody may need to make room on a disk.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
/// Between two attempts, at most.
const PAUSE: Duration = Duration::from_secs(2);

/// Lets a future run to its end, in this runtime or, where there is none, in a thread of its own.
pub(crate) fn in_background(work: impl Future<Output = ()> + Send + 'static) {
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => drop(runtime.spawn(work)),
        Err(_) => drop(in_thread(work)),
    }
}

/// The same in a thread of its own, whatever becomes of the caller's runtime.
pub(super) fn in_thread(work: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name("isobox-last".into()).spawn(|| alone(work)).map(drop)
}

fn alone(work: impl Future<Output = ()>) {
    if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() {
        runtime.block_on(work);
    }
}

/// Runs work in a task, so that it goes on to its end when nobody waits for it any more.
pub(crate) async fn to_its_end<T: Send + 'static>(
    name: &str,
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    tokio::spawn(work).await.unwrap_or_else(|_| Err(Error::internal(format!("{name} ended without a word"))))
}

/// Writes down what nobody else will, such as the end of an operation, which would have its sandbox and its name for ever. What
/// fails for want of disk is tried again in the background.
pub(crate) async fn insist<F>(mut write: impl FnMut() -> F + Send + 'static) -> Result<()>
where
    F: Future<Output = Result<()>> + Send,
{
    let first = write().await;
    if first.as_ref().is_err_and(may_pass) {
        in_background(async move {
            let mut pause = Duration::from_millis(50);
            let tried = tokio::time::timeout(PATIENCE, async {
                while write().await.is_err_and(|error| may_pass(&error)) {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(PAUSE);
                }
            });
            if tried.await.is_err() {
                tracing::warn!("the end of an operation could not be written down, there is no room on the disk");
            }
        });
    }
    first
}

fn may_pass(error: &Error) -> bool {
    matches!(error.code(), ErrorCode::OutOfDisk | ErrorCode::Overloaded | ErrorCode::Io)
}
