//! The client, and one image of it.

use crate::config::RegistryConfig;
use crate::digest::Digest;
use crate::failure::Failure;
use crate::fetch::{Fetch, Fetched};
use crate::manifest::Blob;
use crate::partial::Partial;
use crate::platform::Platform;
use crate::progress::Watcher;
use crate::reference::Reference;
use crate::resolve::{self, Resolved};
use crate::session::{Place, Session};
use crate::transport::Transport;
use isobox_contract::{Error, RegistryAuth, Result};
use std::fmt;
use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The name of the operation in errors.
const OPERATION: &str = "image.pull";

/// A client of registries. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Registry {
    config: Arc<RegistryConfig>,
    transport: Arc<Transport>,
}

impl Registry {
    /// A client. Does nothing yet. `invalid_spec` for a configuration that cannot be understood.
    pub fn new(config: RegistryConfig) -> Result<Self> {
        config.check()?;
        let transport = Arc::new(Transport::new(&config));
        Ok(Self { config: Arc::new(config), transport })
    }

    /// Begins with an image, without asking anybody yet. `auth` is for the registry that it names, or else for that of
    /// the reference; where it is not for a place that is asked, Docker's configuration is looked at.
    pub fn pull(&self, reference: &Reference, auth: Option<&RegistryAuth>) -> Result<Pull> {
        let session = Session::new(&self.config, &self.transport, reference, auth)?;
        Ok(Pull { session: Arc::new(session), nearest: Arc::new(AtomicUsize::new(0)) })
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("config", &self.config).finish_non_exhaustive()
    }
}

/// One image in registries. Keeps tokens and remembers which place has the image; clones share that. Blobs may be fetched
/// at the same time.
#[derive(Clone)]
pub struct Pull {
    session: Arc<Session>,
    /// The place that resolved it, which is asked first from then on.
    nearest: Arc<AtomicUsize>,
}

impl Pull {
    /// What it is an image of.
    pub fn reference(&self) -> &Reference {
        &self.session.reference
    }

    /// Asks what the reference stands for, on a platform: this machine's by default.
    ///
    /// Mirrors are asked in order and then the registry itself. The error is that of the last that was asked.
    pub async fn resolve(&self, platform: Option<&Platform>, deadline: Option<Instant>) -> Result<Resolved> {
        let platform = platform.cloned().unwrap_or_else(Platform::host);
        self.bounded(deadline, async {
            let mut last = None;
            for (at, place) in self.session.places.iter().enumerate() {
                match resolve::at(&self.session, place, &platform).await {
                    Ok(resolved) => {
                        self.nearest.store(at, Ordering::Relaxed);
                        return Ok(resolved);
                    }
                    Err(failure) => last = Some(passed_over(place, failure)),
                }
            }
            Err(last.unwrap_or_else(nobody))
        })
        .await
    }

    /// The digest that the reference stands for now: that of [`Resolved::digest`], but the image is not looked at. Asks
    /// with `HEAD`, which registries do not count against limits of pulls, where the registry knows how to answer it.
    pub async fn digest(&self, deadline: Option<Instant>) -> Result<Digest> {
        if let Some(pinned) = self.reference().digest() {
            return Ok(pinned.clone());
        }
        self.bounded(deadline, async {
            let mut last = None;
            for place in &self.session.places {
                match resolve::digest(&self.session, place).await {
                    Ok(digest) => return Ok(digest),
                    Err(failure) => last = Some(passed_over(place, failure)),
                }
            }
            Err(last.unwrap_or_else(nobody))
        })
        .await
    }

    /// Fetches a blob into a file, continuing what is in the file already, and verifies it. The file is made with mode
    /// 0600 if it is not there; its directory must be there. When this returns, all of the blob is in it and nothing else;
    /// it has not been synced to disk.
    ///
    /// On an error the file is left with what can be continued. Only one fetch at a time may use a file: another waits
    /// for 2 seconds and fails with `conflict`.
    pub async fn fetch(
        &self,
        blob: &Blob,
        into: &Path,
        watcher: &dyn Watcher,
        deadline: Option<Instant>,
    ) -> Result<Fetched> {
        self.bounded(deadline, async {
            let mut partial = Partial::open(into, blob).await?;
            let mut fetch = Fetch { session: &self.session, blob, watcher, done: Fetched::default() };
            fetch.run(&mut partial, self.places()).await?;
            Ok(fetch.done)
        })
        .await
    }

    /// The places, the one that resolved the image first.
    fn places(&self) -> impl Iterator<Item = &Place> {
        let nearest = self.nearest.load(Ordering::Relaxed);
        let places = &self.session.places;
        places
            .get(nearest)
            .into_iter()
            .chain(places.iter().enumerate().filter(move |(at, _)| *at != nearest).map(|(_, place)| place))
    }

    /// Fails with `timeout` when the deadline passes before the work is done. The cause is what was last tried in vain.
    async fn bounded<T>(&self, deadline: Option<Instant>, work: impl Future<Output = Result<T>>) -> Result<T> {
        let begun = Instant::now();
        let result = match deadline {
            None => work.await,
            Some(deadline) => tokio::time::timeout_at(deadline.into(), work).await.unwrap_or_else(|_| {
                let error = Error::timeout(OPERATION, begun.elapsed());
                Err(match self.session.last_failure() {
                    Some(cause) => error.with_source(cause),
                    None => error,
                })
            }),
        };
        result.map_err(|error| error.with_operation(OPERATION))
    }
}

fn passed_over(place: &Place, failure: Failure) -> Error {
    tracing::debug!(registry = %place.endpoint.name, error = %failure.error, "passed over");
    failure.error
}

fn nobody() -> Error {
    Error::internal("there is no place to ask")
}

impl fmt::Debug for Pull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pull").field(&self.session.reference).finish()
    }
}
