//! The whole way, with the providers that are built in.

#![cfg(all(feature = "host", feature = "namespace"))]
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use isobox::*;
use std::future::Future;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const PATIENCE: Duration = Duration::from_secs(30);

/// Does it in a sandbox of each provider. One that does not work here is a failure.
async fn in_each<F: Future<Output = ()>>(act: impl Fn(Sandbox) -> F) {
    for provider in ["namespace", "host"] {
        let home = tempfile::tempdir().unwrap();
        let isobox = Isobox::builder().home(home.path()).default_provider(provider).open().await.unwrap();
        let sandbox = isobox.sandbox().create().await.unwrap();
        tokio::time::timeout(PATIENCE, act(sandbox.clone())).await.unwrap();
        sandbox.delete().await.unwrap();
    }
}

#[tokio::test]
async fn a_terminal_is_written_to_and_read_from() {
    in_each(async |sandbox| {
        let process = sandbox.exec(["sh"]).pty(24, 80).stdin_stream().spawn().await.unwrap();
        process.write("stty size; exit 4\n").await.unwrap();
        let mut seen = Vec::new();
        while let Some(event) = process.next().await.unwrap() {
            if let OutputEvent::Stdout(bytes) = event {
                seen.extend_from_slice(&bytes);
            }
        }
        assert!(String::from_utf8_lossy(&seen).contains("24 80"));
        assert_eq!(process.wait().await.unwrap().exit_code, 4);
    })
    .await;
}

#[tokio::test]
async fn a_process_is_found_again_by_its_id() {
    in_each(async |sandbox| {
        let process = sandbox.shell("echo one; read x; echo $x").stdin_stream().label("found").spawn().await.unwrap();
        let again = sandbox.process(process.id()).await.unwrap();
        assert_eq!(again.next().await.unwrap(), Some(OutputEvent::Stdout("one\n".into())));
        let listed = sandbox.processes().await.unwrap();
        assert!(listed.iter().any(|info| info.id == *process.id() && info.label.as_deref() == Some("found")));
        process.write("two\n").await.unwrap();
        assert_eq!(again.next().await.unwrap(), Some(OutputEvent::Stdout("two\n".into())));
        assert!(again.wait().await.unwrap().success());
    })
    .await;
}

#[tokio::test]
async fn a_dropped_command_ends() {
    in_each(async |sandbox| {
        let process = sandbox.shell("echo up; exec sleep 1000").spawn().await.unwrap();
        let id = *process.id();
        process.next().await.unwrap();
        let watcher = sandbox.process(&id).await.unwrap();
        drop(process);
        assert!(watcher.wait().await.unwrap().cancelled);
    })
    .await;
}

#[tokio::test]
async fn a_dropped_sandbox_ends() {
    for provider in ["namespace", "host"] {
        let home = tempfile::tempdir().unwrap();
        let isobox = Isobox::builder().home(home.path()).default_provider(provider).open().await.unwrap();
        let Ok(sandbox) = isobox.sandbox().create().await else {
            eprintln!("LEFT OUT: the provider {provider} does not work here");
            continue;
        };
        if !has_python(&sandbox).await {
            continue;
        }
        let (mut ours, process) = held(&sandbox).await;
        drop((process, sandbox));
        let mut rest = Vec::new();
        tokio::time::timeout(PATIENCE, ours.read_to_end(&mut rest)).await.expect("the sandbox lives on").unwrap();
    }
}

/// Whether a server can be written here in a line or two.
async fn has_python(sandbox: &Sandbox) -> bool {
    let there = sandbox.exec(["python3", "-V"]).await.is_ok_and(|result| result.success());
    if !there {
        eprintln!("LEFT OUT: there is no python3 here");
    }
    there
}

/// A connection into the sandbox that ends with it.
async fn held(sandbox: &Sandbox) -> (Box<dyn Duplex>, Process) {
    let script = "import socket,time; s=socket.create_server(('127.0.0.1',0)); print(s.getsockname()[1],flush=True); \
                  c=s.accept()[0]; time.sleep(1000)";
    let process = sandbox.exec(["python3", "-c", script]).spawn().await.unwrap();
    let Some(OutputEvent::Stdout(port)) = process.next().await.unwrap() else { panic!("no port") };
    let port = String::from_utf8_lossy(&port).trim().parse().unwrap();
    (sandbox.connect(port).await.unwrap(), process)
}

