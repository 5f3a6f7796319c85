//! From the engine's errors to the contract's.

use crate::address::Address;
use crate::tls;
use bollard::errors::Error as EngineError;
use isobox_contract::{Capability, Detail, Error, ErrorCode, ProviderKind, Resource};
use std::io;

/// Longest text of the engine that is passed on.
const MESSAGE: usize = 900;

/// What it says when it has no network or no address to give.
const ADDRESSES: [&str; 4] = [
    "non-overlapping ipv4 address pool",
    "predefined address pools have been all subnetted",
    "predefined address pools have been fully subnetted",
    "no available ipv4 addresses",
];

/// What the engine says about a thing that is not there, or taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About<'a> {
    /// What kind of thing the request names.
    pub(crate) resource: Resource,
    /// Its name or id.
    pub(crate) id: &'a str,
}

/// The error that a failed request is. `doing` completes "docker cannot ...".
pub(crate) fn explain(address: &Address, doing: &str, about: Option<About<'_>>, error: EngineError) -> Error {
    match error {
        EngineError::DockerResponseServerError { status_code, message } => {
            refused(doing, about, status_code, &clean(&message))
        }
        // What comes in the middle of an answer has no status.
        EngineError::DockerStreamError { error } => refused(doing, about, 500, &clean(&error)),
        EngineError::DockerContainerWaitError { error, .. } => refused(doing, about, 500, &clean(&error)),
        EngineError::RequestTimeoutError => {
            unavailable(format!("docker at {address} does not answer a request to {doing}: look at its log"))
        }
        EngineError::IOError { err } if tls::problem(&err).is_some() => distrusted(address, err),
        EngineError::HyperResponseError { err } if tls::problem(&err).is_some() => distrusted(address, err),
        EngineError::IOError { err } => unreachable(address, doing, err),
        EngineError::HyperResponseError { err } => {
            let message = format!("docker at {address} broke the connection off, and may have ended: try again");
            unavailable(message).with_source(err)
        }
        other => Error::transport(format!("docker at {address} gave an answer that is none, asked to {doing}"))
            .with_source(Text(clean(&other.to_string()))),
    }
}

/// Whether the engine could not be asked at all.
pub(crate) fn is_unreachable(error: &Error) -> bool {
    matches!(error.code(), ErrorCode::EngineUnavailable | ErrorCode::Transport)
}

fn unavailable(message: String) -> Error {
    Error::new(ErrorCode::EngineUnavailable, message).with_provider(&ProviderKind::DOCKER)
}

/// An engine and a client that do not take each other for what they say they are.
fn distrusted(address: &Address, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    let problem = tls::problem(&error).unwrap_or_default();
    Error::new(
        ErrorCode::Unauthenticated,
        format!("docker at {address} cannot be trusted, or does not trust: {problem}"),
    )
    .with_provider(&ProviderKind::DOCKER)
    .with_source(error)
}

/// A connection that there is not, or not any more.
fn unreachable(address: &Address, doing: &str, error: io::Error) -> Error {
    let message = match error.kind() {
        io::ErrorKind::PermissionDenied => {
            let message = format!(
                "this user may not use docker at {address}: add it to the group that owns the socket, which is usually docker, or set DOCKER_HOST to an engine of its own"
            );
            return Error::new(ErrorCode::PermissionDenied, message)
                .with_provider(&ProviderKind::DOCKER)
                .with_source(error);
        }
        io::ErrorKind::NotFound => {
            format!("there is no docker at {address}: start it, or set DOCKER_HOST to where it listens")
        }
        io::ErrorKind::ConnectionRefused => {
            format!("docker at {address} does not run: start it, or set DOCKER_HOST to where it listens")
        }
        io::ErrorKind::TimedOut => format!("docker at {address} cannot be reached: look whether DOCKER_HOST is right"),
        kind => format!("docker at {address} cannot be asked to {doing}: {kind}"),
    };
    unavailable(message).with_source(error)
}

