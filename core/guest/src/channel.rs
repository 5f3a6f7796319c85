//! One operation's stream, from the client's side.

use crate::connection::{Link, unexpected};
use crate::failure;
use crate::frames::{Incoming, Outgoing, split};
use bytes::{Bytes, BytesMut};
use isobox_contract::{Error, Result};
use isobox_wire::frame::{DATA_MAX, HEADER, Header};
use isobox_wire::{Answer, Frame, Kind, Reply, decode};
use std::io;
use std::sync::Arc;

/// The incoming direction.
pub(crate) struct Receiver {
    frames: Incoming,
    link: Arc<Link>,
}

/// The outgoing direction.
pub(crate) struct Sender {
    stream: Outgoing,
    /// What is still to be sent. Not empty between calls only when one was dropped in the middle of a frame: that goes
    /// first, or the agent would take what follows for the rest of it.
    unsent: BytesMut,
    link: Arc<Link>,
}

/// Both directions. Dropping it cancels the operation.
pub(crate) struct Channel {
    pub(crate) receiver: Receiver,
    pub(crate) sender: Sender,
}

impl Channel {
    pub(crate) fn new(stream: yamux::Stream, link: Arc<Link>) -> Self {
        let (frames, stream) = split(stream);
        Self {
            receiver: Receiver { frames, link: link.clone() },
            sender: Sender { stream, unsent: BytesMut::new(), link },
        }
    }

    /// The next frame, which must be an answer.
    pub(crate) async fn answer(&mut self) -> Result<Reply> {
        self.receiver.answer().await
    }

    /// The answer, unless the connection ends before: what that means is not asked, since the answer may be what tells.
    pub(crate) async fn last_answer(&mut self) -> Result<Reply> {
        match self.receiver.frames.next().await {
            Ok(Some(Frame { kind: Kind::Message, payload })) => parse(&payload),
            _ => Err(Error::transport("the sandbox's agent went without a word")),
        }
    }
}

impl Receiver {
    /// The next frame; `None` when the agent closed the stream. Cancel safe.
    pub(crate) async fn next(&mut self) -> Result<Option<Frame>> {
        match self.frames.next().await {
            Ok(Some(frame)) => Ok(Some(frame)),
            Ok(None) if self.link.is_connected() => Ok(None),
            Ok(None) => Err(self.link.lost().await),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(unexpected().with_source(error)),
            Err(_) => Err(self.link.lost().await),
        }
    }

    /// What the end of the stream means.
    pub(crate) async fn lost(&self) -> Error {
        self.link.lost().await
    }

    pub(crate) async fn answer(&mut self) -> Result<Reply> {
        match self.next().await? {
            Some(Frame { kind: Kind::Message, payload }) => parse(&payload),
            Some(_) => Err(unexpected()),
            None => Err(self.link.lost().await),
        }
    }

    /// The next piece of data; `None` at its end. An answer in its place is a failure.
    pub(crate) async fn data(&mut self) -> Result<Option<Bytes>> {
        match self.next().await? {
            Some(Frame { kind: Kind::Data, payload }) => Ok(Some(payload)),
            Some(Frame { kind: Kind::Eof, .. }) => Ok(None),
            Some(Frame { kind: Kind::Message, payload }) => parse(&payload).and(Err(unexpected())),
            Some(_) => Err(unexpected()),
            None => Err(self.link.lost().await),
        }
    }
}

/// Reads an answer.
pub(crate) fn parse(payload: &[u8]) -> Result<Reply> {
    match decode::<Answer>(payload) {
        Ok(Ok(reply)) => Ok(reply),
        Ok(Err(failure)) => Err(failure::to_error(failure)),
        Err(_) => Err(unexpected()),
    }
}

impl Sender {
    /// Sends bytes that are whole frames.
    pub(crate) async fn send(&mut self, frames: &[u8]) -> Result<()> {
        self.unsent.extend_from_slice(frames);
        self.send_rest().await
    }

    async fn send_rest(&mut self) -> Result<()> {
        match self.stream.write_all(&mut self.unsent).await {
            Ok(()) => Ok(()),
            // The agent may have closed this stream with a reason that is still to be read.
            Err(error) if self.link.is_connected() => {
                Err(Error::transport("the sandbox's agent stopped listening").with_source(error))
            }
            Err(_) => Err(self.link.lost().await),
        }
    }

    /// Sends data in as many frames as it needs.
    pub(crate) async fn data(&mut self, data: &[u8]) -> Result<()> {
        for piece in data.chunks(DATA_MAX) {
            self.send_rest().await?;
            self.unsent.reserve(HEADER + piece.len());
            self.unsent.extend_from_slice(&Header { kind: Kind::Data, length: piece.len() }.encode());
            self.send(piece).await?;
        }
        Ok(())
    }

    /// Marks the end of the data.
    pub(crate) async fn eof(&mut self) -> Result<()> {
        self.send(&Header { kind: Kind::Eof, length: 0 }.encode()).await
    }
}
