//! The files of a sandbox.

use crate::sandbox::Sandbox;
use bytes::Bytes;
use isobox_contract::{
    Capability, DownloadOptions, Entry, Error, ErrorCode, FileReader, Metadata, Range, Result, SandboxPath,
    TransferReport, UploadOptions, Watch, WriteOptions,
};
use std::path::Path;
use tokio::io::AsyncRead;

/// The most bytes that [`Files::read`] returns: 64 MiB. For more there is [`Files::read_stream`].
pub const DEFAULT_READ_LIMIT: u64 = 64 << 20;

/// The files of a sandbox. Cheap to clone.
///
/// Paths are those of the sandbox and are resolved there; relative ones start at its working directory. New files belong
/// to the user that commands run as, with mode 0644 and directories 0755, unless [`WriteOptions`] say otherwise.
/// Directories on the way to a new file are made.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
/// # let sandbox = isobox.sandbox().create().await?;
/// let files = sandbox.files();
/// files.write("data/numbers.txt", "3\n1\n2\n").await?;
/// assert!(sandbox.shell("sort data/numbers.txt > data/sorted.txt").await?.success());
/// assert_eq!(files.read_text("data/sorted.txt").await?, "1\n2\n3\n");
///
/// let names: Vec<_> = files.list("data").await?.into_iter().map(|entry| entry.path.to_string()).collect();
/// assert_eq!(names, ["numbers.txt", "sorted.txt"]);
/// # sandbox.delete().await
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Files {
    sandbox: Sandbox,
}

/// Reading.
impl Files {
    /// The whole contents of a file; `limit_exceeded` when it is larger than [`DEFAULT_READ_LIMIT`].
    pub async fn read(&self, path: impl Into<SandboxPath>) -> Result<Bytes> {
        self.read_range(path, Range::ALL, DEFAULT_READ_LIMIT).await
    }

    /// The whole contents of a file that is UTF-8; `io` when it is not.
    pub async fn read_text(&self, path: impl Into<SandboxPath>) -> Result<String> {
        let path = path.into();
        let bytes = self.read(&path).await?;
        let text = String::from_utf8(bytes.into()).map_err(|_| {
            let message = format!("{} is not UTF-8 text, read it as bytes", path.escaped());
            Error::new(ErrorCode::Io, message).infrastructure(false)
        });
        self.told("files.read_text", text)
    }

    /// A part of a file, at most `limit` bytes of it; `limit_exceeded` when the part is longer. Past the end there is
    /// nothing, which is no error.
    pub async fn read_range(&self, path: impl Into<SandboxPath>, range: Range, limit: u64) -> Result<Bytes> {
        self.told("files.read", self.raw().read(&path.into(), range, limit).await)
    }

    /// The contents of a file of any size, as a stream.
    pub async fn read_stream(&self, path: impl Into<SandboxPath>) -> Result<FileReader> {
        self.read_stream_range(path, Range::ALL).await
    }

    /// A part of a file of any size, as a stream.
    pub async fn read_stream_range(&self, path: impl Into<SandboxPath>, range: Range) -> Result<FileReader> {
        self.told("files.read_stream", self.raw().read_stream(&path.into(), range).await)
    }

    /// What a path names, after following links.
    pub async fn stat(&self, path: impl Into<SandboxPath>) -> Result<Metadata> {
        self.told("files.stat", self.raw().stat(&path.into(), true).await)
    }

    /// What a path names, a link itself included.
    pub async fn stat_link(&self, path: impl Into<SandboxPath>) -> Result<Metadata> {
        self.told("files.stat", self.raw().stat(&path.into(), false).await)
    }

    /// Whether a path names something, after following links.
    pub async fn exists(&self, path: impl Into<SandboxPath>) -> Result<bool> {
        self.told("files.exists", self.raw().exists(&path.into()).await)
    }

    /// What is in a directory, sorted by name.
    pub async fn list(&self, path: impl Into<SandboxPath>) -> Result<Vec<Entry>> {
        self.list_depth(path, 1).await
    }