/// What a refusal of the engine means. Most of what matters is in its words only.
fn refused(doing: &str, about: Option<About<'_>>, status: u16, words: &str) -> Error {
    let lower = words.to_ascii_lowercase();
    let has = |any: &[&str]| any.iter().any(|part| lower.contains(part));
    let message = format!("docker cannot {doing}: {words}");
    let error = if has(&["no space left on device", "disk quota exceeded"]) {
        Error::new(ErrorCode::OutOfDisk, format!("{message}; make room on the engine's disk"))
    } else if has(&["toomanyrequests", "too many requests", "rate limit"]) || status == 429 {
        Error::new(ErrorCode::RateLimited, format!("{message}; wait, or log in to the registry"))
    } else if has(&ADDRESSES) {
        Error::new(
            ErrorCode::LimitExceeded,
            format!("{message}; remove networks that nobody uses, or give the engine a larger default-address-pool"),
        )
    } else if has(&["client sent an http request to an https server"]) {
        let reason = "is an engine that speaks TLS: set DOCKER_TLS_VERIFY, and DOCKER_CERT_PATH to where its ca.pem is";
        Error::invalid_spec("DOCKER_HOST", reason)
    } else if has(&["no such image", "image not known", "manifest unknown", "repository does not exist"]) {
        Error::new(ErrorCode::ImageNotFound, message)
    } else {
        by_status(about, meant(status, &lower), message)
    };
    let detail = match error.detail() {
        Detail::None => Some(Detail::Provider { code: Some(status.to_string()), json: serde_json::Value::Null }),
        _ => None,
    };
    let error = error.with_provider(&ProviderKind::DOCKER);
    detail.into_iter().fold(error, Error::with_detail)
}

/// The code, where the engine's words are clearer than its status.
fn meant(status: u16, lower: &str) -> u16 {
    match status {
        500 if lower.contains("no such container") => 404,
        500 if lower.contains("container state improper") => 409,
        status => status,
    }
}

fn by_status(about: Option<About<'_>>, status: u16, message: String) -> Error {
    match (status, about) {
        (404, Some(About { resource: Resource::Image, .. })) => Error::new(ErrorCode::ImageNotFound, message),
        (404, Some(About { resource, id })) => Error::not_found(resource, id),
        (404, None) => Error::new(ErrorCode::NotFound, message),
        (400, _) => Error::new(ErrorCode::InvalidSpec, message),
        (401, _) => Error::new(ErrorCode::Unauthenticated, message),
        (403, _) => Error::new(ErrorCode::PermissionDenied, message),
        (409, _) => Error::new(ErrorCode::Conflict, message),
        (503, _) => Error::new(ErrorCode::EngineUnavailable, message),
        _ => Error::new(ErrorCode::Internal, message),
    }
}

fn clean(text: &str) -> String {
    text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).take(MESSAGE).collect()
}

/// A cause of which only the words are left.
#[derive(Debug)]
struct Text(String);

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Text {}

/// The refusal of a capability: `reason` says why, and after a colon what to do.
pub(crate) fn refusal(capability: Capability, reason: &str) -> Error {
    let message = format!("{capability} is not supported here: {reason}");
    Error::new(ErrorCode::Unsupported, message).with_detail(Detail::Unsupported { capability: capability.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(status_code: u16, message: &str, about: Option<About<'_>>) -> Error {
        let error = EngineError::DockerResponseServerError { status_code, message: message.into() };
        explain(&Address::Tcp("a:1".into()), "make a container", about, error)
    }

    #[test]
    fn the_engines_words_decide_where_its_status_does_not() {
        let codes = [
            (500, "write /a: no space left on device", ErrorCode::OutOfDisk),
            (500, "toomanyrequests: You have reached your pull rate limit", ErrorCode::RateLimited),
            (404, "could not find an available, non-overlapping IPv4 address pool", ErrorCode::LimitExceeded),
            (500, "no available IPv4 addresses on this network's address pools: bridge (a)", ErrorCode::LimitExceeded),
            (404, "No such image: a:latest", ErrorCode::ImageNotFound),
            (404, "page not found", ErrorCode::NotFound),
            (409, "Conflict", ErrorCode::Conflict),
            (500, "container 1 does not exist in database: no such container", ErrorCode::NotFound),
            (500, "container state improper: stopped", ErrorCode::Conflict),
            (500, "anything else", ErrorCode::Internal),
        ];
        for (status, words, code) in codes {
            let error = explained(status, words, None);
            assert_eq!(error.code(), code, "{words}");
            assert_eq!(error.provider(), Some(&ProviderKind::DOCKER));
        }
        let about = About { resource: Resource::Sandbox, id: "x" };
        let error = explained(404, "No such container: x", Some(about));
        assert!(matches!(error.detail(), Detail::Resource { resource: Resource::Sandbox, .. }));
        assert!(explained(500, "anything else", None).is_infrastructure());
    }

    #[test]
    fn an_engine_that_is_not_there_is_told_from_one_that_may_not_be_used() {
        let explained = |kind: io::ErrorKind| {
            let error = EngineError::IOError { err: kind.into() };
            explain(&Address::Unix("/a".into()), "make a container", None, error)
        };
        let down = explained(io::ErrorKind::ConnectionRefused);
        assert_eq!((down.code(), down.is_infrastructure()), (ErrorCode::EngineUnavailable, true));
        let forbidden = explained(io::ErrorKind::PermissionDenied);
        assert_eq!(forbidden.code(), ErrorCode::PermissionDenied);
        assert!(forbidden.message().contains("group"), "{forbidden}");
    }
}
