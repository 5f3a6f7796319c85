//! Much: a gigabyte both ways in flat memory, ten thousand files both ways. One test after the other, as they measure.
#![allow(missing_docs, unreachable_pub, clippy::print_stderr, clippy::unwrap_used)]

mod common;
mod local;

use isobox::Sandbox;
use local::{on_each_local_workspace, script};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf};

const GIB: u64 = 1 << 30;
const BLOCK: usize = 64 << 10;
/// How much more memory a transfer may take, at its peak.
const FLAT: u64 = 64 << 20;

/// Fills a block so that every block of the file is another one.
fn block(number: u64) -> Vec<u8> {
    local::noise(number + 1, 64).repeat(BLOCK / 64)
}

/// The file, as it is read.
struct Source {
    position: u64,
    block: Vec<u8>,
}

impl Source {
    fn new() -> Self {
        Self { position: 0, block: Vec::new() }
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.position == GIB {
            return Ok(0);
        }
        let at = (self.position % BLOCK as u64) as usize;
        if at == 0 {
            self.block = block(self.position / BLOCK as u64);
        }
        let length = buffer.len().min(BLOCK - at);
        buffer[..length].copy_from_slice(&self.block[at..at + length]);
        self.position += length as u64;
        Ok(length)
    }
}

impl AsyncRead for Source {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let length = Read::read(&mut *self, buffer.initialize_unfilled())?;
        buffer.advance(length);
        Poll::Ready(Ok(()))
    }
}

/// Takes bytes, and finds out whether they are the file's.
struct Check(Source);

impl Write for Check {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut expected = vec![0; bytes.len()];
        self.0.read_exact(&mut expected)?;
        assert!(expected == bytes, "other bytes before {}", self.0.position);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A line of a process's status, in bytes.
fn status(file: &str, name: &str) -> u64 {
    let line = file.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name} in {file}"));
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}

/// Forgets the peaks of this process's memory, so that the next one can be told.
fn forget_peak() -> u64 {
    fs::write("/proc/self/clear_refs", "5").unwrap();
    status(&fs::read_to_string("/proc/self/status").unwrap(), "VmRSS:")
}

fn peak() -> u64 {
    status(&fs::read_to_string("/proc/self/status").unwrap(), "VmHWM:")
}

/// The most memory that the agent ever had: of the processes above a command, the ones that are isobox's.
async fn agents_peak(sandbox: &Sandbox) -> u64 {
    let up =
        "p=$PPID; while [ ${p:-0} -gt 0 ] && [ $p != $0 ]; do echo $p; cat /proc/$p/status | grep -e Name: -e VmHWM:;
        p=$(awk '/^PPid:/ {print $2}' /proc/$p/status); done";
    let own = std::process::id().to_string();
    let seen = sandbox.exec(["sh", "-c", up, &own]).await.unwrap().stdout.text().into_owned();
    let names: Vec<&str> = seen.lines().filter(|line| line.starts_with("Name:")).collect();
    assert!(names.iter().any(|name| name.contains("isobox")), "{seen}");
    seen.lines().filter(|line| line.starts_with("VmHWM:")).map(|line| status(line, "VmHWM:")).max().unwrap()
}

async fn through_streams(sandbox: &Sandbox) {
    let files = sandbox.files();
    assert_eq!(files.write_stream("big", Source::new()).await.unwrap(), GIB);
    let mut reader = files.read_stream("big").await.unwrap();
    let mut check = Check(Source::new());
    let mut buffer = vec![0; 256 << 10];
    loop {
        let read = tokio::io::AsyncReadExt::read(&mut reader, &mut buffer).await.unwrap();
        if read == 0 {
            break;
        }
        check.write_all(&buffer[..read]).unwrap();
    }
    assert_eq!(check.0.position, GIB);
    files.remove("big").await.unwrap();
}

async fn as_a_tree(sandbox: &Sandbox, place: &Path) {
    let (from, to) = (place.join("from"), place.join("to"));
    fs::create_dir(&from).unwrap();
    io::copy(&mut Source::new(), &mut fs::File::create(from.join("big")).unwrap()).unwrap();
    let report = sandbox.files().upload(&from, "tree").await.unwrap();
    assert_eq!((report.files, report.bytes), (1, GIB));
    fs::remove_dir_all(from).unwrap();
    sandbox.files().download("tree", &to).await.unwrap();
    io::copy(&mut fs::File::open(to.join("big")).unwrap(), &mut Check(Source::new())).unwrap();
    assert_eq!(to.join("big").metadata().unwrap().len(), GIB);
    fs::remove_dir_all(to).unwrap();
    sandbox.files().remove_all("tree").await.unwrap();
}

async fn many_files(sandbox: &Sandbox, place: &Path) {
    let (from, to) = (place.join("from"), place.join("to"));
    for directory in 0..100 {
        fs::create_dir_all(from.join(directory.to_string())).unwrap();
        for file in 0..100 {
            fs::write(from.join(format!("{directory}/{file}")), format!("{directory} and {file}")).unwrap();
        }
    }
    let up = sandbox.files().upload(&from, "many").await.unwrap();
    assert_eq!((up.files, up.directories), (10_000, 100));
    let down = sandbox.files().download("many", &to).await.unwrap();
    assert_eq!(up, down);
    script(place, "diff -r from to && rm -r from to");
    sandbox.files().remove_all("many").await.unwrap();
}

#[tokio::test]
async fn a_gigabyte_and_ten_thousand_files_go_both_ways_in_flat_memory() {
    on_each_local_workspace(async |provider, sandbox| {
        let place = tempfile::tempdir().unwrap();
        many_files(&sandbox, place.path()).await;
        let before = (forget_peak(), agents_peak(&sandbox).await);
        let moving = async {
            through_streams(&sandbox).await;
            as_a_tree(&sandbox, place.path()).await;
        };
        tokio::time::timeout(Duration::from_secs(300), moving).await.unwrap();
        let after = (peak(), agents_peak(&sandbox).await);
        let grown = (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1));
        eprintln!("on {provider}, this process grew by {} KiB and the agent by {} KiB", grown.0 >> 10, grown.1 >> 10);
        assert!(grown.0 < FLAT && grown.1 < FLAT, "{before:?} grew to {after:?} on {provider}");
    })
    .await;
}