    /// What is below a directory, `depth` levels deep, with paths relative to it. Links are listed and not followed.
    pub async fn list_depth(&self, path: impl Into<SandboxPath>, depth: u32) -> Result<Vec<Entry>> {
        if depth == 0 {
            return self.told("files.list", Err(Error::invalid_spec("depth", "is zero, 1 lists the directory itself")));
        }
        self.told("files.list", self.raw().list(&path.into(), depth).await)
    }

    /// The text of a symbolic link.
    pub async fn read_link(&self, path: impl Into<SandboxPath>) -> Result<SandboxPath> {
        self.require("files.read_link", Capability::FilesSymlinks)?;
        self.told("files.read_link", self.raw().read_link(&path.into()).await)
    }

    /// Reports changes of a file, or of a directory and its direct children, until it is dropped.
    pub async fn watch(&self, path: impl Into<SandboxPath>) -> Result<Box<dyn Watch>> {
        self.watched(path.into(), false).await
    }

    /// Reports changes anywhere below a directory, until it is dropped.
    pub async fn watch_all(&self, path: impl Into<SandboxPath>) -> Result<Box<dyn Watch>> {
        self.watched(path.into(), true).await
    }

    async fn watched(&self, path: SandboxPath, recursive: bool) -> Result<Box<dyn Watch>> {
        self.require("files.watch", Capability::FilesWatch)?;
        self.told("files.watch", self.raw().watch(&path, recursive).await)
    }
}

/// Writing.
impl Files {
    /// Writes a whole file, replacing what it had.
    pub async fn write(&self, path: impl Into<SandboxPath>, data: impl Into<Bytes>) -> Result<()> {
        self.write_with(path, data, WriteOptions::default()).await
    }

    /// The same, with options.
    pub async fn write_with(
        &self,
        path: impl Into<SandboxPath>,
        data: impl Into<Bytes>,
        options: WriteOptions,
    ) -> Result<()> {
        self.may("files.write", &options)?;
        self.told("files.write", self.raw().write(&path.into(), data.into(), options).await)
    }

    /// Adds to the end of a file, and makes it when there is none.
    pub async fn append(&self, path: impl Into<SandboxPath>, data: impl Into<Bytes>) -> Result<()> {
        let appended = self.raw().append(&path.into(), data.into(), WriteOptions::default()).await;
        self.told("files.append", appended)
    }

    /// Writes a file from a stream of any length, and returns its bytes.
    pub async fn write_stream(
        &self,
        path: impl Into<SandboxPath>,
        source: impl AsyncRead + Send + Unpin,
    ) -> Result<u64> {
        self.write_stream_with(path, source, WriteOptions::default()).await
    }

    /// The same, with options. With a [`length`](WriteOptions::length), a stream that ends early is `io`.
    pub async fn write_stream_with(
        &self,
        path: impl Into<SandboxPath>,
        mut source: impl AsyncRead + Send + Unpin,
        options: WriteOptions,
    ) -> Result<u64> {
        self.may("files.write_stream", &options)?;
        self.told("files.write_stream", self.raw().write_stream(&path.into(), &mut source, options).await)
    }

    /// Makes a directory and its parents. One that exists is fine.
    pub async fn mkdir(&self, path: impl Into<SandboxPath>) -> Result<()> {
        self.mkdir_with(path, WriteOptions::default()).await
    }

    /// The same, with options.
    pub async fn mkdir_with(&self, path: impl Into<SandboxPath>, options: WriteOptions) -> Result<()> {
        self.may("files.mkdir", &options)?;
        self.told("files.mkdir", self.raw().mkdir(&path.into(), options).await)
    }

    /// Makes a symbolic link at `path` whose text is `target`.
    pub async fn symlink(&self, target: impl Into<SandboxPath>, path: impl Into<SandboxPath>) -> Result<()> {
        self.require("files.symlink", Capability::FilesSymlinks)?;
        self.told("files.symlink", self.raw().symlink(&target.into(), &path.into()).await)
    }

