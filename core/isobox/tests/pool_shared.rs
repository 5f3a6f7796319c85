//! Pools that one process keeps and others take from.
#![allow(
    missing_docs,
    unsafe_code,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;
mod image;

use common::{Lab, PROVIDERS};
use elsewhere::{Elsewhere, PATIENCE, settles};
use image::Image;
use isobox::contract::RegistryAuth;
use isobox::{
    ErrorCode, ImageSource, Isobox, Limits, PoolEntry, PullPolicy, Result, Sandbox, SandboxEntry, SandboxFilter,
    TakeOptions,
};
use rustix::process::Signal;
use std::collections::BTreeSet;
use std::future::IntoFuture;
use std::path::Path;
use std::time::Duration;

/// The name of the pool.
const BUILD: &str = "build";
/// How long a ready one outlives its process.
const LEASE: Duration = Duration::from_millis(1500);
/// The same when somebody has to adopt it meanwhile, on a machine that does much else.
const LONG_LEASE: Duration = Duration::from_secs(8);
const SIZE: usize = 2;

async fn open(home: &Path) -> Isobox {
    Isobox::builder().home(home).open().await.unwrap()
}

/// Keeps a pool and does what it is told: `take` from it, `close` it, or wait for its `end`.
#[test]
#[ignore = "a process of the other tests"]
fn keeper() {
    let Some(home) = elsewhere::home() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let isobox = open(&home).await;
        let words = elsewhere::hear().unwrap();
        let (provider, lease) = words.split_once(' ').unwrap();
        let builder = isobox.sandbox().provider(provider).env("GREETING", "hello").label("team", "blue");
        let builder = builder.owner_lease(Duration::from_millis(lease.parse().unwrap()));
        let pool = match isobox.pool(builder, SIZE).shared_as(BUILD).open().await {
            Ok(pool) => pool,
            Err(error) => return elsewhere::say(&format!("{}: {error}", error.code())),
        };
        comes("a full pool", async || pool.status().ready == SIZE).await;
        elsewhere::say("ready");
        let mut taken = Vec::new();
        loop {
            let words = tokio::task::spawn_blocking(elsewhere::hear).await.unwrap();
            match words.as_deref() {
                Some("take") => {
                    taken.push(pool.take().await.unwrap());
                    elsewhere::say(taken.last().unwrap().id().as_str());
                }
                Some("close") => elsewhere::say(&format!("{:?}", pool.close().await)),
                Some("ended") => elsewhere::say(&format!("{:?}", pool.ended().await)),
                _ => return,
            }
        }
    });
}

/// Takes as often as it is told, and keeps everything.
#[test]
#[ignore = "a process of the other tests"]
fn taker() {
    let Some(home) = elsewhere::home() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let isobox = open(&home).await;
        let mut taken = Vec::new();
        while let Some(words) = elsewhere::hear() {
            let detached = words == "detached";
            let options = if detached { TakeOptions::default().detached() } else { TakeOptions::default() };
            let sandbox = isobox.take_from_with(BUILD, options).await.unwrap();
            assert_eq!(says(&sandbox, "echo $GREETING; touch used").await, "hello");
            elsewhere::say(sandbox.id().as_str());
            taken.push(sandbox);
        }
    });
}

fn keeps(home: &Path, provider: &str, lease: Duration) -> Elsewhere {
    keeps_with(home, provider, lease, &[])
}

