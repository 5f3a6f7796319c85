//! Who owns a sandbox, and what becomes of it when that process ends.
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

use common::PROVIDERS;
use elsewhere::{Elsewhere, PATIENCE, settles};
use isobox::contract::{Context, SandboxRecord};
use isobox::{DeathCause, Ended, ErrorCode, ExecRequest, Isobox, Lifetimes, SandboxId, SandboxSpec, State};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const LEASE: Duration = Duration::from_millis(400);

type Raw = Arc<dyn isobox::contract::Sandbox>;

async fn open(home: &Path) -> Isobox {
    Isobox::builder().home(home).open().await.unwrap()
}

async fn attach(isobox: &Isobox, provider: &str, record: &SandboxRecord) -> Raw {
    isobox.provider(provider).await.unwrap().attach(record, &Context::quiet()).await.unwrap()
}

fn spec() -> SandboxSpec {
    let lifetimes =
        Lifetimes { ttl: Some(Duration::from_secs(1000).into()), owner_lease: Some(LEASE), ..Lifetimes::default() };
    SandboxSpec::default().lifetimes(lifetimes)
}

/// Makes one of each provider and lets go of it.
#[test]
#[ignore = "a process of the other tests"]
fn maker() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = open(&home).await;
        let mut made = Vec::new();
        for provider in PROVIDERS {
            let opened = isobox.provider(provider).await.unwrap();
            let sandbox = opened.create(&SandboxId::generate(), &spec(), &Context::quiet()).await.unwrap();
            sandbox.detach().await.unwrap();
            elsewhere::say(&serde_json::to_string(&sandbox.record()).unwrap());
            made.push(sandbox);
        }
        while elsewhere::hear().is_some() {}
    });
}

/// Adopts the sandboxes whose records it is told.
#[test]
#[ignore = "a process of the other tests"]
fn adopter() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = open(&home).await;
        let mut adopted = Vec::new();
        for provider in PROVIDERS {
            let record: SandboxRecord = serde_json::from_str(&elsewhere::hear().unwrap()).unwrap();
            let sandbox = attach(&isobox, provider, &record).await;
            sandbox.adopt().await.unwrap();
            elsewhere::say("adopted");
            adopted.push(sandbox);
        }
        while elsewhere::hear().is_some() {}
    });
}

#[tokio::test]
async fn an_adopted_sandbox_ends_with_who_adopted_it_and_not_with_who_made_it() {
    let home = tempfile::tempdir().unwrap();
    let (mut maker, mut adopter) = (Elsewhere::start("maker", home.path()), Elsewhere::start("adopter", home.path()));
    let isobox = open(home.path()).await;
    let mut watched = Vec::new();
    for provider in PROVIDERS {
        let line = maker.hear();
        adopter.tell(&line);
        assert_eq!(adopter.hear(), "adopted");
        watched.push(attach(&isobox, provider, &serde_json::from_str(&line).unwrap()).await);
    }
    maker.kill();
    tokio::time::sleep(3 * LEASE).await;
    for sandbox in &watched {
        assert!(sandbox.exec().run(ExecRequest::argv(["true"])).await.unwrap().success());
    }
    adopter.kill();
    for sandbox in &watched {
        let ended = tokio::time::timeout(PATIENCE, sandbox.ended()).await.unwrap().unwrap();
        let Ended::Died(post_mortem) = ended else { panic!("{ended:?}") };
        assert_eq!(post_mortem.cause, DeathCause::OwnerLost);
    }
    for provider in PROVIDERS {
        let left = || std::fs::read_dir(home.path().join(provider)).into_iter().flatten().count();
        settles("the directory going", || left() == 0).await;
    }
}

#[tokio::test]
async fn who_adopts_decides_how_long_it_lives_and_its_commands_go_on() {
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        let isobox = open(home.path()).await;
        let opened = isobox.provider(provider).await.unwrap();
        let made = opened.create(&SandboxId::generate(), &spec().detached(), &Context::quiet()).await.unwrap();
        let sandbox = attach(&isobox, provider, &made.record()).await;
        let longer = Lifetimes { ttl: Some(Duration::from_secs(5000).into()), ..Lifetimes::default() };
        let refused = sandbox.set_lifetimes(&longer).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::PermissionDenied, "{provider}");
        let running = sandbox.exec().run(ExecRequest::shell("sleep 0.3; echo done"));
        let adopting = async {
            sandbox.adopt().await.unwrap();
            sandbox.set_lifetimes(&longer).await.unwrap();
        };
        let (result, ()) = tokio::join!(running, adopting);
        assert_eq!(result.unwrap().stdout.text(), "done\n", "{provider}");
        let left = sandbox.describe().await.unwrap().expires_at.unwrap().since(isobox::Timestamp::now());
        assert!(left > Duration::from_secs(4000), "{provider}: {left:?}");
        // It is let go of again, and lives on without both handles.
        sandbox.detach().await.unwrap();
        let record = sandbox.record();
        drop((made, sandbox));
        tokio::time::sleep(2 * LEASE).await;
        let found = attach(&isobox, provider, &record).await;
        // One that is stopped can be adopted too, and ends with its handle.
        found.stop(None, &Context::quiet()).await.unwrap();
        found.adopt().await.unwrap();
        found.start(&Context::quiet()).await.unwrap();
        assert_eq!(found.describe().await.unwrap().state, State::Running);
        drop(found);
        let left = || std::fs::read_dir(home.path().join(provider)).into_iter().flatten().count();
        settles("the directory going", || left() == 0).await;
    }
}

#[tokio::test]
async fn what_is_gone_cannot_be_adopted() {
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        let isobox = open(home.path()).await;
        let opened = isobox.provider(provider).await.unwrap();
        let made = opened.create(&SandboxId::generate(), &spec().detached(), &Context::quiet()).await.unwrap();
        let sandbox = attach(&isobox, provider, &made.record()).await;
        made.delete(&Context::quiet()).await.unwrap();
        let error = sandbox.adopt().await.unwrap_err();
        assert!(matches!(error.code(), ErrorCode::SandboxGone | ErrorCode::InvalidState), "{provider}: {error}");
    }
}