    /// What options ask for must be there.
    fn may(&self, operation: &str, options: &WriteOptions) -> Result<()> {
        let wanted = [
            options.mode.map(|_| Capability::FilesPermissions),
            options.owner.as_ref().map(|_| Capability::FilesOwnership),
        ];
        wanted.into_iter().flatten().try_for_each(|capability| self.require(operation, capability))
    }
}

/// Changing what is there.
impl Files {
    /// Renames, replacing a file at the target.
    pub async fn rename(&self, from: impl Into<SandboxPath>, to: impl Into<SandboxPath>) -> Result<()> {
        self.told("files.rename", self.raw().rename(&from.into(), &to.into()).await)
    }

    /// Copies a file, or a directory with everything in it, keeping modes, times and links.
    pub async fn copy(&self, from: impl Into<SandboxPath>, to: impl Into<SandboxPath>) -> Result<()> {
        self.told("files.copy", self.raw().copy(&from.into(), &to.into()).await)
    }

    /// Sets the permission bits, such as `0o755`.
    pub async fn chmod(&self, path: impl Into<SandboxPath>, mode: u32) -> Result<()> {
        self.require("files.chmod", Capability::FilesPermissions)?;
        self.told("files.chmod", self.raw().chmod(&path.into(), mode).await)
    }

    /// Sets the owner: a name, `uid`, `uid:gid` or `name:group`.
    pub async fn chown(&self, path: impl Into<SandboxPath>, owner: impl AsRef<str>) -> Result<()> {
        self.require("files.chown", Capability::FilesOwnership)?;
        self.told("files.chown", self.raw().chown(&path.into(), owner.as_ref()).await)
    }

    /// Removes a file, a link or an empty directory. What is not there is fine.
    pub async fn remove(&self, path: impl Into<SandboxPath>) -> Result<()> {
        self.told("files.remove", self.raw().remove(&path.into(), false).await)
    }

    /// Removes a file, or a directory with everything in it, never through a link. What is not there is fine.
    pub async fn remove_all(&self, path: impl Into<SandboxPath>) -> Result<()> {
        self.told("files.remove", self.raw().remove(&path.into(), true).await)
    }
}

/// Copying from and to this machine.
impl Files {
    /// Copies a file or a directory of this machine into the sandbox.
    pub async fn upload(&self, local: impl AsRef<Path>, remote: impl Into<SandboxPath>) -> Result<TransferReport> {
        self.upload_with(local, remote, UploadOptions::default()).await
    }

    /// The same, with options.
    pub async fn upload_with(
        &self,
        local: impl AsRef<Path>,
        remote: impl Into<SandboxPath>,
        options: UploadOptions,
    ) -> Result<TransferReport> {
        self.require("files.upload", Capability::FilesUpload)?;
        self.told("files.upload", self.raw().upload(local.as_ref(), &remote.into(), options).await)
    }

    /// Copies a file or a directory of the sandbox to this machine. Nothing is ever written outside of `local`, which is
    /// not followed when it is a link; the directories on the way to it are made.
    pub async fn download(&self, remote: impl Into<SandboxPath>, local: impl AsRef<Path>) -> Result<TransferReport> {
        self.download_with(remote, local, DownloadOptions::default()).await
    }

    /// The same, with options.
    pub async fn download_with(
        &self,
        remote: impl Into<SandboxPath>,
        local: impl AsRef<Path>,
        options: DownloadOptions,
    ) -> Result<TransferReport> {
        self.require("files.download", Capability::FilesDownload)?;
        self.told("files.download", self.raw().download(&remote.into(), local.as_ref(), options).await)
    }
}

impl Files {
    pub(crate) fn new(sandbox: Sandbox) -> Self {
        Self { sandbox }
    }

    fn raw(&self) -> &dyn isobox_contract::Files {
        self.sandbox.raw().files()
    }

    fn require(&self, operation: &str, capability: Capability) -> Result<()> {
        self.sandbox.require(operation, capability)
    }

    fn told<T>(&self, operation: &str, result: Result<T>) -> Result<T> {
        self.sandbox.told(operation, result)
    }
}
