//! Sandboxes from Dockerfiles.
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

use engine::{Engine, Kept, TINY};
use isobox::{Detail, Error, ErrorCode, LogSource, SandboxBuilder, Source};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A sandbox from a Dockerfile that stands on the tiny image.
fn dockerfile(engine: &Engine, rest: &str, context: Option<&Path>) -> SandboxBuilder {
    let content = format!("FROM {TINY}\n{rest}").into();
    let source = Source::Dockerfile { content, context: context.map(Path::to_owned) };
    engine.isobox.sandbox().provider("docker").source(source)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dockerfile_becomes_a_sandbox_and_its_image_goes_with_it() {
    let Some(engine) = Engine::open().await else { return };
    let place = tempfile::tempdir().unwrap();
    fs::create_dir_all(place.path().join("app/secret")).unwrap();
    fs::write(place.path().join("app/run"), "#!/bin/sh\necho built\n").unwrap();
    fs::write(place.path().join("app/secret/key"), "x").unwrap();
    fs::write(place.path().join(".dockerignore"), "**/secret\n").unwrap();
    fs::write(place.path().join("Dockerfile"), "FROM no-such-image\n").unwrap();
    let kept = Arc::new(Kept::default());
    let text =
        "ENV MADE=by-build\nWORKDIR /work\nCOPY . .\nRUN chmod +x app/run && ./app/run > made\nCMD [\"./app/run\"]\n";
    let builder = dockerfile(&engine, text, Some(place.path())).events(kept.clone());
    let sandbox = builder.create().await.unwrap();
    let seen = sandbox.shell("pwd; cat made; echo $MADE; find . -type f | sort").await.unwrap();
    let files = "./Dockerfile\n./app/run\n./made\n";
    assert_eq!(
        seen.stdout.text(),
        format!("/work\nbuilt\nby-build\n{files}"),
        "the Dockerfile given, not the one there"
    );
    assert_eq!(sandbox.image().unwrap().command, ["./app/run"]);
    let steps = kept.of("image.build");
    let words: Vec<_> = steps.iter().map(|step| step.message.as_deref().unwrap()).collect();
    assert_eq!(words[..6], ["FROM", "ENV", "WORKDIR", "COPY", "RUN", "CMD"], "{words:?}");
    assert!(steps.iter().all(|step| step.completed < step.total));

    let image = engine.docker(&["inspect", "--format", "{{.Image}}", sandbox.external_id().as_str()]);
    sandbox.delete().await.unwrap();
    assert!(!engine.has("image", &image) && engine.has("image", TINY));

    // Unless somebody wants to keep it.
    let sandbox = dockerfile(&engine, "ENV A=b\n", None).create().await.unwrap();
    let image = engine.docker(&["inspect", "--format", "{{.Image}}", sandbox.external_id().as_str()]);
    let name = format!("isobox-test/kept:{}", std::process::id());
    engine.docker(&["tag", &image, &name]);
    sandbox.delete().await.unwrap();
    engine.docker(&["rmi", &name]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_fails_names_its_step_and_leaves_nothing() {
    let Some(engine) = Engine::open().await else { return };
    let failed = async |rest: &str| dockerfile(&engine, rest, None).create().await.unwrap_err();

    let error = failed("ENV A=b\nRUN echo printed && exit 3\n").await;
    assert_eq!(error.code(), ErrorCode::CommandFailed, "{error}");
    assert!(error.message().contains("step 3 of") && error.message().contains("(RUN)"), "{error}");
    assert!(!error.message().contains("printed"), "{error}");
    assert!(log(&error).contains("printed\n") && log(&error).contains("non-zero code: 3"), "{}", log(&error));

    let error = failed("COPY missing /missing\n").await;
    assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
    assert!(error.message().contains("not in the context") && error.message().contains("(COPY)"), "{error}");

    let error = failed("ROT sense\n").await;
    assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");

    let content = "FROM 127.0.0.1:1/no/such:1\n".into();
    let source = Source::Dockerfile { content, context: None };
    let error = engine.isobox.sandbox().provider("docker").source(source).create().await.unwrap_err();
    assert_ne!(error.code(), ErrorCode::Internal, "{error}");

    assert_eq!(engine.ours(&["images"], "build"), [""; 0]);
    let homes = fs::read_dir(engine.home.path().join("docker")).into_iter().flatten().flatten();
    let left: Vec<_> = homes.filter(|entry| entry.file_name().to_string_lossy().starts_with("sbx_")).collect();
    assert!(left.is_empty(), "{left:?}");
}

fn log(error: &Error) -> String {
    let Detail::Provider { json, .. } = error.detail() else { panic!("{error:?}") };
    format!("{}{}", json["log"].as_str().unwrap(), json["error"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_a_build_and_of_the_entrypoint_are_kept() {
    let Some(engine) = Engine::open().await else { return };
    let text = "RUN echo made by the build\nCMD [\"sh\", \"-c\", \"echo from the image; echo and more >&2; exec sleep 1000\"]\n";
    let sandbox = dockerfile(&engine, text, None).entrypoint().create().await.unwrap();
    let read = async |source: LogSource, until: &str| {
        let mut stream = sandbox.logs(source, true).await.unwrap();
        let (mut text, mut chunk) = (String::new(), [0; 512]);
        // What is followed ends with the program only.
        while !text.contains(until) {
            let count = stream.read(&mut chunk).await.unwrap();
            assert!(count > 0, "it ended with {text}");
            text += str::from_utf8(&chunk[..count]).unwrap();
        }
        text
    };
    assert!(read(LogSource::Provision, "made by the build\n").await.contains("Step 2/"));
    let seen = read(LogSource::Entrypoint, "and more\n").await;
    assert!(seen.contains("from the image\n"), "{seen}");
    let mut kept = String::new();
    sandbox.logs(LogSource::Entrypoint, false).await.unwrap().read_to_string(&mut kept).await.unwrap();
    assert_eq!(kept.len(), "from the image\nand more\n".len(), "without following it ends: {kept}");
    sandbox.delete().await.unwrap();

    let sandbox = engine.sandbox().await;
    let none = sandbox.logs(LogSource::Entrypoint, false).await.err().unwrap();
    assert_eq!(none.code(), ErrorCode::NotFound, "{none}");
    let serve = sandbox.command(["busybox", "httpd", "-f", "-p", "8080", "-h", "/etc"]).spawn().await.unwrap();
    let url = sandbox.preview_url(8080).await.unwrap().url;
    let address = url.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
    sandbox.wait_for_port(8080, std::time::Duration::from_secs(60)).await.unwrap();
    let mut page = tokio::net::TcpStream::connect(&address).await.unwrap();
    page.write_all(b"GET /passwd HTTP/1.0\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    page.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("root:x:0"), "{answer}");
    sandbox.release_preview(8080).await.unwrap();
    drop(serve);
    let words = sandbox.shell_command().await.unwrap();
    assert_eq!((words[0].as_str(), words.last().unwrap().as_str()), ("docker", "/bin/sh"));
    // The same without a terminal, which this test has none of.
    let words: Vec<_> = words.into_iter().filter(|word| word != "--tty").collect();
    let ran = std::process::Command::new(&words[0]).args(&words[1..]).args(["-c", "echo in $PWD"]).output().unwrap();
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "in /\n");
    sandbox.delete().await.unwrap();
}
