//! The suite on a Docker engine: at its socket, as if it were on another machine, and with gVisor as the runtime.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod targets;

use std::process::Command;
use targets::{DOCKER, Equipped, Which, engine};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a process of the other tests"]
async fn elsewhere() {
    targets::elsewhere().await;
}

async fn passes(which: Which) {
    let report = Equipped::new(which).suite().run().await;
    println!("{}", report.table());
    assert!(report.passed(), "{}", report.table());
}

/// What the engine of the tests is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Docker,
    DockerWithGvisor,
    Podman,
}

/// Nothing where there is no engine.
fn kind() -> Option<Kind> {
    let Some(engine) = engine() else {
        println!("skipped: {DOCKER} names no engine, run this with `cargo xtask docker -- ...`");
        return None;
    };
    let told = |arguments: &[&str]| {
        let told = Command::new("docker").args(["-H", &engine]).args(arguments).output().unwrap();
        String::from_utf8_lossy(&told.stdout).into_owned()
    };
    // It lists runtimes that it has not got.
    if told(&["version", "--format", "{{json .Server.Components}}"]).contains("Podman Engine") {
        return Some(Kind::Podman);
    }
    let runtimes = told(&["info", "--format", "{{json .Runtimes}}"]);
    Some(if runtimes.contains("\"runsc\"") { Kind::DockerWithGvisor } else { Kind::Docker })
}

#[tokio::test]
async fn the_engine_passes() {
    match kind() {
        Some(Kind::Podman) => println!("skipped: the engine is Podman, at which podman_passes looks"),
        Some(_) => passes(Which::Docker).await,
        None => {}
    }
}

#[tokio::test]
async fn podman_passes() {
    match kind() {
        Some(Kind::Podman) => passes(Which::Docker).await,
        Some(_) => {
            println!("skipped: the engine is Docker, run this with `cargo xtask docker --engine podman -- ...`");
        }
        None => {}
    }
}

#[tokio::test]
async fn an_engine_of_another_machine_passes() {
    if std::env::var_os("ISOBOX_TEST_AS_USER").is_some() {
        println!("skipped: over TCP nobody is root or a user, and root has looked at it");
        return;
    }
    match kind() {
        Some(Kind::Docker | Kind::Podman) => passes(Which::DockerOverTcp).await,
        Some(Kind::DockerWithGvisor) => println!("skipped: it is looked at beside the engine without gVisor"),
        None => {}
    }
}

#[tokio::test]
#[ignore = "gVisor does not do all that is claimed for it: the reference page has what it does not"]
async fn gvisor_passes() {
    match kind() {
        Some(Kind::DockerWithGvisor) => passes(Which::DockerWithGvisor).await,
        Some(_) => {
            println!("skipped: the engine has no gVisor, run this with `cargo xtask docker --engine 26 --runsc -- ...`")
        }
        None => {}
    }
}
