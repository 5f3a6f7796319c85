//! Whoever of a sandbox is killed, in whatever state it is: nothing of it is left.
//!
//! ```text
//! killed                     what is left     until
//! the library                nothing          its lease is over
//! the agent                  nothing          its keeper has seen it, at once
//! the keeper, with others    files, cgroups   somebody deletes the sandbox, by its handle or by its record
//! ```
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

use common::limited::{MIB, no_loop_device_below};
use common::processes_with;
use elsewhere::{Elsewhere, Ends, PATIENCE, children, settles};
use isobox::contract::{Context, SandboxRecord};
use isobox::{
    Capability, DiskBacking, ExecRequest, Isobox, NamespaceOptions, ProviderOptions, Resources, SandboxId, SandboxSpec,
    Source,
};
use rustix::process::{Pid, Signal, kill_process};
use std::path::{Path, PathBuf};
use std::time::Duration;

const LEASE: Duration = Duration::from_millis(400);

/// What a sandbox does when it happens.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Running,
    Restarted,
    Paused,
    OnImage,
}

/// Who is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Victim {
    Library,
    Keeper,
    Agent,
}

/// The owner, in a process of its own.
async fn own(home: &Path, state: State) {
    let mark = elsewhere::mark();
    let isobox = Isobox::builder().home(home).open().await.unwrap();
    let provider = isobox.provider("namespace").await.unwrap();
    let mut spec = SandboxSpec::new(Source::Default);
    spec.lifetimes.owner_lease = Some(LEASE);
    if state == State::OnImage {
        spec.resources = Resources { disk: Some(16 * MIB), ..Resources::default() };
        let options = NamespaceOptions { disk_backing: Some(DiskBacking::Loop), ..NamespaceOptions::default() };
        spec.options = Some(ProviderOptions::Namespace(options));
    }
    let context = Context::quiet();
    let sandbox = provider.create(&SandboxId::generate(), &spec, &context).await.unwrap();
    if state == State::Restarted {
        sandbox.stop(None, &context).await.unwrap();
        sandbox.start(&context).await.unwrap();
    }
    let daemons = format!("exec >/dev/null 2>&1; echo x > /root/file; setsid sleep {mark} & sleep 0.05");
    assert!(sandbox.exec().run(ExecRequest::shell(daemons)).await.unwrap().success());
    if state == State::Paused {
        sandbox.pause(&context).await.unwrap();
    }
    elsewhere::say(&mark);
    elsewhere::say(&serde_json::to_string(&sandbox.record()).unwrap());
    while elsewhere::hear().is_some() {}
}

macro_rules! owners {
    ($($name:ident: $state:expr;)+) => {$(
        #[test]
        #[ignore = "a process of the other tests"]
        fn $name() {
            let Some(home) = elsewhere::home() else { return };
            tokio::runtime::Runtime::new().unwrap().block_on(own(&home, $state));
        }
    )+};
}

owners! {
    owner_of_a_running_one: State::Running;
    owner_of_a_restarted_one: State::Restarted;
    owner_of_a_paused_one: State::Paused;
    owner_of_one_on_an_image: State::OnImage;
}

impl State {
    fn owner(self) -> &'static str {
        match self {
            Self::Running => "owner_of_a_running_one",
            Self::Restarted => "owner_of_a_restarted_one",
            Self::Paused => "owner_of_a_paused_one",
            Self::OnImage => "owner_of_one_on_an_image",
        }
    }
}

/// The cgroups of a sandbox.
fn cgroups(id: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(path) = open.pop() {
        let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            if entry.file_name() == id { found.push(entry.path()) } else { open.push(entry.path()) }
        }
    }
    found
}

/// What is left of a sandbox: its files, its cgroups, its mounts.
fn left(home: &Path, id: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(home.join("namespace")).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    let mounts = mounts.lines().filter(|line| line.contains(id)).map(PathBuf::from).collect::<Vec<_>>();
    files.chain(cgroups(id)).chain(mounts).collect()
}