fn keeps_with(home: &Path, provider: &str, lease: Duration, variables: &[(&str, &str)]) -> Elsewhere {
    let mut keeper = Elsewhere::start_with("keeper", home, variables);
    keeper.tell(&format!("{provider} {}", lease.as_millis()));
    assert_eq!(keeper.hear(), "ready");
    keeper
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

async fn listed(isobox: &Isobox) -> Vec<SandboxEntry> {
    isobox.list(SandboxFilter::default()).await.unwrap()
}

async fn pool_of(isobox: &Isobox) -> Option<PoolEntry> {
    isobox.pools().await.unwrap().into_iter().find(|pool| pool.name == BUILD)
}

/// Waits until it is full again.
async fn full(isobox: &Isobox) {
    comes("a full pool", async || pool_of(isobox).await.is_some_and(|pool| pool.ready == SIZE as u64)).await;
}

fn left(home: &Path) -> usize {
    PROVIDERS.iter().map(|provider| std::fs::read_dir(home.join(provider)).into_iter().flatten().count()).sum()
}

/// Waits until no sandbox is left, on the disk and in the books.
async fn nothing_is_left(isobox: &Isobox) {
    settles("everything going", || left(isobox.home()) == 0).await;
    comes("that being written down", async || {
        isobox.collect_garbage().await.unwrap();
        listed(isobox).await.is_empty()
    })
    .await;
}

#[tokio::test]
async fn what_one_process_keeps_ready_belongs_to_the_one_that_takes_it() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let keeper = keeps(lab.home(), provider, LONG_LEASE);
        let ready: BTreeSet<_> = listed(&lab.isobox).await.iter().map(|entry| entry.id).collect();
        let entry = pool_of(&lab.isobox).await.unwrap();
        assert_eq!((entry.size, entry.ready, entry.taken, entry.failure.is_none()), (2, 2, 0, true), "{provider}");
        assert_eq!(entry.pid, Some(keeper.pid().as_raw_nonzero().get().unsigned_abs()));

        let options = TakeOptions::default().name("mine").label("run", "7").ttl(Duration::from_secs(600));
        let sandbox = lab.isobox.take_from_with(BUILD, options.clone()).await.unwrap();
        assert!(ready.contains(sandbox.id()), "{provider}: it was ready");
        assert_eq!(says(&sandbox, "echo $GREETING").await, "hello");
        let mine = lab.isobox.inspect("mine").await.unwrap();
        assert_eq!((mine.id, mine.detached, mine.pool.as_deref()), (*sandbox.id(), false, None));
        assert_eq!((mine.labels["team"].as_str(), mine.labels["run"].as_str()), ("blue", "7"));
        assert!(mine.owner.is_some() && mine.owner != Some(entry.owner), "{provider}: it is this process's");
        assert_eq!(mine.expires_at, mine.taken_at.unwrap().checked_add(Duration::from_secs(600)));
        let twice = lab.isobox.take_from_with(BUILD, options).await.unwrap_err();
        assert_eq!((twice.code(), twice.operation()), (ErrorCode::AlreadyExists, Some("pool.take")));
        full(&lab.isobox).await;
        assert_eq!(pool_of(&lab.isobox).await.unwrap().taken, 1);

        // The end of who kept it is nothing to it, and the end of its handle is.
        keeper.kill();
        settles("what was ready going", || left(lab.home()) == 1).await;
        assert_eq!(says(&sandbox, "echo lives").await, "lives", "{provider}");
        assert!(pool_of(&lab.isobox).await.is_none());
        let gone = lab.isobox.take_from(BUILD).await.unwrap_err();
        assert_eq!(gone.code(), ErrorCode::NotFound);
        assert!(gone.message().contains("isobox pool serve build"), "{gone}");
        drop(sandbox);
        nothing_is_left(&lab.isobox).await;
    }
}

#[tokio::test]
async fn a_detached_one_lives_on_without_both_processes() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let keeper = keeps(lab.home(), provider, LEASE);
        let mut taker = Elsewhere::start("taker", lab.home());
        taker.tell("detached");
        let id = taker.hear();
        taker.kill();
        keeper.kill();
        settles("what was ready going", || left(lab.home()) == 1).await;
        let entry = lab.isobox.inspect(&id).await.unwrap();
        let ttl = entry.expires_at.unwrap().since(entry.taken_at.unwrap());
        assert!(entry.detached && ttl == isobox::DEFAULT_DETACHED_TTL, "{provider}: {ttl:?}");
        lab.isobox.collect_garbage().await.unwrap();
        let sandbox = lab.isobox.connect(&id).await.unwrap();
        assert_eq!(says(&sandbox, "echo lives").await, "lives", "{provider}");
        sandbox.delete().await.unwrap();
        nothing_is_left(&lab.isobox).await;
    }
}

