//! A sandbox whose commands and files are written down, and that is itself in all else.

use super::format::{Answer, Asked, Line, Question, TreeEntry};
use super::process::RecordedExec;
use super::writer::Writer;
use crate::transfer;
use async_trait::async_trait;
use bytes::Bytes;
use isobox_contract::{
    Access, Capabilities, Capability, Context, DownloadOptions, Ended, Entry, Error, EventSink, Exec, ExternalId,
    FileReader, Files, ForkOptions, Git, Labels, Lifetimes, Logs, Metadata, Metrics, NetworkPolicy, OneShots, Platform,
    Ports, Range, Resources, Result, Sandbox, SandboxId, SandboxImage, SandboxPath, SandboxRecord, Search, Services,
    Sessions, SnapshotId, SnapshotOptions, SnapshotStatus, Status, TransferReport, UploadOptions, Watch, WriteOptions,
};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The most bytes of a file that a tape keeps.
const MOST: u64 = 64 << 20;

pub(super) struct Recorded {
    inner: Arc<dyn Sandbox>,
    exec: RecordedExec,
    files: RecordedFiles,
}

impl Recorded {
    pub(super) fn new(inner: Arc<dyn Sandbox>, writer: Arc<Writer>, sandbox: u64) -> Self {
        let exec = RecordedExec { inner: inner.clone(), writer: writer.clone(), sandbox };
        let files = RecordedFiles { inner: inner.clone(), writer, sandbox };
        Self { inner, exec, files }
    }

    fn beside(&self, inner: Arc<dyn Sandbox>) -> Arc<dyn Sandbox> {
        let (writer, sandbox) = (self.files.writer.clone(), self.files.writer.next_sandbox());
        writer.write(&Line::Sandbox { sandbox, name: None, workdir: inner.workdir().clone() });
        Arc::new(Self::new(inner, writer, sandbox))
    }
}

#[async_trait]
impl Sandbox for Recorded {
    fn id(&self) -> &SandboxId {
        self.inner.id()
    }
    fn external_id(&self) -> &ExternalId {
        self.inner.external_id()
    }
    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }
    fn why_not(&self, capability: Capability) -> Option<String> {
        self.inner.why_not(capability)
    }
    fn record(&self) -> SandboxRecord {
        self.inner.record()
    }
    async fn describe(&self) -> Result<Status> {
        self.inner.describe().await
    }
    fn workdir(&self) -> &SandboxPath {
        self.inner.workdir()
    }
    fn image(&self) -> Option<&SandboxImage> {
        self.inner.image()
    }
    fn runtime_dir(&self) -> Option<&SandboxPath> {
        self.inner.runtime_dir()
    }
    async fn platform(&self) -> Result<Platform> {
        self.inner.platform().await
    }
    async fn environment(&self) -> Result<BTreeMap<Vec<u8>, Vec<u8>>> {
        self.inner.environment().await
    }
    async fn start(&self, context: &Context) -> Result<()> {
        self.inner.start(context).await
    }
    async fn stop(&self, grace: Option<Duration>, context: &Context) -> Result<()> {
        self.inner.stop(grace, context).await
    }
    async fn delete(&self, context: &Context) -> Result<()> {
        self.inner.delete(context).await
    }
    async fn pause(&self, context: &Context) -> Result<()> {
        self.inner.pause(context).await
    }
    async fn resume(&self, context: &Context) -> Result<()> {
        self.inner.resume(context).await
    }
    async fn archive(&self, context: &Context) -> Result<()> {
        self.inner.archive(context).await
    }
    async fn fork(&self, id: &SandboxId, options: &ForkOptions, context: &Context) -> Result<Arc<dyn Sandbox>> {
        Ok(self.beside(self.inner.fork(id, options, context).await?))
    }
    async fn fork_many(
        &self,
        ids: &[SandboxId],
        options: &ForkOptions,
        context: &Context,
    ) -> Result<Vec<Arc<dyn Sandbox>>> {
        let made = self.inner.fork_many(ids, options, context).await?;
        Ok(made.into_iter().map(|copy| self.beside(copy)).collect())
    }
    async fn resize(&self, resources: &Resources, context: &Context) -> Result<()> {
        self.inner.resize(resources, context).await
    }
    async fn snapshot(&self, id: &SnapshotId, options: &SnapshotOptions, context: &Context) -> Result<SnapshotStatus> {
        self.inner.snapshot(id, options, context).await
    }
    async fn recover(&self, context: &Context) -> Result<()> {
        self.inner.recover(context).await
    }
    async fn refresh_activity(&self) -> Result<()> {
        self.inner.refresh_activity().await
    }
    async fn set_lifetimes(&self, lifetimes: &Lifetimes) -> Result<()> {
        self.inner.set_lifetimes(lifetimes).await
    }
    async fn set_labels(&self, labels: &Labels) -> Result<()> {
        self.inner.set_labels(labels).await
    }
    async fn update_network(&self, network: &NetworkPolicy) -> Result<()> {
        self.inner.update_network(network).await
    }
    async fn detach(&self) -> Result<()> {
        self.inner.detach().await
    }
    async fn adopt(&self) -> Result<()> {
        self.inner.adopt().await
    }
    fn relinquish(&self) -> Result<()> {
        self.inner.relinquish()
    }
    async fn keepalive(&self) -> Result<()> {
        self.inner.keepalive().await
    }
    async fn ended(&self) -> Result<Ended> {
        self.inner.ended().await
    }
    fn observe(&self, events: Arc<dyn EventSink>) {
        self.inner.observe(events);
    }
    async fn metrics(&self) -> Result<Metrics> {
        self.inner.metrics().await
    }
    fn exec(&self) -> &dyn Exec {
        &self.exec
    }
    fn files(&self) -> &dyn Files {
        &self.files
    }
    fn ports(&self) -> Option<&dyn Ports> {
        self.inner.ports()
    }
    fn access(&self) -> Option<&dyn Access> {
        self.inner.access()
    }
    fn logs(&self) -> Option<&dyn Logs> {
        self.inner.logs()
    }
    fn one_shots(&self) -> Option<&dyn OneShots> {
        self.inner.one_shots()
    }
    fn search(&self) -> Option<&dyn Search> {
        self.inner.search()
    }
    fn git(&self) -> Option<&dyn Git> {
        self.inner.git()
    }
    fn services(&self) -> Option<&dyn Services> {
        self.inner.services()
    }
    fn sessions(&self) -> Option<&dyn Sessions> {
        self.inner.sessions()
    }
}

