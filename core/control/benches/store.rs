//! What the books cost: `cargo bench -p isobox-control`. `TMPDIR` says on which filesystem.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use isobox_contract::{Action, EventKind, ProviderKind, SandboxSpec, State, Subject};
use isobox_control::*;
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

type Books = Arc<dyn Store>;

async fn open(path: &Path) -> Books {
    let store = SqliteStore::open(path, Options::default()).await.unwrap();
    // Everything is asked for in turn, and nothing has to wait.
    let limits = Limits { concurrent_creates: 1000, live_sandboxes: Some(1_000_000), ..Limits::default() };
    store.set_limits(limits).await.unwrap();
    Arc::new(store)
}

/// Writes down a create; what a provider adds is left out.
async fn create(store: &Books) -> OperationEntry {
    let mut request = CreateRequest::new(ProviderKind::NAMESPACE, SandboxSpec::default());
    request.admission = Admission::InTurn;
    let Created::Begun { operation, .. } = store.begin_create(request).await.unwrap() else { panic!("it has no name") };
    store.confirm(&operation.id, Outcome::state(State::Running)).await.unwrap()
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    println!("{what:<58} p50 {:>9.1?}  p95 {:>9.1?}  p99 {:>9.1?}", at(50), at(95), at(99));
}

fn rate(what: &str, count: usize, took: Duration) {
    println!("{what:<58} {:>9.0} /s", count as f64 / took.as_secs_f64());
}

/// A commit of one row by SQLite alone.
fn commits(home: &Path, synchronous: &str) {
    let connection = Connection::open(home.join(format!("{synchronous}.db"))).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.pragma_update(None, "synchronous", synchronous).unwrap();
    connection.execute_batch("CREATE TABLE rows (value TEXT)").unwrap();
    let times = (0..500).map(|_| {
        let begun = Instant::now();
        connection.prepare_cached("INSERT INTO rows VALUES ('one')").unwrap().execute([]).unwrap();
        begun.elapsed()
    });
    report(&format!("a commit of one row by SQLite, synchronous {synchronous}"), times.collect());
}

async fn one_at_a_time(store: &Books) {
    let mut creates = Vec::new();
    let mut deletes = Vec::new();
    for _ in 0..2000 {
        let begun = Instant::now();
        let made = create(store).await;
        creates.push(begun.elapsed());
        let begun = Instant::now();
        let delete = ActionRequest::new(made.sandbox.unwrap(), Action::Delete);
        store.begin(delete.clone()).await.unwrap();
        store.confirm(&delete.operation, Outcome::state(State::Deleted)).await.unwrap();
        deletes.push(begun.elapsed());
    }
    report("begin_create and confirm, one at a time", creates);
    report("begin and confirm of a delete, one at a time", deletes);
}

/// Creates by 32 tasks for two seconds; how many.
async fn many(store: &Books) -> usize {
    let until = Instant::now() + Duration::from_secs(2);
    let workers: Vec<_> = (0..32)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move {
                let mut made = 0;
                while Instant::now() < until {
                    create(&store).await;
                    made += 1;
                }
                made
            })
        })
        .collect();
    let mut made = 0;
    for worker in workers {
        made += worker.await.unwrap();
    }
    made
}

async fn two_processes(path: &Path) {
    let start = || {
        std::process::Command::new(std::env::current_exe().unwrap())
            .env("ISOBOX_BENCH_PLACE", path)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let ended = [start(), start()].map(|child| child.wait_with_output().unwrap().stdout);
    let made = ended.map(|text| String::from_utf8(text).unwrap().trim().parse::<usize>().unwrap());
    rate("begin_create and confirm, 2 processes of 32 tasks", made[0] + made[1], Duration::from_secs(2));
    println!("    of which the one process {} and the other {}", made[0], made[1]);
}

async fn events(store: &Books) {
    let event = || NewEvent {
        at: None,
        provider: Some(ProviderKind::NAMESPACE),
        subject: Subject::Provider { kind: ProviderKind::NAMESPACE },
        operation: None,
        correlation: None,
        kind: EventKind::FilesTransferred { upload: true, files: 1, bytes: 80 },
    };
    let times = async |count: usize, each: usize| {
        let begun = Instant::now();
        for _ in 0..count / each {
            store.append_events((0..each).map(|_| event()).collect()).await.unwrap();
        }
        begun.elapsed()
    };
    rate("append_events, 1 at a time", 2000, times(2000, 1).await);
    rate("append_events, 100 at a time", 100_000, times(100_000, 100).await);
    let last = store.last_sequence().await.unwrap();
    let mut follow = follow(store.clone(), last - 100_000, EventFilter::default());
    let begun = Instant::now();
    for _ in 0..100_000 {
        follow.next().await.unwrap();
    }
    println!("{:<58} {:>9.1?}", "replay of 100,000 events", begun.elapsed());
}

async fn lists(store: &Books) {
    while store.stats().await.unwrap().live_sandboxes < 10_000 {
        futures::future::join_all((0..100).map(|_| create(store))).await;
    }
    let times = async |limit| {
        let mut times = Vec::new();
        for _ in 0..50 {
            let begun = Instant::now();
            let found = store.sandboxes(SandboxFilter::default(), Page { after: None, limit }).await.unwrap();
            assert_eq!(found.len(), limit);
            times.push(begun.elapsed());
        }
        times
    };
    report("list of 100 of 10,000", times(100).await);
    report("list of 10,000", times(10_000).await);
    let id = store.sandboxes(SandboxFilter::default(), Page { after: None, limit: 1 }).await.unwrap()[0].id;
    let mut times = Vec::new();
    for _ in 0..2000 {
        let begun = Instant::now();
        store.sandbox(&id).await.unwrap();
        times.push(begun.elapsed());
    }
    report("one sandbox", times);
}

/// What a follower's thread does 66 times a second.
fn looks(path: &Path) {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection.prepare("PRAGMA data_version").unwrap();
    let times = (0..2000).map(|_| {
        let begun = Instant::now();
        statement.query_row([], |row| row.get::<_, i64>(0)).unwrap();
        begun.elapsed()
    });
    report("asking SQLite whether another process wrote", times.collect());
}

#[tokio::main]
async fn main() {
    if let Some(place) = std::env::var_os("ISOBOX_BENCH_PLACE") {
        let made = many(&open(Path::new(&place)).await).await;
        println!("{made}");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("control.db");
    let begun = Instant::now();
    let store = open(&path).await;
    println!("{:<58} {:>9.1?}", "making the file", begun.elapsed());
    let begun = Instant::now();
    open(&path).await;
    println!("{:<58} {:>9.1?}", "opening it", begun.elapsed());
    commits(home.path(), "NORMAL");
    commits(home.path(), "FULL");
    one_at_a_time(&store).await;
    rate("begin_create and confirm, 32 tasks", many(&store).await, Duration::from_secs(2));
    two_processes(&path).await;
    events(&store).await;
    lists(&store).await;
    looks(&path);
    let begun = Instant::now();
    let pruned =
        store.prune(&Retention { max_events: 100, max_operations: 100, ..Retention::default() }).await.unwrap();
    println!("{:<58} {:>9.1?}", format!("prune of {} events", pruned.events), begun.elapsed());
    let begun = Instant::now();
    store.close().await.unwrap();
    println!("{:<58} {:>9.1?}", "closing it", begun.elapsed());
}