async fn nothing_is_left_of_one(state: State, victims: &[Victim]) {
    let home = tempfile::tempdir().unwrap();
    let mut owner = Elsewhere::start(state.owner(), home.path());
    let mark = owner.hear();
    let record: SandboxRecord = serde_json::from_str(&owner.hear()).unwrap();
    let id = record.id.to_string();
    let keeper = children(owner.pid())[0];
    let agent = children(keeper)[0];
    assert!(!left(home.path(), &id).is_empty() && !processes_with(&mark).is_empty());
    let ends = Ends::of(&[keeper, agent]);
    for victim in victims {
        let process: Pid = match victim {
            Victim::Library => owner.pid(),
            Victim::Keeper => keeper,
            Victim::Agent => agent,
        };
        kill_process(process, Signal::KILL).unwrap();
    }
    ends.wait(LEASE + PATIENCE);
    assert_eq!(processes_with(&mark), Vec::<u32>::new());
    no_loop_device_below(home.path());
    if victims.contains(&Victim::Keeper) {
        let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
        isobox.provider("namespace").await.unwrap().delete(&record, &Context::quiet()).await.unwrap();
    }
    // A keeper has removed everything before it ends. A cgroup may be removed a moment after its last process has gone.
    settles("everything going", || left(home.path(), &id).is_empty()).await;
}

async fn nothing_is_left(state: State) {
    use Victim::{Agent, Keeper, Library};
    let all: [&[Victim]; 6] =
        [&[Library], &[Keeper], &[Agent], &[Library, Keeper], &[Keeper, Library, Agent], &[Agent, Library]];
    for victims in all {
        eprintln!("{victims:?} of one that is {state:?}");
        nothing_is_left_of_one(state, victims).await;
    }
}

#[tokio::test]
async fn nothing_is_left_of_a_running_one() {
    nothing_is_left(State::Running).await;
}

/// Its stop before has no say in what becomes of it.
#[tokio::test]
async fn nothing_is_left_of_a_restarted_one() {
    nothing_is_left(State::Restarted).await;
}

#[tokio::test]
async fn nothing_is_left_of_a_paused_one() {
    let home = tempfile::tempdir().unwrap();
    let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
    let provider = isobox.provider("namespace").await.unwrap();
    match provider.capabilities().has(Capability::LifecyclePause) {
        true => nothing_is_left(State::Paused).await,
        false => println!("skipped: nothing can be paused here"),
    }
}

#[tokio::test]
async fn nothing_is_left_of_one_on_an_image() {
    match isobox_disk::image() {
        Ok(_) => nothing_is_left(State::OnImage).await,
        Err(obstacle) => println!("skipped: {obstacle}"),
    }
}

/// Makes a sandbox and says what came of it. It is stopped on the way: see the test.
#[test]
#[ignore = "a process of the other tests"]
fn maker() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = Isobox::builder().home(home).open().await.unwrap();
        elsewhere::say("open");
        let made = isobox.sandbox().provider("namespace").create().await;
        elsewhere::say(&made.map_or_else(|error| format!("{}: {error}", error.code()), |_| "made".to_owned()));
    });
}

/// A keeper takes the directory away before it ends, and whoever makes the sandbox may come in between: the death is what is
/// told then, and not that a file could not be written.
#[tokio::test]
async fn a_sandbox_that_dies_while_it_is_made_says_that_it_died() {
    let home = tempfile::tempdir().unwrap();
    let mut maker = Elsewhere::start_with("maker", home.path(), &[("ISOBOX_FAULT", "launch.handed_over=stop")]);
    assert_eq!(maker.hear(), "open");
    let is_stopped = |pid: Pid| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('T'))
    };
    settles("the launch", || is_stopped(maker.pid())).await;
    let keeper = children(maker.pid())[0];
    let agent = children(keeper)[0];
    kill_process(keeper, Signal::STOP).unwrap();
    settles("the keeper standing still", || is_stopped(keeper)).await;
    kill_process(agent, Signal::KILL).unwrap();
    // As the keeper does it.
    let place = std::fs::read_dir(home.path().join("namespace")).unwrap().next().unwrap().unwrap().path();
    std::fs::rename(place, home.path().join("removed")).unwrap();
    maker.signal(Signal::CONT);
    // Long enough to come to the missing directory, as a rule; sooner, the test is only less strict.
    tokio::time::sleep(Duration::from_millis(200)).await;
    kill_process(keeper, Signal::CONT).unwrap();
    let told = maker.hear();
    assert!(told.starts_with("sandbox_gone") && told.contains("agent"), "{told}");
    maker.finish();
    settles("everything going", || left(home.path(), "sbx_").is_empty()).await;
}
