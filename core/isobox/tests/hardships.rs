//! What a machine does to long-lived programs: numbers of processes that come again, clocks that jump, disks that are full.
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

use common::{Lab, PROVIDERS};
use elsewhere::{PATIENCE, settles};
use isobox::contract::Context;
use isobox::{ErrorCode, HealthStatus, Isobox, Lifetimes, ProviderKind, SandboxFilter, SandboxId, SandboxSpec, State};
use isobox_control::{CreateRequest, Options, OwnerEntry, OwnerLock, ProcessIdentity, SqliteStore, Store};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A process that has nothing to do with isobox.
struct Innocent(Child);

impl Innocent {
    fn start() -> Self {
        Self(Command::new("sleep").arg("1000").spawn().unwrap())
    }

    /// As the control plane knows processes.
    fn identity(&self) -> ProcessIdentity {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap();
        // Field 22, counted from behind the name.
        let started = stat.rsplit(')').next().unwrap().split_whitespace().nth(19).unwrap().parse().unwrap();
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap().trim().to_owned();
        let namespace = std::fs::metadata("/proc/self/ns/pid").unwrap();
        let pid_namespace = std::os::unix::fs::MetadataExt::ino(&namespace);
        ProcessIdentity { pid: self.0.id(), started, boot, pid_namespace }
    }

    fn lives(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Innocent {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Writes down that a process like this owns a sandbox with this name, which is being made.
async fn owned_by(home: &Path, process: ProcessIdentity, name: &str) -> SandboxId {
    let store = SqliteStore::open(home.join("control.db"), Options::default()).await.unwrap();
    // The file of a process that is gone: nobody has it locked.
    let lock = OwnerLock::take(home).unwrap();
    let owner = OwnerEntry { process, program: "gone".into(), ..lock.entry().clone() };
    drop(lock);
    store.put_owner(owner.clone()).await.unwrap();
    let mut request = CreateRequest::new(ProviderKind::HOST, SandboxSpec::default().name(name));
    request.owner = Some(owner.id);
    let id = request.id;
    store.begin_create(request).await.unwrap();
    store.close().await.unwrap();
    id
}

#[tokio::test]
async fn a_process_with_the_number_of_a_dead_one_is_neither_signalled_nor_taken_for_it() {
    let home = tempfile::tempdir().unwrap();
    let isobox = Isobox::builder().home(home.path()).open().await.unwrap();
    isobox.collect_garbage().await.unwrap();
    let mut innocent = Innocent::start();
    let here = innocent.identity();
    let earlier = ProcessIdentity { started: here.started - 1, ..here.clone() };
    let dead = owned_by(home.path(), earlier, "of-the-dead").await;
    let alive = owned_by(home.path(), here, "of-the-living").await;
    let done = isobox.collect_garbage().await.unwrap();
    assert_eq!((done.processes, done.removed), (1, 1), "{done:?}");
    assert_eq!(isobox.inspect(dead.as_str()).await.unwrap().state, State::Deleted);
    assert_eq!(isobox.inspect(alive.as_str()).await.unwrap().state, State::Creating);
    assert!(innocent.lives());
    // What waits for the living one does so until it is dead.
    drop(innocent);
    let gone = tokio::time::timeout(PATIENCE, isobox.connect("of-the-living")).await.expect("it does not wait on");
    assert_eq!(gone.unwrap_err().code(), ErrorCode::NotFound);
}

/// An id that was made so long ago, or will be so long from now, as if somebody had set the clock since.
fn made_at(now: SystemTime) -> SandboxId {
    let millis = now.duration_since(UNIX_EPOCH).unwrap().as_millis();
    let mut bits = SandboxId::generate().uuid().as_u128();
    bits = (bits << 48 >> 48) | (millis << 80);
    let id = SandboxId::from_uuid(uuid::Uuid::from_u128(bits));
    assert_eq!(u128::from(id.created_at().unix_millis().unsigned_abs()), millis);
    id
}

#[tokio::test]
async fn a_clock_that_jumps_changes_no_lifetime() {
    let hour = Duration::from_secs(3600);
    let lifetimes = |ttl: Duration| Lifetimes { ttl: Some(ttl.into()), ..Lifetimes::default() };
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let opened = lab.isobox.provider(provider).await.unwrap();
        let day = 24 * hour;
        // The clock was set ahead a day after it was made, and back.
        for id in [made_at(SystemTime::now() - day), made_at(SystemTime::now() + day)] {
            let spec = SandboxSpec::default().lifetimes(lifetimes(hour)).detached();
            let made = opened.create(&id, &spec, &Context::quiet()).await.unwrap();
            let left = async |sandbox: &dyn isobox::contract::Sandbox| {
                let expires_at = sandbox.describe().await.unwrap().expires_at.unwrap();
                expires_at.since(isobox::Timestamp::now())
            };
            let about = |left: Duration, expected: Duration| {
                assert!(left <= expected && left + Duration::from_secs(60) > expected, "{provider}: {left:?}");
            };
            about(left(&*made).await, hour);
            made.set_lifetimes(&lifetimes(2 * hour)).await.unwrap();
            about(left(&*made).await, 2 * hour);
            // Also over a stop, and for another handle.
            made.stop(None, &Context::quiet()).await.unwrap();
            let again = opened.attach(&made.record(), &Context::quiet()).await.unwrap();
            again.start(&Context::quiet()).await.unwrap();
            about(left(&*again).await, 2 * hour);
            again.delete(&Context::quiet()).await.unwrap();
        }
    }
}

/// A small filesystem in memory.
struct Small(tempfile::TempDir);

impl Small {
    fn mount(bytes: u64) -> Option<Self> {
        let place = tempfile::tempdir().unwrap();
        let options = format!("size={bytes},mode=0700");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "small"]).arg(place.path()).output();
        mounted.is_ok_and(|mounted| mounted.status.success()).then(|| Self(place))
    }

