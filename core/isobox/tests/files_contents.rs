//! Reading and writing what is in a file.
#![allow(missing_docs, unreachable_pub, clippy::print_stderr, clippy::unwrap_used)]

mod common;
mod local;

use isobox::{Detail, ErrorCode, FileErrorKind, Range, WriteOptions};
use local::{file_detail, noise, on_each_workspace};
use tokio::io::AsyncReadExt;

#[tokio::test]
async fn bytes_come_back_as_they_were() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        let every: Vec<u8> = (0..=255).cycle().take(1 << 20).collect();
        for contents in [Vec::new(), b"\0".to_vec(), b"\xff\xfe\r\n".to_vec(), every] {
            files.write("deep/er/file", contents.clone()).await.unwrap();
            assert_eq!(files.read("deep/er/file").await.unwrap(), contents);
            let mut streamed = Vec::new();
            files.read_stream("deep/er/file").await.unwrap().read_to_end(&mut streamed).await.unwrap();
            assert_eq!(streamed, contents);
        }
        let modes = sandbox.shell("stat -c %a deep deep/er deep/er/file").await.unwrap();
        assert_eq!(modes.stdout.text(), "755\n755\n644\n");
        files.write("bad", &b"\xff"[..]).await.unwrap();
        assert_eq!(files.read_text("bad").await.unwrap_err().code(), ErrorCode::Io);
    })
    .await;
}

#[tokio::test]
async fn ranges_end_where_the_file_ends() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        files.write("digits", "0123456789").await.unwrap();
        let cases = [(0, Some(3), "012"), (7, None, "789"), (8, Some(100), "89"), (3, Some(0), ""), (10, None, "")];
        for (offset, length, expected) in cases.into_iter().chain([(1 << 40, Some(5), "")]) {
            let range = Range { offset, length };
            assert_eq!(files.read_range("digits", range, 1000).await.unwrap(), expected);
            let mut streamed = String::new();
            files.read_stream_range("digits", range).await.unwrap().read_to_string(&mut streamed).await.unwrap();
            assert_eq!(streamed, expected);
        }
    })
    .await;
}

#[tokio::test]
async fn a_limit_holds_also_for_files_that_claim_to_be_empty() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        files.write("five", "12345").await.unwrap();
        assert_eq!(files.read_range("five", Range::ALL, 5).await.unwrap(), "12345");
        assert_eq!(files.read_range("five", Range { offset: 2, length: None }, 3).await.unwrap(), "345");
        for path in ["five", "/proc/self/status"] {
            let error = files.read_range(path, Range::ALL, 4).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::LimitExceeded);
            assert!(matches!(error.detail(), Detail::Limit { max: Some(4), .. }), "{error:?}");
        }
        let status = files.read_text("/proc/self/status").await.unwrap();
        assert!(status.contains("VmRSS"), "{status}");
        let local = tempfile::tempdir().unwrap();
        let report = files.download("/proc/self/status", local.path().join("status")).await.unwrap();
        assert!(report.bytes > 100, "{report:?}");
    })
    .await;
}

#[tokio::test]
async fn appends_add_up_and_keep_what_was_there() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        files.append("logs/today", "one\n").await.unwrap();
        sandbox.shell("echo two >> logs/today; chmod 600 logs/today").await.unwrap();
        files.append("logs/today", "three\n").await.unwrap();
        assert_eq!(files.read_text("logs/today").await.unwrap(), "one\ntwo\nthree\n");
        assert_eq!(files.stat("logs/today").await.unwrap().mode, Some(0o600));
        let (a, b) = (noise(1, 300_000), noise(2, 300_000));
        let (first, second) = tokio::join!(files.append("both", a), files.append("both", b));
        first.and(second).unwrap();
        assert_eq!(files.stat("both").await.unwrap().size, 600_000);
    })
    .await;
}

#[tokio::test]
async fn a_write_replaces_the_contents_and_keeps_the_mode_and_the_link() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        sandbox
            .shell("echo long contents > real; chmod 751 real; ln -s real link; ln -s later dangling")
            .await
            .unwrap();
        for atomic in [false, true] {
            let options = WriteOptions { atomic, ..WriteOptions::default() };
            files.write_with("link", "new", options).await.unwrap();
            let seen = sandbox.shell("stat -c '%a %F' real link; cat real; ls -A").await.unwrap();
            let expected = "751 regular file\n777 symbolic link\nnewdangling\nlink\nreal\n";
            assert_eq!(seen.stdout.text(), expected, "atomic: {atomic}");
        }
        files.write("dangling", "made").await.unwrap();
        assert_eq!(files.read_text("later").await.unwrap(), "made");
        let options = WriteOptions { mode: Some(0o4710), ..WriteOptions::default() };
        files.write_with("real", "x", options.clone()).await.unwrap();
        files.write_with("fresh", "x", options).await.unwrap();
        let modes = sandbox.shell("stat -c %a real fresh").await.unwrap();
        assert_eq!(modes.stdout.text(), "4710\n4710\n");
    })
    .await;
}

