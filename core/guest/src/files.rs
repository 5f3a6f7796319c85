//! Files of the sandbox.

use crate::channel::Channel;
use crate::connection::{Guest, unexpected};
use crate::file_streams::{self, GuestWatch};
use crate::{listing, transfer};
use async_trait::async_trait;
use bytes::Bytes;
use isobox_contract::files::{Entry, FileReader, Files, Metadata, Range, Watch, WriteOptions};
use isobox_contract::{DownloadOptions, Error, ErrorCode, Result, SandboxPath, TransferReport, UploadOptions};
use isobox_wire as wire;
use isobox_wire::file::WriteMode;
use isobox_wire::{Blob, FileOp, FileRequest, Reply, Request};
use std::path::Path;
use tokio::io::{AsyncRead, AsyncReadExt};

/// Entries that a listing from the agent may have.
const LISTED: usize = 1_000_000;
/// Bytes of paths that a listing from the agent may have.
const LISTED_BYTES: usize = 256 << 20;
/// Bytes that are taken for a file before they are there.
const RESERVED: usize = 64 << 20;
/// Bytes of a source that are sent at once.
const CHUNK: usize = 128 << 10;

/// A path as the agent gets it, or what is wrong with it.
pub(crate) fn blob(field: &str, path: &SandboxPath) -> Result<Blob> {
    match path.problem() {
        Some(problem) => Err(Error::invalid_spec(field, format!("{problem}, give a path in the sandbox"))),
        None => Ok(Blob::from(path.as_bytes().to_vec())),
    }
}

pub(crate) fn request(op: FileOp) -> Request {
    Request::File(FileRequest { user: None, op })
}

fn write(path: &SandboxPath, mode: WriteMode, options: &WriteOptions) -> Result<Request> {
    Ok(request(FileOp::Write(wire::file::Write {
        path: blob("path", path)?,
        mode: if options.exclusive { WriteMode::CreateNew } else { mode },
        atomic: options.atomic,
        parents: options.parents,
        permissions: options.mode,
        owner: options.owner.clone(),
        length: options.length,
    })))
}

