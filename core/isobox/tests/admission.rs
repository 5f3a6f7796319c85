//! Limits that hold for all processes together, and turns for those that wait.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use common::Lab;
use elsewhere::{Elsewhere, PATIENCE};
use isobox::contract::Action;
use isobox::{
    Detail, ErrorCode, EventFilter, EventKind, EventSink, Followed, Isobox, Limits, ProviderKind, Queue, Result,
    Sandbox, SandboxFilter, SandboxSpec,
};
use isobox_control::{Admission, CreateRequest, Created, Options, OwnerLock, SqliteStore, Store};
use rustix::process::Signal;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::JoinHandle;

async fn limit(isobox: &Isobox, change: impl FnOnce(&mut Limits)) {
    let mut limits = isobox.limits().await.unwrap();
    change(&mut limits);
    isobox.set_limits(limits).await.unwrap();
}

fn create(isobox: &Isobox) -> JoinHandle<Result<Sandbox>> {
    let isobox = isobox.clone();
    tokio::spawn(async move { isobox.sandbox().provider("host").create().await })
}

async fn in_time<T>(what: JoinHandle<Result<T>>) -> Result<T> {
    tokio::time::timeout(PATIENCE, what).await.expect("it does not wait for ever").unwrap()
}

/// The queue once that many wait, which nothing announces.
async fn waiting(isobox: &Isobox, count: usize) -> Queue {
    let seen = async {
        loop {
            let queue = isobox.queue().await.unwrap();
            if queue.waiting.len() == count {
                return queue;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(PATIENCE, seen).await.expect("as many wait as expected")
}

/// Makes as many sandboxes at once as it is told to, and deletes each when it is there.
#[test]
#[ignore = "a process of the other tests"]
fn many() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        while let Some(count) = elsewhere::hear() {
            let each = (0..count.parse().unwrap()).map(|_| {
                let made = create(&isobox);
                async move { made.await.unwrap().unwrap().delete().await.unwrap() }
            });
            futures::future::join_all(each).await;
            elsewhere::say("done");
        }
    });
}

/// Begins as many creates as it is told to and gets no further.
#[test]
#[ignore = "a process of the other tests"]
fn holder() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let store = SqliteStore::open(home.join("control.db"), Options::default()).await.unwrap();
        let lock = OwnerLock::take(&home).unwrap();
        store.put_owner(lock.entry().clone()).await.unwrap();
        while let Some(count) = elsewhere::hear() {
            for _ in 0..count.parse().unwrap() {
                let mut request = CreateRequest::new(ProviderKind::HOST, SandboxSpec::default());
                (request.owner, request.admission) = (Some(lock.id()), Admission::InTurn);
                assert!(matches!(store.begin_create(request).await.unwrap(), Created::Begun { .. }));
            }
            elsewhere::say("holds");
        }
    });
}

