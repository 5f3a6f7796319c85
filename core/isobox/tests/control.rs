//! Sandboxes that many processes share: what one makes, all others find, and what one leaves is cleaned up by the next.
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

use common::{Lab, PROVIDERS, processes_with};
use elsewhere::{Elsewhere, PATIENCE, keeper, settles};
use isobox::contract::OwnerId;
use isobox::{
    DeathCause, ErrorCode, EventFilter, EventKind, Followed, Isobox, Lifetime, ProviderKind, Sandbox, SandboxBuilder,
    SandboxFilter, SandboxId, SandboxSpec, State, Timestamp,
};
use isobox_control::{CreateRequest, Options, OwnerEntry, ProcessIdentity, SqliteStore, Store};
use rustix::process::{Signal, kill_process};
use std::path::Path;
use std::time::Duration;

async fn open(home: &Path) -> Isobox {
    Isobox::builder().home(home).open().await.unwrap()
}

fn detached(builder: SandboxBuilder) -> SandboxBuilder {
    builder.ttl(Duration::from_secs(1000)).detached()
}

async fn says(sandbox: &Sandbox, script: &str) -> String {
    sandbox.shell(script).await.unwrap().stdout.text().trim_end().to_owned()
}

fn left(home: &Path) -> usize {
    PROVIDERS.iter().map(|provider| std::fs::read_dir(home.join(provider)).into_iter().flatten().count()).sum()
}

/// Makes what it is told to, until it is told nothing more.
#[test]
#[ignore = "a process of the other tests"]
fn other() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = open(&home).await;
        let mut made = Vec::new();
        while let Some(line) = elsewhere::hear() {
            let (what, rest) = line.split_once(' ').unwrap();
            let (provider, name) = rest.split_once(' ').unwrap();
            let builder = isobox.sandbox().provider(provider).name(name);
            let sandbox = match what {
                "owned" => builder.create().await,
                "detached" => detached(builder).create().await,
                _ => detached(builder).get_or_create().await,
            };
            match sandbox {
                Ok(sandbox) => {
                    elsewhere::say(sandbox.id().as_str());
                    made.push(sandbox);
                }
                Err(error) => elsewhere::say(error.code().as_str()),
            }
        }
    });
}

#[tokio::test]
async fn what_one_process_makes_another_finds_enters_and_deletes() {
    let home = tempfile::tempdir().unwrap();
    let mut other = Elsewhere::start("other", home.path());
    let isobox = open(home.path()).await;
    for provider in PROVIDERS {
        other.tell(&format!("detached {provider} shared"));
        let id = other.hear();
        let listed = isobox.list(SandboxFilter::default()).await.unwrap();
        assert_eq!(
            listed.iter().map(|entry| entry.id.to_string()).collect::<Vec<_>>(),
            std::slice::from_ref(&id),
            "{provider}"
        );
        assert_eq!((listed[0].state, listed[0].detached), (State::Running, true));
        for known_as in [id.as_str(), "shared"] {
            let sandbox = isobox.connect(known_as).await.unwrap();
            assert_eq!(says(&sandbox, "echo entered").await, "entered", "{provider}");
        }
        let sandbox = isobox.connect("shared").await.unwrap();
        sandbox.stop(None).await.unwrap();
        assert_eq!(isobox.inspect("shared").await.unwrap().state, State::Stopped);
        sandbox.start().await.unwrap();
        let (one, two) = tokio::join!(sandbox.delete(), sandbox.delete());
        one.unwrap();
        two.unwrap();
        assert!(isobox.list(SandboxFilter::default()).await.unwrap().is_empty(), "{provider}");
        assert_eq!(isobox.inspect(&id).await.unwrap().state, State::Deleted);
        assert_eq!(isobox.connect("shared").await.unwrap_err().code(), ErrorCode::NotFound);
        assert_eq!(isobox.connect(&id).await.unwrap_err().code(), ErrorCode::SandboxGone);
    }
    assert_eq!(left(home.path()), 0);
}

#[tokio::test]
async fn one_name_is_for_one_sandbox_however_many_processes_ask() {
    let home = tempfile::tempdir().unwrap();
    let mut others: Vec<Elsewhere> = (0..4).map(|_| Elsewhere::start("other", home.path())).collect();
    for other in &mut others {
        for _ in 0..8 {
            other.tell("get host same");
        }
    }
    let mut ids: Vec<String> =
        others.iter_mut().flat_map(|other| (0..8).map(|_| other.hear()).collect::<Vec<_>>()).collect();
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
    others[0].tell("detached host same");
    assert_eq!(others[0].hear(), "already_exists");
    let isobox = open(home.path()).await;
    isobox.connect("same").await.unwrap().delete().await.unwrap();
    assert_eq!(left(home.path()), 0);
}

