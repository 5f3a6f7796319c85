//! An engine that is far away, down, too old, or not for this user.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/docker.rs"]
mod docker;
#[path = "common/dockerd.rs"]
mod dockerd;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use docker::{DockerLab, TINY};
use dockerd::Dockerd;
use elsewhere::{PATIENCE, settles};
use isobox::{
    DeathCause, DockerOptions, Ended, ErrorCode, HealthStatus, ProviderOptions, Sidecar, SnapshotOptions, Source, State,
};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_of_another_machine_does_the_same() {
    let Some(address) = docker::address() else { return };
    let lab = DockerLab::with(&docker::tcp(&address).await).await;
    let sandbox = lab.tiny().env("WORD", "far").create().await.unwrap();
    let mounts = lab.docker(&["inspect", "--format", "{{json .HostConfig.Mounts}}", sandbox.external_id().as_str()]);
    assert!(!mounts.unwrap().contains("\"bind\""), "nothing of this machine is shared");
    assert_eq!(sandbox.shell("echo $WORD").await.unwrap().stdout.text(), "far\n");
    assert_eq!(sandbox.shell("ls /.isobox/run").await.unwrap().stdout.text(), "agent.sock\n");
    let large = vec![7; 3 << 20];
    sandbox.files().write("/large", large.clone()).await.unwrap();
    assert_eq!(sandbox.files().read("/large").await.unwrap(), large);
    let timed = sandbox.shell("sleep 4000").timeout(Duration::from_secs(1)).await.unwrap();
    assert!(timed.timed_out);
    // What the sandbox puts in the place of the agent's program is not run by who connects.
    sandbox.shell("rm /.isobox/agent; ln -s /bin/true /.isobox/agent").await.unwrap();
    let other = lab.again().await.connect(sandbox.id().as_str()).await.unwrap();
    assert_eq!(other.shell("echo other").await.unwrap().stdout.text(), "other\n");
    sandbox.stop(None).await.unwrap();
    sandbox.start().await.unwrap();
    assert_eq!(sandbox.files().read("/large").await.unwrap(), large);
    let waiting = sandbox.clone();
    let waiting = tokio::spawn(async move { waiting.ended().await.unwrap() });
    lab.docker(&["rm", "--force", sandbox.external_id().as_str()]).unwrap();
    let ended = tokio::time::timeout(PATIENCE, waiting).await.unwrap().unwrap();
    assert!(matches!(&ended, Ended::Died(p) if p.cause == DeathCause::RemovedExternally), "{ended:?}");
    sandbox.delete().await.unwrap();
    lab.assert_gone(sandbox.id().as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_at_an_engine_of_another_machine_is_found_there() {
    let Some(address) = docker::address() else { return };
    let lab = DockerLab::with(&docker::tcp(&address).await).await;
    let volume = lab.isobox.volumes().provider("docker").create("far").await.unwrap();
    let sidecar = Sidecar {
        name: "beside".into(),
        image: TINY.into(),
        command: vec!["sleep".into(), "4000".into()],
        ..Sidecar::default()
    };
    let options = DockerOptions { sidecars: vec![sidecar], ..DockerOptions::default() };
    let builder = lab.tiny().options(ProviderOptions::Docker(Box::new(options))).volume("far", "/far");
    let sandbox = builder.create().await.unwrap();
    let beside = format!("isobox-{}-beside", sandbox.id());
    assert_eq!(lab.docker(&["inspect", "--format", "{{.State.Running}}", &beside]).unwrap(), "true");
    sandbox.shell("echo kept > /state; echo shared > /far/state").await.unwrap();
    let snapshot = sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
    let copies = sandbox.fork(2).await.unwrap();
    sandbox.delete().await.unwrap();
    let restored = lab.isobox.sandbox().provider("docker").snapshot(snapshot.external.as_str()).create().await.unwrap();
    for copy in copies.iter().chain([&restored]) {
        assert_eq!(copy.files().read_text("/state").await.unwrap(), "kept\n");
    }
    for copy in &copies {
        assert_eq!(copy.files().read_text("/far/state").await.unwrap(), "shared\n");
        copy.delete().await.unwrap();
    }
    restored.delete().await.unwrap();
    let content = format!("FROM {TINY}\nRUN echo built > /built\n");
    let source = Source::Dockerfile { content: content.into(), context: None };
    let built = lab.isobox.sandbox().provider("docker").source(source).create().await.unwrap();
    assert_eq!(built.files().read_text("/built").await.unwrap(), "built\n");
    built.delete().await.unwrap();
    lab.isobox.snapshots().provider("docker").delete(snapshot.external.as_str()).await.unwrap();
    lab.isobox.volumes().provider("docker").delete("far").await.unwrap();
    assert!(lab.docker(&["volume", "inspect", volume.external.as_ref().unwrap().as_str()]).is_err());
    assert_eq!(lab.ours(), "");
}

#[tokio::test]
async fn an_engine_that_is_not_there_is_the_infrastructures_failure() {
    let place = tempfile::tempdir().unwrap();
    let lab = DockerLab::with(&format!("unix://{}", place.path().join("no.sock").display())).await;
    let refused = lab.tiny().create().await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::EngineUnavailable, "{refused}");
    assert!(refused.is_infrastructure() && refused.is_retryable() && refused.message().contains("DOCKER_HOST"));
    let health = lab.isobox.provider("docker").await.unwrap().health().await;
    assert_eq!(health.status, HealthStatus::Unreachable);
    assert_eq!(lab.left_over(), Vec::<String>::new());
    // Who has nothing there is not told about it when it is cleaned up, which goes on with everything else.
    let done = lab.isobox.collect_garbage().await.unwrap();
    assert_eq!(done.failed, Vec::<String>::new(), "{done:?}");
}

#[tokio::test]
async fn an_engine_that_is_not_for_this_user_says_what_to_do() {
    if rustix::process::geteuid().is_root() {
        println!("skipped: root may use every socket, run this as an ordinary user too");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let socket = place.path().join("d.sock");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    std::fs::set_permissions(&socket, std::fs::Permissions::from_mode(0o000)).unwrap();
    let lab = DockerLab::with(&format!("unix://{}", socket.display())).await;
    let refused = lab.tiny().create().await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::PermissionDenied, "{refused}");
    assert!(refused.message().contains("group"), "{refused}");
    let health = lab.isobox.provider("docker").await.unwrap().health().await;
    assert_eq!(health.status, HealthStatus::Unauthorized);
}

#[tokio::test]
async fn an_engine_that_is_too_old_is_refused_with_its_version() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("tcp://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let body = r#"{"Version":"18.09.1","ApiVersion":"1.39"}"#;
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    let lab = DockerLab::with(&address).await;
    let refused = lab.tiny().create().await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::Unsupported, "{refused}");
    for word in ["18.09.1", "1.39", "20.10"] {
        assert!(refused.message().contains(word), "{refused}");
    }
}

