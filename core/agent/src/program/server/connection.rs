//! One client: its multiplexed connection, its hello, its operations.

use super::channel::Channel;
use super::deadlines::Hold;
use super::{Agent, dispatch};
use isobox_wire::hello::Role;
use isobox_wire::{Blob, Failure, FailureCode, Hello, Reply, Request, Welcome};
use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::compat::TokioAsyncReadCompatExt;

/// Operations that one client may have at once.
pub(super) const MAX_STREAMS: usize = 1024;
/// What all of them together may have sent without being read, beyond 256 KiB each.
const EXTRA_WINDOW: usize = 64 << 20;
/// A large frame keeps urgent ones waiting, a small one costs more calls.
const FRAME: usize = 256 << 10;
/// How long a client may take to introduce itself.
const HELLO: Duration = Duration::from_secs(10);

/// What a connection may do, once it said hello.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Rights {
    pub(super) owner: bool,
}

/// Accepts clients for as long as the agent lives.
pub(super) async fn accept(agent: Arc<Agent>, listener: UnixListener) {
    let listener = listener.set_nonblocking(true).and_then(|()| tokio::net::UnixListener::from_std(listener));
    let Ok(listener) = listener.inspect_err(|error| crate::report(&format!("cannot listen: {error}"))) else { return };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(converse(agent.clone(), stream, None))),
            Err(error) => {
                crate::report(&format!("cannot accept a client: {error}"));
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// Serves a stream that is connected already: that of whoever started the agent, and owns the sandbox until it says who it is.
pub(super) fn open(agent: &Arc<Agent>, stream: UnixStream) -> io::Result<()> {
    stream.set_nonblocking(true)?;
    let stream = tokio::net::UnixStream::from_std(stream)?;
    tokio::spawn(converse(agent.clone(), stream, Some(agent.deadlines.hold())));
    Ok(())
}

fn config() -> yamux::Config {
    let mut config = yamux::Config::default();
    config
        .set_max_connection_receive_window(Some(MAX_STREAMS * yamux::DEFAULT_CREDIT as usize + EXTRA_WINDOW))
        .set_max_num_streams(MAX_STREAMS)
        .set_split_send_size(FRAME);
    config
}

/// Serves one client until it goes away. Its operations end with it.
async fn converse(agent: Arc<Agent>, stream: tokio::net::UnixStream, mut held: Option<Hold>) {
    let stream = tokio::io::BufStream::with_capacity(16 << 10, 16 << 10, stream).compat();
    let mut connection = yamux::Connection::new(stream, config(), yamux::Mode::Server);
    let hello = Arc::new(OnceLock::new());
    let mut operations = JoinSet::new();
    let introduced = tokio::time::sleep(HELLO);
    tokio::pin!(introduced);
    let said = Arc::new(tokio::sync::Notify::new());
    loop {
        tokio::select! {
            biased;
            () = said.notified() => match hello.get() {
                Some(Rights { owner }) => held = owner.then(|| agent.deadlines.hold()),
                None => break,
            },
            next = std::future::poll_fn(|cx| connection.poll_next_inbound(cx)) => match next {
                Some(Ok(stream)) => {
                    operations.spawn(operate(agent.clone(), Channel::new(stream), hello.clone(), said.clone()));
                }
                Some(Err(_)) | None => break,
            },
            Some(_) = operations.join_next() => {}
            () = &mut introduced, if hello.get().is_none() => break,
        }
    }
    // Operations notice that their streams are closed; what they clean up on the way out must not be cut short.
    drop(connection);
    drop(held);
    while operations.join_next().await.is_some() {}
}

async fn operate(
    agent: Arc<Agent>,
    mut channel: Channel,
    hello: Arc<OnceLock<Rights>>,
    said: Arc<tokio::sync::Notify>,
) {
    let request = match channel.message::<Request>().await {
        Ok(Some(request)) => request,
        Ok(None) => return,
        Err(failure) => return channel.finish(Err(failure)).await,
    };
    match (request, hello.get()) {
        (Request::Hello(greeting), None) => {
            let answer = introduce(&agent, &greeting);
            let accepted = answer.is_ok();
            if accepted {
                let _ = hello.set(Rights { owner: greeting.role == Role::Owner });
            }
            // The answer goes first: a refused client is told why before the connection is closed.
            channel.finish(answer).await;
            if !accepted {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            said.notify_one();
        }
        (Request::Hello(_), Some(_)) => {
            channel.finish(Err(Failure::new(FailureCode::InvalidState, "this connection is open already"))).await;
        }
        (_, None) => channel.finish(Err(Failure::new(FailureCode::Unauthenticated, "say hello first"))).await,
        (request, Some(rights)) => dispatch::operate(agent, channel, request, *rights).await,
    }
}

fn introduce(agent: &Agent, hello: &Hello) -> Result<Reply, Failure> {
    if !same(&hello.token, &agent.settings.token) {
        return Err(Failure::new(FailureCode::Unauthenticated, "the token is not this sandbox's"));
    }
    let build = isobox_agent::BUILD_ID;
    if hello.build != build {
        let message = format!(
            "the sandbox was made by another build of isobox ({build}, this one is {}); use that one for it",
            hello.build
        );
        return Err(Failure::new(FailureCode::Conflict, message));
    }
    let uname = rustix::system::uname();
    Ok(Reply::Welcome(Welcome {
        build: build.into(),
        os: "linux".into(),
        arch: std::env::consts::ARCH.into(),
        kernel: uname.release().to_string_lossy().into_owned(),
        workdir: Blob::from(agent.place.workdir().to_vec()),
    }))
}

/// Compares secrets in a time that depends on the length alone.
fn same(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len() && left.iter().zip(right).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn only_the_whole_token_is_the_token() {
        assert!(same(b"secret", b"secret"));
        assert!(!same(b"secret", b"secre"));
        assert!(!same(b"secret", b"secreT"));
        assert!(!same(b"", b"x"));
    }
}