#[tokio::test]
async fn many_processes_never_get_the_same_one() {
    const EACH: usize = 6;
    let lab = Lab::open().await;
    let mut keeper = keeps(lab.home(), "host", LONG_LEASE);
    let mut takers: Vec<_> = (0..3).map(|_| Elsewhere::start("taker", lab.home())).collect();
    let mut taken = Vec::new();
    for _ in 0..EACH {
        takers.iter_mut().for_each(|taker| taker.tell("attached"));
        keeper.tell("take");
        let mine = lab.isobox.take_from(BUILD).await.unwrap();
        assert_eq!(says(&mine, "ls used 2>/dev/null; touch used").await, "", "it was not used before");
        taken.push(mine.id().to_string());
        mine.delete().await.unwrap();
        taken.extend(takers.iter_mut().map(Elsewhere::hear));
        taken.push(keeper.hear());
    }
    let different: BTreeSet<_> = taken.iter().collect();
    assert_eq!((different.len(), taken.len()), (EACH * 5, EACH * 5));
    full(&lab.isobox).await;
    // What a process has ends with it, and nothing else does.
    let of_takers = EACH * takers.len();
    assert_eq!(left(lab.home()), of_takers + EACH + SIZE);
    takers.into_iter().for_each(Elsewhere::kill);
    settles("what the takers had going", || left(lab.home()) == EACH + SIZE).await;
    keeper.kill();
    nothing_is_left(&lab.isobox).await;
}

#[tokio::test]
async fn a_taker_that_is_killed_at_any_point_leaves_nothing() {
    for provider in PROVIDERS {
        for point in ["take.claimed", "take.adopted", "take.let_go"] {
            let lab = Lab::open().await;
            let keeper = keeps(lab.home(), provider, LEASE);
            let before: BTreeSet<_> = listed(&lab.isobox).await.iter().map(|entry| entry.id).collect();
            let fault = format!("{point}=kill");
            let mut taker = Elsewhere::start_with("taker", lab.home(), &[("ISOBOX_FAULT", &fault)]);
            taker.tell("detached");
            taker.killed();
            comes("what it had taken going", async || {
                lab.isobox.collect_garbage().await.unwrap();
                listed(&lab.isobox).await.iter().all(|entry| entry.pool.is_some())
            })
            .await;
            full(&lab.isobox).await;
            let after: BTreeSet<_> = listed(&lab.isobox).await.iter().map(|entry| entry.id).collect();
            assert_eq!(after.difference(&before).count(), 1, "{provider} {point}: one was taken, and replaced");
            settles("its directory going", || left(lab.home()) == SIZE).await;
            let sandbox = lab.isobox.take_from(BUILD).await.unwrap();
            assert_eq!(says(&sandbox, "echo next").await, "next", "{provider} {point}");
            drop(sandbox);
            keeper.kill();
            nothing_is_left(&lab.isobox).await;
        }
    }
}

#[tokio::test]
async fn a_keeper_that_is_killed_while_one_is_taken_does_not_take_it_along() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        for micros in [0, 200, 500, 1000, 1500, 2500, 5000] {
            let keeper = keeps(lab.home(), provider, LONG_LEASE);
            let killed = async {
                // Any moment of the hand-over.
                tokio::time::sleep(Duration::from_micros(micros)).await;
                keeper.kill();
            };
            let (taken, ()) = tokio::join!(lab.isobox.take_from(BUILD), killed);
            match taken {
                Ok(sandbox) => {
                    lab.isobox.collect_garbage().await.unwrap();
                    settles("what was ready going", || left(lab.home()) == 1).await;
                    assert_eq!(says(&sandbox, "echo lives").await, "lives", "{provider} {micros}");
                    sandbox.delete().await.unwrap();
                }
                Err(error) => assert_eq!(error.code(), ErrorCode::NotFound, "{provider} {micros}: {error}"),
            }
            nothing_is_left(&lab.isobox).await;
        }
    }
}

/// Stops a process, but not while it writes into the books: nobody else can then.
async fn stands_still(isobox: &Isobox, process: &Elsewhere) {
    let limits = isobox.limits().await.unwrap();
    loop {
        process.signal(Signal::STOP);
        settles("it standing still", || process.is_stopped()).await;
        let written = tokio::time::timeout(Duration::from_secs(1), isobox.set_limits(limits.clone())).await;
        if written.is_ok_and(|written| written.is_ok()) {
            return;
        }
        process.signal(Signal::CONT);
    }
}