struct RecordedFiles {
    inner: Arc<dyn Sandbox>,
    writer: Arc<Writer>,
    sandbox: u64,
}

impl RecordedFiles {
    fn files(&self) -> &dyn Files {
        self.inner.files()
    }

    /// Asks, and writes down what the answer was.
    async fn asked<T>(
        &self,
        question: Question,
        work: impl Future<Output = Result<T>> + Send,
        answer: impl FnOnce(&T) -> Answer + Send,
    ) -> Result<T> {
        let order = self.writer.next();
        let done = work.await;
        let answer = match &done {
            Ok(done) => answer(done),
            Err(error) => Answer::Failed(Writer::report(error)),
        };
        let asked = Asked { sandbox: self.sandbox, order, question, answer };
        self.writer.write(&Line::File(Box::new(asked)));
        done
    }

    async fn changed<T>(&self, question: Question, work: impl Future<Output = Result<T>> + Send) -> Result<T> {
        self.asked(question, work, |_| Answer::Done).await
    }

    fn contents(&self, bytes: &Bytes) -> Answer {
        if bytes.len() as u64 > MOST { Answer::too_large() } else { Answer::Bytes(self.writer.redact.bytes(bytes)) }
    }
}

#[async_trait]
impl Files for RecordedFiles {
    async fn read(&self, path: &SandboxPath, range: Range, limit: u64) -> Result<Bytes> {
        let question = Question::Read { path: path.clone(), offset: range.offset, length: range.length };
        self.asked(question, self.files().read(path, range, limit), |bytes| self.contents(bytes)).await
    }

    async fn read_stream(&self, path: &SandboxPath, range: Range) -> Result<FileReader> {
        let question = Question::Read { path: path.clone(), offset: range.offset, length: range.length };
        // A tape has the whole of what is read, so it is here at once.
        let read = async {
            let mut reader = self.files().read_stream(path, range).await?;
            let mut bytes = Vec::new();
            let read = reader.read_to_end(&mut bytes).await;
            read.map_err(|error| error.downcast::<Error>().unwrap_or_else(|error| Error::io(path.escaped(), error)))?;
            Ok(Bytes::from(bytes))
        };
        let bytes = self.asked(question, read, |bytes| self.contents(bytes)).await?;
        Ok(Box::new(std::io::Cursor::new(bytes)))
    }

    async fn write(&self, path: &SandboxPath, data: Bytes, options: WriteOptions) -> Result<()> {
        let question = Question::change("write", path, &data);
        self.changed(question, self.files().write(path, data, options)).await
    }