#[tokio::test]
async fn what_a_killed_process_has_left_is_removed_by_the_next_and_told() {
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        let mut other = Elsewhere::start("other", home.path());
        other.tell(&format!("owned {provider} mine"));
        let id: SandboxId = other.hear().parse().unwrap();
        other.tell(&format!("detached {provider} free"));
        other.hear();
        other.kill();
        let isobox = open(home.path()).await;
        settles("its sandbox going", || left(home.path()) == 1).await;
        // Whoever comes first writes it down.
        isobox.collect_garbage().await.unwrap();
        let listed = isobox.list(SandboxFilter::default()).await.unwrap();
        assert_eq!(listed.iter().map(|entry| entry.name.as_deref()).collect::<Vec<_>>(), [Some("free")], "{provider}");
        let post_mortem = isobox.post_mortem(&id).await.unwrap().unwrap();
        assert_eq!(post_mortem.cause, DeathCause::OwnerLost, "{provider}");
        let gone = isobox.connect(id.as_str()).await.unwrap_err();
        assert_eq!(gone.code(), ErrorCode::SandboxGone);
        assert!(gone.message().contains("process that owned it"), "{gone}");
        let free = isobox.connect("free").await.unwrap();
        assert_eq!(says(&free, "echo lives").await, "lives");
        free.delete().await.unwrap();
        assert_eq!(left(home.path()), 0, "{provider}");
    }
}

/// Makes sandboxes and removes them until it is killed.
#[test]
#[ignore = "a process of the other tests"]
fn busy() {
    let Some(home) = elsewhere::home() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        let isobox = open(&home).await;
        elsewhere::say("open");
        let each = (0..4).map(|_| {
            let isobox = isobox.clone();
            tokio::spawn(async move {
                loop {
                    for provider in PROVIDERS {
                        let sandbox = detached(isobox.sandbox().provider(provider)).create().await.unwrap();
                        sandbox.stop(None).await.unwrap();
                        sandbox.start().await.unwrap();
                        sandbox.delete().await.unwrap();
                    }
                }
            })
        });
        futures::future::join_all(each).await;
    });
}