#[tokio::test]
async fn who_finds_none_ready_makes_one() {
    let lab = Lab::open().await;
    let keeper = keeps(lab.home(), "host", LONG_LEASE);
    // Until it goes on it makes none, and what it keeps can be taken all the same.
    stands_still(&lab.isobox, &keeper).await;
    let taken = futures::future::join_all((0..6).map(|_| lab.isobox.take_from(BUILD))).await;
    let taken: Vec<_> = taken.into_iter().map(Result::unwrap).collect();
    assert_eq!(taken.iter().map(|sandbox| *sandbox.id()).collect::<BTreeSet<_>>().len(), taken.len());
    for sandbox in &taken {
        assert_eq!(says(sandbox, "echo $GREETING").await, "hello");
        let entry = lab.isobox.inspect(sandbox.id().as_str()).await.unwrap();
        assert_eq!((entry.labels["team"].as_str(), entry.detached), ("blue", false));
    }
    assert_eq!(pool_of(&lab.isobox).await.unwrap().taken, SIZE as u64, "the others were made");
    keeper.signal(Signal::CONT);
    full(&lab.isobox).await;
    for sandbox in &taken {
        assert_eq!(says(sandbox, "echo lives").await, "lives");
    }
    drop(taken);
    keeper.kill();
    nothing_is_left(&lab.isobox).await;
}

#[tokio::test]
async fn what_only_the_keeper_can_make_is_waited_for() {
    let lab = Lab::open().await;
    let image = Image::busybox();
    let archive = image.archive("kept:1");
    let loaded = lab.isobox.images().provider("namespace").load(&archive).await.unwrap();
    let auth = RegistryAuth { username: "me".into(), password: "hidden".into(), server: None };
    let (reference, pull, platform) = (loaded[0].reference.clone(), PullPolicy::Never, None);
    let source = ImageSource { reference, pull, platform, auth: Some(auth) };
    let builder = lab.isobox.sandbox().provider("namespace").image(source);
    let pool = lab.isobox.pool(builder, 1).shared_as(BUILD).min_ready(1).open().await.unwrap();
    assert!(!pool_of(&lab.isobox).await.unwrap().whole, "the password is not written down");
    let other = open(lab.home()).await;
    // More than are ready: each comes when it is made.
    for _ in 0..3 {
        let sandbox = tokio::time::timeout(PATIENCE, other.take_from(BUILD)).await.expect("one comes").unwrap();
        assert_eq!(says(&sandbox, "echo fine").await, "fine");
        sandbox.delete().await.unwrap();
    }
    // Its own process hears of that a moment later.
    comes("the third one being counted", async || pool.status().taken == 3).await;
    // None comes when there is no room.
    let limits = Limits { live_sandboxes: Some(1), ..lab.isobox.limits().await.unwrap() };
    lab.isobox.set_limits(limits).await.unwrap();
    comes("a full pool", async || pool.status().ready == 1).await;
    let last = other.take_from(BUILD).await.unwrap();
    let options = TakeOptions::default().timeout(Duration::from_millis(200));
    let late = other.take_from_with(BUILD, options).await.unwrap_err();
    assert_eq!(late.code(), ErrorCode::Overloaded, "{late}");
    assert!(late.message().contains("pool build"), "{late}");
    drop(last);
    pool.close().await.unwrap();
    nothing_is_left(&lab.isobox).await;
}

#[tokio::test]
async fn a_full_machine_still_gives_what_is_ready() {
    let lab = Lab::open().await;
    let keeper = keeps(lab.home(), "host", LEASE);
    let limits = lab.isobox.limits().await.unwrap();
    let queue_wait = Duration::from_millis(100);
    lab.isobox.set_limits(Limits { live_sandboxes: Some(SIZE as u64), queue_wait, ..limits }).await.unwrap();
    let taken = [lab.isobox.take_from(BUILD).await.unwrap(), lab.isobox.take_from(BUILD).await.unwrap()];
    let refused = lab.isobox.take_from(BUILD).await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::Overloaded, "{refused}");
    comes("a refill that has no room", async || {
        pool_of(&lab.isobox).await.unwrap().failure.is_some_and(|failure| failure.kind == ErrorCode::Overloaded)
    })
    .await;
    for sandbox in taken {
        assert_eq!(says(&sandbox, "echo lives").await, "lives");
        sandbox.delete().await.unwrap();
    }
    full(&lab.isobox).await;
    comes("no failure any more", async || pool_of(&lab.isobox).await.unwrap().failure.is_none()).await;
    keeper.kill();
    nothing_is_left(&lab.isobox).await;
}

