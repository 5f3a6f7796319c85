//! Registries that refuse, fail and lie, when they are asked what a reference stands for.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may panic and talk"
)]

mod common;

use common::hostile::{Hostile, Reply, Seen, honest};
use common::image::{DOCKER_LIST, Image, OCI_INDEX, OCI_MANIFEST, descriptor, host, index};
use common::{client, config, reference};
use isobox_contract::{Detail, Error, ErrorCode};
use isobox_registry::{Digest, RegistryConfig, Resolved};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

fn image() -> Image {
    Image::oci(&host(), &[b"layer"])
}

async fn resolve_with(config: RegistryConfig, server: &Hostile) -> Result<Resolved, Error> {
    client(config).pull(&server.image("a/b:c"), None).unwrap().resolve(None, None).await
}

async fn resolve(server: &Hostile) -> Result<Resolved, Error> {
    resolve_with(config(), server).await
}

/// What comes of a registry that answers this for manifests and is honest otherwise.
async fn with_manifest(answer: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> (Hostile, Result<Resolved, Error>) {
    let image = image();
    let server = Hostile::start(move |seen| match seen.path.contains("/manifests/") {
        true => answer(seen),
        false => honest(&image, seen),
    });
    let server = server.await;
    let result = resolve(&server).await;
    (server, result)
}

async fn refused(answer: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> (Hostile, Error) {
    let (server, result) = with_manifest(answer).await;
    let error = result.map(|resolved| resolved.digest).unwrap_err();
    assert_eq!(error.operation(), Some("image.pull"));
    (server, error)
}

fn word(error: &Error) -> String {
    match error.detail() {
        Detail::Provider { code: Some(code), .. } => code.clone(),
        other => panic!("{other:?} in {error:?}"),
    }
}

#[tokio::test]
async fn a_limit_says_how_long_to_wait() {
    let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(1000));
    let epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() + 1000;
    let headers = [
        ("retry-after", "120".to_owned(), 120..=120),
        ("retry-after", date, 900..=1001),
        ("ratelimit-reset", "77".to_owned(), 77..=77),
        ("x-ratelimit-reset", epoch.to_string(), 900..=1001),
        ("retry-after", u128::MAX.to_string(), 604_800..=604_800),
    ];
    for (name, value, expected) in headers {
        let body = r#"{"errors":[{"code":"TOOMANYREQUESTS","message":"slow down"}]}"#;
        let (server, error) = refused(move |_| Reply::status(429, body).with(name, &value)).await;
        assert_eq!(error.code(), ErrorCode::RateLimited);
        let wait = error.retry_after().unwrap().as_secs();
        assert!(expected.contains(&wait) && error.is_retryable() && error.is_infrastructure(), "{name}: {wait}");
        assert!(error.message().contains(&server.address) && word(&error) == "TOOMANYREQUESTS", "{error}");
        assert_eq!(server.seen().len(), 1, "it was asked again before the time");
    }
    for useless in ["", "soon", "-5", "Wed, 99 Foo 2040"] {
        let (_, error) = refused(move |_| Reply::status(429, "").with("retry-after", useless)).await;
        assert_eq!((error.code(), error.retry_after()), (ErrorCode::RateLimited, None));
    }
}

#[tokio::test]
async fn a_short_limit_is_waited_for() {
    let asked = AtomicUsize::new(0);
    let (server, result) = with_manifest(move |seen| match asked.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::status(429, "").with("retry-after", 0),
        _ => honest(&image(), seen),
    })
    .await;
    assert_eq!(result.unwrap().digest, image().digest());
    assert_eq!(server.seen_for("/manifests/").len(), 2);
}

