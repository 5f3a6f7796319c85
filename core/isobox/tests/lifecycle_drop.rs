//! A call's future can be dropped wherever it has got to, and leaves nothing behind.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says where it is"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use common::{Lab, PROVIDERS, processes_with};
use elsewhere::{children, mark, settles};
use isobox::{ExecResult, Sandbox, SandboxBuilder, SandboxFilter};
use rustix::process::getpid;
use std::future::{Future, poll_fn};
use std::path::Path;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

/// More polls than any of the calls needs.
const MOST: usize = 2_000;
/// The children of the process are counted, so the tests take turns.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Polls a future at most so many times, then drops it.
async fn poll_only<T>(times: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut left = times;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        match future.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending if left == 0 => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

/// Drops `call` after every number of polls until it is done, with a check after each.
async fn at_every_point<T, F: Future<Output = isobox::Result<T>>>(
    mut call: impl FnMut() -> F,
    mut check: impl AsyncFnMut(),
) -> T {
    for times in 0..MOST {
        let done = poll_only(times, call()).await;
        check().await;
        if let Some(done) = done {
            eprintln!("done after {times} polls");
            return done.unwrap();
        }
    }
    panic!("not done after {MOST} polls");
}

async fn nothing_is_left(lab: &Lab) {
    settles("the sandbox going", || lab.left_over().is_empty() && children(getpid()).is_empty()).await;
}

fn builder(lab: &Lab, provider: &str) -> SandboxBuilder {
    // A working directory is looked at in the sandbox, one step more at which to be dropped.
    lab.isobox.sandbox().provider(provider).workdir("/tmp")
}

#[tokio::test]
async fn create_leaves_nothing_at_any_point() {
    let _turn = TURN.lock().await;
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let builder = || builder(&lab, provider);
        drop(at_every_point(|| builder().create(), async || {}).await);
        nothing_is_left(&lab).await;
        for times in 0..12 {
            drop(poll_only(times, builder().create()).await);
            nothing_is_left(&lab).await;
        }
        // What the sandbox's own processes do meanwhile is not seen by counting polls.
        for step in 0..60 {
            drop(tokio::time::timeout(Duration::from_micros(200 * step), builder().create()).await);
            nothing_is_left(&lab).await;
        }
    }
}

#[tokio::test]
async fn delete_goes_on_from_any_point() {
    let _turn = TURN.lock().await;
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        for times in 0..8 {
            let sandbox = lab.sandbox(provider).await;
            drop(poll_only(times, sandbox.delete()).await);
            drop(sandbox);
            nothing_is_left(&lab).await;
        }
        for step in 0..40 {
            let sandbox = lab.sandbox(provider).await;
            drop(tokio::time::timeout(Duration::from_micros(100 * step), sandbox.delete()).await);
            drop(sandbox);
        }
        nothing_is_left(&lab).await;
        assert!(isobox::settled(Duration::from_secs(60)).await, "something still goes on");
        let listed = lab.isobox.list(SandboxFilter::default()).await.unwrap();
        let states: Vec<_> = listed.iter().map(|entry| entry.state).collect();
        assert!(states.is_empty(), "{provider}: the books have what is gone as {states:?}");
    }
}

/// After each drop nothing runs, and the sandbox can be used.
async fn quiet(sandbox: &Sandbox, mark: &str) {
    settles("the command ending", || processes_with(mark).is_empty()).await;
    assert!(sandbox.exec(["true"]).await.unwrap().success());
    let running =
        |list: Vec<isobox::ProcessInfo>| list.iter().filter(|p| p.state == isobox::ProcessState::Running).count();
    let deadline = tokio::time::Instant::now() + elsewhere::PATIENCE;
    while running(sandbox.processes().await.unwrap()) > 0 {
        assert!(tokio::time::Instant::now() < deadline, "a command runs on");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn commands_end_wherever_the_call_was() {
    let _turn = TURN.lock().await;
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.sandbox(provider).await;
        let mark = mark();
        let run = || sandbox.shell(format!("cat; echo {mark}")).input(vec![b'x'; 300_000]).run();
        let result: ExecResult = at_every_point(run, async || quiet(&sandbox, &mark).await).await;
        assert!(result.success());
        let script = format!("(setsid sleep {mark} &) ; env -i sleep {mark} & sleep {mark}");
        let spawn = || sandbox.shell(script.as_str()).spawn();
        at_every_point(|| async { spawn().await.map(drop) }, async || quiet(&sandbox, &mark).await).await;
        for times in 0..6 {
            drop(poll_only(times, spawn()).await);
            quiet(&sandbox, &mark).await;
        }
        for step in 0..20 {
            let run = sandbox.shell(script.as_str()).run();
            assert!(tokio::time::timeout(Duration::from_micros(300 * step), run).await.is_err());
            quiet(&sandbox, &mark).await;
        }
        sandbox.delete().await.unwrap();
    }
}

/// The names in a directory of the sandbox, or of this machine.
async fn names(sandbox: &Sandbox, directory: &str) -> Vec<String> {
    let entries = sandbox.files().list(directory).await.unwrap();
    entries.iter().map(|entry| String::from_utf8_lossy(entry.path.as_bytes()).into_owned()).collect()
}

fn local_names(directory: &Path) -> Vec<String> {
    std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[tokio::test]
async fn files_are_whole_or_not_there() {
    let _turn = TURN.lock().await;
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.sandbox(provider).await;
        let files = sandbox.files();
        let content = vec![b'x'; 1 << 20];
        files.mkdir("in").await.unwrap();
        let options = || isobox::WriteOptions { atomic: true, ..Default::default() };
        let write = || files.write_with("in/target", content.clone(), options());
        at_every_point(write, async || {
            // The agent notices in its own time that nobody waits any more.
            let deadline = tokio::time::Instant::now() + elsewhere::PATIENCE;
            loop {
                let names = names(&sandbox, "in").await;
                if names.iter().all(|name| name.ends_with("target")) {
                    break;
                }
                assert!(tokio::time::Instant::now() < deadline, "{names:?} are left");
            }
            if files.exists("in/target").await.unwrap() {
                assert_eq!(files.stat("in/target").await.unwrap().size, content.len() as u64);
            }
            files.remove_all("in/target").await.unwrap();
        })
        .await;
        sandbox.delete().await.unwrap();
    }
}

#[tokio::test]
async fn transfers_leave_nothing_temporary() {
    let _turn = TURN.lock().await;
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.sandbox(provider).await;
        let files = sandbox.files();
        let local = tempfile::tempdir().unwrap();
        let source = local.path().join("source");
        std::fs::create_dir(&source).unwrap();
        for name in ["a", "b", "c"] {
            std::fs::write(source.join(name), vec![b'x'; 200_000]).unwrap();
        }
        let upload = || files.upload(&source, "tree");
        at_every_point(upload, async || files.remove_all("tree").await.unwrap()).await;
        files.upload(&source, "tree").await.unwrap();
        let received = local.path().join("received");
        at_every_point(
            || files.download("tree", &received),
            async || {
                let expected = |name: &String| name == "source" || name == "received";
                let all = || local_names(local.path());
                settles("the download stopping", || all().iter().all(expected)).await;
                if received.exists() {
                    let stray = |name: &String| !["a", "b", "c"].contains(&name.as_str());
                    settles("temporary files going", || !local_names(&received).iter().any(stray)).await;
                    std::fs::remove_dir_all(&received).unwrap();
                }
            },
        )
        .await;
        assert!(sandbox.exec(["true"]).await.unwrap().success());
        sandbox.delete().await.unwrap();
    }
}
