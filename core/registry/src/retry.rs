//! When to try again: what the other side says, and what we do by ourselves.

use crate::config::RegistryConfig;
use crate::failure::Failure;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The longest pause between two tries. A registry that wants more of a pause gets an error that says so.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The longest wait that is believed: a week.
const LONGEST_WAIT: u64 = 7 * 24 * 60 * 60;

/// How long the headers say to wait: `Retry-After` in seconds or as a date, else `RateLimit-Reset` in seconds, else
/// `X-RateLimit-Reset` in seconds or as the second since 1970.
pub(crate) fn wait(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = |name: &str| headers.get(name).map(|value| value.as_bytes());
    retry_after(value(RETRY_AFTER.as_str()).unwrap_or_default(), now)
        .or_else(|| reset(value("ratelimit-reset")?, now))
        .or_else(|| reset(value("x-ratelimit-reset")?, now))
}

/// Reads the value of `Retry-After`. A date that has passed is no wait.
pub(crate) fn retry_after(value: &[u8], now: SystemTime) -> Option<Duration> {
    let text = std::str::from_utf8(value).ok()?.trim();
    if let Some(seconds) = digits(text) {
        return Some(Duration::from_secs(seconds.min(LONGEST_WAIT)));
    }
    let at = httpdate::parse_http_date(text).ok()?;
    let wait = at.duration_since(now).unwrap_or_default().min(Duration::from_secs(LONGEST_WAIT));
    // Dates have whole seconds, and to come a moment too early is to come in vain.
    Some(Duration::from_secs(wait.as_secs() + u64::from(wait.subsec_nanos() > 0)))
}

/// Reads the value of a reset header. A number of this century's seconds is a point in time.
fn reset(value: &[u8], now: SystemTime) -> Option<Duration> {
    let seconds = digits(std::str::from_utf8(value).ok()?.trim())?;
    let now = now.duration_since(UNIX_EPOCH).ok()?.as_secs();
    let wait = if seconds > 1_000_000_000 { seconds.saturating_sub(now) } else { seconds };
    Some(Duration::from_secs(wait.min(LONGEST_WAIT)))
}

/// A number without sign; too large a number is the largest.
fn digits(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

/// Counts tries and spreads them out.
pub(crate) struct Backoff {
    left: u32,
    attempts: u32,
    first: Duration,
    next: Duration,
}

impl Backoff {
    pub(crate) fn new(config: &RegistryConfig) -> Self {
        let first = config.backoff.min(LONGEST_PAUSE);
        Self { left: config.attempts, attempts: config.attempts, first, next: first }
    }

    /// Something was gained: the count starts again.
    pub(crate) fn reset(&mut self) {
        self.left = self.attempts;
        self.next = self.first;
    }

    /// Counts a failure. How long to pause before the next try, or `None` when there is to be none.
    pub(crate) fn pause(&mut self, failure: &Failure) -> Option<Duration> {
        self.left = self.left.saturating_sub(1);
        let wait = failure.wait.unwrap_or_default();
        if self.left == 0 || !failure.passing || wait > LONGEST_PAUSE {
            return None;
        }
        let pause = self.next;
        self.next = (self.next * 2).min(LONGEST_PAUSE);
        // Between half and all of it, so that many who failed together do not come back together.
        let share = RandomState::new().hash_one(0_u8) % 512;
        Some((pause / 2 + pause / 1024 * share as u32).max(wait))
    }
}
