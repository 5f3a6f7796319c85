//! What went wrong with a request, in the words of the contract.
//!
//! | what happened | code | tried again here |
//! |---|---|---|
//! | 404 for a manifest | `image_not_found` | no |
//! | 401, 403 | `unauthenticated`, `permission_denied` | no |
//! | 429 | `rate_limited`, with the wait | when the wait is 5 seconds or less |
//! | 408, 5xx, a broken connection, silence, refused, a name that does not resolve | `image_pull_failed` | yes |
//! | a certificate that is not trusted, wrong sizes and digests | `image_pull_failed`, not retryable | no |

mod connection;

pub(crate) use connection::connection;

use crate::retry;
use isobox_contract::{Detail, Error, ErrorCode};
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde::Deserialize;
use std::time::{Duration, SystemTime};

/// A request that failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: Error,
    /// Whether the same request may succeed in a moment.
    pub(crate) passing: bool,
    /// How long the other side asked to wait.
    pub(crate) wait: Option<Duration>,
    /// The status of the answer, when there was one.
    pub(crate) status: Option<u16>,
}

impl Failure {
    /// One that will not pass by itself; `word` is stable.
    pub(crate) fn lasting(word: &str, message: impl Into<String>) -> Self {
        Self { error: pull_failed(word, message).retryable(false), passing: false, wait: None, status: None }
    }

    /// The stable word for what happened, when it was not a status.
    fn word(&self) -> Option<&str> {
        match self.error.detail() {
            Detail::Provider { code, .. } if self.status.is_none() => code.as_deref(),
            _ => None,
        }
    }

    /// Whether this is how a server that wants TLS answers plain HTTP: with 400, as Go's and nginx do, or with its own
    /// kind of noise.
    pub(crate) fn may_want_tls(&self) -> bool {
        self.status == Some(400) || matches!(self.word(), Some("protocol" | "connection_lost"))
    }

    /// Whether there was no conversation over TLS at all, so that the failure before says more than this one.
    pub(crate) fn is_before_tls(&self) -> bool {
        let before = ["tls", "protocol", "connection_lost", "connection_refused", "timeout", "unreachable"];
        self.word().is_some_and(|word| before.contains(&word))
    }

    /// Whether a range was wanted that is not there.
    pub(crate) fn is_range(&self) -> bool {
        self.status == Some(416)
    }

    /// One that may pass; `word` is stable.
    pub(crate) fn passing(word: &str, message: impl Into<String>) -> Self {
        Self { error: pull_failed(word, message), passing: true, wait: None, status: None }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, passing: false, wait: None, status: None }
    }
}

fn pull_failed(word: &str, message: impl Into<String>) -> Error {
    Error::new(ErrorCode::ImagePullFailed, message)
        .with_detail(Detail::Provider { code: Some(word.to_owned()), json: serde_json::Value::Null })
}

/// What a request was for.
#[derive(Clone, Copy)]
pub(crate) enum Subject<'a> {
    /// A manifest of this image.
    Manifest(&'a str),
    /// A blob with this digest, of this image.
    Blob(&'a str, &'a str),
    /// A token for this image.
    Token(&'a str),
}

impl Subject<'_> {
    /// What to call it in a sentence.
    pub(crate) fn what(&self) -> String {
        match self {
            Subject::Manifest(image) => (*image).to_owned(),
            Subject::Blob(digest, image) => format!("{digest} of {image}"),
            Subject::Token(image) => format!("a token for {image}"),
        }
    }
}

/// Who asked whom.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) registry: &'a str,
    pub(crate) subject: Subject<'a>,
    /// Whether there were credentials to show.
    pub(crate) as_somebody: bool,
    /// Why there were no better ones.
    pub(crate) note: Option<&'a str>,
}

/// What an answer with a status other than success means.
pub(crate) fn status(asked: Asked<'_>, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Failure {
    Failure { status: Some(status.as_u16()), ..meaning(asked, status, headers, body) }
}

fn meaning(asked: Asked<'_>, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Failure {
    let Asked { registry, subject, as_somebody, note } = asked;
    let said = code_of(body);
    let what = subject.what();
    let code = said.clone().map(|code| format!(" ({code})")).unwrap_or_default();
    let note = note.map(|note| format!("; {note}")).unwrap_or_default();
    let wait = retry::wait(headers, SystemTime::now());
    let detail = |error: Error| {
        let code = said.clone().or_else(|| Some(status.as_u16().to_string()));
        error.with_detail(Detail::Provider { code, json: serde_json::Value::Null })
    };
    let certain = |code, message| Failure::from(detail(Error::new(code, message)));
    match status.as_u16() {
        404 if matches!(subject, Subject::Manifest(_)) => {
            certain(ErrorCode::ImageNotFound, format!("the registry {registry} has no image {what}{code}"))
        }
        401 => {
            let (problem, way_out) = match as_somebody {
                true => ("does not take the credentials for it", "with others"),
                false => ("it does not exist, or needs credentials", "first"),
            };
            let message = format!(
                "the registry {registry} does not give {what}{code}: {problem}: run `docker login {registry}` {way_out}, \
                 or give credentials with the image{note}"
            );
            certain(ErrorCode::Unauthenticated, message)
        }
        403 => {
            let message = format!(
                "the registry {registry} refuses {what}{code}: whoever asks may not read it: run `docker login \
                 {registry}` as somebody who may, or give other credentials with the image{note}"
            );
            certain(ErrorCode::PermissionDenied, message)
        }
        429 => {
            let when = wait.map(|wait| format!(", it says to wait {} s", wait.as_secs())).unwrap_or_default();
            let message = format!("the registry {registry} limits how often it is asked{code}{when}");
            let error = detail(Error::new(ErrorCode::RateLimited, message));
            let error = wait.map(|wait| error.clone().with_retry_after(wait)).unwrap_or(error);
            Failure { error, passing: wait.is_some(), wait, status: None }
        }
        408 | 425 | 500 | 502 | 503 | 504 => {
            let message = format!("the registry {registry} could not give {what}: {status}{code}");
            let error = detail(pull_failed("status", message));
            let error = wait.map(|wait| error.clone().with_retry_after(wait)).unwrap_or(error);
            Failure { error, passing: true, wait, status: None }
        }
        _ => {
            let message = format!("the registry {registry} answered {status}{code} when asked for {what}");
            Failure::from(detail(pull_failed("status", message)).retryable(false))
        }
    }
}

/// The first code of a registry's error document, when it is a word. Its sentences are not passed on: nobody knows what a
/// registry puts into them. See <https://github.com/opencontainers/distribution-spec/blob/main/spec.md#error-codes>.
fn code_of(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Envelope {
        errors: Vec<Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        code: String,
    }
    let envelope: Envelope = serde_json::from_slice(body).ok()?;
    envelope.errors.first().and_then(|first| crate::text::word(&first.code)).map(str::to_owned)
}
