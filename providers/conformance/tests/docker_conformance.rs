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

/// Whether the engine has gVisor; nothing where there is no engine.
fn has_gvisor() -> Option<bool> {
    let Some(engine) = engine() else {
        println!("skipped: {DOCKER} names no engine, run this with `cargo xtask docker -- ...`");
        return None;
    };
    let told = Command::new("docker").args(["-H", &engine, "info", "--format", "{{json .Runtimes}}"]).output().unwrap();
    Some(String::from_utf8_lossy(&told.stdout).contains("\"runsc\""))
}

#[tokio::test]
async fn the_engine_passes() {
    if has_gvisor().is_some() {
        passes(Which::Docker).await;
    }
}

#[tokio::test]
async fn an_engine_of_another_machine_passes() {
    if std::env::var_os("ISOBOX_TEST_AS_USER").is_some() {
        println!("skipped: over TCP nobody is root or a user, and root has looked at it");
        return;
    }
    match has_gvisor() {
        Some(false) => passes(Which::DockerOverTcp).await,
        Some(true) => println!("skipped: it is looked at beside the engine without gVisor"),
        None => {}
    }
}

#[tokio::test]
#[ignore = "gVisor does not do all that is claimed for it: the reference page has what it does not"]
async fn gvisor_passes() {
    match has_gvisor() {
        Some(true) => passes(Which::DockerWithGvisor).await,
        Some(false) => {
            println!("skipped: the engine has no gVisor, run this with `cargo xtask docker --engine 26 --runsc -- ...`")
        }
        None => {}
    }
}
