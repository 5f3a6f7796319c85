//! The engine: its API, what it says about itself, and how much is asked of it at once.

use crate::address::Address;
use crate::errands::Errands;
use crate::facts::Facts;
use crate::failure::{About, explain};
use crate::podman;
use crate::transport;
use bollard::{API_DEFAULT_VERSION, BollardRequest, Docker};
use bytes::Bytes;
use isobox_contract::{Error, ErrorCode, Resource, Result};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit};

/// How long the engine may take until it begins to answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);
/// Requests that change something and may be under way at once; further ones wait. More make the engine no faster, and a
/// hundred at once let single ones take longer than anybody waits.
const AT_ONCE: usize = 16;
/// How long a caller that cannot wait may be held up by an engine that hangs.
const GLANCE: Duration = Duration::from_secs(3);
/// How long an engine that was not there is not asked again by callers that cannot wait.
const RESPITE: Duration = Duration::from_secs(5);

/// An engine. Clones share everything.
#[derive(Clone)]
pub(crate) struct Engine(Arc<Inner>);

/// Requests to an engine, without anything that has to be kept alive.
#[derive(Clone)]
pub(crate) struct Caller {
    address: Address,
    api: Docker,
    /// Whether it can run a command with all capabilities, once that is known.
    privileged: Arc<OnceCell<bool>>,
}

struct Inner {
    caller: Caller,
    facts: OnceCell<Facts>,
    turns: Semaphore,
    errands: Errands,
    missed: std::sync::Mutex<Option<Instant>>,
}

impl Caller {
    /// Where the engine is.
    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// The engine's API.
    pub(crate) fn api(&self) -> &Docker {
        &self.api
    }

    /// Whether the engine can run a command with all capabilities, for whoever finds out.
    pub(crate) fn privileged(&self) -> &OnceCell<bool> {
        &self.privileged
    }

    /// Makes a failed request the contract's error. `doing` completes "docker cannot ...".
    pub(crate) fn failed(&self, doing: &str) -> impl FnOnce(bollard::errors::Error) -> Error {
        move |error| explain(&self.address, doing, None, error)
    }

    /// The same for a request that names a thing, which may not be there.
    pub(crate) fn failed_on<'a>(
        &'a self,
        doing: &'a str,
        resource: Resource,
        id: &'a str,
    ) -> impl FnOnce(bollard::errors::Error) -> Error + 'a {
        move |error| explain(&self.address, doing, Some(About { resource, id }), error)
    }
}

impl Engine {
    /// The engine at an address. Connects to nothing.
    ///
    /// # Errors
    /// `internal` when there is no thread to be had for what is done in the background.
    pub(crate) fn at(address: Address) -> Result<Self> {
        let to = address.clone();
        let transport = move |request: BollardRequest| transport::request(to.clone(), request);
        let api = Docker::connect_with_custom_transport(
            transport,
            Some("http://docker"),
            PATIENCE.as_secs(),
            API_DEFAULT_VERSION,
        );
        let api = api.map_err(|error| Error::internal("docker's client cannot be made").with_source(error))?;
        let (turns, errands) = (Semaphore::new(AT_ONCE), Errands::start()?);
        let (facts, missed) = (OnceCell::new(), std::sync::Mutex::default());
        Ok(Self(Arc::new(Inner {
            caller: Caller { address, api, privileged: Arc::default() },
            facts,
            turns,
            errands,
            missed,
        })))
    }

    /// Where it is.
    pub(crate) fn address(&self) -> &Address {
        &self.0.caller.address
    }

    /// Its API. What fails goes through [`failed`](Self::failed).
    pub(crate) fn api(&self) -> &Docker {
        &self.0.caller.api
    }

    /// What makes requests, for whoever must not keep the engine's thread.
    pub(crate) fn caller(&self) -> &Caller {
        &self.0.caller
    }

    /// What is done when nobody waits for it.
    pub(crate) fn errands(&self) -> &Errands {
        &self.0.errands
    }

    /// Asks for something that the client library does not know, and gives the answer as it is.
    pub(crate) async fn get(&self, path: &str, doing: &str) -> Result<Bytes> {
        let (major, minor) = self.facts().await?.api;
        let path = format!("/v{major}.{minor}{path}");
        self.caller().ask(hyper::Method::GET, &path, None).await.map_err(self.failed(doing))
    }

    /// Waits until one more thing may be changed.
    pub(crate) async fn turn(&self) -> Result<SemaphorePermit<'_>> {
        self.0.turns.acquire().await.map_err(|_| Error::internal("docker's queue is closed"))
    }

    /// As [`Caller::failed`].
    pub(crate) fn failed(&self, doing: &str) -> impl FnOnce(bollard::errors::Error) -> Error {
        self.0.caller.failed(doing)
    }

    /// As [`Caller::failed_on`].
    pub(crate) fn failed_on<'a>(
        &'a self,
        doing: &'a str,
        resource: Resource,
        id: &'a str,
    ) -> impl FnOnce(bollard::errors::Error) -> Error + 'a {
        self.0.caller.failed_on(doing, resource, id)
    }

    /// What it says about itself, asked once.
    ///
    /// # Errors
    /// `engine_unavailable` or `permission_denied` when it cannot be asked, `unsupported` when it is too old.
    pub(crate) async fn facts(&self) -> Result<&Facts> {
        self.0.facts.get_or_try_init(|| self.learn()).await
    }

    /// Its version, asked now.
    ///
    /// # Errors
    /// As [`facts`](Self::facts).
    pub(crate) async fn version(&self) -> Result<String> {
        self.first_facts().await.map(|facts| facts.shown())
    }

    async fn first_facts(&self) -> Result<Facts> {
        let version = self.api().version().await.map_err(self.failed("say its version"))?;
        let facts = Facts::of_version(&version);
        facts.check(self.address())?;
        Ok(facts)
    }

    async fn learn(&self) -> Result<Facts> {
        let facts = self.first_facts().await?;
        let info = self.api().info().await.map_err(self.failed("describe itself"))?;
        let facts = facts.with(&info);
        if !facts.podman {
            return Ok(facts);
        }
        let told = podman::info(self.caller()).await.map_err(self.failed("describe itself"))?;
        Ok(facts.with_podmans(&told))
    }

    /// The same for a caller that cannot wait: what is known, or can be learned within seconds.
    pub(crate) fn facts_now(&self) -> Option<&Facts> {
        if let Some(facts) = self.0.facts.get() {
            return Some(facts);
        }
        let mut missed = self.0.missed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if missed.is_some_and(|missed| missed.elapsed() < RESPITE) {
            return None;
        }
        let (tell, told) = std::sync::mpsc::sync_channel(1);
        let engine = self.clone();
        self.errands().run(async move {
            let _ = engine.facts().await;
            let _ = tell.try_send(());
        });
        let _ = told.recv_timeout(GLANCE);
        *missed = self.0.facts.get().is_none().then(Instant::now);
        self.0.facts.get()
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Engine").field(self.address()).finish()
    }
}

/// Takes a thing that is not there as done.
pub(crate) fn or_absent(result: Result<()>) -> Result<()> {
    match result {
        Err(error) if matches!(error.code(), ErrorCode::NotFound | ErrorCode::ImageNotFound) => Ok(()),
        result => result,
    }
}
