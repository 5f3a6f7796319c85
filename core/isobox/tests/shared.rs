//! Many processes at one control plane: what they do at once comes out as if they had done it one after the other.
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
use isobox::contract::Subject;
use isobox::{
    DeathCause, EventFilter, EventKind, Followed, Isobox, Sandbox, SandboxBuilder, SandboxFilter, SandboxId, State,
};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// How many tasks each of the two processes has.
const TASKS: usize = 32;

async fn open(home: &Path) -> Isobox {
    Isobox::builder().home(home).open().await.unwrap()
}

fn left(home: &Path) -> usize {
    PROVIDERS.iter().map(|provider| std::fs::read_dir(home.join(provider)).into_iter().flatten().count()).sum()
}

fn detached(builder: SandboxBuilder) -> SandboxBuilder {
    builder.ttl(Duration::from_secs(1000)).detached()
}

/// Creates, uses and deletes sandboxes until it is time, and counts them.
async fn work(isobox: Isobox, until: Instant, provider: &str) -> usize {
    let mut made = 0;
    while Instant::now() < until {
        let sandbox = isobox.sandbox().provider(provider).create().await.unwrap();
        let result = sandbox.shell("echo $((6 * 7))").await.unwrap();
        assert_eq!(result.stdout.text(), "42\n");
        sandbox.delete().await.unwrap();
        made += 1;
    }
    made
}

#[test]
#[ignore = "a process of the other tests"]
fn worker() {
    let Some(home) = elsewhere::home() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let isobox = open(&home).await;
        elsewhere::say("open");
        let seconds: f64 = elsewhere::hear().unwrap().parse().unwrap();
        let until = Instant::now() + Duration::from_secs_f64(seconds);
        let tasks = (0..TASKS).map(|number| tokio::spawn(work(isobox.clone(), until, PROVIDERS[number % 2])));
        let made: usize = futures::future::join_all(tasks).await.into_iter().map(Result::unwrap).sum();
        elsewhere::say(&made.to_string());
    });
}

/// What numbers the events of one sandbox.
fn subject(subject: &Subject) -> String {
    match subject {
        Subject::Sandbox { id, .. } => id.to_string(),
        other => format!("{other:?}"),
    }
}

/// For `ISOBOX_TEST_SECONDS`, two by default.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_with_many_tasks_each_lose_and_leave_nothing() {
    let home = tempfile::tempdir().unwrap();
    let seconds = std::env::var("ISOBOX_TEST_SECONDS").unwrap_or_else(|_| "2".into());
    let isobox = open(home.path()).await;
    let mut events = isobox.events(0, EventFilter::default());
    let mut workers = [Elsewhere::start("worker", home.path()), Elsewhere::start("worker", home.path())];
    workers.iter_mut().for_each(|worker| assert_eq!(worker.hear(), "open"));
    workers.iter_mut().for_each(|worker| worker.tell(&seconds));
    let counting = tokio::task::spawn_blocking(move || {
        let made: usize = workers.iter_mut().map(|worker| worker.hear().parse::<usize>().unwrap()).sum();
        workers.into_iter().for_each(Elsewhere::finish);
        made
    });
    // An observer sees every number once, also while everybody writes.
    let (mut last, mut ends, mut subjects) = (0, 0, BTreeMap::<String, u64>::new());
    let mut counting = std::pin::pin!(counting);
    let mut made = None;
    while made.is_none_or(|made| ends < made) {
        tokio::select! {
            counted = &mut counting, if made.is_none() => made = Some(counted.unwrap()),
            next = tokio::time::timeout(PATIENCE * 3, events.next()) => {
                let Followed::Event(event) = next.expect("an event").unwrap() else { panic!("a gap after {last}") };
                assert_eq!(event.sequence, last + 1, "no number is missing or double");
                last = event.sequence;
                let of_subject = subjects.entry(subject(&event.subject)).or_default();
                assert_eq!(event.subject_sequence, *of_subject + 1, "{:?}", event.subject);
                *of_subject = event.subject_sequence;
                if let EventKind::StateObserved { current, .. } = &event.kind
                    && serde_json::to_value(current).unwrap()["state"] == "deleted"
                {
                    ends += 1;
                }
            }
        }
    }
    let made = made.unwrap();
    println!("{made} sandboxes by two processes with {TASKS} tasks each in {seconds} s, {last} events");
    assert!(made >= 2 * TASKS);
    assert_eq!(ends, made);
    assert!(isobox.list(SandboxFilter::default()).await.unwrap().is_empty());
    let all = isobox.list(SandboxFilter { deleted: true, ..SandboxFilter::default() }).await.unwrap();
    assert_eq!(all.len(), made);
    for entry in all.iter().take(200) {
        assert!(isobox.post_mortem(&entry.id).await.unwrap().is_none(), "it was deleted on purpose");
    }
    settles("everything going", || left(home.path()) == 0).await;
    let more = isobox.collect_garbage().await.unwrap();
    assert_eq!((more.removed, more.gone, more.leftovers, more.failed), (0, 0, 0, vec![]));
}

