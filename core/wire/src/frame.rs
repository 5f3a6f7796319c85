//! Frames: a kind, a length and a payload.
//!
//! ```text
//! ┌──────┬─────────────────────┬───────────────┐
//! │ kind │ length, big endian  │ payload       │
//! │ 1 B  │ 4 B                 │ length bytes  │
//! └──────┴─────────────────────┴───────────────┘
//! ```
//!
//! The length is checked against the kind's limit before anything is allocated.

/// Length of a frame's header in bytes.
pub const HEADER: usize = 5;
/// Largest payload of a [`Kind::Message`]: 8 MiB, so that a command line of several megabytes fits.
pub const MESSAGE_MAX: usize = 8 << 20;
/// Largest payload of any other frame: 256 KiB.
pub const DATA_MAX: usize = 256 << 10;

/// What a frame's payload is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A request, an answer or a control message.
    Message = 0,
    /// Input of a command, contents of a file, a tree, bytes of a connection.
    Data = 1,
    /// A command's standard output, or its terminal's.
    Stdout = 2,
    /// A command's standard error.
    Stderr = 3,
    /// The end of the sender's data. No payload.
    Eof = 4,
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Self> {
        [Self::Message, Self::Data, Self::Stdout, Self::Stderr, Self::Eof].into_iter().find(|kind| *kind as u8 == byte)
    }

    /// Largest payload that this kind may carry.
    pub fn max(self) -> usize {
        match self {
            Self::Message => MESSAGE_MAX,
            Self::Eof => 0,
            Self::Data | Self::Stdout | Self::Stderr => DATA_MAX,
        }
    }
}

/// A frame's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// What the payload is.
    pub kind: Kind,
    /// The payload's length in bytes.
    pub length: usize,
}

impl Header {
    /// The header as bytes. The length must be within the kind's limit.
    pub fn encode(self) -> [u8; HEADER] {
        debug_assert!(self.length <= self.kind.max());
        let length = u32::try_from(self.length).expect("limits are below 4 GiB").to_be_bytes();
        [self.kind as u8, length[0], length[1], length[2], length[3]]
    }

    /// Reads a header, and refuses an unknown kind or a length over its limit.
    pub fn decode(bytes: [u8; HEADER]) -> Result<Self, BadFrame> {
        let kind = Kind::from_byte(bytes[0]).ok_or(BadFrame::Kind(bytes[0]))?;
        let length = u32::from_be_bytes([bytes[1], bytes[2], bytes[3], bytes[4]]) as usize;
        if length > kind.max() { Err(BadFrame::Length { kind, length }) } else { Ok(Self { kind, length }) }
    }
}

/// Why bytes are no frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadFrame {
    /// No such kind.
    Kind(u8),
    /// The payload would be over its kind's limit.
    Length {
        /// The kind.
        kind: Kind,
        /// What was announced.
        length: usize,
    },
}

impl std::fmt::Display for BadFrame {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Kind(byte) => write!(out, "unknown frame kind {byte}"),
            Self::Length { kind, length } => {
                write!(out, "frame of kind {kind:?} announces {length} bytes, the limit is {}", kind.max())
            }
        }
    }
}

impl std::error::Error for BadFrame {}

/// A message as one frame, header and payload.
///
/// Fails when the message is over [`MESSAGE_MAX`]; the sender has to make it smaller.
pub fn message<T: serde::Serialize>(message: &T) -> Result<Vec<u8>, BadFrame> {
    let body = crate::encode(message);
    if body.len() > MESSAGE_MAX {
        return Err(BadFrame::Length { kind: Kind::Message, length: body.len() });
    }
    let mut frame = Vec::with_capacity(HEADER + body.len());
    frame.extend_from_slice(&Header { kind: Kind::Message, length: body.len() }.encode());
    frame.extend_from_slice(&body);
    Ok(frame)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_header_over_its_limit_is_refused() {
        let at = |kind: Kind, length: usize| {
            let mut bytes = (length as u32).to_be_bytes().to_vec();
            bytes.insert(0, kind as u8);
            Header::decode(bytes.try_into().unwrap())
        };
        assert!(at(Kind::Data, DATA_MAX).is_ok());
        assert!(at(Kind::Data, DATA_MAX + 1).is_err());
        assert!(at(Kind::Message, MESSAGE_MAX).is_ok());
        assert!(at(Kind::Message, MESSAGE_MAX + 1).is_err());
        assert!(at(Kind::Eof, 1).is_err());
    }

    proptest! {
        #[test]
        fn any_five_bytes_decode_or_are_refused(bytes: [u8; HEADER]) {
            if let Ok(header) = Header::decode(bytes) {
                prop_assert_eq!(header.encode(), bytes);
                prop_assert!(header.length <= header.kind.max());
            }
        }
    }
}
