//! A transport that takes in what the other side sends while it cannot send itself.
//!
//! The multiplexer answers a ping before it reads on. When there is no room for the answer, because both sides send as much as
//! they can, it reads nothing, and so makes no room for the other side either. When the other side is in the same state, none
//! of them ever goes on ([known of yamux](https://github.com/libp2p/rust-yamux/issues/227)). It is enough that one of them,
//! this one, always reads: then the other's answer gets out, the other reads again, and that makes room here.
//!
//! What is taken in is no more than the other side may send anyway, which the windows of its streams bound.

use bytes::{Buf, BytesMut};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::io::poll_read_buf;

/// Taken in at once.
const PIECE: usize = 64 << 10;

/// The transport below.
pub(super) struct Eager<S> {
    stream: S,
    /// Taken in and not read yet.
    ahead: BytesMut,
    most: usize,
    /// What came behind it.
    end: Option<io::Result<()>>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Eager<S> {
    /// Takes in `most` bytes at most.
    pub(super) fn new(stream: S, most: usize) -> Self {
        Self { stream, ahead: BytesMut::new(), most, end: None }
    }

    /// Does what there is to do while nothing can be sent.
    fn meanwhile<T>(&mut self, sent: Poll<T>, cx: &mut Context<'_>) -> Poll<T> {
        if sent.is_pending() {
            self.take_in(cx);
        }
        sent
    }

    fn take_in(&mut self, cx: &mut Context<'_>) {
        while self.end.is_none() && self.ahead.len() < self.most {
            self.ahead.reserve(PIECE);
            match poll_read_buf(Pin::new(&mut self.stream), cx, &mut self.ahead) {
                Poll::Ready(Ok(0)) => self.end = Some(Ok(())),
                Poll::Ready(Ok(_)) => {}
                Poll::Ready(Err(error)) => self.end = Some(Err(error)),
                Poll::Pending => return,
            }
        }
    }

    fn give(&mut self, buffer: &mut ReadBuf<'_>) {
        let length = self.ahead.len().min(buffer.remaining());
        buffer.put_slice(&self.ahead[..length]);
        self.ahead.advance(length);
        if self.ahead.is_empty() {
            // It may have become large, and is seldom needed.
            self.ahead = BytesMut::new();
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Eager<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if !self.ahead.is_empty() {
            self.give(buffer);
            return Poll::Ready(Ok(()));
        }
        match &mut self.end {
            // Whoever reads on after an error is at the end.
            Some(end) => Poll::Ready(std::mem::replace(end, Ok(()))),
            None => Pin::new(&mut self.stream).poll_read(cx, buffer),
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Eager<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.meanwhile(sent, cx)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_flush(cx);
        self.meanwhile(sent, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.as_mut().poll_flush(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