#[async_trait]
impl Files for Guest {
    async fn read(&self, path: &SandboxPath, range: Range, limit: u64) -> Result<Bytes> {
        let mut channel = self.begin(read(path, range)?).await?;
        let size = opened(&mut channel).await?;
        let wanted = range.length.unwrap_or(u64::MAX);
        let expected = size.saturating_sub(range.offset).min(wanted);
        if expected > limit {
            return Err(too_large(limit));
        }
        // A size may be a lie: memory is taken in advance for an ordinary file only.
        let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default().min(RESERVED));
        while let Some(data) = channel.receiver.data().await? {
            let length = (bytes.len() + data.len()) as u64;
            if length > wanted {
                return Err(unexpected());
            }
            // A file may have grown.
            if length > limit {
                return Err(too_large(limit));
            }
            bytes.extend_from_slice(&data);
        }
        channel.answer().await?;
        Ok(bytes.into())
    }

    async fn read_stream(&self, path: &SandboxPath, range: Range) -> Result<FileReader> {
        let mut channel = self.begin(read(path, range)?).await?;
        opened(&mut channel).await?;
        Ok(file_streams::reader(channel, range.length.unwrap_or(u64::MAX)))
    }

    async fn write(&self, path: &SandboxPath, data: Bytes, options: WriteOptions) -> Result<()> {
        self.noticed(self.put(write(path, WriteMode::Replace, &options)?, &data).await)
    }

    async fn write_stream(
        &self,
        path: &SandboxPath,
        source: &mut (dyn AsyncRead + Send + Unpin),
        options: WriteOptions,
    ) -> Result<u64> {
        self.noticed(self.put_stream(path, source, options).await)
    }

    async fn append(&self, path: &SandboxPath, data: Bytes, options: WriteOptions) -> Result<()> {
        if options.atomic {
            let reason = "is not possible for an append, write the whole file instead";
            return Err(Error::invalid_spec("atomic", reason));
        }
        self.noticed(self.put(write(path, WriteMode::Append, &options)?, &data).await)
    }

    async fn stat(&self, path: &SandboxPath, follow: bool) -> Result<Metadata> {
        match self.call(request(FileOp::Stat { path: blob("path", path)?, follow })).await? {
            Reply::Metadata(metadata) => Ok(listing::metadata(metadata)),
            _ => Err(unexpected()),
        }
    }

    async fn exists(&self, path: &SandboxPath) -> Result<bool> {
        match self.stat(path, true).await {
            Ok(_) => Ok(true),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn list(&self, path: &SandboxPath, depth: u32) -> Result<Vec<Entry>> {
        let mut channel = self.begin(request(FileOp::List { path: blob("path", path)?, depth })).await?;
        let (mut all, mut bytes) = (Vec::new(), 0);
        loop {
            let Reply::Entries(page) = channel.answer().await? else { return Err(unexpected()) };
            if page.is_empty() {
                return Ok(all);
            }
            for entry in page {
                let entry = listing::entry(entry)?;
                bytes += entry.path.as_bytes().len();
                bytes += entry.metadata.link_target.as_ref().map_or(0, |target| target.as_bytes().len());
                all.push(entry);
            }
            if all.len() > LISTED {
                return Err(Error::limit_exceeded("entries", LISTED as u64));
            }
            if bytes > LISTED_BYTES {
                return Err(Error::limit_exceeded("entries.bytes", LISTED_BYTES as u64));
            }
        }
    }

    async fn mkdir(&self, path: &SandboxPath, options: WriteOptions) -> Result<()> {
        let WriteOptions { parents, exclusive, mode, owner, .. } = options;
        self.done(request(FileOp::Mkdir { path: blob("path", path)?, parents, exclusive, mode, owner })).await
    }

    async fn rename(&self, from: &SandboxPath, to: &SandboxPath) -> Result<()> {
        self.done(request(FileOp::Rename { from: blob("from", from)?, to: blob("to", to)? })).await
    }

    async fn copy(&self, from: &SandboxPath, to: &SandboxPath) -> Result<()> {
        match self.call(request(FileOp::Copy { from: blob("from", from)?, to: blob("to", to)? })).await? {
            Reply::Transferred(_) => Ok(()),
            _ => Err(unexpected()),
        }
    }

    async fn symlink(&self, target: &SandboxPath, path: &SandboxPath) -> Result<()> {
        self.done(request(FileOp::Symlink { target: blob("target", target)?, link: blob("path", path)? })).await
    }

    async fn read_link(&self, path: &SandboxPath) -> Result<SandboxPath> {
        match self.call(request(FileOp::ReadLink { path: blob("path", path)? })).await? {
            Reply::Path(path) => Ok(SandboxPath::from(path.into_vec())),
            _ => Err(unexpected()),
        }
    }

    async fn chmod(&self, path: &SandboxPath, mode: u32) -> Result<()> {
        self.done(request(FileOp::Chmod { path: blob("path", path)?, mode })).await
    }

    async fn chown(&self, path: &SandboxPath, owner: &str) -> Result<()> {
        let op = FileOp::Chown { path: blob("path", path)?, owner: owner.to_owned(), recursive: false };
        self.done(request(op)).await
    }

    async fn remove(&self, path: &SandboxPath, recursive: bool) -> Result<()> {
        self.done(request(FileOp::Remove { path: blob("path", path)?, recursive })).await
    }

    async fn watch(&self, path: &SandboxPath, recursive: bool) -> Result<Box<dyn Watch>> {
        let mut channel = self.begin(request(FileOp::Watch { path: blob("path", path)?, recursive })).await?;
        match channel.answer().await? {
            Reply::Done => Ok(Box::new(GuestWatch { channel })),
            _ => Err(unexpected()),
        }
    }

    async fn upload(&self, local: &Path, remote: &SandboxPath, options: UploadOptions) -> Result<TransferReport> {
        let report = transfer::upload(self, local, remote, options).await;
        self.observer().transferred(true, &report);
        report
    }

    async fn download(&self, remote: &SandboxPath, local: &Path, options: DownloadOptions) -> Result<TransferReport> {
        let report = transfer::download(self, remote, local, options).await;
        self.observer().transferred(false, &report);
        report
    }
}

fn read(path: &SandboxPath, range: Range) -> Result<Request> {
    Ok(request(FileOp::Read { path: blob("path", path)?, offset: range.offset, length: range.length }))
}

fn too_large(limit: u64) -> Error {
    Error::limit_exceeded("read", limit)
}

async fn opened(channel: &mut Channel) -> Result<u64> {
    match channel.answer().await? {
        Reply::Opened { size } => Ok(size),
        _ => Err(unexpected()),
    }
}

/// Sends a source to its end, or `length` bytes of it, and says how many and what the agent answered. Stops as soon as the
/// agent has something to say.
async fn send(
    channel: &mut Channel,
    source: &mut (dyn AsyncRead + Send + Unpin),
    length: Option<u64>,
) -> Result<(u64, Reply)> {
    let Channel { receiver, sender } = channel;
    let (mut sent, mut complete) = (0, false);
    let sending = async {
        let mut buffer = vec![0; CHUNK];
        while sent < length.unwrap_or(u64::MAX) {
            let room = length.map_or(CHUNK, |length| CHUNK.min(usize::try_from(length - sent).unwrap_or(CHUNK)));
            let read = source.read(&mut buffer[..room]).await;
            let read = read.map_err(|error| Error::io("the source of the file's contents", error))?;
            if read == 0 {
                break;
            }
            sender.data(&buffer[..read]).await?;
            sent += read as u64;
        }
        complete = true;
        sender.eof().await
    };
    let early = tokio::select! {
        biased;
        answer = receiver.answer() => Some(answer?),
        sent = sending => sent.map(|()| None)?,
    };
    match early {
        // The end was on its way when the answer came.
        Some(answer) if complete => Ok((sent, answer)),
        Some(_) => Err(unexpected()),
        None => Ok((sent, receiver.answer().await?)),
    }
}

impl Guest {
    /// Tells that the disk is full, if that is so.
    fn noticed<T>(&self, result: Result<T>) -> Result<T> {
        result.inspect_err(|error| self.observer().wrote(error))
    }

    async fn put_stream(
        &self,
        path: &SandboxPath,
        source: &mut (dyn AsyncRead + Send + Unpin),
        options: WriteOptions,
    ) -> Result<u64> {
        let mut channel = self.begin(write(path, WriteMode::Replace, &options)?).await?;
        match channel.answer().await? {
            Reply::Done => {}
            _ => return Err(unexpected()),
        }
        // A source that was too short is the agent's to refuse: then what it made is gone when this returns.
        match send(&mut channel, source, options.length).await? {
            (sent, Reply::Written { bytes }) if bytes == sent && options.length.is_none_or(|length| length == sent) => {
                Ok(bytes)
            }
            _ => Err(unexpected()),
        }
    }

    /// Sends a request and its whole data without waiting for leave: one round trip.
    async fn put(&self, request: Request, data: &[u8]) -> Result<()> {
        let Channel { mut receiver, mut sender } = self.begin(request).await?;
        let sending = async {
            sender.data(data).await?;
            sender.eof().await
        };
        let answers = async {
            match receiver.answer().await? {
                Reply::Done => {}
                _ => return Err(unexpected()),
            }
            match receiver.answer().await? {
                Reply::Written { bytes } if bytes == data.len() as u64 => Ok(()),
                _ => Err(unexpected()),
            }
        };
        tokio::pin!(answers);
        tokio::select! {
            biased;
            answer = &mut answers => return answer,
            _ = sending => {}
        }
        answers.await
    }
}
