//! The connection: one task drives it, handles open streams on it.

mod driver;
mod eager;
mod link;
mod purpose;

pub(crate) use link::Link;
pub use link::Obituary;

use crate::channel::Channel;
use crate::observer::{Observer, Witness};
use crate::ports::Forwards;
use bytes::Bytes;
use isobox_contract::{Action, Error, ErrorCode, EventSink, Platform, Result, SandboxPath, State};
use isobox_wire::frame::{MESSAGE_MAX, message};
use isobox_wire::hello::Role;
use isobox_wire::{Blob, Hello, Reply, Request, Welcome};
use purpose::action;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, Weak};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;

/// How long the agent may take to answer the hello.
const HELLO: Duration = Duration::from_secs(30);
/// Longest texts that are believed in a welcome.
const WORD: usize = 256;

/// What may refuse a request before it is sent.
pub type Gate = Box<dyn Fn(&Request) -> Result<()> + Send + Sync>;

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

/// A sandbox's agent, over the connection that there is to it now. Clones share it; it closes with the last one.
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
    /// The process that the driver runs in. A child that was forked off it has no driver, and would wait for ever.
    process: u32,
    /// None while the sandbox is stopped and was not seen running.
    link: RwLock<Option<Arc<Link>>>,
    platform: Platform,
    workdir: SandboxPath,
    forwards: Forwards,
    gate: OnceLock<Gate>,
    observer: Arc<Observer>,
    /// Closes when the last handle is dropped.
    handles: Option<watch::Sender<()>>,
}

impl Drop for Inner {
    /// In a forked child nothing of the runtime is touched: a thread that is not there may have its locks.
    fn drop(&mut self) {
        if std::process::id() != self.process {
            std::mem::forget(self.link.get_mut().map(Option::take));
            std::mem::forget(self.handles.take());
        }
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
        let platform = Platform { os: String::new(), arch: String::new(), version: String::new() };
        let mut guest = Self::absent(platform, SandboxPath::from("/"));
        guest.join(Arc::new(Link::over(stream, obituary)));
        let welcome = tokio::time::timeout(HELLO, guest.introduce(greeting));
        let welcome = welcome.await.map_err(|_| Error::timeout("connect", HELLO))??;
        let inner = Arc::get_mut(&mut guest.inner).expect("nobody else has it yet");
        inner.platform =
            Platform { os: word(&welcome.os)?, arch: word(&welcome.arch)?, version: word(&welcome.kernel)? };
        inner.workdir = SandboxPath::from(welcome.workdir.into_vec());
        Ok(guest)
    }

    /// The agent of a sandbox that is stopped: until there is a connection, every call is `invalid_state`.
    pub fn absent(platform: Platform, workdir: SandboxPath) -> Self {
        let forwards = Forwards::default();
        let process = std::process::id();
        let inner = Inner {
            process,
            link: RwLock::new(None),
            platform,
            workdir,
            forwards,
            gate: OnceLock::new(),
            observer: Observer::new(),
            handles: Some(watch::Sender::new(())),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Goes on over the connection of another one, as after a start of the sandbox. What is under way on the old one ends
    /// with that.
    pub fn continue_with(&self, other: &Guest) {
        if let Some(link) = other.link() {
            self.join(link);
        }
    }

    fn join(&self, link: Arc<Link>) {
        *self.inner.link.write().unwrap_or_else(PoisonError::into_inner) = Some(link);
    }

    fn link(&self) -> Option<Arc<Link>> {
        self.inner.link.read().unwrap_or_else(PoisonError::into_inner).clone()
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

    /// Asks `gate` about every request from now on, for good. Only the first call has an effect.
    pub fn guard(&self, gate: Gate) {
        let _ = self.inner.gate.set(gate);
    }

    /// Tells `events` of every command that is started through this client and of its end, of files that are copied and of
    /// limits that are reached, from now on. What was told to nobody yet comes first. Only the first call has an effect.
    pub fn observe(&self, events: Arc<dyn EventSink>) {
        self.inner.observer.tell(events);
    }

    /// What this client can say when the sandbox has died.
    pub fn witness(&self) -> Witness {
        Witness(self.inner.observer.clone())
    }

    pub(crate) fn observer(&self) -> &Arc<Observer> {
        &self.inner.observer
    }

    /// Refuses everything in a child that was forked off the process that has connected it.
    pub(crate) fn here(&self) -> Result<()> {
        if std::process::id() == self.inner.process { Ok(()) } else { Err(Error::forked()) }
    }

    /// Completes when the last handle is dropped; does not count as one.
    pub(crate) fn until_dropped(&self) -> impl Future<Output = ()> + Send + 'static {
        let handles = self.inner.handles.as_ref().map(watch::Sender::subscribe);
        async move {
            if let Some(mut handles) = handles {
                // Nothing is ever sent.
                let _ = handles.changed().await;
            }
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
        self.link().is_some_and(|link| link.is_connected())
    }

    /// Completes when the connection is gone.
    pub async fn closed(&self) {
        self.until_closed().await;
    }

    /// Like [`closed`](Self::closed), without keeping the connection open.
    pub fn until_closed(&self) -> impl Future<Output = ()> + Send + 'static {
        let closed = self.link().map(|link| link.until_closed());
        async move {
            if let Some(closed) = closed {
                closed.await;
            }
        }
    }

    /// Waits for the end of the sandbox and returns the exit code that its agent is about to have, which is only as true
    /// as the agent.
    ///
    /// # Errors
    /// `transport`, and at once, when the agent goes without a word.
    pub async fn ending(&self) -> Result<u8> {
        match self.begin(Request::Ending).await?.last_answer().await? {
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
        self.here()?;
        self.inner.gate.get().map_or(Ok(()), |gate| gate(&request))?;
        let frame = message(&request).map_err(|_| Error::limit_exceeded("request", MESSAGE_MAX as u64))?;
        let first: Bytes = frame.into();
        let Some(link) = self.link() else { return Err(Error::invalid_state(State::Stopped, action(&request))) };
        let Some((stream, sent)) = link.open(&first).await else {
            let error = link.lost().await;
            // It was stopped, and the caller is told what that forbids.
            return Err(match error.code() {
                ErrorCode::InvalidState => Error::invalid_state(State::Stopped, action(&request)),
                _ => error,
            });
        };
        let mut channel = Channel::new(stream, link);
        if sent < first.len() {
            channel.sender.send(&first[sent..]).await?;
        }
        Ok(channel)
    }

    /// What a broken connection means: the sandbox's end, if that is what it was.
    pub async fn lost(&self) -> Error {
        match self.link() {
            Some(link) => link.lost().await,
            None => Error::invalid_state(State::Stopped, Action::Access),
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
