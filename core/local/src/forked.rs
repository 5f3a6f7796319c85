//! What a forked child must not keep: the connections that say that their owner lives.
//!
//! A child inherits every descriptor, and an agent sees its owner go when the last copy of the connection is closed. A pool
//! of forked workers would keep the sandboxes of a parent that was killed. So the child gets `/dev/null` in the place of
//! each connection, under the same number, which the handles that it inherited may still close.

use std::os::fd::{AsRawFd, RawFd};
use std::pin::Pin;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Once, OnceLock};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::UnixStream;

/// Slots that are made at once.
const SLOTS: usize = 64;

/// A list that only grows. The child reads it after a fork that may have come at any moment, so nothing in it is locked.
struct Slots {
    /// A descriptor and one; 0 is free.
    descriptors: [AtomicI32; SLOTS],
    more: OnceLock<Box<Slots>>,
}

static ALL: Slots = Slots::new();

impl Slots {
    const fn new() -> Self {
        Self { descriptors: [const { AtomicI32::new(0) }; SLOTS], more: OnceLock::new() }
    }

    fn take(&'static self, descriptor: RawFd) -> &'static AtomicI32 {
        let taken =
            |slot: &&AtomicI32| slot.compare_exchange(0, descriptor + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        match self.descriptors.iter().find(taken) {
            Some(slot) => slot,
            None => self.more.get_or_init(|| Box::new(Self::new())).take(descriptor),
        }
    }

    fn each(&self, act: impl Fn(RawFd)) {
        let mut slots = Some(self);
        while let Some(these) = slots {
            these
                .descriptors
                .iter()
                .filter_map(|slot| slot.load(Ordering::Acquire).checked_sub(1))
                .filter(|fd| *fd >= 0)
                .for_each(&act);
            slots = these.more.get().map(|more| &**more);
        }
    }
}

/// A connection that a forked child does not keep.
pub struct Lease<S = UnixStream> {
    slot: &'static AtomicI32,
    stream: S,
}

impl<S: AsRawFd> Lease<S> {
    /// Takes a connection over.
    pub fn new(stream: S) -> Self {
        static HANDLER: Once = Once::new();
        HANDLER.call_once(register);
        Self { slot: ALL.take(stream.as_raw_fd()), stream }
    }
}

impl<S> Drop for Lease<S> {
    fn drop(&mut self) {
        // Before the number is free for something else.
        self.slot.store(0, Ordering::Release);
    }
}

#[allow(unsafe_code, reason = "there is no safe call for it")]
fn register() {
    // SAFETY: the handler lives as long as the program, and makes system calls only.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
}

/// Runs in the child, in which only system calls are safe.
#[allow(unsafe_code, reason = "descriptors are replaced that others own")]
extern "C" fn in_child() {
    // SAFETY: the path is a C string; every number in the list is an open connection of the process that was forked.
    unsafe {
        let nothing = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        ALL.each(|descriptor| {
            let replaced = nothing >= 0 && libc::dup3(nothing, descriptor, libc::O_CLOEXEC) == descriptor;
            if !replaced {
                libc::close(descriptor);
            }
        });
        if nothing >= 0 {
            libc::close(nothing);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lease<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Lease<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
