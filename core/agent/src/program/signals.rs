//! Signals to the agent itself.

use tokio::signal::unix::{SignalKind, signal};

/// Completes when the agent is asked to end by TERM. As PID 1 it only hears of signals from outside.
pub(crate) async fn terminated() {
    match signal(SignalKind::terminate()) {
        Ok(mut signals) => drop(signals.recv().await),
        Err(_) => std::future::pending().await,
    }
}
