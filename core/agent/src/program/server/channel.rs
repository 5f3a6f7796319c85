//! One operation's stream: frames in, frames out.

use bytes::Bytes;
use futures::StreamExt;
use isobox_wire::frame::{DATA_MAX, HEADER, Header, message};
use isobox_wire::{Answer, Failure, FailureCode, Frame, FrameCodec, Kind, Reply};
use serde::de::DeserializeOwned;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::Mutex;
use tokio_util::codec::FramedRead;
use tokio_util::compat::{Compat, FuturesAsyncReadCompatExt};

type Stream = Compat<yamux::Stream>;

/// An operation's two directions.
pub(crate) struct Channel {
    frames: FramedRead<ReadHalf<Stream>, FrameCodec>,
    sender: Sender,
}

/// The outgoing direction. Clones share it; each frame goes out whole.
#[derive(Clone)]
pub(crate) struct Sender(Arc<Mutex<WriteHalf<Stream>>>);

/// A client that is gone, or that does not speak the protocol.
fn broken(error: io::Error) -> Failure {
    Failure::new(FailureCode::Transport, format!("the client's stream broke: {error}"))
}

impl Channel {
    pub(crate) fn new(stream: yamux::Stream) -> Self {
        let (reader, writer) = tokio::io::split(stream.compat());
        Self { frames: FramedRead::new(reader, FrameCodec::default()), sender: Sender(Arc::new(Mutex::new(writer))) }
    }

    /// The outgoing direction.
    pub(crate) fn sender(&self) -> Sender {
        self.sender.clone()
    }

    /// The next frame; `None` when the client is gone. Cancel safe.
    pub(crate) async fn receive(&mut self) -> Result<Option<Frame>, Failure> {
        self.frames.next().await.transpose().map_err(broken)
    }

    /// The next frame, which must be a message.
    pub(crate) async fn message<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Failure> {
        match self.receive().await? {
            None => Ok(None),
            Some(Frame { kind: Kind::Message, payload }) => parse(&payload).map(Some),
            Some(frame) => Err(unexpected(frame.kind)),
        }
    }

    /// The next piece of data; `None` at its end. A client that goes away before the end is an error.
    pub(crate) async fn data(&mut self) -> Result<Option<Bytes>, Failure> {
        match self.receive().await? {
            Some(Frame { kind: Kind::Data, payload }) => Ok(Some(payload)),
            Some(Frame { kind: Kind::Eof, .. }) => Ok(None),
            Some(frame) => Err(unexpected(frame.kind)),
            None => Err(Failure::new(FailureCode::Cancelled, "the client went away before the end of its data")),
        }
    }

    /// Says the last word and closes.
    pub(crate) async fn finish(self, answer: Answer) {
        let _ = self.sender.answer(&answer).await;
        self.sender.close().await;
    }
}

fn parse<T: DeserializeOwned>(payload: &[u8]) -> Result<T, Failure> {
    isobox_wire::decode(payload).map_err(|error| Failure::new(FailureCode::Transport, error.to_string()))
}

fn unexpected(kind: Kind) -> Failure {
    Failure::new(FailureCode::Transport, format!("a frame of kind {kind:?} does not belong here"))
}

impl Sender {
    /// Sends an answer.
    pub(crate) async fn answer(&self, answer: &Answer) -> io::Result<()> {
        let frame = message(answer).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.send(&frame).await
    }

    /// Sends a reply.
    pub(crate) async fn reply(&self, reply: Reply) -> io::Result<()> {
        self.answer(&Ok(reply)).await
    }

    /// Sends bytes in as many frames as they need.
    pub(crate) async fn data(&self, kind: Kind, bytes: &[u8]) -> io::Result<()> {
        for piece in bytes.chunks(DATA_MAX) {
            let mut frame = Vec::with_capacity(HEADER + piece.len());
            frame.extend_from_slice(&Header { kind, length: piece.len() }.encode());
            frame.extend_from_slice(piece);
            self.send(&frame).await?;
        }
        Ok(())
    }

    /// Marks the end of the data.
    pub(crate) async fn eof(&self) -> io::Result<()> {
        self.send(&Header { kind: Kind::Eof, length: 0 }.encode()).await
    }

    /// Sends bytes that are whole frames already.
    pub(crate) async fn send(&self, frames: &[u8]) -> io::Result<()> {
        let mut stream = self.0.lock().await;
        stream.write_all(frames).await?;
        stream.flush().await
    }

    pub(crate) async fn close(&self) {
        let _ = self.0.lock().await.shutdown().await;
    }
}
