//! Debian's `docker-registry` on the loopback, and servers that only pretend to be one.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

/// A registry at work; dropping it ends it.
pub struct Registry {
    child: Child,
    pub address: String,
    log: Arc<Mutex<String>>,
    _storage: tempfile::TempDir,
}

impl Registry {
    /// Starts one, or says that the test is skipped. `user` is a line of an htpasswd file, whom alone it serves then.
    pub fn start(user: Option<&str>) -> Option<Self> {
        let storage = tempfile::tempdir().unwrap();
        let place = |name: &str| storage.path().join(name).display().to_string();
        let mut text = format!(
            "version: 0.1\nlog:\n  accesslog:\n    disabled: false\nstorage:\n  filesystem:\n    rootdirectory: {}\nhttp:\n  addr: 127.0.0.1:0\n",
            place("storage")
        );
        if let Some(user) = user {
            std::fs::write(place("htpasswd"), user).unwrap();
            text += &format!("auth:\n  htpasswd:\n    realm: here\n    path: {}\n", place("htpasswd"));
        }
        std::fs::write(place("config.yml"), text).unwrap();
        let mut command = Command::new("docker-registry");
        command.args(["serve", &place("config.yml")]).env_remove("OTEL_TRACES_EXPORTER");
        // Its accesses are told on one stream, and everything else on the other.
        let Ok(mut child) = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() else {
            eprintln!("skipped: docker-registry is not installed, run `cargo xtask setup`");
            return None;
        };
        let log = Arc::new(Mutex::new(String::new()));
        let accesses = BufReader::new(child.stdout.take().unwrap());
        let kept = log.clone();
        std::thread::spawn(move || {
            accesses.lines().map_while(Result::ok).for_each(|line| *kept.lock().unwrap() += &(line + "\n"))
        });
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let address = listening(&mut said).expect("docker-registry says where it listens");
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Some(Self { child, address, log, _storage: storage })
    }

    /// How often it was asked with this method for a path with this in it.
    pub fn asked(&self, method: &str, part: &str) -> usize {
        let start = format!("\"{method} ");
        self.log.lock().unwrap().lines().filter(|line| line.contains(&start) && line.contains(part)).count()
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads on until the registry says where it listens.
fn listening(log: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    while log.read_line(&mut line).ok()? > 0 {
        if let Some((_, rest)) = line.split_once("listening on ") {
            return Some(rest.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ':')).collect());
        }
        line.clear();
    }
    None
}

/// Answers every request for a manifest so, and gives its address. It goes on for as long as the test.
pub fn answering(status: &'static str, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream, status, body));
        }
    });
    address
}

fn answer(mut stream: TcpStream, status: &str, body: &str) {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => request.push(byte[0]),
            _ => return,
        }
    }
    let pinged = request.windows(10).any(|part| part == b" /v2/ HTTP");
    let (status, body) = if pinged { ("200 OK", "{}") } else { (status, body) };
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
}