/// Gets or makes the sandbox of one name, and says which.
#[test]
#[ignore = "a process of the other tests"]
fn getter() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
        let isobox = open(&home).await;
        elsewhere::say("open");
        let provider = elsewhere::hear().unwrap();
        let asked = detached(isobox.sandbox().provider(&provider).name("one"));
        let sandbox = asked.get_or_create().await.unwrap();
        assert!(sandbox.exec(["true"]).await.unwrap().success());
        elsewhere::say(sandbox.id().as_str());
        while elsewhere::hear().is_some() {}
    });
}

#[tokio::test]
async fn fifty_processes_get_one_sandbox_of_one_name() {
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        let mut getters: Vec<_> = (0..50).map(|_| Elsewhere::start("getter", home.path())).collect();
        getters.iter_mut().for_each(|getter| assert_eq!(getter.hear(), "open"));
        getters.iter_mut().for_each(|getter| getter.tell(provider));
        let ids: HashSet<String> = getters.iter_mut().map(Elsewhere::hear).collect();
        assert_eq!(ids.len(), 1, "{provider}: {ids:?}");
        let isobox = open(home.path()).await;
        let all = isobox.list(SandboxFilter { deleted: true, ..SandboxFilter::default() }).await.unwrap();
        assert_eq!(all.len(), 1, "none was made in vain");
        assert_eq!(left(home.path()), 1);
        isobox.connect("one").await.unwrap().delete().await.unwrap();
        assert_eq!(left(home.path()), 0, "{provider}");
    }
}

/// Does what it is told to the sandbox of a name, with a handle that it got before, and says how that went.
#[test]
#[ignore = "a process of the other tests"]
fn hand() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(async {
        let isobox = open(&home).await;
        let mut handle: Option<Sandbox> = None;
        while let Some(line) = elsewhere::hear() {
            let done = match (line.as_str(), &handle) {
                ("stop", Some(sandbox)) => sandbox.stop(None).await,
                ("start", Some(sandbox)) => sandbox.start().await,
                ("delete", Some(sandbox)) => sandbox.delete().await,
                ("exec", Some(sandbox)) => sandbox.exec(["true"]).await.map(drop),
                ("exec until it fails", Some(sandbox)) => {
                    elsewhere::say("begun");
                    loop {
                        if let Err(error) = sandbox.exec(["true"]).await {
                            break Err(error);
                        }
                    }
                }
                (name, _) => isobox.connect(name).await.map(|sandbox| handle = Some(sandbox)),
            };
            elsewhere::say(&match done {
                Ok(()) => "done".to_owned(),
                Err(error) => format!("{}: {error}", error.code()),
            });
        }
    });
}

