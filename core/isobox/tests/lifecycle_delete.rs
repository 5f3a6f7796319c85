//! Ending a sandbox on purpose, letting it live on on purpose, and finding it again.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says where it is"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use common::{Lab, PROVIDERS, on_each_provider, processes_with};
use elsewhere::{Elsewhere, PATIENCE, children, mark, settles};
use isobox::contract::{Context, SandboxRecord};
use isobox::{Ended, ErrorCode, ExecRequest, Isobox, Lifetime, Lifetimes, Owner, SandboxId, SandboxSpec};
use rustix::process::{Signal, getpid};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

type Raw = Arc<dyn isobox::contract::Sandbox>;

#[tokio::test]
async fn delete_can_be_called_again_and_at_once() {
    on_each_provider(async |provider, sandbox| {
        let all: Vec<_> =
            (0..8).map(|_| sandbox.clone()).map(|s| tokio::spawn(async move { s.delete().await })).collect();
        for one in all {
            one.await.unwrap().unwrap();
        }
        sandbox.delete().await.unwrap();
        assert!(matches!(sandbox.ended().await.unwrap(), Ended::Deleted), "{provider}");
    })
    .await;
}

/// Deletes the sandbox with the name that it is told, and is stopped once that is written down.
#[test]
#[ignore = "a process of the other tests"]
fn deleter() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = Isobox::builder().home(&home).no_clean_up().open().await.unwrap();
        isobox.connect("going").await.unwrap().delete().await.unwrap();
    });
}

#[tokio::test]
async fn nothing_is_begun_in_a_sandbox_that_another_process_is_deleting() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.builder(provider).name("going").create().await.unwrap();
        let running = sandbox.command(["sleep", "1000"]).spawn().await.unwrap();
        let deleter = Elsewhere::start_with("deleter", lab.home(), &[("ISOBOX_FAULT", "action.intended=stop")]);
        settles("the intent", || deleter.is_stopped()).await;
        for refused in [
            sandbox.exec(["true"]).await.unwrap_err(),
            sandbox.exec(["true"]).spawn().await.unwrap_err(),
            sandbox.session().await.err().unwrap(),
            sandbox.services().exec("any", ["true"]).start().await.err().unwrap(),
        ] {
            assert_eq!(refused.code(), ErrorCode::InvalidState, "{provider}: {refused}");
            assert!(refused.message().contains("deleting"), "{refused}");
        }
        deleter.signal(Signal::CONT);
        assert_eq!(running.wait().await.unwrap_err().code(), ErrorCode::SandboxGone);
        deleter.finish();
        assert_eq!(sandbox.exec(["true"]).await.unwrap_err().code(), ErrorCode::SandboxGone);
        assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
    }
}

#[tokio::test]
async fn what_runs_in_a_sandbox_ends_when_its_deleter_dies() {
    let lab = Lab::open().await;
    let sandbox = lab.builder("namespace").name("going").create().await.unwrap();
    let running = sandbox.command(["sleep", "1000"]).spawn().await.unwrap();
    Elsewhere::start_with("deleter", lab.home(), &[("ISOBOX_FAULT", "action.intended=kill")]).killed();
    assert_eq!(sandbox.exec(["true"]).await.unwrap_err().code(), ErrorCode::InvalidState);
    lab.isobox.collect_garbage().await.unwrap();
    assert_eq!(running.wait().await.unwrap_err().code(), ErrorCode::SandboxGone);
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_handle_of_a_deleted_sandbox_says_that_it_is_gone() {
    on_each_provider(async |_, sandbox| {
        let process = sandbox.exec(["sleep", "1000"]).spawn().await.unwrap();
        sandbox.delete().await.unwrap();
        let codes = [
            sandbox.exec(["true"]).await.unwrap_err().code(),
            sandbox.exec(["true"]).spawn().await.unwrap_err().code(),
            sandbox.files().read("x").await.unwrap_err().code(),
            sandbox.files().write("x", "y").await.unwrap_err().code(),
            sandbox.processes().await.unwrap_err().code(),
            sandbox.connect(80).await.err().unwrap().code(),
            sandbox.touch().await.unwrap_err().code(),
            sandbox.set_ttl(Duration::from_secs(9)).await.unwrap_err().code(),
            sandbox.metrics().await.unwrap_err().code(),
            process.next().await.unwrap_err().code(),
            process.wait().await.unwrap_err().code(),
            process.kill().await.unwrap_err().code(),
        ];
        assert_eq!(codes, [ErrorCode::SandboxGone; 12]);
        assert_eq!(sandbox.describe().await.unwrap().state, isobox::State::Deleted);
    })
    .await;
}

#[tokio::test]
async fn deleting_ends_everything_that_runs() {
    on_each_provider(async |provider, sandbox| {
        let mark = mark();
        let script =
            format!("trap '' TERM HUP INT; setsid sh -c 'trap \"\" TERM; sleep {mark}; sleep {mark}' & sleep {mark}");
        let running: Vec<_> = (0..20)
            .map(|_| {
                let command = sandbox.shell(script.as_str());
                tokio::spawn(async move { command.await })
            })
            .collect();
        settles("the commands starting", || processes_with(&mark).len() >= 60).await;
        sandbox.delete().await.unwrap();
        assert_eq!(processes_with(&mark), Vec::<u32>::new(), "{provider}");
        for one in running {
            let error = tokio::time::timeout(PATIENCE, one).await.unwrap().unwrap().unwrap_err();
            assert_eq!(error.code(), ErrorCode::SandboxGone);
        }
    })
    .await;
}

#[tokio::test]
async fn the_last_handle_takes_the_sandbox_along() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.sandbox(provider).await;
        let mark = mark();
        let process = sandbox.exec(["sleep", &mark]).spawn().await.unwrap();
        let files = sandbox.files();
        drop(sandbox);
        files.write("x", "y").await.unwrap();
        drop(files);
        assert!(process.sandbox().exec(["true"]).await.unwrap().success());
        drop(process);
        settles("the sandbox going", || lab.left_over().is_empty() && processes_with(&mark).is_empty()).await;
    }
}

