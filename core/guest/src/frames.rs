//! One stream's bytes as frames, without copying those that arrive whole.
//!
//! ```text
//! packet (what the multiplexer received at once) ──whole frames──> slices of it
//!                       └── the beginning of a frame ──> gathered with the packets that follow ──> a copy
//! ```

use bytes::{Buf, Bytes, BytesMut};
use futures::{AsyncWrite, Stream};
use isobox_wire::frame::{HEADER, Header};
use isobox_wire::{Frame, FrameCodec};
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::codec::Decoder;

/// A stream whose two directions have different owners. Its lock is held while it is polled, never across a wait.
#[derive(Clone)]
struct Shared(Arc<Mutex<yamux::Stream>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, yamux::Stream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Both directions of a stream, which is reset when both are dropped.
pub(crate) fn split(stream: yamux::Stream) -> (Incoming, Outgoing) {
    let shared = Shared(Arc::new(Mutex::new(stream)));
    (Incoming { stream: shared.clone(), frames: Frames::default() }, Outgoing(shared))
}

/// The incoming direction.
pub(crate) struct Incoming {
    stream: Shared,
    frames: Frames,
}

impl Incoming {
    /// The next frame; `None` at the end of the stream. Cancel safe.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            if let Some(frame) = self.frames.next()? {
                return Ok(Some(frame));
            }
            match poll_fn(|cx| Pin::new(&mut *self.stream.lock()).poll_next(cx)).await {
                Some(packet) => self.frames.add(Bytes::from_owner(packet?)),
                None if self.frames.is_empty() => return Ok(None),
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
    }
}

/// The outgoing direction.
pub(crate) struct Outgoing(Shared);

impl Outgoing {
    /// Sends all of it, taking out what is sent. Cancel safe: what is left is still to be sent.
    pub(crate) async fn write_all(&mut self, bytes: &mut BytesMut) -> io::Result<()> {
        while !bytes.is_empty() {
            let written = poll_fn(|cx| Pin::new(&mut *self.0.lock()).poll_write(cx, bytes)).await?;
            bytes.advance(written);
        }
        poll_fn(|cx| Pin::new(&mut *self.0.lock()).poll_flush(cx)).await
    }
}

/// Bytes that came in and are not taken yet.
#[derive(Default)]
struct Frames {
    /// A frame that began in an earlier packet, as far as it has come.
    partial: BytesMut,
    codec: FrameCodec,
    packet: Bytes,
    /// How much memory a slice of the packet keeps.
    whole: usize,
}

impl Frames {
    fn is_empty(&self) -> bool {
        self.partial.is_empty() && self.packet.is_empty() && self.codec.is_between_frames()
    }

    fn add(&mut self, packet: Bytes) {
        debug_assert!(self.packet.is_empty());
        self.whole = packet.len();
        self.packet = packet;
    }

    fn next(&mut self) -> io::Result<Option<Frame>> {
        if self.partial.is_empty()
            && self.codec.is_between_frames()
            && let Some(frame) = self.slice()?
        {
            return Ok(Some(frame));
        }
        self.gather()
    }

    /// A frame that is whole in the packet.
    fn slice(&mut self) -> io::Result<Option<Frame>> {
        let Some(header) = self.packet.first_chunk::<HEADER>() else { return Ok(None) };
        let Header { kind, length } =
            Header::decode(*header).map_err(|frame| io::Error::new(io::ErrorKind::InvalidData, frame))?;
        if self.packet.len() - HEADER < length {
            return Ok(None);
        }
        self.packet.advance(HEADER);
        let payload = self.packet.split_to(length);
        // Whoever keeps a small part must not keep all of it.
        let payload = if length < self.whole / 2 { Bytes::copy_from_slice(&payload) } else { payload };
        Ok(Some(Frame { kind, payload }))
    }

    /// A frame that spans packets. It takes no more of the packet than belongs to it.
    fn gather(&mut self) -> io::Result<Option<Frame>> {
        loop {
            if let Some(frame) = self.codec.decode(&mut self.partial)? {
                return Ok(Some(frame));
            }
            if self.packet.is_empty() {
                return Ok(None);
            }
            let missing = self.codec.missing(&self.partial).min(self.packet.len());
            self.partial.extend_from_slice(&self.packet.split_to(missing));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox_wire::Kind;
    use tokio_util::codec::Encoder;

    fn wire(payloads: &[usize]) -> (Vec<Frame>, BytesMut) {
        let frame =
            |(index, length): (usize, &usize)| Frame { kind: Kind::Data, payload: vec![index as u8; *length].into() };
        let frames: Vec<Frame> = payloads.iter().enumerate().map(frame).collect();
        let mut wire = BytesMut::new();
        frames.iter().for_each(|frame| FrameCodec::default().encode(frame.clone(), &mut wire).unwrap());
        (frames, wire)
    }

    #[test]
    fn frames_survive_any_cut_into_packets() {
        let (sent, wire) = wire(&[0, 1, 700, 3, 0, 2000, 5]);
        for size in (1..50).chain([699, 705, 710, 2005, wire.len()]) {
            let (mut frames, mut received) = (Frames::default(), Vec::new());
            for packet in wire.chunks(size) {
                frames.add(Bytes::copy_from_slice(packet));
                received.extend(std::iter::from_fn(|| frames.next().unwrap()));
            }
            assert_eq!(received, sent, "in packets of {size} bytes");
            assert!(frames.is_empty());
        }
    }

    #[test]
    fn a_whole_frame_is_not_copied_and_a_small_part_does_not_keep_its_packet() {
        let (_, wire) = wire(&[10, 2000]);
        let packet = wire.freeze();
        let range = packet.as_ptr_range();
        let mut frames = Frames::default();
        frames.add(packet);
        let (small, large) = (frames.next().unwrap().unwrap(), frames.next().unwrap().unwrap());
        assert!(!range.contains(&small.payload.as_ptr()));
        assert!(range.contains(&large.payload.as_ptr()));
    }

    #[test]
    fn a_frame_over_its_limit_and_a_cut_one_are_noticed() {
        let mut frames = Frames::default();
        frames.add(Bytes::from_static(&[1, 0xff, 0, 0, 0, 0]));
        assert_eq!(frames.next().unwrap_err().kind(), io::ErrorKind::InvalidData);
        let mut frames = Frames::default();
        frames.add(Bytes::from_static(&[1, 0, 0, 0, 9]));
        assert_eq!(frames.next().unwrap(), None);
        assert!(!frames.is_empty());
    }
}
