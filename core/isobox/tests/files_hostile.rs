//! Trees that were made to do harm, and links that move while a tree is copied.
#![allow(missing_docs, unreachable_pub, clippy::print_stderr, clippy::unwrap_used)]

mod common;
mod local;

use isobox::{DownloadOptions, SandboxPath};
use local::{What, look, on_each_workspace, script};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How often a tree is copied at least while its links move.
const ROUNDS: usize = 25;
/// How often the links move at least while it is copied.
const SWAPS: u64 = 100;

/// Swaps a directory for a link that leads out, on and on, until it is dropped.
struct Swapper {
    stop: Arc<AtomicBool>,
    swaps: Arc<AtomicU64>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Swapper {
    fn start(tree: &Path, outside: &Path) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (dir, spare, outside, stopped) = (tree.join("dir"), tree.join("spare"), outside.to_owned(), stop.clone());
        let swaps = Arc::new(AtomicU64::new(0));
        let counted = swaps.clone();
        let swap = move || {
            while !stopped.load(Ordering::Relaxed) {
                // A download that goes on here may put its own things in the way of any of these.
                let _ = fs::rename(&dir, &spare);
                counted.fetch_add(symlink(&outside, &dir).is_ok().into(), Ordering::Relaxed);
                std::thread::yield_now();
                let _ = fs::remove_file(&dir);
                if fs::rename(&spare, &dir).is_err() {
                    let _ = fs::remove_dir_all(&spare);
                }
            }
        };
        Self { stop, swaps, thread: Some(std::thread::spawn(swap)) }
    }

    /// Rounds of copying, as many as it takes for the links to have moved often enough.
    fn rounds(&self) -> impl Iterator<Item = usize> {
        (0..).take_while(|round| *round < ROUNDS || self.swaps.load(Ordering::Relaxed) < SWAPS)
    }
}

