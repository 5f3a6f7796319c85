//! Manifests, indexes and configs: small documents that are read whole, within limits of size and time.

use crate::digest::Digest;
use crate::failure::{self, Failure, Subject};
use crate::retry::Backoff;
use crate::session::{Place, Session};
use crate::transport::{self, BodyProblem, Request};
use reqwest::header::HeaderMap;

/// Which document.
pub(crate) struct Wanted<'a> {
    pub(crate) request: Request,
    pub(crate) subject: Subject<'a>,
    /// What it must hash to, when that is known before.
    pub(crate) digest: Option<&'a Digest>,
    /// How large it must be, when that is known before.
    pub(crate) size: Option<u64>,
    /// How large it may be.
    pub(crate) limit: usize,
}

/// Gets a document, as often as it takes and is worth, and verifies it.
pub(crate) async fn get(session: &Session, place: &Place, wanted: &Wanted<'_>) -> Result<(Vec<u8>, Digest), Failure> {
    let mut backoff = Backoff::new(&session.config);
    loop {
        let once = once(session, place, wanted);
        let result = match tokio::time::timeout(session.config.document_timeout, once).await {
            Ok(result) => result,
            Err(_) => Err(Failure::passing("timeout", sentence(place, wanted, "takes too long to send"))),
        };
        match result {
            Ok(found) => return Ok(found),
            Err(failure) => match backoff.pause(&failure) {
                Some(pause) => session.pause(pause, &failure).await,
                None => return Err(failure),
            },
        }
    }
}

/// The digest that a registry claims for a document, without the document.
pub(crate) async fn claimed(
    session: &Session,
    place: &Place,
    request: Request,
    subject: Subject<'_>,
) -> Result<Option<Digest>, Failure> {
    let mut backoff = Backoff::new(&session.config);
    loop {
        let once = session.request(place, request.clone(), subject);
        let result = match tokio::time::timeout(session.config.document_timeout, once).await {
            Ok(result) => result,
            Err(_) => {
                let message = format!("the registry {} takes too long to say what it has", place.endpoint.name);
                Err(Failure::passing("timeout", message))
            }
        };
        match result {
            Ok(response) => return Ok(digest_of(response.headers())),
            Err(failure) => match backoff.pause(&failure) {
                Some(pause) => session.pause(pause, &failure).await,
                None => return Err(failure),
            },
        }
    }
}

fn digest_of(headers: &HeaderMap) -> Option<Digest> {
    headers.get("docker-content-digest").and_then(|value| value.to_str().ok()?.parse().ok())
}

async fn once(session: &Session, place: &Place, wanted: &Wanted<'_>) -> Result<(Vec<u8>, Digest), Failure> {
    let too_large = || {
        let limit = wanted.size.unwrap_or(wanted.limit as u64);
        Failure::lasting("size", sentence(place, wanted, &format!("sends more than {limit} bytes for")))
    };
    if wanted.size.is_some_and(|size| size > wanted.limit as u64) {
        return Err(too_large());
    }
    let limit = wanted.size.and_then(|size| usize::try_from(size).ok()).unwrap_or(wanted.limit);
    let mut response = session.request(place, wanted.request.clone(), wanted.subject).await?;
    let claimed = digest_of(response.headers());
    let bytes = transport::body(&mut response, limit).await.map_err(|problem| match problem {
        BodyProblem::TooLarge => too_large(),
        BodyProblem::Broken(error) => failure::connection(&place.endpoint.name, &error),
    })?;
    if wanted.size.is_some_and(|size| size != bytes.len() as u64) {
        return Err(Failure::lasting(
            "size",
            sentence(place, wanted, &format!("sends only {} bytes for", bytes.len())),
        ));
    }
    let digest = verify(place, wanted, claimed, &bytes)?;
    Ok((bytes, digest))
}

/// The digest of a document: the one that was asked for, else the one that the registry claims, else SHA-256.
fn verify(place: &Place, wanted: &Wanted<'_>, claimed: Option<Digest>, bytes: &[u8]) -> Result<Digest, Failure> {
    for expected in wanted.digest.into_iter().chain(&claimed) {
        if !expected.matches(bytes) {
            let got = Digest::with(expected.algorithm(), bytes);
            let what = wanted.subject.what();
            let name = &place.endpoint.name;
            let message = format!("the registry {name} sends something else for {what}: {got} in place of {expected}");
            return Err(Failure::lasting("digest", message));
        }
    }
    Ok(wanted.digest.cloned().or(claimed).unwrap_or_else(|| Digest::of(bytes)))
}

fn sentence(place: &Place, wanted: &Wanted<'_>, does: &str) -> String {
    format!("the registry {} {does} {}", place.endpoint.name, wanted.subject.what())
}
