//! Sandboxes that are ready before they are needed.
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

use common::{Lab, PROVIDERS};
use elsewhere::{Elsewhere, Ends, PATIENCE, children, keeper, settles};
use isobox::{
    DeathCause, Ended, ErrorCode, Isobox, Limits, Pool, PoolBuilder, Sandbox, SandboxBuilder, SandboxEntry,
    SandboxFilter, TakeOptions, Timestamp,
};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

async fn full(builder: PoolBuilder, size: usize) -> Pool {
    let opened = tokio::time::timeout(PATIENCE, builder.min_ready(size).open());
    opened.await.expect("it fills").unwrap()
}

async fn refills(pool: &Pool, count: usize) {
    tokio::time::timeout(PATIENCE, pool.ready(count)).await.expect("it is refilled").unwrap();
}

/// What pools keep ready, by what is written down.
async fn pooled(isobox: &Isobox) -> Vec<SandboxEntry> {
    let listed = isobox.list(SandboxFilter::default()).await.unwrap();
    listed.into_iter().filter(|entry| entry.pool.is_some()).collect()
}

async fn says(sandbox: &Sandbox, script: &str) -> String {
    sandbox.shell(script).await.unwrap().stdout.text().trim_end().to_owned()
}

/// Waits for what another task or process writes down.
async fn comes(what: &str, mut done: impl AsyncFnMut() -> bool) {
    let seen = async {
        while !done().await {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, seen).await.is_ok(), "{what} did not happen within {PATIENCE:?}");
}

/// A process and everything below it.
fn descendants(of: Pid) -> Vec<Pid> {
    let below = children(of).into_iter().flat_map(descendants);
    std::iter::once(of).chain(below).collect()
}

fn left(home: &Path) -> usize {
    PROVIDERS.iter().map(|provider| std::fs::read_dir(home.join(provider)).into_iter().flatten().count()).sum()
}

#[tokio::test]
async fn each_is_handed_out_once_and_replaced() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let builder = lab.isobox.sandbox().provider(provider).env("GREETING", "hello");
        let pool = full(lab.isobox.pool(builder, 2).name("warm"), 2).await;
        let ready: BTreeSet<_> = pooled(&lab.isobox).await.iter().map(|entry| entry.id).collect();
        assert_eq!(ready.len(), 2);
        let mut taken = Vec::new();
        for _ in 0..4 {
            refills(&pool, 1).await;
            let sandbox = pool.take().await.unwrap();
            assert_eq!(
                says(&sandbox, "echo $GREETING; cat used 2>/dev/null; touch used; echo x > used").await,
                "hello"
            );
            taken.push(sandbox);
        }
        let ids: BTreeSet<_> = taken.iter().map(|sandbox| *sandbox.id()).collect();
        assert_eq!(ids.len(), 4, "{provider}: none twice");
        assert!(ids.is_superset(&ready), "{provider}: those that were ready come first");
        refills(&pool, 2).await;
        let status = pool.status();
        assert_eq!((status.size, status.ready, status.taken, status.made_directly), (2, 2, 4, 0), "{provider}");
        let listed = pooled(&lab.isobox).await;
        assert!(listed.iter().all(|entry| entry.pool.as_deref() == Some("warm") && !ids.contains(&entry.id)));
        pool.close().await.unwrap();
        assert_eq!(lab.left_over().len(), 4, "{provider}: those that were taken stay");
        let closed = pool.take().await.unwrap_err();
        assert_eq!((closed.code(), closed.operation()), (ErrorCode::InvalidState, Some("pool.take")));
        for sandbox in taken {
            sandbox.delete().await.unwrap();
        }
        assert_eq!(lab.left_over().len(), 0);
    }
}

