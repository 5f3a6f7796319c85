//! What the tests of commands share: marks by which processes are found, and waits that end.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]

use crate::common::processes_with;
use isobox::{OutputEvent, Process, Sandbox};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Longer than anything here takes on a busy machine.
pub const LONG: Duration = Duration::from_secs(60);

/// A time to sleep that no other process of this machine sleeps: `sleep MARK` is found by it, whatever it does to its
/// environment, session or parent.
pub fn mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("1000.{}{:03}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Waits until `holds`, and fails with `what` when it does not come to that.
pub async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < LONG, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

pub async fn until_there(mark: &str) {
    until("the processes never appeared", || !processes_with(mark).is_empty()).await;
}

pub async fn until_gone(mark: &str) {
    until("the processes live on", || processes_with(mark).is_empty()).await;
}

/// Fails instead of hanging.
pub async fn within_long<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(LONG, future).await.expect("it hangs")
}

/// Reads a process until its stdout holds `text`, and gives what there is by then.
pub async fn read_until(process: &Process, text: &str) -> String {
    let mut seen = Vec::new();
    within_long(async {
        while !String::from_utf8_lossy(&seen).contains(text) {
            match process.next().await.unwrap() {
                Some(OutputEvent::Stdout(bytes)) => seen.extend_from_slice(&bytes),
                other => panic!("{other:?} before {text:?}, after {:?}", String::from_utf8_lossy(&seen)),
            }
        }
    })
    .await;
    String::from_utf8(seen).unwrap()
}

/// The process on this machine that supervises the sandbox, and its commands.
pub async fn agent(sandbox: &Sandbox) -> u32 {
    let mark = mark();
    let process = sandbox.exec(["sleep", &mark]).spawn().await.unwrap();
    until_there(&mark).await;
    let agent = parent(parent(processes_with(&mark)[0]));
    process.kill().await.unwrap();
    agent
}

fn parent(pid: u32) -> u32 {
    status(pid)["PPid"].parse().unwrap()
}

fn status(pid: u32) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect()
}

/// The memory that a process uses now, in MiB.
pub fn memory(pid: u32) -> u64 {
    status(pid)["VmRSS"].trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

/// The descriptors that a process has open, when this user may know.
pub fn descriptors(pid: u32) -> Option<usize> {
    std::fs::read_dir(format!("/proc/{pid}/fd")).ok().map(Iterator::count)
}

pub fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

/// Does something again and again until the processes are gone.
pub async fn until_gone_with(mark: &str, mut again: impl AsyncFnMut()) {
    within_long(async {
        while !processes_with(mark).is_empty() {
            again().await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}
