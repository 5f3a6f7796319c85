//! Frames for `tokio_util`'s framed readers and writers.

use crate::frame::{BadFrame, HEADER, Header, Kind};
use bytes::{Buf, BufMut, Bytes, BytesMut};
use std::io;
use tokio_util::codec::{Decoder, Encoder};

/// A whole frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// What the payload is.
    pub kind: Kind,
    /// The payload.
    pub payload: Bytes,
}

/// Reads and writes frames. A frame over its limit ends the stream before anything is allocated for it.
#[derive(Debug, Default)]
pub struct FrameCodec {
    header: Option<Header>,
}

impl FrameCodec {
    /// Whether the next byte begins a frame.
    pub fn is_between_frames(&self) -> bool {
        self.header.is_none()
    }

    /// How many bytes are still needed, beyond those of `input`, for a frame or at least for its header.
    pub fn missing(&self, input: &BytesMut) -> usize {
        self.header.map_or(HEADER, |header| header.length).saturating_sub(input.len())
    }
}

fn bad(frame: BadFrame) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, frame)
}

impl Decoder for FrameCodec {
    type Item = Frame;
    type Error = io::Error;

    fn decode(&mut self, input: &mut BytesMut) -> io::Result<Option<Frame>> {
        let header = match self.header {
            Some(header) => header,
            None => {
                let Some(bytes) = input.first_chunk::<HEADER>() else { return Ok(None) };
                let header = Header::decode(*bytes).map_err(bad)?;
                input.advance(HEADER);
                *self.header.insert(header)
            }
        };
        if input.len() < header.length {
            // Room for the next header as well, so that one read can bring both.
            input.reserve(header.length + HEADER - input.len());
            return Ok(None);
        }
        self.header = None;
        Ok(Some(Frame { kind: header.kind, payload: input.split_to(header.length).freeze() }))
    }
}

impl Encoder<Frame> for FrameCodec {
    type Error = io::Error;

    fn encode(&mut self, frame: Frame, output: &mut BytesMut) -> io::Result<()> {
        let length = frame.payload.len();
        if length > frame.kind.max() {
            return Err(bad(BadFrame::Length { kind: frame.kind, length }));
        }
        output.reserve(HEADER + length);
        output.put_slice(&Header { kind: frame.kind, length }.encode());
        output.put_slice(&frame.payload);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(codec: &mut FrameCodec, input: &mut BytesMut) -> io::Result<Vec<Frame>> {
        std::iter::from_fn(|| codec.decode(input).transpose()).collect()
    }

    proptest! {
        #[test]
        fn frames_survive_any_split(payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..2000), 0..8), cut in 1usize..700) {
            let mut wire = BytesMut::new();
            let sent: Vec<Frame> =
                payloads.into_iter().map(|payload| Frame { kind: Kind::Stdout, payload: payload.into() }).collect();
            for frame in &sent {
                FrameCodec::default().encode(frame.clone(), &mut wire).unwrap();
            }
            let (mut codec, mut input, mut received) = (FrameCodec::default(), BytesMut::new(), Vec::new());
            for piece in wire.chunks(cut) {
                input.extend_from_slice(piece);
                received.extend(all(&mut codec, &mut input).unwrap());
            }
            prop_assert_eq!(received, sent);
        }

        #[test]
        fn garbage_never_panics_nor_grows_memory(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
            let mut input = BytesMut::from(&bytes[..]);
            let _ = all(&mut FrameCodec::default(), &mut input);
            prop_assert!(input.capacity() <= crate::frame::MESSAGE_MAX + 4096);
        }
    }
}
