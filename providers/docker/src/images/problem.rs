//! Why the engine could not fetch an image, in the words that isobox has for it everywhere.
//!
//! The engine tells only in its own sentences what the registry answered, so these are looked through. The codes are those of
//! isobox's own client of registries.

use bollard::errors::Error as EngineError;
use isobox_contract::{Detail, Error, ErrorCode, Resource};
use std::time::Duration;

/// The error that a failed pull is; `as_somebody` says whether there were credentials to show. `None` for what is about the
/// engine and not about the image.
pub(crate) fn pull_problem(registry: &str, image: &str, as_somebody: bool, error: &EngineError) -> Option<Error> {
    let (status, words) = match error {
        EngineError::DockerResponseServerError { status_code, message } => (*status_code, message),
        EngineError::DockerStreamError { error } => (500, error),
        _ => return None,
    };
    let lower = words.to_ascii_lowercase();
    let has = |any: &[&str]| any.iter().any(|part| lower.contains(part));
    let missing = || {
        let message = format!("the registry {registry} has no image {image}");
        let detail = Detail::Resource { resource: Resource::Image, id: image.to_owned() };
        Error::new(ErrorCode::ImageNotFound, message).with_detail(detail)
    };
    Some(if has(&["toomanyrequests", "too many requests"]) || status == 429 {
        limited(registry, &lower)
    } else if has(&["no space left", "disk quota exceeded"]) {
        let message = format!("docker has no room for the image {image}, make room on the engine's disk");
        coded("no_space", Error::new(ErrorCode::OutOfDisk, message))
    } else if has(&["no matching manifest"]) {
        let message = format!("the registry {registry} has no image {image} for this platform, give another platform");
        coded("platform", Error::new(ErrorCode::ImageNotFound, message))
    } else if has(&["manifest unknown", "name unknown", "repository name not known", "manifest invalid: 404"]) {
        missing()
    } else if has(&[
        "unauthorized",
        "authentication required",
        "no basic auth credentials",
        "pull access denied",
        "incorrect username",
    ]) {
        unauthenticated(registry, image, as_somebody)
    } else if has(&["denied", "forbidden"]) || status == 403 {
        let message = format!(
            "the registry {registry} refuses {image}: whoever asks may not read it: run `docker login {registry}` as somebody who may, or give other credentials with the image"
        );
        coded("denied", Error::new(ErrorCode::PermissionDenied, message))
    } else if status == 404 {
        missing()
    } else {
        connection(registry, image, &lower)
    })
}

fn unauthenticated(registry: &str, image: &str, as_somebody: bool) -> Error {
    let (problem, way_out) = match as_somebody {
        true => ("does not take the credentials for it", "with others"),
        false => ("it does not exist, or needs credentials", "first"),
    };
    let message = format!(
        "the registry {registry} does not give {image}: {problem}: run `docker login {registry}` {way_out}, or give credentials with the image"
    );
    coded("unauthorized", Error::new(ErrorCode::Unauthenticated, message))
}

fn limited(registry: &str, lower: &str) -> Error {
    let message = format!("the registry {registry} limits how often it is asked: wait, or log in to it");
    let error = coded("toomanyrequests", Error::new(ErrorCode::RateLimited, message));
    // The engine keeps the registry's header to itself; some registries say it in their sentence too.
    match lower.split_once("retry-after:").and_then(|(_, rest)| wait(rest)) {
        Some(after) => error.with_retry_after(after),
        None => error,
    }
}

/// A wait as Go writes it, such as `318.5ms` or `1m30s`, or whole seconds; at most an hour.
fn wait(text: &str) -> Option<Duration> {
    let text = text.trim_start().split([',', ' ', '"', ')']).next()?;
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds.min(3600)));
    }
    let mut total = 0.0;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        let unit = rest[digits..].find(|c: char| c.is_ascii_digit()).map_or(rest.len(), |at| digits + at);
        total += number
            * match &rest[digits..unit] {
                "h" => 3600.0,
                "m" => 60.0,
                "s" => 1.0,
                "ms" => 1e-3,
                "µs" | "us" => 1e-6,
                "ns" => 1e-9,
                _ => return None,
            };
        rest = &rest[unit..];
    }
    (total > 0.0).then(|| Duration::from_secs_f64(total.min(3600.0)))
}

