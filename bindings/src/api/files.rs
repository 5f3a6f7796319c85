//! Files in a sandbox.

use super::Result;
use crate::cross::{Cross, record, words};
use crate::held::Held;
use crate::stream::{Source, Stream};
use crate::{Argument, LocalPath, Path};
use bytes::Bytes;
use isobox::{FileReader, Range, TransferLimits};
use std::future::Future;
use std::pin::Pin;
use std::time::SystemTime;
use tokio::io::AsyncReadExt;

/// How much of a file one thing of a stream is at most.
const CHUNK: usize = 256 * 1024;

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A device, socket or pipe.
    Other,
}

words!(FileKind, isobox::FileKind { File, Directory, Symlink, Other } else Other);

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileChangeKind {
    /// It is new.
    Created,
    /// Its contents changed.
    Modified,
    /// Its mode, owner or times changed.
    Attributes,
    /// It has another name.
    Renamed,
    /// It is gone.
    Removed,
    /// Changes were lost: look again.
    Overflow,
}

words!(FileChangeKind, isobox::FileChangeKind {
    Created, Modified, Attributes, Renamed, Removed, Overflow,
} else Overflow);

/// What is known about a path.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// What it is.
    pub kind: FileKind,
    /// Its bytes.
    pub size: u64,
    /// Its permission bits, when the provider knows.
    pub mode: Option<u32>,
    /// Its owner.
    pub uid: Option<u32>,
    /// Its group.
    pub gid: Option<u32>,
    /// When its contents changed.
    pub modified_at: Option<SystemTime>,
    /// The text of a link.
    pub link_target: Option<Path>,
}

record!(Metadata from isobox::Metadata { kind, size, mode, uid, gid, modified_at, link_target });

/// One row of a directory listing.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its path relative to the directory that was listed.
    pub path: Path,
    /// What it is.
    pub kind: FileKind,
    /// Its bytes.
    pub size: u64,
    /// Its permission bits, when the provider knows.
    pub mode: Option<u32>,
    /// Its owner.
    pub uid: Option<u32>,
    /// Its group.
    pub gid: Option<u32>,
    /// When its contents changed.
    pub modified_at: Option<SystemTime>,
    /// The text of a link.
    pub link_target: Option<Path>,
}

impl Cross<Entry> for isobox::Entry {
    fn cross(self) -> Entry {
        let Metadata { kind, size, mode, uid, gid, modified_at, link_target } = self.metadata.cross();
        Entry { path: self.path.cross(), kind, size, mode, uid, gid, modified_at, link_target }
    }
}

/// One change of a file.
#[derive(Clone, Debug)]
pub struct FileChange {
    /// What happened.
    pub kind: FileChangeKind,
    /// To what, relative to what is watched.
    pub path: Path,
    /// Where it went, when it was renamed within what is watched.
    pub renamed_to: Option<Path>,
}

record!(FileChange from isobox::FileChange { kind, path, renamed_to });

/// What was copied.
#[derive(Clone, Debug)]
pub struct TransferReport {
    /// Regular files.
    pub files: u64,
    /// Directories.
    pub directories: u64,
    /// Links.
    pub links: u64,
    /// Bytes of contents.
    pub bytes: u64,
    /// Sockets, pipes, devices and refused links that were left out.
    pub skipped: u64,
}

record!(TransferReport from isobox::TransferReport { files, directories, links, bytes, skipped });

/// Which part of a file is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Bytes to skip.
    pub offset: u64,
    /// Bytes to read; to the end by default.
    pub length: Option<u64>,
    /// Bytes that are accepted at most, beyond which it fails with `limit_exceeded`; 64 MiB by default. A stream has no such limit.
    pub limit: Option<u64>,
}

impl ReadOptions {
    fn range(&self) -> Range {
        Range { offset: self.offset, length: self.length }
    }
}

/// How a file or directory is made.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// Its permission bits, such as 0o755; those of a file that exists stay as they are by default, a new one has 0o644 and a directory
    /// 0o755.
    pub mode: Option<u32>,
    /// Its owner: a name, `uid`, `uid:gid` or `name:group`; by default the user that commands run as.
    pub owner: Option<String>,
    /// Fail where a directory on the way is missing; by default it is made.
    pub no_parents: bool,
    /// Fail with `already_exists` where something is.
    pub exclusive: bool,
    /// Write beside it and rename, so that readers see the old or the new file and nothing between.
    pub atomic: bool,
}