/// Makes a sandbox that belongs to nobody.
async fn detached(isobox: &Isobox, provider: &str) -> Raw {
    let lifetimes = Lifetimes { ttl: Some(Duration::from_secs(60).into()), ..Lifetimes::default() };
    let spec = SandboxSpec { owner: Owner::Detached, lifetimes, ..SandboxSpec::default() };
    let provider = isobox.provider(provider).await.unwrap();
    provider.create(&SandboxId::generate(), &spec, &Context::quiet()).await.unwrap()
}

async fn attach(isobox: &Isobox, provider: &str, record: &SandboxRecord) -> isobox::Result<Raw> {
    isobox.provider(provider).await.unwrap().attach(record, &Context::quiet()).await
}

async fn open(home: &Path) -> Isobox {
    Isobox::builder().home(home).open().await.unwrap()
}

/// Makes a detached sandbox of each provider and ends.
#[test]
#[ignore = "a process of the other tests"]
fn maker() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = open(&home).await;
        for provider in PROVIDERS {
            let sandbox = detached(&isobox, provider).await;
            sandbox.exec().run(ExecRequest::shell("echo kept > file")).await.unwrap();
            elsewhere::say(&serde_json::to_string(&sandbox.record()).unwrap());
        }
    });
}

#[tokio::test]
async fn a_detached_sandbox_is_found_again_by_another_process() {
    let lab = Lab::open().await;
    let mut maker = Elsewhere::start("maker", lab.home());
    let records = PROVIDERS.map(|_| serde_json::from_str::<SandboxRecord>(&maker.hear()).unwrap());
    maker.finish();
    for (provider, record) in PROVIDERS.into_iter().zip(records) {
        let sandbox = attach(&lab.isobox, provider, &record).await.unwrap();
        assert_eq!(*sandbox.id(), record.id);
        let result = sandbox.exec().run(ExecRequest::shell("cat file")).await.unwrap();
        assert_eq!(result.stdout.text(), "kept\n");
        // A handle that was attached does not own it.
        drop(sandbox);
        let sandbox = attach(&lab.isobox, provider, &record).await.unwrap();
        assert!(sandbox.exec().run(ExecRequest::argv(["true"])).await.unwrap().success());
        sandbox.delete(&Context::quiet()).await.unwrap();
        let gone = attach(&lab.isobox, provider, &record).await.err().unwrap();
        assert_eq!(gone.code(), ErrorCode::NotFound, "{gone}");
        lab.isobox.provider(provider).await.unwrap().delete(&record, &Context::quiet()).await.unwrap();
    }
    assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_sandbox_can_be_detached_later() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.isobox.sandbox().provider(provider).create().await.unwrap();
        sandbox.set_ttl(Duration::from_secs(4)).await.unwrap();
        sandbox.detach().await.unwrap();
        drop(sandbox);
        let places = lab.left_over();
        assert_eq!(places.len(), 1, "it lives on");
        // Until its ttl, which nobody has to look after.
        settles("the ttl ending it", || lab.left_over().is_empty()).await;
    }
}

