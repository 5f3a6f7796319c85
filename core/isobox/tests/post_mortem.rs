//! Why a sandbox died is known in every process, with what it said last, for as long as it is remembered.
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
#[path = "common/events.rs"]
mod events;

use common::limited::{MIB, limited};
use common::{Lab, PROVIDERS};
use elsewhere::{Elsewhere, children, keeper, settles};
use isobox::{DeathCause, Ended, EventKind, Isobox, PostMortem, Resources, Sandbox, SandboxId, State};
use rustix::process::{Pid, Signal, kill_process};
use std::path::Path;
use std::time::Duration;

/// Says the post-mortems of the sandboxes that it is told, once there are such.
#[test]
#[ignore = "a process of the other tests"]
fn reader() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = open(&home).await;
        while let Some(id) = elsewhere::hear() {
            let id: SandboxId = id.parse().unwrap();
            let died = events::until(&isobox, &id, &["died"], |_| true).await;
            assert!(matches!(&died[0].kind, EventKind::Died { post_mortem } if post_mortem.last_output.is_empty()));
            let post_mortem = isobox.post_mortem(&id).await.unwrap().unwrap();
            elsewhere::say(&serde_json::to_string(&post_mortem).unwrap());
        }
    });
}

async fn open(home: &Path) -> Isobox {
    Isobox::builder().home(home).open().await.unwrap()
}

/// What another process knows of a death.
async fn known(home: &Path, id: &SandboxId) -> PostMortem {
    let (mut reader, id) = (Elsewhere::start("reader", home), *id);
    // Not in the way of this process, which is to notice the death.
    let said = tokio::task::spawn_blocking(move || {
        reader.tell(id.as_str());
        reader.hear()
    });
    serde_json::from_str(&said.await.unwrap()).unwrap()
}

/// A sandbox and its process on this machine, with a command that has said something and still runs.
async fn with_keeper(lab: &Lab, provider: &str) -> (Sandbox, Pid) {
    let sandbox = lab.sandbox(provider).await;
    let keeper = keeper(lab.home(), sandbox.id());
    (sandbox, keeper)
}

/// A command that has said something and still runs.
async fn talker(sandbox: &Sandbox) -> isobox::Process {
    sandbox.shell("echo said before").await.unwrap();
    let talker = sandbox.shell("echo last words; exec sleep 1000").spawn().await.unwrap();
    assert!(talker.next().await.unwrap().is_some());
    talker
}

#[tokio::test]
async fn a_sandbox_that_was_killed_from_outside_leaves_its_last_words() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let (sandbox, keeper) = with_keeper(&lab, provider).await;
        let talker = talker(&sandbox).await;
        kill_process(keeper, Signal::KILL).unwrap();
        let post_mortem = known(lab.home(), sandbox.id()).await;
        assert_eq!(post_mortem.cause, DeathCause::RemovedExternally, "{provider}");
        assert_eq!(post_mortem.signal, Some(9));
        assert_eq!(&post_mortem.last_output[..], b"said before\nlast words\n");
        assert_eq!(post_mortem.running, [*talker.id()], "{provider}");
        assert!(post_mortem.at >= sandbox.id().created_at());
        // Deleting what died changes nothing about how.
        sandbox.delete().await.unwrap();
        let again = lab.isobox.post_mortem(sandbox.id()).await.unwrap().unwrap();
        assert_eq!((again.cause, again.at), (post_mortem.cause, post_mortem.at));
    }
}

#[tokio::test]
async fn whoever_awaits_an_end_finds_it_written_down() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let (sandbox, keeper) = with_keeper(&lab, provider).await;
        let visitor = lab.isobox.connect(sandbox.id().as_str()).await.unwrap();
        let written = async |sandbox: &Sandbox| {
            let ended = sandbox.ended().await.unwrap();
            let state = lab.isobox.inspect(sandbox.id().as_str()).await.unwrap().state;
            (ended, state, lab.isobox.post_mortem(sandbox.id()).await.unwrap().is_some())
        };
        kill_process(keeper, Signal::KILL).unwrap();
        let (owners, visitors) = tokio::join!(written(&sandbox), written(&visitor));
        for (ended, state, explained) in [owners, visitors] {
            assert!(matches!(ended, Ended::Died(_)), "{provider}: {ended:?}");
            assert_eq!((state, explained), (State::Deleted, true), "{provider}");
        }
        let sandbox = lab.sandbox(provider).await;
        let ((ended, state, explained), deleted) = tokio::join!(written(&sandbox), sandbox.delete());
        deleted.unwrap();
        assert!(matches!(ended, Ended::Deleted), "{provider}: {ended:?}");
        assert_eq!((state, explained), (State::Deleted, false), "{provider}");
    }
}

