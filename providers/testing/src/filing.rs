//! The files of a double, as the contract has them.

use crate::disk::{Author, Key, Kind, Outcome, View};
use crate::faults::Operation;
use crate::place::Place;
use crate::transfer;
use async_trait::async_trait;
use bytes::Bytes;
use isobox_contract::{
    Action, Capability, DownloadOptions, Entry, Error, ErrorCode, EventKind, FileChange, FileErrorKind, FileReader,
    Files, Metadata, Range, Resource, Result, SandboxPath, TransferReport, UploadOptions, Watch, WriteOptions,
};
use std::path::Path;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::mpsc;

/// The files of one sandbox.
pub(crate) struct Filing(pub(crate) Arc<Place>);

impl Filing {
    /// Does something with a file, with all that may come in between.
    async fn work<T>(
        &self,
        operation: Operation,
        path: &SandboxPath,
        work: impl FnOnce(&mut View<'_>, &Key, &Author) -> Outcome<T> + Send,
    ) -> Result<T> {
        let at = self.0.fleet.clock.elapsed();
        let done = match self.met(operation, path).await {
            Ok(()) => {
                let author = self.0.author();
                let done = self.0.disk.with(|view| work(view, &self.0.workdir_key, &author));
                done.map_err(|kind| Error::file(path, kind))
            }
            Err(error) => Err(error),
        };
        self.0.fleet.recording.operation(operation, Some(self.0.id), path.escaped(), at, &done);
        done
    }

    async fn met(&self, operation: Operation, path: &SandboxPath) -> Result<()> {
        self.0.alive(Action::Files)?;
        self.0.meet_plainly(operation, || path.escaped()).await?;
        self.0.alive(Action::Files)?;
        self.0.used();
        Ok(())
    }

    fn require(&self, capability: Capability) -> Result<()> {
        self.0.capabilities.require(capability)
    }

    /// Refuses an owner that nobody here has.
    fn check(&self, options: &WriteOptions) -> Result<()> {
        if options.mode.is_some() {
            self.require(Capability::FilesPermissions)?;
        }
        let Some(owner) = &options.owner else { return Ok(()) };
        self.require(Capability::FilesOwnership)?;
        self.known(owner)
    }

    fn known(&self, owner: &str) -> Result<()> {
        match self.0.disk.with(|view| view.owner(owner)) {
            Some(_) => Ok(()),
            None => Err(Error::not_found(Resource::User, owner)),
        }
    }
}

/// The part of some contents that a range names.
fn part(bytes: &Bytes, range: Range) -> Bytes {
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).min(bytes.len());
    let end = range.length.map_or(bytes.len(), |length| size(range.offset.saturating_add(length)));
    bytes.slice(size(range.offset)..end)
}

