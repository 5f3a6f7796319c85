//! Ways into a sandbox from outside: ports, URLs, SSH, terminals, screens.

use crate::error::Result;
use crate::time::Timestamp;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Bytes in both directions. Shutting down the writing half is seen as the end on the other side.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin + ?Sized> Duplex for T {}

/// The ports of one sandbox. There exactly when `access.ports` is.
#[async_trait]
pub trait Ports: Send + Sync {
    /// Connects to a TCP port on the sandbox's loopback address. `not_found` with the resource `port` when nothing
    /// listens.
    async fn connect(&self, port: u16) -> Result<Box<dyn Duplex>>;

    /// Waits until something listens on the port, without connecting to it. `timeout` when nothing does in time.
    async fn wait(&self, port: u16, timeout: Duration) -> Result<()>;

    /// What listens now. Needs `access.listening_ports`.
    async fn listening(&self) -> Result<Vec<ListeningPort>>;

    /// Opens a port of this machine, on the loopback address, that leads to the port of the sandbox. The same port
    /// again gives the same endpoint. Needs `access.forward`.
    async fn forward(&self, port: u16, bind: Option<SocketAddr>) -> Result<Endpoint>;

    /// Closes what `forward` opened. Again is fine; stop and delete do it too.
    async fn release(&self, port: u16) -> Result<()>;
}

/// A port that something in the sandbox listens on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListeningPort {
    /// The port.
    pub port: u16,
    /// The address it is bound to.
    pub address: IpAddr,
    /// The process that listens.
    #[serde(default)]
    pub pid: Option<u32>,
    /// Its program's name.
    #[serde(default)]
    pub process: Option<String>,
}

/// Where a port of the sandbox can be reached from this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// The host, a name or an address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// `http://host:port`, or what the backend gave.
    pub url: String,
}

/// A URL for a port. `Debug` shows neither header values nor what may be a credential in the URL.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewUrl {
    /// The URL.
    pub url: String,
    /// Headers that a request needs.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// When it ceases to work.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
}

/// A way in by SSH. `Debug` shows no token.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SshAccess {
    /// The command line; the token may be in it.
    pub command: String,
    /// What `ssh_revoke` takes.
    #[serde(default)]
    pub token: Option<String>,
    /// When it ceases to work.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
}

/// A screen. `Debug` shows no password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VncAccess {
    /// Where it is.
    pub url: String,
    /// Its password.
    #[serde(default)]
    pub password: Option<String>,
}

macro_rules! secret_debug {
    ($($name:ident),+) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )+};
}

secret_debug!(PreviewUrl, SshAccess, VncAccess);

/// The other ways in. There when one of their `access` capabilities is; each method needs its own and is otherwise
/// `unsupported` with its dotted name.
#[async_trait]
pub trait Access: Send + Sync {
    /// A URL for a port. The same port again gives the same URL. Needs `access.preview_urls`.
    async fn preview_url(&self, port: u16) -> Result<PreviewUrl> {
        let _ = port;
        unsupported(crate::Capability::AccessPreviewUrls)
    }

    /// A URL that works without headers, for a while. Needs `access.signed_preview_urls`.
    async fn signed_preview_url(&self, port: u16, expires_in: Duration) -> Result<PreviewUrl> {
        let _ = (port, expires_in);
        unsupported(crate::Capability::AccessSignedPreviewUrls)
    }

    /// Closes what a URL needed. Again is fine; stop and delete do it too.
    async fn release_preview(&self, port: u16) -> Result<()> {
        let _ = port;
        Ok(())
    }

    /// A way in by SSH, for a while when `ttl` says so. Needs `access.ssh`, and `access.ssh_ttl` for a `ttl`.
    async fn ssh(&self, ttl: Option<Duration>) -> Result<SshAccess> {
        let _ = ttl;
        unsupported(crate::Capability::AccessSsh)
    }

    /// Ends a way in. Needs `access.ssh_revoke`.
    async fn ssh_revoke(&self, token: &str) -> Result<()> {
        let _ = token;
        unsupported(crate::Capability::AccessSshRevoke)
    }

    /// A command line that opens a shell in the sandbox from a terminal of this machine. Needs `access.shell_command`.
    async fn shell_command(&self) -> Result<Vec<String>> {
        unsupported(crate::Capability::AccessShellCommand)
    }

    /// A URL of a terminal; it may hold a credential. Needs `access.web_terminal`.
    async fn web_terminal(&self) -> Result<String> {
        unsupported(crate::Capability::AccessWebTerminal)
    }

    /// A screen. Needs `access.vnc`.
    async fn vnc(&self) -> Result<VncAccess> {
        unsupported(crate::Capability::AccessVnc)
    }
}

fn unsupported<T>(capability: crate::Capability) -> Result<T> {
    Err(crate::Error::unsupported(capability))
}
