//! What a child that was forked off can do with the sandboxes of its parent: nothing, and it says so.
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

use common::PROVIDERS;
use elsewhere::{Elsewhere, Ends, PATIENCE, children, settles};
use isobox::{ErrorCode, EventFilter, Isobox, Result, Sandbox, SandboxFilter};
use rustix::process::{Pid, Signal, kill_process};
use std::future::IntoFuture;
use std::time::Duration;

const LEASE: Duration = Duration::from_millis(400);

async fn made(home: &std::path::Path) -> (Isobox, Vec<Sandbox>) {
    let isobox = Isobox::builder().home(home).open().await.unwrap();
    let mut made = Vec::new();
    for provider in PROVIDERS {
        made.push(isobox.sandbox().provider(provider).owner_lease(LEASE).create().await.unwrap());
    }
    (isobox, made)
}

/// Says how a call in the child ended.
async fn tell<T>(what: &str, call: impl IntoFuture<Output = Result<T>>) {
    let told = match tokio::time::timeout(Duration::from_secs(5), call).await {
        Err(_) => "nothing for five seconds".to_owned(),
        Ok(Ok(_)) => "success".to_owned(),
        Ok(Err(error)) => error.code().to_string(),
    };
    elsewhere::say(&format!("{what}: {told}"));
}

/// The child: tries everything, lets go of everything, and stays.
fn child(isobox: Isobox, home: &std::path::Path, sandboxes: Vec<Sandbox>) -> ! {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
        tell("list", isobox.list(SandboxFilter::default())).await;
        tell("inspect", isobox.inspect("any")).await;
        tell("connect", Box::pin(isobox.connect("any"))).await;
        tell("create", isobox.sandbox().provider("host").create()).await;
        tell("events", isobox.events(0, EventFilter::default()).next()).await;
        tell("garbage", isobox.collect_garbage()).await;
        drop(isobox);
        // Opened anew it is the child's own.
        let fresh = Isobox::builder().home(home).open().await.unwrap();
        tell("fresh list", fresh.list(SandboxFilter::default())).await;
        let made = fresh.sandbox().provider("host").create().await.unwrap();
        tell("fresh delete", made.delete()).await;
        drop((made, fresh));
        for sandbox in &sandboxes {
            tell("exec", sandbox.exec(["true"])).await;
            tell("files", sandbox.files().read("/etc/hostname")).await;
            tell("stop", sandbox.stop(None)).await;
            tell("delete", sandbox.delete()).await;
        }
        drop(sandboxes);
    });
    elsewhere::say(&format!("child {}", std::process::id()));
    loop {
        // SAFETY: it takes nothing and touches nothing.
        unsafe { libc::pause() };
    }
}

#[test]
#[ignore = "a process of the other tests"]
fn parent() {
    let Some(home) = elsewhere::home() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (isobox, sandboxes) = runtime.block_on(made(&home));
    // SAFETY: the child only does what a child of a program with threads may have to: it goes on.
    if unsafe { libc::fork() } == 0 {
        // The runtime is the parent's, as it would be a global one in a language that forks.
        std::mem::forget(runtime);
        child(isobox, &home, sandboxes);
    }
    elsewhere::hear();
    runtime.block_on(async {
        for sandbox in &sandboxes {
            assert!(sandbox.exec(["true"]).await.unwrap().success());
        }
    });
    elsewhere::say("the parent's live");
    elsewhere::hear();
}

