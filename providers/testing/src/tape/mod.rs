//! Sessions on a tape: what a real provider did, to be played to a program again and again.
//!
//! ```text
//!   TapeRecorder around a provider ─▶ a file, a line of JSON for each call ─▶ Tape ─▶ a provider that answers from it
//! ```
//!
//! On a tape are commands with their output and its times, and what was read from files and listed. Values of the environment
//! are not, unless that is asked for; the values of secrets never are, and neither is what was given as input.

mod format;
mod player;
mod playing;
mod process;
mod recorded;
mod recorder;
mod redact;
mod writer;

pub use player::Tape;
pub use recorder::TapeRecorder;

pub(crate) use player::Player;
pub(crate) use playing::Playing;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The digest of some bytes, as text.
pub(crate) fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}
