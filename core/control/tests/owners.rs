//! Processes that own sandboxes: who is alive, who is dead, and who only looks like it.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, unreachable_pub)]
#![allow(unsafe_code, reason = "there is no safe call for fork")]

mod common;

use common::Books;
use isobox_contract::OwnerId;
use isobox_control::*;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

async fn open(home: &Path) -> Books {
    Arc::new(SqliteStore::open(home.join("control.db"), Options::default()).await.unwrap())
}

/// A process that owns, and ends when its input does.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    // Kept, since writing to a closed one fails.
    _output: BufReader<ChildStdout>,
    id: OwnerId,
}

impl Process {
    /// Runs one of the ignored tests below, behind these words if there are any; `None` when it cannot be run.
    fn start(role: &str, home: &Path, before: &[&str]) -> Option<Self> {
        let this = std::env::current_exe().unwrap();
        let mut words: Vec<_> = before.iter().map(std::ffi::OsStr::new).collect();
        words.extend([
            this.as_os_str(),
            "--ignored".as_ref(),
            "--exact".as_ref(),
            role.as_ref(),
            "--nocapture".as_ref(),
        ]);
        let mut child = Command::new(words[0])
            .args(&words[1..])
            .env("ISOBOX_TEST_PLACE", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let lines = output.by_ref().lines();
        let id = lines.map_while(Result::ok).find_map(|line| line.split("OWNER ").nth(1).map(str::to_owned))?;
        Some(Self { child, input, _output: output, id: id.trim().parse().unwrap() })
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.input.take());
        self.child.wait().ok();
    }
}

fn place() -> PathBuf {
    std::env::var_os("ISOBOX_TEST_PLACE").map(PathBuf::from).expect("run by another test")
}

async fn own(home: &Path) -> OwnerLock {
    let lock = OwnerLock::take(home).unwrap();
    open(home).await.put_owner(lock.entry().clone()).await.unwrap();
    println!("\nOWNER {}", lock.id());
    lock
}

fn until_input_ends() {
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).unwrap();
}

async fn entry(home: &Path, id: &OwnerId) -> OwnerEntry {
    open(home).await.owner(id).await.unwrap().unwrap()
}

