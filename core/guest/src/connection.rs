//! The connection: one task drives it, handles open streams on it.

use crate::channel::Channel;
use crate::ports::Forwards;
use bytes::Bytes;
use futures::AsyncWrite as _;
use isobox_contract::{Error, ErrorCode, Platform, Result, SandboxPath};
use isobox_wire::frame::{MESSAGE_MAX, message};
use isobox_wire::hello::Role;
use isobox_wire::{Blob, Hello, Reply, Request, Welcome};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, BufStream};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio_util::compat::{Compat, TokioAsyncReadCompatExt};

/// Operations that may be going on at once; further ones wait.
const MAX_STREAMS: usize = 1024;
/// What all streams together may buffer beyond 256 KiB each.
const EXTRA_WINDOW: usize = 64 << 20;
/// See the agent's own constant: a large frame keeps urgent ones waiting.
const FRAME: usize = 256 << 10;
/// How long the agent may take to answer the hello.
const HELLO: Duration = Duration::from_secs(30);
/// How long a broken connection waits to learn what the sandbox died of.
const OBITUARY: Duration = Duration::from_secs(3);
/// Longest texts that are believed in a welcome.
const WORD: usize = 256;

/// Why the sandbox is gone, once somebody knows. The provider's side of it is the sender.
pub type Obituary = watch::Receiver<Option<Error>>;

/// How a client introduces itself.
#[derive(Clone)]
pub struct Greeting {
    /// The secret that the provider gave the agent.
    pub token: Vec<u8>,
    /// The build id of the agent that the provider started.
    pub build: String,
    /// Whether this connection holds the sandbox's lease.
    pub owner: bool,
}

/// A connection to the agent. Clones share it; it closes with the last one.
#[derive(Clone)]
pub struct Guest {
    inner: Arc<Inner>,
}

/// A connection that this does not keep open.
pub(crate) struct WeakGuest(Weak<Inner>);

impl WeakGuest {
    pub(crate) fn upgrade(&self) -> Option<Guest> {
        self.0.upgrade().map(|inner| Guest { inner })
    }
}

struct Inner {
    open: mpsc::Sender<Opening>,
    driver: JoinHandle<()>,
    obituary: Obituary,
    platform: Platform,
    workdir: SandboxPath,
    forwards: Forwards,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Guest {
    /// Introduces itself over a connected stream. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// `unauthenticated` for a wrong token, `conflict` for an agent of another build, `transport` when the stream breaks or what
    /// is at its other end is no agent, `sandbox_gone` when the sandbox ended meanwhile.
    pub async fn connect<S>(stream: S, greeting: Greeting, obituary: Obituary) -> Result<Self>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let stream = BufStream::with_capacity(16 << 10, 16 << 10, stream).compat();
        let connection = yamux::Connection::new(stream, config(), yamux::Mode::Client);
        let (open, requests) = mpsc::channel(64);
        let mut driver = Driver { connection, requests, waiting: None };
        let driver = tokio::spawn(async move { poll_fn(|cx| driver.poll(cx)).await });
        let inner = Inner {
            open,
            driver,
            obituary,
            platform: Platform { os: String::new(), arch: String::new(), version: String::new() },
            workdir: SandboxPath::from("/"),
            forwards: Forwards::default(),
        };
        let mut guest = Self { inner: Arc::new(inner) };
        let welcome = tokio::time::timeout(HELLO, guest.introduce(greeting));
        let welcome = welcome.await.map_err(|_| Error::timeout("connect", HELLO))??;
        let inner = Arc::get_mut(&mut guest.inner).expect("nobody else has it yet");
        inner.platform =
            Platform { os: word(&welcome.os)?, arch: word(&welcome.arch)?, version: word(&welcome.kernel)? };
        inner.workdir = SandboxPath::from(welcome.workdir.into_vec());
        Ok(guest)
    }

    async fn introduce(&self, greeting: Greeting) -> Result<Welcome> {
        let hello = Hello {
            build: greeting.build,
            token: Blob::from(greeting.token),
            role: if greeting.owner { Role::Owner } else { Role::Visitor },
        };
        match self.call(Request::Hello(hello)).await? {
            Reply::Welcome(welcome) => Ok(welcome),
            _ => Err(unexpected()),
        }
    }

    /// What the sandbox runs on.
    pub fn platform(&self) -> &Platform {
        &self.inner.platform
    }

    /// Where commands run unless they say otherwise.
    pub fn workdir(&self) -> &SandboxPath {
        &self.inner.workdir
    }

    /// Whether the connection is still there.
    pub fn is_connected(&self) -> bool {
        !self.inner.driver.is_finished()
    }

    /// Completes when the connection is gone.
    pub async fn closed(&self) {
        self.inner.open.closed().await;
    }

