//! Token servers: what they are asked, what they may answer, and who gets to see what.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may panic and talk"
)]

mod common;

use common::hostile::{Hostile, Reply, Seen, honest};
use common::image::{Image, host};
use common::{client, config};
use isobox_contract::{Error, ErrorCode, RegistryAuth, Report};
use isobox_registry::{RegistryConfig, Resolved};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const SECRET: &str = "hunter2-secret";

fn image() -> Image {
    Image::oci(&host(), &[b"layer"])
}

/// A registry that takes what `accepted` says, and names a token server.
async fn registry(realm: String, accepted: impl Fn(&str) -> bool + Send + Sync + 'static) -> Hostile {
    Hostile::start(move |seen| match seen.header("authorization") {
        Some(value) if accepted(value) => honest(&image(), seen),
        _ => {
            let challenge = format!("Bearer realm=\"{realm}\",service=\"the registry\",scope=\"repository:evil:push\"");
            Reply::status(401, r#"{"errors":[{"code":"UNAUTHORIZED"}]}"#).with("www-authenticate", challenge)
        }
    })
    .await
}

async fn resolve(server: &Hostile, auth: Option<(&str, &str)>) -> Result<Resolved, Error> {
    let auth = auth.map(|(username, password)| RegistryAuth {
        username: username.into(),
        password: password.into(),
        server: None,
    });
    client(config()).pull(&server.image("team/base:v1"), auth.as_ref()).unwrap().resolve(None, None).await
}

/// Neither the message nor what is kept of it has a secret.
fn is_discreet(error: &Error) {
    let report = serde_json::to_string(&Report::from(error)).unwrap();
    for text in [error.to_string(), format!("{error:?}"), report] {
        assert!(!text.contains(SECRET), "{text}");
    }
}

#[tokio::test]
async fn a_token_is_asked_for_once_and_shown() {
    let tokens = Hostile::start(|_| Reply::ok(r#"{"token": "t1", "expires_in": 300}"#)).await;
    let server = registry(format!("http://{}/token?a=b", tokens.address), |value| value == "Bearer t1").await;
    resolve(&server, Some(("me", SECRET))).await.unwrap();
    let asked = tokens.seen();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].path, "/token?a=b&service=the+registry&scope=repository%3Ateam%2Fbase%3Apull");
    let basic = data_encoding::BASE64.encode(format!("me:{SECRET}").as_bytes());
    assert_eq!(asked[0].header("authorization"), Some(format!("Basic {basic}").as_str()));
    let shown: Vec<_> = server.seen().iter().map(|seen| seen.header("authorization").map(str::to_owned)).collect();
    assert_eq!(shown, [None, Some("Bearer t1".to_owned()), Some("Bearer t1".to_owned())]);
}

#[tokio::test]
async fn nobody_gets_a_token_as_nobody() {
    let tokens = Hostile::start(|_| Reply::ok(r#"{"access_token": "anonymous"}"#)).await;
    let server = registry(format!("http://{}/token", tokens.address), |value| value == "Bearer anonymous").await;
    resolve(&server, None).await.unwrap();
    assert_eq!(tokens.seen()[0].header("authorization"), None);
}

#[tokio::test]
async fn an_identity_token_is_exchanged() {
    let tokens = Hostile::start(|_| Reply::ok(r#"{"access_token": "exchanged"}"#)).await;
    let server = registry(format!("http://{}/token", tokens.address), |value| value == "Bearer exchanged").await;
    resolve(&server, Some(("<token>", SECRET))).await.unwrap();
    let asked = &tokens.seen()[0];
    assert_eq!((asked.method.as_str(), asked.path.as_str()), ("POST", "/token"));
    let form = String::from_utf8(asked.body.clone()).unwrap();
    for part in ["grant_type=refresh_token", "refresh_token=hunter2-secret", "scope=repository%3Ateam%2Fbase%3Apull"] {
        assert!(form.contains(part), "{form}");
    }
    // It is not passed on when the token server redirects.
    let elsewhere = Hostile::start(|_| Reply::ok(r#"{"token": "t"}"#)).await;
    let target = format!("http://{}/", elsewhere.address);
    let tokens = Hostile::start(move |_| Reply::redirect(&target)).await;
    let server = registry(format!("http://{}/token", tokens.address), |_| true).await;
    let error = resolve(&server, Some(("<token>", SECRET))).await.unwrap_err();
    is_discreet(&error);
    assert!(elsewhere.seen().is_empty());
}

#[tokio::test]
async fn a_token_that_expires_is_renewed() {
    let made = Arc::new(AtomicUsize::new(0));
    let (current, given) = (made.clone(), made.clone());
    let tokens = Hostile::start(move |_| {
        let number = given.fetch_add(1, Ordering::SeqCst) + 1;
        Reply::ok(format!("{{\"token\": \"t{number}\"}}"))
    })
    .await;
    let realm = format!("http://{}/token", tokens.address);
    // The first token is good for the manifest and for nothing else.
    let server = Hostile::start(move |seen| {
        let number = current.load(Ordering::SeqCst);
        let fresh = seen.header("authorization") == Some(format!("Bearer t{number}").as_str());
        match fresh && (seen.path.contains("/manifests/") || number > 1) {
            true => honest(&image(), seen),
            false => Reply::status(401, "").with("www-authenticate", format!("Bearer realm=\"{realm}\"")),
        }
    })
    .await;
    let pull = client(config()).pull(&server.image("a"), None).unwrap();
    let resolved = pull.resolve(None, None).await.unwrap();
    assert_eq!(tokens.seen().len(), 2);
    let directory = tempfile::tempdir().unwrap();
    let layer = &resolved.manifest.layers[0].blob;
    pull.fetch(layer, &directory.path().join("layer"), &|_| {}, None).await.unwrap();
    assert_eq!(tokens.seen().len(), 2, "what is good is kept");
}

#[tokio::test]
async fn refusals_of_a_token_server_are_told_apart() {
    let cases = [
        (401, ErrorCode::Unauthenticated),
        (403, ErrorCode::PermissionDenied),
        (429, ErrorCode::RateLimited),
        (500, ErrorCode::ImagePullFailed),
        (404, ErrorCode::ImagePullFailed),
    ];
    for (status, code) in cases {
        let body = format!("{{\"errors\":[{{\"code\":\"X\",\"message\":\"no {SECRET}\"}}],\"details\":\"{SECRET}\"}}");
        let tokens = Hostile::start(move |_| Reply::status(status, body.as_bytes()).with("retry-after", 60)).await;
        let server = registry(format!("http://{}/token", tokens.address), |_| false).await;
        let error = resolve(&server, Some(("me", SECRET))).await.unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(error.message().contains(&server.address), "{error}");
        is_discreet(&error);
        if status == 429 {
            assert_eq!(error.retry_after().unwrap().as_secs(), 60);
        }
        assert_eq!(server.seen().len(), 1, "{status}: the registry is not asked again");
    }
}

#[tokio::test]
async fn a_token_server_may_have_a_bad_moment() {
    let asked = AtomicUsize::new(0);
    let tokens = Hostile::start(move |_| match asked.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::status(503, ""),
        1 => Reply::Raw(Vec::new()),
        _ => Reply::ok(r#"{"token": "t"}"#),
    })
    .await;
    let server = registry(format!("http://{}/token", tokens.address), |value| value == "Bearer t").await;
    resolve(&server, None).await.unwrap();
}

#[tokio::test]
async fn what_is_no_token_is_refused() {
    let answers =
        ["", "{}", "null", "[]", r#"{"token": ""}"#, r#"{"token": 5}"#, r#"{"token": "a\r\nb: c"}"#, "<html>"];
    for answer in answers {
        let tokens = Hostile::start(move |_| Reply::ok(answer)).await;
        let server = registry(format!("http://{}/token", tokens.address), |_| true).await;
        let error = resolve(&server, None).await.unwrap_err();
        assert_eq!((error.code(), error.is_retryable()), (ErrorCode::ImagePullFailed, false), "{answer}: {error}");
    }
    let tokens = Hostile::start(|_| Reply::Endless(b"HTTP/1.1 200 OK\r\n\r\n{".to_vec(), vec![b' '; 100_000])).await;
    let server = registry(format!("http://{}/token", tokens.address), |_| true).await;
    assert_eq!(resolve(&server, None).await.unwrap_err().code(), ErrorCode::ImagePullFailed);
}

#[tokio::test]
async fn a_token_that_is_not_taken_ends_it() {
    let tokens = Hostile::start(|_| Reply::ok(r#"{"token": "useless"}"#)).await;
    let server = registry(format!("http://{}/token", tokens.address), |_| false).await;
    let error = resolve(&server, None).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unauthenticated);
    assert!(error.message().contains("docker login"), "{error}");
    assert_eq!((server.seen().len(), tokens.seen().len()), (2, 1));
}

#[tokio::test]
async fn strange_realms_are_refused() {
    for realm in ["", "file:///etc/passwd", "nonsense", "http://user:password@127.0.0.1:1/", "ftp://127.0.0.1/"] {
        let server = registry(realm.to_owned(), |_| true).await;
        let error = resolve(&server, Some(("me", SECRET))).await.unwrap_err();
        assert_eq!((error.code(), error.is_retryable()), (ErrorCode::ImagePullFailed, false), "{realm}: {error}");
        is_discreet(&error);
    }
}

#[tokio::test]
async fn many_requests_share_one_token() {
    let tokens = Hostile::start(|_| Reply::ok(r#"{"token": "t"}"#)).await;
    let server = registry(format!("http://{}/token", tokens.address), |value| value == "Bearer t").await;
    let pull = client(RegistryConfig { ..config() }).pull(&server.image("a"), None).unwrap();
    let all = (0..8).map(|_| {
        let pull = pull.clone();
        tokio::spawn(async move { pull.resolve(None, None).await.unwrap() })
    });
    for one in all.collect::<Vec<_>>() {
        one.await.unwrap();
    }
    assert_eq!(tokens.seen().len(), 1);
    let _: Vec<Seen> = server.seen();
}
