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
#[path = "common/elsewhere.rs"]
mod elsewhere;
#[path = "common/engine.rs"]
mod engine;
mod image;

use elsewhere::Elsewhere;
use engine::{Engine, TINY};
use isobox::{
    Detail, DockerOptions, ErrorCode, Isolation, OneShotImage, OneShotRequest, ProviderOptions, SandboxBuilder,
    Sidecar, SidecarHealth,
};
use std::time::{Duration, Instant};

const ADDRESS: &str = "ISOBOX_TEST_ADDRESS";

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

/// Owns a sandbox with two sidecars, of which one does not end when it is asked to, and a one-shot.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a part of a test, in another process"]
async fn owner() {
    let Some(home) = elsewhere::home() else { return };
    let isobox = Engine::beside(&home, &std::env::var(ADDRESS).unwrap()).await;
    let sidecar = |name: &str, script: &str| Sidecar {
        name: name.into(),
        image: TINY.into(),
        command: words(&["sh", "-c", script]),
        ..Sidecar::default()
    };
    let sidecars = vec![
        sidecar("stubborn", "trap '' TERM INT HUP; while :; do sleep 1; done"),
        Sidecar { user: Some("1000:1000".into()), ..sidecar("humble", "exec sleep 4000") },
    ];
    let options = DockerOptions { sidecars, ..DockerOptions::default() };
    isobox.volumes().create("work").await.unwrap();
    let builder = isobox.sandbox().image(TINY).options(ProviderOptions::Docker(Box::new(options)));
    let builder = builder.volume("work", "/work").workdir("/work").owner_lease(Duration::from_secs(2));
    let sandbox = builder.create().await.unwrap();
    let image = OneShotImage::Registry { reference: TINY.into() };
    let request = OneShotRequest { args: vec![b"sleep".to_vec(), b"4000".to_vec()], ..OneShotRequest::new(image) };
    let one_shot = sandbox.one_shot(request).await.unwrap();
    elsewhere::say(sandbox.id().as_str());
    while elsewhere::hear().is_some() {}
    std::mem::forget((sandbox, one_shot));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_beside_a_sandbox_ends_with_its_killed_owner_and_nobody_has_to_look() {
    let Some(engine) = Engine::open().await else { return };
    let home = tempfile::tempdir().unwrap();
    let mut owner = Elsewhere::start_with("owner", home.path(), &[(ADDRESS, engine.address())]);
    let id = owner.hear();
    let label = format!("label=isobox.id={id}");
    let running = || engine.docker(&["ps", "--format", "{{.Names}}", "--filter", &label]);
    assert_eq!(running().lines().count(), 4, "the sandbox, two sidecars and a one-shot");
    owner.kill();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !running().is_empty() {
        assert!(Instant::now() < deadline, "these run on: {}", running());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let next = Engine::beside(home.path(), engine.address()).await;
    next.collect_garbage().await.unwrap();
    assert_eq!(engine.docker(&["ps", "--all", "--quiet", "--filter", &label]), "");
    next.volumes().delete("work").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sidecar_runs_what_its_image_says_and_needs_a_program() {
    let Some(engine) = Engine::open().await else { return };
    let plain = Sidecar { name: "plain".into(), image: TINY.into(), ..Sidecar::default() };
    let error = with(&engine, vec![plain.clone()]).create().await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
    assert!(error.message().contains("options.docker.sidecars.command"), "{error}");
    let refused = with(&engine, vec![plain]).least_isolation(Isolation::Vm).create().await.unwrap_err();
    assert!(matches!(refused.code(), ErrorCode::Unsupported | ErrorCode::InvalidSpec), "{refused}");
    for role in ["sandbox", "sidecar"] {
        assert_eq!(engine.ours(&["ps", "--all"], role), [""; 0], "something is left");
    }
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
