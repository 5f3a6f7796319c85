//! Archives that are written while the engine reads them.

use bytes::Bytes;
use futures::Stream;
use isobox_contract::{Error, Result};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// Bytes that are handed over at once, and how often before the writer waits.
const CHUNK: usize = 256 * 1024;
const AHEAD: usize = 4;

/// Why the writer has failed, once it has: the engine sees no more than the end of the connection.
#[derive(Clone, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<Error>>>);

impl Failure {
    /// What happened, or else this.
    pub(crate) fn or(&self, otherwise: Error) -> Error {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or(otherwise)
    }
}

/// Runs `write` on a thread for what waits for disks, and gives what it writes as a body. It ends when nobody reads any more.
pub(crate) fn piped(
    write: impl FnOnce(&mut dyn Write) -> Result<()> + Send + 'static,
) -> (impl Stream<Item = io::Result<Bytes>> + Send + 'static, Failure) {
    let (send, receive) = mpsc::channel(AHEAD);
    let failure = Failure::default();
    let told = failure.clone();
    tokio::task::spawn_blocking(move || {
        let mut out = Sender { send, chunk: Vec::with_capacity(CHUNK) };
        let written = write(&mut out);
        let written =
            written.and_then(|()| out.flush().map_err(|error| Error::io("cannot hand an archive over", error)));
        if let Err(error) = written {
            *told.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            let _ = out.send.blocking_send(Err(io::ErrorKind::Other.into()));
        }
    });
    let body = futures::stream::unfold(receive, |mut receive| async move { Some((receive.recv().await?, receive)) });
    (body, failure)
}

struct Sender {
    send: mpsc::Sender<io::Result<Bytes>>,
    chunk: Vec<u8>,
}

impl Write for Sender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(CHUNK - self.chunk.len());
        self.chunk.extend_from_slice(&bytes[..count]);
        if self.chunk.len() == CHUNK {
            self.flush()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        let chunk = std::mem::replace(&mut self.chunk, Vec::with_capacity(CHUNK));
        self.send.blocking_send(Ok(chunk.into())).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::StreamExt;

    #[tokio::test]
    async fn what_is_written_arrives_and_a_failure_is_told() {
        let (body, _) =
            piped(|out| (0..3).try_for_each(|_| out.write_all(&vec![7; CHUNK])).map_err(|error| Error::io("x", error)));
        let count: usize = body.map(|chunk| chunk.unwrap().len()).collect::<Vec<_>>().await.into_iter().sum();
        assert_eq!(count, 3 * CHUNK);
        let (body, failure) = piped(|_| Err(Error::invalid_spec("a", "is wrong")));
        assert!(body.collect::<Vec<_>>().await.pop().unwrap().is_err());
        assert_eq!(failure.or(Error::internal("other")).message(), "a is wrong");
    }
}
