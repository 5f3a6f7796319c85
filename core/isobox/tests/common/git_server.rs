//! Git's own `http-backend` behind a server on the loopback address that wants a password.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Serves the repositories below a directory until it is dropped.
pub struct GitServer {
    port: u16,
    task: JoinHandle<()>,
}

impl Drop for GitServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl GitServer {
    pub async fn start(root: PathBuf, user: &str, password: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let expected = Arc::new(format!("Basic {}", base64(format!("{user}:{password}").as_bytes())));
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(stream, root.clone(), expected.clone()));
            }
        });
        Self { port, task }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }
}

async fn serve(stream: TcpStream, root: PathBuf, expected: Arc<String>) {
    let mut stream = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
            return;
        }
        if line.trim().is_empty() {
            break;
        }
        head.push(line.trim().to_owned());
    }
    let header = |name: &str| {
        let found = head.iter().skip(1).filter_map(|line| line.split_once(": "));
        found.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned()).next()
    };
    if header("authorization").as_deref() != Some(&**expected) {
        let refusal = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"git\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        let _ = stream.get_mut().write_all(refusal.as_bytes()).await;
        return;
    }
    let body = match header("content-length").and_then(|length| length.parse().ok()) {
        Some(length) => {
            let mut body = vec![0; length];
            stream.read_exact(&mut body).await.unwrap();
            body
        }
        None if header("transfer-encoding").is_some() => chunked(&mut stream).await,
        None => Vec::new(),
    };
    let mut words = head[0].split(' ');
    let (method, target) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
    let answer = backend(&root, &method, &target, &header, &body).await;
    let _ = stream.get_mut().write_all(&answer).await;
    let _ = stream.get_mut().shutdown().await;
}

async fn chunked(stream: &mut BufReader<TcpStream>) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.unwrap();
        let length = usize::from_str_radix(line.trim(), 16).unwrap();
        let mut chunk = vec![0; length + 2];
        stream.read_exact(&mut chunk).await.unwrap();
        if length == 0 {
            return body;
        }
        body.extend_from_slice(&chunk[..length]);
    }
}

async fn backend(
    root: &Path,
    method: &str,
    target: &str,
    header: &impl Fn(&str) -> Option<String>,
    body: &[u8],
) -> Vec<u8> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut command = std::process::Command::new("git");
    command.arg("http-backend").env("GIT_PROJECT_ROOT", root).env("GIT_HTTP_EXPORT_ALL", "1");
    command.env("PATH_INFO", path).env("QUERY_STRING", query).env("REQUEST_METHOD", method).env("REMOTE_USER", "user");
    command.env("CONTENT_TYPE", header("content-type").unwrap_or_default());
    command.env("HTTP_CONTENT_ENCODING", header("content-encoding").unwrap_or_default());
    command.env("GIT_PROTOCOL", header("git-protocol").unwrap_or_default());
    command.env("CONTENT_LENGTH", body.len().to_string());
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let body = body.to_vec();
    let output = tokio::task::spawn_blocking(move || {
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        std::thread::spawn(move || drop(std::io::Write::write_all(&mut input, &body)));
        child.wait_with_output().unwrap().stdout
    });
    let output = output.await.unwrap();
    let status = match output.strip_prefix(b"Status: ") {
        Some(rest) => String::from_utf8_lossy(rest).lines().next().unwrap_or_default().to_owned(),
        None => "200 OK".to_owned(),
    };
    [format!("HTTP/1.1 {status}\r\nConnection: close\r\n").into_bytes(), output].concat()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let chunk = |chunk: &[u8]| {
        let value = chunk.iter().enumerate().fold(0, |value, (at, byte)| value | u32::from(*byte) << (16 - 8 * at));
        let digit = |at: usize| if at <= chunk.len() { DIGITS[(value >> (18 - 6 * at)) as usize & 63] } else { b'=' };
        (0..4).map(|at| char::from(digit(at))).collect::<String>()
    };
    bytes.chunks(3).map(chunk).collect()
}