    /// Like [`closed`](Self::closed), without keeping the connection open.
    pub(crate) fn until_closed(&self) -> impl Future<Output = ()> + Send + 'static {
        let open = self.inner.open.clone();
        async move { open.closed().await }
    }

    /// Waits for the end of the sandbox and returns the exit code that its agent is about to have, which is only as true
    /// as the agent.
    ///
    /// # Errors
    /// When the agent goes without a word.
    pub async fn ending(&self) -> Result<u8> {
        match self.call(Request::Ending).await? {
            Reply::Ending(code) => Ok(code),
            _ => Err(unexpected()),
        }
    }

    pub(crate) fn downgrade(&self) -> WeakGuest {
        WeakGuest(Arc::downgrade(&self.inner))
    }

    pub(crate) fn forwards(&self) -> &Forwards {
        &self.inner.forwards
    }

    /// A request with one answer.
    pub(crate) async fn call(&self, request: Request) -> Result<Reply> {
        let mut channel = self.begin(request).await?;
        channel.answer().await
    }

    /// A request that nothing but success answers.
    pub(crate) async fn done(&self, request: Request) -> Result<()> {
        match self.call(request).await? {
            Reply::Done => Ok(()),
            _ => Err(unexpected()),
        }
    }

    /// Opens a stream and sends the request on it.
    pub(crate) async fn begin(&self, request: Request) -> Result<Channel> {
        let frame = message(&request).map_err(|_| Error::limit_exceeded("request", MESSAGE_MAX as u64))?;
        let first: Bytes = frame.into();
        let (answer, opened) = oneshot::channel();
        let opened = async {
            self.inner.open.send(Opening { first: first.clone(), answer }).await.ok()?;
            opened.await.ok()
        };
        let Some((stream, sent)) = opened.await else { return Err(self.lost().await) };
        let mut channel = Channel::new(stream, self.clone());
        if sent < first.len() {
            channel.sender.send(&first[sent..]).await?;
        }
        Ok(channel)
    }

    /// What a broken connection means: the sandbox's end, if that is what it was.
    pub(crate) async fn lost(&self) -> Error {
        let mut obituary = self.inner.obituary.clone();
        let known = tokio::time::timeout(OBITUARY, obituary.wait_for(Option::is_some)).await;
        match known {
            Ok(Ok(error)) => error.clone().expect("just waited for"),
            _ => Error::transport("the connection to the sandbox's agent broke"),
        }
    }
}

fn word(text: &str) -> Result<String> {
    if text.len() > WORD || text.chars().any(char::is_control) { Err(unexpected()) } else { Ok(text.to_owned()) }
}

/// An answer that does not belong to the question: the agent is not what it should be.
pub(crate) fn unexpected() -> Error {
    Error::new(ErrorCode::Transport, "the sandbox's agent answered with something that was not asked for")
}

fn config() -> yamux::Config {
    let mut config = yamux::Config::default();
    config
        .set_max_connection_receive_window(Some(MAX_STREAMS * yamux::DEFAULT_CREDIT as usize + EXTRA_WINDOW))
        .set_max_num_streams(MAX_STREAMS)
        .set_split_send_size(FRAME);
    config
}

/// Somebody who wants a stream.
struct Opening {
    /// What goes out on it first.
    first: Bytes,
    /// The stream, and how much of `first` is on its way.
    answer: oneshot::Sender<(yamux::Stream, usize)>,
}

impl Opening {
    /// Sends what it can before it hands the stream over: it leaves with the next turn of the driver, without the two
    /// wake-ups that a request from the other task would cost.
    fn give(self, mut stream: yamux::Stream, cx: &mut Context<'_>) {
        let sent = match Pin::new(&mut stream).poll_write(cx, &self.first) {
            Poll::Ready(Ok(sent)) => sent,
            // Its owner finds out for itself what is wrong.
            Poll::Ready(Err(_)) | Poll::Pending => 0,
        };
        // Nobody is waiting any more: the stream is reset as it is dropped.
        let _ = self.answer.send((stream, sent));
    }
}

struct Driver<S> {
    connection: yamux::Connection<Compat<BufStream<S>>>,
    requests: mpsc::Receiver<Opening>,
    waiting: Option<Opening>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Driver<S> {
    /// Moves frames and opens streams, until the connection breaks or nobody is left who could open one.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            if self.waiting.is_none() {
                match self.requests.poll_recv(cx) {
                    Poll::Ready(Some(request)) => self.waiting = Some(request),
                    Poll::Ready(None) => return Poll::Ready(()),
                    Poll::Pending => {}
                }
            }
            if let Some(request) = self.waiting.take() {
                match self.connection.poll_new_outbound(cx) {
                    Poll::Ready(Ok(stream)) => {
                        request.give(stream, cx);
                        continue;
                    }
                    Poll::Ready(Err(_)) => return Poll::Ready(()),
                    Poll::Pending => self.waiting = Some(request),
                }
            }
            match self.connection.poll_next_inbound(cx) {
                // The agent has no business opening streams.
                Poll::Ready(Some(Ok(stream))) => drop(stream),
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}