    async fn write_stream(
        &self,
        path: &SandboxPath,
        source: &mut (dyn AsyncRead + Send + Unpin),
        options: WriteOptions,
    ) -> Result<u64> {
        // What is in a stream is known when it is over, so it is not told apart by its contents.
        let question = Question::change("write_stream", path, b"");
        self.changed(question, self.files().write_stream(path, source, options)).await
    }

    async fn append(&self, path: &SandboxPath, data: Bytes, options: WriteOptions) -> Result<()> {
        let question = Question::change("append", path, &data);
        self.changed(question, self.files().append(path, data, options)).await
    }

    async fn stat(&self, path: &SandboxPath, follow: bool) -> Result<Metadata> {
        let question = Question::Stat { path: path.clone(), follow };
        self.asked(question, self.files().stat(path, follow), |found| Answer::Metadata(found.clone())).await
    }

    async fn exists(&self, path: &SandboxPath) -> Result<bool> {
        let question = Question::Exists { path: path.clone() };
        self.asked(question, self.files().exists(path), |exists| Answer::Exists(*exists)).await
    }

    async fn list(&self, path: &SandboxPath, depth: u32) -> Result<Vec<Entry>> {
        let question = Question::List { path: path.clone(), depth };
        self.asked(question, self.files().list(path, depth), |found| Answer::Entries(found.clone())).await
    }

    async fn mkdir(&self, path: &SandboxPath, options: WriteOptions) -> Result<()> {
        self.changed(Question::change("mkdir", path, b""), self.files().mkdir(path, options)).await
    }

    async fn rename(&self, from: &SandboxPath, to: &SandboxPath) -> Result<()> {
        let question = Question::change("rename", from, to.as_bytes());
        self.changed(question, self.files().rename(from, to)).await
    }

    async fn copy(&self, from: &SandboxPath, to: &SandboxPath) -> Result<()> {
        let question = Question::change("copy", from, to.as_bytes());
        self.changed(question, self.files().copy(from, to)).await
    }

    async fn symlink(&self, target: &SandboxPath, path: &SandboxPath) -> Result<()> {
        let question = Question::change("symlink", path, target.as_bytes());
        self.changed(question, self.files().symlink(target, path)).await
    }

    async fn read_link(&self, path: &SandboxPath) -> Result<SandboxPath> {
        let question = Question::ReadLink { path: path.clone() };
        self.asked(question, self.files().read_link(path), |text| Answer::Path(text.clone())).await
    }

    async fn chmod(&self, path: &SandboxPath, mode: u32) -> Result<()> {
        let question = Question::change("chmod", path, &mode.to_be_bytes());
        self.changed(question, self.files().chmod(path, mode)).await
    }

    async fn chown(&self, path: &SandboxPath, owner: &str) -> Result<()> {
        let question = Question::change("chown", path, owner.as_bytes());
        self.changed(question, self.files().chown(path, owner)).await
    }

    async fn remove(&self, path: &SandboxPath, recursive: bool) -> Result<()> {
        let question = Question::change("remove", path, &[u8::from(recursive)]);
        self.changed(question, self.files().remove(path, recursive)).await
    }

    async fn watch(&self, path: &SandboxPath, recursive: bool) -> Result<Box<dyn Watch>> {
        self.files().watch(path, recursive).await
    }

    async fn upload(&self, local: &Path, remote: &SandboxPath, options: UploadOptions) -> Result<TransferReport> {
        let question = Question::change("upload", remote, b"");
        self.changed(question, self.files().upload(local, remote, options)).await
    }

    async fn download(&self, remote: &SandboxPath, local: &Path, options: DownloadOptions) -> Result<TransferReport> {
        let question = Question::Download { path: remote.clone(), exclude: options.exclude.clone() };
        let download = async {
            let report = self.files().download(remote, local, options.clone()).await?;
            let (local, limits) = (local.to_owned(), options.limits);
            // What was there before is on the tape too, and is there again when it is played.
            let upload = UploadOptions { limits, ..UploadOptions::default() };
            let packed = tokio::task::spawn_blocking(move || transfer::packed(&local, &upload));
            Ok((report, packed.await.map_err(Error::internal)??))
        };
        let answer = |(report, packed): &(TransferReport, transfer::Packed)| {
            if report.bytes > MOST {
                return Answer::too_large();
            }
            let entries = packed.entries().iter().map(|entry| TreeEntry::of(entry, &self.writer.redact)).collect();
            Answer::Tree { entries, report: *report }
        };
        Ok(self.asked(question, download, answer).await?.0)
    }
}