#[tokio::test]
async fn what_two_processes_do_to_one_sandbox_comes_one_after_the_other() {
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        let isobox = open(home.path()).await;
        let mut hands = [Elsewhere::start("hand", home.path()), Elsewhere::start("hand", home.path())];
        let mut both = |what: [&str; 2]| -> [String; 2] {
            for (hand, what) in hands.iter_mut().zip(what) {
                hand.tell(what);
            }
            hands.each_mut().map(Elsewhere::hear)
        };
        let done = ["done".to_owned(), "done".to_owned()];
        for round in 0..5 {
            let name = format!("shared-{round}");
            detached(isobox.sandbox().provider(provider).name(&name)).create().await.unwrap();
            assert_eq!(both([&name, &name]), done);
            assert_eq!(both(["stop", "stop"]), done, "{provider}");
            assert_eq!(both(["start", "start"]), done, "{provider}");
            assert_eq!(both(["exec", "exec"]), done, "{provider}");
            // Whichever comes first, both are done, and it is in the state of the second.
            let mixed = both(["stop", "start"]);
            assert_eq!(mixed, done, "{provider}");
            let state = isobox.inspect(&name).await.unwrap().state;
            assert!(matches!(state, State::Running | State::Stopped), "{state}");
            assert_eq!(isobox.connect(&name).await.unwrap().describe().await.unwrap().state, state, "{provider}");
            assert_eq!(both(["delete", "delete"]), done, "{provider}");
            assert_eq!(both(["delete", "exec"])[0], "done", "{provider}: again is fine");
        }
        assert_eq!(left(home.path()), 0, "{provider}");
    }
}

/// Whenever another process deletes or stops it: a command is done, or is refused with that for a reason.
#[tokio::test]
async fn commands_that_meet_a_delete_or_a_stop_of_another_process_are_told_so() {
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        let isobox = open(home.path()).await;
        let mut hands: Vec<_> = (0..3).map(|_| Elsewhere::start("hand", home.path())).collect();
        for (round, end) in ["delete", "stop", "delete", "stop"].into_iter().enumerate() {
            let name = format!("busy-{round}");
            let sandbox = detached(isobox.sandbox().provider(provider).name(&name)).create().await.unwrap();
            for hand in &mut hands {
                hand.tell(&name);
                assert_eq!(hand.hear(), "done");
                hand.tell("exec until it fails");
                assert_eq!(hand.hear(), "begun");
            }
            match end {
                "delete" => sandbox.delete().await.unwrap(),
                _ => sandbox.stop(None).await.unwrap(),
            }
            for hand in &mut hands {
                let refused = hand.hear();
                let expected = ["sandbox_gone: ", "invalid_state: "];
                assert!(expected.iter().any(|code| refused.starts_with(code)), "{provider}, {end}: {refused}");
            }
            sandbox.delete().await.unwrap();
        }
        assert_eq!(left(home.path()), 0, "{provider}");
    }
}

#[tokio::test]
async fn a_command_in_what_does_not_run_is_refused_with_the_cause_in_every_process() {
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        let isobox = open(home.path()).await;
        let mut hand = Elsewhere::start("hand", home.path());
        let mut tell = |what: &str| {
            hand.tell(what);
            hand.hear()
        };
        let sandbox = detached(isobox.sandbox().provider(provider).name("kept")).create().await.unwrap();
        assert_eq!(tell("kept"), "done");
        sandbox.stop(None).await.unwrap();
        let refused = tell("exec");
        assert!(refused.starts_with("invalid_state") && refused.contains("stopped"), "{provider}: {refused}");
        sandbox.delete().await.unwrap();
        let gone = tell("exec");
        assert!(gone.starts_with("sandbox_gone") || gone.starts_with("invalid_state"), "{provider}: {gone}");

        let short = isobox.sandbox().provider(provider).name("short").ttl(Duration::from_secs(3)).detached();
        let short = short.create().await.unwrap();
        assert_eq!(tell("short"), "done");
        settles("its end", || left(home.path()) == 0).await;
        let died = tell("exec");
        assert!(died.starts_with("sandbox_gone") && died.contains("lifetime"), "{provider}: {died}");
        let id: SandboxId = *short.id();
        let known = tokio::time::timeout(PATIENCE, async {
            loop {
                if let Some(post_mortem) = isobox.post_mortem(&id).await.unwrap() {
                    return post_mortem;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        assert_eq!(known.await.unwrap().cause, DeathCause::Expired, "{provider}");
        let later = tell(id.as_str());
        assert!(later.starts_with("sandbox_gone") && later.contains("lifetime"), "{provider}: {later}");
    }
}