/// Waits until a process that was killed has given up what it held.
fn dead(home: &Path, owner: &OwnerEntry) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while life(home, owner) != Life::Dead {
        assert!(Instant::now() < deadline, "it is {:?}", life(home, owner));
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[tokio::test]
#[ignore = "run by other tests"]
async fn owns() {
    let lock = own(&place()).await;
    until_input_ends();
    assert_eq!(life(&place(), lock.entry()), Life::Alive, "also in its own eyes");
}

#[tokio::test]
#[ignore = "run by other tests"]
async fn loses_its_lock() {
    let lock = OwnerLock::take(&place()).unwrap();
    // What copies the directory does this, and fcntl(2) says that it gives up the lock.
    drop(File::open(place().join("owners").join(lock.id().as_str())).unwrap());
    open(&place()).await.put_owner(lock.entry().clone()).await.unwrap();
    println!("\nOWNER {}", lock.id());
    until_input_ends();
    drop(lock);
}

#[tokio::test]
#[ignore = "run by other tests"]
async fn leaves_a_child() {
    let lock = own(&place()).await;
    // SAFETY: the child sleeps and ends, and runs nothing of its parent's.
    if unsafe { libc::fork() } == 0 {
        until_input_ends();
        unsafe { libc::_exit(0) };
    }
    until_input_ends();
    drop(lock);
}

#[tokio::test]
async fn a_killed_process_is_dead_before_its_parent_knows() {
    let home = tempfile::tempdir().unwrap();
    let mut process = Process::start("owns", home.path(), &[]).unwrap();
    let owner = entry(home.path(), &process.id).await;
    assert_eq!(life(home.path(), &owner), Life::Alive);
    process.kill();
    // It is not waited for: a zombie.
    dead(home.path(), &owner);
}

#[tokio::test]
async fn a_forked_child_that_lives_on_keeps_no_owner_alive() {
    let home = tempfile::tempdir().unwrap();
    let mut process = Process::start("leaves_a_child", home.path(), &[]).unwrap();
    let owner = entry(home.path(), &process.id).await;
    assert_eq!(life(home.path(), &owner), Life::Alive);
    process.kill();
    dead(home.path(), &owner);
}

#[tokio::test]
async fn a_process_that_lost_its_lock_is_not_dead() {
    let home = tempfile::tempdir().unwrap();
    let mut process = Process::start("loses_its_lock", home.path(), &[]).unwrap();
    let owner = entry(home.path(), &process.id).await;
    assert_eq!(life(home.path(), &owner), Life::Alive);
    process.kill();
    dead(home.path(), &owner);
}

#[tokio::test]
async fn a_reused_pid_is_not_the_owner() {
    let home = tempfile::tempdir().unwrap();
    let living = Process::start("owns", home.path(), &[]).unwrap();
    let innocent = entry(home.path(), &living.id).await.process;
    // The file of a process that is gone.
    let lock = OwnerLock::take(home.path()).unwrap();
    let gone = lock.entry().clone();
    drop(lock);
    let earlier = ProcessIdentity { started: innocent.started - 1, ..innocent.clone() };
    assert_eq!(life(home.path(), &OwnerEntry { process: earlier, ..gone.clone() }), Life::Dead);
    assert_eq!(life(home.path(), &OwnerEntry { process: innocent.clone(), ..gone.clone() }), Life::Alive);
    let before_the_boot = ProcessIdentity { boot: "another".into(), ..innocent };
    assert_eq!(life(home.path(), &OwnerEntry { process: before_the_boot, ..gone.clone() }), Life::Dead);
    // Another file in its place says nothing.
    let replaced = OwnerEntry { lock_inode: gone.lock_inode + 1, ..gone };
    let absent = ProcessIdentity { started: 1, ..replaced.process.clone() };
    assert_eq!(life(home.path(), &OwnerEntry { process: absent, ..replaced }), Life::Unknown);
}

#[tokio::test]
async fn a_process_of_another_pid_namespace_is_known_by_its_lock() {
    let home = tempfile::tempdir().unwrap();
    let words = ["unshare", "-rpf", "--mount-proc", "--kill-child"];
    let Some(mut process) = Process::start("owns", home.path(), &words) else {
        println!("skipped: no pid namespace can be made here");
        return;
    };
    let owner = entry(home.path(), &process.id).await;
    let here = OwnerLock::take(home.path()).unwrap();
    assert_ne!(owner.process.pid_namespace, here.entry().process.pid_namespace);
    assert_eq!(life(home.path(), &owner), Life::Alive, "although its pid is another's here");
    process.kill();
    dead(home.path(), &owner);
    fs::remove_file(home.path().join("owners").join(owner.id.as_str())).unwrap();
    assert_eq!(life(home.path(), &owner), Life::Unknown, "without the lock nothing is known");
}

#[tokio::test]
async fn the_dead_are_buried_once_and_nobody_else_is() {
    let home = tempfile::tempdir().unwrap();
    let store = open(home.path()).await;
    let here = OwnerLock::take(home.path()).unwrap();
    store.put_owner(here.entry().clone()).await.unwrap();
    let living = Process::start("owns", home.path(), &[]).unwrap();
    let mut killed = Process::start("owns", home.path(), &[]).unwrap();
    assert!(bury(home.path(), &*store).await.unwrap().is_empty());
    killed.kill();
    dead(home.path(), &entry(home.path(), &killed.id).await);
    let buried = bury(home.path(), &*store).await.unwrap();
    assert_eq!(buried.iter().map(|owner| owner.id).collect::<Vec<_>>(), [killed.id]);
    assert!(bury(home.path(), &*store).await.unwrap().is_empty());
    let left: Vec<_> = store.owners().await.unwrap().into_iter().map(|owner| owner.id).collect();
    assert_eq!(left, [here.id(), living.id]);
    here.end(&*store).await.unwrap();
    let files: Vec<_> = fs::read_dir(home.path().join("owners")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(files, [living.id.as_str()]);
    // Looking did not take the lock away.
    assert_eq!(life(home.path(), &entry(home.path(), &living.id).await), Life::Alive);
}

/// A file as of a process that was killed some time ago before the store knew it.
fn stranger(home: &Path) -> PathBuf {
    let day = 24 * 3600 * 1000;
    let bits = OwnerId::generate().uuid().as_u128();
    let id = OwnerId::from_uuid(uuid::Uuid::from_u128(bits - (day << 80)));
    let path = home.join("owners").join(id.as_str());
    File::create_new(&path).unwrap();
    path
}

#[tokio::test]
async fn a_file_that_nobody_knows_and_nobody_has_is_cleared_away() {
    let home = tempfile::tempdir().unwrap();
    let store = open(home.path()).await;
    let known = own(home.path()).await;
    let young = OwnerLock::take(home.path()).unwrap();
    let files = || {
        let mut files: Vec<_> =
            fs::read_dir(home.path().join("owners")).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        files
    };
    let before = files();
    let abandoned = stranger(home.path());
    let held = stranger(home.path());
    let mut holder = Command::new("flock");
    holder.arg(&held).args(["-c", "echo; cat"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut holder) = holder.spawn() else {
        println!("skipped: there is no program flock here");
        return;
    };
    BufReader::new(holder.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
    fs::write(home.path().join("owners/notes"), "of somebody").unwrap();

    let would = clear_owners(home.path(), &*store, true).await.unwrap();
    assert_eq!(
        would.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [abandoned.file_name().unwrap().to_str().unwrap()]
    );
    assert!(abandoned.exists(), "it only looked");
    assert_eq!(clear_owners(home.path(), &*store, false).await.unwrap(), would);
    assert!(!abandoned.exists() && held.exists());
    drop(holder.stdin.take());
    holder.wait().unwrap();
    assert_eq!(clear_owners(home.path(), &*store, false).await.unwrap().len(), 1);
    assert_eq!(files().len(), before.len() + 1, "what is known, young or no owner's stays");
    drop((known, young));
}
