//! Calls that are dropped, refused, made from anywhere, and told wrong times.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, unreachable_pub)]

mod common;

use common::{Books, create};
use isobox_contract::{Action, ErrorCode, State, Timestamp};
use isobox_control::*;
use rusqlite::Connection;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

async fn open(path: &Path, options: Options) -> Books {
    Arc::new(SqliteStore::open(path, options).await.unwrap())
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("control.db");
    (home, path)
}

/// Another program that keeps the file locked for writing.
fn lock(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    connection
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_call_is_done_wholly_or_not_at_all() {
    let (_home, path) = place();
    let store = open(&path, Options::default()).await;
    let mut requests = Vec::new();
    for round in 0..300_u32 {
        let request = create(None);
        requests.push((request.id, request.operation));
        let mut call = pin!(store.begin_create(request));
        // Asked for, and given up at once or a little later.
        let polled = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(polled, Poll::Pending | Poll::Ready(Ok(_))));
        if round % 3 == 0 {
            tokio::time::sleep(Duration::from_micros(u64::from(round))).await;
        }
    }
    // Behind everything that was asked for.
    common::running(&store, None).await;
    let mut done = 0;
    for (sandbox, operation) in requests {
        let (sandbox, operation) = (store.sandbox(&sandbox).await, store.operation(&operation).await);
        assert_eq!(sandbox.is_ok(), operation.is_ok());
        done += u64::from(sandbox.is_ok());
    }
    println!("{done} of 300 dropped calls were done");
    assert_eq!(store.stats().await.unwrap().events, 2 * done + 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_queue_refuses_and_starts_nothing() {
    let (_home, path) = place();
    let store = open(&path, Options { queue: 4, ..Options::default() }).await;
    let blocker = lock(&path);
    let calls: Vec<_> = (0..40)
        .map(|_| {
            tokio::spawn({
                let store = store.clone();
                async move { store.begin_create(create(None)).await }
            })
        })
        .collect();
    // A read is not in their way, and sees that nothing is written.
    assert_eq!(store.last_sequence().await.unwrap(), 0);
    while !calls.iter().any(tokio::task::JoinHandle::is_finished) {
        tokio::task::yield_now().await;
    }
    blocker.execute_batch("ROLLBACK").unwrap();
    let (mut done, mut refused) = (0, 0);
    for call in calls {
        match call.await.unwrap() {
            Ok(_) => done += 1,
            Err(error) => {
                assert_eq!(error.code(), ErrorCode::Overloaded, "{error}");
                assert!(error.is_retryable());
                refused += 1;
            }
        }
    }
    assert!(done >= 4 && refused > 0, "{done} done, {refused} refused");
    assert_eq!(store.stats().await.unwrap().live_sandboxes, done);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_waited_for_too_long_is_refused_and_starts_nothing() {
    let (_home, path) = place();
    let store = open(&path, Options { queue_wait: Duration::from_millis(500), ..Options::default() }).await;
    let blocker = lock(&path);
    let call = || {
        tokio::spawn({
            let store = store.clone();
            async move { store.begin_create(create(None)).await }
        })
    };
    let first = call();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let second = call();
    tokio::time::sleep(Duration::from_millis(1000)).await;
    blocker.execute_batch("ROLLBACK").unwrap();
    assert!(first.await.unwrap().is_ok(), "its turn had come");
    assert_eq!(second.await.unwrap().unwrap_err().code(), ErrorCode::Overloaded);
    assert_eq!(store.stats().await.unwrap().live_sandboxes, 1);
}

struct Unpark(std::thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// An executor that is none of tokio's.
fn block<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::park(),
        }
    }
}

#[test]
fn it_needs_no_runtime() {
    let (_home, path) = place();
    let store = block(open(&path, Options::default()));
    let waiting = std::thread::spawn({
        let store = store.clone();
        move || block(store.wait_past(3)).unwrap()
    });
    block(common::running(&store, Some("a")));
    assert_eq!(waiting.join().unwrap(), 4);
    block(store.close()).unwrap();
}

#[test]
fn dropping_it_waits_for_nothing() {
    let (_home, path) = place();
    let store = block(open(&path, Options::default()));
    let request = create(Some("last"));
    let blocker = lock(&path);
    {
        let mut call = pin!(store.begin_create(request));
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        let begun = std::time::Instant::now();
        // The writer waits for the lock meanwhile.
        std::thread::sleep(Duration::from_millis(50));
        drop(store.clone());
        assert!(begun.elapsed() < Duration::from_secs(1));
    }
    let begun = std::time::Instant::now();
    drop(store);
    assert!(begun.elapsed() < Duration::from_secs(1));
    blocker.execute_batch("ROLLBACK").unwrap();
    let again = block(open(&path, Options::default()));
    block(common::running(&again, None));
    block(again.close()).unwrap();
}

/// A clock that somebody sets.
#[derive(Debug)]
struct Hand(Mutex<Timestamp>);

impl Hand {
    fn set(&self, seconds: i64) {
        *self.0.lock().unwrap() = Timestamp::from_unix(seconds, 0);
    }
}

impl Clock for Hand {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

#[tokio::test]
async fn a_clock_that_jumps_both_ways_breaks_nothing() {
    const DAY: i64 = 86_400;
    let (_home, path) = place();
    let now = 20_000 * DAY;
    let clock = Arc::new(Hand(Mutex::new(Timestamp::from_unix(now, 0))));
    let store = open(&path, Options { clock: clock.clone(), ..Options::default() }).await;
    let sandbox = common::running(&store, Some("a")).await;
    for jump in [now - 19_000 * DAY, now + 19_000 * DAY, 0, i64::MAX, i64::MIN, now] {
        clock.set(jump);
        for (action, state) in [(Action::Stop, State::Stopped), (Action::Start, State::Running)] {
            let request = ActionRequest::new(sandbox.id, action);
            store.begin(request.clone()).await.unwrap();
            clock.set(jump.saturating_sub(1000));
            store.confirm(&request.operation, Outcome::state(state)).await.unwrap();
        }
        let ended = common::running(&store, None).await;
        store.transition(&ended.id, Transition::to(State::Deleted, Action::Delete)).await.unwrap();
        // What lives is kept, whatever the clock says.
        store.prune(&Retention::default()).await.unwrap();
        let found = store.sandbox_by_name("a").await.unwrap().unwrap();
        assert_eq!((found.id, found.state), (sandbox.id, State::Running));
    }
    let last = store.last_sequence().await.unwrap();
    let page = store.events_after(0, EventFilter::default(), 1000).await.unwrap();
    let numbers: Vec<_> = page.events.iter().map(|event| event.sequence).collect();
    let expected: Vec<_> = (page.gone.unwrap_or(1)..=last).collect();
    assert_eq!(numbers, expected, "in the order in which they happened, without a hole");
    // Even if some are of a time to come, the limits of number hold.
    let few = Retention { max_events: 5, max_sandboxes: 1, ..Retention::default() };
    store.prune(&few).await.unwrap();
    let stats = store.stats().await.unwrap();
    assert_eq!((stats.events, stats.ended_sandboxes, stats.live_sandboxes), (5, 1, 1));
}

#[tokio::test]
async fn what_is_over_and_old_is_dropped_and_what_is_young_stays() {
    let (_home, path) = place();
    let clock = Arc::new(Hand(Mutex::new(Timestamp::from_unix(1_000_000, 0))));
    let store = open(&path, Options { clock: clock.clone(), ..Options::default() }).await;
    let end = async |name| {
        let sandbox = common::running(&store, Some(name)).await;
        store.transition(&sandbox.id, Transition::to(State::Deleted, Action::Delete)).await.unwrap();
        sandbox.id
    };
    let old = end("old").await;
    let lives = common::running(&store, Some("lives")).await;
    clock.set(1_000_000 + 3 * 86_400);
    let young = end("young").await;
    clock.set(1_000_000 + 8 * 86_400);
    let pruned = store.prune(&Retention::default()).await.unwrap();
    assert_eq!((pruned.sandboxes, pruned.operations, pruned.events), (1, 2, 9));
    assert_eq!(store.sandbox(&old).await.unwrap_err().code(), ErrorCode::NotFound);
    assert!(store.sandbox(&young).await.is_ok() && store.sandbox(&lives.id).await.is_ok());
}

#[tokio::test]
async fn the_file_does_not_grow_for_ever() {
    let (_home, path) = place();
    let store = open(&path, Options::default()).await;
    let few = Retention { max_sandboxes: 50, max_operations: 50, max_events: 200, ..Retention::default() };
    let mut sizes = Vec::new();
    for _ in 0..4 {
        let batch = (0..600).map(|_| async {
            let sandbox = common::running(&store, None).await;
            store.transition(&sandbox.id, Transition::to(State::Deleted, Action::Delete)).await.unwrap();
        });
        futures::future::join_all(batch).await;
        let before = store.stats().await.unwrap().bytes;
        let pruned = store.prune(&few).await.unwrap();
        let after = store.stats().await.unwrap();
        assert_eq!((after.ended_sandboxes, after.operations, after.events), (50, 50, 200));
        assert_eq!(before - after.bytes, pruned.bytes);
        assert!(pruned.bytes > 0, "it shrinks");
        sizes.push(after.bytes);
    }
    println!("bytes after each round: {sizes:?}");
    assert!(sizes[3] <= sizes[0] + (1 << 18), "{sizes:?}");
    store.close().await.unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() <= sizes[3], "the file itself is as small");
}