#[tokio::test]
async fn one_is_made_when_none_is_ready() {
    let lab = Lab::open().await;
    let pool = full(lab.isobox.pool(lab.isobox.sandbox().provider("host"), 1), 1).await;
    let taken = futures::future::join_all((0..8).map(|_| pool.take())).await;
    let taken: Vec<Sandbox> = taken.into_iter().map(Result::unwrap).collect();
    assert_eq!(taken.iter().map(|sandbox| *sandbox.id()).collect::<BTreeSet<_>>().len(), 8);
    let status = pool.status();
    assert_eq!(status.taken + status.made_directly, 8);
    assert!(status.made_directly > 0, "{status:?}");
    for sandbox in taken {
        assert_eq!(says(&sandbox, "echo runs").await, "runs");
        assert_eq!(lab.isobox.inspect(sandbox.id().as_str()).await.unwrap().pool, None);
        sandbox.delete().await.unwrap();
    }
    pool.close().await.unwrap();
    assert_eq!(lab.left_over().len(), 0);
}

#[tokio::test]
async fn one_that_died_is_never_handed_out() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let pool = full(lab.isobox.pool(lab.isobox.sandbox().provider(provider), 1), 1).await;
        for _ in 0..3 {
            refills(&pool, 1).await;
            let dying = pooled(&lab.isobox).await.pop().unwrap().id;
            let keeper = keeper(lab.home(), &dying);
            let ends = Ends::of(&descendants(keeper));
            kill_process(keeper, Signal::KILL).unwrap();
            // The pool's own task does not run meanwhile.
            ends.wait(PATIENCE);
            let sandbox = pool.take().await.unwrap();
            assert_ne!(*sandbox.id(), dying, "{provider}");
            assert_eq!(says(&sandbox, "echo lives").await, "lives");
            sandbox.delete().await.unwrap();
        }
        // Also when nobody takes it.
        comes("a replacement", async || !pooled(&lab.isobox).await.is_empty()).await;
        refills(&pool, 1).await;
        let dying = pooled(&lab.isobox).await.pop().unwrap().id;
        lab.isobox.connect(dying.as_str()).await.unwrap().delete().await.unwrap();
        comes("a replacement", async || pooled(&lab.isobox).await.iter().any(|entry| entry.id != dying)).await;
        pool.close().await.unwrap();
        settles("everything going", || lab.left_over().is_empty()).await;
    }
}

#[tokio::test]
async fn a_refill_that_fails_is_told_to_who_takes_and_tried_again() {
    let lab = Lab::open().await;
    let place = tempfile::tempdir().unwrap();
    let builder = || lab.isobox.sandbox().provider("namespace").user("nobody-has-this-name");
    let refused = lab.isobox.pool(builder(), 2).min_ready(1).open().await.unwrap_err();
    assert_eq!((refused.code(), refused.operation()), (ErrorCode::InvalidSpec, Some("create")), "{refused}");
    let pool = lab.isobox.pool(builder(), 2).open().await.unwrap();
    let refused = tokio::time::timeout(PATIENCE, pool.take()).await.expect("it does not hang").unwrap_err();
    assert_eq!(refused.code(), ErrorCode::InvalidSpec, "{refused}");
    assert!(tokio::time::timeout(PATIENCE, pool.ready(2)).await.expect("it does not hang").is_err());
    assert_eq!(pool.status().failure.unwrap().code(), ErrorCode::InvalidSpec);
    pool.close().await.unwrap();

    // What is missing for a while.
    let workspace = place.path().join("later");
    std::fs::create_dir(&workspace).unwrap();
    let pool = lab.isobox.pool(lab.isobox.sandbox().provider("host").workspace(&workspace), 1).open().await.unwrap();
    refills(&pool, 1).await;
    std::fs::remove_dir(&workspace).unwrap();
    pool.take().await.unwrap().delete().await.unwrap();
    comes("a failure", async || pool.status().failure.is_some()).await;
    std::fs::create_dir(&workspace).unwrap();
    comes("a refill", async || pool.status().ready == 1).await;
    assert!(pool.status().failure.is_none(), "it is over");
    pool.close().await.unwrap();
    assert_eq!(lab.left_over().len(), 0);
}

