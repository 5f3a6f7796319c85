//! The files of a sandbox that is played: what is read is on the tape, what is changed is also in memory.

use super::format::{Answer, Question};
use super::player::Player;
use crate::filing::Filing;
use crate::transfer;
use async_trait::async_trait;
use bytes::Bytes;
use isobox_contract::{
    Action, DownloadOptions, Entry, Error, FileErrorKind, FileReader, Files, Metadata, Range, Result, SandboxPath,
    TransferReport, UploadOptions, Watch, WriteOptions,
};
use std::path::Path;
use std::sync::Arc;
use tokio::io::AsyncRead;

pub(crate) struct Playing {
    pub(crate) filing: Filing,
    pub(crate) player: Arc<Player>,
}

impl Playing {
    fn ask(&self, question: &Question) -> Result<Answer> {
        self.filing.0.alive(Action::Files)?;
        self.player.answer(self.filing.0.number, question)
    }

    /// A change, which only a strict player minds.
    fn change(&self, call: &str, path: &SandboxPath, given: &[u8]) -> Result<()> {
        match self.player.is_strict() {
            true => self.ask(&Question::change(call, path, given)).map(drop),
            false => self.filing.0.alive(Action::Files),
        }
    }
}

fn unfit() -> Error {
    Error::internal("a tape has an answer of another kind than the question")
}

#[async_trait]
impl Files for Playing {
    async fn read(&self, path: &SandboxPath, range: Range, limit: u64) -> Result<Bytes> {
        let question = Question::Read { path: path.clone(), offset: range.offset, length: range.length };
        match self.ask(&question)? {
            Answer::Bytes(bytes) if bytes.len() as u64 > limit => Err(Error::file(path, FileErrorKind::TooLarge)),
            Answer::Bytes(bytes) => Ok(bytes),
            _ => Err(unfit()),
        }
    }

    async fn read_stream(&self, path: &SandboxPath, range: Range) -> Result<FileReader> {
        Ok(Box::new(std::io::Cursor::new(self.read(path, range, u64::MAX).await?)))
    }

    async fn write(&self, path: &SandboxPath, data: Bytes, options: WriteOptions) -> Result<()> {
        self.change("write", path, &data)?;
        self.filing.write(path, data, options).await
    }

    async fn write_stream(
        &self,
        path: &SandboxPath,
        source: &mut (dyn AsyncRead + Send + Unpin),
        options: WriteOptions,
    ) -> Result<u64> {
        self.change("write_stream", path, b"")?;
        self.filing.write_stream(path, source, options).await
    }

    async fn append(&self, path: &SandboxPath, data: Bytes, options: WriteOptions) -> Result<()> {
        self.change("append", path, &data)?;
        self.filing.append(path, data, options).await
    }

    async fn stat(&self, path: &SandboxPath, follow: bool) -> Result<Metadata> {
        match self.ask(&Question::Stat { path: path.clone(), follow })? {
            Answer::Metadata(metadata) => Ok(metadata),
            _ => Err(unfit()),
        }
    }

    async fn exists(&self, path: &SandboxPath) -> Result<bool> {
        match self.ask(&Question::Exists { path: path.clone() })? {
            Answer::Exists(exists) => Ok(exists),
            _ => Err(unfit()),
        }
    }

    async fn list(&self, path: &SandboxPath, depth: u32) -> Result<Vec<Entry>> {
        match self.ask(&Question::List { path: path.clone(), depth })? {
            Answer::Entries(entries) => Ok(entries),
            _ => Err(unfit()),
        }
    }

    async fn mkdir(&self, path: &SandboxPath, options: WriteOptions) -> Result<()> {
        self.change("mkdir", path, b"")?;
        self.filing.mkdir(path, options).await
    }

    // What a recorded command has made is not in memory, so it cannot be moved or changed there.
    async fn rename(&self, from: &SandboxPath, to: &SandboxPath) -> Result<()> {
        self.change("rename", from, to.as_bytes())
    }

    async fn copy(&self, from: &SandboxPath, to: &SandboxPath) -> Result<()> {
        self.change("copy", from, to.as_bytes())
    }

    async fn symlink(&self, target: &SandboxPath, path: &SandboxPath) -> Result<()> {
        self.change("symlink", path, target.as_bytes())
    }

    async fn read_link(&self, path: &SandboxPath) -> Result<SandboxPath> {
        match self.ask(&Question::ReadLink { path: path.clone() })? {
            Answer::Path(text) => Ok(text),
            _ => Err(unfit()),
        }
    }

    async fn chmod(&self, path: &SandboxPath, mode: u32) -> Result<()> {
        self.change("chmod", path, &mode.to_be_bytes())
    }

    async fn chown(&self, path: &SandboxPath, owner: &str) -> Result<()> {
        self.change("chown", path, owner.as_bytes())
    }

    async fn remove(&self, path: &SandboxPath, recursive: bool) -> Result<()> {
        self.change("remove", path, &[u8::from(recursive)])?;
        self.filing.remove(path, recursive).await
    }

    async fn watch(&self, path: &SandboxPath, recursive: bool) -> Result<Box<dyn Watch>> {
        self.filing.watch(path, recursive).await
    }

    async fn upload(&self, local: &Path, remote: &SandboxPath, options: UploadOptions) -> Result<TransferReport> {
        self.change("upload", remote, b"")?;
        self.filing.upload(local, remote, options).await
    }

    async fn download(&self, remote: &SandboxPath, local: &Path, options: DownloadOptions) -> Result<TransferReport> {
        let question = Question::Download { path: remote.clone(), exclude: options.exclude.clone() };
        let Answer::Tree { entries, report } = self.ask(&question)? else { return Err(unfit()) };
        let entries: Vec<_> = entries.iter().map(super::format::TreeEntry::back).collect();
        if entries.is_empty() {
            return Err(unfit());
        }
        let local = local.to_owned();
        // What was left out then is not on the tape.
        let options = DownloadOptions { exclude: Vec::new(), ..options };
        let written = tokio::task::spawn_blocking(move || transfer::written(entries, &local, &options));
        written.await.map_err(Error::internal)??;
        Ok(report)
    }
}
