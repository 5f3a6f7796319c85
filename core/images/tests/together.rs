//! Several at once: processes that want the same, processes that are killed, and what others find afterwards.
//!
//! The other processes are this test program again, told by a variable what to do.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::{Builder, Compress, Lab, Layer, archive, owners};
use isobox_contract::{Context, Images};
use isobox_images::{Limits, LocalImages};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tar::EntryType;

const TASK: &str = "ISOBOX_TEST_IMPORT";

/// In another process: imports an archive, and says so.
#[tokio::test]
async fn another_process() {
    let Some(task) = std::env::var_os(TASK) else { return };
    let task = task.into_string().unwrap();
    let (home, archive) = task.split_once('|').unwrap();
    let images = LocalImages::open(Path::new(home), owners(), Limits::default()).unwrap();
    println!("\nready");
    std::io::stdout().flush().unwrap();
    let image = images.archive(Path::new(archive), None, &Context::quiet()).await.unwrap().0;
    let _hold = images.hold(&format!("p{}", std::process::id()), Path::new("/nowhere"), &image).unwrap();
    println!("\nheld");
    std::io::stdout().flush().unwrap();
    // Until the test has seen enough.
    let _ = std::io::stdin().lines().next();
}

fn start(lab: &Lab, archive: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "another_process", "--nocapture"]);
    command.env(TASK, format!("{}|{}", lab.home.path().display(), archive.display()));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// Reads what the process says until it is this; fails when it says nothing more.
fn wait_for(child: &mut Child, word: &str) {
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == word), "the other process did not get as far as {word}");
}

/// A layer that takes a while, as an archive.
fn large(lab: &Lab, files: usize) -> PathBuf {
    let contents = vec![7; 64 << 10];
    let layer = (0..files)
        .fold(Layer::new().dir("d"), |layer, n| layer.entry(EntryType::Regular, &format!("d/{n}"), &contents));
    archive(&lab.path("large.tar"), &Builder::of([layer]).compress(Compress::Gzip).docker_files())
}

#[tokio::test]
async fn processes_that_want_the_same_unpack_it_once() {
    let lab = Lab::open();
    let path = large(&lab, 200);
    let mut others: Vec<_> = (0..4).map(|_| start(&lab, &path)).collect();
    for other in &mut others {
        wait_for(other, "held");
    }
    // The directory of a layer that was unpacked again would be another one, and the first would be gone from under its
    // users; so all of them see one that is still as it was made.
    let image = lab.images.archive(&path, None, &Context::quiet()).await.unwrap().0;
    assert_eq!(fs::read_dir(lab.images.layer(&image.stack[0]).join("d")).unwrap().count(), 200);
    assert_eq!(lab.layers().len(), 1);
    let conflict = lab.images.remove(image.id.as_str(), &Context::quiet()).await.unwrap_err();
    assert_eq!(conflict.code(), isobox_contract::ErrorCode::Conflict);
    for mut other in others {
        drop(other.stdin.take());
        assert!(other.wait().unwrap().success());
    }
    // Their uses ended with them.
    lab.images.remove(image.id.as_str(), &Context::quiet()).await.unwrap();
    assert_eq!(lab.layers().len(), 0);
}

#[tokio::test]
async fn tasks_that_want_the_same_unpack_it_once() {
    let lab = Lab::open();
    let path = large(&lab, 100);
    let context = Context::quiet();
    let (a, b, c) = tokio::join!(
        lab.images.archive(&path, None, &context),
        lab.images.archive(&path, None, &context),
        lab.images.archive(&path, None, &context)
    );
    let ids = [a, b, c].map(|found| found.unwrap().0.id);
    assert!(ids[0] == ids[1] && ids[1] == ids[2], "{ids:?}");
    assert_eq!(lab.layers().len(), 1);
}

#[tokio::test]
async fn a_process_killed_at_any_point_leaves_a_store_that_works() {
    let lab = Lab::open();
    let path = large(&lab, 300);
    let part = |lab: &Lab| lab.layers().iter().any(|name| name.starts_with(".part-"));
    let mut seen_half = 0;
    for entries in [0, 1, 10, 50, 100, 150, 200, 250, 290, 299] {
        let mut other = start(&lab, &path);
        wait_for(&mut other, "ready");
        // Killed once this many files are there.
        let d = lab.layers_dir().join(format!(".part-{}", name_of(&path))).join("d");
        while fs::read_dir(&d).map_or(0, Iterator::count) < entries && !finished(&lab) {
            std::thread::yield_now();
        }
        other.kill().unwrap();
        other.wait().unwrap();
        seen_half += usize::from(part(&lab));
        if finished(&lab) {
            lab.images.prune(0, &Context::quiet()).await.unwrap();
        }
    }
    assert!(seen_half > 0, "no kill came in the middle");
    // Pruning clears what is half done, and the next import works.
    lab.images.prune(0, &Context::quiet()).await.unwrap();
    assert_eq!(lab.layers(), Vec::<String>::new());
    let image = lab.images.archive(&path, None, &Context::quiet()).await.unwrap().0;
    assert_eq!(fs::read_dir(lab.images.layer(&image.stack[0]).join("d")).unwrap().count(), 300);
}

