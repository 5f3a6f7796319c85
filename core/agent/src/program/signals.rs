//! Signals to the agent itself.

use isobox_wire::settings::{Place, ended};
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::signal::unix::{SignalKind, signal};

/// Forgets what the embedding program does with signals, which a process inherits: a child that is ignored cannot be
/// waited for.
#[allow(unsafe_code, reason = "there is no safe call for it")]
pub(crate) fn reset() {
    // SAFETY: no handler is installed; there are no other threads yet.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// Keeps the signals of [`asked`] waiting until it listens, so that they cannot end the agent before it can clean up.
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
        libc::sigaddset(&raw mut set, libc::SIGUSR2);
        libc::pthread_sigmask(how, &raw const set, std::ptr::null_mut());
    }
}

/// Completes when the agent is asked to end by TERM, or to stop by USR2, with its code for that.
///
/// Not for PID 1 of a sandbox: what has a handler can be sent from inside too, and a command must not end its sandbox and have
/// that look like the host's doing. Its keeper uses KILL. In a container, whose engine asks by TERM, only what comes from outside
/// of the process namespace counts.
pub(crate) async fn asked(place: Place) -> u8 {
    match place {
        Place::Sandbox => std::future::pending().await,
        Place::Container => asked_from_outside().await,
        Place::Host => asked_by_anyone().await,
    }
}

async fn asked_by_anyone() -> u8 {
    let (Ok(mut end), Ok(mut stop)) = (signal(SignalKind::terminate()), signal(SignalKind::user_defined2())) else {
        return std::future::pending().await;
    };
    mask(libc::SIG_UNBLOCK);
    tokio::select! {
        _ = end.recv() => ended::SHUTDOWN,
        _ = stop.recv() => ended::STOPPED,
    }
}

/// Whether TERM has come from outside.
static OUTSIDE: AtomicBool = AtomicBool::new(false);

#[allow(unsafe_code, reason = "a handler may do little")]
async fn asked_from_outside() -> u8 {
    // SAFETY: the handler stores a flag. A sender that cannot be seen from here has the number 0.
    let noted = unsafe {
        signal_hook_registry::register_sigaction(libc::SIGTERM, |info| {
            if info.si_code == libc::SI_USER && info.si_pid() == 0 {
                OUTSIDE.store(true, Ordering::Relaxed);
            }
        })
    };
    let (Ok(_), Ok(mut end)) = (noted, signal(SignalKind::terminate())) else {
        return std::future::pending().await;
    };
    while end.recv().await.is_some() {
        if OUTSIDE.load(Ordering::Relaxed) {
            return ended::STOPPED;
        }
    }
    std::future::pending().await
}
