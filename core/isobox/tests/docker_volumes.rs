//! Volumes of a Docker engine.
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
use isobox::{ErrorCode, VolumeSpec};

#[tokio::test(flavor = "multi_thread")]
async fn a_volume_is_the_engines_and_ours() {
    let Some(engine) = Engine::open().await else { return };
    let volumes = engine.isobox.volumes();
    let name = format!("cache-{}", std::process::id());
    let spec = VolumeSpec { labels: [("a".to_owned(), "b".to_owned())].into(), ..VolumeSpec::named(&name) };
    let made = volumes.create_with(spec).await.unwrap();
    let known = made.external.as_ref().unwrap().as_str();
    assert!(engine.has("volume", known));
    let listed = volumes.list().await.unwrap();
    let row = listed.iter().find(|row| row.name == name).unwrap();
    assert_eq!((row.id, &row.labels), (made.id, &made.labels));
    assert_eq!(volumes.create(&name).await.unwrap_err().code(), ErrorCode::AlreadyExists);

    // Everybody may write to it, whoever the engine would have let.
    let write =
        ["run", "--rm", "--network=none", "--user=1000", "--volume", &format!("{known}:/v"), TINY, "touch", "/v/x"];
    engine.docker(&write);
    assert!(volumes.inspect(&name).await.unwrap().usage.is_some());

    let user = engine.docker(&["create", "--network=none", "--volume", &format!("{known}:/v"), TINY, "true"]);
    let refused = volumes.delete(&name).await.unwrap_err();
    assert_eq!((refused.code(), refused.is_retryable()), (ErrorCode::Conflict, false), "{refused}");
    assert!(refused.message().contains(&user), "{refused}");
    engine.docker(&["rm", &user]);
    volumes.delete(&name).await.unwrap();
    assert!(!engine.has("volume", known));
    volumes.delete(&name).await.unwrap();
    let helper = format!("label=isobox.id={known}");
    let helpers = engine.docker(&["ps", "--all", "--quiet", "--filter", &helper]);
    assert_eq!(helpers, "", "what a volume was opened with is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_volume_of_somebody_else_is_none() {
    let Some(engine) = Engine::open().await else { return };
    let theirs = format!("theirs-{}", std::process::id());
    engine.docker(&["volume", "create", &theirs]);
    let volumes = engine.isobox.volumes();
    assert!(volumes.list().await.unwrap().iter().all(|volume| volume.name != theirs));
    assert_eq!(volumes.get(&theirs).await.unwrap_err().code(), ErrorCode::NotFound);
    volumes.delete(&theirs).await.unwrap();
    assert!(engine.has("volume", &theirs), "it was removed");
    engine.docker(&["volume", "rm", &theirs]);
}
