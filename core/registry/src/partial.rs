//! The file that a blob arrives in: what is in it is hashed, so that it can be continued.
//!
//! ```text
//!   open ──▶ lock ──▶ hash what an earlier process left ──▶ append* ──▶ finish: size and digest
//!                                                     └──▶ clear (start again)
//! ```
//!
//! Hashing and writing happen on a thread for blocking work while the next piece arrives, at most two pieces of
//! [`PIECE`] bytes at a time. Dropping it anywhere leaves a file that the next `open` continues.

use crate::digest::{Digest, Hasher};
use crate::manifest::Blob;
use isobox_contract::{Error, ErrorCode, Result};
use rustix::fs::OFlags;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// How much is hashed and written at once.
const PIECE: usize = 1024 * 1024;

/// How long to wait for whoever has the file: a fetch that was just dropped needs a moment to let go.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);

/// A blob that is on its way.
pub(crate) struct Partial {
    path: PathBuf,
    blob: Blob,
    /// Bytes in the file and in `buffer`.
    length: u64,
    buffer: Vec<u8>,
    work: Work,
}

/// Where the file is: here, or with the thread that writes to it.
enum Work {
    Here(Box<Sink>),
    Away(JoinHandle<(Box<Sink>, io::Result<()>)>),
    Lost,
}

struct Sink {
    file: File,
    hasher: Hasher,
}

impl Partial {
    /// Opens the file, makes it if it is not there, and reads what is in it. `conflict` when somebody else fetches into
    /// it.
    pub(crate) async fn open(path: &Path, blob: &Blob) -> Result<Self> {
        let failed = |error| failed(path, error);
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600).custom_flags(flags.bits() as i32);
        let file = options.open(path).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(Error::invalid_spec("into", format!("{} is not a file", path.display())));
        }
        lock(path, &file).await?;
        let sink = Box::new(Sink { file, hasher: Hasher::new(blob.digest.algorithm()) });
        let mut partial =
            Self { path: path.to_owned(), blob: blob.clone(), length: 0, buffer: Vec::new(), work: Work::Here(sink) };
        partial.take_in().await?;
        Ok(partial)
    }

    /// Hashes what is there. More than the blob has is none of it.
    async fn take_in(&mut self) -> Result<()> {
        let mut sink = self.settle().await?;
        let there = sink.file.metadata().map_err(|error| failed(&self.path, error))?.len();
        self.work = Work::Here(sink);
        if there > self.blob.size {
            return self.clear().await;
        }
        while self.length < there {
            sink = self.settle().await?;
            let piece = tokio::task::spawn_blocking(move || {
                let mut bytes = vec![0; PIECE];
                let read = sink.file.read(&mut bytes);
                if let Ok(count) = read {
                    sink.hasher.update(&bytes[..count]);
                }
                (sink, read)
            });
            let (sink, read) = piece.await.map_err(|_| lost())?;
            self.work = Work::Here(sink);
            match read.map_err(|error| failed(&self.path, error))? {
                0 => break,
                count => self.length += count as u64,
            }
        }
        Ok(())
    }

    /// How many bytes there are.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Whether the file could not be read or written, so that no registry can help.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self.work, Work::Lost)
    }

    /// How many bytes are missing.
    pub(crate) fn missing(&self) -> u64 {
        self.blob.size - self.length
    }

    /// Takes the next bytes, which must not be more than are missing.
    pub(crate) async fn append(&mut self, mut bytes: &[u8]) -> Result<()> {
        self.length += bytes.len() as u64;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PIECE - self.buffer.len()));
            self.buffer.extend_from_slice(now);
            bytes = later;
            if self.buffer.len() == PIECE {
                self.send().await?;
            }
        }
        Ok(())
    }

    /// Writes what is still here.
    pub(crate) async fn flush(&mut self) -> Result<()> {
        if !self.buffer.is_empty() {
            self.send().await?;
        }
        let sink = self.settle().await?;
        self.work = Work::Here(sink);
        Ok(())
    }

    /// Throws everything away.
    pub(crate) async fn clear(&mut self) -> Result<()> {
        let mut sink = self.settle().await?;
        sink.file.set_len(0).and_then(|()| sink.file.rewind()).map_err(|error| failed(&self.path, error))?;
        sink.hasher = Hasher::new(self.blob.digest.algorithm());
        self.work = Work::Here(sink);
        self.buffer.clear();
        self.length = 0;
        Ok(())
    }

    /// The digest of what there is.
    pub(crate) async fn digest(&mut self) -> Result<Digest> {
        self.flush().await?;
        let sink = self.settle().await?;
        let digest = sink.hasher.clone().finish();
        self.work = Work::Here(sink);
        Ok(digest)
    }

    /// Gives the buffer to a thread once that has written the one before.
    async fn send(&mut self) -> Result<()> {
        let mut sink = self.settle().await?;
        let bytes = std::mem::replace(&mut self.buffer, Vec::with_capacity(PIECE));
        self.work = Work::Away(tokio::task::spawn_blocking(move || {
            sink.hasher.update(&bytes);
            let written = sink.file.write_all(&bytes);
            (sink, written)
        }));
        Ok(())
    }

    /// Waits for the thread, and takes the file from where it is.
    async fn settle(&mut self) -> Result<Box<Sink>> {
        match &mut self.work {
            Work::Away(writing) => {
                let (sink, written) = writing.await.map_err(|_| lost())?;
                self.work = Work::Lost;
                written.map_err(|error| failed(&self.path, error))?;
                Ok(sink)
            }
            work => match std::mem::replace(work, Work::Lost) {
                Work::Here(sink) => Ok(sink),
                _ => Err(lost()),
            },
        }
    }
}

async fn lock(path: &Path, file: &File) -> Result<()> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK_PATIENCE => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(TryLockError::WouldBlock) => {
                let message = format!("somebody else is fetching into {}", path.display());
                return Err(Error::new(ErrorCode::Conflict, message));
            }
            Err(TryLockError::Error(error)) => return Err(failed(path, error)),
        }
    }
}

fn failed(path: &Path, error: io::Error) -> Error {
    let full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
    let place = path.display();
    if full {
        let message = format!("there is no space left for {place}, remove images or give isobox another home");
        return Error::new(ErrorCode::OutOfDisk, message).with_source(error);
    }
    Error::io(format!("the partial file {place}"), error)
}

fn lost() -> Error {
    Error::internal("a thread that wrote a blob is gone, or an error before was passed over")
}
