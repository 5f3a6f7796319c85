//! From a request to whoever answers it.

use super::channel::Channel;
use super::connection::Rights;
use super::{Agent, metrics, ports};
use isobox_wire::{Failure, FailureCode, Kind, Reply, Request};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Bytes of a connection that are read at once.
const CHUNK: usize = 64 << 10;
/// How long connecting to a port may take.
const CONNECT: Duration = Duration::from_secs(10);

/// Answers one request on its channel.
pub(super) async fn operate(agent: Arc<Agent>, channel: Channel, request: Request, rights: Rights) {
    match request {
        Request::Exec(exec) => crate::command::exec(agent, channel, *exec).await,
        Request::Input { process } => crate::command::input(agent, channel, &process).await,
        Request::Attach(attach) => crate::command::attach(agent, channel, attach).await,
        Request::File(request) => crate::files::operate(agent, channel, request).await,
        Request::Connect { port } => connect(&agent, channel, port).await,
        Request::Stop { process, grace } => {
            let answer = agent.commands.stop(&process, grace).await;
            channel.finish(answer.map(|()| Reply::Done)).await;
        }
        Request::Ending => ending(&agent, channel).await,
        Request::Shutdown => shutdown(&agent, channel, rights).await,
        other => channel.finish(answer(&agent, other, rights).await).await,
    }
}

async fn answer(agent: &Arc<Agent>, request: Request, rights: Rights) -> Result<Reply, Failure> {
    match request {
        Request::Check => {
            let agent = agent.clone();
            let checked = tokio::task::spawn_blocking(move || agent.place.check()).await;
            checked
                .unwrap_or_else(|error| Err(Failure::new(FailureCode::Internal, error.to_string())))
                .map(|()| Reply::Done)
        }
        Request::Processes => {
            let agent = agent.clone();
            let listed = tokio::task::spawn_blocking(move || agent.commands.list()).await;
            listed.map(Reply::Processes).map_err(|error| Failure::new(FailureCode::Internal, error.to_string()))
        }
        Request::Signal { process, signal, target } => {
            agent.commands.signal(&process, signal, target).map(|()| Reply::Done)
        }
        Request::Resize { process, size } => agent.commands.resize(&process, size).map(|()| Reply::Done),
        Request::Detach { process } => agent.commands.detach(&process).map(|()| Reply::Done),
        Request::Ports => {
            // A machine may have many processes to look at, and everything else must not wait for that.
            let listening = tokio::task::spawn_blocking(ports::listening).await;
            listening.map(Reply::Ports).map_err(|error| Failure::new(FailureCode::Internal, error.to_string()))
        }
        Request::Metrics => {
            let agent = agent.clone();
            let read = tokio::task::spawn_blocking(move || metrics::read(&agent)).await;
            read.map(Reply::Metrics).map_err(|error| Failure::new(FailureCode::Internal, error.to_string()))
        }
        Request::Lifetimes(set) => {
            let changes = set.lease.is_some() || set.ttl.is_some() || set.idle_timeout.is_some();
            if changes && !rights.owner {
                return Err(owners_only());
            }
            agent.deadlines.set(&set);
            Ok(Reply::Lifetimes(agent.deadlines.lifetimes()))
        }
        _ => Err(Failure::new(FailureCode::Internal, "a request that streams has no single answer")),
    }
}

fn owners_only() -> Failure {
    Failure::new(FailureCode::PermissionDenied, "only an owner may do this; connect as one")
}

async fn shutdown(agent: &Agent, channel: Channel, rights: Rights) {
    if !rights.owner {
        return channel.finish(Err(owners_only())).await;
    }
    channel.finish(Ok(Reply::Done)).await;
    agent.shutdown.notify_one();
}

/// Tells the client what the sandbox ends of, when it does, and sees that it has heard it.
async fn ending(agent: &Agent, mut channel: Channel) {
    let mut ending = agent.ending.subscribe();
    let code = tokio::select! {
        code = ending.wait_for(Option::is_some) => code.ok().and_then(|code| *code),
        _ = channel.receive() => None,
    };
    if let Some(code) = code {
        let _ = channel.sender().reply(Reply::Ending(code)).await;
        let _ = channel.receive().await;
    }
}

/// Joins the channel with a TCP connection to the sandbox's loopback, each direction closed by itself.
async fn connect(agent: &Agent, mut channel: Channel, port: u16) {
    let _activity = agent.deadlines.busy();
    let stream = match dial(port).await {
        Ok(stream) => stream,
        Err(failure) => return channel.finish(Err(failure)).await,
    };
    let sender = channel.sender();
    if sender.reply(Reply::Done).await.is_err() {
        return;
    }
    let (mut incoming, mut outgoing) = stream.into_split();
    let up = async {
        loop {
            match channel.receive().await {
                Ok(Some(frame)) if frame.kind == Kind::Data => outgoing.write_all(&frame.payload).await.ok()?,
                Ok(Some(frame)) if frame.kind == Kind::Eof => outgoing.shutdown().await.ok()?,
                // The client is gone, or confused: nobody is there to talk to.
                Ok(_) | Err(_) => return Some(()),
            }
        }
    };
    let down = async {
        let mut buffer = vec![0; CHUNK];
        loop {
            match incoming.read(&mut buffer).await {
                Ok(length) if length > 0 => sender.data(Kind::Data, &buffer[..length]).await.ok()?,
                _ => return sender.eof().await.ok(),
            }
        }
    };
    tokio::pin!(up, down);
    // The channel's end is the end; the port's end leaves the client free to go on sending.
    tokio::select! {
        _ = &mut up => {}
        ended = &mut down => if ended.is_some() { up.await; },
    }
}

async fn dial(port: u16) -> Result<TcpStream, Failure> {
    let both = async {
        match TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await {
            Err(_) => TcpStream::connect(SocketAddr::from((Ipv6Addr::LOCALHOST, port))).await,
            connected => connected,
        }
    };
    let connected = tokio::time::timeout(CONNECT, both).await;
    let error = match connected {
        Ok(Ok(stream)) => {
            let _ = stream.set_nodelay(true);
            return Ok(stream);
        }
        Ok(Err(error)) => error,
        Err(_) => std::io::ErrorKind::TimedOut.into(),
    };
    Err(Failure::new(FailureCode::NotFound, format!("nothing answers on port {port} in the sandbox: {error}"))
        .at("port"))
}
