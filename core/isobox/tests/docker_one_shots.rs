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
use isobox::{
    DockerOptions, ErrorCode, Isolation, NetworkPolicy, OneShotImage, OneShotRequest, ProviderOptions, SandboxBuilder,
    Signal, SnapshotOptions,
};

fn request(script: &str) -> OneShotRequest {
    with(OneShotImage::Registry { reference: TINY.into() }, script)
}

fn with(image: OneShotImage, script: &str) -> OneShotRequest {
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

/// With a working directory that others can be shown.
fn shared(engine: &Engine, workdir: &str) -> SandboxBuilder {
    let options = DockerOptions { workspace_volume: true, ..DockerOptions::default() };
    engine.tiny().workdir(workdir).options(ProviderOptions::Docker(Box::new(options)))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_working_directory_can_be_a_volume_of_the_sandboxs_own_for_them() {
    let Some(engine) = Engine::open().await else { return };
    let sandbox = shared(&engine, "/etc").create().await.unwrap();
    assert!(sandbox.files().exists("passwd").await.unwrap(), "it begins with what the image has");
    // Both see what the other does while it does it.
    let script = "while ! test -e go; do busybox sleep 0.05; done; cat go; busybox rm go; echo made > made";
    let running = sandbox.one_shot(request(script)).await.unwrap();
    sandbox.files().write("/etc/go", "given\n").await.unwrap();
    assert_eq!(running.wait().await.unwrap().stdout.text(), "given\n");
    assert_eq!(sandbox.shell("cat made; ls go 2>/dev/null").await.unwrap().stdout.text(), "made\n");
    // It is not in a copy of the container's files, so there is none.
    let refused = [
        sandbox.snapshot(SnapshotOptions::default()).await.map(drop).unwrap_err(),
        sandbox.fork(1).await.map(drop).unwrap_err(),
    ];
    for (error, name) in refused.iter().zip(["lifecycle.snapshot", "lifecycle.fork_filesystem"]) {
        assert_eq!(error.code(), ErrorCode::Unsupported, "{error}");
        assert!(error.message().contains(name) && error.message().contains("workspace_volume"), "{error}");
        assert!(!error.message().contains("gVisor"), "the engine may have it, but this sandbox is not in it: {error}");
    }
    sandbox.stop(None).await.unwrap();
    sandbox.start().await.unwrap();
    let other = engine.again().await.connect(sandbox.id().as_str()).await.unwrap();
    let result = other.one_shot(request("cat made")).await.unwrap().wait().await.unwrap();
    assert_eq!(result.stdout.text(), "made\n", "it is still there, and also for others");
    assert_eq!(engine.ours(&["volume", "ls"], "workspace").len(), 1);
    sandbox.delete().await.unwrap();
    assert_eq!(engine.ours(&["volume", "ls"], "workspace"), [""; 0]);

    // A container that somebody else removes leaves it behind, until somebody looks.
    let sandbox = shared(&engine, "/etc").create().await.unwrap();
    engine.docker(&["rm", "--force", sandbox.external_id().as_str()]);
    sandbox.ended().await.unwrap();
    sandbox.delete().await.unwrap();
    engine.isobox.collect_garbage().await.unwrap();
    assert_eq!(engine.ours(&["volume", "ls"], "workspace"), [""; 0]);

    let refused = shared(&engine, "/").create().await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::InvalidSpec, "{refused}");
    assert!(refused.message().contains("workspace_volume"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_image_is_built_from_files_of_the_sandbox() {
    let Some(engine) = Engine::open().await else { return };
    let sandbox = shared(&engine, "/work").network(NetworkPolicy::Public).create().await.unwrap();
    let files = sandbox.files();
    let text = format!("FROM {TINY}\nCOPY . /context/\nRUN [\"busybox\", \"touch\", \"/made\"]\n");
    files.write("tool/Dockerfile", text.clone()).await.unwrap();
    files.write("tool/kept", "kept\n").await.unwrap();
    files.write("tool/secret/key", "x").await.unwrap();
    files.write("tool/.dockerignore", "secret\n").await.unwrap();
    let tag = format!("isobox-test/one-shot-{}:1", std::process::id());
    let build = |dockerfile: Option<&str>, reuse| OneShotImage::Build {
        context: "tool".into(),
        dockerfile: dockerfile.map(Into::into),
        tag: tag.clone(),
        reuse,
    };
    let seen = async |image| {
        let script = "ls /context /made; cat /context/kept; echo from inside > found";
        let result = sandbox.one_shot(with(image, script)).await.unwrap().wait().await.unwrap();
        result.stdout.text().into_owned()
    };
    assert_eq!(seen(build(None, false)).await, "/made\n\n/context:\nDockerfile\nkept\nkept\n");
    assert_eq!(files.read_text("found").await.unwrap(), "from inside\n");
    // What is there under the name is taken, if that was said.
    files.write("tool/kept", "other\n").await.unwrap();
    assert!(seen(build(None, true)).await.ends_with("\nkept\n"));
    assert!(seen(build(None, false)).await.ends_with("\nother\n"));
    files.write("tool/deep/Other", text).await.unwrap();
    assert!(seen(build(Some("deep/Other"), false)).await.contains("deep"));
    assert_eq!(engine.ours(&["ps", "--all"], "one_shot"), [""; 0]);

    // What fails says what it was, and what the sandbox links to is not read on this machine.
    let error = async |image| sandbox.one_shot(with(image, "true")).await.map(drop).unwrap_err();
    assert_eq!(error(build(Some("missing"), false)).await.code(), ErrorCode::NotFound);
    files.write("tool/Dockerfile", format!("FROM {TINY}\nRUN exit 3\n")).await.unwrap();
    assert_eq!(error(build(None, false)).await.code(), ErrorCode::CommandFailed);
    files.remove("tool/.dockerignore").await.unwrap();
    files.symlink("/etc/hostname", "tool/.dockerignore").await.unwrap();
    let refused = error(build(None, false)).await;
    assert!(refused.code() == ErrorCode::InvalidSpec && refused.message().contains(".dockerignore"), "{refused}");
    let nameless =
        OneShotImage::Build { context: "tool".into(), dockerfile: None, tag: "No Name".into(), reuse: false };
    assert!(error(nameless).await.message().starts_with("image.tag"));
    sandbox.delete().await.unwrap();
    engine.docker(&["rmi", &tag]);

    // The engine would fetch for it what it may not reach.
    let alone = shared(&engine, "/work").network(NetworkPolicy::None).create().await.unwrap();
    let refused = alone.one_shot(with(build(None, false), "true")).await.map(drop).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::Unsupported, "{refused}");
    assert!(refused.message().contains("one_shot.build") && refused.message().contains("network"), "{refused}");
    alone.delete().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_keeps_its_network_to_itself_has_none() {
    let Some(engine) = Engine::open().await else { return };
    let runtimes = engine.docker(&["info", "--format", "{{json .Runtimes}}"]);
    if !runtimes.contains("\"runsc\"") {
        println!("skipped: the engine has no gVisor, run this with `cargo xtask docker --engine 26 --runsc -- ...`");
        return;
    }
    let sandbox = shared(&engine, "/work").least_isolation(Isolation::Gvisor).create().await.unwrap();
    let refused = sandbox.one_shot(request("true")).await.map(drop).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::Unsupported, "{refused}");
    assert!(refused.message().contains("one_shot") && refused.message().contains("kernel of its own"), "{refused}");
    sandbox.delete().await.unwrap();
}
