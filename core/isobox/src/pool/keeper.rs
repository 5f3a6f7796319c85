//! The task that refills a pool.

use super::shared::{Ready, Shared};
use crate::sandbox::Sandbox;
use isobox_contract::{Error, Result};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};

/// How long to wait after a refill that failed, which doubles with each one that fails after it.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Refills until it is aborted, and what it is making goes with it.
pub(super) async fn keep(shared: Arc<Shared>) {
    let mut making: JoinSet<Result<Sandbox>> = JoinSet::new();
    let (mut pause, mut not_before) = (FIRST_PAUSE, Instant::now());
    loop {
        shared.stale().into_iter().for_each(Ready::discard);
        let lacking = shared.lacking(making.len());
        let wanted = if Instant::now() < not_before { 0 } else { lacking };
        for _ in 0..wanted {
            making.spawn(Box::pin(shared.order.clone().fulfil()));
        }
        shared.lacking(making.len());
        let again = (lacking > wanted).then_some(not_before);
        let look = [again, shared.next_old().map(Instant::from)].into_iter().flatten().min();
        tokio::select! {
            () = shared.needed.notified() => {}
            Some(made) = making.join_next() => {
                let made = told(made);
                match &made {
                    Ok(_) => pause = FIRST_PAUSE,
                    Err(error) => {
                        tracing::warn!(code = %error.code(), "a pool is not refilled, and tries again in {pause:?}");
                        not_before = Instant::now() + pause;
                        pause = (pause * 2).min(LONGEST_PAUSE);
                    }
                }
                shared.refilled(made);
            }
            () = until(look), if look.is_some() => {}
        }
    }
}

async fn until(look: Option<Instant>) {
    if let Some(look) = look {
        sleep_until(look).await;
    }
}

fn told(made: Result<Result<Sandbox>, JoinError>) -> Result<Sandbox> {
    made.unwrap_or_else(|_| Err(Error::internal("the refill of a pool ended without a word")))
}
