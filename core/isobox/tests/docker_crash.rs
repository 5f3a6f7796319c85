//! A crash at every named point of what is done to a container: whoever comes next finds what is left and finishes or undoes it.
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
#[path = "common/elsewhere.rs"]
mod elsewhere;

use docker::{DockerLab, TINY, library};
use elsewhere::{Elsewhere, settles};
use isobox::{DockerOptions, ErrorCode, ProviderOptions, Sidecar, SnapshotOptions, Source, State};

const NAME: &str = "doomed";
const WHAT: &str = "ISOBOX_TEST_WHAT";

/// What is done, a point in it, and whether the sandbox is there afterwards.
const POINTS: [(&str, &str, bool); 18] = [
    ("create", "docker.create.placed", false),
    ("create", "docker.create.container_made", false),
    ("create", "docker.create.bringing", false),
    ("create", "docker.create.started", false),
    ("create", "docker.create.connected", false),
    ("sidecar", "docker.create.sidecar_made", false),
    ("sidecar", "docker.create.sidecar_started", false),
    ("build", "docker.build.built", false),
    ("snapshot", "docker.snapshot.committed", true),
    ("volume", "docker.volume.made", false),
    ("volume", "docker.volume.helper_made", false),
    ("stop", "docker.stop.taken", true),
    ("stop", "docker.stop.ended", true),
    ("start", "docker.start.delivered", true),
    ("fork", "docker.fork.copied", true),
    ("delete", "docker.delete.taken", false),
    ("delete", "docker.delete.killed", false),
    ("delete", "docker.delete.container_removed", false),
];

#[tokio::test]
#[ignore = "a process of the other test"]
async fn doomed() {
    let Some(home) = elsewhere::home() else { return };
    let isobox = library(&home, &docker::address().unwrap()).await;
    let what = std::env::var(WHAT).unwrap();
    let builder = isobox.sandbox().provider("docker").image(TINY).name(NAME);
    match what.as_str() {
        "create" => return drop(builder.create().await.unwrap()),
        "sidecar" => {
            let command = vec!["sleep".to_owned(), "4000".to_owned()];
            let sidecar = Sidecar { name: "beside".into(), image: TINY.into(), command, ..Sidecar::default() };
            let options = DockerOptions { sidecars: vec![sidecar], ..DockerOptions::default() };
            return drop(builder.options(ProviderOptions::Docker(Box::new(options))).create().await.unwrap());
        }
        "build" => {
            let content = format!("FROM {TINY}\nENV A=b\n").into();
            let builder = isobox.sandbox().provider("docker").name(NAME);
            return drop(builder.source(Source::Dockerfile { content, context: None }).create().await.unwrap());
        }
        "volume" => return drop(isobox.volumes().provider("docker").create(NAME).await.unwrap()),
        _ => {}
    }
    let sandbox = builder.detached().create().await.unwrap();
    sandbox.files().write("/kept", "x").await.unwrap();
    match what.as_str() {
        "snapshot" => drop(sandbox.snapshot(SnapshotOptions::default()).await.unwrap()),
        "fork" => drop(sandbox.fork(2).await.unwrap()),
        "stop" => sandbox.stop(None).await.unwrap(),
        "start" => {
            sandbox.stop(None).await.unwrap();
            sandbox.start().await.unwrap();
        }
        _ => sandbox.delete().await.unwrap(),
    }
}

#[tokio::test]
async fn a_crash_at_any_point_is_made_good() {
    let Some(address) = docker::address() else { return };
    for (what, point, there) in POINTS {
        eprintln!("at {point}");
        let lab = DockerLab::with(&address).await;
        let fault = format!("{point}=kill");
        Elsewhere::start_with("doomed", lab.home(), &[(WHAT, what), ("ISOBOX_FAULT", &fault)]).killed();
        lab.isobox.collect_garbage().await.unwrap();
        if there {
            let sandbox = lab.isobox.connect(NAME).await.unwrap();
            let state = sandbox.describe().await.unwrap().state;
            assert!(matches!(state, State::Running | State::Stopped), "{point}: {state}");
            sandbox.start().await.unwrap();
            assert_eq!(sandbox.files().read_text("/kept").await.unwrap(), "x", "{point}");
            sandbox.delete().await.unwrap();
        }
        settles(point, || lab.ours().is_empty() && lab.left_over().is_empty()).await;
        assert_eq!(lab.isobox.connect(NAME).await.unwrap_err().code(), ErrorCode::NotFound, "{point}");
    }
}

#[test]
fn there_is_a_crash_at_every_point_of_a_containers_life() {
    let mut open = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../providers/docker/src")];
    let mut points = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let found = text.split("isobox_fault::point!(\"").skip(1).filter_map(|rest| rest.split('"').next());
        points.extend(found.map(str::to_owned));
    }
    let untested: Vec<_> = points.iter().filter(|point| !POINTS.iter().any(|(_, known, _)| known == point)).collect();
    assert!(untested.is_empty(), "add these to the table of this test: {untested:?}");
    assert!(POINTS.iter().all(|(_, known, _)| points.iter().any(|point| point == known)), "one is not there any more");
}
