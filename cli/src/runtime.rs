//! One event loop and one library for each command.

use crate::command::Signals;
use crate::exit;
use isobox::{Error, Isobox, IsoboxBuilder, Result};
use std::future::Future;
use std::time::Duration;

/// How long the end of what the library itself runs is waited for.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs to the end.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::io("the event loop", error))?;
    let done = runtime.block_on(work);
    runtime.shutdown_background();
    done
}

/// Opens isobox, does something with it, and closes it. A signal gives it up: what is half done then is found and put right by
/// whoever opens isobox next.
pub(crate) fn with_isobox<F: Future<Output = Result<u8>>>(what: &str, work: impl FnOnce(Isobox) -> F) -> Result<u8> {
    with_opened(Isobox::builder(), what, work)
}

/// The same, opened in another way.
pub(crate) fn with_opened<F: Future<Output = Result<u8>>>(
    builder: IsoboxBuilder,
    what: &str,
    work: impl FnOnce(Isobox) -> F,
) -> Result<u8> {
    block_on(async {
        let mut signals = Signals::catch(false).map_err(|error| Error::io("the signal handlers", error))?;
        let isobox = builder.open().await?;
        let done = tokio::select! {
            biased;
            () = signals.stop() => Err(Error::cancelled(what)),
            done = work(isobox.clone()) => done,
        };
        close(&isobox).await;
        done
    })
}

/// The same for what answers signals itself.
pub(crate) fn with_isobox_and_signals<F: Future<Output = Result<u8>>>(work: impl FnOnce(Isobox) -> F) -> Result<u8> {
    block_on(async {
        let isobox = Isobox::open().await?;
        let done = work(isobox.clone()).await;
        close(&isobox).await;
        done
    })
}

/// The same for what goes on until it is stopped, which is no failure of it: the exit code says so.
pub(crate) fn until_stopped(work: impl AsyncFnOnce(&Isobox) -> Result<u8>) -> Result<u8> {
    with_isobox_and_signals(async |isobox| {
        let mut signals = Signals::catch(false).map_err(|error| Error::io("the signal handlers", error))?;
        tokio::select! {
            biased;
            () = signals.stop() => Ok(exit::CANCELLED),
            done = work(&isobox) => done,
        }
    })
}

async fn close(isobox: &Isobox) {
    // What does not end in time ends with this process.
    let _ = tokio::time::timeout(CLOSE_TIMEOUT, isobox.close()).await;
}
