//! UUIDs of version 7, each later in order than those this process made before.
//!
//! The crate's own generator keeps its counter behind a lock. A process that forks while another of its threads makes an id
//! would leave that lock held in the child for ever, so here the counter is one atomic number.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{SystemTime, UNIX_EPOCH};
use uuid::{Builder, Uuid};

/// Bits of the counter within a millisecond. More ids than that borrow from the next one.
const COUNTER: u32 = 12;
/// What version 7 has room for, until the year 10889.
const LATEST: u64 = (1 << 48) - 1;

/// The last id's millisecond and counter.
static LAST: AtomicU64 = AtomicU64::new(0);

/// The next one. 62 of its bits are random, so processes, and a child and its parent, do not meet.
pub(super) fn next() -> Uuid {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    let place = after(&LAST, now.min(LATEST) << COUNTER);
    let mut tail = [0; 10];
    // The builder takes the version's bits out of the first two bytes, and the variant's out of the third.
    tail[..2].copy_from_slice(&((place & ((1 << COUNTER) - 1)) as u16).to_be_bytes());
    tail[2..].copy_from_slice(&Uuid::new_v4().as_bytes()[8..]);
    Builder::from_unix_timestamp_millis(place >> COUNTER, &tail).into_uuid()
}

/// `place`, or the one behind the last when a clock that went back, or a quicker thread, has been there.
fn after(last: &AtomicU64, place: u64) -> u64 {
    let next = |last: u64| place.max(last.saturating_add(1));
    next(last.fetch_update(Relaxed, Relaxed, |last| Some(next(last))).unwrap_or_else(|last| last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_goes_back_takes_no_place_twice() {
        let last = AtomicU64::new(0);
        assert_eq!(after(&last, 5 << COUNTER), 5 << COUNTER);
        assert_eq!(after(&last, 3 << COUNTER), (5 << COUNTER) + 1);
        assert_eq!(after(&last, 5 << COUNTER), (5 << COUNTER) + 2);
        assert_eq!(after(&last, 6 << COUNTER), 6 << COUNTER);
    }

    #[test]
    fn a_full_millisecond_goes_on_in_the_next_one() {
        let last = AtomicU64::new((5 << COUNTER) + (1 << COUNTER) - 1);
        assert_eq!(after(&last, 5 << COUNTER), 6 << COUNTER);
    }

    #[test]
    fn it_says_the_time_and_what_it_is() {
        let before = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
        let id = next();
        let millis = id.as_u128() >> 80;
        assert!((before..before + 10_000).contains(&millis), "{millis} is not about {before}");
        assert_eq!((id.get_version_num(), id.get_variant()), (7, uuid::Variant::RFC4122));
    }
}
