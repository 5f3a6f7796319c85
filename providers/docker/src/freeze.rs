//! Letting a container stand still.
//!
//! Where cgroups are of version 1 a runtime gives up soon: processes that start others at that moment are not all frozen at once.
//! It has let them go on then, and it is tried again.

use isobox_contract::{Error, ErrorCode, Result};
use std::time::Duration;

/// How often it is tried.
const TRIES: u32 = 6;
/// How long the container goes on between, after the first time; longer after each.
const PAUSE: Duration = Duration::from_millis(50);

/// Does something for which the engine freezes a container.
pub(crate) async fn freezing<T, F: Future<Output = Result<T>>>(mut freeze: impl FnMut() -> F) -> Result<T> {
    for tried in 1..TRIES {
        match freeze().await {
            Err(error) if is_not_frozen(&error) => tokio::time::sleep(PAUSE * tried).await,
            done => return done,
        }
    }
    freeze().await
}

/// The engine calls it a failure of its own. Podman does not pass on what its runtime said.
fn is_not_frozen(error: &Error) -> bool {
    let says = |words: &[&str]| words.iter().all(|words| error.message().contains(words));
    error.code() == ErrorCode::Internal && (says(&["unable to freeze"]) || says(&[" pause ", "failed: exit status"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn tried(error: impl Fn() -> Error, frozen_at: u32) -> (Result<()>, u32) {
        let mut tries = 0;
        let done = freezing(|| {
            tries += 1;
            std::future::ready(if tries == frozen_at { Ok(()) } else { Err(error()) })
        });
        let done = done.await;
        (done, tries)
    }

    #[tokio::test]
    async fn what_would_not_freeze_is_tried_again_and_not_for_ever() {
        let not_frozen = || Error::internal("docker cannot pause the container: unable to freeze: unknown");
        assert!(matches!(tried(not_frozen, 3).await, (Ok(()), 3)));
        assert!(matches!(tried(not_frozen, 100).await, (Err(_), TRIES)));
        let podmans =
            || Error::internal("docker cannot copy the sandbox: `/usr/bin/runc pause 1` failed: exit status 1");
        assert!(matches!(tried(podmans, 2).await, (Ok(()), 2)));
    }

    #[tokio::test]
    async fn another_failure_is_told_at_once() {
        assert!(matches!(tried(|| Error::internal("no such container"), 2).await, (Err(_), 1)));
    }
}