    /// Writes until so many bytes are free.
    fn fill_but(&self, free: u64) -> PathBuf {
        let filling = self.0.path().join("filling");
        let stat = rustix::fs::statvfs(self.0.path()).unwrap();
        let bytes = (stat.f_bavail * stat.f_frsize).saturating_sub(free);
        // What is written down in the background may have taken some of it meanwhile.
        match std::fs::write(&filling, vec![0; usize::try_from(bytes).unwrap()]) {
            Err(error) if error.kind() != std::io::ErrorKind::StorageFull => panic!("{error}"),
            _ => filling,
        }
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

fn is_whole(database: &Path) -> bool {
    let sql = rusqlite::Connection::open(database).unwrap();
    sql.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0)).unwrap() == "ok"
}

#[tokio::test]
async fn what_cannot_be_written_down_shows_in_the_health() {
    let Some(disk) = Small::mount(24 << 20) else {
        println!("skipped: no filesystem can be mounted here");
        return;
    };
    let isobox = Isobox::builder().home(disk.0.path().join("home")).open().await.unwrap();
    let sandbox = isobox.sandbox().provider("host").create().await.unwrap();
    assert_eq!(isobox.health().await.status, HealthStatus::Ok);
    let filling = disk.fill_but(0);
    let full = tokio::time::timeout(PATIENCE, async {
        loop {
            // Until there is no room in what the journal has already.
            sandbox.exec(["true"]).label("x".repeat(1000)).run().await.unwrap();
            let health = isobox.health().await;
            if health.status != HealthStatus::Ok {
                return health.message.unwrap();
            }
        }
    });
    let full = full.await.expect("it shows");
    assert!(full.contains("full") || full.contains("disk"), "{full}");
    std::fs::remove_file(filling).unwrap();
    let well = tokio::time::timeout(PATIENCE, async {
        while isobox.health().await.status != HealthStatus::Ok {
            sandbox.exec(["true"]).await.unwrap();
        }
    });
    well.await.expect("with room again it is well");
    sandbox.delete().await.unwrap();
}

#[tokio::test]
async fn a_full_disk_is_said_to_be_full_and_breaks_nothing() {
    let Some(disk) = Small::mount(24 << 20) else {
        println!("skipped: no filesystem can be mounted here");
        return;
    };
    for provider in PROVIDERS {
        let home = disk.0.path().join(format!("home-{provider}"));
        let isobox = Isobox::builder().home(&home).open().await.unwrap();
        let kept = isobox.sandbox().provider(provider).name("kept").create().await.unwrap();
        // From nothing to more than enough, so that it is full at one step or another.
        for free in [0, 4 << 10, 8 << 10, 16 << 10, 24 << 10, 32 << 10, 48 << 10, 64 << 10, 96 << 10, 1 << 20] {
            let filling = disk.fill_but(free);
            match isobox.sandbox().provider(provider).name("more").create().await {
                Ok(made) => made.delete().await.map_or_else(
                    |error| assert_eq!(error.code(), ErrorCode::OutOfDisk, "{provider}, {free} bytes: {error}"),
                    drop,
                ),
                Err(error) => {
                    assert_eq!(error.code(), ErrorCode::OutOfDisk, "{provider}, {free} bytes: {error}");
                    assert!(error.message().contains("disk"), "{error}");
                }
            }
            // What needs no room goes on.
            assert!(kept.exec(["true"]).await.unwrap().success(), "{provider}, {free} bytes");
            assert_eq!(isobox.inspect("kept").await.unwrap().state, State::Running);
            std::fs::remove_file(filling).unwrap();
            // With room again the name is free, and everything works.
            let free_again = tokio::time::timeout(PATIENCE, async {
                while isobox.inspect("more").await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            });
            assert!(free_again.await.is_ok(), "{provider}, {free} bytes: {:?}", isobox.inspect("more").await);
        }
        kept.stop(None).await.unwrap();
        kept.start().await.unwrap();
        kept.delete().await.unwrap();
        assert!(isobox.list(SandboxFilter::default()).await.unwrap().is_empty(), "{provider}");
        isobox.collect_garbage().await.unwrap();
        let left = || std::fs::read_dir(home.join(provider)).into_iter().flatten().count();
        settles("everything going", || left() == 0).await;
        drop(isobox);
        assert!(is_whole(&home.join("control.db")), "{provider}");
    }
}
