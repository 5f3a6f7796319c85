//! Fetching: one pull for all who want the same image at the same time.
//!
//! ```text
//!   caller ─┐                        ┌─ progress ─▶ every caller's events
//!   caller ─┼─▶ flight ─▶ the pull ──┤
//!   caller ─┘    (in a task)         └─ how it ended ─▶ every caller
//! ```
//!
//! The pull goes on for as long as anybody waits for it; when the last one has gone, the engine is told by the end of the
//! connection, and gives it up.

use super::problem::pull_problem;
use super::progress::Progresses;
use crate::client::Engine;
use bollard::auth::DockerCredentials;
use bollard::query_parameters::CreateImageOptions;
use futures::StreamExt;
use isobox_contract::{Context, Error, ErrorCode, RegistryAuth, Result};
use isobox_registry::{Credential, Platform, Reference, RegistryConfig};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How long the engine may say nothing while it fetches an image.
const SILENCE: Duration = Duration::from_secs(300);
/// The name of the operation in errors.
const OPERATION: &str = "image.pull";

/// What to fetch, and as whom.
#[derive(Clone)]
pub(crate) struct Wanted {
    pub(crate) reference: Reference,
    pub(crate) platform: Option<Platform>,
    pub(crate) auth: Option<RegistryAuth>,
}

impl Wanted {
    /// Those who are told apart: nobody learns by another's credentials what is in a registry.
    fn key(&self) -> Key {
        let auth = self.auth.as_ref();
        let auth = auth.map(|auth| (auth.username.clone(), auth.password.clone(), auth.server.clone()));
        (self.reference.to_string(), self.platform.as_ref().map(ToString::to_string), auth)
    }
}

type Key = (String, Option<String>, Option<(String, String, Option<String>)>);
type Outcome = Option<Result<()>>;

/// The pulls that are under way.
#[derive(Default)]
pub(crate) struct Flights(Mutex<HashMap<Key, Weak<Flight>>>);

impl std::fmt::Debug for Flights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Flights")
    }
}

/// One of them, for as long as somebody waits for it.
struct Flight {
    task: JoinHandle<()>,
    ended: watch::Receiver<Outcome>,
    progresses: Arc<Progresses>,
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Flights {
    /// Fetches an image, or waits for somebody else's fetching of it.
    pub(super) async fn fetch(&self, engine: &Engine, home: &Path, wanted: Wanted, context: &Context) -> Result<()> {
        let begun = Instant::now();
        let flight = self.join(engine, home, wanted);
        flight.progresses.tell(context.events.clone());
        let mut ended = flight.ended.clone();
        let waited = async {
            let ended = ended.wait_for(Option::is_some).await;
            let lost = || Error::internal("the task that fetches an image has ended");
            ended.ok().and_then(|ended| ended.clone()).unwrap_or_else(|| Err(lost()))
        };
        match context.deadline {
            None => waited.await,
            Some(deadline) => tokio::time::timeout_at(deadline.into(), waited)
                .await
                .unwrap_or_else(|_| Err(Error::timeout(OPERATION, begun.elapsed()))),
        }
    }

    fn join(&self, engine: &Engine, home: &Path, wanted: Wanted) -> Arc<Flight> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, flight| flight.strong_count() > 0);
        let key = wanted.key();
        let under_way = |flight: &Arc<Flight>| flight.ended.borrow().is_none() && !flight.task.is_finished();
        if let Some(flight) = all.get(&key).and_then(Weak::upgrade).filter(under_way) {
            return flight;
        }
        let (tell, ended) = watch::channel(None);
        let progresses = Arc::new(Progresses::default());
        let (engine, home, told) = (engine.clone(), home.to_owned(), progresses.clone());
        let task = tokio::spawn(async move {
            let outcome = pull(&engine, home, &wanted, &told).await;
            tell.send_replace(Some(outcome));
        });
        let flight = Arc::new(Flight { task, ended, progresses });
        all.insert(key, Arc::downgrade(&flight));
        flight
    }
}

async fn pull(engine: &Engine, home: PathBuf, wanted: &Wanted, told: &Progresses) -> Result<()> {
    let reference = &wanted.reference;
    let credentials = credentials(&home, reference.registry(), wanted.auth.as_ref()).await?;
    let as_somebody = credentials.is_some();
    let tag = match reference.digest() {
        Some(digest) => Some(digest.to_string()),
        None => reference.tag().map(str::to_owned),
    };
    let platform = wanted.platform.as_ref().map(ToString::to_string).unwrap_or_default();
    let options =
        CreateImageOptions { from_image: Some(reference.name()), tag, platform, ..CreateImageOptions::default() };
    let mut lines = std::pin::pin!(engine.api().create_image(Some(options), None, credentials));
    loop {
        let Ok(line) = tokio::time::timeout(SILENCE, lines.next()).await else {
            let message = format!("docker said nothing for {SILENCE:?} while it fetched {reference}, see its log");
            return Err(Error::new(ErrorCode::ImagePullFailed, message));
        };
        match line {
            None => return Ok(()),
            Some(Ok(line)) => {
                let (layer, status) = (line.id.unwrap_or_default(), line.status.unwrap_or_default());
                let (current, total) =
                    line.progress_detail.map_or((None, None), |detail| (detail.current, detail.total));
                told.take(&layer, &status, current, total);
            }
            Some(Err(error)) => {
                let problem = pull_problem(reference.registry(), &reference.to_string(), as_somebody, &error);
                return Err(problem.unwrap_or_else(|| engine.failed("fetch an image")(error)));
            }
        }
    }
}

/// What the engine shows to a registry: what was given with the image, else what Docker's own configuration of this user has.
pub(crate) async fn credentials(
    home: &Path,
    registry: &str,
    auth: Option<&RegistryAuth>,
) -> Result<Option<DockerCredentials>> {
    let config = RegistryConfig::load(home)?;
    let address = if registry == "docker.io" { "https://index.docker.io/v1/" } else { registry };
    let shown = DockerCredentials { serveraddress: Some(address.to_owned()), ..DockerCredentials::default() };
    Ok(match isobox_registry::credential(&config, registry, auth).await? {
        Credential::None => None,
        Credential::Password { username, password } => {
            Some(DockerCredentials { username: Some(username), password: Some(password), ..shown })
        }
        Credential::Identity(token) => Some(DockerCredentials { identitytoken: Some(token), ..shown }),
        Credential::Bearer(token) => Some(DockerCredentials { registrytoken: Some(token), ..shown }),
    })
}