#[tokio::test]
async fn who_may_not_is_told_what_to_do() {
    let basic = |status| move |_: &Seen| Reply::status(status, "").with("www-authenticate", "Basic realm=\"x\"");
    for (answer, code) in [(401, ErrorCode::Unauthenticated), (403, ErrorCode::PermissionDenied)] {
        let (server, error) = refused(basic(answer)).await;
        assert_eq!(error.code(), code);
        assert!(!error.is_retryable() && !error.is_infrastructure());
        let login = format!("docker login {}", server.address);
        assert!(error.message().contains(&login), "{error}");
        assert_eq!(server.seen().len(), 1);
    }
    for strange in ["", "Negotiate", "Bearer", "Bearer service=\"a\"", "Bearer realm=", "\"", "Digest a=b, ,,"] {
        let (_, error) = refused(move |_| Reply::status(401, "").with("www-authenticate", strange)).await;
        assert_eq!(error.code(), ErrorCode::Unauthenticated, "{strange}");
    }
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    for status in [408, 500, 502, 503, 504] {
        let asked = AtomicUsize::new(0);
        let (_, result) = with_manifest(move |seen| match asked.fetch_add(1, Ordering::SeqCst) {
            0 | 1 => Reply::status(status, "busy"),
            2 => Reply::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\ncut".to_vec()),
            _ => honest(&image(), seen),
        })
        .await;
        assert_eq!(result.unwrap().digest, image().digest(), "{status}");
        let (server, error) = refused(move |_| Reply::status(status, "busy")).await;
        assert_eq!(error.code(), ErrorCode::ImagePullFailed);
        assert!(error.is_retryable() && error.is_infrastructure());
        assert_eq!(server.seen().len(), 5, "{status}");
    }
    for status in [400, 405, 418, 501] {
        let (server, error) = refused(move |_| Reply::status(status, "no")).await;
        assert_eq!((error.code(), error.is_retryable()), (ErrorCode::ImagePullFailed, false));
        assert_eq!(server.seen().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn connections_that_fail_are_told_apart() {
    let once = || RegistryConfig { attempts: 2, connect_timeout: Duration::from_millis(500), ..config() };
    let of = async |config: RegistryConfig, name: &str| {
        let error = client(config).pull(&reference(name), None).unwrap().resolve(None, None).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::ImagePullFailed, "{error}");
        assert!(error.is_infrastructure());
        (word(&error), error.is_retryable())
    };
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_eq!(of(once(), &format!("{free}/a")).await, ("connection_refused".to_owned(), true));
    assert_eq!(of(once(), "does-not-exist.invalid/a").await, ("dns".to_owned(), true));
    let plain = Hostile::start(|_| Reply::Raw(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec())).await;
    let tls = format!("https://{}", plain.address);
    let mut mirrored = once();
    // A mirror that does not speak TLS, and a registry that is not there: the error is the registry's.
    mirrored.mirrors.insert(free.to_string(), vec![tls]);
    assert_eq!(of(mirrored, &format!("{free}/a")).await, ("connection_refused".to_owned(), true));
    let silent = Hostile::start(|_| Reply::Hang(Vec::new())).await;
    let impatient = RegistryConfig { read_timeout: Duration::from_millis(50), ..once() };
    assert_eq!(of(impatient, &format!("{}/a", silent.address)).await, ("timeout".to_owned(), true));
    let garbage = Hostile::start(|_| Reply::Raw(b"220 mail.example.com ESMTP\r\n".to_vec())).await;
    assert_eq!(of(once(), &format!("{}/a", garbage.address)).await, ("protocol".to_owned(), true));
    let closing = Hostile::start(|_| Reply::Raw(Vec::new())).await;
    assert_eq!(of(once(), &format!("{}/a", closing.address)).await, ("connection_lost".to_owned(), true));
}

#[tokio::test]
async fn endless_answers_end() {
    let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    let chunk = [b"10000\r\n".to_vec(), vec![b' '; 0x10000], b"\r\n".to_vec()].concat();
    let (server, error) = refused(move |_| Reply::Endless(head.clone(), chunk.clone())).await;
    assert_eq!((word(&error).as_str(), error.is_retryable()), ("size", false));
    assert_eq!(server.seen().len(), 1);

    let gigantic = b"HTTP/1.1 200 OK\r\ncontent-length: 999999999999\r\n\r\n{".to_vec();
    let (_, error) = refused(move |_| Reply::Hang(gigantic.clone())).await;
    assert_eq!(word(&error), "size");

    let name = |_: &Seen| Reply::Endless(b"HTTP/1.1 200 OK\r\n".to_vec(), b"a: b\r\n".repeat(1000));
    let (_, error) = refused(name).await;
    assert_eq!(word(&error), "protocol");
    let value = |_: &Seen| Reply::Endless(b"HTTP/1.1 200 OK\r\na: ".to_vec(), vec![b'a'; 100_000]);
    let (_, error) = refused(value).await;
    assert_eq!(word(&error), "protocol");
    // An error of a failure that never ends is a failure all the same.
    let failing = |_: &Seen| Reply::Endless(b"HTTP/1.1 404 No\r\n\r\n".to_vec(), vec![b'a'; 100_000]);
    let (_, error) = refused(failing).await;
    assert_eq!(error.code(), ErrorCode::ImageNotFound);
}

#[tokio::test]
async fn a_trickle_runs_into_the_deadline() {
    let image = image();
    let server = Hostile::start(move |_| {
        Reply::Hang(
            [b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n".to_vec(), image.manifest[..10].to_vec()].concat(),
        )
    })
    .await;
    let pull = client(config()).pull(&server.image("a"), None).unwrap();
    let deadline = Some(Instant::now() + Duration::from_millis(100));
    let error = pull.resolve(None, deadline).await.unwrap_err();
    assert_eq!((error.code(), error.operation()), (ErrorCode::Timeout, Some("image.pull")));
    let passed = pull.resolve(None, Some(Instant::now())).await.unwrap_err();
    assert_eq!(passed.code(), ErrorCode::Timeout);
    // Without a deadline of the caller, a document has one of its own.
    let own = RegistryConfig { document_timeout: Duration::from_millis(100), attempts: 2, ..config() };
    assert_eq!(word(&resolve_with(own, &server).await.unwrap_err()), "timeout");
}

#[tokio::test]
async fn credentials_do_not_follow_a_redirect_elsewhere() {
    let image = image();
    let (store_image, front_image) = (image.clone(), image.clone());
    let store = Hostile::start(move |seen| honest(&store_image, seen)).await;
    let elsewhere = store.address.clone();
    let server = Hostile::start(move |seen| match seen.header("authorization") {
        None => Reply::status(401, "").with("www-authenticate", "Basic realm=\"x\""),
        // Redirects to itself keep the credentials, to others they do not.
        Some(_) if seen.path.contains("/blobs/") => Reply::redirect(&format!("http://u:p@{elsewhere}{}", seen.path)),
        Some(_) if !seen.path.starts_with("/v2/moved") => Reply::redirect(&format!("/v2/moved{}", &seen.path[3..])),
        Some(_) => honest(&front_image, seen),
    })
    .await;
    let auth = isobox_contract::RegistryAuth { username: "me".into(), password: "hunter2".into(), server: None };
    let pull = client(config()).pull(&server.image("a/b"), Some(&auth)).unwrap();
    let resolved = pull.resolve(None, None).await.unwrap();
    assert_eq!(resolved.config, image.config);
    let moved = server.seen_for("/v2/moved");
    assert!(!moved.is_empty() && moved.iter().all(|seen| seen.header("authorization").is_some()));
    let there = store.seen();
    assert_eq!(there.len(), 1);
    assert!(there.iter().all(|seen| seen.header("authorization").is_none()), "{there:?}");
}

#[tokio::test]
async fn redirects_end() {
    let (server, error) = refused(|seen| Reply::redirect(&seen.path)).await;
    assert_eq!((word(&error).as_str(), error.is_retryable()), ("redirects", false));
    assert_eq!(server.seen().len(), 6);
    for nowhere in ["", "file:///etc/passwd", "ftp://a/b", "http://", "http://[::1"] {
        let (_, error) = refused(move |_| Reply::status(302, "").with("location", nowhere)).await;
        assert!(["redirect", "redirects"].contains(&word(&error).as_str()), "{nowhere}: {error}");
    }
    let (_, error) = refused(|_| Reply::status(302, "")).await;
    assert_eq!(word(&error), "redirect");
}

#[tokio::test]
async fn manifests_that_are_none_are_refused() {
    let image = image();
    let config = descriptor("application/vnd.oci.image.config.v1+json", &image.config);
    let layer = |media: &str| descriptor(media, b"layer");
    let tar = "application/vnd.oci.image.layer.v1.tar";
    let manifest = |config: serde_json::Value, layers: serde_json::Value| json!({"schemaVersion": 2, "mediaType": OCI_MANIFEST, "config": config, "layers": layers});
    let mut foreign = layer(tar);
    foreign["urls"] = json!(["https://example.com/layer"]);
    let mut weak = layer(tar);
    weak["digest"] = "md5:d41d8cd98f00b204e9800998ecf8427e".into();
    let mut negative = layer(tar);
    negative["size"] = json!(-1);
    let helm = descriptor("application/vnd.cncf.helm.config.v1+json", &image.config);
    let both = json!({"schemaVersion": 2, "manifests": [], "layers": [], "config": config});
    let cases: Vec<(serde_json::Value, &str, bool)> = vec![
        (json!("text"), "is not JSON", true),
        (json!({}), "neither an index nor an image", true),
        (both, "neither an index nor an image", true),
        (json!({"schemaVersion": 1, "fsLayers": [], "history": []}), "schema 1", false),
        (manifest(config.clone(), json!([foreign])), "foreign layer", false),
        (
            manifest(config.clone(), json!([layer("application/vnd.docker.image.rootfs.foreign.diff.tar.gzip")])),
            "foreign",
            false,
        ),
        (manifest(config.clone(), json!([layer("application/vnd.oci.image.layer.v1.tar+bzip2")])), "bzip2", false),
        (
            manifest(config.clone(), json!([layer("application/vnd.oci.image.layer.v1.tar+gzip+encrypted")])),
            "encrypted",
            false,
        ),
        (manifest(helm, json!([layer(tar)])), "helm", false),
        (manifest(config.clone(), json!([weak])), "md5", true),
        (manifest(config.clone(), json!([negative])), "is not an image manifest", true),
        (manifest(config.clone(), json!(vec![layer(tar); 501])), "more than 500 layers", true),
        (manifest(config, json!("layers")), "is not an image manifest", true),
    ];
    for (document, expected, is_infrastructure) in cases {
        let bytes = document.to_string();
        let (_, error) = refused(move |_| Reply::ok(bytes.clone())).await;
        assert_eq!(error.code(), ErrorCode::ImagePullFailed, "{error}");
        assert_eq!((error.is_retryable(), error.is_infrastructure()), (false, is_infrastructure), "{error}");
        assert!(error.message().contains(expected), "{expected}: {error}");
    }
    for bytes in [&b""[..], b"{", b"<html>", b"\xff\xfe", b"[[[[[[", b"{\"schemaVersion\": 2, \"schemaVersion\": 2}"] {
        let (_, error) = refused(move |_| Reply::ok(bytes)).await;
        assert!(error.message().contains("is not JSON"), "{error}");
    }
    let deep = "[".repeat(200_000);
    let (_, error) = refused(move |_| Reply::ok(deep.clone())).await;
    assert!(error.message().contains("is not JSON"), "{error}");
}

#[tokio::test]
async fn digests_and_sizes_are_held_against_what_comes() {
    // The registry says one digest and sends another content.
    let (_, error) = refused(|_| Reply::ok(image().manifest).with("docker-content-digest", Digest::of(b"other"))).await;
    assert_eq!((word(&error).as_str(), error.is_retryable()), ("digest", false));
    assert!(error.message().contains(&Digest::of(b"other").to_string()), "{error}");
    assert!(error.message().contains(&image().digest().to_string()), "{error}");

    // What is pinned.
    let server = Hostile::start(|seen| honest(&image(), seen)).await;
    let pinned = server.image(&format!("a@{}", Digest::of(b"pinned")));
    let error = client(config()).pull(&pinned, None).unwrap().resolve(None, None).await.unwrap_err();
    assert_eq!(word(&error), "digest");

    // An index that lies about its manifest, a manifest that lies about its config.
    let mut other = image();
    other.manifest.push(b' ');
    for bytes in [image().manifest[1..].to_vec(), other.manifest.clone(), b"x".to_vec()] {
        let list = index(OCI_INDEX, &[(&image(), &host(), None)]);
        let (_, error) = refused(move |seen| match seen.path.ends_with(":c") || seen.path.ends_with("/c") {
            true => Reply::ok(list.clone()),
            false => Reply::ok(bytes.clone()),
        })
        .await;
        assert!(["digest", "size"].contains(&word(&error).as_str()), "{error}");
    }
    for bytes in [b"x".to_vec(), vec![b'x'; image().config.len()], vec![b'x'; 100_000]] {
        let server = Hostile::start(move |seen| match seen.path.contains("/blobs/") {
            true => Reply::ok(bytes.clone()),
            false => honest(&image(), seen),
        })
        .await;
        let error = resolve(&server).await.unwrap_err();
        assert!(["digest", "size"].contains(&word(&error).as_str()), "{error}");
    }
    let mut claims = image();
    claims.manifest =
        String::from_utf8(claims.manifest).unwrap().replace("\"size\":", "\"size\":9999999999").into_bytes();
    let server = Hostile::start(move |seen| honest(&claims, seen)).await;
    assert_eq!(word(&resolve(&server).await.unwrap_err()), "size");
    assert!(server.seen_for("/blobs/").is_empty(), "a config of that size is not asked for");
}

#[tokio::test]
async fn a_digest_is_asked_for_without_the_image() {
    let claims = |seen: &Seen| match seen.method.as_str() {
        "HEAD" => Reply::ok("").with("docker-content-digest", image().digest()),
        _ => Reply::status(500, ""),
    };
    let silent = |seen: &Seen| match seen.method.as_str() {
        "HEAD" => Reply::ok("").with("docker-content-digest", "md5:1"),
        _ => honest(&image(), seen),
    };
    let knows_no_head = |seen: &Seen| match seen.method.as_str() {
        "HEAD" => Reply::status(405, ""),
        _ => honest(&image(), seen),
    };
    let answers: [fn(&Seen) -> Reply; 3] = [claims, silent, knows_no_head];
    for (answer, requests) in answers.into_iter().zip([1, 2, 2]) {
        let server = Hostile::start(answer).await;
        let pull = client(config()).pull(&server.image("a"), None).unwrap();
        assert_eq!(pull.digest(None).await.unwrap(), image().digest());
        assert_eq!(server.seen().len(), requests);
    }
}

#[tokio::test]
async fn a_deadline_tells_what_was_tried_in_vain() {
    let server = Hostile::start(|_| Reply::status(503, "")).await;
    let patient = RegistryConfig { backoff: Duration::from_secs(100), ..config() };
    let pull = client(patient).pull(&server.image("a"), None).unwrap();
    let error = pull.resolve(None, Some(Instant::now() + Duration::from_millis(500))).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Timeout);
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(cause.contains("503"), "{cause}");
}

#[tokio::test]
async fn an_index_that_leads_nowhere_ends() {
    let absent = index(DOCKER_LIST, &[(&image(), &host(), None)]);
    let (_, error) = refused(move |seen| match seen.path.contains("sha256") {
        true => Reply::status(404, ""),
        false => Reply::ok(absent.clone()),
    })
    .await;
    assert_eq!(error.code(), ErrorCode::ImageNotFound);

    // Indexes in indexes, deeper than anybody needs.
    let mut documents = vec![image().manifest];
    for _ in 0..6 {
        let inner = Image { manifest: documents.last().unwrap().clone(), media_type: OCI_INDEX, ..image() };
        documents.push(index(OCI_INDEX, &[(&inner, &host(), None)]));
    }
    let (_, error) = refused(move |seen| {
        let named = documents.iter().find(|bytes| seen.path.ends_with(&Digest::of(bytes).to_string()));
        Reply::ok(named.or(documents.last()).unwrap().clone())
    })
    .await;
    assert!(error.message().contains("deep"), "{error}");

    let empty = json!({"schemaVersion": 2, "manifests": []}).to_string();
    let (_, error) = refused(move |_| Reply::ok(empty.clone())).await;
    assert_eq!(error.code(), ErrorCode::ImageNotFound);
}

#[tokio::test]
async fn an_image_for_another_platform_is_refused_unless_asked_for() {
    let foreign = Image::oci("s390x", &[b"layer"]);
    let server = Hostile::start(move |seen| honest(&foreign, seen)).await;
    let error = resolve(&server).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ImageNotFound);
    assert!(error.message().contains("it is for linux/s390x"), "{error}");
    let pull = client(config()).pull(&server.image("a"), None).unwrap();
    let resolved = pull.resolve(Some(&"linux/s390x".parse().unwrap()), None).await.unwrap();
    assert_eq!(resolved.platform.to_string(), "linux/s390x");
}
