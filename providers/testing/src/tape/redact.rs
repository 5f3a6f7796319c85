//! What is on no tape.

use crate::sync::locked;
use bytes::Bytes;
use std::sync::Mutex;

/// What stands in the place of a secret.
const MARK: &[u8] = b"[secret]";

/// Values that are replaced wherever they occur.
#[derive(Default)]
pub(super) struct Redact(Mutex<Vec<Vec<u8>>>);

impl Redact {
    pub(super) fn add(&self, value: &[u8]) {
        let mut values = locked(&self.0);
        if !value.is_empty() && !values.iter().any(|known| known == value) {
            values.push(value.to_vec());
            // The longest first: one may be a part of another.
            values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        }
    }

    pub(super) fn bytes(&self, bytes: &[u8]) -> Bytes {
        let values = locked(&self.0);
        values.iter().fold(bytes.to_vec(), |bytes, value| replaced(&bytes, value)).into()
    }

    /// Whether there is nothing to replace.
    pub(super) fn is_empty(&self) -> bool {
        locked(&self.0).is_empty()
    }
}

fn replaced(bytes: &[u8], value: &[u8]) -> Vec<u8> {
    let (mut done, mut rest) = (Vec::with_capacity(bytes.len()), bytes);
    while let Some(at) = rest.windows(value.len()).position(|window| window == value) {
        done.extend_from_slice(&rest[..at]);
        done.extend_from_slice(MARK);
        rest = &rest[at + value.len()..];
    }
    done.extend_from_slice(rest);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_occurrence_goes_and_the_longest_first() {
        let redact = Redact::default();
        redact.add(b"ab");
        redact.add(b"abc");
        redact.add(b"");
        assert_eq!(&redact.bytes(b"xabcabab\xff")[..], b"x[secret][secret][secret]\xff");
    }
}
