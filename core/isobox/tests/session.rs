//! A session is one shell with one caller at a time, and nothing of it outlives it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/commands.rs"]
mod commands;
mod common;

use commands::{LONG, is_root, mark, until_gone, until_there, within_long};
use common::{Lab, on_each_provider, processes_with};
use isobox::{ErrorCode, Sandbox};
use std::future::IntoFuture;
use std::time::Duration;

/// The private directories of sessions in a sandbox.
async fn directories(sandbox: &Sandbox) -> usize {
    let mut found = 0;
    for place in ["/tmp", "/dev/shm"] {
        let entries = sandbox.files().list(place).await.unwrap_or_default();
        let own = |name: &[u8]| name.starts_with(b"isobox-");
        found += entries.iter().filter(|entry| own(entry.path.as_bytes())).count();
    }
    found
}

#[tokio::test]
async fn one_script_at_a_time() {
    on_each_provider(async |_, sandbox| {
        let session = sandbox.session().await.unwrap();
        let mark = mark();
        let second = async {
            until_there(&mark).await;
            let error = session.run("echo second").await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::Conflict);
            assert_eq!(error.operation(), Some("session.run"));
            session.interrupt().await.unwrap();
        };
        let first = session.run(format!("sleep {mark}")).timeout(LONG).into_future();
        let (first, ()) = within_long(async { tokio::join!(first, second) }).await;
        assert!(!first.unwrap().timed_out);
        assert_eq!(session.run("echo third").await.unwrap().text(), "third\n");
    })
    .await;
}

#[tokio::test]
async fn a_dropped_run_is_ended_and_the_session_goes_on() {
    on_each_provider(async |_, sandbox| {
        let session = sandbox.session().await.unwrap();
        for script in ["sleep MARK", "trap '' INT; sh -c 'sleep MARK; sleep MARK'"] {
            let mark = mark();
            let run = session.run(script.replace("MARK", &mark)).into_future();
            let started = until_there(&mark);
            tokio::select! {
                _ = run => panic!("it sleeps"),
                () = started => {}
            }
            let next = within_long(session.run("trap - INT; echo next").into_future()).await.unwrap();
            assert_eq!((next.text().as_ref(), next.exit_code), ("next\n", Some(0)), "after {script}");
            until_gone(&mark).await;
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_outlives_a_session() {
    on_each_provider(async |provider, sandbox| {
        for how in ["close", "drop", "exit"] {
            let before = directories(&sandbox).await;
            let mark = mark();
            let session = sandbox.session().await.unwrap();
            session.run(format!("sleep {mark} & setsid sh -c 'sleep {mark}; sleep {mark}' &")).await.unwrap();
            until_there(&mark).await;
            match how {
                "close" => session.close().await.unwrap(),
                "exit" => assert!(session.run("exit").await.unwrap().closed),
                _ => {}
            }
            if how != "close" {
                drop(session);
            } else {
                session.close().await.unwrap();
                assert_eq!(session.run("echo").await.unwrap_err().code(), ErrorCode::InvalidState);
            }
            until_gone(&mark).await;
            assert_eq!(processes_with(&mark), Vec::<u32>::new(), "{how} on {provider}");
            within_long(async {
                while directories(&sandbox).await > before {
                    tokio::task::yield_now().await;
                }
            })
            .await;
        }
    })
    .await;
}

#[tokio::test]
async fn options_reach_the_shell() {
    on_each_provider(async |provider, sandbox| {
        let session = sandbox
            .session()
            .cwd("/usr")
            .env("GREETING", "it's $HOME")
            .env("PS1", "mine> ")
            .size(31, 97)
            .await
            .unwrap();
        let script = "pwd; echo \"$GREETING\"; stty size <&1; test -t 1 && echo terminal; test -t 0 || echo no input";
        let result = session.run(script).await.unwrap();
        assert_eq!(result.text(), "/usr\nit's $HOME\n31 97\nterminal\nno input\n", "on {provider}");
        let missing = sandbox.session().shell("no-such-shell").await.unwrap_err();
        assert_eq!(missing.code(), ErrorCode::NotFound, "on {provider}");
        let no_shell = sandbox.session().shell("false").await.unwrap_err();
        assert_eq!(no_shell.code(), ErrorCode::CommandFailed, "on {provider}");
        let nul = session.run("echo \0").await.unwrap_err();
        assert_eq!(nul.code(), ErrorCode::InvalidSpec, "on {provider}");
    })
    .await;
}

#[tokio::test]
async fn a_session_can_be_another_user_s() {
    if !is_root() {
        eprintln!("skipped: commands run as another user only for root");
        return;
    }
    on_each_provider(async |provider, sandbox| {
        let session = sandbox.session().user("nobody").cwd("/").await.unwrap();
        let result = session.run("id -un; trap '' INT; sleep 1000").timeout(Duration::from_millis(500)).await.unwrap();
        assert!(result.text().starts_with("nobody\n") && result.timed_out, "on {provider}: {:?}", result.text());
        if !result.closed {
            assert_eq!(session.run("echo on").await.unwrap().text(), "on\n");
        }
    })
    .await;
}

#[tokio::test]
async fn a_deleted_sandbox_ends_its_sessions_with_an_error() {
    for provider in common::PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.sandbox(provider).await;
        let session = sandbox.session().await.unwrap();
        let mark = mark();
        let gone = async {
            until_there(&mark).await;
            sandbox.delete().await.unwrap();
        };
        let run = session.run(format!("sleep {mark}")).into_future();
        let (result, ()) = within_long(async { tokio::join!(run, gone) }).await;
        assert_eq!(result.unwrap_err().code(), ErrorCode::SandboxGone, "on {provider}");
        within_long(session.run("echo").into_future()).await.unwrap_err();
    }
}

#[tokio::test]
async fn sessions_do_not_wait_for_each_other() {
    on_each_provider(async |_, sandbox| {
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..6 {
            let sandbox = sandbox.clone();
            tasks.spawn(async move {
                let session = sandbox.session().await.unwrap();
                for round in 0..10 {
                    let script = format!("count=$((${{count-0}} + 1)); echo {number} {round} $count");
                    let result = session.run(script).await.unwrap();
                    assert_eq!(result.text(), format!("{number} {round} {}\n", round + 1));
                }
            });
        }
        while let Some(done) = within_long(tasks.join_next()).await {
            done.unwrap();
        }
    })
    .await;
}
