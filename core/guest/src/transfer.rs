//! Files and directories from this machine and to it.
//!
//! The work on this machine's disk is done by a thread that may wait. It looks at the transfer's token at every frame, so a dropped
//! future ends it.

use crate::channel::{Channel, Receiver, Sender};
use crate::connection::{Guest, unexpected};
use crate::files::{blob, request};
use crate::local;
use bytes::{Buf, Bytes};
use isobox_contract::files::{FileKind, Files, Range, WriteOptions};
use isobox_contract::{
    DownloadOptions, Error, ErrorCode, Result, SandboxPath, TransferLimits, TransferReport, UploadOptions,
};
use isobox_tree::{Links, PackOptions, UnpackOptions};
use isobox_wire::{FileOp, Reply, file};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::runtime::Handle;
use tokio::task::JoinError;
use tokio_util::sync::{CancellationToken, DropGuard};

/// Bytes of a file that are written at once.
const PIECE: usize = 512 << 10;

/// Copies a file or a directory into the sandbox.
pub(crate) async fn upload(
    guest: &Guest,
    from: &Path,
    to: &SandboxPath,
    options: UploadOptions,
) -> Result<TransferReport> {
    // The path itself may be a link: it is the caller's. In a directory none is followed.
    let metadata = tokio::fs::metadata(from).await.map_err(|error| local::failed(from, error))?;
    if metadata.is_dir() {
        return upload_directory(guest, from, to, options).await;
    }
    if !metadata.is_file() {
        return Err(Error::invalid_spec("local", format!("{} is neither a file nor a directory", from.display())));
    }
    within(metadata.len(), &options.limits)?;
    let mut file = tokio::fs::File::open(from).await.map_err(|error| local::failed(from, error))?;
    let mode = options.file_mode.unwrap_or(metadata.permissions().mode() & 0o777);
    let write = WriteOptions { mode: Some(mode), owner: options.owner, ..WriteOptions::default() };
    let bytes = guest.write_stream(to, &mut file, write).await?;
    Ok(TransferReport { files: 1, bytes, ..TransferReport::default() })
}

fn within(bytes: u64, limits: &TransferLimits) -> Result<()> {
    if bytes > limits.bytes { Err(Error::limit_exceeded("limits.bytes", limits.bytes)) } else { Ok(()) }
}

fn limits(limits: TransferLimits) -> file::Limits {
    file::Limits { entries: limits.entries, bytes: limits.bytes }
}

fn report(transfer: &file::Transfer) -> TransferReport {
    TransferReport {
        files: transfer.files,
        directories: transfer.directories,
        links: transfer.links,
        bytes: transfer.bytes,
        skipped: transfer.skipped,
    }
}

async fn upload_directory(
    guest: &Guest,
    from: &Path,
    to: &SandboxPath,
    options: UploadOptions,
) -> Result<TransferReport> {
    let directory = local::directory(from)?;
    let op = FileOp::Upload { path: blob("remote", to)?, owner: options.owner.clone(), limits: limits(options.limits) };
    let mut channel = guest.begin(request(op)).await?;
    match channel.answer().await? {
        Reply::Done => {}
        _ => return Err(unexpected()),
    }
    let Channel { mut receiver, sender } = channel;
    let (mut line, _cancel) = Line::new(Half::Out(sender));
    let pack = PackOptions {
        max_entries: options.limits.entries,
        max_bytes: options.limits.bytes,
        exclude: options.exclude,
        file_mode: options.file_mode,
        directory_mode: options.directory_mode,
        ..PackOptions::default()
    };
    let from = from.to_owned();
    let complete = Arc::new(AtomicBool::new(false));
    let completed = complete.clone();
    let packing = tokio::task::spawn_blocking(move || {
        let packed = isobox_tree::pack(directory.as_fd(), &mut line, &pack);
        let packed = packed.map_err(|error| local::tree_failed(&from, error))?;
        completed.store(true, Ordering::Release);
        line.eof()?;
        Ok::<_, Error>((packed, line))
    });
    tokio::pin!(packing);
    let early = tokio::select! {
        biased;
        // Before the end, the agent speaks only to say what is wrong.
        answer = receiver.answer() => match answer? {
            answer if complete.load(Ordering::Acquire) => Ok(answer),
            _ => return Err(unexpected()),
        },
        packed = &mut packing => Err(packed),
    };
    // The line is kept up to here: without it, the transfer would look like a cancelled one.
    let (packed, answer, _line) = match early {
        Ok(answer) => {
            let (packed, line) = joined(packing.await)?;
            (packed, answer, line)
        }
        Err(packed) => {
            let (packed, line) = joined(packed)?;
            (packed, receiver.answer().await?, line)
        }
    };
    match answer {
        Reply::Transferred(transfer) => {
            let mut report = report(&transfer);
            report.skipped = report.skipped.saturating_add(packed.skipped_total);
            Ok(report)
        }
        _ => Err(unexpected()),
    }
}

