//! Blobs that are cut, damaged, swapped or endless, and fetches that are.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may panic and talk"
)]

mod common;

use common::hostile::{Hostile, Reply, Seen};
use common::image::noise;
use common::{client, config};
use isobox_contract::{Detail, Error, ErrorCode};
use isobox_registry::{Algorithm, Blob, Digest, Fetched, RegistryConfig};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn blob(bytes: &[u8]) -> Blob {
    Blob { digest: Digest::of(bytes), size: bytes.len() as u64, media_type: "application/octet-stream".into() }
}

async fn fetch_with(config: RegistryConfig, server: &Hostile, blob: &Blob, into: &Path) -> Result<Fetched, Error> {
    client(config).pull(&server.image("a/b"), None).unwrap().fetch(blob, into, &|_| {}, None).await
}

async fn fetch(server: &Hostile, blob: &Blob, into: &Path) -> Result<Fetched, Error> {
    fetch_with(config(), server, blob, into).await
}

/// A place for a partial file, with something in it.
fn place(contents: &[u8]) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("partial");
    std::fs::write(&file, contents).unwrap();
    (directory, file)
}

fn word(error: &Error) -> &str {
    match error.detail() {
        Detail::Provider { code: Some(code), .. } => code,
        other => panic!("{other:?} in {error:?}"),
    }
}

/// What is there, what is received, the ranges that are asked for.
type Case<'a> = (&'a [u8], u64, &'a [Option<usize>]);

type Turn = Box<dyn Fn(&Seen) -> Reply + Send + Sync>;

/// A server that answers the nth request with the nth of these, and the last from then on.
async fn in_turn(replies: Vec<Turn>) -> Hostile {
    let asked = AtomicUsize::new(0);
    Hostile::start(move |seen| {
        let at = asked.fetch_add(1, Ordering::SeqCst).min(replies.len() - 1);
        replies[at](seen)
    })
    .await
}

/// The first `count` bytes of a whole answer, and the end of the connection.
fn cut(bytes: &[u8], count: usize) -> Reply {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", bytes.len());
    Reply::Raw([head.as_bytes(), &bytes[..count]].concat())
}

/// All that is asked for, as a range when it is one.
fn rest(bytes: &[u8], seen: &Seen) -> Reply {
    seen.from().map_or_else(|| Reply::ok(bytes), |from| Reply::part(bytes, from))
}

#[tokio::test]
async fn what_was_cut_goes_on_where_it_stopped() {
    let bytes = noise(5_000_000);
    let (first, second, last) = (bytes.clone(), bytes.clone(), bytes.clone());
    let server = in_turn(vec![
        Box::new(move |_| cut(&first, 3_000_000)),
        Box::new(move |seen| {
            let from = seen.from().unwrap();
            let head = format!(
                "HTTP/1.1 206 Partial\r\ncontent-range: bytes {from}-4999999/5000000\r\ncontent-length: {}\r\n\r\n",
                5_000_000 - from
            );
            Reply::Raw([head.as_bytes(), &second[from..from + 1_000_000]].concat())
        }),
        Box::new(|_| Reply::status(503, "busy")),
        Box::new(move |seen| rest(&last, seen)),
    ])
    .await;
    let (_directory, file) = place(b"");
    let seen = Mutex::new(Vec::new());
    let pull = client(config()).pull(&server.image("a/b"), None).unwrap();
    let fetched = pull.fetch(&blob(&bytes), &file, &|bytes| seen.lock().unwrap().push(bytes), None).await.unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    assert_eq!(fetched, Fetched { received: 5_000_000, found: 0 });
    let asked: Vec<_> = server.seen().iter().map(Seen::from).collect();
    assert_eq!(asked, [None, Some(3_000_000), Some(4_000_000), Some(4_000_000)]);
    assert!(seen.into_inner().unwrap().is_sorted(), "progress went back");
}

