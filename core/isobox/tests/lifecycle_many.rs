//! Many sandboxes, at once and one after the other, leave the process and the machine as they were.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says where it is"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use common::{Lab, PROVIDERS};
use elsewhere::{Elsewhere, children, settles};
use isobox::Isobox;
use rustix::process::getpid;
use std::path::PathBuf;

const AT_ONCE: usize = 200;
const IN_A_ROW: usize = 1000;
/// What the allocator may keep, in bytes: far less than a few kilobytes for each of the sandboxes.
const SLACK: u64 = 4 << 20;

/// What a process has that could leak.
#[derive(Debug, PartialEq)]
struct Holdings {
    descriptors: usize,
    threads: usize,
    children: usize,
    mounts: usize,
    temporary: usize,
}

impl Holdings {
    fn now() -> Self {
        let entries = |path: &str| std::fs::read_dir(path).unwrap().count();
        Self {
            descriptors: entries("/proc/self/fd"),
            threads: entries("/proc/self/task"),
            children: children(getpid()).len(),
            mounts: std::fs::read_to_string("/proc/self/mountinfo")
                .unwrap()
                .lines()
                .filter(|l| l.contains("sbx_"))
                .count(),
            temporary: std::fs::read_dir(std::env::temp_dir()).unwrap().flatten().filter(ours).count(),
        }
    }

    /// Less is no leak: what was on its way out at the first look is gone at the second.
    fn is_within(&self, before: &Self) -> bool {
        let all = |held: &Self| [held.descriptors, held.threads, held.children, held.mounts, held.temporary];
        std::iter::zip(all(self), all(before)).all(|(now, then)| now <= then)
    }
}

/// Other programs have temporary files too.
fn ours(entry: &std::fs::DirEntry) -> bool {
    let name = entry.file_name();
    ["isobox", "sbx_", "exe_"].iter().any(|prefix| name.to_string_lossy().starts_with(prefix))
}

fn memory() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * rustix::param::page_size() as u64
}

async fn use_one(isobox: &Isobox, provider: &str) {
    let sandbox = isobox.sandbox().provider(provider).create().await.unwrap();
    let result = sandbox.exec(["echo", "hello"]).await.unwrap();
    assert_eq!(result.stdout.text(), "hello\n", "{result:?}: {}", result.stderr.text());
    sandbox.files().write("file", "content").await.unwrap();
    sandbox.delete().await.unwrap();
}

async fn at_once(lab: &Lab, provider: &'static str) {
    let all: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let isobox = lab.isobox.clone();
            tokio::spawn(async move { use_one(&isobox, provider).await })
        })
        .collect();
    for one in all {
        one.await.unwrap();
    }
}

/// Counts are of a whole process, so this one has no other tests in it.
#[test]
#[ignore = "a process of the other tests"]
fn counted() {
    if elsewhere::home().is_none() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let lab = Lab::open().await;
        // The first ones open what stays open: the providers, the agent's program.
        for provider in PROVIDERS {
            at_once(&lab, provider).await;
        }
        let mut threads_rest = 0;
        settles("the runtime's idle threads ending", || {
            threads_rest += 1;
            Holdings::now().threads <= 4 || threads_rest > 5_000
        })
        .await;
        let (before, memory_before) = (Holdings::now(), memory());
        for provider in PROVIDERS {
            let begun = std::time::Instant::now();
            at_once(&lab, provider).await;
            eprintln!("{AT_ONCE} at once on {provider}: {:?}", begun.elapsed());
            let begun = std::time::Instant::now();
            for _ in 0..IN_A_ROW {
                use_one(&lab.isobox, provider).await;
            }
            eprintln!("{IN_A_ROW} in a row on {provider}: {:?}", begun.elapsed());
        }
        assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
        let mut last = None;
        settles("giving everything back", || {
            let now = Holdings::now();
            let within = now.is_within(&before);
            if !within && last.as_ref() != Some(&now) {
                eprintln!("{now:?} after {before:?}");
            }
            last = Some(now);
            within
        })
        .await;
        let grown = memory().saturating_sub(memory_before);
        assert!(grown < SLACK, "memory has grown by {grown} bytes");
    });
}

#[test]
fn many_sandboxes_leave_nothing() {
    let home = tempfile::tempdir().unwrap();
    Elsewhere::start("counted", home.path()).finish();
}