impl Drop for Swapper {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

#[tokio::test]
async fn an_upload_never_reads_outside_of_a_tree_that_changes() {
    on_each_workspace(async |_, sandbox| {
        let place = tempfile::tempdir().unwrap();
        script(
            place.path(),
            "mkdir -p tree/dir outside; for i in $(seq 50); do echo fine > tree/dir/$i; echo SECRET > outside/$i; done",
        );
        let swapper = Swapper::start(&place.path().join("tree"), &place.path().join("outside"));
        for round in swapper.rounds() {
            // What comes and goes may be missing or refused, but nothing of it may come from elsewhere.
            let _ = sandbox.files().upload(place.path().join("tree"), format!("up/{round}")).await;
        }
        drop(swapper);
        let secrets = sandbox.shell("grep -rl SECRET up | wc -l").await.unwrap();
        assert_eq!(secrets.stdout.text().trim(), "0");
        let some = sandbox.shell("find up -name 7 -type f | wc -l").await.unwrap();
        assert_ne!(some.stdout.text().trim(), "0", "nothing ever arrived");
    })
    .await;
}

#[tokio::test]
async fn a_download_never_reads_or_writes_outside_while_links_move() {
    on_each_workspace(async |_, sandbox| {
        let place = tempfile::tempdir().unwrap();
        script(place.path(), "mkdir outside target; echo safe > outside/7");
        let made = "mkdir -p tree/dir secret; for i in $(seq 50); do echo fine > tree/dir/$i; echo SECRET > secret/$i; done; ln -s ../secret tree/link";
        assert!(sandbox.shell(made).await.unwrap().success());
        // Both sides move: in the sandbox what is read, here what is written to.
        let swap = "until [ -e stop ]; do mv -T tree/dir tree/spare; mv -T tree/link tree/dir; mv -T tree/dir tree/link; mv -T tree/spare tree/dir; done";
        let swapping = sandbox.shell(swap).spawn().await.unwrap();
        let target = place.path().join("target");
        fs::create_dir(target.join("dir")).unwrap();
        let here = Swapper::start(&target, &place.path().join("outside"));
        for _ in here.rounds() {
            let _ = sandbox.files().download("tree", &target).await;
        }
        drop(here);
        sandbox.shell("touch stop").await.unwrap();
        swapping.wait().await.unwrap();
        let outside = look(&place.path().join("outside"));
        assert_eq!(outside.len(), 1, "{outside:?}");
        assert_eq!(fs::read_to_string(place.path().join("outside/7")).unwrap(), "safe\n");
        for (path, seen) in look(&target) {
            if let What::File { contents, .. } = seen.what {
                assert_eq!(contents, b"fine\n", "{path:?}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn links_that_lead_out_are_skipped_and_counted() {
    on_each_workspace(async |_, sandbox| {
        let made = "mkdir -p t/a/b; echo in > t/a/in; cd t; ln -s /etc/passwd abs; ln -s ../.. up; ln -s a/../../x sly; ln -s /etc a/etc;
            ln -s ../in a/b/fine; ln -s a also; ln -s nowhere dangling; ln -s ../../../t a/b/out";
        assert!(sandbox.shell(made).await.unwrap().success());
        let place = tempfile::tempdir().unwrap();
        let report = sandbox.files().download("t", place.path().join("t")).await.unwrap();
        assert_eq!((report.links, report.skipped), (3, 5));
        let links: Vec<_> = look(&place.path().join("t")).into_iter().filter(|(_, seen)| matches!(seen.what, What::Link(_))).collect();
        let links: Vec<_> = links.iter().map(|(path, _)| path.to_str().unwrap()).collect();
        assert_eq!(links, ["a/b/fine", "also", "dangling"]);
        let options = DownloadOptions { keep_escaping_links: true, ..DownloadOptions::default() };
        let report = sandbox.files().download_with("t", place.path().join("all"), options).await.unwrap();
        assert_eq!((report.links, report.skipped), (8, 0));
        assert_eq!(fs::read_link(place.path().join("all/abs")).unwrap(), Path::new("/etc/passwd"));
        // A link that a download kept is not gone through by the next one.
        sandbox.shell("rm t/a/etc; mkdir t/a/etc; echo evil > t/a/etc/isobox-was-here").await.unwrap();
        sandbox.files().download("t", place.path().join("all")).await.unwrap();
        assert!(!Path::new("/etc/isobox-was-here").exists());
        assert!(place.path().join("all/a/etc").symlink_metadata().unwrap().is_dir());
    })
    .await;
}

#[tokio::test]
async fn names_are_bytes_in_every_operation() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        let names: [&[u8]; 8] = [b"new\nline", b"\xff\xfe", b"*", b"-rf", b" ", b"$(id)", b"\\", &[b'n'; 255]];
        for name in names {
            let path = SandboxPath::from(name);
            files.write(&path, "x").await.unwrap();
            files.rename(&path, "moved").await.unwrap();
            files.copy("moved", &path).await.unwrap();
            assert_eq!(files.read(&path).await.unwrap(), "x");
            let listed = files.list(".").await.unwrap();
            assert!(listed.iter().any(|entry| entry.path == path), "{path:?}");
            let place = tempfile::tempdir().unwrap();
            let local = place.path().join(std::str::from_utf8(name).unwrap_or("bytes"));
            files.download(&path, &local).await.unwrap();
            files.remove(&path).await.unwrap();
            files.upload(&local, &path).await.unwrap();
            files.remove_all(&path).await.unwrap();
            files.remove("moved").await.unwrap();
            let error = files.read(&path).await.unwrap_err();
            assert!(!error.message().contains('\n'), "{error}");
        }
        assert!(files.list(".").await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_tree_deeper_than_a_path_may_be_long_is_an_error_and_no_harm() {
    on_each_workspace(async |_, sandbox| {
        let made = "mkdir deep; cd deep; d=$(printf 'd%.0s' $(seq 200)); for i in $(seq 60); do mkdir $d; cd -P $d; done; echo x > file";
        assert!(sandbox.shell(made).await.unwrap().success());
        let place = tempfile::tempdir().unwrap();
        // Twelve thousand bytes of path: beyond what the stream carries.
        assert!(sandbox.files().download("deep", place.path().join("deep")).await.is_err());
        assert!(sandbox.files().list_depth("deep", u32::MAX).await.is_ok_and(|entries| !entries.is_empty()));
        sandbox.files().remove_all("deep").await.unwrap();
        assert!(!sandbox.files().exists("deep").await.unwrap());
    })
    .await;
}
