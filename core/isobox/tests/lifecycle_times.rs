//! Lifetimes: how long a sandbox may exist, and how long it may go unused.

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
use elsewhere::PATIENCE;
use isobox::{DeathCause, Ended, ErrorCode, Lifetime, Lifetimes, PostMortem, Sandbox};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

const SHORT: Duration = Duration::from_millis(400);
/// Long enough that a sandbox that ignored it would have ended.
const LONGER: Duration = Duration::from_millis(1200);
/// A lifetime in which a busy machine gets something done, too.
const AMPLE: Duration = Duration::from_secs(4);

async fn died(sandbox: &Sandbox) -> PostMortem {
    match timeout(PATIENCE, sandbox.ended()).await.expect("it ends by itself").unwrap() {
        Ended::Died(post_mortem) => *post_mortem,
        other => panic!("it did not die but {other:?}"),
    }
}

/// Whether it lives on for so long.
async fn lives(sandbox: &Sandbox, time: Duration) -> bool {
    timeout(time, sandbox.ended()).await.is_err()
}

#[tokio::test]
async fn a_ttl_ends_it_whatever_it_does_and_everybody_learns_why() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let begun = Instant::now();
        let sandbox = lab.isobox.sandbox().provider(provider).ttl(SHORT).create().await.unwrap();
        let error = timeout(PATIENCE, sandbox.exec(["sleep", "1000"]).run()).await.unwrap().unwrap_err();
        assert!(begun.elapsed() >= SHORT);
        assert_eq!(error.code(), ErrorCode::SandboxGone, "{error}");
        assert_eq!(error.post_mortem().unwrap().cause, DeathCause::Expired);
        assert_eq!(died(&sandbox).await.cause, DeathCause::Expired);
        assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
        let later = sandbox.files().read("x").await.unwrap_err();
        assert_eq!((later.code(), later.post_mortem().unwrap().cause), (ErrorCode::SandboxGone, DeathCause::Expired));
        let status = sandbox.describe().await.unwrap();
        assert_eq!(status.post_mortem.unwrap().cause, DeathCause::Expired);
        sandbox.delete().await.unwrap();
    }
}

#[tokio::test]
async fn an_idle_sandbox_ends_and_says_so() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.isobox.sandbox().provider(provider).idle_timeout(SHORT).create().await.unwrap();
        let post_mortem = died(&sandbox).await;
        assert_eq!(post_mortem.cause, DeathCause::Expired);
        assert!(post_mortem.reason.unwrap().contains("idle"));
        assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
    }
}

#[tokio::test]
async fn a_running_command_is_use() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.isobox.sandbox().provider(provider).create().await.unwrap();
        let process = sandbox.exec(["sleep", "1000"]).detached().spawn().await.unwrap();
        unused_for(&sandbox, SHORT).await;
        // One that nobody watches is use all the same.
        drop(process);
        assert!(lives(&sandbox, LONGER).await, "{provider}");
        let running = sandbox.processes().await.unwrap();
        sandbox.process(&running[0].id).await.unwrap().kill().await.unwrap();
        assert_eq!(died(&sandbox).await.cause, DeathCause::Expired);
    }
}

/// It ends when it is unused for so long.
async fn unused_for(sandbox: &Sandbox, time: Duration) {
    sandbox.set_lifetimes(Lifetimes { idle_timeout: Some(time.into()), ..Lifetimes::default() }).await.unwrap();
}

/// Listens on a port in the sandbox and gives back what comes.
const ECHO: &str = "import socket
listener = socket.create_server(('127.0.0.1', 0))
print(listener.getsockname()[1], flush=True)
connection, _ = listener.accept()
while data := connection.recv(100): connection.sendall(data)";

#[tokio::test]
async fn an_open_connection_is_use() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.isobox.sandbox().provider(provider).create().await.unwrap();
        let server = sandbox.exec(["python3", "-c", ECHO]).spawn().await.unwrap();
        let Some(isobox::OutputEvent::Stdout(line)) = server.next().await.unwrap() else {
            eprintln!("on {provider}: skipped, there is no python3");
            continue;
        };
        let port = String::from_utf8_lossy(&line).trim().parse().unwrap();
        // The server itself must not count: it runs as an orphan of a command that has ended.
        let mut connection = sandbox.connect(port).await.unwrap();
        unused_for(&sandbox, SHORT).await;
        assert!(lives(&sandbox, LONGER).await, "{provider}");
        connection.write_all(b"ping").await.unwrap();
        let mut answer = [0; 4];
        connection.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"ping");
        drop(connection);
        server.wait().await.unwrap();
        assert_eq!(died(&sandbox).await.cause, DeathCause::Expired);
    }
}

#[tokio::test]
async fn touching_it_is_use_and_describing_it_is_not() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.isobox.sandbox().provider(provider).idle_timeout(AMPLE).create().await.unwrap();
        let until = Instant::now() + AMPLE + LONGER;
        while Instant::now() < until {
            sandbox.touch().await.unwrap();
            assert!(lives(&sandbox, SHORT / 4).await);
        }
        let looking = async {
            while sandbox.describe().await.is_ok_and(|status| status.post_mortem.is_none()) {
                tokio::time::sleep(SHORT / 8).await;
            }
        };
        timeout(PATIENCE, looking).await.expect("looking at it does not keep it alive");
        assert_eq!(died(&sandbox).await.cause, DeathCause::Expired);
    }
}

#[tokio::test]
async fn lifetimes_can_be_changed() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.isobox.sandbox().provider(provider).ttl(AMPLE).create().await.unwrap();
        sandbox.set_ttl(Lifetime::Never).await.unwrap();
        assert!(lives(&sandbox, AMPLE + LONGER).await, "{provider}");
        assert_eq!(sandbox.describe().await.unwrap().expires_at, None);
        sandbox.set_ttl(Duration::from_secs(1000)).await.unwrap();
        let expires = sandbox.describe().await.unwrap().expires_at.unwrap();
        let left = expires.since(sandbox.id().created_at());
        assert!((990..=1001).contains(&left.as_secs()), "the ttl counts from the creation: {left:?}");
        let zero = sandbox.set_ttl(Duration::ZERO).await.unwrap_err();
        assert_eq!(zero.code(), ErrorCode::InvalidSpec);
        assert!(zero.message().contains("ttl"), "{zero}");
        // It has existed for longer than that.
        sandbox.set_ttl(SHORT).await.unwrap();
        assert_eq!(died(&sandbox).await.cause, DeathCause::Expired);
    }
}

#[tokio::test]
async fn the_longest_lifetimes_are_never() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        for longest in [Duration::MAX, Duration::from_secs(u64::MAX)] {
            let builder =
                lab.isobox.sandbox().provider(provider).ttl(longest).idle_timeout(longest).owner_lease(longest);
            let sandbox = builder.create().await.unwrap();
            assert!(sandbox.exec(["true"]).await.unwrap().success());
            sandbox.set_ttl(longest).await.unwrap();
            let all =
                Lifetimes { ttl: Some(longest.into()), idle_timeout: Some(longest.into()), ..Lifetimes::default() };
            sandbox.set_lifetimes(all).await.unwrap();
            sandbox.describe().await.unwrap();
            assert!(lives(&sandbox, Duration::from_millis(50)).await);
            sandbox.delete().await.unwrap();
        }
    }
}
