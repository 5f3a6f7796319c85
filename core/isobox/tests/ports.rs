//! Reaching what listens in a sandbox.
#![allow(missing_docs, unreachable_pub, clippy::print_stderr, clippy::unwrap_used)]

mod common;

use common::{Lab, on_each_provider};
use isobox::{Detail, ErrorCode, Process, Resource, Sandbox};
use std::io::ErrorKind;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const SOON: Duration = Duration::from_secs(20);

/// A server in python: `how` is what it does with a connection, `c`, in a thread of its own.
fn server(how: &str) -> String {
    format!(
        r#"
import socket, sys, threading, time
def serve(c):
{how}
    c.close()
s = socket.create_server(('127.0.0.1', int(sys.argv[1])))
print(s.getsockname()[1], flush=True)
while True:
    c, _ = s.accept()
    threading.Thread(target=serve, args=(c,), daemon=True).start()
"#
    )
}

const ECHO: &str = "    while d := c.recv(65536): c.sendall(d)\n    c.shutdown(1)";
const COUNT: &str = "    n = 0\n    while d := c.recv(65536): n += len(d)\n    c.sendall(str(n).encode())";
const SPEAK_FIRST: &str = "    c.sendall(b'hello'); c.shutdown(1)\n    d = b''\n    while p := c.recv(65536): d += p\n    print(d.decode(), flush=True)";
const SIT: &str = "    c.recv(100)\n    time.sleep(1000)";

async fn has_python(sandbox: &Sandbox, provider: &str) -> bool {
    let has = sandbox.shell("python3 -c 'import socket'").await.unwrap().success();
    if !has {
        eprintln!("cannot run on {provider}: there is no python3 in the sandbox to serve");
    }
    has
}

/// Starts a server and tells its port.
async fn start(sandbox: &Sandbox, how: &str) -> (Process, u16) {
    let script = server(how);
    let process = sandbox.exec(["python3", "-c", &script, "0"]).spawn().await.unwrap();
    (process.clone(), line(&process).await.parse().unwrap())
}

/// The next piece of a process's output.
async fn line(process: &Process) -> String {
    loop {
        let event = tokio::time::timeout(SOON, process.next()).await.expect("no output").unwrap().expect("it ended");
        if let isobox::OutputEvent::Stdout(data) = event {
            return String::from_utf8_lossy(&data).trim().to_owned();
        }
    }
}

