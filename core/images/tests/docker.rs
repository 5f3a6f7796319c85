//! The local Docker: a real daemon, started for the test where it is installed and may run.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "../../isobox/tests/common/dockerd.rs"]
mod dockerd;

use common::{Builder, Lab, Layer, archive};
use dockerd::Dockerd;
use isobox_contract::{Context, ErrorCode, ImageSource, PullPolicy};
use std::fs;

#[tokio::test]
async fn images_come_from_a_real_daemon_and_follow_their_name() {
    let Some(daemon) = Dockerd::start() else { return };
    // Nothing else runs in this process.
    // SAFETY: no other thread reads the environment at this time.
    #[allow(unsafe_code, reason = "the daemon's address is taken from the environment")]
    unsafe {
        std::env::set_var("DOCKER_HOST", daemon.socket());
    }
    let lab = Lab::open();
    let source =
        |name: &str| ImageSource { reference: name.into(), pull: PullPolicy::Missing, ..ImageSource::default() };
    for text in ["one", "two"] {
        let image = Builder::of([
            Layer::new().dir("d").file("d/old", "x"),
            Layer::new().file("d/.wh.old", "").file("text", text),
        ]);
        let path = archive(&lab.path("made.tar"), &image.tag("made:1").docker_files());
        daemon.docker(&["load", "-i", path.to_str().unwrap()]);
        let (from_daemon, named) = lab.images.image(&source("docker-daemon:made:1"), &Context::quiet()).await.unwrap();
        assert_eq!(fs::read(lab.images.layer(&from_daemon.stack[0]).join("text")).unwrap(), text.as_bytes());
        assert_eq!(named.reference, "docker-daemon:made:1");

        // What `docker save` of this daemon writes is the same image.
        let saved = lab.path("saved.tar");
        daemon.docker(&["save", "-o", saved.to_str().unwrap(), "made:1"]);
        let from_archive = lab.images.archive(&saved, Some("made:1"), &Context::quiet()).await.unwrap().0;
        assert_eq!(from_archive.stack, from_daemon.stack);
    }
    let error = lab.images.image(&source("docker-daemon:absent"), &Context::quiet()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ImageNotFound, "{error}");
    drop(daemon);
    let error = lab.images.image(&source("docker-daemon:made:1"), &Context::quiet()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::EngineUnavailable, "{error}");
    let never = ImageSource { pull: PullPolicy::Never, ..source("docker-daemon:made:1") };
    lab.images.image(&never, &Context::quiet()).await.unwrap();
}
