//! Many sandboxes of one user at the same time: what the kernel counts for each user must not run out.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::Lab;
use futures::stream::{self, StreamExt};
use rustix::process::{Resource, getrlimit, setrlimit};
use std::path::PathBuf;

const MANY: usize = 300;
const AT_ONCE: usize = 8;
/// Files that this process needs for each sandbox, and for itself.
const FILES: u64 = 8 * MANY as u64 + 200;

/// How many keys of this user the kernel counts, of the 200 that an ordinary user may have.
fn keys() -> Option<u64> {
    let users = std::fs::read_to_string("/proc/key-users").ok()?;
    let own = format!("{}:", rustix::process::geteuid().as_raw());
    let line = users.lines().find(|line| line.trim_start().starts_with(&own))?;
    line.split_whitespace().nth(3)?.split('/').next()?.parse().ok()
}

#[tokio::test]
async fn three_hundred_of_one_user_live_at_once() {
    let mut limit = getrlimit(Resource::Nofile);
    if limit.maximum.is_some_and(|most| most < FILES) {
        return eprintln!("skipped: this user may open {:?} files and needs {FILES}", limit.maximum);
    }
    limit.current = limit.current.map(|now| now.max(FILES));
    setrlimit(Resource::Nofile, limit).unwrap();
    let lab = Lab::open().await;
    let before = keys();
    let made = stream::iter(0..MANY).map(|_| lab.sandbox("namespace")).buffer_unordered(AT_ONCE);
    let sandboxes: Vec<_> = made.collect().await;
    let during = keys();
    let ran = stream::iter(&sandboxes)
        .map(|sandbox| async { sandbox.shell("echo alive").await.unwrap().stdout.text().into_owned() });
    let ran: Vec<_> = ran.buffer_unordered(AT_ONCE).collect().await;
    assert!(ran.len() == MANY && ran.iter().all(|text| text == "alive\n"), "{ran:?}");
    // A sandbox has no key of its own; what the process itself may get on the way is one or two.
    if let (Some(before), Some(during)) = (before, during) {
        assert!(during <= before + 2, "{before} keys before, {during} with {MANY} sandboxes");
    }
    stream::iter(&sandboxes).for_each_concurrent(AT_ONCE, |sandbox| async { sandbox.delete().await.unwrap() }).await;
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}
