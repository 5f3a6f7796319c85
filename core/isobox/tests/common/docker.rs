//! A Docker engine to test with, and a library that uses it.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

use isobox::{Isobox, Sandbox, SandboxBuilder};
use isobox_docker::DockerProvider;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// The variable that names the engine; `cargo xtask docker -- COMMAND` sets it.
pub const ADDRESS: &str = "ISOBOX_TEST_DOCKER_HOST";
/// A busybox without users.
pub const TINY: &str = "isobox-test/tiny:1";
/// A Debian with bash, git and python3.
pub const DEBIAN: &str = "isobox-test/debian:1";

/// The engine's address, or the reason why the test is skipped.
pub fn address() -> Option<String> {
    let address = std::env::var(ADDRESS).ok().filter(|address| !address.is_empty());
    if address.is_none() {
        eprintln!("skipped: {ADDRESS} names no Docker engine, run this with `cargo xtask docker -- ...`");
    }
    address
}

/// Leads a TCP port of this machine to a socket, as an engine on another machine would be reached.
pub async fn tcp(socket: &str) -> String {
    let path = socket.strip_prefix("unix://").unwrap().to_owned();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("tcp://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let path = path.clone();
            tokio::spawn(async move {
                let mut engine = tokio::net::UnixStream::connect(path).await?;
                tokio::io::copy_bidirectional(&mut stream, &mut engine).await
            });
        }
    });
    address
}

/// A library with a home of its own, and an engine.
pub struct DockerLab {
    pub isobox: Isobox,
    pub address: String,
    home: tempfile::TempDir,
}

impl DockerLab {
    /// With the engine of the tests.
    pub async fn open() -> Option<Self> {
        Some(Self::with(&address()?).await)
    }

    /// With the engine at an address.
    pub async fn with(address: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let isobox = library(home.path(), address).await;
        Self { isobox, address: address.to_owned(), home }
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Another library with the same books, as another process has it.
    pub async fn again(&self) -> Isobox {
        library(self.home.path(), &self.address).await
    }

    /// A sandbox to be made from the small image.
    pub fn tiny(&self) -> SandboxBuilder {
        self.isobox.sandbox().provider("docker").image(TINY)
    }

    pub async fn sandbox(&self) -> Sandbox {
        self.tiny().create().await.unwrap()
    }

    /// Runs Docker's own client; gives its output, or what it said of a failure.
    pub fn docker(&self, arguments: &[&str]) -> Result<String, String> {
        docker(&self.address, arguments)
    }

    /// The containers of a sandbox, as the engine has them.
    pub fn containers(&self, id: &str) -> Vec<String> {
        let filter = format!("label=isobox.id={id}");
        let listed = self.docker(&["ps", "--all", "--quiet", "--no-trunc", "--filter", &filter]).unwrap();
        listed.lines().map(str::to_owned).collect()
    }

    /// Everything that this isobox has at the engine: containers, images and volumes.
    pub fn ours(&self) -> String {
        let fleet = std::fs::read_to_string(self.home().join("docker/fleet")).unwrap();
        let label = format!("label=isobox.fleet={fleet}");
        let listed = |what: &[&str]| self.docker(&[what, &["--quiet", "--filter", &label]].concat()).unwrap();
        listed(&["ps", "--all"]) + &listed(&["images", "--all"]) + &listed(&["volume", "ls"])
    }

    /// What sandboxes left on this machine: nothing, when all are gone.
    pub fn left_over(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.home.path().join("docker")).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with("sbx_")).collect()
    }

    /// Nothing is left of a sandbox anywhere.
    pub fn assert_gone(&self, id: &str) {
        assert_eq!(self.containers(id), Vec::<String>::new());
        assert!(!self.left_over().iter().any(|name| name == id), "{id} has left its directory");
    }
}

pub async fn library(home: &Path, address: &str) -> Isobox {
    let provider = Arc::new(DockerProvider::at(home, address).unwrap());
    Isobox::builder().home(home).with_provider(provider).open().await.unwrap()
}

/// Runs Docker's own client.
pub fn docker(address: &str, arguments: &[&str]) -> Result<String, String> {
    let done = Command::new("docker").args(["-H", address]).args(arguments).output().unwrap();
    match done.status.success() {
        true => Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned()),
        false => Err(String::from_utf8_lossy(&done.stderr).trim().to_owned()),
    }
}