fn joined<T>(done: std::result::Result<Result<T>, JoinError>) -> Result<T> {
    done.map_err(Error::internal)?
}

/// Copies a file or a directory out of the sandbox.
pub(crate) async fn download(
    guest: &Guest,
    from: &SandboxPath,
    to: &Path,
    options: DownloadOptions,
) -> Result<TransferReport> {
    let metadata = guest.stat(from, true).await?;
    match metadata.kind {
        FileKind::Directory => download_directory(guest, from, to, options).await,
        FileKind::File => {
            within(metadata.size, &options.limits)?;
            download_file(guest, from, to, metadata.mode, &options).await
        }
        _ => {
            let message = format!("{} is neither a file nor a directory, and nothing else is copied", from.escaped());
            let kind = isobox_contract::FileErrorKind::Other;
            let detail = isobox_contract::Detail::File { path: from.clone(), kind };
            Err(Error::new(kind.code(), message).with_detail(detail))
        }
    }
}

async fn download_file(
    guest: &Guest,
    from: &SandboxPath,
    to: &Path,
    mode: Option<u32>,
    options: &DownloadOptions,
) -> Result<TransferReport> {
    let mut reader = guest.read_stream(from, Range::ALL).await?;
    let (target, file) = local::NewFile::create(to, options.keep_existing, mode.unwrap_or(0o644) & 0o777)?;
    let mut file = tokio::fs::File::from_std(file);
    let limited = tokio::io::AsyncReadExt::take(&mut reader, options.limits.bytes.saturating_add(1));
    // Every write goes to another thread, so there should be few.
    let copied = tokio::io::copy_buf(&mut BufReader::with_capacity(PIECE, limited), &mut file).await;
    let bytes = copied.map_err(|error| local::stream_failed(to, error))?;
    within(bytes, &options.limits)?;
    file.flush().await.map_err(|error| local::failed(to, error))?;
    target.keep()?;
    Ok(TransferReport { files: 1, bytes, ..TransferReport::default() })
}

