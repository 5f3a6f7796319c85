//! The local Docker: a real daemon, started for the test where it is installed and may run.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may panic, and talks to whoever runs it"
)]

mod common;

use common::{Builder, Lab, Layer, archive};
use isobox_contract::{Context, ErrorCode, ImageSource, PullPolicy};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

struct Daemon {
    child: Child,
    socket: String,
    _place: tempfile::TempDir,
}

impl Daemon {
    /// Starts one, or says why the test is skipped.
    fn start() -> Option<Self> {
        if !common::is_root() {
            println!("skipped: only root can start a Docker daemon");
            return None;
        }
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name).display().to_string();
        let socket = format!("unix://{}", path("d.sock"));
        let mut command = Command::new("dockerd");
        command.args(["--bridge=none", "--iptables=false", "--ip6tables=false", "--data-root", &path("root")]);
        command.args(["--exec-root", &path("exec"), "-H", &socket, "-p", &path("pid")]);
        let started = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let Ok(mut child) = started else {
            println!("skipped: dockerd is not installed");
            return None;
        };
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while log.read_line(&mut line).unwrap() > 0 {
            if line.contains("API listen on") {
                std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
                return Some(Self { child, socket, _place: place });
            }
            line.clear();
        }
        let _ = child.wait();
        println!("skipped: dockerd does not run here");
        None
    }

    fn docker(&self, arguments: &[&str]) -> String {
        let done = Command::new("docker").args(["-H", &self.socket]).args(arguments).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It takes what it mounted along when it may end by itself.
        let pid = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn images_come_from_a_real_daemon_and_follow_their_name() {
    let Some(daemon) = Daemon::start() else { return };
    // Nothing else runs in this process.
    // SAFETY: no other thread reads the environment at this time.
    #[allow(unsafe_code, reason = "the daemon's address is taken from the environment")]
    unsafe {
        std::env::set_var("DOCKER_HOST", &daemon.socket);
    }
    let lab = Lab::open();
    let source =
        |name: &str| ImageSource { reference: name.into(), pull: PullPolicy::Missing, ..ImageSource::default() };
    for text in ["one", "two"] {
        let image = Builder::of([
            Layer::new().dir("d").file("d/old", "x"),
            Layer::new().file("d/.wh.old", "").file("text", text),
        ]);
        let path = archive(&lab.path("made.tar"), &image.tag("made:1").docker_files());
        daemon.docker(&["load", "-i", path.to_str().unwrap()]);
        let (from_daemon, named) = lab.images.image(&source("docker-daemon:made:1"), &Context::quiet()).await.unwrap();
        assert_eq!(fs::read(lab.images.layer(&from_daemon.stack[0]).join("text")).unwrap(), text.as_bytes());
        assert_eq!(named.reference, "docker-daemon:made:1");

        // What `docker save` of this daemon writes is the same image.
        let saved = lab.path("saved.tar");
        daemon.docker(&["save", "-o", saved.to_str().unwrap(), "made:1"]);
        let from_archive = lab.images.archive(&saved, Some("made:1"), &Context::quiet()).await.unwrap().0;
        assert_eq!(from_archive.stack, from_daemon.stack);
    }
    let error = lab.images.image(&source("docker-daemon:absent"), &Context::quiet()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ImageNotFound, "{error}");
    drop(daemon);
    let error = lab.images.image(&source("docker-daemon:made:1"), &Context::quiet()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::EngineUnavailable, "{error}");
    let never = ImageSource { pull: PullPolicy::Never, ..source("docker-daemon:made:1") };
    lab.images.image(&never, &Context::quiet()).await.unwrap();
}
