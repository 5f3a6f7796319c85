//! Processes that are killed at a named point, and what is left after that.

use crate::elsewhere::{self, Elsewhere, PATIENCE, children};
use isobox::{
    DiskBacking, Isobox, NamespaceOptions, ProviderOptions, SandboxBuilder, SandboxFilter, SnapshotOptions, TakeOptions,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat, openat};
use rustix::process::{Signal, kill_process};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the sandbox that it is about.
pub(crate) const NAME: &str = "victim";
const LEASE: Duration = Duration::from_millis(300);
const MARK: &str = "ISOBOX_TEST_MARK";

/// Who is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Crash {
    /// The process of the library.
    Alone,
    /// What it has started with it.
    WithItsOwn,
}

pub(crate) async fn open(home: &Path) -> Isobox {
    Isobox::builder().home(home).open().await.unwrap()
}

pub(crate) fn with_key(isobox: &Isobox, provider: &str) -> SandboxBuilder {
    isobox.sandbox().provider(provider).name("keyed").detached().idempotency_key("key")
}

/// The part of the process that is killed.
pub(crate) fn doomed() {
    let Some(home) = elsewhere::home() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let what = elsewhere::hear().unwrap();
        let (what, provider) = what.split_once(' ').unwrap();
        let isobox = open(&home).await;
        let owned = isobox.sandbox().provider(provider).name(NAME).owner_lease(LEASE);
        match what {
            "create" => drop(owned.create().await.unwrap()),
            "create_limited" => {
                let options = NamespaceOptions { disk_backing: Some(DiskBacking::Quota), ..Default::default() };
                let limited = owned.disk(16 << 20).options(ProviderOptions::Namespace(options));
                drop(limited.create().await.unwrap());
            }
            "create_with_key" => drop(with_key(&isobox, provider).create().await.unwrap()),
            "take" => {
                let ready = isobox.sandbox().provider(provider).owner_lease(LEASE);
                let pool = isobox.pool(ready, 1).shared_as("doomed").min_ready(1).open().await.unwrap();
                drop(isobox.take_from_with("doomed", TakeOptions::default().name(NAME).detached()).await.unwrap());
                drop(pool);
            }
            "detach" => owned.create().await.unwrap().detach().await.unwrap(),
            "snapshot_delete" => isobox.snapshots().provider(provider).delete(NAME).await.unwrap(),
            "volume" => drop(isobox.volumes().provider(provider).create(NAME).await.unwrap()),
            "volume_delete" => isobox.volumes().provider(provider).delete(NAME).await.unwrap(),
            "image" => drop(isobox.images().provider(provider).load(home.join("image.tar")).await.unwrap()),
            "image_remove" => isobox.images().provider(provider).remove(NAME).await.unwrap(),
            "collect" | "collect_owned" => drop(isobox.collect_garbage().await.unwrap()),
            other => {
                let sandbox = isobox.connect(NAME).await.unwrap();
                match other {
                    "stop" => sandbox.stop(None).await.unwrap(),
                    "start" => sandbox.start().await.unwrap(),
                    "delete" => sandbox.delete().await.unwrap(),
                    "fork" => drop(sandbox.fork(2).await.unwrap()),
                    "snapshot" => drop(
                        sandbox
                            .snapshot(SnapshotOptions { name: Some(NAME.into()), ..SnapshotOptions::default() })
                            .await
                            .unwrap(),
                    ),
                    "exec" => {
                        sandbox.exec(["true"]).await.unwrap();
                        isobox.close().await;
                    }
                    "adopt" => sandbox.adopt().await.unwrap(),
                    other => panic!("{other}"),
                }
            }
        }
        elsewhere::say("done");
        while elsewhere::hear().is_some() {}
    });
}

/// Makes what the doomed process needs to find.
async fn prepare(home: &Path, provider: &str, what: &str, mark: &str) {
    match what {
        "create" | "create_limited" | "create_with_key" | "detach" | "take" | "volume" | "image" | "image_remove" => {}
        "volume_delete" => drop(open(home).await.volumes().provider(provider).create(NAME).await.unwrap()),
        "snapshot_delete" => {
            let sandbox = open(home).await.sandbox().provider(provider).create().await.unwrap();
            sandbox.snapshot(SnapshotOptions { name: Some(NAME.into()), ..SnapshotOptions::default() }).await.unwrap();
            sandbox.delete().await.unwrap();
        }
        // What a process leaves that dies while it makes a sandbox, or when it has one.
        "collect" => die(home, provider, "create", "create.made", Crash::Alone, mark).await,
        "collect_owned" => die(home, provider, "create", "create.confirmed", Crash::Alone, mark).await,
        _ => {
            let isobox = open(home).await;
            let builder = isobox.sandbox().provider(provider).name(NAME).ttl(Duration::from_secs(1000)).detached();
            let sandbox = builder.create().await.unwrap();
            sandbox.exec(["sleep", mark]).detached().spawn().await.unwrap();
            if what == "start" {
                sandbox.stop(None).await.unwrap();
            }
        }
    }
}

