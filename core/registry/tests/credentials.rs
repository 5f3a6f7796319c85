//! Docker's own configuration and credential helpers, as small scripts on a PATH of their own.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may panic and talk"
)]

mod common;

use common::hostile::{Hostile, Reply, honest};
use common::image::{Image, host};
use common::{client, config};
use isobox_contract::{Error, ErrorCode, RegistryAuth, Report};
use isobox_registry::{RegistryConfig, Resolved};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const SECRET: &str = "hunter2-secret";

/// Tells the test that it runs in a process of its own, with the helpers of this directory on its PATH.
const INSIDE: &str = "ISOBOX_TEST_HELPERS";

fn image() -> Image {
    Image::oci(&host(), &[b"layer"])
}

/// A registry that wants a name and a password.
async fn guarded() -> Hostile {
    let basic = data_encoding::BASE64.encode(format!("me:{SECRET}").as_bytes());
    Hostile::start(move |seen| match seen.header("authorization") {
        Some(value) if value == format!("Basic {basic}") => honest(&image(), seen),
        _ => Reply::status(401, "").with("www-authenticate", "Basic realm=\"x\""),
    })
    .await
}

async fn resolve_at(server: &Hostile, docker: &Path, auth: Option<&RegistryAuth>) -> Result<Resolved, Error> {
    let config =
        RegistryConfig { docker_config: Some(docker.to_owned()), read_timeout: Duration::from_secs(2), ..config() };
    let result = client(config).pull(&server.image("a"), auth).unwrap().resolve(None, None).await;
    if let Err(error) = &result {
        let report = serde_json::to_string(&Report::from(error)).unwrap();
        for text in [error.to_string(), format!("{error:?}"), report] {
            assert!(!text.contains(SECRET), "{text}");
        }
    }
    result
}

/// With this text as `config.json`.
async fn resolve(server: &Hostile, text: &str) -> Result<Resolved, Error> {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("config.json"), text).unwrap();
    resolve_at(server, directory.path(), None).await
}

fn auth_entry() -> Value {
    json!({"auth": data_encoding::BASE64.encode(format!("me:{SECRET}").as_bytes())})
}

#[tokio::test]
async fn what_docker_login_wrote_is_used() {
    let server = guarded().await;
    let address = &server.address;
    let keys = [address.clone(), format!("https://{address}"), format!("http://{address}/v2/"), format!("{address}/a")];
    for key in keys {
        let text = json!({"auths": {"other:5000": {"auth": "eDp5"}, key: auth_entry()}, "HttpHeaders": {}}).to_string();
        resolve(&server, &text).await.unwrap();
    }
    let text = json!({"auths": {address: {"username": "me", "password": SECRET}}}).to_string();
    resolve(&server, &text).await.unwrap();
}

#[tokio::test]
async fn what_is_given_with_the_image_comes_first() {
    let server = guarded().await;
    let directory = tempfile::tempdir().unwrap();
    let wrong = json!({"auths": {&server.address: {"auth": "bWU6d3Jvbmc="}}}).to_string();
    std::fs::write(directory.path().join("config.json"), wrong).unwrap();
    let given = |server: Option<&str>| RegistryAuth {
        username: "me".into(),
        password: SECRET.into(),
        server: server.map(str::to_owned),
    };
    resolve_at(&server, directory.path(), Some(&given(None))).await.unwrap();
    resolve_at(&server, directory.path(), Some(&given(Some(&format!("https://{}/v2/", server.address)))))
        .await
        .unwrap();
    // Credentials for another registry are for another registry.
    let error = resolve_at(&server, directory.path(), Some(&given(Some("registry.example.com")))).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unauthenticated);
    assert!(!server.seen().iter().any(|seen| seen.header("authorization").is_some_and(|value| value.contains(SECRET))));
}

#[tokio::test]
async fn configurations_without_credentials_mean_nobody() {
    let server = guarded().await;
    let address = &server.address;
    let texts = [
        "",
        "{}",
        r#"{"auths": {}}"#,
        &json!({"auths": {address: {}}}).to_string(),
        &json!({"auths": {address: null}}).to_string(),
        &json!({"auths": {address: {"auth": "%%%"}}}).to_string(),
        &json!({"auths": {address: {"auth": "bm9jb2xvbg=="}}}).to_string(),
        r#"{"credsStore": ""}"#,
    ];
    for text in texts {
        let error = resolve(&server, text).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Unauthenticated, "{text}: {error}");
        assert!(error.message().contains(&format!("docker login {address}")), "{error}");
    }
    let error = resolve_at(&server, Path::new("/no/such/directory"), None).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unauthenticated);
    assert!(server.seen().iter().all(|seen| seen.header("authorization").is_none()));
}

#[tokio::test]
async fn a_configuration_that_cannot_be_read_is_named() {
    let server = guarded().await;
    for text in ["{", r#"{"auths": []}"#, &format!("{{\"auths\": \"{SECRET}\"}}"), &" ".repeat(2_000_000)] {
        let error = resolve(&server, text).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidSpec);
        assert!(error.message().contains("config.json"), "{error}");
    }
}

