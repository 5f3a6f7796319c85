//! The life of a sandbox in Docker.
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

use docker::DockerLab;
use isobox::{ErrorCode, State};

#[tokio::test]
async fn it_is_made_used_stopped_started_and_removed() {
    let Some(lab) = DockerLab::open().await else { return };
    let sandbox = lab.tiny().name("life").label("a", "b").env("WORD", "hello").create().await.unwrap();
    let id = sandbox.id().to_string();
    assert_eq!(lab.containers(&id).len(), 1);
    let result = sandbox.shell("echo $WORD; echo err >&2; exit 3").await.unwrap();
    assert_eq!(
        (result.stdout.text().as_ref(), result.stderr.text().as_ref(), result.exit_code),
        ("hello\n", "err\n", 3)
    );
    sandbox.files().write("/root.txt", "kept").await.unwrap();
    let status = sandbox.describe().await.unwrap();
    assert_eq!((status.state, status.name.as_deref()), (State::Running, Some("life")));
    assert_eq!(status.labels.get("a").map(String::as_str), Some("b"));

    sandbox.stop(None).await.unwrap();
    assert_eq!(sandbox.describe().await.unwrap().state, State::Stopped);
    let refused = sandbox.exec(["true"]).await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::InvalidState, "{refused}");
    sandbox.start().await.unwrap();
    assert_eq!(sandbox.files().read_text("/root.txt").await.unwrap(), "kept");
    assert_eq!(sandbox.shell("echo $WORD").await.unwrap().stdout.text(), "hello\n");

    sandbox.delete().await.unwrap();
    sandbox.delete().await.unwrap();
    lab.assert_gone(&id);
}
