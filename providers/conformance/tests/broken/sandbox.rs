//! A sandbox with one thing broken.

use super::Fault;
use super::process::BrokenExec;
use async_trait::async_trait;
use bytes::Bytes;
use isobox::contract::{
    Context, Error, ErrorCode, Exec, Files, Ports, Result, Sandbox, SandboxId, SandboxPath, SandboxRecord, Status,
};
use isobox::{
    Capabilities, Capability, DownloadOptions, Ended, Entry, EventSink, ExternalId, FileReader, Lifetimes, Metadata,
    Metrics, Platform, Range, TransferReport, UploadOptions, Watch, WriteOptions,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::AsyncRead;

pub struct BrokenSandbox {
    inner: Arc<dyn Sandbox>,
    exec: BrokenExec,
    files: BrokenFiles,
    capabilities: Capabilities,
    deleted: AtomicBool,
    paused: AtomicBool,
    fault: Fault,
}

impl BrokenSandbox {
    pub fn new(inner: Arc<dyn Sandbox>, fault: Fault) -> Self {
        let mut capabilities = inner.capabilities().clone();
        if fault == Fault::ClaimsPause {
            capabilities.set(Capability::LifecyclePause, true);
        }
        let exec = BrokenExec { inner: inner.clone(), fault };
        let files = BrokenFiles { inner: inner.clone(), fault };
        let (deleted, paused) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { inner, exec, files, capabilities, deleted, paused, fault }
    }
}

#[async_trait]
impl Sandbox for BrokenSandbox {
    fn id(&self) -> &SandboxId {
        self.inner.id()
    }
    fn external_id(&self) -> &ExternalId {
        self.inner.external_id()
    }
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
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
    fn runtime_dir(&self) -> Option<&SandboxPath> {
        self.inner.runtime_dir()
    }
    async fn platform(&self) -> Result<Platform> {
        self.inner.platform().await
    }
    async fn start(&self, context: &Context) -> Result<()> {
        self.inner.start(context).await
    }
    async fn stop(&self, grace: Option<Duration>, context: &Context) -> Result<()> {
        self.inner.stop(grace, context).await
    }
    async fn delete(&self, context: &Context) -> Result<()> {
        if self.fault == Fault::DeletesOnce && self.deleted.swap(true, Ordering::Relaxed) {
            return Err(Error::new(ErrorCode::Internal, "it was deleted before"));
        }
        self.inner.delete(context).await
    }
    async fn pause(&self, context: &Context) -> Result<()> {
        match self.fault {
            Fault::ClaimsPause => {
                self.paused.store(true, Ordering::Relaxed);
                Ok(())
            }
            Fault::NamesAnother => Err(Error::unsupported(Capability::LifecycleArchive)),
            _ => self.inner.pause(context).await,
        }
    }
    async fn resume(&self, context: &Context) -> Result<()> {
        match self.fault {
            Fault::ClaimsPause => {
                self.paused.store(false, Ordering::Relaxed);
                Ok(())
            }
            _ => self.inner.resume(context).await,
        }
    }
    async fn refresh_activity(&self) -> Result<()> {
        self.inner.refresh_activity().await
    }
    async fn set_lifetimes(&self, lifetimes: &Lifetimes) -> Result<()> {
        match self.fault {
            Fault::IgnoresLifetimes => Ok(()),
            _ => self.inner.set_lifetimes(lifetimes).await,
        }
    }
    async fn detach(&self) -> Result<()> {
        self.inner.detach().await
    }
    async fn adopt(&self) -> Result<()> {
        self.inner.adopt().await
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
}

struct BrokenFiles {
    inner: Arc<dyn Sandbox>,
    fault: Fault,
}

impl BrokenFiles {
    fn files(&self) -> &dyn Files {
        self.inner.files()
    }

    fn told<T>(&self, result: Result<T>) -> Result<T> {
        match self.fault {
            Fault::BlamesItself => result.map_err(|error| error.infrastructure(true)),
            _ => result,
        }
    }
}

#[async_trait]
impl Files for BrokenFiles {
    async fn read(&self, path: &SandboxPath, range: Range, limit: u64) -> Result<Bytes> {
        self.told(self.files().read(path, range, limit).await)
    }
    async fn read_stream(&self, path: &SandboxPath, range: Range) -> Result<FileReader> {
        self.files().read_stream(path, range).await
    }
    async fn write(&self, path: &SandboxPath, data: Bytes, mut options: WriteOptions) -> Result<()> {
        if self.fault == Fault::LooseModes {
            options.mode.get_or_insert(0o666);
        }
        self.files().write(path, data, options).await
    }
    async fn write_stream(
        &self,
        path: &SandboxPath,
        source: &mut (dyn AsyncRead + Send + Unpin),
        options: WriteOptions,
    ) -> Result<u64> {
        self.files().write_stream(path, source, options).await
    }
    async fn append(&self, path: &SandboxPath, data: Bytes, options: WriteOptions) -> Result<()> {
        self.files().append(path, data, options).await
    }
    async fn stat(&self, path: &SandboxPath, follow: bool) -> Result<Metadata> {
        self.files().stat(path, follow).await
    }
    async fn exists(&self, path: &SandboxPath) -> Result<bool> {
        self.files().exists(path).await
    }
    async fn list(&self, path: &SandboxPath, depth: u32) -> Result<Vec<Entry>> {
        self.files().list(path, depth).await
    }
    async fn mkdir(&self, path: &SandboxPath, options: WriteOptions) -> Result<()> {
        self.files().mkdir(path, options).await
    }
    async fn rename(&self, from: &SandboxPath, to: &SandboxPath) -> Result<()> {
        self.files().rename(from, to).await
    }
    async fn copy(&self, from: &SandboxPath, to: &SandboxPath) -> Result<()> {
        self.files().copy(from, to).await
    }
    async fn symlink(&self, target: &SandboxPath, path: &SandboxPath) -> Result<()> {
        self.files().symlink(target, path).await
    }
    async fn read_link(&self, path: &SandboxPath) -> Result<SandboxPath> {
        self.files().read_link(path).await
    }
    async fn chmod(&self, path: &SandboxPath, mode: u32) -> Result<()> {
        self.files().chmod(path, mode).await
    }
    async fn chown(&self, path: &SandboxPath, owner: &str) -> Result<()> {
        self.files().chown(path, owner).await
    }
    async fn remove(&self, path: &SandboxPath, recursive: bool) -> Result<()> {
        self.files().remove(path, recursive).await
    }
    async fn watch(&self, path: &SandboxPath, recursive: bool) -> Result<Box<dyn Watch>> {
        self.files().watch(path, recursive).await
    }
    async fn upload(&self, local: &Path, remote: &SandboxPath, options: UploadOptions) -> Result<TransferReport> {
        self.files().upload(local, remote, options).await
    }
    async fn download(&self, remote: &SandboxPath, local: &Path, options: DownloadOptions) -> Result<TransferReport> {
        self.files().download(remote, local, options).await
    }
}
