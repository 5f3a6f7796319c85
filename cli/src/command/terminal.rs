//! Our own terminal: its size, and the mode in which it passes every key on.
//!
//! The mode that was there is put back on every way out: when the guard is dropped, and before a panic is printed.

use isobox::{Error, Result, TerminalSize};
use rustix::stdio::{stdin, stdout};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use std::sync::{Mutex, Once, PoisonError};

/// What the terminal was like.
static SAVED: Mutex<Option<Termios>> = Mutex::new(None);
static HOOK: Once = Once::new();

/// The size of our terminal, if there is one and it says.
pub(crate) fn size() -> Option<TerminalSize> {
    let size = tcgetwinsize(stdout()).or_else(|_| tcgetwinsize(stdin())).ok()?;
    let size = TerminalSize { rows: size.ws_row, cols: size.ws_col };
    (size.rows > 0 && size.cols > 0).then_some(size)
}

/// As long as it lives, the terminal on stdin passes every key on.
pub(crate) struct RawTerminal(());

impl RawTerminal {
    pub(crate) fn enter() -> Result<Self> {
        let failed = |error: rustix::io::Errno| Error::io("the terminal on stdin", error.into());
        let before = tcgetattr(stdin()).map_err(failed)?;
        let mut raw = before.clone();
        raw.make_raw();
        *SAVED.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        HOOK.call_once(restore_before_panic);
        let guard = Self(());
        tcsetattr(stdin(), OptionalActions::Now, &raw).map_err(failed)?;
        Ok(guard)
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    // Try: a panic may have come while the lock was held, and then nothing was changed yet.
    if let Ok(mut saved) = SAVED.try_lock()
        && let Some(before) = saved.take()
    {
        let _ = tcsetattr(stdin(), OptionalActions::Now, &before);
    }
}

fn restore_before_panic() {
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        restore();
        previous(panic);
    }));
}
