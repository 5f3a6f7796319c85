//! What time does to the books: `cargo bench -p isobox-control --bench growth`. Takes minutes and 2 GB in `TMPDIR`.
//!
//! First 100,000 sandboxes are made and deleted, with what is over dropped now and then: the file must not grow beyond what
//! retention keeps. Then a file is filled to 1 GB, and opened, written and read beside an empty one.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use isobox_contract::{Action, EventKind, ProviderKind, SandboxSpec, State, Subject};
use isobox_control::*;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SANDBOXES: usize = 100_000;
const TASKS: usize = 32;
const GIGABYTE: u64 = 1_000_000_000;

type Books = Arc<dyn Store>;

async fn open(path: &Path) -> Books {
    Arc::new(SqliteStore::open(path, Options::default()).await.unwrap())
}

/// A sandbox that is made and deleted.
async fn live_and_die(store: &Books) {
    let request = CreateRequest::new(ProviderKind::NAMESPACE, SandboxSpec::default());
    let Created::Begun { operation, sandbox } = store.begin_create(request).await.unwrap() else {
        panic!("it has no name")
    };
    store.confirm(&operation.id, Outcome::state(State::Running)).await.unwrap();
    let delete = ActionRequest::new(sandbox.id, Action::Delete);
    store.begin(delete.clone()).await.unwrap();
    store.confirm(&delete.operation, Outcome::state(State::Deleted)).await.unwrap();
}

async fn many(store: &Books, count: usize) {
    let workers = (0..TASKS).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            for _ in 0..count / TASKS {
                live_and_die(&store).await;
            }
        })
    });
    for worker in workers.collect::<Vec<_>>() {
        worker.await.unwrap();
    }
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// The file and its journal.
fn on_disk(path: &Path) -> u64 {
    let journal = path.with_extension("db-wal");
    [path, &journal].iter().filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
}

async fn growth(path: &Path) {
    let store = open(path).await;
    println!("{:>9}  {:>9}  {:>9}  {:>9}  {:>9}  {:>9}", "made", "known", "events", "file", "made in", "pruned in");
    for tenth in 1..=10 {
        let begun = Instant::now();
        many(&store, SANDBOXES / 10).await;
        let made = begun.elapsed();
        let begun = Instant::now();
        store.prune(&Retention::default()).await.unwrap();
        let pruned = begun.elapsed();
        let stats = store.stats().await.unwrap();
        println!(
            "{:>9}  {:>9}  {:>9}  {:>5.1} MiB  {:>9.1?}  {:>9.1?}",
            SANDBOXES / 10 * tenth,
            stats.ended_sandboxes,
            stats.events,
            mebibytes(on_disk(path)),
            made,
            pruned
        );
    }
    store.close().await.unwrap();
}

async fn fill(store: &Books) {
    let event = || NewEvent {
        at: None,
        provider: Some(ProviderKind::NAMESPACE),
        subject: Subject::Provider { kind: ProviderKind::NAMESPACE },
        operation: None,
        correlation: None,
        kind: EventKind::Notice { code: "filler".into(), message: "x".repeat(4000) },
    };
    while store.stats().await.unwrap().bytes < GIGABYTE {
        for _ in 0..50 {
            store.append_events((0..100).map(|_| event()).collect()).await.unwrap();
        }
    }
}

async fn measure(what: &str, path: &Path) {
    let begun = Instant::now();
    let store = open(path).await;
    let opened = begun.elapsed();
    let mut lives: Vec<Duration> = Vec::new();
    for _ in 0..500 {
        let begun = Instant::now();
        live_and_die(&store).await;
        lives.push(begun.elapsed());
    }
    lives.sort();
    let begun = Instant::now();
    store.events_after(0, EventFilter::default(), 100).await.unwrap();
    let read = begun.elapsed();
    store.close().await.unwrap();
    let (p50, p95) = (lives[lives.len() / 2], lives[lives.len() * 95 / 100]);
    println!("{what:<16} open {opened:>9.1?}  a sandbox p50 {p50:>9.1?}  p95 {p95:>9.1?}  100 events {read:>9.1?}");
}

#[tokio::main]
async fn main() {
    let home = tempfile::tempdir().unwrap();
    growth(&home.path().join("growing.db")).await;
    let (small, large) = (home.path().join("small.db"), home.path().join("large.db"));
    let store = open(&large).await;
    fill(&store).await;
    store.close().await.unwrap();
    for _ in 0..2 {
        measure("an empty file", &small).await;
        measure(&format!("{:.0} MiB", mebibytes(on_disk(&large))), &large).await;
    }
}
