//! Ports of the sandbox.

use crate::channel::{Channel, Receiver, Sender};
use crate::connection::{Guest, unexpected};
use crate::listing;
use async_trait::async_trait;
use isobox_contract::access::{Duplex, Endpoint, ListeningPort, Ports};
use isobox_contract::error::Resource;
use isobox_contract::{Error, ErrorCode, Result};
use isobox_wire::{Reply, Request};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadBuf};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

/// How often the listening ports are looked at: nothing announces them.
const LOOK: Duration = Duration::from_millis(20);
/// What is under way in each direction of one connection.
const BUFFER: usize = 256 << 10;
/// Bytes sent at once.
const CHUNK: usize = 64 << 10;

/// Ports of this machine that lead into the sandbox.
#[derive(Default)]
pub(crate) struct Forwards(Mutex<HashMap<u16, Forward>>);

struct Forward {
    endpoint: Endpoint,
    task: JoinHandle<()>,
}

impl Drop for Forward {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Forwards {
    fn all(&self) -> std::sync::MutexGuard<'_, HashMap<u16, Forward>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Ports for Guest {
    async fn connect(&self, port: u16) -> Result<Box<dyn Duplex>> {
        let channel = self.dial(port).await?;
        // Ends when either side is done with it, and with the connection to the agent.
        Ok(Box::new(Connection::open(channel)))
    }

    async fn wait(&self, port: u16, timeout: Duration) -> Result<()> {
        let deadline = Instant::now().checked_add(timeout);
        loop {
            if self.listening().await?.iter().any(|listening| listening.port == port) {
                return Ok(());
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Error::timeout(format!("waiting for port {port}"), timeout));
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn listening(&self) -> Result<Vec<ListeningPort>> {
        match self.call(Request::Ports).await? {
            Reply::Ports(ports) => Ok(ports.into_iter().filter_map(listing::port).collect()),
            _ => Err(unexpected()),
        }
    }

    async fn forward(&self, port: u16, bind: Option<SocketAddr>) -> Result<Endpoint> {
        if port == 0 {
            return Err(Error::invalid_spec("port", "is zero, ports are 1 to 65535"));
        }
        if !self.is_connected() {
            return Err(self.lost().await);
        }
        if let Some(forward) = self.forwards().all().get(&port).filter(|forward| !forward.task.is_finished()) {
            return Ok(forward.endpoint.clone());
        }
        let address = bind.unwrap_or(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0));
        let listener = TcpListener::bind(address)
            .await
            .map_err(|error| Error::io(format!("cannot listen on {address}"), error))?;
        let address = listener.local_addr().map_err(|error| Error::io("cannot tell the forwarded port", error))?;
        let endpoint =
            Endpoint { host: address.ip().to_string(), port: address.port(), url: format!("http://{address}") };
        // The task holds no handle of the connection, so that it does not keep it open.
        let task = tokio::spawn(serve(listener, port, self.downgrade(), self.until_closed()));
        let mut all = self.forwards().all();
        match all.get(&port) {
            // Somebody else was first.
            Some(forward) if !forward.task.is_finished() => {
                task.abort();
                Ok(forward.endpoint.clone())
            }
            _ => {
                let forward = Forward { endpoint, task };
                Ok(all.entry(port).insert_entry(forward).get().endpoint.clone())
            }
        }
    }

    async fn release(&self, port: u16) -> Result<()> {
        let forward = self.forwards().all().remove(&port);
        if let Some(mut forward) = forward {
            forward.task.abort();
            // Only then is the port free again.
            let _ = (&mut forward.task).await;
        }
        Ok(())
    }
}

impl Guest {
    async fn dial(&self, port: u16) -> Result<Channel> {
        let mut channel = self.begin(Request::Connect { port }).await?;
        match channel.answer().await {
            Ok(Reply::Done) => Ok(channel),
            Ok(_) => Err(unexpected()),
            Err(error) if error.code() == ErrorCode::NotFound => Err(Error::not_found(Resource::Port, port)),
            Err(error) => Err(error),
        }
    }
}

/// Accepts connections until the sandbox is gone.
async fn serve(
    listener: TcpListener,
    port: u16,
    guest: crate::connection::WeakGuest,
    closed: impl Future<Output = ()>,
) {
    let mut connections = JoinSet::new();
    tokio::pin!(closed);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
            () = &mut closed => return,
        };
        let Ok((mut stream, _)) = accepted else {
            tokio::time::sleep(LOOK).await;
            continue;
        };
        let Some(guest) = guest.upgrade() else { return };
        connections.spawn(async move {
            let Ok(channel) = guest.dial(port).await else { return };
            drop(guest);
            let mut connection = Connection::open(channel);
            let _ = tokio::io::copy_bidirectional(&mut stream, &mut connection).await;
        });
    }
}

/// The caller's end of a connection. Once it is dropped, what was written is still delivered, and nothing is waited for.
struct Connection {
    /// Dropped first, so that a stream without its other end is known to be left and not broken.
    _gone: DropGuard,
    stream: DuplexStream,
}

impl Connection {
    fn open(channel: Channel) -> Self {
        let (stream, theirs) = tokio::io::duplex(BUFFER);
        let gone = CancellationToken::new();
        tokio::spawn(join(channel, theirs, gone.clone()));
        Self { _gone: gone.drop_guard(), stream }
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Moves bytes between a channel and a local stream until both directions have ended, or one of them broke. When the
/// local side is gone, what comes in has nobody to go to.
async fn join(channel: Channel, stream: DuplexStream, gone: CancellationToken) {
    let Channel { receiver, sender } = channel;
    let (reader, writer) = tokio::io::split(stream);
    let (incoming, outgoing) = (incoming(receiver, writer), outgoing(sender, reader));
    tokio::pin!(incoming, outgoing);
    // What has ended is kept: dropping half of a channel would look like the end of the whole.
    let (mut received, mut sent) = (None, None);
    let mut left = false;
    while sent.is_none() || (received.is_none() && !left) {
        tokio::select! {
            done = &mut incoming, if received.is_none() && !left => match done {
                Ok(receiver) => received = Some(receiver),
                Err(_) if gone.is_cancelled() => left = true,
                Err(_) => return,
            },
            done = &mut outgoing, if sent.is_none() => match done {
                Ok(sender) => sent = Some(sender),
                Err(_) => return,
            },
            () = gone.cancelled(), if !left => left = true,
        }
    }
}

async fn incoming(mut receiver: Receiver, mut writer: impl AsyncWriteExt + Unpin) -> io::Result<Receiver> {
    while let Some(data) = receiver.data().await.map_err(crate::file_streams::to_io)? {
        writer.write_all(&data).await?;
    }
    writer.shutdown().await?;
    Ok(receiver)
}

async fn outgoing(mut sender: Sender, mut reader: impl AsyncReadExt + Unpin) -> io::Result<Sender> {
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = reader.read(&mut buffer).await?;
        if read == 0 {
            break;
        }
        sender.data(&buffer[..read]).await.map_err(crate::file_streams::to_io)?;
    }
    sender.eof().await.map_err(crate::file_streams::to_io)?;
    Ok(sender)
}
