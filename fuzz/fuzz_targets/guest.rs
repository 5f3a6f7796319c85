//! The client of an agent that was taken over: every operation ends, with an answer or an error, whatever comes back.
#![no_main]

use futures::future::poll_fn;
use futures::{AsyncReadExt, AsyncWriteExt};
use isobox_contract::{DownloadOptions, Exec, ExecRequest, Files, Ports, Range, SandboxPath};
use isobox_guest::{Greeting, Guest};
use isobox_wire::frame::message;
use isobox_wire::{Answer, Blob, Reply, Welcome};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::compat::TokioAsyncReadCompatExt;

/// Longer than every wait of the client itself. The clock is a pretended one, which jumps when nobody has anything to do.
const PATIENCE: Duration = Duration::from_secs(3600);

fn welcome() -> Vec<u8> {
    let welcome = Welcome {
        build: "b".into(),
        os: "linux".into(),
        arch: "x86_64".into(),
        kernel: "6".into(),
        workdir: Blob::from(b"/".to_vec()),
    };
    let answer: Answer = Ok(Reply::Welcome(welcome));
    message(&answer).expect("a welcome is small")
}

/// Says its bytes in place of an answer, and closes or goes silent.
async fn speak(mut stream: yamux::Stream, bytes: Arc<[u8]>, closes: bool) {
    let mut request = [0; 4096];
    if stream.read(&mut request).await.is_err() || stream.write_all(&bytes).await.is_err() {
        return;
    }
    let _ = stream.flush().await;
    if !closes {
        while stream.read(&mut request).await.is_ok_and(|read| read > 0) {}
    }
}

async fn serve(io: tokio::io::DuplexStream, hello: Arc<[u8]>, bytes: Arc<[u8]>, closes: bool) {
    let mut connection = yamux::Connection::new(io.compat(), yamux::Config::default(), yamux::Mode::Server);
    let mut hello = Some(hello);
    while let Some(Ok(stream)) = poll_fn(|cx| connection.poll_next_inbound(cx)).await {
        tokio::spawn(speak(stream, hello.take().unwrap_or_else(|| bytes.clone()), closes));
    }
}

async fn within<T>(call: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(PATIENCE, call).await.ok()
}

async fn use_everything(guest: &Guest, target: &std::path::Path) {
    let path = SandboxPath::from("file");
    within(guest.read(&path, Range::ALL, 1 << 16)).await;
    within(guest.stat(&path, true)).await;
    within(guest.list(&path, 3)).await;
    within(guest.read_link(&path)).await;
    within(guest.write(&path, vec![1; 100].into(), Default::default())).await;
    within(guest.download(&path, target, DownloadOptions::default())).await;
    within(guest.listening()).await;
    within(guest.measure()).await;
    within(guest.processes()).await;
    let spawned = within(guest.spawn(ExecRequest::argv(["true"]))).await;
    if let Some(Ok(process)) = spawned {
        within(process.next()).await;
        within(process.wait()).await;
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let bytes: Arc<[u8]> = bytes.into();
    let hello = if choice & 1 == 0 { welcome().into() } else { bytes.clone() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        let (ours, theirs) = tokio::io::duplex(64 << 10);
        tokio::spawn(serve(theirs, hello, bytes, choice & 2 == 0));
        let greeting = Greeting { token: b"t".to_vec(), build: "b".into(), owner: true };
        let (_alive, obituary) = tokio::sync::watch::channel(None);
        let connected = within(Guest::connect(ours, greeting, obituary)).await;
        let Ok(guest) = connected.expect("the hello has a deadline of its own") else { return };
        let place = tempfile::tempdir_in("/dev/shm").expect("a place for downloads");
        use_everything(&guest, &place.path().join("target")).await;
    });
});
