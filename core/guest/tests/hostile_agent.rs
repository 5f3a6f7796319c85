//! An agent that was taken over: it says the hello as it should, and then whatever it likes.
#![allow(missing_docs, clippy::unwrap_used)]

use futures::future::poll_fn;
use futures::{AsyncReadExt, AsyncWriteExt};
use isobox_contract::{
    DownloadOptions, Error, ErrorCode, Exec, ExecId, ExecRequest, Files, Ports, Range, SandboxPath, UploadOptions,
    WriteOptions,
};
use isobox_guest::{Greeting, Guest};
use isobox_wire::frame::{DATA_MAX, HEADER, Header, message};
use isobox_wire::{Answer, Blob, Failure, FailureCode, Kind, ProcessInfo, Reply, Welcome, file};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt as _;
use tokio_util::compat::TokioAsyncReadCompatExt;

/// What the agent does with one operation's stream, after the request was read.
type Malice = Arc<dyn Fn(u64) -> Option<Vec<u8>> + Send + Sync>;

const PATIENCE: Duration = Duration::from_secs(30);

fn reply(answer: Answer) -> Vec<u8> {
    message(&answer).unwrap()
}

fn frame(kind: u8, length: u32, payload: &[u8]) -> Vec<u8> {
    [&[kind][..], &length.to_be_bytes(), payload].concat()
}

fn data(payload: &[u8]) -> Vec<u8> {
    frame(Kind::Data as u8, payload.len() as u32, payload)
}

fn eof() -> Vec<u8> {
    frame(Kind::Eof as u8, 0, b"")
}

fn welcome() -> Welcome {
    Welcome {
        build: "b".into(),
        os: "linux".into(),
        arch: "x86_64".into(),
        kernel: "6".into(),
        workdir: Blob::from(b"/".to_vec()),
    }
}

async fn speak(mut stream: yamux::Stream, malice: Malice) {
    let mut header = [0; HEADER];
    if stream.read_exact(&mut header).await.is_err() {
        return;
    }
    let mut request = vec![0; Header::decode(header).unwrap().length];
    let _ = stream.read_exact(&mut request).await;
    let mut piece = 0;
    while let Some(bytes) = malice(piece) {
        if stream.write_all(&bytes).await.is_err() {
            return;
        }
        piece += 1;
    }
    let _ = stream.flush().await;
    // Whatever the client still says is read and forgotten, and the stream stays open.
    let mut rest = vec![0; 64 << 10];
    while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
}

/// Serves streams: the first is the hello, the others meet `malice`.
async fn serve(io: tokio::io::DuplexStream, hello: Malice, malice: Malice) {
    let mut connection = yamux::Connection::new(io.compat(), yamux::Config::default(), yamux::Mode::Server);
    let mut hello = Some(hello);
    while let Some(Ok(stream)) = poll_fn(|cx| connection.poll_next_inbound(cx)).await {
        tokio::spawn(speak(stream, hello.take().unwrap_or_else(|| malice.clone())));
    }
}

/// Nobody ever knows what the sandbox died of.
fn obituary() -> isobox_guest::Obituary {
    tokio::sync::watch::channel(None).1
}

fn greeting() -> Greeting {
    Greeting { token: b"token".to_vec(), build: "b".into(), owner: true }
}

async fn connect(hello: Vec<u8>, malice: Malice) -> Result<Guest, Error> {
    let (ours, theirs) = tokio::io::duplex(64 << 10);
    let hello: Malice = Arc::new(move |piece| (piece == 0).then(|| hello.clone()));
    tokio::spawn(serve(theirs, hello, malice));
    Guest::connect(ours, greeting(), obituary()).await
}

/// A client whose operations get these frames.
async fn guest(frames: Vec<Vec<u8>>) -> Guest {
    let malice: Malice = Arc::new(move |piece| frames.get(piece as usize).cloned());
    connect(reply(Ok(Reply::Welcome(welcome()))), malice).await.unwrap()
}

