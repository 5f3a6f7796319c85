//! Moves a command's output from its pipe or terminal to whoever wants it. Always reads, so that no command waits for a
//! reader that nobody is; only a client that streams and stalls holds its own command up.

use super::log::{Flow, Log};
use super::sanitize::Filter;
use super::spill::Spill;
use crate::server::Sender;
use isobox_wire::Kind;
use isobox_wire::frame::{HEADER, Header};
use rustix::io::Errno;
use rustix::pipe::fcntl_setpipe_size;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::io::unix::AsyncFd;
use tokio::time::Instant;

/// Read at once from a command that writes little.
const SMALL: usize = 4 << 10;
/// Read at once from a command that writes much.
const LARGE: usize = 128 << 10;
/// The size of its pipe from then on, where the kernel grants it: fewer wake-ups on both sides.
const PIPE: usize = 256 << 10;

/// One stream of a command on its way.
pub(super) struct Pump {
    pub(super) source: AsyncFd<OwnedFd>,
    pub(super) kind: Kind,
    pub(super) log: Arc<Log>,
    pub(super) filter: Filter,
    pub(super) spill: Option<Spill>,
    pub(super) sink: Option<Sink>,
}

/// A client that gets every byte while its operation lasts.
#[derive(Clone)]
pub(super) struct Sink {
    pub(super) sender: Sender,
    /// Cleared when the operation is over and what comes later only goes to the log.
    pub(super) open: Arc<AtomicBool>,
}

impl Pump {
    /// Runs until the stream has ended.
    pub(super) async fn run(mut self) {
        // The header's place is in front, so that a frame leaves in one piece and without being copied.
        let mut buffer = vec![0; HEADER + SMALL];
        loop {
            match self.read(&mut buffer[HEADER..]).await {
                Ok(0) | Err(_) => break,
                Ok(length) => {
                    let full = HEADER + length == buffer.len();
                    if full && buffer.len() < LARGE {
                        enlarge(&self.source);
                    }
                    buffer.truncate(HEADER + length);
                    self.pass(&mut buffer).await;
                    buffer
                        .resize(HEADER + if full { LARGE } else { buffer.capacity().max(SMALL + HEADER) - HEADER }, 0);
                }
            }
        }
        self.log.set_flow(Flow::Ended);
    }

    async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let ready = tokio::select! {
                ready = self.source.readable() => Some(ready?),
                () = self.log.asked_to_look() => None,
            };
            let read = match ready {
                None => Some(read(&self.source, buffer)).filter(|read| !would_block(read)),
                Some(mut ready) => ready.try_io(|source| read(source, buffer)).ok(),
            };
            match read {
                Some(read) => return self.moving(read),
                None => self.log.set_flow(Flow::Quiet(Instant::now())),
            }
        }
    }

    fn moving(&self, read: io::Result<usize>) -> io::Result<usize> {
        self.log.set_flow(Flow::Moving);
        match read {
            // A terminal whose last user has gone reads as an I/O error.
            Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => Ok(0),
            read => read,
        }
    }

    async fn pass(&mut self, frame: &mut Vec<u8>) {
        if self.filter.is_active() {
            let mut bytes = frame.split_off(HEADER);
            self.filter.apply(&mut bytes);
            frame.append(&mut bytes);
        }
        let bytes = &frame[HEADER..];
        if bytes.is_empty() {
            return;
        }
        if let Some(spill) = &mut self.spill {
            spill.before_append(&self.log, bytes).await;
        }
        self.log.append(bytes);
        self.send(frame).await;
    }

    async fn send(&mut self, frame: &mut [u8]) {
        let Some(sink) = self.sink.as_ref().filter(|sink| sink.open.load(Ordering::Relaxed)) else { return };
        let header = Header { kind: self.kind, length: frame.len() - HEADER };
        frame[..HEADER].copy_from_slice(&header.encode());
        self.log.set_flow(Flow::Blocked);
        if sink.sender.send(frame).await.is_err() {
            self.sink = None;
        }
        self.log.set_flow(Flow::Moving);
    }
}

/// Twice, because some kernels (5.8 and newer, until "pipe: wakeup wr_wait after setting max_usage") wake whoever waits for room
/// before there is more of it: a command that had filled its pipe would sleep for good, as in
/// <https://github.com/zrepl/zrepl/issues/424>. The second time there is room.
///
/// A terminal has no size, and a user may be at the limit of pipe memory: then it is only slower.
fn enlarge(source: &AsyncFd<OwnedFd>) {
    for _ in 0..2 {
        let _ = fcntl_setpipe_size(source.get_ref(), PIPE);
    }
}

fn read(source: &AsyncFd<OwnedFd>, buffer: &mut [u8]) -> io::Result<usize> {
    Ok(rustix::io::read(source.get_ref(), buffer)?)
}

fn would_block(read: &io::Result<usize>) -> bool {
    read.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
}
