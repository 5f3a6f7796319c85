//! Sessions on a tape.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The digest of some bytes, as text.
pub(crate) fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}
