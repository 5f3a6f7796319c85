//! One place to run commands in.

use super::process::{AttachOptions, Process, ProcessInfo};
use super::{
    CreateOptions, Endpoint, Error, ExecOptions, ExecResult, Files, Git, ListOptions, ListeningPort, PostMortem,
    Report, Result, SandboxInfo, Search, Services, Session, SessionOptions, Snapshot, SpawnOptions, State,
};
use crate::cross::{Cross, record};
use crate::held::Held;
use crate::{Lifetime, Path, Program, Size, runtime};
use isobox::{Command, Ended, ExecId};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

/// The image that a sandbox was made from.
#[derive(Clone, Debug)]
pub struct SandboxImage {
    /// The reference that was asked for.
    pub reference: String,
    /// Its id.
    pub id: String,
    /// Its digest.
    pub digest: Option<String>,
    /// Its entrypoint.
    pub entrypoint: Vec<String>,
    /// Its command.
    pub command: Vec<String>,
}

record!(SandboxImage from isobox::SandboxImage { reference, id, digest, entrypoint, command });

/// What a sandbox is doing, as its backend says.
#[derive(Clone, Debug)]
pub struct Status {
    /// What it is doing.
    pub state: State,
    /// The backend's own word for that.
    pub provider_state: String,
    /// Its name.
    pub name: Option<String>,
    /// Why it is in error.
    pub error: Option<Report>,
    /// How it died.
    pub post_mortem: Option<PostMortem>,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
}

impl Cross<Status> for isobox::Status {
    fn cross(self) -> Status {
        Status {
            state: self.state.cross(),
            provider_state: self.provider_state,
            name: self.name,
            error: self.error.cross(),
            post_mortem: self.post_mortem.map(Cross::cross),
            labels: self.labels,
        }
    }
}

/// What a sandbox uses at one moment. What cannot be measured is left out, never zero.
#[derive(Clone, Debug)]
pub struct Metrics {
    /// When.
    pub at: SystemTime,
    /// Processor time since its start.
    pub cpu_time: Option<Duration>,
    /// The limit of processors.
    pub cpu_limit: Option<f64>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// The most bytes of memory since its start.
    pub peak_memory: Option<u64>,
    /// The limit of memory.
    pub memory_limit: Option<u64>,
    /// Bytes of disk that it wrote and keeps.
    pub disk: Option<u64>,
    /// The limit of disk.
    pub disk_limit: Option<u64>,
    /// Processes and threads.
    pub pids: Option<u64>,
    /// The limit of processes and threads.
    pub pids_limit: Option<u64>,
    /// Bytes received from the network.
    pub network_received: Option<u64>,
    /// Bytes sent to the network.
    pub network_sent: Option<u64>,
}

record!(Metrics from isobox::Metrics {
    at, cpu_time, cpu_limit, memory, peak_memory, memory_limit, disk, disk_limit, pids, pids_limit, network_received,
    network_sent,
});

/// What a snapshot has in it.
#[derive(Clone, Debug, Default)]
pub struct SnapshotOptions {
    /// A name, unique for the provider.
    pub name: Option<String>,
    /// Labels.
    pub labels: BTreeMap<String, String>,
    /// With memory and processes; files alone by default.
    pub include_memory: bool,
}

/// How copies of a sandbox are made.
#[derive(Clone, Debug, Default)]
pub struct ForkOptions {
    /// How many; one by default.
    pub count: Option<u32>,
    /// A name for a single copy.
    pub name: Option<String>,
    /// Labels instead of those it has.
    pub labels: Option<BTreeMap<String, String>>,
    /// With memory and processes; files alone by default.
    pub include_memory: bool,
}

/// New limits of a sandbox. What is left out stays as it is.
#[derive(Clone, Debug, Default)]
pub struct ResizeOptions {
    /// Processors; fractions are fine.
    pub cpus: Option<f64>,
    /// Memory.
    pub memory: Option<Size>,
    /// Disk.
    pub disk: Option<Size>,
    /// Processes and threads.
    pub pids: Option<u64>,
}

/// One place to run commands in. It ends with the last handle of it, and with this process, unless it was detached.
#[derive(Clone)]
pub struct Sandbox {
    sandbox: Held<isobox::Sandbox>,
}

impl Sandbox {
    pub(super) fn hold(sandbox: isobox::Sandbox) -> Result<Self> {
        Ok(Self { sandbox: runtime::hold(sandbox)? })
    }