#[tokio::test]
async fn any_process_can_end_a_pool_and_what_was_taken_lives_on() {
    let lab = Lab::open().await;
    let mut keeper = keeps(lab.home(), "namespace", LEASE);
    let sandbox = lab.isobox.take_from(BUILD).await.unwrap();
    lab.isobox.end_pool(BUILD).await.unwrap();
    assert_eq!(left(lab.home()), 1, "nothing of it is left");
    keeper.tell("ended");
    assert_eq!(keeper.hear(), "Ok(())");
    keeper.tell("close");
    assert_eq!(keeper.hear(), "Ok(())", "again is fine");
    assert_eq!(says(&sandbox, "echo lives").await, "lives");
    for error in [lab.isobox.end_pool(BUILD).await.unwrap_err(), lab.isobox.take_from(BUILD).await.unwrap_err()] {
        assert_eq!(error.code(), ErrorCode::NotFound, "{error}");
    }
    // One whose process has died is gone as well, whoever asks first.
    let dying = keeps(lab.home(), "namespace", LEASE);
    dying.kill();
    let ended = lab.isobox.end_pool(BUILD).await;
    assert!(ended.as_ref().map_or_else(|error| error.code() == ErrorCode::NotFound, |()| true), "{ended:?}");
    drop(sandbox);
    nothing_is_left(&lab.isobox).await;
}

#[tokio::test]
async fn one_pool_at_a_time_has_a_name() {
    let lab = Lab::open().await;
    let keeper = keeps(lab.home(), "host", LEASE);
    let pool = || lab.isobox.pool(lab.isobox.sandbox().provider("host"), 1).shared_as(BUILD);
    let refused = pool().open().await.unwrap_err();
    assert_eq!((refused.code(), refused.operation()), (ErrorCode::AlreadyExists, Some("pool.open")));
    let pid = keeper.pid().as_raw_nonzero();
    assert!(refused.message().contains(&format!("process {pid} keeps a pool named build")), "{refused}");
    // One of this process alone may have any name.
    let own = lab.isobox.pool(lab.isobox.sandbox().provider("host"), 1).name(BUILD).min_ready(1).open().await.unwrap();
    let owns: Vec<_> = listed(&lab.isobox).await.iter().map(|entry| entry.owner).collect();
    assert_eq!(owns.len(), SIZE + 1);
    for _ in 0..4 {
        let taken = lab.isobox.take_from(BUILD).await.unwrap();
        assert_eq!(says(&taken, "echo $GREETING").await, "hello", "it is the shared one's");
        taken.delete().await.unwrap();
    }
    own.close().await.unwrap();
    keeper.kill();
    let pool = pool().min_ready(1).open().await.unwrap();
    assert_eq!(pool_of(&lab.isobox).await.unwrap().size, 1);
    drop(pool);
    comes("the end of it", async || pool_of(&lab.isobox).await.is_none()).await;
    nothing_is_left(&lab.isobox).await;
}

#[tokio::test]
async fn what_this_process_shares_it_can_take_both_ways() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let builder = lab.isobox.sandbox().provider(provider).detached().ttl(Duration::from_secs(1000));
        let pool = lab.isobox.pool(builder, 2).shared_as(BUILD).min_ready(2).open().await.unwrap();
        let (one, other) = (pool.take().await.unwrap(), lab.isobox.take_from(BUILD).await.unwrap());
        assert_ne!(one.id(), other.id());
        for sandbox in [&one, &other] {
            assert_eq!(says(sandbox, "echo lives").await, "lives", "{provider}");
        }
        // It is for detached ones.
        let ids = [one.id().to_string(), other.id().to_string()];
        drop((one, other));
        pool.close().await.unwrap();
        for id in ids {
            assert!(lab.isobox.inspect(&id).await.unwrap().detached);
            lab.isobox.connect(&id).await.unwrap().delete().await.unwrap();
        }
        nothing_is_left(&lab.isobox).await;
    }
}