#[tokio::test]
async fn a_process_that_is_killed_at_any_moment_leaves_nothing_that_is_not_known() {
    for round in 0..6 {
        let home = tempfile::tempdir().unwrap();
        let mut busy = Elsewhere::start("busy", home.path());
        busy.hear();
        tokio::time::sleep(Duration::from_millis(50 + 53 * round)).await;
        busy.kill();
        let isobox = open(home.path()).await;
        let cleaned = tokio::time::timeout(PATIENCE, async {
            loop {
                let done = isobox.collect_garbage().await.unwrap();
                let listed = isobox.list(SandboxFilter::default()).await.unwrap();
                let unsettled = listed.iter().any(|entry| !entry.state.is_stable());
                if done.failed.is_empty() && !unsettled {
                    return listed;
                }
                eprintln!(
                    "{round}: {done:?} {:?}",
                    listed.iter().map(|entry| (entry.id, entry.state)).collect::<Vec<_>>()
                );
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        let listed = cleaned.await.expect("everything is settled");
        // What is known can be used and removed; nothing else is there.
        for entry in &listed {
            let sandbox = isobox.connect(entry.id.as_str()).await.unwrap();
            sandbox.start().await.unwrap();
            assert_eq!(says(&sandbox, "echo used").await, "used", "{round}");
            sandbox.delete().await.unwrap();
        }
        let paths = || {
            let all = PROVIDERS
                .iter()
                .flat_map(|provider| std::fs::read_dir(home.path().join(provider)).into_iter().flatten());
            all.map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
        };
        let empty = tokio::time::timeout(PATIENCE, async {
            while !paths().is_empty() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        assert!(empty.await.is_ok(), "{round}: {:?}", paths());
    }
}

#[tokio::test]
async fn why_a_sandbox_died_is_known_after_it_is_gone() {
    let lab = Lab::open().await;
    let sandbox = lab.sandbox("namespace").await;
    let id = *sandbox.id();
    let mark = elsewhere::mark();
    sandbox.command(["sleep", &mark]).spawn().await.unwrap();
    kill_process(keeper(lab.home(), &id), Signal::KILL).unwrap();
    assert_eq!(sandbox.exec(["true"]).await.unwrap_err().code(), ErrorCode::SandboxGone);
    drop(sandbox);
    let known = tokio::time::timeout(PATIENCE, async {
        loop {
            if let Some(post_mortem) = lab.isobox.post_mortem(&id).await.unwrap() {
                return post_mortem;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    assert_eq!(known.await.unwrap().cause, DeathCause::RemovedExternally);
    assert_eq!(processes_with(&mark), Vec::<u32>::new());
}

#[tokio::test]
async fn what_happens_in_one_process_is_seen_by_another() {
    let home = tempfile::tempdir().unwrap();
    let isobox = open(home.path()).await;
    let mut events = isobox.events(isobox.last_event().await.unwrap(), EventFilter::default());
    let mut other = Elsewhere::start("other", home.path());
    other.tell("detached host seen");
    let id: SandboxId = other.hear().parse().unwrap();
    isobox.connect("seen").await.unwrap().delete().await.unwrap();
    let mut states = Vec::new();
    while states.last() != Some(&State::Deleted) {
        let next = tokio::time::timeout(PATIENCE, events.next()).await.unwrap().unwrap();
        let Followed::Event(event) = next else { panic!("{next:?}") };
        if let EventKind::StateObserved { current, .. } = &event.kind {
            let text = serde_json::to_value(current).unwrap()["state"].as_str().unwrap().to_owned();
            states.push(text.parse().unwrap());
        }
    }
    assert_eq!(states, [State::Creating, State::Running, State::Deleting, State::Deleted]);
    assert_eq!(isobox.inspect(id.as_str()).await.unwrap().state, State::Deleted);
}

#[tokio::test]
async fn the_same_key_gives_the_same_sandbox_and_another_request_is_refused() {
    let lab = Lab::open().await;
    let asked = || detached(lab.isobox.sandbox().provider("host")).idempotency_key("run-7");
    let first = asked().create().await.unwrap();
    let second = asked().create().await.unwrap();
    assert_eq!(first.id(), second.id());
    let other = asked().env("OTHER", "x").create().await.unwrap_err();
    assert_eq!(other.code(), ErrorCode::Conflict, "{other}");
    first.delete().await.unwrap();
    assert_eq!(lab.left_over().len(), 0);
}

#[tokio::test]
async fn a_creation_that_fails_or_is_given_up_leaves_no_name_taken() {
    let lab = Lab::open().await;
    let builder = || lab.isobox.sandbox().provider("namespace").name("again");
    let failed = builder().user("nobody-has-this-name").create().await.unwrap_err();
    assert_eq!(failed.code(), ErrorCode::InvalidSpec, "{failed}");
    for micros in [0, 300, 1500, 3000] {
        let _ = tokio::time::timeout(Duration::from_micros(micros), builder().create()).await;
        let free = tokio::time::timeout(PATIENCE, async {
            while lab.isobox.inspect("again").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        free.await.expect("the name is free again");
    }
    let made = builder().create().await.unwrap();
    made.set_ttl(Lifetime::After(Duration::from_secs(100))).await.unwrap();
    assert!(lab.isobox.inspect("again").await.unwrap().expires_at.is_some());
    drop(made);
    settles("it ends with its handle", || lab.left_over().is_empty()).await;
}

/// As if a process of before a restart of the machine had begun to make it.
async fn begun_by_the_dead(home: &Path, name: &str) {
    let store = SqliteStore::open(home.join("control.db"), Options::default()).await.unwrap();
    let process = ProcessIdentity { pid: 1, started: 1, boot: "an earlier one".into(), pid_namespace: 1 };
    let (created_at, program) = (Timestamp::now(), "gone".into());
    let owner = OwnerEntry { id: OwnerId::generate(), process, lock_inode: 0, program, created_at, ended_at: None };
    store.put_owner(owner.clone()).await.unwrap();
    let mut request = CreateRequest::new(ProviderKind::HOST, SandboxSpec::default().name(name));
    request.owner = Some(owner.id);
    store.begin_create(request).await.unwrap();
    store.close().await.unwrap();
}

#[tokio::test]
async fn nobody_waits_for_what_a_dead_process_was_making() {
    let lab = Lab::open().await;
    begun_by_the_dead(lab.home(), "waited-for").await;
    begun_by_the_dead(lab.home(), "wanted").await;
    let gone = tokio::time::timeout(PATIENCE, lab.isobox.connect("waited-for")).await.expect("it does not wait");
    assert_eq!(gone.unwrap_err().code(), ErrorCode::NotFound);
    let builder = lab.isobox.sandbox().provider("host").name("wanted");
    let made = tokio::time::timeout(PATIENCE, builder.get_or_create()).await.expect("it does not wait").unwrap();
    assert_eq!(says(&made, "echo made").await, "made");
    made.delete().await.unwrap();
}

#[tokio::test]
async fn a_collection_that_nobody_waits_for_leaves_its_sandboxes_to_others() {
    let lab = Lab::open().await;
    for micros in [0, 200, 800, 2000, 5000] {
        begun_by_the_dead(lab.home(), "half").await;
        let _ = tokio::time::timeout(Duration::from_micros(micros), lab.isobox.collect_garbage()).await;
        let builder = lab.isobox.sandbox().provider("host").name("half");
        let made = tokio::time::timeout(PATIENCE, builder.get_or_create()).await.expect("it does not wait").unwrap();
        made.delete().await.unwrap();
    }
}