/// A client whose operations get a beginning and then one frame for ever.
async fn endless(beginning: Vec<u8>, again: Vec<u8>) -> Guest {
    let malice: Malice = Arc::new(move |piece| Some(if piece == 0 { beginning.clone() } else { again.clone() }));
    connect(reply(Ok(Reply::Welcome(welcome()))), malice).await.unwrap()
}

fn path() -> SandboxPath {
    SandboxPath::from("file")
}

async fn fails<T>(what: &str, call: impl Future<Output = Result<T, Error>>) -> Error {
    let done = tokio::time::timeout(PATIENCE, call).await;
    done.unwrap_or_else(|_| panic!("{what}: no end")).err().unwrap_or_else(|| panic!("{what}: believed"))
}

/// Every operation, to its end.
async fn all(guest: &Guest) -> Vec<(&'static str, Error)> {
    let local = tempfile::tempdir().unwrap();
    std::fs::create_dir(local.path().join("dir")).unwrap();
    std::fs::write(local.path().join("dir/f"), vec![1; 1 << 20]).unwrap();
    let target = local.path().join("target");
    let plain = WriteOptions::default;
    let stream = async {
        let mut reader = guest.read_stream(&path(), Range::ALL).await?;
        let copied = tokio::io::copy(&mut reader, &mut tokio::io::sink()).await;
        copied.map_err(|error| error.downcast::<Error>().expect("an error of the contract"))
    };
    let mut watch = guest.watch(&path(), false).await;
    let watched = async { watch.as_mut().map_err(|error| error.clone())?.next().await };
    let mut source = tokio::io::repeat(7).take(1 << 20);
    let errors = vec![
        ("read", fails("read", guest.read(&path(), Range::ALL, 1 << 20)).await),
        ("read_stream", fails("read_stream", stream).await),
        ("stat", fails("stat", guest.stat(&path(), true)).await),
        ("list", fails("list", guest.list(&path(), 1)).await),
        ("read_link", fails("read_link", guest.read_link(&path())).await),
        ("watch", fails("watch", watched).await),
        ("write", fails("write", guest.write(&path(), vec![1; 1 << 20].into(), plain())).await),
        ("write_stream", fails("write_stream", guest.write_stream(&path(), &mut source, plain())).await),
        ("rename", fails("rename", guest.rename(&path(), &path())).await),
        ("copy", fails("copy", guest.copy(&path(), &path())).await),
        ("remove", fails("remove", guest.remove(&path(), true)).await),
        ("download", fails("download", guest.download(&path(), &target, DownloadOptions::default())).await),
        ("upload", fails("upload", guest.upload(&local.path().join("dir"), &path(), UploadOptions::default())).await),
        ("connect", fails("connect", guest.connect(80)).await),
        ("listening", fails("listening", guest.listening()).await),
        ("metrics", fails("metrics", guest.measure()).await),
    ];
    assert_eq!(std::fs::read_dir(local.path()).unwrap().count(), 1, "something was written");
    errors
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_goes_without_a_word_is_not_waited_for() {
    let (_nobody_knows, obituary) = tokio::sync::watch::channel(None);
    let (ours, theirs) = tokio::io::duplex(64 << 10);
    let welcome = reply(Ok(Reply::Welcome(welcome())));
    let (asked, mut listening) = tokio::sync::mpsc::unbounded_channel();
    let silence: Malice = Arc::new(move |_| {
        asked.send(()).unwrap();
        None
    });
    let hello: Malice = Arc::new(move |piece| (piece == 0).then(|| welcome.clone()));
    let agent = tokio::spawn(serve(theirs, hello, silence));
    let guest = Guest::connect(ours, greeting(), obituary).await.unwrap();
    let begun = tokio::time::Instant::now();
    let word = tokio::spawn(async move { guest.ending().await });
    listening.recv().await.unwrap();
    agent.abort();
    assert_eq!(word.await.unwrap().unwrap_err().code(), ErrorCode::Transport);
    assert_eq!(begun.elapsed(), Duration::ZERO, "whoever waits for the end of a sandbox waits for this");
}

#[tokio::test]
async fn frames_that_are_none_are_a_transport_error_in_every_operation() {
    let junk = |bytes: Vec<u8>| guest(vec![bytes]);
    let too_long = frame(Kind::Data as u8, DATA_MAX as u32 + 1, b"");
    let wrong: Vec<(&str, Vec<u8>)> = vec![
        ("an unknown kind", frame(77, 0, b"")),
        ("a frame over its limit", too_long),
        ("a message of 4 GiB", frame(Kind::Message as u8, u32::MAX, b"")),
        ("an end with a payload", frame(Kind::Eof as u8, 3, b"abc")),
        ("output of a command", frame(Kind::Stdout as u8, 3, b"abc")),
        ("garbage for an answer", frame(Kind::Message as u8, 3, b"\xff\xff\xff")),
        ("an empty answer", frame(Kind::Message as u8, 0, b"")),
        (
            "another answer",
            reply(Ok(Reply::Lifetimes(isobox_wire::Lifetimes { lease: None, ttl: None, idle_timeout: None }))),
        ),
    ];
    for (what, bytes) in wrong {
        for (operation, error) in all(&junk(bytes).await).await {
            assert_eq!(error.code(), ErrorCode::Transport, "{what}, {operation}: {error}");
        }
    }
}

#[tokio::test]
async fn a_hello_that_is_none_is_refused() {
    let long = Welcome { os: "x".repeat(1000), ..welcome() };
    let control = Welcome { kernel: "\x1b[2J".into(), ..welcome() };
    for hello in [reply(Ok(Reply::Done)), reply(Ok(Reply::Welcome(long))), reply(Ok(Reply::Welcome(control))), eof()] {
        let refused = fails("hello", connect(hello, Arc::new(|_| None))).await;
        assert_eq!(refused.code(), ErrorCode::Transport);
    }
}

#[tokio::test(start_paused = true)]
async fn a_hello_that_is_never_answered_is_a_timeout() {
    let (ours, _theirs) = tokio::io::duplex(64 << 10);
    let error = Guest::connect(ours, greeting(), obituary()).await.err().unwrap();
    assert_eq!(error.code(), ErrorCode::Timeout);
}

#[tokio::test]
async fn what_is_never_answered_ends_with_the_callers_patience_and_costs_nothing_else() {
    let guest = guest(Vec::new()).await;
    let path = path();
    for _ in 0..2000 {
        let call = tokio::time::timeout(Duration::from_micros(200), guest.stat(&path, true));
        assert!(call.await.is_err());
    }
    assert!(guest.is_connected());
}

#[tokio::test(start_paused = true)]
async fn a_timeout_holds_for_a_command_whose_agent_stands_still() {
    let timed = || ExecRequest::argv(["true"]).timeout(Duration::from_secs(5));
    let limit = Duration::from_secs(60);
    // It stands still before it has read the request, or when the command runs.
    let still = guest(Vec::new()).await;
    let run = tokio::time::timeout(limit, still.run(timed())).await.expect("it ends").unwrap_err();
    let spawned = tokio::time::timeout(limit, still.spawn(timed())).await.expect("it ends").err().unwrap();
    let started = ProcessInfo {
        id: ExecId::generate().to_string(),
        pid: 0,
        argv: Vec::new(),
        label: None,
        user: None,
        stdout: 0,
        stderr: 0,
        cpu_micros: None,
        memory: None,
        started_at: 0,
        detached: false,
        pty: false,
        stdin: false,
        merge_stderr: false,
        grace: None,
        exit: None,
        alive: false,
    };
    let process = guest(vec![reply(Ok(Reply::Started(started)))]).await.spawn(timed()).await.unwrap();
    let waited = tokio::time::timeout(limit, process.wait()).await.expect("it ends").unwrap_err();
    for error in [run, spawned, waited] {
        assert_eq!(error.code(), ErrorCode::Incomplete, "{error}");
    }
    // Without one there is no end to be waited for.
    let patient = still.run(ExecRequest::argv(["true"]));
    assert!(tokio::time::timeout(limit * 60, patient).await.is_err());
}

#[tokio::test]
async fn text_from_the_agent_cannot_control_a_terminal() {
    let failure = Failure::new(FailureCode::NotFound, format!("\x1b[2J\n{}", "x".repeat(100_000)));
    for (operation, error) in all(&guest(vec![reply(Err(failure))]).await).await {
        assert_eq!(error.code(), ErrorCode::NotFound, "{operation}");
        assert!(error.message().len() < 5000 && !error.message().contains(char::is_control), "{operation}");
    }
}

#[tokio::test]
async fn more_than_was_asked_for_is_refused() {
    let opened = reply(Ok(Reply::Opened { size: 4 }));
    let flood = || endless(opened.clone(), data(&[7; DATA_MAX]));
    let ten = Range { offset: 0, length: Some(10) };
    let error = fails("range", flood().await.read(&path(), ten, 1 << 30)).await;
    assert_eq!(error.code(), ErrorCode::Transport);
    let error = fails("limit", flood().await.read(&path(), Range::ALL, 1 << 20)).await;
    assert_eq!(error.code(), ErrorCode::LimitExceeded);
    let mut reader = flood().await.read_stream(&path(), ten).await.unwrap();
    let read = tokio::io::copy(&mut reader, &mut tokio::io::sink()).await.unwrap_err();
    assert_eq!(read.downcast::<Error>().unwrap().code(), ErrorCode::Transport);
    // A size that no file has takes no memory by itself.
    let lies =
        guest(vec![reply(Ok(Reply::Opened { size: u64::MAX })), data(b"few"), eof(), reply(Ok(Reply::Done))]).await;
    assert_eq!(fails("size", lies.read(&path(), Range::ALL, 1 << 20)).await.code(), ErrorCode::LimitExceeded);
    assert_eq!(&lies.read(&path(), Range::ALL, u64::MAX).await.unwrap()[..], b"few");
}

fn metadata(kind: file::FileKind, size: u64) -> file::Metadata {
    let (modified, modified_nanos) = (i64::MIN, u32::MAX);
    file::Metadata { kind, size, mode: u32::MAX, uid: 0, gid: 0, modified, modified_nanos, links: 1, target: None }
}

fn entry(path: &[u8]) -> file::Entry {
    file::Entry { path: Blob::from(path.to_vec()), metadata: metadata(file::FileKind::File, 1) }
}

#[tokio::test]
async fn listed_paths_never_lead_out() {
    let bad: [&[u8]; 9] = [b"..", b"../x", b"a/../b", b"/etc/passwd", b"", b".", b"a//b", b"a/", b"nul\0"];
    for path_ in bad {
        let guest = guest(vec![reply(Ok(Reply::Entries(vec![entry(b"fine"), entry(path_)])))]).await;
        let error = fails("list", guest.list(&path(), 1)).await;
        assert_eq!(error.code(), ErrorCode::Transport, "{path_:?}");
    }
    let end = reply(Ok(Reply::Entries(Vec::new())));
    let guest = guest(vec![reply(Ok(Reply::Entries(vec![entry(b"..fine/\xff...")]))), end]).await;
    let listed = guest.list(&path(), 1).await.unwrap();
    assert_eq!(listed[0].metadata.mode, Some(0o7777));
    let change = file::Change { kind: file::ChangeKind::Created, path: Blob::from(b"../x".to_vec()), renamed_to: None };
    let guest = self::guest(vec![reply(Ok(Reply::Done)), reply(Ok(Reply::Changed(change)))]).await;
    let mut watch = guest.watch(&path(), false).await.unwrap();
    assert_eq!(watch.next().await.unwrap_err().code(), ErrorCode::Transport);
}

#[tokio::test]
async fn a_listing_without_end_is_cut() {
    let pages = vec![entry(&[b'x'; 4000]); 1000];
    let page = reply(Ok(Reply::Entries(pages)));
    let error = fails("list", endless(page.clone(), page).await.list(&path(), 1)).await;
    assert_eq!(error.code(), ErrorCode::LimitExceeded);
}

/// The stream of a tree with one directory of this path, by hand: the root, and then the entry.
fn forged(path: &[u8]) -> Vec<u8> {
    let head = |path: &[u8]| {
        let length = u8::try_from(path.len()).unwrap();
        // Directory, path, mode 0755, one second and one nanosecond.
        let head = [&[0, length][..], path, &[0xed, 0x03, 2, 1]].concat();
        [&u16::try_from(head.len()).unwrap().to_le_bytes()[..], &head].concat()
    };
    [b"isotree\x01".to_vec(), head(b""), head(path)].concat()
}

#[tokio::test]
async fn a_download_of_garbage_writes_nothing_outside() {
    let place = tempfile::tempdir().unwrap();
    let directory = reply(Ok(Reply::Metadata(metadata(file::FileKind::Directory, 0))));
    let streams: [Vec<Vec<u8>>; 7] = [
        vec![data(&forged(b"../evil")), eof()],
        vec![data(&forged(b"/tmp/isobox-evil")), eof()],
        vec![data(&forged(b"..")), eof()],
        vec![data(b"isotree\x01garbage"), eof()],
        vec![data(b""), eof(), reply(Ok(Reply::Transferred(file::Transfer::default())))],
        vec![eof(), eof()],
        vec![data(&[0xff; DATA_MAX]), data(&[0xff; DATA_MAX])],
    ];
    for (number, stream) in streams.into_iter().enumerate() {
        let (directory, asked) = (directory.clone(), std::sync::atomic::AtomicU64::new(0));
        // The first stream asks what it is, the second one is the download.
        let calls = Arc::new(asked);
        let malice: Malice = Arc::new(move |piece| {
            if piece == 0 && calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0 {
                return Some(directory.clone());
            }
            if calls.load(std::sync::atomic::Ordering::Relaxed) < 2 {
                return None;
            }
            if piece == 0 { Some(reply(Ok(Reply::Done))) } else { stream.get(piece as usize - 1).cloned() }
        });
        let guest = connect(reply(Ok(Reply::Welcome(welcome()))), malice).await.unwrap();
        let target = place.path().join("target");
        let error = fails("download", guest.download(&path(), &target, DownloadOptions::default())).await;
        assert_eq!(error.code(), ErrorCode::Transport, "{number}: {error}");
        assert!(target.read_dir().unwrap().next().is_none(), "{number}");
    }
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn streams_that_the_agent_opens_lead_nowhere() {
    let (ours, theirs) = tokio::io::duplex(64 << 10);
    let serving = async move {
        let mut connection = yamux::Connection::new(theirs.compat(), yamux::Config::default(), yamux::Mode::Server);
        let first = poll_fn(|cx| connection.poll_next_inbound(cx)).await.unwrap().unwrap();
        tokio::spawn(speak(first, Arc::new(|piece| (piece == 0).then(|| reply(Ok(Reply::Welcome(welcome())))))));
        let mut flood = Vec::new();
        loop {
            let next = poll_fn(|cx| {
                if flood.len() < 200
                    && let std::task::Poll::Ready(Ok(stream)) = connection.poll_new_outbound(cx)
                {
                    flood.push(stream);
                }
                connection.poll_next_inbound(cx)
            });
            let Some(Ok(stream)) = next.await else { return };
            let answer: Malice = Arc::new(|piece| (piece == 0).then(|| reply(Ok(Reply::Done))));
            tokio::spawn(speak(stream, answer));
        }
    };
    tokio::spawn(serving);
    let guest = Guest::connect(ours, greeting(), obituary()).await.unwrap();
    for _ in 0..300 {
        guest.remove(&path(), false).await.unwrap();
    }
}
