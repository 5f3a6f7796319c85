//! Background services.

use crate::process::Process;
use crate::sandbox::Sandbox;
use bytes::Bytes;
use isobox_contract::services::ServiceStatus;
use isobox_contract::{Capability, ExecId, ExecRequest, Result, SandboxPath, Services as _};
use isobox_derived::DerivedServices;
use isobox_derived::services::{Found, Ready, wait_ready};
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::time::Duration;

/// How long a service may take to be ready unless the caller says otherwise.
pub const DEFAULT_READY_TIMEOUT: Duration = Duration::from_secs(60);
/// Between TERM and KILL when a service is stopped, unless the caller says otherwise.
pub const DEFAULT_STOP_GRACE: Duration = Duration::from_secs(2);

/// The services of a sandbox. Cheap to clone.
///
/// A service is a command with a name that runs until it is stopped or the sandbox ends, whoever started it. It is found
/// again by its name, from any process.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> isobox::Result<()> {
/// # let home = tempfile::tempdir().unwrap();
/// # let isobox = isobox::Isobox::builder().home(home.path()).open().await?;
/// # let sandbox = isobox.sandbox().create().await?;
/// let services = sandbox.services();
/// services.shell("ticker", "echo up; while sleep 1; do echo tick; done").ready_when_it_says("up").await?;
///
/// let ticker = services.get("ticker").await?;
/// assert!(ticker.status().await?.running);
/// assert!(ticker.logs(1000).await?.starts_with(b"up\n"));
/// ticker.stop().await?;
/// assert!(!ticker.status().await?.running);
/// # sandbox.delete().await
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Services {
    sandbox: Sandbox,
}

impl Services {
    pub(crate) fn new(sandbox: Sandbox) -> Self {
        Self { sandbox }
    }

    /// A program and its arguments as a service. Await it, or say more first.
    ///
    /// A name is 1 to 64 ASCII letters, digits, dots, hyphens and underscores; one that runs already is `already_exists`.
    pub fn exec<T: Into<Vec<u8>>>(&self, name: impl Into<String>, argv: impl IntoIterator<Item = T>) -> ServiceBuilder {
        self.request(name, ExecRequest::argv(argv))
    }

    /// A script for `sh -c` as a service. Await it, or say more first.
    pub fn shell(&self, name: impl Into<String>, script: impl Into<Vec<u8>>) -> ServiceBuilder {
        self.request(name, ExecRequest::shell(script))
    }

    /// A whole request as a service. It must have no timeout and no input stream.
    pub fn request(&self, name: impl Into<String>, request: ExecRequest) -> ServiceBuilder {
        let ready_timeout = DEFAULT_READY_TIMEOUT;
        ServiceBuilder { sandbox: self.sandbox.clone(), name: name.into(), request, ready: Vec::new(), ready_timeout }
    }

    /// The service with this name: the one that runs, or else the last that did, as long as it is remembered. `not_found`
    /// when there is none.
    pub async fn get(&self, name: &str) -> Result<Service> {
        const CALL: &str = "services.get";
        self.require(CALL)?;
        let found = self.sandbox.told(CALL, self.derived().find(name).await)?;
        Ok(self.service(&found))
    }

    /// Every service that runs, and those that ended lately, oldest first.
    pub async fn list(&self) -> Result<Vec<Service>> {
        const CALL: &str = "services.list";
        self.require(CALL)?;
        let all = self.sandbox.told(CALL, self.derived().list().await)?;
        Ok(all.iter().map(|found| self.service(found)).collect())
    }

    fn service(&self, found: &Found) -> Service {
        Service { sandbox: self.sandbox.clone(), name: found.name.clone(), id: found.id }
    }

    fn derived(&self) -> DerivedServices {
        DerivedServices::new(self.sandbox.shared())
    }

    fn require(&self, call: &str) -> Result<()> {
        self.sandbox.require(call, Capability::ServicesSupported)
    }
}

/// A service that has not been started yet.
#[derive(Clone, Debug)]
#[must_use = "nothing runs before this is awaited"]
pub struct ServiceBuilder {
    sandbox: Sandbox,
    name: String,
    request: ExecRequest,
    ready: Vec<Ready>,
    ready_timeout: Duration,
}

impl ServiceBuilder {
    /// Sets a variable.
    pub fn env(mut self, name: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        self.request = self.request.env(name, value);
        self
    }

    /// Sets where it runs; relative to the sandbox's working directory, which is also the default.
    pub fn cwd(mut self, directory: impl Into<SandboxPath>) -> Self {
        self.request = self.request.cwd(directory);
        self
    }

