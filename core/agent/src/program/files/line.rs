//! A channel for a thread that may wait: plain readers and writers over frames.

use crate::server::Channel;
use bytes::{Buf, Bytes};
use isobox_wire::frame::{DATA_MAX, HEADER, Header};
use isobox_wire::{Failure, FailureCode, Kind, Reply};
use std::io::{self, Read, Write};
use tokio::runtime::Handle;

/// The blocking side of a channel.
pub(super) struct Line {
    channel: Channel,
    runtime: Handle,
    received: Bytes,
    ended: bool,
}

fn gone(error: io::Error) -> Failure {
    Failure::new(FailureCode::Cancelled, format!("the client went away: {error}"))
}

impl Line {
    pub(super) fn new(channel: Channel, runtime: Handle) -> Self {
        Self { channel, runtime, received: Bytes::new(), ended: false }
    }

    pub(super) fn channel(&mut self) -> &mut Channel {
        &mut self.channel
    }

    /// Sends a reply that is not the last one.
    pub(super) fn reply(&self, reply: Reply) -> Result<(), Failure> {
        self.runtime.block_on(self.channel.sender().reply(reply)).map_err(gone)
    }

    /// Marks the end of our data.
    pub(super) fn eof(&self) -> Result<(), Failure> {
        self.runtime.block_on(self.channel.sender().eof()).map_err(gone)
    }

    /// The next piece of the client's data; `None` at its end.
    pub(super) fn data(&mut self) -> Result<Option<Bytes>, Failure> {
        if self.ended {
            return Ok(None);
        }
        let data = self.runtime.block_on(self.channel.data())?;
        self.ended = data.is_none();
        Ok(data)
    }

    /// Reads over what is left of the client's data, so that it gets to see our answer.
    pub(super) fn drain(&mut self) {
        while let Ok(Some(_)) = self.data() {}
    }

    /// Sends a buffer whose first bytes are the place of the frame's header.
    pub(super) fn send(&self, buffer: &mut [u8]) -> Result<(), Failure> {
        let length = buffer.len() - HEADER;
        buffer[..HEADER].copy_from_slice(&Header { kind: Kind::Data, length }.encode());
        self.runtime.block_on(self.channel.sender().send(buffer)).map_err(gone)
    }
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.received.is_empty() && !self.ended {
            self.received = self.data().map_err(io::Error::other)?.unwrap_or_default();
        }
        let length = buffer.len().min(self.received.len());
        self.received.copy_to_slice(&mut buffer[..length]);
        Ok(length)
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = &bytes[..bytes.len().min(DATA_MAX)];
        self.runtime.block_on(self.channel.sender().data(Kind::Data, piece))?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