impl Cross<isobox::WriteOptions> for WriteOptions {
    fn cross(self) -> isobox::WriteOptions {
        let Self { mode, owner, no_parents, exclusive, atomic } = self;
        isobox::WriteOptions { mode, owner, parents: !no_parents, exclusive, atomic, length: None }
    }
}

/// How a directory is listed.
#[derive(Clone, Debug, Default)]
pub struct ListDirectoryOptions {
    /// How many levels deep; 1, its direct children, by default.
    pub depth: Option<u32>,
}

/// How changes are watched.
#[derive(Clone, Debug, Default)]
pub struct WatchOptions {
    /// Also below directories.
    pub recursive: bool,
}

/// How files are copied into a sandbox.
#[derive(Clone, Debug, Default)]
pub struct UploadOptions {
    /// Who owns everything there; by default the user that commands run as.
    pub owner: Option<String>,
    /// Permission bits of files instead of those they have.
    pub file_mode: Option<u32>,
    /// Permission bits of directories instead of those they have.
    pub directory_mode: Option<u32>,
    /// Names, or paths with `*` and `**` relative to the source, that are left out.
    pub exclude: Vec<String>,
    /// Files, directories and links at most; a million by default.
    pub max_entries: Option<u64>,
    /// Bytes at most; 64 GiB by default.
    pub max_bytes: Option<u64>,
}

/// How files are copied out of a sandbox.
#[derive(Clone, Debug, Default)]
pub struct DownloadOptions {
    /// Fail with `already_exists` where something is; by default files are replaced.
    pub keep_existing: bool,
    /// Names, or paths with `*` and `**` relative to the source, that are left out.
    pub exclude: Vec<String>,
    /// Copy links that point out of the tree as they are; by default they are left out and counted.
    pub keep_escaping_links: bool,
    /// Files, directories and links at most; a million by default.
    pub max_entries: Option<u64>,
    /// Bytes at most; 64 GiB by default.
    pub max_bytes: Option<u64>,
}

fn limits(entries: Option<u64>, bytes: Option<u64>) -> TransferLimits {
    let most = TransferLimits::default();
    TransferLimits { entries: entries.unwrap_or(most.entries), bytes: bytes.unwrap_or(most.bytes) }
}

impl Cross<isobox::UploadOptions> for UploadOptions {
    fn cross(self) -> isobox::UploadOptions {
        let Self { owner, file_mode, directory_mode, exclude, max_entries, max_bytes } = self;
        isobox::UploadOptions { owner, file_mode, directory_mode, exclude, limits: limits(max_entries, max_bytes) }
    }
}

impl Cross<isobox::DownloadOptions> for DownloadOptions {
    fn cross(self) -> isobox::DownloadOptions {
        let Self { keep_existing, exclude, keep_escaping_links, max_entries, max_bytes } = self;
        let limits = limits(max_entries, max_bytes);
        isobox::DownloadOptions { keep_existing, exclude, keep_escaping_links, limits }
    }
}

/// The files of one sandbox. Relative paths begin at its working directory.
#[derive(Clone)]
pub struct Files {
    files: Held<isobox::Files>,
}

impl Files {
    pub(super) fn new(files: isobox::Files) -> Self {
        Self { files: Held::new(files) }
    }

    /// The bytes of a file, or of a part of it.
    pub async fn read(&self, path: Path, options: ReadOptions) -> Result<Bytes> {
        let limit = options.limit.unwrap_or(isobox::DEFAULT_READ_LIMIT);
        Ok(self.files.get()?.read_range(path.0, options.range(), limit).await?)
    }

    /// The text of a file, which must be UTF-8.
    pub async fn read_text(&self, path: Path) -> Result<String> {
        Ok(self.files.get()?.read_text(path.0).await?)
    }