#[tokio::test]
async fn what_cannot_be_pooled_is_refused_by_its_name() {
    let lab = Lab::open().await;
    let sandbox = || lab.isobox.sandbox().provider("host");
    let refused = async |pool: PoolBuilder| {
        let error = pool.open().await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidSpec, "{error}");
        error.message().to_owned()
    };
    let pool = |sandbox: SandboxBuilder, size| lab.isobox.pool(sandbox, size);
    assert!(refused(pool(sandbox().name("mine"), 1)).await.starts_with("name is for one sandbox"));
    assert!(refused(pool(sandbox().idempotency_key("k"), 1)).await.starts_with("idempotency_key is for one"));
    assert!(refused(pool(sandbox().label("", ""), 1)).await.starts_with("labels"));
    assert!(refused(pool(sandbox(), 0)).await.starts_with("pool.size must be"));
    assert!(refused(pool(sandbox(), usize::MAX)).await.starts_with("pool.size must be"));
    assert!(refused(pool(sandbox(), 2).min_ready(3)).await.starts_with("pool.min_ready must be"));
    assert!(refused(pool(sandbox(), 2).refills_at_once(0)).await.starts_with("pool.refills_at_once must be"));
    assert!(refused(pool(sandbox(), 2).max_age(Duration::ZERO)).await.starts_with("pool.max_age is zero"));
    assert!(refused(pool(sandbox(), 2).name("")).await.starts_with("name"));
    assert_eq!(lab.left_over().len(), 0);
    assert!(pooled(&lab.isobox).await.is_empty());
}

#[tokio::test]
async fn a_name_labels_and_a_ttl_are_said_when_one_is_taken() {
    let lab = Lab::open().await;
    let builder = lab.isobox.sandbox().provider("namespace").label("team", "blue").ttl(Duration::from_secs(3600));
    let pool = full(lab.isobox.pool(builder, 1), 1).await;
    let ready = pooled(&lab.isobox).await.pop().unwrap();
    assert_eq!((ready.expires_at, ready.spec.lifetimes.ttl), (None, None), "it does not age");
    let options = || TakeOptions::default().name("mine").label("run", "7").ttl(Duration::from_secs(60));
    let sandbox = pool.take_with(options()).await.unwrap();
    assert_eq!(*sandbox.id(), ready.id);
    let entry = lab.isobox.inspect("mine").await.unwrap();
    assert_eq!((entry.id, entry.labels["team"].as_str(), entry.labels["run"].as_str()), (ready.id, "blue", "7"));
    assert_eq!(entry.expires_at, entry.taken_at.unwrap().checked_add(Duration::from_secs(60)));
    for handle in [sandbox.clone(), lab.isobox.connect("mine").await.unwrap()] {
        let status = handle.describe().await.unwrap();
        assert_eq!((status.name.as_deref(), &status.labels), (Some("mine"), &entry.labels));
        let left = status.expires_at.unwrap().since(Timestamp::now());
        assert!(left > Duration::from_secs(40) && left <= Duration::from_secs(61), "{left:?}");
    }
    refills(&pool, 1).await;
    let taken = pool.take_with(options()).await.unwrap_err();
    assert_eq!((taken.code(), taken.operation()), (ErrorCode::AlreadyExists, Some("pool.take")));
    assert_eq!(pool.status().ready, 1, "it is there for the next");
    let bad = pool.take_with(TakeOptions::default().ttl(Duration::ZERO)).await.unwrap_err();
    assert_eq!(bad.code(), ErrorCode::InvalidSpec, "{bad}");
    let other = pool.take().await.unwrap();
    assert_eq!(lab.isobox.inspect(other.id().as_str()).await.unwrap().name, None);
    sandbox.delete().await.unwrap();
    other.delete().await.unwrap();
    pool.close().await.unwrap();
    assert_eq!(lab.left_over().len(), 0);
}

