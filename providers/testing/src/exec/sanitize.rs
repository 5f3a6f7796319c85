//! Takes terminal control out of output, byte by byte, with its state carried from one piece to the next.
//!
//! ```text
//! text ──ESC──> escape ──[──────────> csi ──0x40…0x7e──> text
//!                 │ ├──] P X ^ _───> string ──BEL, ESC \──> text
//!                 │ └──0x20…0x2f──> intermediate ──0x30…0x7e──> text
//!                 └──any other──> text
//! ```
//!
//! The forms are those of ECMA-48 in its 7-bit encoding; the 8-bit ones are left alone, being parts of UTF-8 characters.

use bytes::Bytes;
use isobox_contract::Sanitize;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
/// CAN and SUB end any sequence.
const ABORT: [u8; 2] = [0x18, 0x1a];

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Text,
    Escape,
    Intermediate,
    Csi,
    String,
    StringEscape,
}

/// The filter of one stream.
#[derive(Debug)]
pub(crate) struct Filter {
    mode: Sanitize,
    state: State,
}

impl Filter {
    pub(crate) fn new(mode: Sanitize) -> Self {
        Self { mode, state: State::Text }
    }

    /// What of the bytes may stay.
    pub(crate) fn apply(&mut self, bytes: Bytes) -> Bytes {
        if self.mode == Sanitize::Raw {
            return bytes;
        }
        bytes.iter().copied().filter(|byte| self.keep(*byte)).collect()
    }

    fn keep(&mut self, byte: u8) -> bool {
        let before = self.state;
        self.state = next(before, byte);
        before == State::Text && self.state == State::Text && self.is_allowed(byte)
    }

    fn is_allowed(&self, byte: u8) -> bool {
        self.mode != Sanitize::StripAll || !byte.is_ascii_control() || matches!(byte, b'\n' | b'\t')
    }
}

fn next(state: State, byte: u8) -> State {
    match (state, byte) {
        (State::Text, ESC) => State::Escape,
        (State::Text, _) => State::Text,
        (_, byte) if ABORT.contains(&byte) => State::Text,
        (State::String, BEL) => State::Text,
        (State::String, ESC) => State::StringEscape,
        (State::String, _) => State::String,
        (State::StringEscape, b'\\') => State::Text,
        // Anything else after ESC ends the string and begins a sequence of its own.
        (State::Escape | State::StringEscape, b'[') => State::Csi,
        (State::Escape | State::StringEscape, b']' | b'P' | b'X' | b'^' | b'_') => State::String,
        (_, ESC) => State::Escape,
        (State::Escape | State::StringEscape | State::Intermediate, 0x20..=0x2f) => State::Intermediate,
        (State::Csi, 0x40..=0x7e) => State::Text,
        (State::Csi, 0x00..=0x3f) => State::Csi,
        _ => State::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLOURED: &[u8] = b"a\x1b[1;31mred\x1b[0m\x1b]0;title\x07b\x1b]8;;x\x1b\\c\x1b(Bd\r\n\t\x08e\xc3\xa9\xff";

    fn filtered(mode: Sanitize, pieces: &[&[u8]]) -> Vec<u8> {
        let mut filter = Filter::new(mode);
        pieces.iter().flat_map(|piece| filter.apply(Bytes::copy_from_slice(piece))).collect()
    }

    #[test]
    fn each_mode_takes_out_what_it_says() {
        assert_eq!(filtered(Sanitize::StripAnsi, &[COLOURED]), b"aredbcd\r\n\t\x08e\xc3\xa9\xff");
        assert_eq!(filtered(Sanitize::StripAll, &[COLOURED]), b"aredbcd\n\te\xc3\xa9\xff");
    }

    #[test]
    fn a_sequence_may_be_split_anywhere() {
        let whole = filtered(Sanitize::StripAnsi, &[COLOURED]);
        for at in 0..COLOURED.len() {
            let (left, right) = COLOURED.split_at(at);
            assert_eq!(filtered(Sanitize::StripAnsi, &[left, right]), whole, "split at {at}");
        }
    }
}