#[tokio::test]
async fn a_fetch_that_gets_further_is_tried_on() {
    // Twelve connections of 1.5 MB each, with 5 tries.
    let bytes = noise(18_000_000);
    let whole = bytes.clone();
    let server = Hostile::start(move |seen| {
        let from = seen.from().unwrap_or(0);
        let head = match from {
            0 => "HTTP/1.1 200 OK\r\n".to_owned(),
            from => format!("HTTP/1.1 206 P\r\ncontent-range: bytes {from}-17999999/18000000\r\n"),
        };
        let head = format!("{head}content-length: {}\r\n\r\n", whole.len() - from);
        Reply::Raw([head.as_bytes(), &whole[from..(from + 1_500_000).min(whole.len())]].concat())
    })
    .await;
    let (_directory, file) = place(b"");
    fetch(&server, &blob(&bytes), &file).await.unwrap();
    assert_eq!(server.seen().len(), 12);
    // A byte at a time is no way to get further.
    let trickle = Hostile::start(|seen| {
        let from = seen.from().unwrap_or(0);
        let head = format!("HTTP/1.1 206 P\r\ncontent-range: bytes {from}-999/1000\r\n\r\n");
        match from {
            0 => cut(&[b'a'; 1000], 1),
            _ => Reply::Raw([head.as_bytes(), b"a"].concat()),
        }
    })
    .await;
    let (_directory, file) = place(b"");
    let error = fetch(&trickle, &blob(&[b'a'; 1000]), &file).await.unwrap_err();
    assert!(error.is_retryable() && error.is_infrastructure() && error.code() == ErrorCode::ImagePullFailed);
    assert_eq!((trickle.seen().len(), std::fs::read(&file).unwrap()), (5, vec![b'a'; 5]));
}