    /// Makes a sandbox, in the library that is used where none is named.
    pub async fn create(options: CreateOptions) -> Result<Sandbox> {
        runtime::shared().await?.create(options).await
    }

    /// The sandbox with the name that is given, or a new one. Any number of callers at once get the same one.
    pub async fn get_or_create(options: CreateOptions) -> Result<Sandbox> {
        runtime::shared().await?.get_or_create(options).await
    }

    /// A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle.
    pub async fn connect(id_or_name: String) -> Result<Sandbox> {
        runtime::shared().await?.connect(id_or_name).await
    }

    /// The sandboxes there are, the oldest first.
    pub async fn list(options: ListOptions) -> Result<Vec<SandboxInfo>> {
        runtime::shared().await?.list(options).await
    }

    /// Its id, unique for ever.
    pub fn id(&self) -> String {
        self.sandbox.id().to_string()
    }

    /// The provider that made it.
    pub fn provider(&self) -> String {
        self.sandbox.provider().to_string()
    }

    /// Its working directory, absolute.
    pub fn workdir(&self) -> Path {
        self.sandbox.workdir().clone().cross()
    }

    /// What it can do, by dotted names.
    pub fn capabilities(&self) -> Vec<String> {
        self.sandbox.capabilities().iter().map(|capability| capability.to_string()).collect()
    }

    /// The image that it was made from.
    pub fn image(&self) -> Option<SandboxImage> {
        self.sandbox.image().cloned().cross()
    }

    /// The directory of the books that it is written down in, by which another process finds it.
    pub fn home(&self) -> crate::LocalPath {
        crate::LocalPath(self.sandbox.isobox().home().to_owned())
    }

    /// Its files.
    pub fn files(&self) -> Files {
        Files::new(self.sandbox.files())
    }

    /// Git in it.
    pub fn git(&self) -> Git {
        Git::new(self.sandbox.git())
    }

    /// Searching its files.
    pub fn search(&self) -> Search {
        Search::new(self.sandbox.search())
    }

    /// What runs in its background, by name.
    pub fn services(&self) -> Services {
        Services::new(self.sandbox.services())
    }

    fn command(&self, program: Program) -> Result<Command> {
        let sandbox = self.sandbox.get()?;
        Ok(match program {
            Program::Argv(argv) => sandbox.command(argv.into_iter().map(|argument| argument.0)),
            Program::Shell(script) => sandbox.shell(script.0),
        })
    }

    /// Runs a command to its end. A command that fails, is killed or runs into its timeout is a result, not an error, unless `check` says
    /// otherwise. Cancelling the call ends the whole process tree.
    pub async fn exec(&self, command: Program, options: ExecOptions) -> Result<ExecResult> {
        let (check, label) = (options.check, options.label.clone());
        let result = options.apply(self.command(command)?).run().await?;
        if !check {
            return Ok(result.cross());
        }
        let told = |error: isobox::Error| {
            error.with_provider(self.sandbox.provider()).with_sandbox(self.sandbox.id()).with_operation("exec.run")
        };
        Ok(result.check(label.as_deref()).map_err(told)?.cross())
    }

    /// Starts a command and returns as soon as it runs. It ends with its handle, unless it is detached.
    pub async fn spawn(&self, command: Program, options: SpawnOptions) -> Result<Process> {
        Ok(Process::new(options.apply(self.command(command)?).spawn().await?))
    }

    /// Every command that runs, and those that ended recently.
    pub async fn processes(&self) -> Result<Vec<ProcessInfo>> {
        Ok(self.sandbox.get()?.processes().await?.cross())
    }

    /// A command that was started elsewhere, by its id. It does not end with this handle.
    pub async fn process(&self, id: String, options: AttachOptions) -> Result<Process> {
        let problem = |error| Error::from(isobox::Error::invalid_spec("id", format!("is no command's: {error}")));
        let id: ExecId = id.parse().map_err(problem)?;
        Ok(Process::new(self.sandbox.get()?.process_from(&id, options.replay()).await?))
    }

    /// Opens a shell that keeps its state between commands.
    pub async fn session(&self, options: SessionOptions) -> Result<Session> {
        Ok(Session::new(options.apply(self.sandbox.get()?.session()).open().await?))
    }

    /// What it is doing, as its backend says.
    pub async fn status(&self) -> Result<Status> {
        Ok(self.sandbox.get()?.describe().await?.cross())
    }

    /// What it uses now.
    pub async fn metrics(&self) -> Result<Metrics> {
        Ok(self.sandbox.get()?.metrics().await?.cross())
    }

