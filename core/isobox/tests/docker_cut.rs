//! Connections to an engine of another machine that are cut, at whatever moment.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

#[path = "common/docker.rs"]
mod docker;
#[path = "common/dockerd.rs"]
mod dockerd;

use docker::{DockerLab, TINY};
use dockerd::Dockerd;
use isobox::{ErrorCode, Sandbox, State};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;

/// How long anything may take on a machine that has other work.
const LONG: Duration = Duration::from_secs(60);

/// A way to an engine over TCP that can be cut.
struct Wire {
    address: String,
    cut: watch::Sender<()>,
    commands: Arc<Commands>,
}

/// The commands that the engine was asked to run in containers, and which one of them is cut off as soon as it has begun.
#[derive(Default)]
struct Commands {
    begun: AtomicUsize,
    lost: AtomicUsize,
}

impl Commands {
    fn is_lost(&self, request: &[u8]) -> bool {
        let first = String::from_utf8_lossy(request.split(|byte| *byte == b'\r').next().unwrap()).into_owned();
        let is_command = first.contains("/exec/") && first.contains("/start");
        is_command && self.begun.fetch_add(1, Ordering::SeqCst) + 1 == self.lost.load(Ordering::SeqCst)
    }
}

impl Wire {
    async fn to(socket: &str) -> Self {
        let path = socket.strip_prefix("unix://").unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("tcp://{}", listener.local_addr().unwrap());
        let (cut, cuts) = watch::channel(());
        let commands = Arc::<Commands>::default();
        let known = commands.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (path, known, mut cuts) = (path.clone(), known.clone(), cuts.clone());
                cuts.mark_unchanged();
                tokio::spawn(async move {
                    tokio::select! {
                        _ = carry(stream, &path, &known) => {}
                        _ = cuts.changed() => {}
                    }
                });
            }
        });
        Self { address, cut, commands }
    }

    /// Cuts everything that is connected now.
    fn cut(&self) {
        self.cut.send_replace(());
    }

    /// Has a command cut off when so many more have begun.
    fn lose(&self, at: usize) {
        self.commands.lost.store(self.commands.begun.load(Ordering::SeqCst) + at, Ordering::SeqCst);
    }
}

async fn carry(mut stream: TcpStream, path: &str, commands: &Commands) -> std::io::Result<()> {
    let mut engine = UnixStream::connect(path).await?;
    let mut buffer = vec![0; 16 << 10];
    let length = stream.read(&mut buffer).await?;
    let is_lost = commands.is_lost(&buffer[..length]);
    engine.write_all(&buffer[..length]).await?;
    if is_lost {
        // The answer that the command runs, and nothing of what it says.
        let length = engine.read(&mut buffer).await?;
        let end = buffer[..length].windows(4).position(|window| window == b"\r\n\r\n").map_or(length, |at| at + 4);
        return stream.write_all(&buffer[..end]).await;
    }
    copy_bidirectional(&mut stream, &mut engine).await.map(drop)
}

async fn lab() -> Option<(DockerLab, Wire, Dockerd)> {
    let daemon = Dockerd::start()?;
    if !daemon.has_image(TINY) {
        return None;
    }
    let wire = Wire::to(daemon.socket()).await;
    Some((DockerLab::with(&wire.address).await, wire, daemon))
}

/// Waits until a command of the sandbox has written a file.
async fn written(sandbox: &Sandbox, path: &str) {
    let waited = async { while !sandbox.files().exists(path).await.unwrap() {} };
    tokio::time::timeout(LONG, waited).await.expect("the command begins");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_is_the_infrastructures_failure_for_what_is_under_way_and_the_next_call_works() {
    let Some((lab, wire, _daemon)) = lab().await else { return };
    let sandbox = lab.sandbox().await;
    for round in 0..3 {
        let begun = format!("/begun{round}");
        let command = tokio::spawn(sandbox.shell(format!("echo > {begun}; sleep 4000")).into_future());
        written(&sandbox, &begun).await;
        wire.cut();
        let error = tokio::time::timeout(LONG, command).await.unwrap().unwrap().unwrap_err();
        assert!(error.code() == ErrorCode::Transport && error.is_infrastructure(), "{error:?}");
        let next = tokio::time::timeout(LONG, sandbox.shell("echo next").into_future()).await.unwrap().unwrap();
        assert_eq!(next.stdout.text(), "next\n");
        assert_eq!(sandbox.describe().await.unwrap().state, State::Running);
    }
    sandbox.delete().await.unwrap();
    lab.assert_gone(sandbox.id().as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_on_by_itself_goes_on_over_a_cut() {
    let Some((lab, wire, _daemon)) = lab().await else { return };
    let sandbox = lab.sandbox().await;
    let script = "echo > /begun; while ! test -e /go; do sleep 0.05; done; echo done";
    let command = *sandbox.shell(script).detached().spawn().await.unwrap().id();
    written(&sandbox, "/begun").await;
    wire.cut();
    // What is asked before anybody has noticed may meet the cut itself, and can be asked again.
    if let Err(error) = sandbox.files().write("/go", "").await {
        assert!(error.code() == ErrorCode::Transport && error.is_retryable(), "{error:?}");
        sandbox.files().write("/go", "").await.unwrap();
    }
    let ended = tokio::time::timeout(LONG, sandbox.process(&command).await.unwrap().wait()).await.unwrap().unwrap();
    assert_eq!((ended.exit_code, ended.stdout.text().as_ref()), (0, "done\n"));
    sandbox.delete().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_way_to_the_agent_that_is_lost_while_it_is_made_is_made_again() {
    let Some((lab, wire, _daemon)) = lab().await else { return };
    let sandbox = lab.sandbox().await;
    // The first command finds out what the engine can run, and the second is the way to the agent.
    for lost in [1, 2] {
        wire.lose(lost);
        let other = lab.again().await;
        let found = tokio::time::timeout(LONG, other.connect(sandbox.id().as_str())).await.unwrap().unwrap();
        assert_eq!(found.shell("echo found").await.unwrap().stdout.text(), "found\n");
        assert!(wire.commands.begun.load(Ordering::SeqCst) >= wire.commands.lost.load(Ordering::SeqCst));
    }
    sandbox.delete().await.unwrap();
}