#[tokio::test]
async fn a_server_without_ranges_sends_it_all_again() {
    let bytes = noise(2_000_000);
    let (first, whole) = (bytes.clone(), bytes.clone());
    let server =
        in_turn(vec![Box::new(move |_| cut(&first, 1_000_000)), Box::new(move |_| Reply::ok(&whole[..]))]).await;
    let (_directory, file) = place(b"");
    let fetched = fetch(&server, &blob(&bytes), &file).await.unwrap();
    assert_eq!((std::fs::read(&file).unwrap(), fetched.received), (bytes.clone(), 3_000_000));
    // One that says so.
    let whole = bytes.clone();
    let server = Hostile::start(move |seen| match seen.from() {
        Some(_) => Reply::status(416, r#"{"errors":[{"code":"RANGE_INVALID"}]}"#),
        None => Reply::ok(&whole[..]),
    })
    .await;
    let (_directory, file) = place(&bytes[..1000]);
    fetch(&server, &blob(&bytes), &file).await.unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[tokio::test]
async fn what_an_earlier_process_left_is_used_when_it_is_right() {
    let bytes = noise(3_000_000);
    let whole = bytes.clone();
    let server = Hostile::start(move |seen| rest(&whole, seen)).await;
    let damaged = [b"damage".as_slice(), &bytes[6..1_000_000]].concat();
    let longer = [&bytes[..], b"more"].concat();
    let wrong = vec![b'x'; bytes.len()];
    let cases: [Case<'_>; 6] = [
        (&bytes[..1_234_567], 3_000_000 - 1_234_567, &[Some(1_234_567)]),
        (&bytes, 0, &[]),
        (b"", 3_000_000, &[None]),
        (&damaged, 2_000_000 + 3_000_000, &[Some(1_000_000), None]),
        (&longer, 3_000_000, &[None]),
        (&wrong, 3_000_000, &[None]),
    ];
    let mut before = 0;
    for (there, received, ranges) in cases {
        let (_directory, file) = place(there);
        let fetched = fetch(&server, &blob(&bytes), &file).await.unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
        assert_eq!(fetched.received, received);
        let asked: Vec<_> = server.seen()[before..].iter().map(Seen::from).collect();
        assert_eq!(asked, ranges);
        before = server.seen().len();
    }
}

#[tokio::test]
async fn wrong_contents_are_refused_and_not_kept() {
    let bytes = noise(100_000);
    let wrong = vec![b'x'; bytes.len()];
    let sent = wrong.clone();
    let server = Hostile::start(move |_| Reply::ok(&sent[..])).await;
    let (_directory, file) = place(b"");
    let error = fetch(&server, &blob(&bytes), &file).await.unwrap_err();
    assert_eq!((error.code(), word(&error), error.is_retryable()), (ErrorCode::ImagePullFailed, "digest", false));
    for digest in [Digest::of(&bytes), Digest::of(&wrong)] {
        assert!(error.message().contains(&digest.to_string()), "{error}");
    }
    assert_eq!(std::fs::metadata(&file).unwrap().len(), 0);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn wrong_sizes_are_refused_before_the_bytes_are_taken() {
    let bytes = noise(100_000);
    for claimed in [99_999, 100_001, 999_999_999_999_u64] {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {claimed}\r\n\r\n");
        let server = Hostile::start(move |_| Reply::Hang(head.clone().into_bytes())).await;
        let (_directory, file) = place(b"");
        let error = fetch(&server, &blob(&bytes), &file).await.unwrap_err();
        assert_eq!((word(&error), error.is_retryable()), ("size", false));
        assert!(error.message().contains(&claimed.to_string()) && error.message().contains("100000"), "{error}");
    }
}

#[tokio::test]
async fn more_than_was_said_is_not_taken() {
    let bytes = noise(100_000);
    let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    let chunk = [b"10000\r\n".to_vec(), vec![b'x'; 0x10000], b"\r\n".to_vec()].concat();
    let server = Hostile::start(move |_| Reply::Endless(head.clone(), chunk.clone())).await;
    let (_directory, file) = place(b"");
    let error = fetch(&server, &blob(&bytes), &file).await.unwrap_err();
    assert_eq!((word(&error), error.is_retryable()), ("size", false));
    assert_eq!(std::fs::metadata(&file).unwrap().len(), 0);
    // Fewer than the header says is a cut, and more are another answer.
    let whole = bytes.clone();
    let server = Hostile::start(move |_| {
        Reply::Raw([b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n", &whole[..], b"and more"].concat())
    })
    .await;
    fetch(&server, &blob(&bytes), &file).await.unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[tokio::test]
async fn ranges_that_were_not_asked_for_are_refused() {
    let bytes = noise(1000);
    let ranges = ["bytes 0-999/1000", "bytes 501-999/1000", "bytes 500-999/2000", "500-999", "bytes 500-400/1000", ""];
    for range in ranges {
        let whole = bytes.clone();
        let server = Hostile::start(move |_| Reply::status(206, &whole[500..]).with("content-range", range)).await;
        let (_directory, file) = place(&bytes[..500]);
        let error = fetch(&server, &blob(&bytes), &file).await.unwrap_err();
        assert!(["range", "size"].contains(&word(&error)), "{range}: {error}");
    }
    // One whose whole is not known is fine.
    let whole = bytes.clone();
    let server =
        Hostile::start(move |_| Reply::status(206, &whole[500..]).with("content-range", "bytes 500-999/*")).await;
    let (_directory, file) = place(&bytes[..500]);
    fetch(&server, &blob(&bytes), &file).await.unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[tokio::test]
async fn a_blob_that_is_not_there_is_a_failure_of_the_registry() {
    let server = Hostile::start(|_| Reply::status(404, r#"{"errors":[{"code":"BLOB_UNKNOWN"}]}"#)).await;
    let (_directory, file) = place(b"");
    let error = fetch(&server, &blob(b"absent"), &file).await.unwrap_err();
    assert_eq!((error.code(), word(&error), error.is_retryable()), (ErrorCode::ImagePullFailed, "BLOB_UNKNOWN", false));
    assert!(error.message().contains(&Digest::of(b"absent").to_string()), "{error}");
}

#[tokio::test]
async fn silence_is_broken_off_and_tried_again() {
    let bytes = noise(100_000);
    let (first, whole) = (bytes.clone(), bytes.clone());
    let server = in_turn(vec![
        Box::new(move |_| {
            let head = b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n";
            Reply::Hang([head.as_slice(), &first[..50_000]].concat())
        }),
        Box::new(move |seen| rest(&whole, seen)),
    ])
    .await;
    let (_directory, file) = place(b"");
    let impatient = RegistryConfig { read_timeout: Duration::from_millis(100), ..config() };
    fetch_with(impatient, &server, &blob(&bytes), &file).await.unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    assert_eq!(server.seen()[1].from(), Some(50_000));
}

#[tokio::test]
async fn a_deadline_and_a_drop_leave_what_can_be_continued() {
    let bytes = noise(4_000_000);
    let (first, whole) = (bytes.clone(), bytes.clone());
    let server = in_turn(vec![
        Box::new(move |_| {
            let head = b"HTTP/1.1 200 OK\r\ncontent-length: 4000000\r\n\r\n";
            Reply::Hang([head.as_slice(), &first[..3_500_000]].concat())
        }),
        Box::new(move |seen| rest(&whole, seen)),
    ])
    .await;
    let (directory, file) = place(b"");
    let pull = client(config()).pull(&server.image("a/b"), None).unwrap();
    let (reached, mut arrived) = tokio::sync::watch::channel(0);
    let report = move |bytes| {
        let _ = reached.send(bytes);
    };
    let blob = blob(&bytes);
    tokio::select! {
        result = pull.fetch(&blob, &file, &report, None) => panic!("{result:?}"),
        all = arrived.wait_for(|bytes| *bytes == 3_500_000) => drop(all.unwrap()),
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    let fetched = pull.fetch(&blob, &file, &|_| {}, None).await.unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    assert!(fetched.found >= 2_000_000, "{fetched:?}");

    let slow = Hostile::start(|_| Reply::Hang(b"HTTP/1.1 200 OK\r\n\r\n".to_vec())).await;
    let (_directory, file) = place(&bytes[..1000]);
    let pull = client(config()).pull(&slow.image("a/b"), None).unwrap();
    let deadline = Some(Instant::now() + Duration::from_millis(100));
    let error = pull.fetch(&blob, &file, &|_| {}, deadline).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Timeout);
}

#[tokio::test]
async fn one_fetch_at_a_time_has_the_file() {
    let bytes = noise(1000);
    let server = Hostile::start(|_| Reply::Hang(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n".to_vec())).await;
    let (_directory, file) = place(b"");
    let pull = client(config()).pull(&server.image("a/b"), None).unwrap();
    let (blob, (reached, mut arrived)) = (blob(&bytes), tokio::sync::watch::channel(false));
    let report = move |_| {
        let _ = reached.send(true);
    };
    let second = async {
        arrived.wait_for(|begun| *begun).await.unwrap();
        pull.fetch(&blob, &file, &|_| {}, None).await
    };
    tokio::select! {
        result = pull.fetch(&blob, &file, &report, None) => panic!("{result:?}"),
        result = second => assert_eq!(result.unwrap_err().code(), ErrorCode::Conflict),
    }
}

#[tokio::test]
async fn other_algorithms_and_empty_blobs() {
    let bytes = noise(10_000);
    let whole = bytes.clone();
    let server = Hostile::start(move |seen| match seen.path.contains("sha512") {
        true => rest(&whole, seen),
        false => Reply::ok(""),
    })
    .await;
    let (_directory, file) = place(b"");
    let long = Blob { digest: Digest::with(Algorithm::Sha512, &bytes), ..blob(&bytes) };
    fetch(&server, &long, &file).await.unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    std::fs::remove_file(&file).unwrap();
    fetch(&server, &blob(b""), &file).await.unwrap();
    assert_eq!(std::fs::metadata(&file).unwrap().len(), 0);
}

#[tokio::test]
async fn the_file_must_be_a_file() {
    let bytes = noise(10);
    let server = Hostile::start(|_| Reply::ok(noise(10))).await;
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    std::os::unix::fs::symlink(at("target"), at("link")).unwrap();
    assert!(Command::new("mkfifo").arg(at("fifo")).status().unwrap().success());
    for wrong in [at("link"), at("fifo"), at("no/such/directory"), directory.path().to_owned()] {
        fetch(&server, &blob(&bytes), &wrong).await.unwrap_err();
    }
    assert!(!at("target").exists(), "a link was followed");
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_full_disk_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "none"]).arg(directory.path()).output();
    if !mount.is_ok_and(|mount| mount.status.success()) {
        println!("skipped: mounting a small filesystem needs root");
        return;
    }
    let bytes = noise(4_000_000);
    let whole = bytes.clone();
    let server = Hostile::start(move |seen| rest(&whole, seen)).await;
    let result = fetch(&server, &blob(&bytes), &directory.path().join("partial")).await;
    assert!(Command::new("umount").arg(directory.path()).status().unwrap().success());
    let error = result.unwrap_err();
    assert_eq!(error.code(), ErrorCode::OutOfDisk, "{error}");
    assert_eq!(server.seen().len(), 1, "trying again does not help");
}
