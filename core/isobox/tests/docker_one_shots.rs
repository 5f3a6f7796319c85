//! Another image for one command beside a sandbox in Docker.
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
use isobox::{ErrorCode, OneShotImage, OneShotRequest, Signal};

fn request(script: &str) -> OneShotRequest {
    let image = OneShotImage::Registry { reference: TINY.into() };
    let args = ["-c", script].map(|word| word.as_bytes().to_vec()).to_vec();
    OneShotRequest { entrypoint: Some(b"sh".to_vec()), args, ..OneShotRequest::new(image) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_one_shot_has_the_sandboxs_directory_and_network_and_leaves_nothing() {
    let Some(engine) = Engine::open().await else { return };
    let name = format!("work-{}", std::process::id());
    engine.isobox.volumes().create(&name).await.unwrap();
    let sandbox = engine.tiny().volume(&name, "/work").workdir("/work").create().await.unwrap();
    sandbox.shell("echo given > given; touch /alone").await.unwrap();
    let serve = sandbox.command(["busybox", "httpd", "-f", "-p", "8080", "-h", "/work"]).spawn().await.unwrap();
    sandbox.wait_for_port(8080, std::time::Duration::from_secs(60)).await.unwrap();
    let script = "busybox wget -q -O - http://127.0.0.1:8080/given; echo made > made; ls /alone; exit 4";
    let process = sandbox.one_shot(request(script)).await.unwrap();
    let result = process.wait().await.unwrap();
    assert_eq!((result.exit_code, result.stdout.text().as_ref()), (4, "given\n"), "{result:?}");
    assert_eq!(sandbox.files().read_text("made").await.unwrap(), "made\n");
    let beside = || engine.ours(&["ps", "--all"], "one_shot");
    assert_eq!(beside(), [""; 0]);

    let process = sandbox.one_shot(request("exec sleep 1000")).await.unwrap();
    process.signal(Signal::TERM).await.unwrap();
    assert_eq!(process.wait().await.unwrap().signal, Some(15));
    let _running = sandbox.one_shot(request("exec sleep 1000")).await.unwrap();
    drop(serve);
    sandbox.delete().await.unwrap();
    assert_eq!(beside(), [""; 0], "it ends with its sandbox");
    engine.isobox.volumes().delete(&name).await.unwrap();

    let alone = engine.sandbox().await;
    let refused = alone.one_shot(request("true")).await.err().unwrap();
    assert_eq!(refused.code(), ErrorCode::Unsupported, "{refused}");
    assert!(refused.message().contains("one_shot.run") && refused.message().contains("volume"), "{refused}");
    alone.delete().await.unwrap();
}
