//! The byte stream to the library, as far as the launcher speaks on it: one config in, one report out.

use super::call;
use super::failure::refused;
use super::grants::receive_batch;
use isobox_wire::launch::{LaunchConfig, LaunchFailure, LaunchReport, LaunchStep, MAX_LAUNCH_CONFIG};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::{Errno, FdFlags, fcntl_setfd, read, retry_on_intr};
use rustix::net::{SendFlags, send};

/// Why there is no config.
pub(super) enum NoConfig {
    /// The other end is gone, so there is nobody to tell.
    Closed,
    /// What came is not a config.
    Bad(LaunchFailure),
}

/// The stream that this process was started with as descriptor 0.
pub(crate) struct Connection(OwnedFd);

impl Connection {
    /// Takes descriptor 0 over. Call once.
    pub(crate) fn inherited() -> Self {
        Self(call::inherited(0))
    }

    /// Reads the config and not a byte more: what follows is for the agent. Answers also the bytes that it was read from,
    /// and the descriptor that came with them.
    pub(super) fn read_config(&self) -> Result<(LaunchConfig, Vec<u8>, Option<OwnedFd>), NoConfig> {
        let (first, sent) = self.first_byte()?;
        let body = self.read_frame(first)?;
        let config = LaunchConfig::from_body(&body);
        config.map(|config| (config, body, sent)).map_err(|error| bad(format!("the config cannot be read: {error}")))
    }

    /// Reads one message and not a byte more, of whatever it is.
    pub(crate) fn read_body(&self) -> Option<Vec<u8>> {
        let (first, _) = self.first_byte().ok()?;
        self.read_frame(first).ok()
    }

    fn first_byte(&self) -> Result<(u8, Option<OwnedFd>), NoConfig> {
        let mut sent = Vec::new();
        let byte = receive_batch(self.as_fd(), &mut sent).map_err(|_| NoConfig::Closed)?;
        Ok((byte, sent.pop()))
    }

    fn read_frame(&self, first: u8) -> Result<Vec<u8>, NoConfig> {
        let mut length = [first, 0, 0, 0];
        self.fill(&mut length[1..])?;
        let length = u32::from_be_bytes(length) as usize;
        if length > MAX_LAUNCH_CONFIG {
            return Err(bad(format!("the config has {length} bytes, the most is {MAX_LAUNCH_CONFIG}")));
        }
        let mut body = vec![0; length];
        self.fill(&mut body)?;
        Ok(body)
    }

    /// Sends the report. Fails when the other end is gone.
    pub(crate) fn report(&self, report: &LaunchReport) -> Result<(), Errno> {
        let frame = report.to_frame().map_err(|_| Errno::MSGSIZE)?;
        let mut rest = frame.as_slice();
        while !rest.is_empty() {
            let sent = retry_on_intr(|| send(&self.0, rest, SendFlags::NOSIGNAL))?;
            rest = &rest[sent..];
        }
        Ok(())
    }

    /// The stream itself, no longer inherited by programs that are started.
    pub(crate) fn into_stream(self) -> Result<OwnedFd, Errno> {
        fcntl_setfd(&self.0, FdFlags::CLOEXEC)?;
        Ok(self.0)
    }

    fn fill(&self, mut buffer: &mut [u8]) -> Result<(), NoConfig> {
        while !buffer.is_empty() {
            match retry_on_intr(|| read(&self.0, &mut *buffer)) {
                Ok(0) | Err(_) => return Err(NoConfig::Closed),
                Ok(count) => buffer = &mut buffer[count..],
            }
        }
        Ok(())
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn bad(message: String) -> NoConfig {
    NoConfig::Bad(refused(LaunchStep::Config, message, "the library and the agent must come from the same build"))
}