    /// The bytes of a file of any length as they come.
    pub async fn read_stream(&self, path: Path, options: ReadOptions) -> Result<Stream<Bytes>> {
        let reader = self.files.get()?.read_stream_range(path.0, options.range()).await?;
        Ok(Stream::new(Chunks(reader)))
    }

    /// Writes a whole file, given as text or bytes.
    pub async fn write(&self, path: Path, data: Argument, options: WriteOptions) -> Result<()> {
        Ok(self.files.get()?.write_with(path.0, data.0, options.cross()).await?)
    }

    /// Adds text or bytes to the end of a file, which is made if there is none.
    pub async fn append(&self, path: Path, data: Argument) -> Result<()> {
        Ok(self.files.get()?.append(path.0, data.0).await?)
    }

    /// Writes a file from parts that are given one by one, so that it can be of any length.
    pub async fn write_stream(&self, path: Path, options: WriteOptions) -> Result<FileWriter> {
        FileWriter::open(self.files.get()?.clone(), path, options.cross())
    }

    /// What a path names, after following links.
    pub async fn stat(&self, path: Path) -> Result<Metadata> {
        Ok(self.files.get()?.stat(path.0).await?.cross())
    }

    /// What a path names; a link itself.
    pub async fn stat_link(&self, path: Path) -> Result<Metadata> {
        Ok(self.files.get()?.stat_link(path.0).await?.cross())
    }

    /// Whether a path names something, after following links.
    pub async fn exists(&self, path: Path) -> Result<bool> {
        Ok(self.files.get()?.exists(path.0).await?)
    }

    /// What is in a directory, sorted by the bytes of the paths. Links are listed and not followed.
    pub async fn list(&self, path: Path, options: ListDirectoryOptions) -> Result<Vec<Entry>> {
        Ok(self.files.get()?.list_depth(path.0, options.depth.unwrap_or(1)).await?.cross())
    }

    /// Makes a directory, and those on the way. One that exists is fine.
    pub async fn mkdir(&self, path: Path, options: WriteOptions) -> Result<()> {
        Ok(self.files.get()?.mkdir_with(path.0, options.cross()).await?)
    }

    /// Renames, replacing a file at the target.
    pub async fn rename(&self, source: Path, target: Path) -> Result<()> {
        Ok(self.files.get()?.rename(source.0, target.0).await?)
    }

    /// Copies a file, or a directory with everything in it, keeping modes, times and links.
    pub async fn copy(&self, source: Path, target: Path) -> Result<()> {
        Ok(self.files.get()?.copy(source.0, target.0).await?)
    }

    /// Makes a symbolic link whose text is the target.
    pub async fn symlink(&self, target: Path, path: Path) -> Result<()> {
        Ok(self.files.get()?.symlink(target.0, path.0).await?)
    }

    /// The text of a symbolic link.
    pub async fn read_link(&self, path: Path) -> Result<Path> {
        Ok(self.files.get()?.read_link(path.0).await?.cross())
    }

    /// Sets the permission bits, such as 0o755.
    pub async fn chmod(&self, path: Path, mode: u32) -> Result<()> {
        Ok(self.files.get()?.chmod(path.0, mode).await?)
    }

    /// Sets the owner: a name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox.
    pub async fn chown(&self, path: Path, owner: String) -> Result<()> {
        Ok(self.files.get()?.chown(path.0, owner).await?)
    }

    /// Removes a file, a link or an empty directory. What is not there is fine.
    pub async fn remove(&self, path: Path) -> Result<()> {
        Ok(self.files.get()?.remove(path.0).await?)
    }

    /// Removes a file, or a directory with everything in it, never through a link. What is not there is fine.
    pub async fn remove_all(&self, path: Path) -> Result<()> {
        Ok(self.files.get()?.remove_all(path.0).await?)
    }

    /// Changes as they happen.
    pub async fn watch(&self, path: Path, options: WatchOptions) -> Result<Stream<FileChange>> {
        let files = self.files.get()?;
        let watch = match options.recursive {
            true => files.watch_all(path.0).await?,
            false => files.watch(path.0).await?,
        };
        Ok(Stream::new(Changes(watch)))
    }

