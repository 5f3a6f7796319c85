//! How requests get to the engine: a connection for each, on this machine's socket or over TCP, with TLS or without.
//!
//! A connection that is kept would save some microseconds on a socket, and cost a request that fails for every one that is left
//! over from before the engine was started again. What a process that is forked off must not keep, it does not keep.

use crate::address::Address;
use crate::tls::{self, Secured, Tls};
use bollard::BollardRequest;
use bollard::errors::Error;
use hyper::Response;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::header::{HOST, HeaderValue};
use hyper_util::rt::TokioIo;
use isobox_local::Lease;
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How long it is listened for the reason of a broken connection, which an engine gives at once.
const REFUSAL: Duration = Duration::from_secs(2);
/// Headers with credentials for registries, in Base64.
const CREDENTIALS: [&str; 2] = ["x-registry-auth", "x-registry-config"];
/// The longest path of a socket that can be connected to by its name.
const LONGEST: usize = 100;

/// Sends one request to the engine and returns its answer, whose body may still be coming.
pub(crate) async fn request(address: Address, request: BollardRequest) -> Result<Response<Incoming>, Error> {
    let connected = tokio::time::timeout(CONNECT, async {
        match &address {
            Address::Unix(path) => Ok(Connection::Unix(Lease::new(unix(path).await?))),
            Address::Tcp(host) => {
                let stream = TcpStream::connect(host).await?;
                stream.set_nodelay(true)?;
                Ok::<_, io::Error>(Connection::Tcp(Lease::new(stream)))
            }
            Address::Tls(host, tls) => {
                let stream = TcpStream::connect(host).await?;
                stream.set_nodelay(true)?;
                Ok(Connection::Tls(Box::new(tls.over(Lease::new(stream), host).await?)))
            }
        }
    });
    let connected = connected.await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
    match connected? {
        Connection::Unix(stream) => send(stream, request).await,
        Connection::Tcp(stream) => send(stream, request).await,
        Connection::Tls(stream) => match (send(stream, request).await, &address) {
            (Err(error), Address::Tls(host, tls)) if tls::problem(&error).is_none() => {
                Err(refusal(host, tls).await.map_or(error, |err| Error::IOError { err }))
            }
            (sent, _) => sent,
        },
    }
}

/// Why an engine breaks off a connection that has just been made, as far as TLS tells.
///
/// It looks at a client's certificate only after the client has gone on, and what it says of that is lost when something was sent
/// meanwhile. So nothing is sent here.
async fn refusal(host: &str, tls: &Tls) -> Option<io::Error> {
    let heard = tokio::time::timeout(REFUSAL, async {
        let mut stream = tls.over(TcpStream::connect(host).await?, host).await?;
        stream.read(&mut [0]).await
    });
    heard.await.ok()?.err().filter(|error| tls::problem(error).is_some())
}

enum Connection {
    Unix(Lease<UnixStream>),
    Tcp(Lease<TcpStream>),
    Tls(Box<Secured>),
}

/// Connects to a socket of this machine, also one whose path is longer than a socket's address can be.
pub(crate) async fn unix(path: &Path) -> io::Result<UnixStream> {
    let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::NotFound.into());
    };
    if path.as_os_str().len() <= LONGEST {
        return UnixStream::connect(path).await;
    }
    let directory = openat(CWD, directory, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    UnixStream::connect(Path::new("/proc/self/fd").join(directory.as_raw_fd().to_string()).join(name)).await
}

/// The same credentials in the alphabet that the engine reads. In the one that the client library writes, some passwords have
/// characters for which the engine takes them as none at all.
fn url_safe(value: &HeaderValue) -> HeaderValue {
    let replaced = value.as_bytes().iter().map(|byte| match byte {
        b'+' => b'-',
        b'/' => b'_',
        other => *other,
    });
    let mut replaced = HeaderValue::from_bytes(&replaced.collect::<Vec<_>>()).unwrap_or_else(|_| value.clone());
    replaced.set_sensitive(true);
    replaced
}

async fn send<S>(stream: S, mut request: BollardRequest) -> Result<Response<Incoming>, Error>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // It ends with the answer's body, or with whatever the connection is turned into.
    tokio::spawn(connection.with_upgrades());
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).parse();
    *request.uri_mut() = path.map_err(|err| Error::InvalidURIError { err })?;
    request.headers_mut().insert(HOST, HeaderValue::from_static("docker"));
    for name in CREDENTIALS {
        if let Some(value) = request.headers_mut().get_mut(name) {
            *value = url_safe(value);
        }
    }
    Ok(sender.send_request(request).await?)
}