/// Has a process do something, and kills it at a point of that.
pub(crate) async fn crash(home: &Path, provider: &str, what: &str, point: &str, how: Crash, mark: &str) {
    prepare(home, provider, what, mark).await;
    die(home, provider, what, point, how, mark).await;
}

async fn die(home: &Path, provider: &str, what: &str, point: &str, how: Crash, mark: &str) {
    let fifo = home.join("held");
    let fault = match how {
        Crash::Alone => format!("{point}=kill"),
        Crash::WithItsOwn => format!("{point}=hold:{}", fifo.display()),
    };
    let held = (how == Crash::WithItsOwn).then(|| {
        mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        openat(CWD, &fifo, OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()).unwrap()
    });
    let mut doomed = Elsewhere::start_with("doomed", home, &[("ISOBOX_FAULT", &fault), (MARK, mark)]);
    doomed.tell(&format!("{what} {provider}"));
    if let Some(held) = held {
        let mut events = [PollFd::new(&held, PollFlags::IN)];
        let reached = poll(&mut events, Some(&Timespec::try_from(PATIENCE).unwrap())).unwrap();
        assert_eq!(reached, 1, "{what} does not come to {point}");
        std::fs::remove_file(&fifo).unwrap();
        for child in children(doomed.pid()) {
            let _ = kill_process(child, Signal::KILL);
        }
        doomed.kill();
    } else {
        doomed.killed();
    }
}

/// Cleans up until everything is in a state that it stays in.
pub(crate) async fn tidy(isobox: &Isobox) {
    let settled = tokio::time::timeout(PATIENCE, async {
        loop {
            let done = isobox.collect_garbage().await.unwrap();
            let listed = isobox.list(SandboxFilter::default()).await.unwrap();
            if done.found.is_empty() && done.failed.is_empty() && listed.iter().all(|entry| entry.state.is_stable()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    settled.await.expect("everything settles");
}

/// What is left of sandboxes on the disk and among the mounts.
pub(crate) fn left(home: &Path, provider: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(home.join(provider)).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    let below = home.join(provider).display().to_string();
    let mounts: Vec<_> = mounts.lines().filter(|line| line.contains(&below)).map(PathBuf::from).collect();
    files.chain(mounts).collect()
}

/// The cgroups of a sandbox.
pub(crate) fn cgroups(id: &str) -> Vec<PathBuf> {
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

/// Processes other than this one that work in a directory or have something open in it, and those with the mark.
pub(crate) fn processes_below(home: &Path, mark: &str) -> Vec<u32> {
    let below = |link: PathBuf| {
        std::fs::read_link(link)
            .is_ok_and(|target| target.starts_with(home.join("host")) || target.starts_with(home.join("namespace")))
    };
    let open = |pid: u32| {
        let files = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        files.map(|entry| entry.path()).chain([format!("/proc/{pid}/cwd").into()]).any(below)
    };
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let all = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let holding = all.filter(|pid| *pid != std::process::id() && open(*pid));
    holding.chain(crate::common::processes_with(mark)).collect()
}

/// The directories of volumes, and what is left of one.
pub(crate) fn volumes(home: &Path) -> Vec<PathBuf> {
    let mut open = vec![home.join("volumes")];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        for entry in std::fs::read_dir(path).into_iter().flatten().map(Result::unwrap) {
            if entry.file_name().to_string_lossy().contains("vol_") {
                found.push(entry.path())
            } else if entry.path().is_dir() {
                open.push(entry.path())
            }
        }
    }
    found
}

/// The files of snapshots, and what is left of one.
pub(crate) fn snapshots(home: &Path) -> Vec<PathBuf> {
    let place = home.join("snapshots");
    let inside = |path: PathBuf| std::fs::read_dir(path).into_iter().flatten().map(|entry| entry.unwrap().path());
    inside(place.join("layers"))
        .chain(inside(place).filter(|path| !path.ends_with("layers") && !path.ends_with("lock")))
        .collect()
}