#[tokio::test]
async fn an_engine_that_is_killed_while_a_command_runs_is_told_apart_from_the_command() {
    let Some(mut daemon) = Dockerd::start() else { return };
    if !daemon.has_image(TINY) {
        return;
    }
    let lab = DockerLab::with(daemon.socket()).await;
    let (sandbox, other) = (lab.sandbox().await, lab.sandbox().await);
    let command = tokio::spawn(sandbox.shell("sleep 4000").into_future());
    let running = sandbox.clone();
    let (deadline, mut seen) = (Instant::now() + PATIENCE, false);
    while !seen && Instant::now() < deadline {
        seen = !running.processes().await.unwrap().is_empty();
    }
    daemon.kill();
    let asked = other.describe().await.unwrap_err();
    assert!(asked.code() == ErrorCode::EngineUnavailable && asked.is_infrastructure(), "{asked:?}");
    let refused = lab.tiny().create().await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::EngineUnavailable, "{refused}");
    // The engine has no live-restore, and so ends the containers that it finds.
    daemon.restart();
    let failed = tokio::time::timeout(Duration::from_secs(60), command).await.unwrap().unwrap().unwrap_err();
    // It may have been stopped, which is not the command's failure either.
    let codes = [ErrorCode::SandboxGone, ErrorCode::EngineUnavailable, ErrorCode::Transport, ErrorCode::InvalidState];
    assert!(codes.contains(&failed.code()), "{failed:?}");
    for sandbox in [&sandbox, &other] {
        let ended = tokio::time::timeout(Duration::from_secs(60), sandbox.ended()).await.unwrap().unwrap();
        let fair = match &ended {
            Ended::Died(p) => matches!(p.cause, DeathCause::EngineDown | DeathCause::RemovedExternally),
            other => matches!(other, Ended::Stopped),
        };
        assert!(fair, "{ended:?}");
        sandbox.delete().await.unwrap();
        lab.assert_gone(sandbox.id().as_str());
    }
    let new = lab.sandbox().await;
    assert_eq!(new.shell("echo again").await.unwrap().stdout.text(), "again\n");
    new.delete().await.unwrap();
}

#[tokio::test]
async fn an_engine_that_ends_properly_stops_what_it_runs_and_nothing_is_lost() {
    let Some(mut daemon) = Dockerd::start() else { return };
    if !daemon.has_image(TINY) {
        return;
    }
    let lab = DockerLab::with(daemon.socket()).await;
    let sandbox = lab.sandbox().await;
    sandbox.files().write("/kept", "x").await.unwrap();
    daemon.stop();
    let refused = sandbox.exec(["true"]).await.unwrap_err();
    assert!(refused.is_infrastructure() || refused.code() == ErrorCode::InvalidState, "{refused:?}");
    daemon.restart();
    let ended = tokio::time::timeout(Duration::from_secs(60), sandbox.ended()).await.unwrap().unwrap();
    assert!(matches!(ended, Ended::Stopped), "{ended:?}");
    settles("the engine", || lab.docker(&["version"]).is_ok()).await;
    sandbox.start().await.unwrap();
    assert_eq!(sandbox.files().read_text("/kept").await.unwrap(), "x");
    assert_eq!(sandbox.describe().await.unwrap().state, State::Running);
    sandbox.delete().await.unwrap();
}
