//! Points in time and lifetimes.
//!
//! All arithmetic on them is checked: a lifetime too long for the clock never ends, and never wraps or panics. A
//! lifetime says how long a sandbox may exist; a timeout says how long one call may take. The words are not mixed.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A point in time, to the nanosecond. In JSON an RFC 3339 text in UTC, such as `2026-10-30T12:00:00.250Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    seconds: i64,
    nanos: u32,
}

const NANOS: u32 = 1_000_000_000;
/// The last second of the year 9999 and the first of the year 0: beyond, RFC 3339 has no text.
const LAST: i64 = 253_402_300_799;
const FIRST: i64 = -62_167_219_200;

impl Timestamp {
    /// The latest time there is, the end of the year 9999.
    pub const MAX: Timestamp = Timestamp { seconds: LAST, nanos: NANOS - 1 };
    /// The earliest time there is, the start of the year 0.
    pub const MIN: Timestamp = Timestamp { seconds: FIRST, nanos: 0 };

    /// The time now.
    pub fn now() -> Self {
        SystemTime::now().into()
    }

    /// The time that many seconds and nanoseconds after 1970 began, or the nearest that exists.
    pub fn from_unix(seconds: i64, nanos: u32) -> Self {
        let seconds = seconds.saturating_add(i64::from(nanos / NANOS));
        Self { seconds, nanos: nanos % NANOS }.clamp(Self::MIN, Self::MAX)
    }

    /// The time that many milliseconds after 1970 began, or the nearest that exists.
    pub fn from_unix_millis(millis: i64) -> Self {
        let nanos = millis.rem_euclid(1000) as u32 * 1_000_000;
        Self::from_unix(millis.div_euclid(1000), nanos)
    }

    /// Whole seconds since 1970 began, and the nanoseconds beyond them.
    pub fn unix(&self) -> (i64, u32) {
        (self.seconds, self.nanos)
    }

    /// Milliseconds since 1970 began, rounded down.
    pub fn unix_millis(&self) -> i64 {
        self.seconds * 1000 + i64::from(self.nanos / 1_000_000)
    }

    /// The time that much later; `None` when it is too late for the clock, which means never.
    pub fn checked_add(&self, duration: Duration) -> Option<Self> {
        let nanos = self.nanos + duration.subsec_nanos();
        let seconds = self.seconds.checked_add_unsigned(duration.as_secs())?;
        let seconds = seconds.checked_add(i64::from(nanos / NANOS))?;
        let sum = Self { seconds, nanos: nanos % NANOS };
        (sum <= Self::MAX).then_some(sum)
    }

    /// How much later this is than `earlier`; zero when it is not later.
    pub fn since(&self, earlier: Timestamp) -> Duration {
        let nanos = |t: &Timestamp| i128::from(t.seconds) * i128::from(NANOS) + i128::from(t.nanos);
        let difference = (nanos(self) - nanos(&earlier)).max(0);
        let seconds = difference / i128::from(NANOS);
        Duration::new(seconds as u64, (difference % i128::from(NANOS)) as u32)
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Self::from_unix(i64::try_from(after.as_secs()).unwrap_or(i64::MAX), after.subsec_nanos()),
            Err(error) => {
                let before = error.duration();
                let seconds = i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
                match before.subsec_nanos() {
                    0 => Self::from_unix(-seconds, 0),
                    nanos => Self::from_unix(-seconds - 1, NANOS - nanos),
                }
            }
        }
    }
}

impl From<Timestamp> for SystemTime {
    fn from(time: Timestamp) -> Self {
        let nanos = Duration::from_nanos(u64::from(time.nanos));
        match u64::try_from(time.seconds) {
            Ok(seconds) => UNIX_EPOCH + Duration::from_secs(seconds) + nanos,
            Err(_) => UNIX_EPOCH - Duration::from_secs(time.seconds.unsigned_abs()) + nanos,
        }
    }
}

/// Days since 1970 began to year, month and day (Howard Hinnant, "chrono-compatible low-level date algorithms").
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, of_year - (153 * shifted + 2) / 5 + 1)
}

