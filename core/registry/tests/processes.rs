//! Fetches in processes of their own: one that is killed, and one whose memory is looked at.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a test may panic and talk"
)]

mod common;

use common::hostile::{Hostile, Reply, honest};
use common::image::{Image, host, noise};
use common::{client, config, reference};
use isobox_registry::{Blob, Digest};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Tells the test that it is the child: the registry's address, a digest, a size, and the file.
const CHILD: &str = "ISOBOX_TEST_FETCH";

/// Tells the test that it is the child: the reference to resolve, in a registry that is spoken to over plain HTTP.
const RESOLVE: &str = "ISOBOX_TEST_RESOLVE";

#[tokio::test]
async fn child_that_resolves() {
    let Ok(name) = std::env::var(RESOLVE) else { return };
    let mut config = config();
    config.insecure.insert("registry.invalid".into());
    client(config).pull(&reference(&name), None).unwrap().resolve(None, None).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_is_used_except_for_this_machine() {
    let image = Image::oci(&host(), &[b"layer"]);
    let (proxied, direct) = (image.clone(), image);
    let proxy = Hostile::start(move |seen| honest(&proxied, seen)).await;
    let server = Hostile::start(move |seen| honest(&direct, seen)).await;
    for name in ["registry.invalid/a".to_owned(), format!("{}/a", server.address)] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["child_that_resolves", "--exact"])
            .env(RESOLVE, name)
            .env_remove("NO_PROXY")
            .env_remove("no_proxy");
        for variable in ["HTTP_PROXY", "http_proxy"] {
            command.env(variable, format!("http://{}", proxy.address));
        }
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let asked: Vec<_> = proxy.seen().iter().map(|seen| seen.path.clone()).collect();
    assert!(asked.len() == 2 && asked.iter().all(|path| path.starts_with("http://registry.invalid/v2/")), "{asked:?}");
    assert_eq!(server.seen().len(), 2);
}

/// Fetches what the environment says, and prints how much there is, and at the end the most memory that it took.
#[tokio::test]
async fn child() {
    let Ok(order) = std::env::var(CHILD) else { return };
    let [address, digest, size, file] = order.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let blob = Blob { digest: digest.parse().unwrap(), size: size.parse().unwrap(), media_type: "a/b".into() };
    let pull = client(config()).pull(&reference(&format!("{address}/a")), None).unwrap();
    pull.fetch(&blob, Path::new(file), &|bytes| println!("at {bytes}"), None).await.unwrap();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    println!("peak {}", peak.trim().trim_end_matches(" kB"));
}

/// A process that fetches.
fn spawn(server: &Hostile, blob: &Blob, file: &Path) -> (Child, impl Iterator<Item = (String, u64)> + use<>) {
    let order = format!("{} {} {} {}", server.address, blob.digest, blob.size, file.display());
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["child", "--exact", "--nocapture"]).env(CHILD, order);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let said = lines.filter_map(|line| {
        let (word, number) = line.split_once(' ')?;
        Some((word.to_owned(), number.parse().ok()?))
    });
    (child, said)
}

fn blob(bytes: &[u8]) -> Blob {
    Blob { digest: Digest::of(bytes), size: bytes.len() as u64, media_type: "a/b".into() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_fetch_is_continued_by_the_next_process() {
    let bytes = noise(8_000_000);
    let whole = bytes.clone();
    let server = Hostile::start(move |seen| match seen.from() {
        Some(from) => Reply::part(&whole, from),
        None => {
            let head = b"HTTP/1.1 200 OK\r\ncontent-length: 8000000\r\n\r\n";
            Reply::Hang([head.as_slice(), &whole[..6_000_000]].concat())
        }
    })
    .await;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("partial");
    let (mut child, mut said) = spawn(&server, &blob(&bytes), &file);
    assert!(said.any(|(_, bytes)| bytes == 6_000_000));
    child.kill().unwrap();
    child.wait().unwrap();

    let pull = client(config()).pull(&server.image("a"), None).unwrap();
    let fetched = pull.fetch(&blob(&bytes), &file, &|_| {}, None).await.unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    // What had not been written yet comes again.
    assert!(fetched.found >= 3_000_000 && fetched.found + fetched.received == 8_000_000, "{fetched:?}");
    assert_eq!(server.seen().last().unwrap().from(), Some(usize::try_from(fetched.found).unwrap()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_blob_takes_no_more_memory_than_a_small_one() {
    let directory = tempfile::tempdir().unwrap();
    let mut peaks = Vec::new();
    for size in [4_000_000, 200_000_000] {
        let bytes = noise(size);
        let whole = bytes.clone();
        let server = Hostile::start(move |_| Reply::ok(&whole[..])).await;
        let file = directory.path().join("partial");
        let (mut child, said) = spawn(&server, &blob(&bytes), &file);
        peaks.push(said.filter(|(word, _)| word == "peak").last().unwrap().1);
        assert!(child.wait().unwrap().success());
        std::fs::remove_file(&file).unwrap();
    }
    println!("peak memory: {} KiB for 4 MB, {} KiB for 200 MB", peaks[0], peaks[1]);
    assert!(peaks[1] < peaks[0] + 8 * 1024, "{peaks:?}");
}