#[tokio::test]
async fn a_public_image_needs_no_configuration() {
    // Nothing is read, and no helper is run, for a registry that does not ask.
    let server = Hostile::start(|seen| honest(&image(), seen)).await;
    resolve(&server, "this is not JSON").await.unwrap();
    resolve(&server, r#"{"credsStore": "hangs-forever"}"#).await.unwrap();
}

/// Runs a test of this file in a process whose PATH begins with a directory of helpers.
fn inside(test: &str, helpers: &[(&str, &str)]) -> Option<PathBuf> {
    if let Some(directory) = std::env::var_os(INSIDE) {
        return Some(directory.into());
    }
    let directory = tempfile::tempdir().unwrap();
    for (name, script) in helpers {
        let file = directory.path().join(format!("docker-credential-{name}"));
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", directory.path().display(), std::env::var("PATH").unwrap());
    let child = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .envs([("PATH", path.as_str()), (INSIDE, directory.path().to_str().unwrap())])
        .output()
        .unwrap();
    assert!(
        child.status.success(),
        "{}{}",
        String::from_utf8_lossy(&child.stdout),
        String::from_utf8_lossy(&child.stderr)
    );
    None
}

#[tokio::test]
async fn helpers_are_asked() {
    let answer = format!("printf '{{\"ServerURL\":\"x\",\"Username\":\"me\",\"Secret\":\"{SECRET}\"}}'");
    let keeping = format!("[ \"$1\" = get ] && cat > \"$(dirname \"$0\")/asked\"\n{answer}");
    let helpers = [("keeps", keeping.as_str()), ("plain", answer.as_str())];
    let Some(directory) = inside("helpers_are_asked", &helpers) else { return };
    let server = guarded().await;
    let address = &server.address;
    resolve(&server, &json!({"credHelpers": {address: "keeps"}}).to_string()).await.unwrap();
    assert_eq!(&std::fs::read_to_string(directory.join("asked")).unwrap(), address);
    // One that does not read what it is asked.
    resolve(&server, &json!({"credHelpers": {address: "plain"}}).to_string()).await.unwrap();
    resolve(&server, &json!({"credsStore": "plain", "auths": {address: {}}}).to_string()).await.unwrap();
    // That of the registry wins over the store of all.
    let both = json!({"credsStore": "missing", "credHelpers": {format!("https://{address}/"): "keeps"}});
    resolve(&server, &both.to_string()).await.unwrap();
}

#[tokio::test]
async fn a_helper_that_has_nothing_leaves_it_to_the_file() {
    let nothing = "echo 'credentials not found in native keychain'; exit 1";
    if inside("a_helper_that_has_nothing_leaves_it_to_the_file", &[("nothing", nothing)]).is_none() {
        return;
    }
    let server = guarded().await;
    let address = &server.address;
    let error = resolve(&server, &json!({"credHelpers": {address: "nothing"}}).to_string()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unauthenticated);
    let both = json!({"credHelpers": {address: "nothing"}, "auths": {address: auth_entry()}});
    resolve(&server, &both.to_string()).await.unwrap();
}

#[tokio::test]
async fn helpers_that_fail_are_named_and_not_quoted() {
    let helpers = [
        ("fails", &*format!("echo {SECRET}; echo {SECRET} >&2; exit 3")),
        ("garbage", &*format!("echo 'the password is {SECRET}'")),
        ("silent", "true"),
        ("endless", &*format!("while :; do echo {SECRET}; done")),
        ("hangs", "echo $$ > \"$(dirname \"$0\")/leader\"; sleep 1000 & echo $! > \"$(dirname \"$0\")/child\"; wait"),
    ];
    let Some(directory) = inside("helpers_that_fail_are_named_and_not_quoted", &helpers) else { return };
    let server = guarded().await;
    let address = &server.address;
    let cases = [
        ("fails", ErrorCode::Unauthenticated, "exit status: 3"),
        ("garbage", ErrorCode::Unauthenticated, "did not answer as credential helpers do"),
        ("silent", ErrorCode::Unauthenticated, "did not answer as credential helpers do"),
        ("endless", ErrorCode::Unauthenticated, "did not answer as credential helpers do"),
        ("missing", ErrorCode::Unauthenticated, "docker-credential-missing is not on the PATH"),
        ("../evil", ErrorCode::Unauthenticated, "a name that no program can have"),
        ("hangs", ErrorCode::Timeout, "did not answer within 2s"),
    ];
    for (name, code, expected) in cases {
        let error = resolve(&server, &json!({"credHelpers": {address: name}}).to_string()).await.unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(error.message().contains(expected) && error.message().contains(name), "{error}");
        // As the store of all registries it is not in the way of what is public, and named where it would have helped.
        let error = resolve(&server, &json!({"credsStore": name}).to_string()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Unauthenticated, "{error}");
        assert!(error.message().contains(expected) && error.message().contains("docker login"), "{error}");
    }
    for file in ["leader", "child"] {
        let pid = std::fs::read_to_string(directory.join(file)).unwrap();
        assert!(ends(pid.trim().parse().unwrap()), "the {file} of a helper lives on");
    }
}

/// Waits for the end of a process that was sent a signal.
fn ends(pid: i32) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    let Ok(process) = pidfd_open(Pid::from_raw(pid).unwrap(), PidfdFlags::empty()) else { return true };
    let timeout = Timespec { tv_sec: 10, tv_nsec: 0 };
    poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&timeout)).unwrap() == 1
}