/// The inverse of [`civil`].
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    year.div_euclid(400) * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.seconds.div_euclid(86_400));
        let second = self.seconds.rem_euclid(86_400);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        match self.nanos {
            0 => {}
            nanos if nanos % 1_000_000 == 0 => write!(f, ".{:03}", nanos / 1_000_000)?,
            nanos => write!(f, ".{nanos:09}")?,
        }
        f.write_str("Z")
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not an RFC 3339 time in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a time like 2026-10-30T12:00:00Z")]
pub struct ParseTimestampError;

impl std::str::FromStr for Timestamp {
    type Err = ParseTimestampError;

    fn from_str(text: &str) -> Result<Self, ParseTimestampError> {
        parse(text).ok_or(ParseTimestampError)
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    let text = text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00"))?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let layout = whole.bytes().zip("dddd-dd-ddTdd:dd:dd".bytes());
    let fits = layout.clone().all(|(b, p)| if p == b'd' { b.is_ascii_digit() } else { b == p });
    let digits = (1..=9).contains(&fraction.len()) && fraction.bytes().all(|b| b.is_ascii_digit());
    if whole.len() != 19 || !fits || !digits {
        return None;
    }
    let number = |range: std::ops::Range<usize>| whole.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let date = days(year, month, day);
    if !(1..=12).contains(&month) || civil(date) != (year, month, day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let nanos = format!("{fraction:0<9}").parse().ok()?;
    Some(Timestamp::from_unix(date * 86_400 + hour * 3600 + minute * 60 + second, nanos))
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// How long something may exist: for ever, or a while.
///
/// Left out, a lifetime is the provider's default, which is for ever unless the provider's page says otherwise. In
/// JSON a number of milliseconds, or `"never"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// It never ends by itself.
    Never,
    /// It ends after that long. Zero is refused by validation.
    After(Duration),
}

impl Lifetime {
    /// When something that started at `start` ends; `None` is never.
    pub fn deadline(&self, start: Timestamp) -> Option<Timestamp> {
        match self {
            Lifetime::Never => None,
            Lifetime::After(duration) => start.checked_add(*duration),
        }
    }
}

impl From<Duration> for Lifetime {
    fn from(duration: Duration) -> Self {
        Lifetime::After(duration)
    }
}

impl Serialize for Lifetime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Lifetime::Never => serializer.serialize_str("never"),
            Lifetime::After(duration) => millis::serialize(duration, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Lifetime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Millis(u64),
            Word(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Millis(millis) => Ok(Lifetime::After(Duration::from_millis(millis))),
            Form::Word(word) if word == "never" => Ok(Lifetime::Never),
            Form::Word(_) => Err(serde::de::Error::custom("expected a number of milliseconds or \"never\"")),
        }
    }
}

macro_rules! duration_serde {
    ($(#[$meta:meta])* $name:ident, $optional:ident, $to:ident, $from:ident) => {
        $(#[$meta])*
        pub mod $name {
            use super::*;

            /// Writes the number, at most `u64::MAX`.
            pub fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u64(u64::try_from(duration.$to()).unwrap_or(u64::MAX))
            }

            /// Reads the number.
            pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
                u64::deserialize(deserializer).map(Duration::$from)
            }
        }

        /// The same for an optional duration.
        pub mod $optional {
            use super::*;

            /// Writes the number, at most `u64::MAX`, or null.
            pub fn serialize<S: Serializer>(duration: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
                duration.map(|d| u64::try_from(d.$to()).unwrap_or(u64::MAX)).serialize(serializer)
            }

            /// Reads the number or null.
            pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
                Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::$from))
            }
        }
    };
}

duration_serde!(
    /// A duration as whole milliseconds, for fields whose names end in `_ms`.
    millis, optional_millis, as_millis, from_millis
);
duration_serde!(
    /// A duration as whole microseconds, for measurements, in fields whose names end in `_us`.
    micros, optional_micros, as_micros, from_micros
);
