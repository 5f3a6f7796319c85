//! Debian's `docker-registry` on the loopback, with something in front of it that counts and can hold back.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and talks to whoever runs it"
)]

use isobox_images::Digest;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

pub struct Registry {
    child: Child,
    address: String,
    storage: tempfile::TempDir,
}

impl Registry {
    /// Starts one, or says that the test is skipped.
    pub fn start() -> Option<Self> {
        let storage = tempfile::tempdir().unwrap();
        let file = storage.path().join("config.yml");
        let root = storage.path().join("storage");
        let text = format!(
            "version: 0.1\nstorage:\n  filesystem:\n    rootdirectory: {}\nhttp:\n  addr: 127.0.0.1:0\n",
            root.display()
        );
        std::fs::write(&file, text).unwrap();
        let started = Command::new("docker-registry")
            .arg("serve")
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let Ok(mut child) = started else {
            println!("skipped: docker-registry is not installed, run `cargo xtask setup`");
            return None;
        };
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        let address = loop {
            line.clear();
            assert_ne!(log.read_line(&mut line).unwrap(), 0, "docker-registry ended");
            if let Some((_, rest)) = line.split_once("listening on ") {
                break rest.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ':')).collect();
            }
        };
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Some(Self { child, address, storage })
    }

    pub fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Where it listens, as in references.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Where it keeps the contents with this digest in hexadecimal digits.
    pub fn blob(&self, hex: &str) -> std::path::PathBuf {
        let blobs = self.storage.path().join("storage/docker/registry/v2/blobs/sha256");
        blobs.join(&hex[..2]).join(hex).join("data")
    }

    /// Pushes an image, as the files of an OCI layout, under a tag.
    pub fn push(&self, repository: &str, tag: &str, files: Vec<(String, Vec<u8>)>) {
        let mut manifest = Vec::new();
        for (name, bytes) in files {
            let Some(hex) = name.strip_prefix("blobs/sha256/") else { continue };
            assert_eq!(hex, Digest::of(&bytes).hex());
            let mark = b"\"layers\":[{\"digest\":\"";
            if bytes.windows(mark.len()).any(|window| window == mark) {
                manifest = bytes;
                continue;
            }
            let (_, head) = self.send("POST", &format!("/v2/{repository}/blobs/uploads/"), "", b"");
            let location = head.lines().find_map(|line| line.strip_prefix("Location: ")).unwrap().trim().to_owned();
            let path = location.split_once(&self.address).map_or(location.as_str(), |(_, path)| path);
            let (status, _) = self.send("PUT", &format!("{path}&digest=sha256%3A{hex}"), "", &bytes);
            assert_eq!(status, 201);
        }
        let kind = "Content-Type: application/vnd.oci.image.manifest.v1+json\r\n";
        let (status, head) = self.send("PUT", &format!("/v2/{repository}/manifests/{tag}"), kind, &manifest);
        assert_eq!(status, 201, "{head}");
    }

    fn send(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let text = String::from_utf8_lossy(&answer).into_owned();
        let status = text.split(' ').nth(1).unwrap().parse().unwrap();
        (status, text)
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        self.stop();
    }
}

/// In front of a registry.
pub struct Front {
    pub address: String,
    state: Arc<State>,
}

struct State {
    /// Requests for blobs.
    blobs: AtomicUsize,
    /// How many bytes of answers pass before the rest is held back.
    gate: AtomicU64,
    passed: Mutex<u64>,
    opened: Condvar,
}

impl Front {
    pub fn of(registry: &Registry) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let state = Arc::new(State {
            blobs: AtomicUsize::new(0),
            gate: AtomicU64::new(u64::MAX),
            passed: Mutex::new(0),
            opened: Condvar::new(),
        });
        let (target, shared) = (registry.address.clone(), state.clone());
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (Ok(client), Ok(server)) = (client, TcpStream::connect(&target)) else { continue };
                let (from, to, state) = (client.try_clone().unwrap(), server.try_clone().unwrap(), shared.clone());
                std::thread::spawn(move || requests(from, to, &state));
                let state = shared.clone();
                std::thread::spawn(move || answers(server, client, &state));
            }
        });
        Self { address, state }
    }

    /// How often a blob was asked for.
    pub fn blobs(&self) -> usize {
        self.state.blobs.load(Ordering::SeqCst)
    }

    /// Holds answers back once this many bytes have passed from now on.
    pub fn hold_after(&self, bytes: u64) {
        *self.state.passed.lock().unwrap() = 0;
        self.state.gate.store(bytes, Ordering::SeqCst);
    }

    pub fn let_go(&self) {
        self.state.gate.store(u64::MAX, Ordering::SeqCst);
        self.state.opened.notify_all();
    }
}

fn requests(mut from: TcpStream, mut to: TcpStream, state: &State) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let text = String::from_utf8_lossy(&buffer[..count]);
        let asked = text.lines().filter(|line| line.starts_with("GET ") && line.contains("/blobs/")).count();
        state.blobs.fetch_add(asked, Ordering::SeqCst);
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}

fn answers(mut from: TcpStream, mut to: TcpStream, state: &State) {
    let mut buffer = vec![0; 8 << 10];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let mut passed = state.passed.lock().unwrap();
        while *passed > state.gate.load(Ordering::SeqCst) {
            passed = state.opened.wait(passed).unwrap();
        }
        *passed += count as u64;
        drop(passed);
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