#[tokio::test]
async fn an_agent_that_ends_without_reason_has_crashed() {
    let lab = Lab::open().await;
    let (sandbox, keeper) = with_keeper(&lab, "namespace").await;
    let talker = talker(&sandbox).await;
    kill_process(children(keeper)[0], Signal::KILL).unwrap();
    let post_mortem = known(lab.home(), sandbox.id()).await;
    assert_eq!((post_mortem.cause, post_mortem.exit_code), (DeathCause::AgentCrashed, Some(137)));
    assert_eq!(post_mortem.running, [*talker.id()]);
}

#[tokio::test]
async fn a_lifetime_that_ran_out_is_told_as_that() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let short = Duration::from_millis(300);
        let builder = || lab.isobox.sandbox().provider(provider);
        let ttl = builder().ttl(short).create().await.unwrap();
        let idle = builder().idle_timeout(short).create().await.unwrap();
        let _ = ttl.shell("echo last words").await;
        let post_mortem = known(lab.home(), ttl.id()).await;
        assert_eq!((post_mortem.cause, post_mortem.reason), (DeathCause::Expired, None), "{provider}");
        let post_mortem = known(lab.home(), idle.id()).await;
        assert_eq!(post_mortem.cause, DeathCause::Expired);
        assert!(post_mortem.reason.unwrap().contains("idle"));
    }
}

#[tokio::test]
async fn memory_that_ran_out_is_told_with_its_limit_and_its_peak() {
    let lab = Lab::open().await;
    let memory = Resources { memory: Some(64 * MIB), ..Resources::default() };
    if limited(&lab, memory).await.is_none() {
        return;
    }
    let options = isobox::NamespaceOptions { shm_size: Some(1 << 30), ..Default::default() };
    let builder = lab.isobox.sandbox().provider("namespace").memory(64 * MIB);
    let sandbox = builder.options(isobox::ProviderOptions::Namespace(options)).create().await.unwrap();
    sandbox.shell("echo last words").await.unwrap();
    sandbox.files().write("/dev/shm/large", vec![1; 512 << 20]).await.unwrap_err();
    let post_mortem = known(lab.home(), sandbox.id()).await;
    assert_eq!((post_mortem.cause, post_mortem.memory_limit), (DeathCause::Oom, Some(64 * MIB)));
    assert!(post_mortem.peak_memory.is_some_and(|peak| peak > 32 * MIB), "{post_mortem:?}");
    assert_eq!(&post_mortem.last_output[..], b"last words\n");
}

/// Makes sandboxes that end with it, and one of each provider that expires after it.
#[test]
#[ignore = "a process of the other tests"]
fn maker() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = open(&home).await;
        let mut made = Vec::new();
        while let Some(line) = elsewhere::hear() {
            let (what, provider) = line.split_once(' ').unwrap();
            let builder = isobox.sandbox().provider(provider);
            let sandbox = match what {
                "owned" => builder.owner_lease(Duration::from_millis(200)).create().await.unwrap(),
                "expiring" => builder.ttl(Duration::from_secs(3)).detached().create().await.unwrap(),
                _ => builder.ttl(Duration::from_secs(1000)).detached().create().await.unwrap(),
            };
            let running = sandbox.exec(["sleep", "1000"]).detached().spawn().await.unwrap();
            isobox.close().await;
            elsewhere::say(&format!("{} {}", sandbox.id(), running.id()));
            made.push((sandbox, running));
        }
    });
}

#[tokio::test]
async fn what_dies_while_nobody_looks_is_explained_by_whoever_looks_next() {
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        let mut maker = Elsewhere::start("maker", home.path());
        let mut keepers = Vec::new();
        let mut make = |what: &str| {
            maker.tell(&format!("{what} {provider}"));
            let said = maker.hear();
            let (id, exec) = said.split_once(' ').unwrap();
            keepers.extend(children(maker.pid()).into_iter().filter(|pid| !keepers.contains(pid)).collect::<Vec<_>>());
            (id.parse::<SandboxId>().unwrap(), exec.to_owned())
        };
        let (owned, expiring, removed) = (make("owned"), make("expiring"), make("other"));
        maker.kill();
        kill_process(*keepers.last().unwrap(), Signal::KILL).unwrap();
        let place = |id: &SandboxId| home.path().join(provider).join(id.as_str());
        settles("the lifetime ending", || !place(&expiring.0).exists() && !place(&owned.0).exists()).await;
        let isobox = open(home.path()).await;
        let collected = isobox.collect_garbage().await.unwrap();
        assert_eq!(collected.failed, Vec::<String>::new(), "{provider}");
        let causes =
            [(owned, DeathCause::OwnerLost), (expiring, DeathCause::Expired), (removed, DeathCause::RemovedExternally)];
        for ((id, exec), cause) in causes {
            let post_mortem = known(home.path(), &id).await;
            assert_eq!(post_mortem.cause, cause, "{provider}: {post_mortem:?}");
            let running: Vec<_> = post_mortem.running.iter().map(ToString::to_string).collect();
            assert_eq!(running, [exec], "what ran is known by the books: {provider} {cause}");
            assert_eq!(isobox.inspect(id.as_str()).await.unwrap().state, State::Deleted);
        }
    }
}
