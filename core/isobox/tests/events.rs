//! What happens in sandboxes is told once, in order, to whoever wants to know, in any process.
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

use common::{Lab, PROVIDERS};
use elsewhere::{Elsewhere, PATIENCE, mark, settles};
use events::{end_of, exec, next, until};
use isobox::{
    Action, Event, EventFilter, EventKind, ExecId, Followed, Isobox, Record, ResourceState, Retention, Sandbox,
    SandboxFilter, SandboxId, State, Subject, Termination,
};
use isobox_control::{NewEvent, Options, SqliteStore, Store};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

async fn open(home: &Path) -> Isobox {
    Isobox::builder().home(home).open().await.unwrap()
}

async fn on_each(test: impl AsyncFn(&Isobox, Sandbox)) {
    for provider in PROVIDERS {
        eprintln!("on {provider}");
        let lab = Lab::open().await;
        let sandbox = lab.sandbox(provider).await;
        test(&lab.isobox, sandbox.clone()).await;
        sandbox.delete().await.unwrap();
    }
}

/// Runs commands in sandboxes of its own, many at once, and deletes them when it is told to.
#[test]
#[ignore = "a process of the other tests"]
fn busy() {
    let Some(home) = elsewhere::home() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let isobox = open(&home).await;
        let each = PROVIDERS.map(async |provider| {
            let sandbox = isobox.sandbox().provider(provider).create().await.unwrap();
            elsewhere::say(sandbox.id().as_str());
            let commands = (0..150).map(|number| sandbox.exec(["true"]).label(format!("{number}")).run());
            futures::future::join_all(commands).await.into_iter().for_each(|result| assert!(result.unwrap().success()));
            sandbox.delete().await.unwrap();
        });
        futures::future::join_all(each).await;
        elsewhere::say("done");
        elsewhere::hear();
    });
}

#[tokio::test]
async fn another_process_gets_every_event_once_in_order_while_commands_run() {
    let home = tempfile::tempdir().unwrap();
    let isobox = open(home.path()).await;
    let mut follow = isobox.events(0, EventFilter::default());
    let mut busy = Elsewhere::start("busy", home.path());
    let ids: [SandboxId; 2] = [busy.hear().parse().unwrap(), busy.hear().parse().unwrap()];
    let (mut all, mut deleted) = (Vec::new(), 0);
    while deleted < 2 {
        let event = next(&mut follow).await;
        let over = ResourceState::Sandbox(State::Deleted);
        deleted += usize::from(matches!(&event.kind, EventKind::StateObserved { current, .. } if *current == over));
        all.push(event);
    }
    assert_eq!(busy.hear(), "done");
    let numbers: Vec<u64> = all.iter().map(|event| event.sequence).collect();
    assert_eq!(numbers, (1..=all.len() as u64).collect::<Vec<_>>(), "none is missing or doubled");
    let mut seen: BTreeMap<ExecId, Vec<bool>> = BTreeMap::new();
    all.iter().filter_map(exec).for_each(|(exec, end)| seen.entry(exec).or_default().push(end));
    assert_eq!(seen.len(), 300);
    assert!(seen.values().all(|story| story == &[false, true]), "each starts and ends once: {seen:?}");

    for id in ids {
        let filter = EventFilter { sandboxes: vec![id], kinds: vec!["exec_exited".into()] };
        let mut replay = isobox.events(0, filter);
        let mut replayed = Vec::new();
        for _ in 0..150 {
            replayed.push(next(&mut replay).await);
        }
        assert!(replayed.is_sorted_by_key(|event| event.sequence));
        let of_it = isobox.processes(id.as_str()).await.unwrap();
        assert_eq!(of_it.len(), 150, "what ran is known when it is gone");
        assert!(of_it.iter().all(|command| command.exit.as_ref().is_some_and(|exit| exit.exit_code == 0)));
        assert!(of_it.iter().all(|command| command.label.is_some() && command.ended_at >= Some(command.started_at)));
        // Everything of a sandbox comes before its deletion.
        let last =
            all.iter().rposition(|event| exec(event).is_some_and(|(exec, _)| of_it.iter().any(|it| it.id == exec)));
        let gone = |kind: &EventKind| matches!(kind, EventKind::OperationStarted { action: Action::Delete });
        let of_sandbox = |event: &isobox::Event| serde_json::to_value(&event.subject).unwrap()["id"] == id.as_str();
        assert!(last < all.iter().position(|event| gone(&event.kind) && of_sandbox(event)));
    }
}

