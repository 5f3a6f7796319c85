//! A sandbox that stands still for a copy of its files, and what can be noticed of that inside.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use common::limited::{able, counter, line, pausable};
use isobox::{Capability, OutputEvent, SnapshotOptions, State};
use std::path::PathBuf;

/// A parent that tells of every child that stops or goes on, and ends when it is told to.
const WATCHER: &str = "
import os, select, sys
child = os.fork()
if child == 0:
    os.setpgid(0, 0)
    grandchild = os.fork()
    while True: os.stat('/')
print('ready', flush=True)
seen = 0
while not select.select([sys.stdin], [], [], 0.001)[0]:
    pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED | os.WCONTINUED)
    seen += pid != 0
os.killpg(child, 9)
print(seen)
";

#[tokio::test]
async fn nobody_inside_sees_a_child_stop_or_go_on() {
    let lab = Lab::open().await;
    if !able(&lab, Capability::LifecyclePause).await {
        return;
    }
    let sandbox = lab.sandbox("namespace").await;
    let watcher = sandbox.exec(["python3", "-c", WATCHER]).stdin_stream().spawn().await.unwrap();
    line(&watcher).await;
    for _ in 0..5 {
        sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
    }
    watcher.write(b"stop\n".to_vec()).await.unwrap();
    let Some(OutputEvent::Stdout(seen)) = watcher.next().await.unwrap() else { panic!("it says what it saw") };
    assert_eq!(seen.as_ref(), b"0\n");
    watcher.wait().await.unwrap();
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_copy_neither_ends_a_pause_nor_begins_one() {
    let lab = Lab::open().await;
    let Some(sandbox) = pausable(&lab, |builder| builder).await else { return };
    let process = counter(&sandbox).await;
    line(&process).await;
    sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
    line(&process).await;
    assert_eq!(sandbox.describe().await.unwrap().state, State::Running);
    sandbox.pause().await.unwrap();
    sandbox.snapshot(SnapshotOptions::default()).await.unwrap();
    assert_eq!(sandbox.describe().await.unwrap().state, State::Paused);
    sandbox.resume().await.unwrap();
    line(&process).await;
    sandbox.delete().await.unwrap();
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}