#[tokio::test]
async fn what_a_killed_process_left_is_cleared_by_the_next_import() {
    let lab = Lab::open();
    let path = large(&lab, 300);
    let d = lab.layers_dir().join(format!(".part-{}", name_of(&path))).join("d");
    let mut other = start(&lab, &path);
    wait_for(&mut other, "ready");
    while fs::read_dir(&d).map_or(0, Iterator::count) < 20 {
        assert!(!finished(&lab), "it was done before it could be killed");
        std::thread::yield_now();
    }
    other.kill().unwrap();
    other.wait().unwrap();
    let image = lab.images.archive(&path, None, &Context::quiet()).await.unwrap().0;
    assert_eq!(lab.layers(), [image.stack[0].as_str().replace(':', "-")]);
    assert_eq!(fs::read_dir(lab.images.layer(&image.stack[0]).join("d")).unwrap().count(), 300);
}

#[tokio::test]
async fn an_import_that_nobody_waits_for_any_more_ends() {
    let lab = Lab::open();
    let path = large(&lab, 300);
    let context = Context::quiet();
    let mut import = Box::pin(lab.images.archive(&path, None, &context));
    let d = lab.layers_dir().join(format!(".part-{}", name_of(&path))).join("d");
    // Polled until the first files are there.
    while fs::read_dir(&d).map_or(0, Iterator::count) < 5 {
        let polled = futures_poll(&mut import).await;
        assert!(!polled, "it was done before it could be dropped");
    }
    drop(import);
    // Whoever comes next waits for its end, and finds no trace.
    let image = lab.images.archive(&path, None, &context).await.unwrap().0;
    assert_eq!(lab.layers(), [image.stack[0].as_str().replace(':', "-")]);
}

/// Polls once; whether it is done.
async fn futures_poll<F: Future + Unpin>(future: &mut F) -> bool {
    tokio::select! {
        biased;
        _ = future => true,
        () = tokio::task::yield_now() => false,
    }
}

fn finished(lab: &Lab) -> bool {
    lab.layers().iter().any(|name| !name.starts_with(".part-"))
}

/// The name that the layer of the archive has on disk.
fn name_of(path: &Path) -> String {
    let listed = Command::new("tar").arg("-xOf").arg(path).arg("--wildcards").arg("*.json").output().unwrap();
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    let at = text.find("\"diff_ids\":[\"sha256:").unwrap() + "\"diff_ids\":[\"sha256:".len();
    format!("sha256-{}", &text[at..at + 64])
}

#[tokio::test]
async fn a_full_disk_is_said_to_be_full_and_leaves_nothing() {
    if !common::is_root() {
        println!("skipped: only root can mount a small filesystem");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let mounted =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=4m", "none"]).arg(place.path()).status().unwrap();
    assert!(mounted.success());
    let outside = Lab::open();
    let path = large(&outside, 200);
    let images = LocalImages::open(place.path(), owners(), Limits::default()).unwrap();
    let error = images.archive(&path, None, &Context::quiet()).await.unwrap_err();
    let left = fs::read_dir(place.path().join("images/kept/layers")).unwrap().count();
    let small = archive(&outside.path("small.tar"), &Builder::of([Layer::new().file("f", "x")]).docker_files());
    let after = images.archive(&small, None, &Context::quiet()).await;
    drop(images);
    assert!(Command::new("umount").arg("-l").arg(place.path()).status().unwrap().success());
    assert_eq!((error.code(), left), (isobox_contract::ErrorCode::OutOfDisk, 0), "{error}");
    after.unwrap();
}

#[tokio::test]
async fn a_large_layer_costs_no_more_memory_than_a_small_one() {
    let lab = Lab::open();
    let peak = |megabytes: usize| {
        let path = lab.path(&format!("{megabytes}.tar"));
        // Written and not kept here: this process must not be what is measured.
        let layer = Layer::new().entry(EntryType::Regular, "f", &vec![3; megabytes << 20]);
        archive(&path, &Builder::of([layer]).compress(Compress::Gzip).docker_files());
        let mut other = start(&lab, &path);
        wait_for(&mut other, "held");
        let status = fs::read_to_string(format!("/proc/{}/status", other.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        drop(other.stdin.take());
        assert!(other.wait().unwrap().success());
        kilobytes
    };
    let (small, large) = (peak(1), peak(256));
    println!("peak memory: {small} kB for 1 MiB, {large} kB for 256 MiB");
    assert!(large < small + (16 << 10), "{small} kB for 1 MiB and {large} kB for 256 MiB");
}