/// What went wrong on the way to the registry.
fn connection(registry: &str, image: &str, lower: &str) -> Error {
    let has = |any: &[&str]| any.iter().any(|part| lower.contains(part));
    let (word, message, lasting) =
        if has(&["no such host", "server misbehaving", "temporary failure in name resolution"]) {
            ("dns", format!("the name of the registry {registry} cannot be resolved by the engine"), false)
        } else if has(&["connection refused"]) {
            (
                "connection_refused",
                format!("nothing listens at the registry {registry}: the connection was refused"),
                false,
            )
        } else if has(&["server gave http response to https client"]) {
            let message =
                format!("the registry {registry} does not speak TLS: list it in the engine's insecure-registries");
            ("tls", message, true)
        } else if has(&["x509:", "certificate"]) {
            let message = format!("the engine does not trust the certificate of the registry {registry}");
            ("certificate", message, true)
        } else if has(&["timeout", "deadline exceeded", "awaiting headers"]) {
            ("timeout", format!("the registry {registry} did not answer the engine in time"), false)
        } else if has(&["connection reset", "unexpected eof", "broken pipe", ": eof"]) {
            ("connection_lost", format!("the registry {registry} broke off the connection"), false)
        } else {
            (
                "status",
                format!("docker could not fetch {image} from the registry {registry}, see the engine's log"),
                false,
            )
        };
    coded(word, Error::new(ErrorCode::ImagePullFailed, message).retryable(!lasting))
}

fn coded(word: &str, error: Error) -> Error {
    error.with_detail(Detail::Provider { code: Some(word.to_owned()), json: serde_json::Value::Null })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(status_code: u16, message: &str) -> Error {
        let error = EngineError::DockerResponseServerError { status_code, message: message.into() };
        pull_problem("r.example", "r.example/a:1", false, &error).unwrap()
    }

    #[test]
    fn the_engines_sentences_are_told_apart() {
        use ErrorCode::*;
        let sentences = [
            (404, "manifest for r.example/a:1 not found: manifest unknown: manifest unknown", ImageNotFound),
            (404, "pull access denied for a, repository does not exist or may require 'docker login'", Unauthenticated),
            (
                500,
                "Head \"https://r.example/v2/a/manifests/1\": unauthorized: authentication required",
                Unauthenticated,
            ),
            (500, "Head \"https://r.example/v2/a/manifests/1\": denied: no", PermissionDenied),
            (500, "toomanyrequests: You have reached your pull rate limit", RateLimited),
            (500, "write /var/lib/docker/tmp/x: no space left on device", OutOfDisk),
            (500, "no matching manifest for linux/s390x in the manifest list entries", ImageNotFound),
            (500, "Get \"https://r.example/v2/\": dial tcp: lookup r.example: no such host", ImagePullFailed),
            (500, "Get \"https://r.example/v2/\": x509: certificate signed by unknown authority", ImagePullFailed),
            (500, "anything else", ImagePullFailed),
        ];
        for (status, words, code) in sentences {
            assert_eq!(problem(status, words).code(), code, "{words}");
        }
        assert!(!problem(500, "x509: no").is_retryable() && problem(500, "connection refused").is_retryable());
        let shown = problem(500, "secret words of a registry").to_string();
        assert!(!shown.contains("secret"), "{shown}");
    }

    #[test]
    fn a_wait_that_the_registry_names_is_passed_on() {
        let after = |text: &str| {
            problem(500, &format!("toomanyrequests: retry-after: {text}, allowed: 44/minute")).retry_after()
        };
        assert_eq!(after("1m30.5s"), Some(Duration::from_millis(90_500)));
        assert_eq!(after("250ms"), Some(Duration::from_millis(250)));
        assert_eq!(after("7"), Some(Duration::from_secs(7)));
        assert_eq!(after("999h"), Some(Duration::from_secs(3600)));
        assert_eq!(after("soon"), None);
        assert_eq!(problem(500, "toomanyrequests: no").retry_after(), None);
    }
}