#[tokio::test]
async fn lifetimes_begin_when_one_is_taken() {
    const TTL: Duration = Duration::from_millis(1200);
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let builder = lab.isobox.sandbox().provider(provider).ttl(TTL).idle_timeout(TTL / 2);
        let pool = full(lab.isobox.pool(builder, 1), 1).await;
        let ready = pooled(&lab.isobox).await.pop().unwrap().id;
        settles("it getting older than its lifetimes", || Timestamp::now().since(ready.created_at()) > TTL * 2).await;
        let before = Timestamp::now();
        let sandbox = pool.take().await.unwrap();
        assert_eq!(*sandbox.id(), ready, "{provider}: it did not end");
        assert!(sandbox.exec(["sleep", "0.9"]).await.unwrap().success(), "{provider}: it is not idle");
        let ended = tokio::time::timeout(PATIENCE, sandbox.ended()).await.expect("it ends by itself").unwrap();
        assert!(matches!(ended, Ended::Died(post_mortem) if post_mortem.cause == DeathCause::Expired));
        assert!(Timestamp::now().since(before) >= TTL, "{provider}: all of it is from the taking on");
        pool.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_ttl_that_is_set_later_counts_from_the_taking_too() {
    let lab = Lab::open().await;
    let pool = full(lab.isobox.pool(lab.isobox.sandbox().provider("host"), 1), 1).await;
    let ready = pooled(&lab.isobox).await.pop().unwrap().id;
    settles("it getting older", || Timestamp::now().since(ready.created_at()) > Duration::from_millis(1500)).await;
    let sandbox = pool.take_with(TakeOptions::default().name("aged")).await.unwrap();
    let mut handles = Vec::new();
    for adopted in [false, true] {
        let handle = if adopted { lab.isobox.connect("aged").await.unwrap() } else { sandbox.clone() };
        if adopted {
            sandbox.detach().await.unwrap();
            handle.adopt().await.unwrap();
        }
        handle.set_ttl(Duration::from_secs(1)).await.unwrap();
        assert!(handle.exec(["true"]).await.unwrap().success(), "it has not ended at once");
        handle.set_ttl(Duration::from_secs(1000)).await.unwrap();
        handles.push(handle);
    }
    let entry = lab.isobox.inspect("aged").await.unwrap();
    let difference = entry.expires_at.unwrap().since(entry.taken_at.unwrap());
    assert!(difference.abs_diff(Duration::from_secs(1000)) < Duration::from_millis(10), "{difference:?}");
    sandbox.delete().await.unwrap();
    pool.close().await.unwrap();
}

#[tokio::test]
async fn what_is_ready_goes_with_the_pool_and_what_was_taken_stays() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let pool = full(lab.isobox.pool(lab.isobox.sandbox().provider(provider), 3), 3).await;
        let sandbox = pool.take().await.unwrap();
        drop(pool);
        settles("what was ready going", || lab.left_over().len() == 1).await;
        comes("that being written down", async || pooled(&lab.isobox).await.is_empty()).await;
        assert_eq!(says(&sandbox, "echo stays").await, "stays", "{provider}");
        drop(sandbox);
        settles("the last one going with its handle", || lab.left_over().is_empty()).await;
    }
}

#[tokio::test]
async fn detached_ones_are_detached_when_they_are_taken() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let builder = lab.isobox.sandbox().provider(provider).detached().ttl(Duration::from_secs(1000));
        let pool = full(lab.isobox.pool(builder, 1), 1).await;
        assert!(!pooled(&lab.isobox).await[0].detached, "what is ready ends with this process");
        let sandbox = pool.take_with(TakeOptions::default().name("free")).await.unwrap();
        pool.close().await.unwrap();
        drop((sandbox, pool));
        let entry = lab.isobox.inspect("free").await.unwrap();
        assert!(entry.detached && entry.expires_at.is_some(), "{provider}");
        let found = lab.isobox.connect("free").await.unwrap();
        assert_eq!(says(&found, "echo lives").await, "lives", "{provider}");
        found.delete().await.unwrap();
        assert_eq!(lab.left_over().len(), 0);
    }
}