async fn download_directory(
    guest: &Guest,
    from: &SandboxPath,
    to: &Path,
    options: DownloadOptions,
) -> Result<TransferReport> {
    let op = FileOp::Download {
        path: blob("remote", from)?,
        exclude: options.exclude.clone(),
        limits: limits(options.limits),
    };
    let mut channel = guest.begin(request(op)).await?;
    match channel.answer().await? {
        Reply::Done => {}
        _ => return Err(unexpected()),
    }
    let (directory, made) = local::make_directory(to)?;
    let Channel { receiver, sender: _held } = channel;
    let (mut line, _cancel) = Line::new(Half::In(receiver));
    let unpack = UnpackOptions {
        links: if options.keep_escaping_links { Links::Keep } else { Links::Beneath },
        keep_existing: options.keep_existing,
        // A directory that was there keeps its own mode, a new one is like the root of the tree.
        keep_root: !made,
        max_entries: options.limits.entries,
        max_bytes: options.limits.bytes,
        ..UnpackOptions::default()
    };
    let to = to.to_owned();
    let unpacking = tokio::task::spawn_blocking(move || {
        let unpacked = isobox_tree::unpack(directory.as_fd(), &mut line, &unpack);
        let failed = line.failed.take();
        let unpacked = unpacked.map_err(|error| failed.unwrap_or_else(|| local::tree_failed(&to, error)));
        let finished = unpacked.and_then(|unpacked| line.finish().map(|()| unpacked));
        (finished, line)
    });
    let (unpacked, line) = unpacking.await.map_err(Error::internal)?;
    let ended = line.ended;
    let Half::In(mut receiver) = line.half else { return Err(unexpected()) };
    let unpacked = match unpacked {
        Ok(unpacked) => unpacked,
        // A tree that was cut short was so for a reason, which the agent gives.
        Err(error) if ended => return receiver.answer().await.and(Err(error)),
        Err(error) => return Err(error),
    };
    match receiver.answer().await? {
        Reply::Transferred(transfer) => Ok(TransferReport {
            files: unpacked.files,
            directories: unpacked.directories,
            links: unpacked.links,
            bytes: unpacked.bytes,
            skipped: unpacked.skipped_total.saturating_add(transfer.skipped),
        }),
        _ => Err(unexpected()),
    }
}

/// One direction of a channel.
enum Half {
    In(Receiver),
    Out(Sender),
}

/// A blocking reader or writer over a channel, for a thread of its own.
struct Line {
    half: Half,
    runtime: Handle,
    cancelled: CancellationToken,
    received: Bytes,
    ended: bool,
    failed: Option<Error>,
}

impl Line {
    fn new(half: Half) -> (Self, DropGuard) {
        let cancelled = CancellationToken::new();
        let guard = cancelled.clone().drop_guard();
        let line =
            Self { half, runtime: Handle::current(), cancelled, received: Bytes::new(), ended: false, failed: None };
        (line, guard)
    }

    fn wait<T>(runtime: &Handle, cancelled: &CancellationToken, work: impl Future<Output = Result<T>>) -> Result<T> {
        runtime.block_on(async {
            tokio::select! {
                biased;
                () = cancelled.cancelled() => Err(Error::cancelled("transfer")),
                done = work => done,
            }
        })
    }

    fn eof(&mut self) -> Result<()> {
        match &mut self.half {
            Half::Out(sender) => Self::wait(&self.runtime, &self.cancelled, sender.eof()),
            Half::In(_) => Err(unexpected()),
        }
    }

    fn receive(&mut self) -> Result<Option<Bytes>> {
        match &mut self.half {
            Half::In(receiver) => Self::wait(&self.runtime, &self.cancelled, receiver.data()),
            Half::Out(_) => Err(unexpected()),
        }
    }

    /// Reads to the end of the data; there must be no more of it.
    fn finish(&mut self) -> Result<()> {
        while !self.ended {
            match self.receive()? {
                Some(data) if !data.is_empty() => {
                    return Err(Error::new(ErrorCode::Transport, "data followed the end of the directory"));
                }
                Some(_) => {}
                None => self.ended = true,
            }
        }
        Ok(())
    }
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.received.is_empty() && !self.ended {
            match self.receive() {
                Ok(Some(data)) => self.received = data,
                Ok(None) => self.ended = true,
                Err(error) => {
                    // The tree's own error would only say that reading failed.
                    self.failed = Some(error.clone());
                    return Err(io::Error::other(error));
                }
            }
        }
        let length = buffer.len().min(self.received.len());
        self.received.copy_to_slice(&mut buffer[..length]);
        Ok(length)
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.half {
            Half::Out(sender) => {
                Self::wait(&self.runtime, &self.cancelled, sender.data(bytes)).map_err(io::Error::other)?;
                Ok(bytes.len())
            }
            Half::In(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
