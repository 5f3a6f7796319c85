//! The connection to an agent over a command that the engine runs in its container.

use bollard::container::LogOutput;
use bollard::errors::Error as EngineError;
use bytes::{Buf, Bytes};
use futures::Stream;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

pub(crate) type Output = Pin<Box<dyn Stream<Item = Result<LogOutput, EngineError>> + Send>>;
pub(crate) type Input = Pin<Box<dyn AsyncWrite + Send>>;
/// Completes when the container has ended.
pub(crate) type End = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The command's output and input as one stream. Dropping it ends the command. It ends with the container too: with gVisor the
/// engine leaves the output open when the command's container is gone.
pub(crate) struct ExecStream {
    output: Output,
    input: Input,
    end: End,
    /// What came and was not read yet.
    rest: Bytes,
}

impl ExecStream {
    pub(crate) fn new(output: Output, input: Input, end: End) -> Self {
        Self { output, input, end, rest: Bytes::new() }
    }
}

impl AsyncRead for ExecStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        while self.rest.is_empty() {
            match self.output.as_mut().poll_next(cx) {
                // Nothing more comes from a container that has ended.
                Poll::Pending => return self.end.as_mut().poll(cx).map(Ok),
                Poll::Ready(None) => return Poll::Ready(Ok(())),
                Poll::Ready(Some(Ok(LogOutput::StdOut { message } | LogOutput::Console { message }))) => {
                    self.rest = message;
                }
                // What it says of a failure is the engine's to tell.
                Poll::Ready(Some(Ok(LogOutput::StdErr { .. } | LogOutput::StdIn { .. }))) => {}
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Err(io::Error::other(error))),
            }
        }
        let count = self.rest.len().min(into.remaining());
        into.put_slice(&self.rest[..count]);
        self.rest.advance(count);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ExecStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.input.as_mut().poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.input.as_mut().poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.input.as_mut().poll_shutdown(cx)
    }
}
