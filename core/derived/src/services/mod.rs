//! Background services: detached commands with a name.
//!
//! The agent keeps them, so they are found again from any process and end with the sandbox. What is known of one that
//! has ended, its last output included, is what the agent remembers of ended commands.

mod ready;

pub use ready::{Ready, wait_ready};

use async_trait::async_trait;
use bytes::Bytes;
use isobox_contract::exec::{ProcessInfo, ProcessState};
use isobox_contract::services::ServiceStatus;
use isobox_contract::{
    Error, ErrorCode, ExecId, ExecRequest, OutputEvent, OutputLimits, Replay, Resource, Result, Sandbox, Services,
    Stdin, Stream,
};
use std::sync::Arc;
use std::time::Duration;

/// What the label of a service begins with; its name follows.
const LABEL: &str = "service:";
/// Bytes of a name.
const NAME: usize = 64;
/// Bytes of output that the agent keeps of a service, from its end.
const KEPT: u64 = 1 << 20;

/// The services of a sandbox, made from its commands.
pub struct DerivedServices {
    sandbox: Arc<dyn Sandbox>,
}

/// A service as it is found again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its id.
    pub id: ExecId,
    /// Its name.
    pub name: String,
    /// Whether it runs.
    pub status: ServiceStatus,
}

/// Checks a name: 1 to 64 letters, digits, dots, hyphens and underscores, of ASCII.
///
/// # Errors
/// `invalid_spec` with the field `name`.
pub fn check_name(name: &str) -> Result<()> {
    let good = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if (1..=NAME).contains(&name.len()) && name.bytes().all(good) {
        return Ok(());
    }
    Err(Error::invalid_spec("name", format!("is not 1 to {NAME} letters, digits, dots, hyphens and underscores")))
}

/// A request as a service: detached, both outputs in one, and a label with the name. The id is the name of one that has none.
///
/// # Errors
/// `invalid_spec` for what a service cannot have: a timeout, an input stream.
pub fn request(mut request: ExecRequest, name: Option<&str>) -> Result<ExecRequest> {
    if request.timeout.is_some() {
        return Err(Error::invalid_spec("timeout", "is set, and a service runs until it is stopped; leave it out"));
    }
    if matches!(request.stdin, Stdin::Stream) {
        return Err(Error::invalid_spec(
            "stdin",
            "is a stream, and a service has no caller to write to it; give bytes",
        ));
    }
    let id = *request.id.get_or_insert_with(ExecId::generate);
    request.detached = true;
    request.merge_stderr = request.pty.is_none();
    if request.output == OutputLimits::default() {
        request.output = OutputLimits { head: 0, tail: KEPT, ..OutputLimits::default() };
    }
    let name = name.map(str::to_owned).or(request.label.take()).unwrap_or_else(|| id.to_string());
    check_name(&name)?;
    request.label = Some(format!("{LABEL}{name}"));
    Ok(request)
}

fn status(info: &ProcessInfo) -> ServiceStatus {
    match &info.state {
        ProcessState::Running => ServiceStatus { running: true, exit_code: None },
        ProcessState::Exited(exit) => ServiceStatus { running: false, exit_code: Some(exit.exit_code) },
    }
}

fn found(info: &ProcessInfo) -> Option<Found> {
    let name = info.label.as_deref()?.strip_prefix(LABEL)?;
    Some(Found { id: info.id, name: name.to_owned(), status: status(info) })
}

impl DerivedServices {
    /// Services of this sandbox, which must have detached commands and let them be attached to.
    pub fn new(sandbox: Arc<dyn Sandbox>) -> Self {
        Self { sandbox }
    }

    /// Every service that runs, and those that ended lately, oldest first.
    ///
    /// # Errors
    /// When the commands cannot be listed.
    pub async fn list(&self) -> Result<Vec<Found>> {
        Ok(self.sandbox.exec().processes().await?.iter().filter_map(found).collect())
    }

    /// The service with this name: the one that runs, or else the last that did.
    ///
    /// # Errors
    /// `not_found` when there is none.
    pub async fn find(&self, name: &str) -> Result<Found> {
        let named = self.list().await?.into_iter().filter(|found| found.name == name);
        let newest = named.max_by_key(|found| (found.status.running, found.id));
        newest.ok_or_else(|| Error::not_found(Resource::Service, name))
    }

    /// Starts a service under a name.
    ///
    /// # Errors
    /// `already_exists` when one with this name runs, also when somebody else starts it at the same time.
    pub async fn start(&self, name: &str, given: ExecRequest) -> Result<ExecId> {
        let running = |found: &Found| found.name == name && found.status.running;
        let taken = || Error::already_exists(Resource::Service, name);
        let request = request(given, Some(name))?;
        if self.list().await?.iter().any(running) {
            return Err(taken());
        }
        let id = self.spawn(request).await?;
        // Of two that were started at the same time, both see each other now, and the older one stays.
        if self.list().await?.iter().any(|found| running(found) && found.id < id) {
            self.stop(&id, Duration::ZERO).await?;
            return Err(taken());
        }
        Ok(id)
    }

    async fn info(&self, id: &ExecId) -> Result<ProcessInfo> {
        let all = self.sandbox.exec().processes().await?;
        let one = all.into_iter().find(|info| info.id == *id && found(info).is_some());
        one.ok_or_else(|| Error::not_found(Resource::Service, id))
    }
}

#[async_trait]
impl Services for DerivedServices {
    async fn spawn(&self, given: ExecRequest) -> Result<ExecId> {
        let labelled = given.label.as_deref().and_then(|label| label.strip_prefix(LABEL)).map(str::to_owned);
        let process = self.sandbox.exec().spawn(request(given, labelled.as_deref())?).await?;
        Ok(*process.id())
    }

    async fn status(&self, id: &ExecId) -> Result<ServiceStatus> {
        Ok(status(&self.info(id).await?))
    }

    async fn logs(&self, id: &ExecId, last: u64) -> Result<Bytes> {
        let info = self.info(id).await?;
        let mut seen = info.stdout_bytes.saturating_sub(last);
        let from = Replay::From { stdout: seen, stderr: info.stderr_bytes };
        let process = self.sandbox.exec().attach(id, from).await?;
        let mut kept = Vec::new();
        // What is written meanwhile is not waited for.
        while seen < info.stdout_bytes {
            match process.next().await? {
                Some(OutputEvent::Stdout(bytes)) => {
                    seen += bytes.len() as u64;
                    kept.extend_from_slice(&bytes);
                }
                Some(OutputEvent::Gap { stream: Stream::Stdout, bytes }) => seen += bytes,
                Some(OutputEvent::Exited(_)) | None => break,
                Some(_) => {}
            }
        }
        let surplus = kept.len().saturating_sub(usize::try_from(last).unwrap_or(usize::MAX));
        Ok(Bytes::from(kept).slice(surplus..))
    }

    async fn stop(&self, id: &ExecId, grace: Duration) -> Result<()> {
        self.info(id).await?;
        match self.sandbox.exec().attach(id, Replay::New).await {
            Ok(process) => process.stop(Some(grace)).await,
            Err(error) if error.code() == ErrorCode::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }
}
