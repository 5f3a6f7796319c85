//! Where the time comes from.

use isobox_contract::Timestamp;
use std::fmt::Debug;

/// Tells the time that records get. The wall clock, except in tests.
///
/// Nothing is decided by comparing the times of two records: order is by sequence numbers and versions, so a clock that
/// jumps makes a time wrong and nothing else.
pub trait Clock: Send + Sync + Debug {
    /// The time now.
    fn now(&self) -> Timestamp;
}

/// The machine's wall clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// Microseconds since 1970 began, as the store keeps times.
pub(crate) fn to_micros(time: Timestamp) -> i64 {
    let (seconds, nanos) = time.unix();
    seconds * 1_000_000 + i64::from(nanos / 1000)
}

/// The inverse of [`to_micros`].
pub(crate) fn from_micros(micros: i64) -> Timestamp {
    // Below a million, so it fits.
    let rest = micros.rem_euclid(1_000_000) as u32;
    Timestamp::from_unix(micros.div_euclid(1_000_000), rest * 1000)
}

/// The time without what the store would lose of it.
pub(crate) fn whole_micros(time: Timestamp) -> Timestamp {
    from_micros(to_micros(time))
}