    /// Sets as whom it runs: a name, `uid`, `uid:gid` or `name:group`.
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.request = self.request.user(user);
        self
    }

    /// Waits until something listens on a TCP port.
    pub fn ready_on_port(mut self, port: u16) -> Self {
        self.ready.push(Ready::Port(port));
        self
    }

    /// Waits until these bytes are in its output.
    pub fn ready_when_it_says(mut self, output: impl Into<Vec<u8>>) -> Self {
        self.ready.push(Ready::Output(output.into()));
        self
    }

    /// Waits until a script for `sh -c` exits with 0; it is tried again and again.
    pub fn ready_when(mut self, script: impl Into<Vec<u8>>) -> Self {
        self.ready.push(Ready::Command(Box::new(ExecRequest::shell(script))));
        self
    }

    /// Sets how long it may take to be ready; [`DEFAULT_READY_TIMEOUT`] otherwise.
    pub fn ready_timeout(mut self, timeout: Duration) -> Self {
        self.ready_timeout = timeout;
        self
    }

    /// Starts it, and waits until it is ready; the same as awaiting it. One that is not ready in time is stopped again.
    /// When the future is dropped while it waits, the service stays.
    pub async fn start(self) -> Result<Service> {
        const CALL: &str = "services.start";
        let Self { sandbox, name, request, ready, ready_timeout } = self;
        sandbox.require(CALL, Capability::ServicesSupported)?;
        let told = |result| sandbox.told(CALL, result);
        told(isobox_derived::services::check_name(&name))?;
        let checked = request.validate().and_then(|()| request.validate_against(sandbox.capabilities()));
        told(checked)?;
        sandbox.stays(CALL).await?;
        let id = match sandbox.raw().services() {
            Some(native) => native.spawn(isobox_derived::services::request(request, Some(&name))?).await,
            None => DerivedServices::new(sandbox.shared()).start(&name, request).await,
        };
        let id = sandbox.told(CALL, id)?;
        let service = Service { sandbox, name, id };
        let deadline = tokio::time::Instant::now() + ready_timeout;
        for ready in ready {
            let left = deadline.saturating_duration_since(tokio::time::Instant::now());
            if let Err(error) = service.wait_ready(&ready, left).await {
                service.stop_within(Duration::ZERO).await?;
                return Err(error);
            }
        }
        Ok(service)
    }
}

impl IntoFuture for ServiceBuilder {
    type Output = Result<Service>;
    type IntoFuture = Pin<Box<dyn Future<Output = Result<Service>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.start())
    }
}

/// A service. Dropping the handle leaves it alone.
#[derive(Clone, Debug)]
pub struct Service {
    sandbox: Sandbox,
    name: String,
    id: ExecId,
}

impl Service {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its id, which is that of its command.
    pub fn id(&self) -> &ExecId {
        &self.id
    }

    /// Whether it runs, or how it ended. `not_found` when it ended too long ago.
    pub async fn status(&self) -> Result<ServiceStatus> {
        let status = match self.sandbox.raw().services() {
            Some(native) => native.status(&self.id).await,
            None => self.derived().status(&self.id).await,
        };
        self.sandbox.told("services.status", status)
    }

    /// The last bytes of its output, both streams in one. 1 MiB is kept.
    pub async fn logs(&self, last: u64) -> Result<Bytes> {
        let logs = match self.sandbox.raw().services() {
            Some(native) => native.logs(&self.id, last).await,
            None => self.derived().logs(&self.id, last).await,
        };
        self.sandbox.told("services.logs", logs)
    }

    /// Its command, to follow its output: what is kept of it, then what comes.
    pub async fn process(&self) -> Result<Process> {
        self.sandbox.process(&self.id).await
    }

    /// Waits until it is ready, for so long. `command_failed`, with its output, when it has ended.
    pub async fn wait_ready(&self, ready: &Ready, timeout: Duration) -> Result<()> {
        self.sandbox.told("services.wait_ready", wait_ready(self.sandbox.raw(), &self.id, ready, timeout).await)
    }

    /// Ends its whole tree: TERM, two seconds, KILL. One that has ended is fine.
    pub async fn stop(&self) -> Result<()> {
        self.stop_within(DEFAULT_STOP_GRACE).await
    }

    /// The same with another grace.
    pub async fn stop_within(&self, grace: Duration) -> Result<()> {
        let stopped = match self.sandbox.raw().services() {
            Some(native) => native.stop(&self.id, grace).await,
            None => self.derived().stop(&self.id, grace).await,
        };
        self.sandbox.told("services.stop", stopped)
    }

    fn derived(&self) -> DerivedServices {
        DerivedServices::new(self.sandbox.shared())
    }
}