#[tokio::test]
async fn who_stops_waiting_for_one_leaves_nothing() {
    let lab = Lab::open().await;
    let keeper = keeps(lab.home(), "host", LONG_LEASE);
    for micros in [0, 100, 200, 400, 600, 800, 1000, 1500, 2000, 3000] {
        full(&lab.isobox).await;
        let taking = lab.isobox.take_from_with(BUILD, TakeOptions::default().detached());
        if let Ok(sandbox) = tokio::time::timeout(Duration::from_micros(micros), taking).await {
            sandbox.unwrap().delete().await.unwrap();
        }
    }
    comes("everything but the pool going", async || listed(&lab.isobox).await.iter().all(|entry| entry.pool.is_some()))
        .await;
    keeper.kill();
    nothing_is_left(&lab.isobox).await;
}

#[tokio::test]
async fn a_refill_that_panics_is_not_the_last() {
    let lab = Lab::open().await;
    let keeper = keeps_with(lab.home(), "host", LEASE, &[("ISOBOX_FAULT", "pool.refill=panic")]);
    let sandbox = lab.isobox.take_from(BUILD).await.unwrap();
    full(&lab.isobox).await;
    drop(sandbox);
    keeper.kill();
    nothing_is_left(&lab.isobox).await;
}

/// Has pools, forks, and says what the child can do with them.
#[test]
#[ignore = "a process of the other tests"]
fn forker() {
    let Some(home) = elsewhere::home() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (isobox, pools) = runtime.block_on(async {
        let isobox = open(&home).await;
        let pool = || isobox.pool(isobox.sandbox().provider("host").owner_lease(LEASE), 1).min_ready(1);
        let pools = [pool().open().await.unwrap(), pool().shared_as(BUILD).open().await.unwrap()];
        (isobox, pools)
    });
    // SAFETY: the child only does what a child of a program with threads may have to: it goes on.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // The runtime is the parent's, as it would be a global one in a language that forks.
        std::mem::forget(runtime);
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
            for pool in &pools {
                tell("take", pool.take()).await;
                tell("ready", pool.ready(1)).await;
                tell("close", pool.close()).await;
            }
            tell("take_from", Box::pin(isobox.take_from(BUILD))).await;
            drop((pools, isobox));
            let fresh = open(&home).await;
            let taken = fresh.take_from(BUILD).await.unwrap();
            elsewhere::say(&says(&taken, "echo of the child").await);
            taken.delete().await.unwrap();
        });
        std::process::exit(0);
    }
    // SAFETY: it is the child of above, and its status is of no interest.
    unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
    runtime.block_on(async {
        for pool in &pools {
            pool.ready(1).await.unwrap();
            let sandbox = pool.take().await.unwrap();
            elsewhere::say(&says(&sandbox, "echo of the parent").await);
            pool.close().await.unwrap();
        }
    });
}

/// Says how a call in the child ended.
async fn tell<T>(what: &str, call: impl IntoFuture<Output = Result<T>>) {
    let told = match tokio::time::timeout(PATIENCE, call).await {
        Err(_) => "nothing".to_owned(),
        Ok(Ok(_)) => "success".to_owned(),
        Ok(Err(error)) => error.code().to_string(),
    };
    elsewhere::say(&format!("{what}: {told}"));
}

#[tokio::test]
async fn a_forked_child_has_no_pools_and_can_take_like_any_process() {
    let home = tempfile::tempdir().unwrap();
    let mut forker = Elsewhere::start("forker", home.path());
    for _ in 0..2 {
        for what in ["take", "ready", "close"] {
            assert_eq!(forker.hear(), format!("{what}: invalid_state"));
        }
    }
    assert_eq!(forker.hear(), "take_from: invalid_state");
    assert_eq!(forker.hear(), "of the child");
    for _ in 0..2 {
        assert_eq!(forker.hear(), "of the parent");
    }
    forker.finish();
    nothing_is_left(&open(home.path()).await).await;
}
