//! Keeps the agent free of children that are nobody's: processes whose supervisor was killed from inside.

use crate::process::reap_strays;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// How soon to look again while strays are being killed.
const AGAIN: Duration = Duration::from_millis(5);
/// How often ending strays is tried in one go.
const TRIES: usize = 400;

/// Reaps at every SIGCHLD for as long as the agent lives.
pub(super) async fn watch() {
    let Ok(mut children) = signal(SignalKind::child()) else {
        return crate::report("cannot watch for ended processes");
    };
    loop {
        end().await;
        children.recv().await;
    }
}

/// Ends every stray there is now, as far as it can be ended.
pub(super) async fn end() {
    for _ in 0..TRIES {
        if reap_strays(|_| false).alive == 0 {
            return;
        }
        tokio::time::sleep(AGAIN).await;
    }
}
