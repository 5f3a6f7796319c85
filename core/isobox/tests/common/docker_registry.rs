//! Debian's `docker-registry` on the loopback, and servers that only pretend to be one.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::watch;

/// A registry at work; dropping it ends it.
pub struct Registry {
    child: Child,
    pub address: String,
    log: Arc<Mutex<String>>,
    _storage: tempfile::TempDir,
}

impl Registry {
    /// Starts one, or says that the test is skipped. `user` is a line of an htpasswd file, whom alone it serves then.
    pub fn start(user: Option<&str>) -> Option<Self> {
        let storage = tempfile::tempdir().unwrap();
        let place = |name: &str| storage.path().join(name).display().to_string();
        let mut text = format!(
            "version: 0.1\nlog:\n  accesslog:\n    disabled: false\nstorage:\n  filesystem:\n    rootdirectory: {}\nhttp:\n  addr: 127.0.0.1:0\n",
            place("storage")
        );
        if let Some(user) = user {
            std::fs::write(place("htpasswd"), user).unwrap();
            text += &format!("auth:\n  htpasswd:\n    realm: here\n    path: {}\n", place("htpasswd"));
        }
        std::fs::write(place("config.yml"), text).unwrap();
        let mut command = Command::new("docker-registry");
        command.args(["serve", &place("config.yml")]).env_remove("OTEL_TRACES_EXPORTER");
        // Its accesses are told on one stream, and everything else on the other.
        let Ok(mut child) = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() else {
            eprintln!("skipped: docker-registry is not installed, run `cargo xtask setup`");
            return None;
        };
        let log = Arc::new(Mutex::new(String::new()));
        let accesses = BufReader::new(child.stdout.take().unwrap());
        let kept = log.clone();
        std::thread::spawn(move || {
            accesses.lines().map_while(Result::ok).for_each(|line| *kept.lock().unwrap() += &(line + "\n"))
        });
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let address = listening(&mut said).expect("docker-registry says where it listens");
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Some(Self { child, address, log, _storage: storage })
    }

    /// How often it was asked with this method for a path with this in it.
    pub fn asked(&self, method: &str, part: &str) -> usize {
        let start = format!("\"{method} ");
        self.log.lock().unwrap().lines().filter(|line| line.contains(&start) && line.contains(part)).count()
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads on until the registry says where it listens.
fn listening(log: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    while log.read_line(&mut line).ok()? > 0 {
        if let Some((_, rest)) = line.split_once("listening on ") {
            return Some(rest.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ':')).collect());
        }
        line.clear();
    }
    None
}

/// Answers every request for a manifest so, and gives its address. It goes on for as long as the test.
pub fn answering(status: &'static str, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream, status, body));
        }
    });
    address
}

fn answer(mut stream: TcpStream, status: &str, body: &str) {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => request.push(byte[0]),
            _ => return,
        }
    }
    let pinged = request.windows(10).any(|part| part == b" /v2/ HTTP");
    let (status, body) = if pinged { ("200 OK", "{}") } else { (status, body) };
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
}

/// How fast large answers go through a [`Slow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Not at all.
    Held,
    /// A little now and then.
    Trickle,
    Open,
}

/// A slow way to a registry.
pub struct Slow {
    pub address: String,
    pace: watch::Sender<Pace>,
    /// Large answers that were begun, and of those the ones whose connection has ended.
    begun: watch::Receiver<usize>,
    ended: watch::Receiver<usize>,
}

/// Bytes of an answer that pass at once, and then at a time.
const PASSING: usize = 1 << 20;
const PIECE: usize = 32 << 10;
/// How long anything may take that is expected to happen.
const PATIENCE: Duration = Duration::from_secs(60);

impl Slow {
    /// In front of the registry at an address; nothing large goes through at first.
    pub async fn before(registry: &str) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (pace, paces) = watch::channel(Pace::Held);
        let (tell_begun, begun) = watch::channel(0);
        let (tell_ended, ended) = watch::channel(0);
        let registry = registry.to_owned();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (registry, paces) = (registry.clone(), paces.clone());
                let (begun, ended) = (tell_begun.clone(), tell_ended.clone());
                tokio::spawn(async move {
                    let server = tokio::net::TcpStream::connect(&registry).await.unwrap();
                    let mut large = false;
                    let _ = pass(client, server, paces, || {
                        large = true;
                        begun.send_modify(|count| *count += 1);
                    })
                    .await;
                    if large {
                        ended.send_modify(|count| *count += 1);
                    }
                });
            }
        });
        Self { address, pace, begun, ended }
    }

    pub fn set(&self, pace: Pace) {
        self.pace.send_replace(pace);
    }

    /// How many large answers were begun, and how many of their connections have ended.
    pub fn counts(&self) -> (usize, usize) {
        (*self.begun.borrow(), *self.ended.borrow())
    }

    /// Waits until more large answers were begun than these.
    pub async fn begins(&self, before: usize) {
        let mut begun = self.begun.clone();
        tokio::time::timeout(PATIENCE, begun.wait_for(|begun| *begun > before)).await.unwrap().unwrap();
    }

    /// Waits until more of their connections have ended than these.
    pub async fn ends(&self, before: usize) {
        let mut ended = self.ended.clone();
        let waited = tokio::time::timeout(PATIENCE, ended.wait_for(|ended| *ended > before)).await;
        waited.expect("the engine goes on with it").unwrap();
    }
}

/// Passes on what is said both ways, until one of them ends it.
async fn pass(
    client: tokio::net::TcpStream,
    server: tokio::net::TcpStream,
    mut paces: watch::Receiver<Pace>,
    mut large: impl FnMut(),
) -> std::io::Result<()> {
    let ((mut asks, mut hears), (mut answers, mut is_asked)) = (client.into_split(), server.into_split());
    let answering = async {
        let (mut passed, mut chunk) = (0, vec![0; PIECE]);
        loop {
            let count = answers.read(&mut chunk).await?;
            if count == 0 {
                return Ok(());
            }
            if passed <= PASSING && passed + count > PASSING {
                large();
            }
            passed += count;
            if passed > PASSING {
                let pace = *paces.wait_for(|pace| *pace != Pace::Held).await.map_err(std::io::Error::other)?;
                if pace == Pace::Trickle {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
            hears.write_all(&chunk[..count]).await?;
        }
    };
    tokio::select! {
        answered = answering => answered,
        asked = tokio::io::copy(&mut asks, &mut is_asked) => asked.map(drop),
    }
}