#[tokio::test]
async fn who_stops_waiting_for_one_leaves_nothing() {
    let lab = Lab::open().await;
    for provider in PROVIDERS {
        let builder = lab.isobox.sandbox().provider(provider).detached().ttl(Duration::from_secs(1000));
        let pool = full(lab.isobox.pool(builder, 2), 2).await;
        for micros in [0, 50, 100, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000] {
            refills(&pool, 1).await;
            let taken = tokio::time::timeout(Duration::from_micros(micros), pool.take()).await;
            if let Ok(sandbox) = taken {
                sandbox.unwrap().delete().await.unwrap();
            }
        }
        pool.close().await.unwrap();
        settles("everything going", || lab.left_over().is_empty()).await;
        comes("that being written down", async || lab.isobox.list(SandboxFilter::default()).await.unwrap().is_empty())
            .await;
    }
}

/// Keeps pools until it is killed.
#[test]
#[ignore = "a process of the other tests"]
fn pooler() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        let mut pools = Vec::new();
        for provider in PROVIDERS {
            let builder = isobox.sandbox().provider(provider).detached().ttl(Duration::from_secs(1000));
            pools.push(full(isobox.pool(builder, 2).name("other"), 2).await);
        }
        elsewhere::say("ready");
        elsewhere::hear();
    });
}

#[tokio::test]
async fn pools_of_two_processes_do_not_meet_and_a_killed_one_leaves_nothing() {
    let lab = Lab::open().await;
    let mut other = Elsewhere::start("pooler", lab.home());
    assert_eq!(other.hear(), "ready");
    let others: BTreeSet<_> = pooled(&lab.isobox).await.iter().map(|entry| entry.id).collect();
    assert_eq!(others.len(), 4);
    let pool = full(lab.isobox.pool(lab.isobox.sandbox().provider("host"), 2).name("other"), 2).await;
    for _ in 0..4 {
        let sandbox = pool.take().await.unwrap();
        assert!(!others.contains(sandbox.id()), "it is of this process");
        sandbox.delete().await.unwrap();
    }
    pool.close().await.unwrap();
    assert_eq!(left(lab.home()), 4, "closing one pool is nothing to another");
    other.kill();
    settles("what was ready going", || left(lab.home()) == 0).await;
    lab.isobox.collect_garbage().await.unwrap();
    assert!(lab.isobox.list(SandboxFilter::default()).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_is_ready_counts_as_live() {
    let lab = Lab::open().await;
    let pool = full(lab.isobox.pool(lab.isobox.sandbox().provider("host"), 2), 2).await;
    let limits = lab.isobox.limits().await.unwrap();
    let queue_wait = Duration::from_millis(100);
    lab.isobox.set_limits(Limits { live_sandboxes: Some(2), queue_wait, ..limits }).await.unwrap();
    let refused = lab.isobox.sandbox().provider("host").create().await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::Overloaded);
    let taken = pool.take().await.unwrap();
    comes("a refill that has no room", async || {
        pool.status().failure.is_some_and(|failure| failure.code() == ErrorCode::Overloaded)
    })
    .await;
    taken.delete().await.unwrap();
    comes("a refill", async || pool.status().ready == 2).await;
    pool.close().await.unwrap();
}

#[tokio::test]
async fn one_that_is_ready_for_too_long_is_replaced() {
    let lab = Lab::open().await;
    let builder = lab.isobox.pool(lab.isobox.sandbox().provider("host"), 1);
    let pool = full(builder.max_age(Duration::from_millis(200)), 1).await;
    let first = pooled(&lab.isobox).await.pop().unwrap().id;
    comes("a younger one", async || pooled(&lab.isobox).await.iter().any(|entry| entry.id != first)).await;
    comes("the end of the old one", async || lab.isobox.connect(first.as_str()).await.is_err()).await;
    pool.close().await.unwrap();
    settles("everything going", || lab.left_over().is_empty()).await;
}
