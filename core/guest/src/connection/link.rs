//! One connection to an agent, and what its loss means.

use super::driver::{Opening, drive};
use bytes::Bytes;
use isobox_contract::Error;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

/// How long a broken connection waits to learn what the sandbox died of.
const OBITUARY: Duration = Duration::from_secs(3);

/// Why the sandbox is gone, once somebody knows. The provider's side of it is the sender.
pub type Obituary = watch::Receiver<Option<Error>>;

/// One connection.
pub(crate) struct Link {
    open: mpsc::Sender<Opening>,
    driver: JoinHandle<()>,
    obituary: Obituary,
}

impl Drop for Link {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Link {
    /// Drives a connected stream in a task of its own.
    pub(super) fn over<S>(stream: S, obituary: Obituary) -> Self
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (open, requests) = mpsc::channel(64);
        Self { open, driver: tokio::spawn(drive(stream, requests)), obituary }
    }

    /// Completes when the connection is gone, and does not keep it open.
    pub(super) fn until_closed(&self) -> impl Future<Output = ()> + Send + use<> {
        let open = self.open.clone();
        async move { open.closed().await }
    }

    pub(crate) fn is_connected(&self) -> bool {
        !self.driver.is_finished()
    }

    /// What a broken connection means: the sandbox's end, if that is what it was.
    pub(crate) async fn lost(&self) -> Error {
        let mut obituary = self.obituary.clone();
        let known = tokio::time::timeout(OBITUARY, obituary.wait_for(Option::is_some)).await;
        match known {
            Ok(Ok(error)) => error.clone().expect("just waited for"),
            _ => Error::transport("the connection to the sandbox's agent broke"),
        }
    }

    /// Opens a stream on which `first` goes out before everything else; answers also how much of it is on its way.
    pub(super) async fn open(&self, first: &Bytes) -> Option<(yamux::Stream, usize)> {
        let (answer, opened) = oneshot::channel();
        self.open.send(Opening { first: first.clone(), answer }).await.ok()?;
        opened.await.ok()
    }
}
