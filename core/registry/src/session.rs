//! Requests for one image: with credentials where they are asked for.
//!
//! ```text
//!   request ──▶ 200
//!           ──▶ 401 + challenge ──▶ token, or name and password ──▶ request ──▶ 200, or the end
//! ```
//!
//! The first request shows no credentials. What was once accepted is shown with every request after that, until it is
//! refused, as tokens are when they have expired.

use crate::challenge::{self, Challenge};
use crate::config::RegistryConfig;
use crate::credentials::{Credentials, Found, Keyring};
use crate::endpoint::Endpoint;
use crate::failure::{self, Asked, Failure, Subject};
use crate::reference::Reference;
use crate::token;
use crate::transport::{self, Request, Transport};
use data_encoding::BASE64;
use isobox_contract::{Error, ErrorCode, RegistryAuth, Result};
use reqwest::header::{HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use reqwest::{Response, StatusCode};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::{Mutex, OnceCell};

/// One image, the places that may have it, and who to be there.
pub(crate) struct Session {
    pub(crate) config: Arc<RegistryConfig>,
    pub(crate) transport: Arc<Transport>,
    pub(crate) reference: Reference,
    pub(crate) places: Vec<Place>,
    keyring: Keyring,
    last: std::sync::Mutex<Option<Error>>,
}

/// An endpoint and what it accepted.
pub(crate) struct Place {
    pub(crate) endpoint: Endpoint,
    found: OnceCell<Found>,
    accepted: Mutex<Option<HeaderValue>>,
    /// Whether it turned out to want TLS; nothing while that is not known.
    wants_tls: OnceLock<bool>,
}

impl Place {
    fn new(endpoint: Endpoint) -> Self {
        let wants_tls = if endpoint.is_guess { OnceLock::new() } else { OnceLock::from(false) };
        Self { endpoint, found: OnceCell::new(), accepted: Mutex::new(None), wants_tls }
    }

    /// Whether credentials for it cross the network unencrypted.
    pub(crate) fn is_plain(&self) -> bool {
        self.endpoint.is_plain() && self.wants_tls.get() != Some(&true)
    }

    /// What this place was asked for, and as whom.
    pub(crate) fn asked<'a>(&'a self, subject: Subject<'a>) -> Asked<'a> {
        let found = self.found.get();
        Asked {
            registry: &self.endpoint.name,
            subject,
            as_somebody: found.is_some_and(|found| found.credentials != Credentials::Anonymous),
            note: found.and_then(|found| found.note.as_deref()),
        }
    }
}

impl Session {
    pub(crate) fn new(
        config: &Arc<RegistryConfig>,
        transport: &Arc<Transport>,
        reference: &Reference,
        auth: Option<&RegistryAuth>,
    ) -> Result<Self> {
        Ok(Self {
            config: config.clone(),
            transport: transport.clone(),
            reference: reference.clone(),
            places: Endpoint::all(config, reference)?.into_iter().map(Place::new).collect(),
            keyring: Keyring::new(config, reference.registry(), auth),
            last: std::sync::Mutex::new(None),
        })
    }

    /// Pauses before a request is tried again, and remembers why it has to be.
    pub(crate) async fn pause(&self, pause: Duration, failure: &Failure) {
        if let Ok(mut last) = self.last.lock() {
            *last = Some(failure.error.clone());
        }
        tokio::time::sleep(pause).await;
    }

    /// The last failure after which something was tried again.
    pub(crate) fn last_failure(&self) -> Option<Error> {
        self.last.lock().ok().and_then(|last| last.clone())
    }

    /// Sends a request to a place; an answer is a success.
    pub(crate) async fn request(
        &self,
        place: &Place,
        mut request: Request,
        subject: Subject<'_>,
    ) -> Result<Response, Failure> {
        if place.wants_tls.get() == Some(&true) {
            over_tls(&mut request);
        }
        let mut secure = request.clone();
        let result = self.ask(place, request, subject).await;
        let Err(failure) = result else {
            place.wants_tls.get_or_init(|| false);
            return result;
        };
        if place.wants_tls.get().is_some() || !failure.may_want_tls() {
            return Err(failure);
        }
        over_tls(&mut secure);
        let second = self.ask(place, secure, subject).await;
        let is_tls = second.as_ref().map_or_else(|failure| !failure.is_before_tls(), |_| true);
        place.wants_tls.get_or_init(|| is_tls);
        if is_tls { second } else { Err(failure) }
    }

    /// Sends a request and answers the challenge that comes.
    async fn ask(&self, place: &Place, mut request: Request, subject: Subject<'_>) -> Result<Response, Failure> {
        request.authorization = place.accepted.lock().await.clone();
        let mut response = self.transport.send(&request).await?;
        if response.status() == StatusCode::UNAUTHORIZED {
            let challenge = challenge_of(response.headers());
            request.authorization = Some(self.answer(place, challenge, request.authorization.take()).await?);
            response = self.transport.send(&request).await?;
        }
        if response.status().is_success() {
            return Ok(response);
        }
        let body = transport::excerpt(&mut response).await;
        Err(failure::status(place.asked(subject), response.status(), response.headers(), &body))
    }

    /// What to show in answer to a challenge. Requests that were refused at the same time share one answer.
    async fn answer(
        &self,
        place: &Place,
        challenge: Option<Challenge>,
        refused: Option<HeaderValue>,
    ) -> Result<HeaderValue, Failure> {
        let mut accepted = place.accepted.lock().await;
        if let Some(newer) = accepted.as_ref().filter(|newer| Some(*newer) != refused.as_ref()) {
            return Ok(newer.clone());
        }
        let name = &place.endpoint.name;
        let found = place.found.get_or_try_init(|| self.keyring.find(name)).await?;
        let value = match (challenge, &found.credentials) {
            (Some(Challenge::Bearer { .. }), Credentials::Bearer(token)) => format!("Bearer {token}"),
            (Some(Challenge::Bearer { realm, service }), credentials) => {
                let ask = token::Ask { realm: &realm, service: service.as_deref(), credentials };
                format!("Bearer {}", token::get(self, place, &ask).await?)
            }
            (_, Credentials::Basic { username, password }) => {
                format!("Basic {}", BASE64.encode(format!("{username}:{password}").as_bytes()))
            }
            _ => return Err(self.nobody(name, found).into()),
        };
        let mut value = HeaderValue::try_from(value).map_err(|_| {
            Failure::lasting("token", format!("the registry {name} wants credentials that no request can carry"))
        })?;
        value.set_sensitive(true);
        Ok(accepted.insert(value).clone())
    }

    /// Credentials are wanted and there are none of the kind.
    fn nobody(&self, registry: &str, found: &Found) -> Error {
        let repository = self.reference.name();
        let note = found.note.as_ref().map(|note| format!("; {note}")).unwrap_or_default();
        let message = format!(
            "the registry {registry} wants a name and a password for {repository}: run `docker login {registry}` or \
             give them with the image{note}"
        );
        Error::new(ErrorCode::Unauthenticated, message)
    }
}

fn over_tls(request: &mut Request) {
    let changed = request.url.set_scheme("https");
    debug_assert!(changed.is_ok(), "http can always become https");
}

/// The challenge that can be met, from all the headers that have one.
fn challenge_of(headers: &HeaderMap) -> Option<Challenge> {
    let all: Vec<_> =
        headers.get_all(WWW_AUTHENTICATE).iter().filter_map(|value| challenge::parse(value.as_bytes())).collect();
    let bearer = all.iter().find(|challenge| matches!(challenge, Challenge::Bearer { .. }));
    bearer.or(all.first()).cloned()
}
