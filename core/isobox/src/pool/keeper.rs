//! The task that refills a pool.

use super::ready::Ready;
use super::shared::Shared;
use crate::sandbox::Sandbox;
use futures::FutureExt;
use isobox_contract::{Error, Result};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};

/// How long to wait after a refill that failed, which doubles with each one that fails after it.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How long the end of a pool waits for what is being made.
const SOON: Duration = Duration::from_secs(2);

/// Refills until the pool is closed, and then removes what is ready. When it is aborted, what it is making goes with it. A panic is
/// not the end of it.
pub(super) async fn keep(shared: Arc<Shared>) {
    while AssertUnwindSafe(refill(&shared)).catch_unwind().await.is_err() {
        tracing::error!("what refills a pool has panicked and is started again");
        shared.broke_off();
        tokio::time::sleep(FIRST_PAUSE).await;
    }
}

async fn refill(shared: &Shared) {
    let mut making: JoinSet<Result<Sandbox>> = JoinSet::new();
    let (mut pause, mut not_before) = (FIRST_PAUSE, Instant::now());
    loop {
        isobox_fault::point!("pool.refill");
        shared.mind_others().await;
        if shared.is_closed() {
            return end(shared, making).await;
        }
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
            () = shared.others() => {}
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
                shared.refilled(made).await;
            }
            () = until(look), if look.is_some() => {}
        }
    }
}

/// Ends the pool: what will soon be made is waited for, so that it is removed in order.
async fn end(shared: &Shared, mut making: JoinSet<Result<Sandbox>>) {
    let rest = async {
        while let Some(made) = making.join_next().await {
            if let Ok(Ok(sandbox)) = made
                && let Err(error) = sandbox.delete().await
            {
                tracing::warn!(code = %error.code(), "a sandbox of a pool is not removed");
            }
        }
    };
    // The others are given up.
    let _ = tokio::time::timeout(SOON, rest).await;
    making.shutdown().await;
    shared.wind_up().await;
}

async fn until(look: Option<Instant>) {
    if let Some(look) = look {
        sleep_until(look).await;
    }
}

fn told(made: Result<Result<Sandbox>, JoinError>) -> Result<Sandbox> {
    made.unwrap_or_else(|_| Err(Error::internal("the refill of a pool ended without a word")))
}
