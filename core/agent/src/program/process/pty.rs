//! Pseudo-terminals, opened in the sandbox's own devpts.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{Mode, OFlags, Uid, fchmod, fchown, open};
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// A terminal: what the agent reads and writes, and what the command gets as its streams.
#[derive(Debug)]
pub(crate) struct Pty {
    /// The agent's side.
    pub(crate) master: OwnedFd,
    /// The command's side, for stdin, stdout and stderr. Close it after the start, or the end of output never shows.
    pub(crate) slave: OwnedFd,
}

impl Pty {
    /// Opens a terminal of this size for `owner`, who may then open it again by its name.
    pub(crate) fn open(rows: u16, columns: u16, owner: Option<u32>) -> io::Result<Self> {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        unlockpt(&master)?;
        let slave = slave(&master)?;
        resize(master.as_fd(), rows, columns)?;
        if let Some(uid) = owner {
            // Not possible for ids that are not mapped here, and the command has the terminal open anyway.
            let _ = fchown(&slave, Some(Uid::from_raw(uid)), None);
            let _ = fchmod(&slave, Mode::from_raw_mode(0o620));
        }
        Ok(Self { master, slave })
    }
}

/// Changes the size of a terminal; the programs in its foreground get SIGWINCH.
pub(crate) fn resize(master: BorrowedFd<'_>, rows: u16, columns: u16) -> io::Result<()> {
    Ok(tcsetwinsize(master, Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 })?)
}

/// The other side, by the master itself where the kernel can (a name may be looked up in another devpts), else by name.
pub(super) fn slave(master: &OwnedFd) -> io::Result<OwnedFd> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    if let Ok(slave) = ioctl_tiocgptpeer(master, flags) {
        return Ok(slave);
    }
    let name = ptsname(master, Vec::new())?;
    Ok(open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?)
}