#[tokio::test]
async fn however_a_command_ends_its_end_is_told_and_nothing_of_what_it_is() {
    on_each(async |isobox, sandbox| {
        let of = *sandbox.id();
        let id = ExecId::generate;
        let (plain, late, given_up, dropped, alone) = (id(), id(), id(), id(), id());
        let secret = mark();
        let run = sandbox.shell(format!("exit 3 # {secret}")).env("SECRET", &*secret).id(plain).label("mine").await;
        assert_eq!(run.unwrap().exit_code, 3);
        sandbox.exec(["sleep", &secret]).id(late).timeout(Duration::from_millis(50)).await.unwrap();
        let running = sandbox.exec(["sleep", &secret]).id(given_up).run();
        tokio::time::timeout(Duration::from_millis(50), running).await.unwrap_err();
        drop(sandbox.exec(["sleep", &secret]).id(dropped).spawn().await.unwrap());
        drop(sandbox.shell("read x; exit 4").id(alone).detached().spawn().await.unwrap());

        let exit = end_of(isobox, &of, &plain).await;
        assert_eq!((exit.exit_code, exit.termination), (3, Termination::Exited));
        assert_eq!(end_of(isobox, &of, &late).await.termination, Termination::TimedOut);
        for gone in [given_up, dropped] {
            let exit = end_of(isobox, &of, &gone).await;
            assert_eq!((exit.exit_code, exit.termination), (-1, Termination::Cancelled));
        }
        let exit = end_of(isobox, &of, &alone).await;
        assert_eq!((exit.exit_code, exit.termination), (4, Termination::Exited), "nobody has a handle of it");

        let refused = id();
        sandbox.exec(["there-is-no-such-program"]).id(refused).await.unwrap_err();
        sandbox.files().write("file", "x").await.unwrap();
        let end = id();
        sandbox.exec(["true"]).id(end).await.unwrap();
        let all = until(isobox, &of, &[], |event| exec(event) == Some((end, true))).await;
        assert!(!all.iter().filter_map(exec).any(|(exec, _)| exec == refused), "it never ran");
        let label = |event: &isobox::Event| match &event.kind {
            EventKind::ExecStarted { label, .. } => label.clone(),
            _ => None,
        };
        assert_eq!(all.iter().filter_map(label).collect::<Vec<_>>(), ["mine"]);
        let text = serde_json::to_string(&all).unwrap();
        assert!(!text.contains(&secret) && !text.contains("sleep"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn copies_of_files_are_told_with_their_size() {
    on_each(async |isobox, sandbox| {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("in")).unwrap();
        for name in ["in/one", "in/two"] {
            std::fs::write(place.path().join(name), vec![1; 1000]).unwrap();
        }
        sandbox.files().upload(place.path().join("in"), "there").await.unwrap();
        sandbox.files().download("there/one", place.path().join("one")).await.unwrap();
        let is_last = |event: &isobox::Event| matches!(event.kind, EventKind::FilesTransferred { upload: false, .. });
        let all = until(isobox, sandbox.id(), &["files_transferred"], is_last).await;
        let told = |event: &isobox::Event| match event.kind {
            EventKind::FilesTransferred { upload, files, bytes } => (upload, files, bytes),
            _ => panic!("{event:?}"),
        };
        assert_eq!(all.iter().map(told).collect::<Vec<_>>(), [(true, 2, 2000), (false, 1, 1000)]);
    })
    .await;
}

#[tokio::test]
async fn what_is_not_wanted_is_not_written_down() {
    let home = tempfile::tempdir().unwrap();
    let isobox = Isobox::builder().home(home.path()).record(Record::lifecycle()).open().await.unwrap();
    let sandbox = isobox.sandbox().provider("host").create().await.unwrap();
    sandbox.exec(["true"]).await.unwrap();
    sandbox.delete().await.unwrap();
    assert!(isobox.processes(sandbox.id().as_str()).await.unwrap().is_empty());
    let over = ResourceState::Sandbox(State::Deleted);
    let is_last =
        |event: &isobox::Event| matches!(&event.kind, EventKind::StateObserved { current, .. } if *current == over);
    let all = until(&isobox, sandbox.id(), &[], is_last).await;
    assert!(all.iter().all(|event| exec(event).is_none()), "{all:?}");
}

#[tokio::test]
async fn an_observer_that_blocks_loses_nothing_and_slows_nobody() {
    let lab = Lab::open().await;
    let mut blocked = lab.isobox.events(0, EventFilter { kinds: vec!["exec_exited".into()], ..Default::default() });
    let sandbox = lab.sandbox("host").await;
    let first = sandbox.exec(["true"]).await;
    assert!(first.unwrap().success());
    next(&mut blocked).await;
    for _ in 0..600 {
        sandbox.exec(["true"]).timeout(PATIENCE).await.unwrap();
    }
    sandbox.delete().await.unwrap();
    for _ in 0..600 {
        next(&mut blocked).await;
    }
}

/// Starts commands, says which, and waits to be killed.
#[test]
#[ignore = "a process of the other tests"]
fn starter() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = open(&home).await;
        let sandbox =
            isobox.sandbox().provider("host").ttl(Duration::from_secs(1000)).detached().create().await.unwrap();
        let held = sandbox.exec(["sleep", "1000"]).spawn().await.unwrap();
        let free = sandbox.exec(["sleep", "1000"]).detached().spawn().await.unwrap();
        isobox.close().await;
        elsewhere::say(&format!("{} {} {}", sandbox.id(), held.id(), free.id()));
        elsewhere::hear();
    });
}

#[tokio::test]
async fn what_a_killed_process_has_started_has_an_end_too() {
    let home = tempfile::tempdir().unwrap();
    let mut starter = Elsewhere::start("starter", home.path());
    let said = starter.hear();
    let ids: Vec<&str> = said.split(' ').collect();
    let isobox = open(home.path()).await;
    let ended = async |id: &str| {
        let listed = isobox.processes(ids[0]).await.unwrap();
        listed.into_iter().find(|command| command.id.as_str() == id).unwrap().ended_at.is_some()
    };
    assert!(!ended(ids[1]).await && !ended(ids[2]).await);
    starter.kill();
    let patience = tokio::time::timeout(PATIENCE, async { while !ended(ids[1]).await {} });
    patience.await.expect("the command of the process that is gone has ended");
    assert!(!ended(ids[2]).await, "the detached one goes on");
    let sandbox = isobox.connect(ids[0]).await.unwrap();
    let free = sandbox.process(&ids[2].parse().unwrap()).await.unwrap();
    free.kill().await.unwrap();
    free.wait().await.unwrap();
    let listed = isobox.processes(ids[0]).await.unwrap();
    let exits: Vec<_> = listed.iter().map(|command| command.exit.as_ref().map(|exit| exit.termination)).collect();
    assert_eq!(exits[1], Some(Termination::Killed), "whoever waits for it tells, and it is told once: {exits:?}");
    sandbox.delete().await.unwrap();
    let ends = until(&isobox, sandbox.id(), &["exec_exited", "operation_completed"], |event| {
        matches!(event.kind, EventKind::OperationCompleted { action: Action::Delete, .. })
    });
    assert_eq!(ends.await.iter().filter_map(exec).count(), 2);
}

#[tokio::test]
async fn the_last_handle_leaves_nothing_unwritten_and_no_file() {
    let home = tempfile::tempdir().unwrap();
    let (id, exec_id) = {
        let isobox = open(home.path()).await;
        let sandbox = isobox.sandbox().provider("host").create().await.unwrap();
        let result = ExecId::generate();
        sandbox.exec(["true"]).id(result).await.unwrap();
        sandbox.delete().await.unwrap();
        (*sandbox.id(), result)
    };
    let owners = || std::fs::read_dir(home.path().join("owners")).into_iter().flatten().count();
    settles("the process saying that it ends", || owners() == 0).await;
    let isobox = open(home.path()).await;
    let listed = isobox.processes(id.as_str()).await.unwrap();
    assert_eq!(listed.iter().map(|command| command.id).collect::<Vec<_>>(), [exec_id]);
    assert_eq!(owners(), 1);
}

#[tokio::test]
async fn what_is_old_is_dropped_while_isobox_is_open() {
    let home = tempfile::tempdir().unwrap();
    let isobox = Isobox::builder().home(home.path()).retention(Retention::FOREVER).open().await.unwrap();
    for _ in 0..3 {
        isobox.sandbox().provider("host").create().await.unwrap().delete().await.unwrap();
    }
    isobox.collect_garbage().await.unwrap();
    let mut kept = isobox.events(0, EventFilter::default());
    assert_eq!(next(&mut kept).await.sequence, 1, "forever is forever");
    let few = Retention { max_events: 2, max_sandboxes: 1, ..Retention::default() };
    let strict = Isobox::builder().home(home.path()).retention(few).open().await.unwrap();
    let last = strict.last_event().await.unwrap();
    strict.collect_garbage().await.unwrap();
    match strict.events(0, EventFilter::default()).next().await.unwrap() {
        Followed::Gone { oldest } => assert_eq!(oldest, last - 1),
        other => panic!("{other:?}"),
    }
    let deleted = SandboxFilter { deleted: true, ..Default::default() };
    assert_eq!(strict.list(deleted).await.unwrap().len(), 1);
}

#[tokio::test]
async fn whoever_opens_isobox_drops_what_is_old() {
    let home = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(home.path().join("control.db"), Options::default()).await.unwrap();
    let notice = |number: u32| NewEvent {
        at: None,
        provider: None,
        subject: Subject::Image { reference: "old".into() },
        operation: None,
        correlation: None,
        kind: EventKind::Notice { code: "test".into(), message: number.to_string() },
    };
    store.append_events((0..10).map(notice).collect()).await.unwrap();
    store.close().await.unwrap();
    let few = Retention { max_events: 2, ..Retention::default() };
    let isobox = Isobox::builder().home(home.path()).retention(few).open().await.unwrap();
    let dropped = async {
        while !matches!(isobox.events(0, EventFilter::default()).next().await.unwrap(), Followed::Gone { oldest: 9 }) {}
    };
    tokio::time::timeout(PATIENCE, dropped).await.expect("the old ones go without being asked");
}

/// Processor time that this process has used.
fn used() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Prints what a command takes with and without being written down, in turns, so that noise hits both alike.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement, for a release build"]
async fn what_writing_commands_down_costs() {
    const ROUNDS: usize = 30;
    const COMMANDS: usize = 400;
    let home = tempfile::tempdir().unwrap();
    let mut ways = Vec::new();
    for (name, record) in [("without", Record::lifecycle()), ("with", Record::default())] {
        let isobox = Isobox::builder().home(home.path().join(name)).record(record).open().await.unwrap();
        let sandbox = isobox.sandbox().provider("namespace").create().await.unwrap();
        ways.push((name, isobox, sandbox, Vec::new(), Duration::ZERO));
    }
    for at_once in [1, 8] {
        for _ in 0..ROUNDS {
            for (_, isobox, sandbox, times, cost) in &mut ways {
                let before = used();
                let worker = async || {
                    let mut times = Vec::new();
                    for _ in 0..COMMANDS / at_once {
                        let begun = std::time::Instant::now();
                        sandbox.exec(["true"]).await.unwrap();
                        times.push(begun.elapsed());
                    }
                    times
                };
                let all = futures::future::join_all((0..at_once).map(|_| worker())).await;
                times.extend(all.into_iter().flatten());
                isobox.close().await;
                *cost += used() - before;
            }
        }
        for (name, _, _, times, cost) in &mut ways {
            times.sort();
            let each = std::mem::take(cost) / u32::try_from(times.len()).unwrap();
            println!("{at_once} at once, {name}: p50 {:?}, {each:?} of processor time", times[times.len() / 2]);
            times.clear();
        }
    }
    for (_, _, sandbox, ..) in ways {
        sandbox.delete().await.unwrap();
    }
}

#[tokio::test]
async fn that_a_sandbox_expires_soon_is_told_once_by_whoever_is_there() {
    const HOUR: Duration = Duration::from_secs(3600);
    for provider in PROVIDERS {
        let home = tempfile::tempdir().unwrap();
        let watching = || async { Isobox::builder().home(home.path()).expiry_notice(HOUR).open().await.unwrap() };
        let (one, _two) = (watching().await, watching().await);
        let make = |isobox: &Isobox, ttl| isobox.sandbox().provider(provider).ttl(ttl).create();
        let told = async |sandbox: &Sandbox, times: usize| {
            let seen = std::cell::Cell::new(0);
            let is_last = |_: &Event| seen.replace(seen.get() + 1) + 1 == times;
            let all = until(&one, sandbox.id(), &["expiry_soon"], is_last).await;
            let all = all.into_iter().map(|event| match event.kind {
                EventKind::ExpirySoon { expires_at } => expires_at,
                other => panic!("{other:?}"),
            });
            all.collect::<Vec<_>>()
        };
        let expiry = async |sandbox: &Sandbox| one.inspect(sandbox.id().as_str()).await.unwrap().expires_at.unwrap();

        let (late, soon) = (make(&one, HOUR * 3).await.unwrap(), make(&one, HOUR / 2).await.unwrap());
        let first = expiry(&soon).await;
        assert_eq!(told(&soon, 1).await, [first], "{provider}");
        soon.set_ttl(HOUR * 2 / 3).await.unwrap();
        let second = expiry(&soon).await;
        assert_eq!(told(&soon, 2).await, [first, second], "another end is told again");

        // Whoever comes later has looked at the others by the time it tells this.
        let third = watching().await;
        let last = make(&third, HOUR / 2).await.unwrap();
        assert_eq!(told(&last, 1).await.len(), 1);
        let of = |sandbox: &Sandbox| EventFilter { sandboxes: vec![*sandbox.id()], kinds: vec!["expiry_soon".into()] };
        let count = async |sandbox: &Sandbox| {
            let store = SqliteStore::open(home.path().join("control.db"), Options::default()).await.unwrap();
            store.events_after(0, of(sandbox), 100).await.unwrap().events.len()
        };
        assert_eq!((count(&soon).await, count(&late).await), (2, 0), "{provider}");
        for sandbox in [late, soon, last] {
            sandbox.delete().await.unwrap();
        }
    }
}

/// The task that tells ends with the runtime that it was started in, and the next call starts it again.
#[test]
fn what_expires_is_told_also_when_the_runtime_that_isobox_was_opened_in_is_gone() {
    let home = tempfile::tempdir().unwrap();
    let runtime = || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let hour = Duration::from_secs(3600);
    let first = runtime();
    let isobox = first.block_on(Isobox::builder().home(home.path()).expiry_notice(hour).open()).unwrap();
    drop(first);
    runtime().block_on(async {
        let sandbox = isobox.sandbox().provider("host").ttl(hour / 2).create().await.unwrap();
        let told = until(&isobox, sandbox.id(), &["expiry_soon"], |_| true).await;
        assert_eq!(told.len(), 1);
        sandbox.delete().await.unwrap();
    });
}
