//! The command's output on our stdout and stderr.
//!
//! Writing blocks when nobody reads, so a thread does it, in the order in which the pieces came. There is little room between:
//! a slow reader slows the command down and nothing else.

use bytes::Bytes;
use isobox::{Error, OutputEvent, Result, SandboxId};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::stdio::{stderr, stdout};
use std::io;
use std::os::fd::BorrowedFd;
use tokio::sync::{mpsc, oneshot};

const ROOM: usize = 4;

enum Piece {
    Stdout(Bytes),
    Stderr(Bytes),
}

pub(crate) struct Writer {
    pieces: mpsc::Sender<Piece>,
    done: oneshot::Receiver<io::Result<()>>,
    divert: bool,
}

/// What became of the output.
pub(crate) enum Written {
    /// It is all there.
    All,
    /// Somebody closed the other end.
    NoReader,
}

impl Writer {
    /// A writer; with an id, stdout has that and everything else goes to stderr.
    pub(crate) fn start(id: Option<&SandboxId>) -> Result<Self> {
        let (pieces, mut incoming) = mpsc::channel(ROOM);
        let (tell, done) = oneshot::channel();
        let thread = std::thread::Builder::new().name("output".into());
        let write = move || {
            let result = write_each(&mut incoming);
            // First nothing more is taken, then it is said why.
            drop(incoming);
            let _ = tell.send(result);
        };
        if let Some(id) = id {
            let line = format!("{id}\n");
            pieces.try_send(Piece::Stdout(line.into())).expect("a new channel has room");
        }
        thread.spawn(write).map_err(|error| Error::io("the thread for output", error))?;
        Ok(Self { pieces, done, divert: id.is_some() })
    }

    /// Writes one piece, as soon as there is room. False when there is no use in more.
    pub(crate) async fn put(&self, event: OutputEvent) -> bool {
        let piece = match event {
            OutputEvent::Stdout(bytes) if self.divert => Piece::Stderr(bytes),
            OutputEvent::Stdout(bytes) => Piece::Stdout(bytes),
            OutputEvent::Stderr(bytes) => Piece::Stderr(bytes),
            _ => return true,
        };
        self.pieces.send(piece).await.is_ok()
    }

    /// Returns when there is no use in more. Cancel safe.
    pub(crate) async fn closed(&self) {
        self.pieces.closed().await;
    }

    /// Returns when everything is written, or cannot be.
    pub(crate) async fn finish(self) -> Result<Written> {
        drop(self.pieces);
        match self.done.await {
            Ok(Ok(())) => Ok(Written::All),
            Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Written::NoReader),
            Ok(Err(error)) => Err(Error::io("the command's output could not be passed on", error)),
            Err(_) => Err(Error::internal("the thread for output ended without a word")),
        }
    }
}

fn write_each(pieces: &mut mpsc::Receiver<Piece>) -> io::Result<()> {
    while let Some(piece) = pieces.blocking_recv() {
        match piece {
            Piece::Stdout(bytes) => write_all(stdout(), &bytes)?,
            Piece::Stderr(bytes) => write_all(stderr(), &bytes)?,
        }
    }
    Ok(())
}

fn write_all(file: BorrowedFd<'_>, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(file, bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            // Whoever shares the file with us may have made it non-blocking.
            Err(Errno::AGAIN) => drop(poll(&mut [PollFd::new(&file, PollFlags::OUT)], None)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