#[tokio::test]
async fn exclusive_never_replaces() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        sandbox.shell("echo old > old; mkdir dir; ln -s nowhere dangling").await.unwrap();
        for atomic in [false, true] {
            let exclusive = WriteOptions { exclusive: true, atomic, ..WriteOptions::default() };
            for path in ["old", "dangling", "dir"] {
                let error = files.write_with(path, "new", exclusive.clone()).await.unwrap_err();
                assert_eq!(error.code(), ErrorCode::AlreadyExists, "{path}, atomic: {atomic}: {error}");
                assert_eq!(file_detail(&error), (path.to_owned(), FileErrorKind::AlreadyExists));
            }
            files.write_with(format!("new {atomic}"), "new", exclusive).await.unwrap();
        }
        let exclusive = WriteOptions { exclusive: true, ..WriteOptions::default() };
        let error = files.mkdir_with("dir", exclusive.clone()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::AlreadyExists);
        files.mkdir_with("dir/new", exclusive).await.unwrap();
        let seen = sandbox.shell("cat old; ls -A").await.unwrap();
        assert_eq!(seen.stdout.text(), "old\ndangling\ndir\nnew false\nnew true\nold\n");
    })
    .await;
}

#[tokio::test]
async fn an_atomic_write_is_never_seen_half() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        let atomic = WriteOptions { atomic: true, ..WriteOptions::default() };
        files.write("shared", vec![b'a'; 300_000]).await.unwrap();
        // Each look opens the file anew; what it finds must be all of one letter and whole.
        let looking = "until [ -e stop ]; do c=$(tr -d a < shared | tr -d b | wc -c); s=$(wc -c < shared);
            d=$(fold -w 100000 shared | uniq | wc -l); [ \"$c $s $d\" = '0 300000 1' ] || echo \"$c $s $d\"; n=$((n+1)); done; echo looked; [ $n -gt 3 ]";
        let looker = sandbox.shell(looking).spawn().await.unwrap();
        for round in 0..40 {
            let letter = if round % 2 == 0 { b'b' } else { b'a' };
            files.write_with("shared", vec![letter; 300_000], atomic.clone()).await.unwrap();
        }
        sandbox.shell("sleep 0.2; touch stop").await.unwrap();
        let result = looker.wait().await.unwrap();
        assert_eq!((result.stdout.text().as_ref(), result.exit_code), ("looked\n", 0));
        assert_eq!(sandbox.shell("ls -A").await.unwrap().stdout.text(), "shared\nstop\n");
    })
    .await;
}

#[tokio::test]
async fn a_length_is_kept_to() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        let ten = |atomic| WriteOptions { length: Some(10), atomic, ..WriteOptions::default() };
        for atomic in [false, true] {
            let error = files.write_stream_with("short", &b"12345"[..], ten(atomic)).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::Io, "{error}");
            assert!(!files.exists("short").await.unwrap(), "atomic: {atomic}");
            let mut source = &b"0123456789surplus"[..];
            assert_eq!(files.write_stream_with("long", &mut source, ten(atomic)).await.unwrap(), 10);
            assert_eq!(source, b"surplus");
            assert_eq!(files.read("long").await.unwrap(), "0123456789");
        }
        assert!(files.write_with("bytes", "12345", ten(false)).await.is_err());
        assert!(files.write_with("bytes", "0123456789x", ten(false)).await.is_err());
        assert!(!files.exists("bytes").await.unwrap());
        assert_eq!(sandbox.shell("ls -A").await.unwrap().stdout.text(), "long\n");
    })
    .await;
}

#[tokio::test]
async fn parents_are_made_only_when_asked_for() {
    on_each_workspace(async |_, sandbox| {
        let files = sandbox.files();
        let alone = WriteOptions { parents: false, ..WriteOptions::default() };
        for atomic in [false, true] {
            let options = WriteOptions { atomic, ..alone.clone() };
            let error = files.write_with("no/such/file", "x", options).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::NotFound);
            assert_eq!(file_detail(&error).0, "no/such/file");
        }
        assert_eq!(files.mkdir_with("no/such", alone).await.unwrap_err().code(), ErrorCode::NotFound);
        assert!(!files.exists("no").await.unwrap());
        files.mkdir("some/such").await.unwrap();
        files.mkdir("some/such").await.unwrap();
        files.write("some/such/file", "x").await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_source_that_fails_is_told_apart_and_leaves_nothing() {
    on_each_workspace(async |_, sandbox| {
        let broken = broken_source();
        let error = sandbox.files().write_stream("target", broken).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Io);
        assert!(error.message().contains("source"), "{error}");
        // The agent learns of the end a moment later.
        let gone = sandbox.shell("for i in $(seq 500); do [ -e target ] || exit 0; sleep 0.01; done; exit 1").await;
        assert!(gone.unwrap().success());
    })
    .await;
}

/// A megabyte and then an error.
fn broken_source() -> impl tokio::io::AsyncRead + Send + Unpin {
    struct Broken(usize);
    impl tokio::io::AsyncRead for Broken {
        fn poll_read(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
            buffer: &mut tokio::io::ReadBuf<'_>,
        ) -> std::task::Poll<std::io::Result<()>> {
            if self.0 == 0 {
                return std::task::Poll::Ready(Err(std::io::ErrorKind::ConnectionReset.into()));
            }
            let length = buffer.remaining().min(self.0);
            buffer.put_slice(&vec![7; length]);
            self.0 -= length;
            std::task::Poll::Ready(Ok(()))
        }
    }
    Broken(1 << 20)
}