#[async_trait]
impl Files for Filing {
    async fn read(&self, path: &SandboxPath, range: Range, limit: u64) -> Result<Bytes> {
        let read = |view: &mut View<'_>, workdir: &Key, _: &Author| {
            let key = view.existing(workdir, path.as_bytes(), true)?;
            let bytes = part(&view.contents(&key)?, range);
            if bytes.len() as u64 > limit { Err(FileErrorKind::TooLarge) } else { Ok(bytes) }
        };
        self.work(Operation::Read, path, read).await
    }

    async fn read_stream(&self, path: &SandboxPath, range: Range) -> Result<FileReader> {
        let bytes = self.read(path, range, u64::MAX).await?;
        Ok(Box::new(std::io::Cursor::new(bytes)))
    }

    async fn write(&self, path: &SandboxPath, data: Bytes, options: WriteOptions) -> Result<()> {
        self.check(&options)?;
        let write = |view: &mut View<'_>, workdir: &Key, author: &Author| {
            // What is replaced as a whole is the link itself.
            let key = view.resolve(workdir, path.as_bytes(), !options.atomic && !options.exclusive)?;
            view.write(&key, &options, author, |_| data)
        };
        self.work(Operation::Write, path, write).await
    }

    async fn write_stream(
        &self,
        path: &SandboxPath,
        source: &mut (dyn AsyncRead + Send + Unpin),
        options: WriteOptions,
    ) -> Result<u64> {
        let mut data = Vec::new();
        let most = options.length.unwrap_or(u64::MAX);
        let read = source.take(most).read_to_end(&mut data).await;
        let read = read.map_err(|error| Error::io("the source of a file", error).infrastructure(false))? as u64;
        if options.length.is_some_and(|length| read < length) {
            let message = format!("the source ended after {read} bytes of {most}");
            return Err(Error::new(ErrorCode::Io, message).infrastructure(false));
        }
        self.write(path, data.into(), options).await?;
        Ok(read)
    }

    async fn append(&self, path: &SandboxPath, data: Bytes, options: WriteOptions) -> Result<()> {
        self.check(&options)?;
        let append = |view: &mut View<'_>, workdir: &Key, author: &Author| {
            let key = view.resolve(workdir, path.as_bytes(), true)?;
            view.write(&key, &options, author, |before| [before, &data].concat().into())
        };
        self.work(Operation::Write, path, append).await
    }

    async fn stat(&self, path: &SandboxPath, follow: bool) -> Result<Metadata> {
        let stat = |view: &mut View<'_>, workdir: &Key, _: &Author| {
            let key = view.existing(workdir, path.as_bytes(), follow)?;
            Ok(view.node(&key)?.metadata())
        };
        self.work(Operation::Read, path, stat).await
    }

    async fn exists(&self, path: &SandboxPath) -> Result<bool> {
        let exists =
            |view: &mut View<'_>, workdir: &Key, _: &Author| match view.existing(workdir, path.as_bytes(), true) {
                Ok(_) => Ok(true),
                Err(FileErrorKind::NotFound | FileErrorKind::NotADirectory) => Ok(false),
                Err(kind) => Err(kind),
            };
        self.work(Operation::Read, path, exists).await
    }

    async fn list(&self, path: &SandboxPath, depth: u32) -> Result<Vec<Entry>> {
        if depth == 0 {
            return Err(Error::invalid_spec("depth", "is zero, 1 lists the directory itself"));
        }
        let list = |view: &mut View<'_>, workdir: &Key, _: &Author| {
            let key = view.existing(workdir, path.as_bytes(), true)?;
            view.list(&key, depth as usize)
        };
        let found = self.work(Operation::List, path, list).await?;
        let entry =
            |(key, node): (Key, crate::disk::Node)| Entry { path: key.join(&b'/').into(), metadata: node.metadata() };
        Ok(found.into_iter().map(entry).collect())
    }

    async fn mkdir(&self, path: &SandboxPath, options: WriteOptions) -> Result<()> {
        self.check(&options)?;
        let mkdir = |view: &mut View<'_>, workdir: &Key, author: &Author| {
            let key = view.resolve(workdir, path.as_bytes(), true)?;
            view.mkdir(&key, &options, author)
        };
        self.work(Operation::Write, path, mkdir).await
    }

    async fn rename(&self, from: &SandboxPath, to: &SandboxPath) -> Result<()> {
        let rename = |view: &mut View<'_>, workdir: &Key, author: &Author| {
            let target = view.resolve(workdir, to.as_bytes(), false)?;
            let source = view.existing(workdir, from.as_bytes(), false)?;
            view.rename(&source, &target, author)
        };
        self.work(Operation::Write, from, rename).await
    }

    async fn copy(&self, from: &SandboxPath, to: &SandboxPath) -> Result<()> {
        let copy = |view: &mut View<'_>, workdir: &Key, author: &Author| {
            let target = view.resolve(workdir, to.as_bytes(), true)?;
            let source = view.existing(workdir, from.as_bytes(), true)?;
            view.copy(&source, &target, author)
        };
        self.work(Operation::Write, from, copy).await
    }

    async fn symlink(&self, target: &SandboxPath, path: &SandboxPath) -> Result<()> {
        self.require(Capability::FilesSymlinks)?;
        if let Some(problem) = target.problem() {
            return Err(Error::invalid_spec("target", problem));
        }
        let symlink = |view: &mut View<'_>, workdir: &Key, author: &Author| {
            let key = view.resolve(workdir, path.as_bytes(), false)?;
            view.symlink(&key, target.as_bytes(), author)
        };
        self.work(Operation::Write, path, symlink).await
    }

    async fn read_link(&self, path: &SandboxPath) -> Result<SandboxPath> {
        self.require(Capability::FilesSymlinks)?;
        let read = |view: &mut View<'_>, workdir: &Key, _: &Author| {
            let key = view.existing(workdir, path.as_bytes(), false)?;
            match &view.node(&key)?.kind {
                Kind::Link(text) => Ok(SandboxPath::from(text.clone())),
                _ => Err(FileErrorKind::InvalidPath),
            }
        };
        self.work(Operation::Read, path, read).await
    }

    async fn chmod(&self, path: &SandboxPath, mode: u32) -> Result<()> {
        self.require(Capability::FilesPermissions)?;
        let chmod = |view: &mut View<'_>, workdir: &Key, _: &Author| {
            let key = view.existing(workdir, path.as_bytes(), true)?;
            view.change(&key, |node| node.mode = mode & 0o7777)
        };
        self.work(Operation::Write, path, chmod).await
    }

    async fn chown(&self, path: &SandboxPath, owner: &str) -> Result<()> {
        self.require(Capability::FilesOwnership)?;
        self.known(owner)?;
        let chown = |view: &mut View<'_>, workdir: &Key, _: &Author| {
            let key = view.existing(workdir, path.as_bytes(), true)?;
            let (uid, gid) = view.owner(owner).ok_or(FileErrorKind::NotFound)?;
            view.change(&key, |node| (node.uid, node.gid) = (uid, gid.unwrap_or(node.gid)))
        };
        self.work(Operation::Write, path, chown).await
    }

    async fn remove(&self, path: &SandboxPath, recursive: bool) -> Result<()> {
        let remove =
            |view: &mut View<'_>, workdir: &Key, _: &Author| match view.resolve(workdir, path.as_bytes(), false) {
                Err(FileErrorKind::NotFound | FileErrorKind::NotADirectory) => Ok(()),
                key => view.remove(&key?, recursive),
            };
        self.work(Operation::Remove, path, remove).await
    }

    async fn watch(&self, path: &SandboxPath, recursive: bool) -> Result<Box<dyn Watch>> {
        self.require(Capability::FilesWatch)?;
        let find = |view: &mut View<'_>, workdir: &Key, _: &Author| view.existing(workdir, path.as_bytes(), true);
        let key = self.work(Operation::Read, path, find).await?;
        Ok(Box::new(Changes(self.0.disk.watchers().add(key, recursive))))
    }

    async fn upload(&self, local: &Path, remote: &SandboxPath, options: UploadOptions) -> Result<TransferReport> {
        self.require(Capability::FilesUpload)?;
        if let Some(owner) = &options.owner {
            self.require(Capability::FilesOwnership)?;
            self.known(owner)?;
        }
        let (local, limits, owner) = (local.to_owned(), options.limits, options.owner.clone());
        let packed = tokio::task::spawn_blocking(move || transfer::packed(&local, &options));
        let packed = packed.await.map_err(Error::internal)??;
        if packed.is_directory() {
            self.require(Capability::FilesDirectories)?;
        }
        let put = |view: &mut View<'_>, workdir: &Key, author: &Author| {
            let author = view.author(author, owner.as_deref())?;
            let key = view.resolve(workdir, remote.as_bytes(), true)?;
            view.parent(&key, true, &author)?;
            packed.put(view, &key, &author)
        };
        let report = self.work(Operation::Upload, remote, put).await?;
        if report.bytes > limits.bytes {
            return Err(Error::limit_exceeded("limits.bytes", limits.bytes));
        }
        self.0.tell(EventKind::FilesTransferred { upload: true, files: report.files, bytes: report.bytes });
        Ok(report)
    }

    async fn download(&self, remote: &SandboxPath, local: &Path, options: DownloadOptions) -> Result<TransferReport> {
        self.require(Capability::FilesDownload)?;
        let gather = |view: &mut View<'_>, workdir: &Key, _: &Author| {
            let key = view.existing(workdir, remote.as_bytes(), true)?;
            transfer::gathered(view, &key)
        };
        let entries = self.work(Operation::Download, remote, gather).await?;
        if entries[0].content == isobox_tree::memory::Content::Directory {
            self.require(Capability::FilesDirectories)?;
        }
        let local = local.to_owned();
        let written = tokio::task::spawn_blocking(move || transfer::written(entries, &local, &options));
        let report = written.await.map_err(Error::internal)??;
        self.0.tell(EventKind::FilesTransferred { upload: false, files: report.files, bytes: report.bytes });
        Ok(report)
    }
}

struct Changes(mpsc::Receiver<FileChange>);

#[async_trait]
impl Watch for Changes {
    async fn next(&mut self) -> Result<Option<FileChange>> {
        Ok(self.0.recv().await)
    }
}