#[tokio::test]
async fn ports_lead_into_the_sandbox() {
    in_each(async |sandbox| {
        if !has_python(&sandbox).await {
            return;
        }
        let script = "import socket; s=socket.create_server(('127.0.0.1',0)); print(s.getsockname()[1],flush=True)\n\
                      while True:\n c=s.accept()[0]; c.sendall(c.recv(9).upper()); c.close()";
        let server = sandbox.exec(["python3", "-c", script]).spawn().await.unwrap();
        let Some(OutputEvent::Stdout(port)) = server.next().await.unwrap() else { panic!("no port") };
        let port: u16 = String::from_utf8_lossy(&port).trim().parse().unwrap();
        sandbox.wait_for_port(port, PATIENCE).await.unwrap();
        assert!(sandbox.listening_ports().await.unwrap().iter().any(|listening| listening.port == port));

        let mut inside = sandbox.connect(port).await.unwrap();
        inside.write_all(b"hello").await.unwrap();
        let mut answer = String::new();
        inside.read_to_string(&mut answer).await.unwrap();
        assert_eq!(answer, "HELLO");

        let endpoint = sandbox.forward(port).await.unwrap();
        let mut outside = tokio::net::TcpStream::connect((endpoint.host.as_str(), endpoint.port)).await.unwrap();
        outside.write_all(b"again").await.unwrap();
        answer.clear();
        outside.read_to_string(&mut answer).await.unwrap();
        assert_eq!(answer, "AGAIN");
        sandbox.release(port).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn files_go_in_and_out() {
    in_each(async |sandbox| {
        let files = sandbox.files();
        let local = tempfile::tempdir().unwrap();
        std::fs::create_dir(local.path().join("in")).unwrap();
        std::fs::write(local.path().join("in/a"), b"\0\xff").unwrap();
        files.upload(local.path().join("in"), "tree").await.unwrap();
        assert_eq!(files.read("tree/a").await.unwrap().as_ref(), b"\0\xff");
        let error = files.read_text("tree/a").await.unwrap_err();
        assert_eq!((error.code(), error.is_infrastructure()), (ErrorCode::Io, false));

        files.append("tree/a", "more").await.unwrap();
        files.rename("tree/a", "tree/b").await.unwrap();
        files.copy("tree/b", "tree/c").await.unwrap();
        files.symlink("c", "tree/d").await.unwrap();
        assert_eq!(files.read_link("tree/d").await.unwrap(), "c".into());
        assert_eq!(files.stat_link("tree/d").await.unwrap().kind, FileKind::Symlink);
        files.chmod("tree/c", 0o600).await.unwrap();
        assert_eq!(files.stat("tree/d").await.unwrap().mode, Some(0o600));
        let mut stream = files.read_stream("tree/c").await.unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.unwrap();
        assert_eq!(bytes, b"\0\xffmore");
        assert_eq!(files.write_stream("tree/e", &b"streamed"[..]).await.unwrap(), 8);

        files.download("tree", local.path().join("out")).await.unwrap();
        assert_eq!(std::fs::read(local.path().join("out/e")).unwrap(), b"streamed");
        files.remove_all("tree").await.unwrap();
        assert!(!files.exists("tree").await.unwrap());
        assert_eq!(files.read("tree/a").await.unwrap_err().code(), ErrorCode::NotFound);
    })
    .await;
}

#[tokio::test]
async fn a_watch_reports_what_changes() {
    in_each(async |sandbox| {
        let files = sandbox.files();
        files.mkdir("watched").await.unwrap();
        let mut watch = files.watch("watched").await.unwrap();
        files.write("watched/new", "x").await.unwrap();
        let change = watch.next().await.unwrap().unwrap();
        assert_eq!((change.kind, change.path), (FileChangeKind::Created, "new".into()));
    })
    .await;
}

#[tokio::test]
async fn what_a_sandbox_is_and_uses() {
    in_each(async |sandbox| {
        let status = sandbox.describe().await.unwrap();
        assert_eq!((status.id, status.state), (Some(*sandbox.id()), State::Running));
        assert!(sandbox.metrics().await.unwrap().at <= Timestamp::now());
        assert_eq!(sandbox.platform().await.unwrap().os, "linux");
        sandbox.touch().await.unwrap();
        sandbox.set_ttl(Duration::from_secs(600)).await.unwrap();
        let (ended, deleted) = tokio::join!(sandbox.ended(), sandbox.delete());
        deleted.unwrap();
        assert!(matches!(ended.unwrap(), Ended::Deleted));
        assert!(sandbox.exec(["true"]).await.is_err());
        sandbox.delete().await.unwrap();
    })
    .await;
}
