//! Requests over HTTP: connections, redirects, bounded bodies.
//!
//! Credentials go to the place that they are for and to no other: a redirect to another scheme, host or port is followed
//! without them, one from HTTPS to plain HTTP is not followed at all.

use crate::config::{RegistryConfig, is_loopback};
use crate::failure::{Failure, connection};
use isobox_contract::{Error, Result};
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderValue, LOCATION, RANGE};
use reqwest::{Certificate, Client, Method, Response, Url, redirect};
use std::path::PathBuf;
use std::sync::{Once, OnceLock};
use std::time::Duration;

/// How many redirects are followed.
const MOST_REDIRECTS: usize = 5;

/// The largest file of certificate authorities.
const LARGEST_CA: u64 = 16 * 1024 * 1024;

/// Connections to registries, kept for the next request.
pub(crate) struct Transport {
    ca_file: Option<PathBuf>,
    connect_timeout: Duration,
    read_timeout: Duration,
    /// With TLS or without, through proxies or not. Made when first used: certificates take a while to load, and a
    /// machine without them can still use plain HTTP.
    clients: [OnceLock<Client>; 4],
}

/// A request that only reads.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) accept: Option<&'static str>,
    /// The first byte that is wanted, when it is not 0.
    pub(crate) from: u64,
    pub(crate) authorization: Option<HeaderValue>,
}

impl Request {
    pub(crate) fn get(url: Url) -> Self {
        Self { method: Method::GET, url, accept: None, from: 0, authorization: None }
    }
}

impl Transport {
    pub(crate) fn new(config: &RegistryConfig) -> Self {
        Self {
            ca_file: config.ca_file.clone(),
            connect_timeout: config.connect_timeout,
            read_timeout: config.read_timeout,
            clients: Default::default(),
        }
    }

    /// Sends a request and follows redirects. An answer of any status but a redirect is an answer.
    pub(crate) async fn send(&self, request: &Request) -> Result<Response, Failure> {
        let mut url = request.url.clone();
        let mut trusted = true;
        for _ in 0..=MOST_REDIRECTS {
            let mut outgoing = self.client(&url)?.request(request.method.clone(), url.clone());
            if let Some(accept) = request.accept {
                outgoing = outgoing.header(ACCEPT, accept);
            }
            if request.from > 0 {
                outgoing = outgoing.header(RANGE, format!("bytes={}-", request.from));
            }
            if let Some(authorization) = request.authorization.as_ref().filter(|_| trusted) {
                outgoing = outgoing.header(AUTHORIZATION, authorization);
            }
            let response = outgoing.send().await.map_err(|error| connection(&host(&url), &error))?;
            if !response.status().is_redirection() {
                return Ok(response);
            }
            let next = target(&url, &response)?;
            trusted = trusted && next.origin() == url.origin();
            url = next;
        }
        let host = host(&request.url);
        Err(Failure::lasting("redirects", format!("the registry {host} redirects more than {MOST_REDIRECTS} times")))
    }

    /// Sends a form, without following redirects: it holds a secret.
    pub(crate) async fn post(&self, url: &Url, form: &[(&str, &str)]) -> Result<Response, Failure> {
        let outgoing = self.client(url)?.post(url.clone()).form(form);
        outgoing.send().await.map_err(|error| connection(&host(url), &error))
    }

    fn client(&self, url: &Url) -> Result<&Client> {
        let is_direct = is_loopback(url.host_str().unwrap_or_default());
        let is_plain = url.scheme() == "http";
        let slot = &self.clients[usize::from(is_direct) + 2 * usize::from(is_plain)];
        if let Some(client) = slot.get() {
            return Ok(client);
        }
        let client = self.build(is_direct, is_plain)?;
        Ok(slot.get_or_init(|| client))
    }

    fn build(&self, is_direct: bool, is_plain: bool) -> Result<Client> {
        install_tls();
        let mut builder = Client::builder()
            .user_agent(concat!("isobox/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .referer(false)
            .connect_timeout(self.connect_timeout)
            .read_timeout(self.read_timeout)
            .tcp_keepalive(Duration::from_secs(30));
        if is_direct {
            builder = builder.no_proxy();
        }
        if is_plain {
            builder = builder.tls_certs_only([]);
        } else if let Some(path) = &self.ca_file {
            builder = builder.tls_certs_merge(authorities(path)?);
        }
        builder.build().map_err(|_| {
            let reason = "are needed for HTTPS and this machine has none: install ca-certificates, or name a file of \
                          certificate authorities in ISOBOX_REGISTRY_CA_FILE";
            Error::invalid_spec("registry.ca_file", reason)
        })
    }
}

/// What TLS computes with, for the whole process. A program that has chosen before keeps its choice.
fn install_tls() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

fn authorities(path: &std::path::Path) -> Result<Vec<Certificate>> {
    use std::io::Read;
    let mut pem = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(LARGEST_CA).read_to_end(&mut pem));
    read.map_err(|error| {
        Error::io(format!("the certificate authorities {}", path.display()), error).infrastructure(false)
    })?;
    match Certificate::from_pem_bundle(&pem) {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        _ => Err(Error::invalid_spec("registry.ca_file", format!("{} holds no certificates in PEM", path.display()))),
    }
}

/// Where a redirect leads.
fn target(from: &Url, response: &Response) -> Result<Url, Failure> {
    let host = host(from);
    let refuse = |why: &str| Failure::lasting("redirect", format!("the registry {host} redirects {why}"));
    let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
    let next = location.and_then(|location| from.join(location).ok());
    let mut next = next.ok_or_else(|| refuse("without saying where to"))?;
    match (from.scheme(), next.scheme()) {
        (_, "https") | ("http", "http") => {}
        (_, "http") => return Err(refuse("from HTTPS to plain HTTP, which is not followed")),
        _ => return Err(refuse("to something that is not HTTP")),
    }
    // What stands before an @ would become credentials of the other host.
    if next.set_username("").is_err() || next.set_password(None).is_err() {
        return Err(refuse("to no host"));
    }
    Ok(next)
}

/// The `host` or `host:port` of an address.
pub(crate) fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Why a body was not read.
pub(crate) enum BodyProblem {
    /// It is larger than allowed.
    TooLarge,
    /// It broke off.
    Broken(reqwest::Error),
}

/// Reads a whole body of at most `limit` bytes.
pub(crate) async fn body(response: &mut Response, limit: usize) -> Result<Vec<u8>, BodyProblem> {
    if response.content_length().is_some_and(|length| length > limit as u64) {
        return Err(BodyProblem::TooLarge);
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(BodyProblem::Broken)? {
        if bytes.len() + chunk.len() > limit {
            return Err(BodyProblem::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// As much of an error's body as is worth reading, for a short while.
pub(crate) async fn excerpt(response: &mut Response) -> Vec<u8> {
    const MOST: usize = 16 * 1024;
    let mut bytes = Vec::new();
    let read = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            bytes.extend_from_slice(&chunk[..chunk.len().min(MOST - bytes.len())]);
            if bytes.len() == MOST {
                break;
            }
        }
    };
    let _ = tokio::time::timeout(Duration::from_secs(5), read).await;
    bytes
}
