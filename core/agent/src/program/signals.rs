//! Signals to the agent itself.

use tokio::signal::unix::{SignalKind, signal};

/// Forgets what the embedding program does with signals, which a process inherits: a child that is ignored cannot be
/// waited for.
#[allow(unsafe_code, reason = "there is no safe call for it")]
pub(crate) fn reset() {
    // SAFETY: no handler is installed; there are no other threads yet.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// Keeps TERM waiting until [`terminated`] listens, so that it cannot end the agent before it can clean up.
pub(crate) fn hold() {
    mask(libc::SIG_BLOCK);
}

#[allow(unsafe_code, reason = "there is no safe call for it")]
fn mask(how: libc::c_int) {
    // SAFETY: the set is initialised before it is used, and nothing else is pointed to.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGTERM);
        libc::pthread_sigmask(how, &raw const set, std::ptr::null_mut());
    }
}

/// Completes when the agent is asked to end by TERM. Not for PID 1 of a sandbox: what has a handler can be sent from inside
/// too, and a command must not end its sandbox and have that look like the host's doing. Its keeper uses KILL.
pub(crate) async fn terminated() {
    match signal(SignalKind::terminate()) {
        Ok(mut signals) => {
            mask(libc::SIG_UNBLOCK);
            signals.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}
