//! What goes on without its caller.

use isobox_contract::{Error, Result};
use std::future::Future;

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
