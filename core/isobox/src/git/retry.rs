//! Trying again when a remote cannot be reached.

use isobox_contract::error::GitFailure;
use isobox_contract::{Detail, Error, Result};
use std::time::{Duration, Instant, SystemTime};

/// How long after it was made a credential may be unknown to some of a remote's servers.
const REPLICATION: Duration = Duration::from_secs(60);

/// When a clone, fetch, pull or push is tried again.
///
/// Only what may go away is: a remote that cannot be reached, and, with [`fresh_since`](Self::fresh_since), a credential that
/// not all of its servers know yet. A timeout is not, as nobody knows how far the call came. The waits grow from one to
/// the next. The last failure is returned, with those before it in [`Detail::Git`].
///
/// ```
/// # use std::time::Duration;
/// let retry = isobox::Retry::attempts(5).wait(Duration::from_millis(200)).within(Duration::from_secs(30));
/// ```
#[derive(Clone, Debug)]
pub struct Retry {
    attempts: u32,
    wait: Duration,
    longest: Duration,
    within: Option<Duration>,
    fresh: Option<SystemTime>,
}

impl Retry {
    /// At most this many attempts, with half a second before the second one, twice as long before each next one, and never
    /// more than ten seconds.
    pub fn attempts(attempts: u32) -> Self {
        let (wait, longest) = (Duration::from_millis(500), Duration::from_secs(10));
        Self { attempts, wait, longest, within: None, fresh: None }
    }

    pub(super) fn never() -> Self {
        Self::attempts(1)
    }

    /// Sets the wait before the second attempt; each next one is twice as long, up to ten seconds or to this.
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self.longest = self.longest.max(wait);
        self
    }

    /// Begins no attempt later than this after the first one.
    pub fn within(mut self, within: Duration) -> Self {
        self.within = Some(within);
        self
    }

    /// The credential was made then: until a minute later its being rejected may go away, and is tried again.
    pub fn fresh_since(mut self, made: SystemTime) -> Self {
        self.fresh = Some(made);
        self
    }

    pub(super) fn begin(&self) -> Attempts<'_> {
        Attempts { retry: self, begun: Instant::now(), wait: self.wait, earlier: Vec::new() }
    }

    /// Why it failed, when that may go away.
    fn passing(&self, error: &Error) -> Option<GitFailure> {
        let Detail::Git { kind, .. } = error.detail() else { return None };
        let passes = match kind {
            GitFailure::RemoteUnavailable => true,
            // One that was made in the future is one of a clock that goes ahead.
            GitFailure::AuthRejected => self.fresh.is_some_and(|made| made.elapsed().unwrap_or_default() < REPLICATION),
            _ => false,
        };
        passes.then_some(*kind)
    }
}

/// The attempts of one call.
pub(super) struct Attempts<'a> {
    retry: &'a Retry,
    begun: Instant,
    wait: Duration,
    earlier: Vec<GitFailure>,
}

impl Attempts<'_> {
    /// Waits for the next attempt. The failure is given back when it was the last.
    pub(super) async fn after(&mut self, failure: Error) -> Result<()> {
        let number = u32::try_from(self.earlier.len()).unwrap_or(u32::MAX).saturating_add(1);
        let waited = self.begun.elapsed().saturating_add(self.wait);
        let in_time = self.retry.within.is_none_or(|within| waited <= within);
        match self.retry.passing(&failure) {
            Some(kind) if number < self.retry.attempts && in_time => self.earlier.push(kind),
            _ => return Err(self.told(failure)),
        }
        tokio::time::sleep(self.wait).await;
        self.wait = self.wait.saturating_mul(2).min(self.retry.longest);
        Ok(())
    }

    fn told(&mut self, failure: Error) -> Error {
        let all = std::mem::take(&mut self.earlier);
        match failure.detail().clone() {
            Detail::Git { operation, kind, exec, .. } if !all.is_empty() => {
                failure.with_detail(Detail::Git { operation, kind, exec, earlier: all })
            }
            _ => failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(kind: GitFailure) -> Error {
        let detail = Detail::Git { operation: "fetch".into(), kind, exec: None, earlier: Vec::new() };
        Error::new(kind.code(), "no").with_detail(detail)
    }

    /// How often it is tried, and what was told of the failures before the last.
    async fn tried(retry: Retry, failures: &[GitFailure]) -> (usize, Option<Vec<GitFailure>>) {
        let mut attempts = retry.begin();
        for (before, kind) in failures.iter().enumerate() {
            if let Err(error) = attempts.after(failure(*kind)).await {
                let Detail::Git { earlier, .. } = error.detail() else { panic!("{error:?}") };
                return (before + 1, Some(earlier.clone()));
            }
        }
        (failures.len() + 1, None)
    }

    #[tokio::test(start_paused = true)]
    async fn only_what_may_go_away_is_tried_again() {
        use GitFailure::{AuthRejected, RefNotFound, RemoteUnavailable};
        let away = RemoteUnavailable;
        assert_eq!(tried(Retry::attempts(3), &[away, away]).await, (3, None));
        assert_eq!(tried(Retry::attempts(3), &[away; 9]).await, (3, Some(vec![away, away])));
        assert_eq!(tried(Retry::attempts(3), &[away, RefNotFound]).await, (2, Some(vec![away])));
        assert_eq!(tried(Retry::never(), &[away]).await, (1, Some(vec![])));
        assert_eq!(tried(Retry::attempts(3), &[AuthRejected]).await, (1, Some(vec![])));
        let (now, minute) = (SystemTime::now(), Duration::from_secs(61));
        assert_eq!(tried(Retry::attempts(3).fresh_since(now), &[AuthRejected]).await, (2, None));
        assert_eq!(tried(Retry::attempts(3).fresh_since(now + minute), &[AuthRejected]).await, (2, None));
        assert_eq!(tried(Retry::attempts(3).fresh_since(now - minute), &[AuthRejected]).await, (1, Some(vec![])));
        assert_eq!(tried(Retry::attempts(3).within(Duration::ZERO), &[away]).await, (1, Some(vec![])));
    }

    #[tokio::test(start_paused = true)]
    async fn the_waits_grow_up_to_the_longest() {
        let begun = tokio::time::Instant::now();
        tried(Retry::attempts(8).wait(Duration::from_secs(1)), &[GitFailure::RemoteUnavailable; 9]).await;
        assert_eq!(begun.elapsed().as_secs(), 1 + 2 + 4 + 8 + 10 + 10 + 10);
    }
}