#[tokio::test]
async fn a_forked_child_gets_errors_and_keeps_nothing_alive() {
    let home = tempfile::tempdir().unwrap();
    let mut parent = Elsewhere::start("parent", home.path());
    for what in ["list", "inspect", "connect", "create", "events", "garbage"] {
        assert_eq!(parent.hear(), format!("{what}: invalid_state"));
    }
    for what in ["fresh list", "fresh delete"] {
        assert_eq!(parent.hear(), format!("{what}: success"));
    }
    for _ in PROVIDERS {
        for what in ["exec", "files", "stop", "delete"] {
            assert_eq!(parent.hear(), format!("{what}: invalid_state"));
        }
    }
    let child = parent.hear();
    let child = Pid::from_raw(child.strip_prefix("child ").unwrap().parse().unwrap()).unwrap();
    parent.tell("go on");
    assert_eq!(parent.hear(), "the parent's live");
    let keepers: Vec<Pid> = children(parent.pid()).into_iter().filter(|pid| *pid != child).collect();
    assert_eq!(keepers.len(), PROVIDERS.len());
    let ends = Ends::of(&keepers);
    parent.kill();
    ends.wait(PATIENCE);
    for provider in PROVIDERS {
        let left = || std::fs::read_dir(home.path().join(provider)).into_iter().flatten().count();
        settles("the directory going", || left() == 0).await;
    }
    // It was there all the time.
    kill_process(child, Signal::KILL).unwrap();
}

/// How many times the busy parent forks.
const FORKS: usize = 40;

/// Attaches to a sandbox and uses it, again and again.
async fn busy(isobox: Isobox) {
    loop {
        let sandbox = isobox.connect("kept").await.unwrap();
        assert!(sandbox.exec(["true"]).await.unwrap().success());
    }
}

/// A child that was forked while others were busy: what it inherited says so, and its own works. Its exit code tells whether it
/// could open the library.
fn amid(isobox: &Isobox, home: &std::path::Path) -> i32 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let inherited = isobox.list(SandboxFilter::default()).await.unwrap_err();
        assert_eq!(inherited.code(), ErrorCode::InvalidState, "{inherited}");
        let fresh = match Isobox::builder().home(home).no_clean_up().open().await {
            Ok(fresh) => fresh,
            Err(error) if error.code() == ErrorCode::InvalidState => return 3,
            Err(error) => panic!("{error}"),
        };
        let sandbox = fresh.connect("kept").await.unwrap();
        assert!(sandbox.exec(["true"]).await.unwrap().success());
        drop(sandbox);
        let own = fresh.sandbox().provider("host").create().await.unwrap();
        own.delete().await.unwrap();
        0
    })
}

/// Forks, and gives how the child ended.
fn forked(child: impl FnOnce() -> i32) -> i32 {
    // SAFETY: the child does what is tested, and ends without the parent's handlers.
    match unsafe { libc::fork() } {
        0 => {
            let code = std::panic::catch_unwind(std::panic::AssertUnwindSafe(child)).unwrap_or(101);
            // SAFETY: it takes a number.
            unsafe { libc::_exit(code) }
        }
        pid => {
            let pid = Pid::from_raw(pid).unwrap();
            Ends::of(&[pid]).wait(PATIENCE);
            let status = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty()).unwrap();
            status.unwrap().1.exit_status().unwrap_or(128)
        }
    }
}

#[test]
#[ignore = "a process of the other tests"]
fn busy_parent() {
    let Some(home) = elsewhere::home() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let isobox = runtime.block_on(async {
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        isobox.sandbox().provider("host").name("kept").detached().create().await.unwrap();
        isobox
    });
    let working: Vec<_> = (0..3).map(|_| runtime.spawn(busy(isobox.clone()))).collect();
    let ends: Vec<_> = (0..FORKS).map(|_| forked(|| amid(&isobox, &home))).collect();
    assert!(ends.iter().all(|end| matches!(end, 0 | 3)), "{ends:?}");
    assert!(ends.contains(&0), "a fork waits for a moment without a transaction");
    assert!(working.iter().all(|work| !work.is_finished()), "the parent's work goes on");
    working.iter().for_each(|work| work.abort());
    runtime.block_on(async { isobox.connect("kept").await.unwrap().delete().await.unwrap() });
    elsewhere::say("done");
}

#[test]
fn children_that_are_forked_amid_work_never_hang() {
    let home = tempfile::tempdir().unwrap();
    let mut parent = Elsewhere::start("busy_parent", home.path());
    assert_eq!(parent.hear(), "done");
    parent.finish();
}
