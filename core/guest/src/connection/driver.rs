//! The task that drives a connection: it moves frames and opens streams.

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
/// See the agent's own constant: a large frame keeps urgent ones waiting.
const FRAME: usize = 256 << 10;

/// Drives a connected stream until it breaks, or nobody is left who could ask for a stream.
pub(super) fn drive<S>(stream: S, requests: mpsc::Receiver<Opening>) -> impl Future<Output = ()> + Send
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let stream = BufStream::with_capacity(16 << 10, 16 << 10, stream).compat();
    let connection = yamux::Connection::new(stream, config(), yamux::Mode::Client);
    let mut driver = Driver { connection, requests, waiting: None };
    async move { poll_fn(|cx| driver.poll(cx)).await }
}

fn config() -> yamux::Config {
    let mut config = yamux::Config::default();
    config
        .set_max_connection_receive_window(Some(MAX_STREAMS * yamux::DEFAULT_CREDIT as usize + EXTRA_WINDOW))
        .set_max_num_streams(MAX_STREAMS)
        .set_split_send_size(FRAME);
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
    connection: yamux::Connection<Compat<BufStream<S>>>,
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
