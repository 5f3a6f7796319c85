//! The sandbox's network: the loopback interface, which a new namespace has but does not bring up.
#![allow(unsafe_code, reason = "interface flags are set with ioctl")]

use rustix::fd::AsRawFd;
use rustix::io::{Errno, Result};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};

/// Brings the loopback interface up.
pub(super) fn raise_loopback() -> Result<()> {
    let socket = socket_with(AddressFamily::INET, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
    // SAFETY: all fields are integers and bytes, for which zero is valid.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = libc::c_char::from_ne_bytes([*from]);
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: SIOCSIFFLAGS reads an ifreq, which lives until the call returns.
    match unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request) } {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
    }
}