    /// Copies a file, or a directory with everything in it, from this machine.
    pub async fn upload(&self, local: LocalPath, remote: Path, options: UploadOptions) -> Result<TransferReport> {
        Ok(self.files.get()?.upload_with(local.0, remote.0, options.cross()).await?.cross())
    }

    /// Copies a file, or a directory with everything in it, to this machine. Nothing is ever written outside of the target.
    pub async fn download(&self, remote: Path, local: LocalPath, options: DownloadOptions) -> Result<TransferReport> {
        Ok(self.files.get()?.download_with(remote.0, local.0, options.cross()).await?.cross())
    }
}

/// A file that is being written. Without a close what was written may be there in part.
#[derive(Clone)]
pub struct FileWriter {
    writer: Held<Writing>,
}

/// The sending half of a pipe to the task that writes.
struct Writing {
    parts: tokio::sync::Mutex<Option<tokio::io::DuplexStream>>,
    written: tokio::sync::Mutex<Written>,
}

enum Written {
    Running(tokio::task::JoinHandle<isobox::Result<u64>>),
    Ended(isobox::Result<u64>),
}

impl Drop for Writing {
    fn drop(&mut self) {
        if let Written::Running(task) = self.written.get_mut() {
            task.abort();
        }
    }
}

impl Writing {
    /// How the writing ended, once the parts have.
    async fn end(&self) -> isobox::Result<u64> {
        let mut written = self.written.lock().await;
        if let Written::Running(task) = &mut *written {
            let ended = task.await.unwrap_or_else(|_| Err(isobox::Error::internal("the writing of a file broke off")));
            *written = Written::Ended(ended);
        }
        match &*written {
            Written::Ended(ended) => ended.clone(),
            Written::Running(_) => unreachable!("it was just ended"),
        }
    }
}

impl FileWriter {
    fn open(files: isobox::Files, path: Path, options: isobox::WriteOptions) -> Result<Self> {
        let (parts, mut source) = tokio::io::duplex(CHUNK);
        let task = tokio::spawn(async move { files.write_stream_with(path.0, &mut source, options).await });
        let parts = tokio::sync::Mutex::new(Some(parts));
        let written = tokio::sync::Mutex::new(Written::Running(task));
        Ok(Self { writer: Held::new(Writing { parts, written }) })
    }

    /// Writes the next part, and returns when it is accepted.
    pub async fn write(&self, data: Argument) -> Result<()> {
        use tokio::io::AsyncWriteExt;
        let writing = self.writer.get()?;
        let mut parts = writing.parts.lock().await;
        let Some(open) = parts.as_mut() else {
            return Err(isobox::Error::new(isobox::ErrorCode::InvalidState, "the file is closed, open it again").into());
        };
        if open.write_all(&data.0).await.is_ok() {
            return Ok(());
        }
        // The reason is where the other end stopped.
        parts.take();
        writing.end().await?;
        Err(isobox::Error::transport("the writing of a file ended early").into())
    }

    /// Ends the file and returns its bytes, once all of it is there. Again gives the same.
    pub async fn close(&self) -> Result<u64> {
        let writing = self.writer.get()?;
        writing.parts.lock().await.take();
        Ok(writing.end().await?)
    }
}

struct Chunks(FileReader);

impl Source<Bytes> for Chunks {
    fn next(&mut self) -> Pin<Box<dyn Future<Output = Result<Option<Bytes>>> + Send + '_>> {
        Box::pin(async {
            let mut chunk = Vec::with_capacity(CHUNK);
            let read = self.0.read_buf(&mut chunk).await;
            let read = read.map_err(|error| isobox::Error::io("the file could not be read to its end", error))?;
            Ok((read > 0).then(|| chunk.into()))
        })
    }
}

struct Changes(Box<dyn isobox::Watch>);

impl Source<FileChange> for Changes {
    fn next(&mut self) -> Pin<Box<dyn Future<Output = Result<Option<FileChange>>> + Send + '_>> {
        Box::pin(async { Ok(self.0.next().await?.cross()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::Words;

    #[test]
    fn every_word_has_its_variant() {
        for lost in [FileKind::lost(), FileChangeKind::lost()] {
            assert!(lost.is_empty(), "{lost:?}");
        }
    }
}
