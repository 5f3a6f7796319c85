//! A sandbox that somebody holds still.
//!
//! ```text
//! library                                              keeper
//!    makes the FIFO `hold`, opens it, SIGUSR1  ──────▶    opens it and removes its name, which says that it is ready
//!    writes a process's number, then stops it  ──────▶    remembers it
//!    or writes 0, then freezes the cgroup      ──────▶    remembers it
//!    closes it, or dies                        ──────▶    thaws it, or continues what was stopped, the last one first
//! ```
//!
//! So nothing stays stopped because whoever stopped it is gone, and nothing is continued that others have stopped.
//! Children go on before their parents, which then do not see them stopped.

use super::failure::{note, shown};
use isobox_wire::launch::{HOLD_FROZEN, HOLD_NAME};
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, openat, unlinkat};
use rustix::io::{Errno, read, write};
use rustix::process::{Pid, Signal, kill_process};

/// What was stopped, and by whom.
pub(super) struct Hold {
    pub(super) fifo: OwnedFd,
    stopped: Vec<Pid>,
    /// What freezes the sandbox, where it has a cgroup.
    freezer: Option<Vec<u8>>,
    frozen: bool,
}

impl Hold {
    /// Gets ready. Nothing when nobody asks for it any more.
    pub(super) fn take(directory: &OwnedFd, cgroup: Option<&[u8]>) -> Option<Self> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fifo = openat(directory, HOLD_NAME, flags, Mode::empty()).ok()?;
        unlinkat(directory, HOLD_NAME, AtFlags::empty()).ok()?;
        let freezer = cgroup.map(|path| [path, b"/cgroup.freeze"].concat());
        Some(Self { fifo, stopped: Vec::new(), freezer, frozen: false })
    }

    /// Reads what was written. False at the end, when everything goes on again.
    pub(super) fn goes_on(&mut self) -> bool {
        let mut buffer = [0; 4096];
        loop {
            match read(&self.fifo, &mut buffer) {
                Err(Errno::AGAIN) => return true,
                // Numbers are written whole, and the buffer has room for a multiple of them.
                Ok(length) if length > 0 => {
                    let (numbers, _) = buffer[..length].as_chunks::<4>();
                    let numbers = numbers.iter().map(|number| i32::from_ne_bytes(*number));
                    self.frozen |= numbers.clone().any(|number| number == HOLD_FROZEN);
                    self.stopped.extend(numbers.filter_map(Pid::from_raw));
                }
                _ => return false,
            }
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if let Some(freezer) = self.freezer.as_ref().filter(|_| self.frozen) {
            let thawed = openat(CWD, &freezer[..], OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())
                .and_then(|file| write(file, b"0"));
            if let Err(errno) = thawed {
                note(&format!("cannot thaw {}: {errno}", shown(freezer)));
            }
        }
        for process in self.stopped.iter().rev() {
            // One that was killed meanwhile is fine.
            let _ = kill_process(*process, Signal::CONT);
        }
    }
}
