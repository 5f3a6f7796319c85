//! What belongs to a process ends with it, however that ends and whoever else runs.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says where it is"
)]

mod common;
#[path = "common/elsewhere.rs"]
mod elsewhere;

use common::{PROVIDERS, processes_with};
use elsewhere::{Elsewhere, Ends, PATIENCE, children};
use isobox::Isobox;
use rustix::process::{Pid, Signal};
use std::path::{Path, PathBuf};
use std::time::Duration;

const LEASE: Duration = Duration::from_millis(400);

/// The owner: a sandbox of each provider, with everything in it that tries to live on.
#[test]
#[ignore = "a process of the other tests"]
fn owner() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(own(&home));
}

async fn own(home: &Path) {
    let mark = elsewhere::mark();
    let isobox = Isobox::builder().home(home).open().await.unwrap();
    let mut owned = Vec::new();
    for provider in PROVIDERS {
        let sandbox = isobox.sandbox().provider(provider).owner_lease(LEASE).create().await.unwrap();
        let daemons = format!(
            "exec >/dev/null 2>&1; setsid sleep {mark} & (setsid sh -c 'trap \"\" TERM HUP; sleep {mark} & sleep {mark}' &)
             env -i setsid setsid sleep {mark} & sleep 0.1"
        );
        assert!(sandbox.shell(daemons).await.unwrap().success());
        let running = sandbox.exec(["sleep", &mark]).spawn().await.unwrap();
        owned.push((sandbox, running));
    }
    elsewhere::say(&mark);
    while let Some(words) = elsewhere::hear() {
        match words.as_str() {
            "exit" => std::process::exit(0),
            "panic" => panic!("as it was told to"),
            _ => {
                for (sandbox, _) in &owned {
                    assert!(sandbox.exec(["true"]).await.unwrap().success());
                }
                elsewhere::say("alive");
            }
        }
    }
}

/// A busy machine may take longer to start a sandbox than its lease is.
#[tokio::test]
async fn the_lease_does_not_run_before_its_owner_could_connect() {
    let home = tempfile::tempdir().unwrap();
    let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
    for provider in PROVIDERS {
        for _ in 0..30 {
            let builder = isobox.sandbox().provider(provider).owner_lease(Duration::from_micros(1));
            let sandbox = builder.create().await.unwrap();
            assert!(sandbox.exec(["true"]).await.unwrap().success(), "{provider}");
            sandbox.delete().await.unwrap();
        }
    }
}

struct Owned {
    owner: Elsewhere,
    keepers: Vec<Pid>,
    mark: String,
    home: tempfile::TempDir,
    mounts: String,
}

impl Owned {
    fn start() -> Self {
        let (home, mounts) = (tempfile::tempdir().unwrap(), mounts());
        let mut owner = Elsewhere::start("owner", home.path());
        let mark = owner.hear();
        let keepers = children(owner.pid());
        assert_eq!(keepers.len(), PROVIDERS.len());
        assert_eq!(states(home.path()).len(), PROVIDERS.len());
        assert!(processes_with(&mark).len() >= 5 * PROVIDERS.len(), "the daemons run");
        Self { owner, keepers, mark, home, mounts }
    }

    /// Ends the owner, and sees everything of it go.
    fn ends_with(self, end: impl FnOnce(Elsewhere)) {
        let keepers = Ends::of(&self.keepers);
        end(self.owner);
        keepers.wait(LEASE + Duration::from_secs(5));
        assert_eq!(states(self.home.path()), Vec::<PathBuf>::new());
        assert_eq!(processes_with(&self.mark), Vec::<u32>::new());
        assert_eq!(mounts(), self.mounts);
    }
}

fn states(home: &Path) -> Vec<PathBuf> {
    let below = |provider| std::fs::read_dir(home.join(provider)).into_iter().flatten();
    PROVIDERS.iter().flat_map(below).map(|entry| entry.unwrap().path()).collect()
}

/// The mounts of this machine that are of sandboxes: others come and go.
fn mounts() -> String {
    let all = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    all.lines().filter(|line| line.contains("sbx_")).collect()
}

#[test]
fn a_killed_owner_takes_everything_along() {
    Owned::start().ends_with(Elsewhere::kill);
}

#[test]
fn an_owner_that_exits_without_deleting_takes_everything_along() {
    Owned::start().ends_with(|mut owner| {
        owner.tell("exit");
        owner.finish();
    });
}

#[test]
fn an_owner_that_panics_takes_everything_along() {
    Owned::start().ends_with(|mut owner| owner.tell("panic"));
}

#[test]
fn an_owner_that_stands_still_for_longer_than_its_lease_keeps_its_sandboxes() {
    let mut owned = Owned::start();
    owned.owner.signal(Signal::STOP);
    // Time itself is what is tested: the lease passes several times.
    std::thread::sleep(LEASE * 4);
    owned.owner.signal(Signal::CONT);
    owned.owner.tell("go on");
    assert_eq!(owned.owner.hear(), "alive");
    owned.ends_with(Elsewhere::kill);
}

/// The stream to the owner must not be open in what the owner runs itself, which may live on.
#[test]
#[ignore = "a process of the other tests"]
fn owner_with_a_child() {
    let Some(home) = elsewhere::home() else { return };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        let mut owned = Vec::new();
        for provider in PROVIDERS {
            owned.push(isobox.sandbox().provider(provider).owner_lease(LEASE).create().await.unwrap());
        }
        let keepers: Vec<String> = children(rustix::process::getpid()).iter().map(|pid| pid.to_string()).collect();
        let mut child =
            std::process::Command::new("sleep").arg("1000").stdout(std::process::Stdio::null()).spawn().unwrap();
        elsewhere::say(&format!("{} {}", child.id(), keepers.join(" ")));
        elsewhere::hear();
        child.kill().and_then(|()| child.wait()).unwrap();
    });
}

#[test]
fn a_child_of_the_owner_that_lives_on_keeps_nothing_alive() {
    let home = tempfile::tempdir().unwrap();
    let mut owner = Elsewhere::start("owner_with_a_child", home.path());
    let said = owner.hear();
    let pids: Vec<Pid> = said.split(' ').map(|pid| Pid::from_raw(pid.parse().unwrap()).unwrap()).collect();
    let keepers = Ends::of(&pids[1..]);
    owner.kill();
    keepers.wait(PATIENCE);
    assert_eq!(states(home.path()), Vec::<PathBuf>::new());
    rustix::process::kill_process(pids[0], Signal::KILL).unwrap();
}
