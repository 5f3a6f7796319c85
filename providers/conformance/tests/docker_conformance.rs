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
    passes_of(which, &[]).await;
}

/// With the checks whose names hold one of these, or with all.
async fn passes_of(which: Which, only: &[&str]) {
    let equipped = Equipped::new(which);
    // Each of its sandboxes has a kernel to boot.
    let suite = if which.runtime().is_some() { equipped.suite().at_once(4) } else { equipped.suite() };
    let report = only.iter().fold(suite, |suite, text| suite.only(*text)).run().await;
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
    let gvisor = [Which::DockerWithGvisor, Which::DockerWithKeepingGvisor].map(Which::runtime);
    let all = gvisor.into_iter().flatten().all(|name| runtimes.contains(&format!("\"{name}\"")));
    Some(if all { Kind::DockerWithGvisor } else { Kind::Docker })
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

/// Parts of the names of checks whose files must be kept, or that are refused where they are not.
const OF_FILES: [&str; 6] = ["stop", "snapshot", "fork", "events_of_operations", "list_gives", "refuses.lifecycle"];

async fn passes_in_gvisor(which: Which, only: &[&str]) {
    match kind() {
        Some(Kind::DockerWithGvisor) => passes_of(which, only).await,
        Some(_) => {
            println!(
                "skipped: the engine has no gVisor, run this with `cargo xtask docker --engine 26 --runsc -- ...`"
            );
        }
        None => {}
    }
}

#[tokio::test]
async fn gvisor_passes() {
    passes_in_gvisor(Which::DockerWithGvisor, &[]).await;
}

#[tokio::test]
async fn gvisor_that_keeps_files_passes() {
    passes_in_gvisor(Which::DockerWithKeepingGvisor, &OF_FILES).await;
}