#[tokio::test]
async fn what_is_detached_without_a_lifetime_has_a_day() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let builder = || lab.isobox.sandbox().provider(provider);
        let at_once = builder().detached().create().await.unwrap();
        let later = builder().create().await.unwrap();
        later.detach().await.unwrap();
        for sandbox in [&at_once, &later] {
            let recorded = lab.isobox.inspect(sandbox.id().as_str()).await.unwrap().expires_at;
            for expires_at in [sandbox.describe().await.unwrap().expires_at, recorded] {
                let left = expires_at.unwrap().since(isobox::Timestamp::now());
                // It is a little younger than its id.
                let (least, most) =
                    (Duration::from_secs(86_300), isobox::DEFAULT_DETACHED_TTL + Duration::from_secs(60));
                assert!(left > least && left < most, "{left:?}");
            }
        }
        // For ever has to be said, and an idle timeout is a lifetime.
        let for_ever = builder().ttl(Lifetime::Never).detached().create().await.unwrap();
        let idle = builder().idle_timeout(Duration::from_secs(1000)).detached().create().await.unwrap();
        for sandbox in [&for_ever, &idle] {
            assert_eq!(sandbox.describe().await.unwrap().expires_at, None);
            assert_eq!(lab.isobox.inspect(sandbox.id().as_str()).await.unwrap().expires_at, None);
        }
        for sandbox in [at_once, later, for_ever, idle] {
            sandbox.delete().await.unwrap();
        }
        assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
    }
}

fn altered(
    record: &SandboxRecord,
    change: impl FnOnce(&mut serde_json::Map<String, serde_json::Value>),
) -> SandboxRecord {
    let mut record = record.clone();
    change(record.data.as_object_mut().unwrap());
    record
}

#[tokio::test]
async fn a_record_that_is_not_right_finds_nothing_and_harms_nobody() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = detached(&lab.isobox, provider).await;
        let record = sandbox.record();
        let wrong_token = altered(&record, |data| data["token"] = serde_json::json!([1, 2, 3]));
        let another_place = altered(&record, |data| data["state_dir"] = serde_json::json!("/tmp/nothing/here"));
        let rubbish = SandboxRecord { data: serde_json::json!({ "pid": 1 }), ..record.clone() };
        let cases = [
            (wrong_token, ErrorCode::Unauthenticated),
            (another_place, ErrorCode::NotFound),
            (rubbish, ErrorCode::InvalidSpec),
        ];
        for (wrong, code) in cases {
            let error = attach(&lab.isobox, provider, &wrong).await.err().unwrap();
            assert_eq!(error.code(), code, "{provider}: {error}");
        }
        assert!(sandbox.exec().run(ExecRequest::argv(["true"])).await.unwrap().success());
        sandbox.delete(&Context::quiet()).await.unwrap();
        assert_eq!(lab.left_over(), Vec::<PathBuf>::new());
    }
}

#[tokio::test]
async fn a_visitor_cannot_decide_how_long_it_lives() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let spec = SandboxSpec::default();
        let opened = lab.isobox.provider(provider).await.unwrap();
        let owner = opened.create(&SandboxId::generate(), &spec, &Context::quiet()).await.unwrap();
        let visitor = opened.attach(&owner.record(), &Context::quiet()).await.unwrap();
        let lifetimes = Lifetimes { ttl: Some(Duration::from_secs(1).into()), ..Lifetimes::default() };
        for refused in [visitor.set_lifetimes(&lifetimes).await, visitor.detach().await] {
            assert_eq!(refused.unwrap_err().code(), ErrorCode::PermissionDenied, "{provider}");
        }
        // Both can work in it, and the end of the visitor's handle is nothing to the sandbox.
        for handle in [&owner, &visitor] {
            assert!(handle.exec().run(ExecRequest::argv(["true"])).await.unwrap().success());
        }
        drop(visitor);
        assert!(owner.exec().run(ExecRequest::argv(["true"])).await.unwrap().success());
        owner.delete(&Context::quiet()).await.unwrap();
    }
}

#[tokio::test]
async fn a_dropped_handle_leaves_no_zombie() {
    let before = children(getpid()).len();
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        drop(lab.sandbox(provider).await);
        settles("the sandbox going", || lab.left_over().is_empty()).await;
    }
    settles("its processes being reaped", || children(getpid()).len() <= before).await;
}
