//! The framing of an operation's stream, cut anywhere: no panic, no payload over its limit, the same frames however the bytes
//! arrive.
#![no_main]

use isobox_wire::FrameCodec;
use libfuzzer_sys::fuzz_target;
use tokio_util::bytes::{Buf, BytesMut};
use tokio_util::codec::Decoder;

fn frames(bytes: &[u8], piece: usize) -> (Vec<String>, bool) {
    let (mut codec, mut buffer, mut seen) = (FrameCodec::default(), BytesMut::new(), Vec::new());
    for chunk in bytes.chunks(piece) {
        buffer.extend_from_slice(chunk);
        loop {
            match codec.decode(&mut buffer) {
                Ok(Some(frame)) => {
                    assert!(frame.payload.len() <= frame.kind.max(), "{} bytes", frame.payload.len());
                    seen.push(format!("{:?} {:?}", frame.kind, frame.payload.chunk()));
                }
                Ok(None) => break,
                Err(_) => return (seen, false),
            }
        }
    }
    (seen, true)
}

fuzz_target!(|bytes: &[u8]| {
    let Some((piece, bytes)) = bytes.split_first() else { return };
    assert_eq!(frames(bytes, usize::from(*piece).max(1)), frames(bytes, usize::MAX));
});