    /// Waits for its end: how it died, or none when it was stopped or deleted.
    pub async fn ended(&self) -> Result<Option<PostMortem>> {
        Ok(match self.sandbox.get()?.ended().await? {
            Ended::Died(post_mortem) => Some(post_mortem.cross()),
            _ => None,
        })
    }

    /// Starts it, when it is stopped. One that runs is fine.
    pub async fn start(&self) -> Result<()> {
        Ok(self.sandbox.get()?.start().await?)
    }

    /// Ends everything that runs in it, and keeps its files. One that is stopped is fine.
    pub async fn stop(&self, grace: Option<Duration>) -> Result<()> {
        Ok(self.sandbox.get()?.stop(grace).await?)
    }

    /// Freezes it. One that is frozen is fine.
    pub async fn pause(&self) -> Result<()> {
        Ok(self.sandbox.get()?.pause().await?)
    }

    /// Thaws it. One that runs is fine.
    pub async fn resume(&self) -> Result<()> {
        Ok(self.sandbox.get()?.resume().await?)
    }

    /// Changes its limits.
    pub async fn resize(&self, options: ResizeOptions) -> Result<()> {
        let resources = isobox::Resources {
            cpus: options.cpus,
            memory: options.memory.map(|size| size.bytes("memory")).transpose()?,
            disk: options.disk.map(|size| size.bytes("disk")).transpose()?,
            pids: options.pids,
            gpus: None,
        };
        Ok(self.sandbox.get()?.resize(resources).await?)
    }

    /// Removes it with everything in it. One that is gone is fine.
    pub async fn delete(&self) -> Result<()> {
        Ok(self.sandbox.get()?.delete().await?)
    }

    /// Lets it live on without this process. Without a time to live it gets one of a day.
    pub async fn detach(&self) -> Result<()> {
        Ok(self.sandbox.get()?.detach().await?)
    }

    /// Makes it this process's: it ends with it.
    pub async fn adopt(&self) -> Result<()> {
        Ok(self.sandbox.get()?.adopt().await?)
    }

    /// Counts as use, so that its idle timeout begins anew.
    pub async fn touch(&self) -> Result<()> {
        Ok(self.sandbox.get()?.touch().await?)
    }

    /// Sets how long it exists, from when it was made.
    pub async fn set_ttl(&self, ttl: Lifetime) -> Result<()> {
        let ttl: isobox::Lifetime = ttl.cross();
        Ok(self.sandbox.get()?.set_ttl(ttl).await?)
    }

    /// Takes a snapshot of its files, from which sandboxes can be made.
    pub async fn snapshot(&self, options: SnapshotOptions) -> Result<Snapshot> {
        let sandbox = self.sandbox.get()?;
        let SnapshotOptions { name, labels, include_memory } = options;
        let taken = sandbox.snapshot(isobox::SnapshotOptions { name, labels, include_memory }).await?;
        let id = taken.id.map_or_else(|| taken.external.to_string(), |id| id.to_string());
        let snapshots = sandbox.isobox().snapshots().provider(sandbox.provider().as_str());
        Ok(snapshots.get(id).await?.cross())
    }

    /// Copies of it, each with the files that it has now.
    pub async fn fork(&self, options: ForkOptions) -> Result<Vec<Sandbox>> {
        let ForkOptions { count, name, labels, include_memory } = options;
        let options = isobox::ForkOptions { name, include_memory, labels };
        let made = self.sandbox.get()?.fork_with(count.unwrap_or(1) as usize, options).await?;
        made.into_iter().map(Sandbox::hold).collect()
    }

    /// Opens a port of this machine, on the loopback address, that leads to a port of the sandbox. The same port again gives the same one.
    pub async fn forward(&self, port: u16) -> Result<Endpoint> {
        Ok(self.sandbox.get()?.forward(port).await?.cross())
    }

    /// Closes what was opened for a port. Again is fine.
    pub async fn release(&self, port: u16) -> Result<()> {
        Ok(self.sandbox.get()?.release(port).await?)
    }

    /// Waits until something listens on a port.
    pub async fn wait_for_port(&self, port: u16, timeout: Duration) -> Result<()> {
        Ok(self.sandbox.get()?.wait_for_port(port, timeout).await?)
    }

    /// What listens in it now.
    pub async fn listening_ports(&self) -> Result<Vec<ListeningPort>> {
        Ok(self.sandbox.get()?.listening_ports().await?.cross())
    }
}
