//! What of an output a result holds.

use bytes::Bytes;
use isobox_contract::{Captured, OutputLimits};

/// The first and the last bytes of all pieces, within the limits.
pub(crate) fn captured<'a>(pieces: impl Iterator<Item = &'a Bytes>, limits: &OutputLimits) -> Captured {
    let all: Vec<u8> = pieces.flatten().copied().collect();
    let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
    let head = size(limits.head).min(all.len());
    let tail = size(limits.tail).min(all.len() - head);
    let bytes: Bytes = [&all[..head], &all[all.len() - tail..]].concat().into();
    let (observed, retained) = (all.len() as u64, bytes.len() as u64);
    Captured { bytes, observed, retained, omitted: observed - retained, omitted_at: head as u64, ..Captured::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_kept_and_everything_is_counted() {
        let pieces = [Bytes::from_static(b"01"), Bytes::from_static(b"23456789")];
        let limits = |head, tail| OutputLimits { head, tail, ..OutputLimits::default() };
        let kept = captured(pieces.iter(), &limits(3, 2));
        assert_eq!((&kept.bytes[..], kept.observed, kept.omitted, kept.omitted_at), (&b"01289"[..], 10, 5, 3));
        let kept = captured(pieces.iter(), &limits(7, 7));
        assert_eq!((&kept.bytes[..], kept.omitted), (&b"0123456789"[..], 0));
        assert_eq!(captured(pieces.iter(), &OutputLimits::none()).omitted, 10);
    }
}
