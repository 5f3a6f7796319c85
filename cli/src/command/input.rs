//! Our stdin for the command.
//!
//! Reading blocks and cannot be broken off, so a thread of its own does it, a few pieces ahead. It is left alone at the end:
//! the process takes it along.

use super::keys::DetachKeys;
use bytes::Bytes;
use isobox::Process;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::stdio::stdin;
use tokio::sync::mpsc;

const PIECE: usize = 64 * 1024;
const AHEAD: usize = 2;

/// Gives the command our stdin until one of the two ends, and returns when the keys that leave it were typed. Otherwise it
/// never returns: the command's end is not to be found here.
pub(crate) async fn forward(process: &Process, keys: Option<&DetachKeys>) {
    let mut pieces = pieces();
    let mut typed = keys.map(DetachKeys::watch);
    while let Some(piece) = pieces.recv().await {
        let (piece, leave) = match &mut typed {
            Some(typed) => typed.pass(&piece),
            None => (piece.into(), false),
        };
        if !piece.is_empty() && process.write(piece).await.is_err() {
            break;
        }
        if leave {
            return;
        }
    }
    // A command that has stopped reading, or has ended, needs no end of its input.
    let _ = process.close_stdin().await;
    drop(pieces);
    std::future::pending().await
}

fn pieces() -> mpsc::Receiver<Bytes> {
    let (sender, receiver) = mpsc::channel(AHEAD);
    let spawned = std::thread::Builder::new().name("stdin".into()).spawn(move || {
        let mut buffer = vec![0; PIECE];
        while let Some(length) = read(&mut buffer) {
            if sender.blocking_send(Bytes::copy_from_slice(&buffer[..length])).is_err() {
                return;
            }
        }
    });
    // Without a thread the receiver is closed, and the command sees the end of its input.
    drop(spawned);
    receiver
}

/// The next bytes; nothing at the end, or when there will be none.
fn read(buffer: &mut [u8]) -> Option<usize> {
    loop {
        match rustix::io::read(stdin(), &mut *buffer) {
            Ok(0) => return None,
            Ok(length) => return Some(length),
            Err(Errno::INTR) => {}
            // Whoever shares the file with us may have made it non-blocking.
            Err(Errno::AGAIN) => drop(poll(&mut [PollFd::new(&stdin(), PollFlags::IN)], None)),
            Err(_) => return None,
        }
    }
}