/// The most creates that were going on at once, and how many there were, by what was written down.
async fn most_at_once(isobox: &Isobox, until: usize) -> (usize, usize) {
    let mut events = isobox.events(0, EventFilter::default());
    let (mut now, mut most, mut ended) = (0, 0, 0);
    while ended < until {
        let next = tokio::time::timeout(PATIENCE, events.next()).await.expect("they all end").unwrap();
        let Followed::Event(event) = next else { panic!("{next:?}") };
        match event.kind {
            EventKind::OperationStarted { action: Action::Create } => now += 1,
            EventKind::OperationCompleted { action: Action::Create, .. } => (now, ended) = (now - 1, ended + 1),
            EventKind::OperationFailed { action: Action::Create, error, .. } => panic!("{error:?}"),
            _ => {}
        }
        most = most.max(now);
    }
    (most, ended)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_creates_of_two_processes_never_exceed_the_limit() {
    let lab = Lab::open().await;
    limit(&lab.isobox, |limits| limits.concurrent_creates = 4).await;
    let mut other = Elsewhere::start("many", lab.home());
    other.tell("25");
    let own: Vec<_> = (0..25).map(|_| create(&lab.isobox)).collect();
    let seen = most_at_once(&lab.isobox, 50).await;
    assert_eq!(seen, (4, 50));
    for made in own {
        in_time(made).await.unwrap().delete().await.unwrap();
    }
    assert_eq!(other.hear(), "done");
    let queue = lab.isobox.queue().await.unwrap();
    assert_eq!((queue.waiting.len(), queue.making.len(), queue.live), (0, 0, 0));
}

#[tokio::test]
async fn one_create_is_not_behind_thirty_of_another_process() {
    let lab = Lab::open().await;
    limit(&lab.isobox, |limits| limits.live_sandboxes = Some(1)).await;
    let held = lab.sandbox("host").await;
    let mut other = Elsewhere::start("many", lab.home());
    other.tell("30");
    waiting(&lab.isobox, 30).await;
    let own = create(&lab.isobox);
    let queue = waiting(&lab.isobox, 31).await;
    let place = queue.waiting.iter().position(|entry| entry.pid == Some(std::process::id())).unwrap();
    assert_eq!((place, queue.waiting[place].position), (1, Some(2)), "the other process came first, and has one turn");
    assert_eq!(queue.waiting[0].pid, Some(other.pid().as_raw_nonzero().get().cast_unsigned()));
    assert!(queue.waiting[0].program.is_some());
    held.delete().await.unwrap();
    let own = in_time(own).await.unwrap();
    // There is one, and it is ours, so nobody else gets further.
    assert_eq!(lab.isobox.queue().await.unwrap().waiting.len(), 29);
    own.delete().await.unwrap();
    assert_eq!(other.hear(), "done");
}

#[tokio::test]
async fn a_process_that_is_killed_while_it_waits_holds_nobody_up() {
    let lab = Lab::open().await;
    limit(&lab.isobox, |limits| limits.live_sandboxes = Some(1)).await;
    let held = lab.sandbox("host").await;
    let mut other = Elsewhere::start("many", lab.home());
    other.tell("5");
    waiting(&lab.isobox, 5).await;
    let own = create(&lab.isobox);
    waiting(&lab.isobox, 6).await;
    other.kill();
    held.delete().await.unwrap();
    in_time(own).await.unwrap().delete().await.unwrap();
    waiting(&lab.isobox, 0).await;
}

#[tokio::test]
async fn a_process_that_is_stopped_while_it_waits_is_passed_over() {
    let lab = Lab::open().await;
    limit(&lab.isobox, |limits| limits.live_sandboxes = Some(1)).await;
    let held = lab.sandbox("host").await;
    let mut other = Elsewhere::start("many", lab.home());
    other.tell("1");
    waiting(&lab.isobox, 1).await;
    let own = create(&lab.isobox);
    waiting(&lab.isobox, 2).await;
    other.signal(Signal::STOP);
    held.delete().await.unwrap();
    let own = in_time(own).await.unwrap();
    other.signal(Signal::CONT);
    // It waits anew, and is not forgotten.
    waiting(&lab.isobox, 1).await;
    own.delete().await.unwrap();
    assert_eq!(other.hear(), "done");
}

#[tokio::test]
async fn the_room_of_a_process_that_is_killed_while_it_makes_something_is_free() {
    let lab = Lab::open().await;
    limit(&lab.isobox, |limits| limits.concurrent_creates = 3).await;
    let mut other = Elsewhere::start("holder", lab.home());
    other.tell("3");
    assert_eq!(other.hear(), "holds");
    let own = create(&lab.isobox);
    let queue = waiting(&lab.isobox, 1).await;
    assert_eq!(queue.making.len(), 3);
    other.kill();
    in_time(own).await.unwrap().delete().await.unwrap();
}

#[tokio::test]
async fn a_full_queue_is_overloaded_and_nothing_is_started() {
    let lab = Lab::open().await;
    let held = lab.sandbox("host").await;
    limit(&lab.isobox, |limits| (limits.live_sandboxes, limits.queue_length) = (Some(1), 2)).await;
    let others = [create(&lab.isobox), create(&lab.isobox)];
    waiting(&lab.isobox, 2).await;
    let refused = lab.isobox.sandbox().provider("host").name("mine").create().await.unwrap_err();
    assert_eq!((refused.code(), refused.operation()), (ErrorCode::Overloaded, Some("create")));
    assert!(matches!(refused.detail(), Detail::Limit { limit, max: Some(2) } if limit == "limits.queue_length"));
    assert!(refused.is_retryable() && refused.retry_after().is_some(), "{refused:?}");
    assert!(refused.message().contains("limits.queue_length of 2"), "{refused}");
    let listed = lab.isobox.list(SandboxFilter { deleted: true, ..SandboxFilter::default() }).await.unwrap();
    assert_eq!(listed.iter().map(|entry| entry.id).collect::<Vec<_>>(), [*held.id()], "no record");
    assert_eq!(lab.left_over().len(), 1, "no directory");
    // Those that are given up go.
    others.iter().for_each(JoinHandle::abort);
    waiting(&lab.isobox, 0).await;
    held.delete().await.unwrap();
}

#[tokio::test]
async fn nobody_waits_longer_than_is_said() {
    let lab = Lab::open().await;
    let held = lab.sandbox("host").await;
    let wait = Duration::from_millis(150);
    limit(&lab.isobox, |limits| (limits.live_sandboxes, limits.queue_wait) = (Some(1), wait)).await;
    let begun = std::time::Instant::now();
    let refused = in_time(create(&lab.isobox)).await.unwrap_err();
    assert!(begun.elapsed() >= wait);
    assert!(matches!(refused.detail(), Detail::Limit { limit, max: Some(1) } if limit == "limits.live_sandboxes"));
    waiting(&lab.isobox, 0).await;
    limit(&lab.isobox, |limits| limits.queue_wait = Duration::from_secs(3600)).await;
    let hasty = lab.isobox.sandbox().provider("host").create_timeout(wait).create().await.unwrap_err();
    assert_eq!(hasty.code(), ErrorCode::Overloaded, "the caller's own time is shorter");
    held.delete().await.unwrap();
    assert_eq!(lab.left_over().len(), 0);
}

#[derive(Default)]
struct Told(Mutex<Vec<EventKind>>);

impl EventSink for Told {
    fn emit(&self, event: EventKind) {
        self.0.lock().unwrap().push(event);
    }
}

#[tokio::test]
async fn who_waits_is_told_and_who_gives_up_leaves_no_ticket() {
    let lab = Lab::open().await;
    let held = lab.sandbox("host").await;
    limit(&lab.isobox, |limits| limits.live_sandboxes = Some(1)).await;
    let told = Arc::new(Told::default());
    let builder = || lab.isobox.sandbox().provider("host").name("waits");
    let _ = tokio::time::timeout(Duration::from_millis(100), builder().events(told.clone()).create()).await;
    let codes = |told: &Told| {
        let events = told.0.lock().unwrap();
        let code = |event: &EventKind| match event {
            EventKind::OperationProgress { action: Action::Create, progress } => Some(progress.code.clone()),
            _ => None,
        };
        events.iter().filter_map(code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&told), ["queue.wait"]);
    for micros in [0, 100, 300, 1000, 3000] {
        let _ = tokio::time::timeout(Duration::from_micros(micros), builder().create()).await;
    }
    waiting(&lab.isobox, 0).await;
    // Given up when the turn has just come, or a little before or after: nothing is left of any of them.
    for micros in [0, 200, 500, 1000, 2000, 4000] {
        let next = tokio::spawn(builder().create());
        waiting(&lab.isobox, 1).await;
        held.stop(None).await.unwrap();
        tokio::time::sleep(Duration::from_micros(micros)).await;
        next.abort();
        if let Ok(Ok(made)) = next.await {
            made.delete().await.unwrap();
        }
        let free = async {
            while lab.isobox.inspect("waits").await.is_ok() || lab.left_over().len() > 1 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        tokio::time::timeout(PATIENCE, free).await.expect("the name is free and nothing is left");
        waiting(&lab.isobox, 0).await;
        held.start().await.unwrap();
    }
    held.delete().await.unwrap();
}

#[tokio::test]
async fn a_stopped_sandbox_needs_no_room_until_it_is_started() {
    let lab = Lab::open().await;
    limit(&lab.isobox, |limits| limits.live_sandboxes = Some(1)).await;
    let first = lab.sandbox("host").await;
    first.stop(None).await.unwrap();
    let second = lab.sandbox("host").await;
    let starting = first.clone();
    let starting = tokio::spawn(async move { starting.start().await });
    let queue = waiting(&lab.isobox, 1).await;
    assert_eq!((queue.waiting[0].action, queue.waiting[0].sandbox), (Action::Start, *first.id()));
    second.delete().await.unwrap();
    in_time(starting).await.unwrap();
    assert!(first.exec(["true"]).await.unwrap().success());
    first.start().await.unwrap();
    let third = create(&lab.isobox);
    waiting(&lab.isobox, 1).await;
    first.delete().await.unwrap();
    in_time(third).await.unwrap().delete().await.unwrap();
}

#[tokio::test]
async fn the_copies_of_a_fork_need_room_together() {
    let lab = Lab::open().await;
    limit(&lab.isobox, |limits| limits.live_sandboxes = Some(3)).await;
    let sandbox = lab.sandbox("namespace").await;
    let before = lab.left_over().len();
    let refused = sandbox.fork(4).await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::Overloaded, "there never is room for four");
    assert_eq!(lab.left_over().len(), before);
    let copies = sandbox.fork(2).await.unwrap();
    assert_eq!(lab.isobox.queue().await.unwrap().live, 3);
    for one in copies.into_iter().chain([sandbox]) {
        one.delete().await.unwrap();
    }
    assert_eq!(lab.left_over().len(), 0);
}

#[tokio::test]
async fn of_two_forks_at_once_one_has_all_its_copies_and_the_other_waits() {
    let lab = Lab::open().await;
    limit(&lab.isobox, |limits| limits.live_sandboxes = Some(6)).await;
    let originals = [lab.sandbox("namespace").await, lab.sandbox("namespace").await];
    for _ in 0..5 {
        let forks = originals.each_ref().map(|original| {
            let original = original.clone();
            tokio::spawn(async move {
                let copies = original.fork(3).await.unwrap();
                // With room for four no two forks have their copies at once.
                for copy in copies {
                    copy.delete().await.unwrap();
                }
            })
        });
        for fork in forks {
            tokio::time::timeout(PATIENCE, fork).await.unwrap().unwrap();
        }
    }
    for original in originals {
        original.delete().await.unwrap();
    }
    assert_eq!(lab.left_over().len(), 0);
}

#[tokio::test]
async fn bad_limits_are_refused_by_name_and_change_nothing() {
    let lab = Lab::open().await;
    let before = lab.isobox.limits().await.unwrap();
    let bad = Limits { concurrent_creates: 0, ..before.clone() };
    let refused = lab.isobox.set_limits(bad).await.unwrap_err();
    assert_eq!((refused.code(), refused.operation()), (ErrorCode::InvalidSpec, Some("set_limits")));
    assert!(refused.message().contains("limits.concurrent_creates must be 1 to"), "{refused}");
    assert_eq!(lab.isobox.limits().await.unwrap(), before);
    let wanted = Limits { live_sandboxes: Some(7), ..before };
    lab.isobox.set_limits(wanted.clone()).await.unwrap();
    assert_eq!(open(lab.home()).await.limits().await.unwrap(), wanted, "they are the machine's");
}

async fn open(home: &Path) -> Isobox {
    Isobox::builder().home(home).open().await.unwrap()
}