#[tokio::test]
async fn ten_megabytes_come_back() {
    on_each_provider(async |provider, sandbox| {
        if !has_python(&sandbox, provider).await {
            return;
        }
        let (process, port) = start(&sandbox, ECHO).await;
        let sent: Vec<u8> = (0..10 << 20).map(|number: u32| (number % 251) as u8).collect();
        let (mut reader, mut writer) = tokio::io::split(sandbox.connect(port).await.unwrap());
        let mut back = Vec::new();
        let write = async {
            writer.write_all(&sent).await.unwrap();
            writer.shutdown().await.unwrap();
        };
        let ((), read) = tokio::join!(write, reader.read_to_end(&mut back));
        read.unwrap();
        assert!(back == sent, "{} bytes came back", back.len());
        process.kill().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn each_direction_ends_by_itself() {
    on_each_provider(async |provider, sandbox| {
        if !has_python(&sandbox, provider).await {
            return;
        }
        // Ours first: the answer comes after our end.
        let (count, port) = start(&sandbox, COUNT).await;
        let mut stream = sandbox.connect(port).await.unwrap();
        stream.write_all(&[7; 100_000]).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut answer = String::new();
        tokio::time::timeout(SOON, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
        assert_eq!(answer, "100000");
        count.kill().await.unwrap();
        // Theirs first: we can go on.
        let (speak, port) = start(&sandbox, SPEAK_FIRST).await;
        let mut stream = sandbox.connect(port).await.unwrap();
        let mut greeting = String::new();
        tokio::time::timeout(SOON, stream.read_to_string(&mut greeting)).await.unwrap().unwrap();
        stream.write_all(b"later").await.unwrap();
        // Dropped with no goodbye: what was written arrives all the same.
        drop(stream);
        assert_eq!((greeting.as_str(), line(&speak).await.as_str()), ("hello", "later"));
        speak.kill().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn where_nothing_listens_nothing_is_found() {
    on_each_provider(async |_, sandbox| {
        // A port that was free a moment ago.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let error = sandbox.connect(port).await.err().unwrap();
        assert_eq!(error.code(), ErrorCode::NotFound);
        let Detail::Resource { resource: Resource::Port, id } = error.detail() else { panic!("{error:?}") };
        assert_eq!(*id, port.to_string());
        assert_eq!(sandbox.connect(0).await.err().unwrap().code(), ErrorCode::InvalidSpec);
        let begun = Instant::now();
        let error = sandbox.wait_for_port(port, Duration::from_millis(200)).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Timeout);
        assert!(begun.elapsed() >= Duration::from_millis(200) && begun.elapsed() < SOON);
        // A forward can be there before its server; a connection through it just ends.
        let endpoint = sandbox.forward(port).await.unwrap();
        let mut stream = TcpStream::connect((endpoint.host.as_str(), endpoint.port)).await.unwrap();
        let ended = tokio::time::timeout(SOON, stream.read(&mut [0; 10])).await.unwrap();
        assert!(matches!(ended, Ok(0)) || ended.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset));
    })
    .await;
}

#[tokio::test]
async fn a_port_that_opens_later_is_waited_for_and_listed() {
    on_each_provider(async |provider, sandbox| {
        if !has_python(&sandbox, provider).await {
            return;
        }
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let (script, argument) = (server(ECHO), port.to_string());
        let late = "sleep 0.3; exec python3 -c \"$0\" $1";
        let process = sandbox.exec(["sh", "-c", late, &script, &argument]).spawn().await.unwrap();
        sandbox.wait_for_port(port, SOON).await.unwrap();
        let listed = sandbox.listening_ports().await.unwrap();
        let ours = listed.iter().find(|listening| listening.port == port).unwrap();
        assert_eq!((ours.address.to_string(), ours.pid), ("127.0.0.1".to_owned(), process.pid()));
        process.kill().await.unwrap();
        process.wait().await.unwrap();
        let listed = sandbox.listening_ports().await.unwrap();
        assert!(listed.iter().all(|listening| listening.port != port));
    })
    .await;
}

#[tokio::test]
async fn a_forward_is_a_port_of_this_machine_until_it_is_released() {
    on_each_provider(async |provider, sandbox| {
        if !has_python(&sandbox, provider).await {
            return;
        }
        let (process, port) = start(&sandbox, ECHO).await;
        let endpoint = sandbox.forward(port).await.unwrap();
        assert_eq!(endpoint, sandbox.forward(port).await.unwrap());
        assert_eq!(endpoint.host, "127.0.0.1");
        let address = (endpoint.host.as_str(), endpoint.port);
        let mut open = TcpStream::connect(address).await.unwrap();
        for _ in 0..20 {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(b"through").await.unwrap();
            stream.shutdown().await.unwrap();
            let mut back = String::new();
            tokio::time::timeout(SOON, stream.read_to_string(&mut back)).await.unwrap().unwrap();
            assert_eq!(back, "through");
        }
        sandbox.release(port).await.unwrap();
        sandbox.release(port).await.unwrap();
        assert_eq!(TcpStream::connect(address).await.unwrap_err().kind(), ErrorKind::ConnectionRefused);
        let ended = tokio::time::timeout(SOON, open.read(&mut [0; 10])).await.unwrap();
        assert!(!matches!(ended, Ok(1..)), "{ended:?}");
        process.kill().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_deleted_sandbox_takes_its_forwards_along() {
    for provider in common::PROVIDERS {
        let lab = Lab::open().await;
        let sandbox = lab.sandbox(provider).await;
        let endpoint = sandbox.forward(8080).await.unwrap();
        sandbox.delete().await.unwrap();
        let gone = async {
            while TcpStream::connect((endpoint.host.as_str(), endpoint.port)).await.is_ok() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(SOON, gone).await.expect("the forward is still open");
        assert!(sandbox.forward(8080).await.is_err());
    }
}

#[tokio::test]
async fn a_connection_that_is_dropped_is_closed_in_the_sandbox_too() {
    on_each_provider(async |provider, sandbox| {
        if !has_python(&sandbox, provider).await {
            return;
        }
        // A server that neither answers nor closes.
        let (process, port) = start(&sandbox, SIT).await;
        // The other ends of its connections, as far as somebody still holds them.
        let held = format!("awk '$3 ~ /:{port:04X}$/ && $10 != 0' /proc/net/tcp | wc -l");
        let held = async || sandbox.shell(held.as_str()).await.unwrap().stdout.text().trim().parse::<u32>().unwrap();
        let mut streams = Vec::new();
        for _ in 0..50 {
            let mut stream = sandbox.connect(port).await.unwrap();
            stream.write_all(b"x").await.unwrap();
            streams.push(stream);
        }
        assert_eq!(held().await, 50, "on {provider}");
        drop(streams);
        let closed = async { while held().await > 0 {} };
        tokio::time::timeout(SOON, closed).await.expect("connections are still open");
        process.kill().await.unwrap();
    })
    .await;
}
