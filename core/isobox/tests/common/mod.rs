//! What the tests of behaviour share: a private home for each test, and the same test on every provider.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and talks to whoever runs it"
)]

pub mod limited;

use isobox::{Isobox, Sandbox, SandboxBuilder};
use isobox_docker::DockerProvider;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// The providers whose sandboxes are processes of this machine, and have to behave the same.
pub const PROVIDERS: [&str; 2] = ["namespace", "host"];

/// Names the Docker engine of the tests.
const DOCKER: &str = "ISOBOX_TEST_DOCKER_HOST";
/// What containers are made from: a Debian with git and python3.
pub const DOCKER_IMAGE: &str = "isobox-test/debian:1";

/// Where the Docker engine of the tests is, if they have one.
pub fn docker_host() -> Option<String> {
    std::env::var(DOCKER).ok()
}

/// All providers that there are here, and have to behave the same. Inside a container nothing depends on who has made it, so an
/// ordinary user leaves those to root, and to the tests of Docker.
pub fn providers() -> Vec<&'static str> {
    let docker = docker_host().filter(|_| std::env::var_os("ISOBOX_TEST_AS_USER").is_none()).map(|_| "docker");
    if docker.is_none() {
        eprintln!("skipped on docker: {DOCKER} names no engine, or this is an ordinary user");
    }
    PROVIDERS.into_iter().chain(docker).collect()
}

/// A library with a home of its own, which goes with it.
pub struct Lab {
    pub isobox: Isobox,
    home: tempfile::TempDir,
}

impl Lab {
    pub async fn open() -> Self {
        Self::open_in(&std::env::temp_dir()).await
    }

    /// With its home in a directory that stays.
    pub async fn open_in(directory: &Path) -> Self {
        let home = tempfile::tempdir_in(directory).unwrap();
        let mut builder = Isobox::builder().home(home.path());
        if let Some(host) = docker_host() {
            builder = builder.with_provider(Arc::new(DockerProvider::at(home.path(), &host).unwrap()));
        }
        Self { isobox: builder.open().await.unwrap(), home }
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub async fn sandbox(&self, provider: &str) -> Sandbox {
        self.builder(provider).create().await.unwrap()
    }

    /// A sandbox of the provider, with bash, git and python3.
    pub fn builder(&self, provider: &str) -> SandboxBuilder {
        let builder = self.isobox.sandbox().provider(provider);
        if provider == "docker" { builder.image(DOCKER_IMAGE) } else { builder }
    }

    /// What sandboxes left behind on the disk: nothing, when all are gone.
    pub fn left_over(&self) -> Vec<std::path::PathBuf> {
        let below = |provider: &str| std::fs::read_dir(self.home.path().join(provider)).into_iter().flatten();
        PROVIDERS.iter().flat_map(|provider| below(provider)).map(|entry| entry.unwrap().path()).collect()
    }
}

/// The containers that the engine of the tests has for a sandbox, ended ones too.
pub fn containers(sandbox: &Sandbox) -> String {
    let Some(host) = docker_host() else { return String::new() };
    let label = format!("label=isobox.id={}", sandbox.id());
    let listed = Command::new("docker").args(["--host", &host, "ps", "--all", "--quiet", "--filter", &label]).output();
    let listed = listed.unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    String::from_utf8(listed.stdout).unwrap()
}

/// Runs a test in a fresh sandbox of each provider, and checks that nothing stays behind.
pub async fn on_each_provider(test: impl AsyncFn(&str, Sandbox)) {
    on_each_of(&providers(), test).await;
}

/// The same where sandboxes have the machine's own programs.
pub async fn on_each_local_provider(test: impl AsyncFn(&str, Sandbox)) {
    on_each_of(&PROVIDERS, test).await;
}

async fn on_each_of(providers: &[&str], test: impl AsyncFn(&str, Sandbox)) {
    for provider in providers {
        eprintln!("on {provider}");
        let lab = Lab::open().await;
        let sandbox = lab.sandbox(provider).await;
        test(provider, sandbox.clone()).await;
        sandbox.delete().await.unwrap();
        assert_eq!(lab.left_over(), Vec::<std::path::PathBuf>::new(), "on {provider}");
        if *provider == "docker" {
            assert_eq!(containers(&sandbox), "");
        }
    }
}

/// Processes of this machine whose command line or environment holds `mark`, zombies aside.
pub fn processes_with(mark: &str) -> Vec<u32> {
    let holds = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let zombie = stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'));
        let read = |file: &str| std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
        let found = |bytes: Vec<u8>| bytes.windows(mark.len()).any(|window| window == mark.as_bytes());
        !zombie && *pid != std::process::id() && (found(read("cmdline")) || found(read("environ")))
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(holds).collect()
}
