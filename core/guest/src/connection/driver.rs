//! The task that drives a connection: it moves frames and opens streams.

use super::eager::Eager;
use bytes::Bytes;
use futures::AsyncWrite as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, BufStream};
use tokio::sync::{mpsc, oneshot};
use tokio_util::compat::{Compat, TokioAsyncReadCompatExt};

/// Operations that may be going on at once; further ones wait.
const MAX_STREAMS: usize = 1024;
/// What all streams together may buffer beyond 256 KiB each.
const EXTRA_WINDOW: usize = 64 << 20;
/// What all of them may buffer.
const WINDOW: usize = MAX_STREAMS * yamux::DEFAULT_CREDIT as usize + EXTRA_WINDOW;
/// See the agent's own constant: a large frame keeps urgent ones waiting.
const FRAME: usize = 256 << 10;

/// Drives a connected stream until it breaks, or nobody is left who could ask for a stream.
pub(super) fn drive<S>(stream: S, requests: mpsc::Receiver<Opening>) -> impl Future<Output = ()> + Send
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let stream = BufStream::with_capacity(16 << 10, 16 << 10, Eager::new(stream, WINDOW)).compat();
    let connection = yamux::Connection::new(stream, config(), yamux::Mode::Client);
    let mut driver = Driver { connection, requests, waiting: None };
    async move { poll_fn(|cx| driver.poll(cx)).await }
}

fn config() -> yamux::Config {
    let mut config = yamux::Config::default();
    config.set_max_connection_receive_window(Some(WINDOW)).set_max_num_streams(MAX_STREAMS).set_split_send_size(FRAME);
    config
}

/// Somebody who wants a stream.
pub(super) struct Opening {
    /// What goes out on it first.
    pub(super) first: Bytes,
    /// The stream, and how much of `first` is on its way.
    pub(super) answer: oneshot::Sender<(yamux::Stream, usize)>,
}

impl Opening {
    /// Sends what it can before it hands the stream over: it leaves with the next turn of the driver, without the two
    /// wake-ups that a request from the other task would cost.
    fn give(self, mut stream: yamux::Stream, cx: &mut Context<'_>) {
        let sent = match Pin::new(&mut stream).poll_write(cx, &self.first) {
            Poll::Ready(Ok(sent)) => sent,
            // Its owner finds out for itself what is wrong.
            Poll::Ready(Err(_)) | Poll::Pending => 0,
        };
        // Nobody is waiting any more: the stream is reset as it is dropped.
        let _ = self.answer.send((stream, sent));
    }
}

struct Driver<S> {
    connection: yamux::Connection<Compat<BufStream<Eager<S>>>>,
    requests: mpsc::Receiver<Opening>,
    waiting: Option<Opening>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Driver<S> {
    /// Moves frames and opens streams, until the connection breaks or nobody is left who could open one.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            if self.waiting.is_none() {
                match self.requests.poll_recv(cx) {
                    Poll::Ready(Some(request)) => self.waiting = Some(request),
                    Poll::Ready(None) => return Poll::Ready(()),
                    Poll::Pending => {}
                }
            }
            if let Some(request) = self.waiting.take() {
                match self.connection.poll_new_outbound(cx) {
                    Poll::Ready(Ok(stream)) => {
                        request.give(stream, cx);
                        continue;
                    }
                    Poll::Ready(Err(_)) => return Poll::Ready(()),
                    Poll::Pending => self.waiting = Some(request),
                }
            }
            match self.connection.poll_next_inbound(cx) {
                // The agent has no business opening streams.
                Poll::Ready(Some(Ok(stream))) => drop(stream),
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::AsyncReadExt;
    use std::time::Duration;
    use tokio::io::AsyncWriteExt;

    const PATIENCE: Duration = Duration::from_secs(30);
    const PING: [u8; 12] = [0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7];

    /// Data on the first stream that a client opens.
    fn data(length: u32) -> Vec<u8> {
        [&[0, 0, 0, 2, 0, 0, 0, 1][..], &length.to_be_bytes(), &vec![1; length as usize]].concat()
    }

    #[tokio::test]
    async fn a_peer_that_reads_nothing_before_it_has_written_is_read() {
        const LENGTH: usize = 100 << 10;
        let (near, mut far) = tokio::io::duplex(1 << 10);
        let (open, requests) = mpsc::channel(1);
        let driver = tokio::spawn(drive(near, requests));
        let (answer, opened) = oneshot::channel();
        // More than there is room for, and a ping that the answer to has to wait behind it.
        open.send(Opening { first: vec![0; LENGTH].into(), answer }).await.ok().unwrap();
        let (mut stream, _) = opened.await.unwrap();
        let written = async {
            far.write_all(&PING).await.unwrap();
            far.write_all(&data(LENGTH as u32)).await.unwrap();
        };
        tokio::time::timeout(PATIENCE, written).await.expect("it takes in what comes");
        // The other side reads again.
        let (mut rest, mut sink) = tokio::io::split(far);
        let reading = tokio::spawn(async move { tokio::io::copy(&mut rest, &mut tokio::io::sink()).await });
        let mut received = vec![0; LENGTH];
        let read = tokio::time::timeout(PATIENCE, stream.read_exact(&mut received));
        read.await.expect("it arrives").unwrap();
        assert!(received.iter().all(|byte| *byte == 1));
        sink.shutdown().await.unwrap();
        drop((open, stream));
        driver.await.unwrap();
        reading.abort();
    }

    #[tokio::test]
    async fn what_came_before_the_end_is_read_before_the_end() {
        let (near, mut far) = tokio::io::duplex(1 << 10);
        let mut eager = Eager::new(near, WINDOW);
        far.write_all(&[3; 1000]).await.unwrap();
        let full = poll_fn(|cx| {
            loop {
                if AsyncWrite::poll_write(Pin::new(&mut eager), cx, &[0; 100]).is_pending() {
                    return Poll::Ready(());
                }
            }
        });
        full.await;
        far.shutdown().await.unwrap();
        let mut all = Vec::new();
        tokio::io::AsyncReadExt::read_to_end(&mut eager, &mut all).await.unwrap();
        assert_eq!(all, [3; 1000]);
    }
}
