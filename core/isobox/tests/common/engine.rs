//! A library whose Docker is the one that the tests were given, or else one of the test's own.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and talks to whoever runs it")]

use super::dockerd::Dockerd;
use super::image::Image;
use isobox::{EventKind, EventSink, Isobox, Progress, Sandbox, SandboxBuilder};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

/// The image that everything is made from: a busybox and nothing else, and a variable.
pub const TINY: &str = "isobox-test/shell:1";

/// A library with a home of its own, and an engine.
pub struct Engine {
    pub isobox: Isobox,
    pub home: tempfile::TempDir,
    address: String,
    own: Option<Dockerd>,
}

impl Engine {
    /// Opens it, or says why the test is skipped.
    pub async fn open() -> Option<Self> {
        let given = std::env::var("ISOBOX_TEST_DOCKER_HOST").ok().filter(|address| !address.is_empty());
        let own = match given {
            Some(_) => None,
            None => Some(Dockerd::start()?),
        };
        let address = given.unwrap_or_else(|| own.as_ref().unwrap().socket().to_owned());
        let home = tempfile::tempdir().unwrap();
        let isobox = Self::beside(home.path(), &address).await;
        let engine = Self { isobox, home, address, own };
        let mut image = Image::busybox();
        image.config = serde_json::json!({ "Env": ["PATH=/bin", "FROM=image"] });
        let archive = image.archive(TINY);
        engine.docker(&["load", "--quiet", "--input", &archive.display().to_string()]);
        Some(engine)
    }

    /// A library with that home and that engine.
    pub async fn beside(home: &std::path::Path, address: &str) -> Isobox {
        let docker = isobox_docker::DockerProvider::at(home, address).unwrap();
        let builder = Isobox::builder().home(home).with_provider(Arc::new(docker));
        builder.default_provider("docker").open().await.unwrap()
    }

    /// Another library with the same home and engine, as another process would have.
    pub async fn again(&self) -> Isobox {
        Self::beside(self.home.path(), &self.address).await
    }

    /// Its address, as in `DOCKER_HOST`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// A sandbox from the tiny image, to say more about.
    pub fn tiny(&self) -> SandboxBuilder {
        self.isobox.sandbox().provider("docker").image(TINY)
    }

    /// A sandbox from the tiny image.
    pub async fn sandbox(&self) -> Sandbox {
        self.tiny().create().await.unwrap()
    }

    /// Runs Docker's own client, which must succeed; gives its output without the end of the last line.
    pub fn docker(&self, arguments: &[&str]) -> String {
        let done = self.try_docker(arguments);
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim_end().to_owned()
    }

    /// Runs Docker's own client.
    pub fn try_docker(&self, arguments: &[&str]) -> Output {
        Command::new("docker").args(["-H", &self.address]).args(arguments).output().unwrap()
    }

    /// Containers (`ps --all`) or images (`images`) of this library with that role. Others may use the engine too.
    pub fn ours(&self, list: &[&str], role: &str) -> Vec<String> {
        let Ok(fleet) = std::fs::read_to_string(self.home.path().join("docker/fleet")) else { return Vec::new() };
        let (role, fleet) = (format!("label=isobox.role={role}"), format!("label=isobox.fleet={fleet}"));
        let arguments = [list, &["--quiet", "--filter", &role, "--filter", &fleet]].concat();
        self.docker(&arguments).lines().map(str::to_owned).collect()
    }

    /// Whether the engine has a thing of that kind and name.
    pub fn has(&self, kind: &str, name: &str) -> bool {
        self.try_docker(&[kind, "inspect", name]).status.success()
    }
}

/// Keeps how far an operation was.
#[derive(Default)]
pub struct Kept(Mutex<Vec<Progress>>);

impl Kept {
    /// What was told with this word.
    pub fn of(&self, code: &str) -> Vec<Progress> {
        self.0.lock().unwrap().iter().filter(|progress| progress.code == code).cloned().collect()
    }
}

impl EventSink for Kept {
    fn emit(&self, event: EventKind) {
        if let EventKind::OperationProgress { progress, .. } = event {
            self.0.lock().unwrap().push(progress);
        }
    }
}
