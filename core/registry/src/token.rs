//! Tokens: a registry sends us to a token server, which gives one for what we are.
//!
//! As in distribution's "Token Authentication Specification" (GET, with a name and a password or nobody) and "OAuth2
//! token authentication" (POST, with an identity token).

use crate::credentials::Credentials;
use crate::failure::{self, Failure, Subject};
use crate::retry::Backoff;
use crate::session::{Place, Session};
use crate::transport::{self, BodyProblem, Request, host};
use data_encoding::BASE64;
use reqwest::header::HeaderValue;
use reqwest::{Response, StatusCode, Url};
use serde::Deserialize;

/// The largest answer of a token server.
const LARGEST: usize = 1024 * 1024;

/// What a token is for.
pub(crate) struct Ask<'a> {
    pub(crate) realm: &'a str,
    pub(crate) service: Option<&'a str>,
    pub(crate) credentials: &'a Credentials,
}

/// Gets a token that lets us read.
pub(crate) async fn get(session: &Session, place: &Place, ask: &Ask<'_>) -> Result<String, Failure> {
    let realm = realm(place, ask.realm)?;
    let mut backoff = Backoff::new(&session.config);
    loop {
        let once = once(session, place, ask, &realm);
        let result = match tokio::time::timeout(session.config.document_timeout, once).await {
            Ok(result) => result,
            Err(_) => Err(Failure::passing("timeout", format!("the token server {} is too slow", host(&realm)))),
        };
        match result {
            Ok(token) => return Ok(token),
            Err(failure) => match backoff.pause(&failure) {
                Some(pause) => session.pause(pause, &failure).await,
                // The request that the token is for is not to be tried again on its account.
                None => return Err(Failure { passing: false, ..failure }),
            },
        }
    }
}

/// Where the token server is. Credentials that go to a registry over TLS go to its token server over TLS.
fn realm(place: &Place, text: &str) -> Result<Url, Failure> {
    let name = &place.endpoint.name;
    let refuse = |why: &str| Failure::lasting("token", format!("the registry {name} names a token server {why}"));
    let realm = Url::parse(text).map_err(|_| refuse("that is no address"))?;
    match realm.scheme() {
        "https" => {}
        "http" if place.is_plain() => {}
        "http" => return Err(refuse("that is spoken to over plain HTTP, which gets no credentials")),
        _ => return Err(refuse("that is not spoken to over HTTP")),
    }
    if realm.host_str().is_none() || !realm.username().is_empty() || realm.password().is_some() {
        return Err(refuse("with an address that cannot be used"));
    }
    Ok(realm)
}

async fn once(session: &Session, place: &Place, ask: &Ask<'_>, realm: &Url) -> Result<String, Failure> {
    let repository = place.endpoint.repository(session.reference.repository());
    let scope = format!("repository:{repository}:pull");
    let mut response = match ask.credentials {
        Credentials::Identity(token) => {
            let form = [
                ("grant_type", "refresh_token"),
                ("service", ask.service.unwrap_or_default()),
                ("client_id", "isobox"),
                ("scope", &scope),
                ("refresh_token", token),
            ];
            session.transport.post(realm, &form).await?
        }
        credentials => session.transport.send(&request(realm, ask.service, &scope, credentials)?).await?,
    };
    if !response.status().is_success() {
        return Err(refused(session, place, ask, &mut response).await);
    }
    let name = host(realm);
    let body = transport::body(&mut response, LARGEST).await.map_err(|problem| match problem {
        BodyProblem::TooLarge => Failure::lasting("token", format!("the token server {name} sends more than a token")),
        BodyProblem::Broken(error) => failure::connection(&name, &error),
    })?;
    parse(&body).ok_or_else(|| Failure::lasting("token", format!("the token server {name} sends no token")))
}

fn request(realm: &Url, service: Option<&str>, scope: &str, credentials: &Credentials) -> Result<Request, Failure> {
    let mut url = realm.clone();
    if let Some(service) = service {
        url.query_pairs_mut().append_pair("service", service);
    }
    url.query_pairs_mut().append_pair("scope", scope);
    let mut request = Request::get(url);
    if let Credentials::Basic { username, password } = credentials {
        let value = format!("Basic {}", BASE64.encode(format!("{username}:{password}").as_bytes()));
        let value = HeaderValue::try_from(value).map_err(|_| Failure::lasting("token", "the password is too long"))?;
        request.authorization = Some(value);
    }
    Ok(request)
}

async fn refused(session: &Session, place: &Place, ask: &Ask<'_>, response: &mut Response) -> Failure {
    let body = transport::excerpt(response).await;
    // Some servers answer 400 to a token that has expired.
    let status = match (response.status(), ask.credentials) {
        (StatusCode::BAD_REQUEST, Credentials::Identity(_)) => StatusCode::UNAUTHORIZED,
        (status, _) => status,
    };
    let image = session.reference.name();
    failure::status(place.asked(Subject::Token(&image)), status, response.headers(), &body)
}

#[derive(Deserialize)]
struct Answer {
    token: Option<String>,
    access_token: Option<String>,
}

/// Reads the answer of a token server. `None` when it has no token that a request could carry.
pub(crate) fn parse(body: &[u8]) -> Option<String> {
    let answer: Answer = serde_json::from_slice(body).ok()?;
    let token = [answer.token, answer.access_token].into_iter().flatten().find(|token| !token.is_empty())?;
    token.bytes().all(|byte| byte.is_ascii_graphic()).then_some(token)
}
