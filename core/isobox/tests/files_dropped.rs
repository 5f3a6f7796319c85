//! Transfers whose futures are dropped midway leave nothing behind.
#![allow(missing_docs, unreachable_pub, clippy::print_stderr, clippy::unwrap_used)]

mod common;
mod local;

use common::{Lab, PROVIDERS};
use isobox::{Sandbox, WriteOptions};
use local::script;
use std::path::Path;
use std::time::Duration;
use tokio::io::AsyncReadExt;

const SOON: Duration = Duration::from_secs(20);
/// Idle for so long, the sandbox ends; a test is over sooner when all is well.
const IDLE: Duration = Duration::from_millis(1500);

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// Files whose names begin with a dot, as those have that are not complete.
fn hidden(at: &Path) -> Vec<String> {
    let names = std::fs::read_dir(at).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with('.')).collect()
}

/// Drops a call after a while, if it has not ended by itself.
async fn drop_after<T>(time: Duration, call: impl Future<Output = T>) {
    let _ = tokio::time::timeout(time, call).await;
}

async fn drop_each_transfer(sandbox: &Sandbox, place: &Path, time: Duration) {
    let files = sandbox.files();
    let atomic = WriteOptions { atomic: true, ..WriteOptions::default() };
    drop_after(time, files.upload(place.join("tree"), "up")).await;
    drop_after(time, files.upload(place.join("tree/big"), "big up")).await;
    drop_after(time, files.download("tree", place.join("down"))).await;
    drop_after(time, files.download("tree/big", place.join("file"))).await;
    drop_after(time, files.write_stream("endless", tokio::io::repeat(7))).await;
    drop_after(time, files.write_stream_with("atomic", tokio::io::repeat(7), atomic)).await;
    let mut reader = files.read_stream("tree/big").await.unwrap();
    drop_after(time, reader.read_exact(&mut vec![0; 1 << 20])).await;
    drop(reader);
    // A source that never says anything.
    let (_silent, source) = tokio::io::duplex(1);
    drop_after(time, files.write_stream("silent", source)).await;
}

#[tokio::test]
async fn a_dropped_transfer_leaves_no_thread_no_file_and_an_idle_sandbox() {
    for provider in PROVIDERS {
        let lab = Lab::open().await;
        let place = tempfile::tempdir().unwrap();
        script(
            place.path(),
            "mkdir tree; head -c 30000000 /dev/urandom > tree/big; for i in $(seq 500); do echo $i > tree/$i; done",
        );
        let sandbox = lab.isobox.sandbox().provider(provider).idle_timeout(Duration::from_secs(600));
        let sandbox = if provider == "host" { sandbox } else { sandbox.workdir("/tmp") };
        let sandbox = sandbox.create().await.unwrap();
        sandbox.files().upload(place.path().join("tree"), "tree").await.unwrap();
        let before = threads();
        for micros in [0, 50, 500, 2000, 5000, 10_000, 20_000] {
            drop_each_transfer(&sandbox, place.path(), Duration::from_micros(micros)).await;
        }
        assert_eq!(hidden(place.path()), Vec::<String>::new(), "on {provider}");
        // What was broken off in the sandbox goes as well, a moment later.
        let clean = "for i in $(seq 1000); do [ -z \"$(ls -A | grep -e ^[.] -e silent -e atomic)\" ] && exit 0; sleep 0.01; done; ls -A; exit 1";
        let cleaned = sandbox.shell(clean).await.unwrap();
        assert!(cleaned.success(), "on {provider}: {}", cleaned.stdout.text());
        // Threads that have nothing to do end after ten seconds; busy ones would stay.
        let ended = async {
            while threads() > before + 1 {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(SOON, ended).await.unwrap_or_else(|_| panic!("{} threads, {before} before", threads()));
        // Nothing goes on any more, so the idle timeout runs.
        let lifetimes = isobox::Lifetimes { idle_timeout: Some(IDLE.into()), ..isobox::Lifetimes::default() };
        sandbox.set_lifetimes(lifetimes).await.unwrap();
        tokio::time::timeout(SOON, sandbox.ended()).await.expect("the sandbox is still busy").unwrap();
        sandbox.delete().await.unwrap();
        assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new(), "on {provider}");
    }
}
