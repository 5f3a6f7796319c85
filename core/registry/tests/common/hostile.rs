//! A registry that does whatever a test wants, byte for byte.

use super::image::Image;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// One request, as it came.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: String,
    /// With the query.
    pub path: String,
    /// Names in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// The first byte that is wanted.
    pub fn from(&self) -> Option<usize> {
        self.header("range")?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()
    }
}

/// What to answer.
pub enum Reply {
    /// A whole answer.
    Answer { status: u16, headers: Vec<(String, String)>, body: Vec<u8> },
    /// These bytes, and the end of the connection.
    Raw(Vec<u8>),
    /// These bytes, and then nothing.
    Hang(Vec<u8>),
    /// The first bytes, and the second again and again.
    Endless(Vec<u8>, Vec<u8>),
}

impl Reply {
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::status(200, body)
    }

    pub fn status(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Reply::Answer { status, headers: Vec::new(), body: body.into() }
    }

    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        if let Reply::Answer { headers, .. } = &mut self {
            headers.push((name.to_owned(), value.to_string()));
        }
        self
    }

    /// A part of a body from its `begin`, as a range.
    pub fn part(body: &[u8], begin: usize) -> Self {
        let range = format!("bytes {begin}-{}/{}", body.len() - 1, body.len());
        Self::status(206, &body[begin..]).with("content-range", range)
    }

    pub fn redirect(to: &str) -> Self {
        Self::status(307, "").with("location", to)
    }
}

/// A server; dropping it ends it.
pub struct Hostile {
    pub address: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    task: JoinHandle<()>,
}

type Answer = dyn Fn(&Seen) -> Reply + Send + Sync;

impl Hostile {
    pub async fn start(answer: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (log, answer): (_, Arc<Answer>) = (seen.clone(), Arc::new(answer));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, log.clone(), answer.clone()));
            }
        });
        Self { address, seen, task }
    }

    /// The requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// The requests for paths with this in them.
    pub fn seen_for(&self, part: &str) -> Vec<Seen> {
        self.seen().into_iter().filter(|seen| seen.path.contains(part)).collect()
    }

    /// A name of an image here.
    pub fn image(&self, name: &str) -> isobox_registry::Reference {
        super::reference(&format!("{}/{name}", self.address))
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, log: Arc<Mutex<Vec<Seen>>>, answer: Arc<Answer>) -> Option<()> {
    let mut buffer = Vec::new();
    loop {
        let seen = read(&mut stream, &mut buffer).await?;
        let is_head = seen.method == "HEAD";
        let reply = answer(&seen);
        log.lock().unwrap().push(seen);
        match reply {
            Reply::Answer { status, headers, body } => {
                let mut head = format!("HTTP/1.1 {status} Something\r\n");
                for (name, value) in headers {
                    head += &format!("{name}: {value}\r\n");
                }
                head += &format!("content-length: {}\r\n\r\n", body.len());
                stream.write_all(head.as_bytes()).await.ok()?;
                if !is_head {
                    stream.write_all(&body).await.ok()?;
                }
            }
            Reply::Raw(bytes) => return stream.write_all(&bytes).await.ok(),
            Reply::Hang(bytes) => {
                stream.write_all(&bytes).await.ok()?;
                // Until the other side has had enough.
                let mut rest = [0; 64];
                while stream.read(&mut rest).await.ok()? > 0 {}
                return None;
            }
            Reply::Endless(first, again) => {
                stream.write_all(&first).await.ok()?;
                while stream.write_all(&again).await.is_ok() {}
                return None;
            }
        }
    }
}

async fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Seen> {
    let end = loop {
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(buffer.drain(..end).collect()).ok()?;
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: BTreeMap<_, _> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.get("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
    while buffer.len() < length {
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
    Some(Seen { method, path, headers, body: buffer.drain(..length).collect() })
}

/// Answers as a well-behaved registry with this image would, in any repository and under any tag.
pub fn honest(image: &Image, seen: &Seen) -> Reply {
    if seen.path.contains("/manifests/") {
        return Reply::ok(image.manifest.clone()).with("content-type", image.media_type);
    }
    let blob = image.blobs().find(|blob| seen.path.ends_with(&isobox_registry::Digest::of(blob).to_string()));
    match (blob, seen.from()) {
        (None, _) => Reply::status(404, r#"{"errors":[{"code":"BLOB_UNKNOWN","message":"unknown"}]}"#),
        (Some(blob), None) => Reply::ok(blob.clone()),
        (Some(blob), Some(from)) => Reply::part(blob, from),
    }
}
