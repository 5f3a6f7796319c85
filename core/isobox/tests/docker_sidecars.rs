//! Named services beside sandboxes in Docker.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/dockerd.rs"]
mod dockerd;
#[path = "common/engine.rs"]
mod engine;
mod image;

use engine::{Engine, TINY};
use isobox::{Detail, DockerOptions, ErrorCode, ProviderOptions, SandboxBuilder, Sidecar, SidecarHealth};
use std::time::Duration;

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

/// A web server with one file, which says that it is ready some time after it has started.
fn web() -> Sidecar {
    let serve = "sleep 1; mkdir /www; echo $CONTENTS > /www/file; exec busybox httpd -f -p 8080 -h /www";
    Sidecar {
        name: "web".into(),
        image: TINY.into(),
        env: [("CONTENTS".to_owned(), "from web".to_owned())].into(),
        command: words(&["sh", "-c", serve]),
        health: Some(SidecarHealth {
            command: words(&["busybox", "wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8080/file"]),
            interval: Some(Duration::from_millis(200)),
            retries: Some(500),
            ..SidecarHealth::default()
        }),
        ..Sidecar::default()
    }
}

fn with(engine: &Engine, sidecars: Vec<Sidecar>) -> SandboxBuilder {
    let options = DockerOptions { sidecars, ..DockerOptions::default() };
    engine.tiny().options(ProviderOptions::Docker(Box::new(options)))
}

fn beside(engine: &Engine, id: &str) -> usize {
    let (role, id) = ("label=isobox.role=sidecar".to_owned(), format!("label=isobox.id={id}"));
    let listed = engine.docker(&["ps", "--all", "--quiet", "--filter", &role, "--filter", &id]);
    listed.lines().count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sidecar_is_ready_reachable_by_its_name_and_goes_with_its_sandbox() {
    let Some(engine) = Engine::open().await else { return };
    let sandbox = with(&engine, vec![web()]).create().await.unwrap();
    let fetch = "busybox wget -q -O - http://web:8080/file";
    assert_eq!(sandbox.shell(fetch).await.unwrap().stdout.text(), "from web\n");
    // The policy says none, and that is for all of them.
    let container = format!("isobox-{}-web", sandbox.id());
    assert_eq!(engine.docker(&["exec", &container, "ls", "/sys/class/net"]), "lo");
    let other = with(&engine, vec![web()]).create().await.unwrap();
    assert_eq!(other.shell(fetch).await.unwrap().stdout.text(), "from web\n", "each has its own");
    other.delete().await.unwrap();
    assert_eq!((beside(&engine, other.id().as_str()), beside(&engine, sandbox.id().as_str())), (0, 1));

    sandbox.stop(None).await.unwrap();
    assert_eq!(engine.docker(&["inspect", "--format", "{{.State.Running}}", &container]), "false");
    sandbox.start().await.unwrap();
    assert_eq!(sandbox.shell(fetch).await.unwrap().stdout.text(), "from web\n", "also when it was started again");
    sandbox.delete().await.unwrap();
    assert_eq!(beside(&engine, sandbox.id().as_str()), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sidecar_is_found_when_its_sandbox_was_removed_from_outside() {
    let Some(engine) = Engine::open().await else { return };
    let sandbox = with(&engine, vec![web()]).detached().create().await.unwrap();
    let id = *sandbox.id();
    engine.docker(&["rm", "--force", sandbox.external_id().as_str()]);
    sandbox.ended().await.unwrap();
    drop(sandbox);
    assert_eq!(beside(&engine, id.as_str()), 1);
    let other = engine.again().await;
    other.sandbox().provider("docker").image(TINY).create().await.unwrap().delete().await.unwrap();
    other.collect_garbage().await.unwrap();
    assert_eq!(beside(&engine, id.as_str()), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sidecar_that_does_not_become_ready_fails_the_create_and_tells_its_log() {
    let Some(engine) = Engine::open().await else { return };
    let ends = Sidecar { command: words(&["sh", "-c", "echo cannot go on; exit 3"]), ..web() };
    let error = with(&engine, vec![ends]).create().await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::CommandFailed, "{error}");
    assert!(error.message().contains("web ended with 3") && !error.message().contains("cannot"), "{error}");
    let Detail::Provider { json, .. } = error.detail() else { panic!("{error:?}") };
    assert!(json["log"].as_str().unwrap().contains("cannot go on"), "{json}");
    let mut sick = web();
    sick.health.as_mut().unwrap().command = words(&["false-is-no-program"]);
    sick.health.as_mut().unwrap().retries = Some(1);
    let error = with(&engine, vec![sick]).create().await.unwrap_err();
    assert!(error.message().contains("web is unhealthy"), "{error}");
    let missing = Sidecar { image: "127.0.0.1:1/no/such:1".into(), ..web() };
    let error = with(&engine, vec![missing]).create().await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ImagePullFailed, "{error}");
    for role in ["sandbox", "sidecar"] {
        assert_eq!(engine.ours(&["ps", "--all"], role), [""; 0], "something is left");
    }
}
