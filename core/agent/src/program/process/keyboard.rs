//! What gVisor's terminals do not do by themselves.
//!
//! At an interrupt character they signal the foreground and leave the character in the input, before whatever comes next; and they
//! look at no character while a line waits to be read, as one does that was typed ahead. A new size is told to nobody (all seen with
//! 20240729). What is done here instead has the same end as with Linux, also on a kernel that does it.

use super::pty::slave;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::{read, write};
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use std::io;
use std::sync::LazyLock;

/// What gVisor says of itself, whatever its own version is.
const GVISOR: &[u8] = b"Sun Jan 10 15:06:54 PST 2016";
/// The keys that a terminal makes signals of.
const SIGNALS: [SpecialCodeIndex; 3] = [SpecialCodeIndex::VINTR, SpecialCodeIndex::VQUIT, SpecialCodeIndex::VSUSP];
/// The key that takes a character back, while this module types.
const ERASE: u8 = 0x7f;

/// Whether the terminals of this kernel need help.
pub(crate) fn needs_help() -> bool {
    static GVISORS: LazyLock<bool> = LazyLock::new(|| {
        let name = rustix::system::uname();
        name.version().to_bytes().windows(GVISOR.len()).any(|part| part == GVISOR)
    });
    *GVISORS
}

/// Where in what is typed the first key is that stands for a signal.
pub(crate) fn first_signal(master: &OwnedFd, typed: &[u8]) -> Option<usize> {
    let mode = tcgetattr(master).ok().filter(|mode| mode.local_modes.contains(LocalModes::ISIG))?;
    let keys = SIGNALS.map(|index| mode.special_codes[index]);
    typed.iter().position(|byte| *byte != 0 && keys.contains(byte))
}

/// Types a key that stands for a signal: what waits to be read is thrown away, the foreground gets the signal, and nobody the key.
pub(crate) fn press(master: &OwnedFd, key: u8) -> io::Result<()> {
    let slave = slave(master)?;
    let before = tcgetattr(master)?;
    // What waits can be taken away only where lines do not count, and the key only where they do.
    change(master, &before, |mode| mode.remove(LocalModes::ICANON | LocalModes::ECHO))?;
    drain(&slave)?;
    change(master, &before, |mode| {
        mode.remove(LocalModes::ECHO);
        mode.insert(LocalModes::ICANON);
    })?;
    // In one call, so that no reader comes between the key and its erasure.
    write(master, &[key, ERASE])?;
    if before.local_modes.contains(LocalModes::ECHO) {
        write(&slave, &[b'^', key ^ 0x40])?;
    }
    Ok(tcsetattr(master, OptionalActions::Now, &before)?)
}

fn change(master: &OwnedFd, before: &Termios, change: impl FnOnce(&mut LocalModes)) -> io::Result<()> {
    let mut mode = before.clone();
    change(&mut mode.local_modes);
    mode.special_codes[SpecialCodeIndex::VERASE] = ERASE;
    Ok(tcsetattr(master, OptionalActions::Now, &mode)?)
}

fn drain(slave: &OwnedFd) -> io::Result<()> {
    fcntl_setfl(slave.as_fd(), OFlags::NONBLOCK)?;
    let mut thrown_away = [0; 4096];
    while matches!(read(slave, &mut thrown_away), Ok(1..)) {}
    Ok(())
}
