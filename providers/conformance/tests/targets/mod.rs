//! The providers of this repository, and what there is for the suite to use with them.

#![allow(dead_code, reason = "each test binary uses its own part")]

#[path = "../../../../core/isobox/tests/image/mod.rs"]
mod image;
#[path = "../../../../core/images/tests/common/registry.rs"]
mod registry;
mod tcp;

use image::Image;
use isobox::{DockerOptions, Isolation, ProviderOptions, SandboxBuilder};
use isobox_conformance::{Fixtures, Suite, Target, is_elsewhere, serve};
use isobox_docker::DockerProvider;
use registry::Registry;
use serde_json::json;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

/// Which target the other process has.
const PROVIDER: &str = "ISOBOX_TEST_PROVIDER";

/// Names the Docker engine of the tests.
pub const DOCKER: &str = "ISOBOX_TEST_DOCKER_HOST";
/// What is in it: a busybox without users, and a Debian with git and python3.
const IMAGES: [&str; 2] = ["isobox-test/tiny:1", "isobox-test/debian:1"];

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    Host,
    Namespace,
    /// The engine of the tests, at its socket.
    Docker,
    /// The same as if it were on another machine.
    DockerOverTcp,
    /// The same with gVisor as the runtime, as it is by default.
    DockerWithGvisor,
    /// The same with a gVisor that writes files where the engine keeps them.
    DockerWithKeepingGvisor,
}

impl Which {
    const ALL: [Which; 6] = [
        Which::Host,
        Which::Namespace,
        Which::Docker,
        Which::DockerOverTcp,
        Which::DockerWithGvisor,
        Which::DockerWithKeepingGvisor,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Which::Host => "host",
            Which::Namespace => "namespace",
            Which::Docker => "docker",
            Which::DockerOverTcp => "docker-tcp",
            Which::DockerWithGvisor => "docker-gvisor",
            Which::DockerWithKeepingGvisor => "docker-gvisor-keeping",
        }
    }

    pub fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|which| which.name() == name).expect("it is one of those that there are")
    }

    /// The runtime that it has, where that is not the engine's default.
    pub fn runtime(self) -> Option<&'static str> {
        match self {
            Which::DockerWithGvisor => Some("runsc"),
            Which::DockerWithKeepingGvisor => Some("runsc-keeping"),
            _ => None,
        }
    }

    fn is_docker(self) -> bool {
        !matches!(self, Which::Host | Which::Namespace)
    }
}

/// The engine's address.
pub fn engine() -> Option<String> {
    std::env::var(DOCKER).ok().filter(|address| !address.is_empty())
}

/// A provider, with everything that the suite can use.
pub struct Equipped {
    pub target: Target,
    // What the fixtures name is there for as long as this.
    _registry: Option<Registry>,
    _images: [Image; 2],
}

impl Equipped {
    pub fn new(which: Which) -> Self {
        let shell = Image::busybox();
        let mut talking = Image::busybox();
        talking.config =
            json!({ "Env": ["PATH=/bin"], "Entrypoint": ["sh", "-c", "echo entrypoint; exec sleep 1000000"] });
        let registry = Registry::start();
        let pushed = |image: &Image, name: &str| {
            let registry = registry.as_ref()?;
            registry.push(name, "1", image.oci_files(&format!("{name}:1")));
            Some(format!("{}/{name}:1", registry.address()))
        };
        let mut fixtures = own_images(which);
        fixtures.remote_image = pushed(&shell, "shell");
        fixtures.entrypoint_image = pushed(&talking, "talking");
        fixtures.archive = Some(shell.archive(&format!("isobox-test/archive-{}:1", std::process::id())));
        let target = bare(which).fixtures(fixtures);
        Self { target, _registry: registry, _images: [shell, talking] }
    }

    /// All of the suite, or what a variable says.
    pub fn suite(&self) -> Suite {
        let only = std::env::var("ISOBOX_CONFORMANCE_ONLY").unwrap_or_default();
        let heavy = std::env::var_os("ISOBOX_CONFORMANCE_HEAVY").is_some();
        let suite = Suite::new(self.target.clone()).heavy(heavy);
        only.split(',').filter(|text| !text.is_empty()).fold(suite, Suite::only)
    }
}

fn own_images(which: Which) -> Fixtures {
    if !which.is_docker() {
        return Fixtures::default();
    }
    let [tiny, debian] = IMAGES.map(str::to_owned);
    Fixtures {
        dockerfile: Some(format!("FROM {tiny}\nRUN echo made > /conformance\n")),
        image: Some(debian),
        one_shot_image: Some(tiny),
        ..Fixtures::default()
    }
}

fn bare(which: Which) -> Target {
    let engine = engine().unwrap_or_default();
    let engine = if which == Which::DockerOverTcp { tcp::leading_to(&engine) } else { engine };
    let target = match which.is_docker() {
        false => Target::built_in(which.name()),
        true => {
            let engine = engine.clone();
            Target::opened("docker", move |home| Ok(Arc::new(DockerProvider::at(home, &engine)?)))
        }
    };
    let target = match which.runtime() {
        Some(runtime) => target.template(move |builder| with_runtime(builder, runtime)).narrower(),
        None => target,
    };
    // The other process has no use for a second way to the same port.
    let there = if which == Which::DockerOverTcp { Which::Docker } else { which };
    target.elsewhere(move || {
        let mut command = Command::new(program());
        command.args(["--ignored", "--exact", "--nocapture", "elsewhere"]);
        command.env(PROVIDER, there.name()).env(DOCKER, &engine);
        command
    })
}

fn with_runtime(builder: SandboxBuilder, runtime: &str) -> SandboxBuilder {
    let options = DockerOptions { runtime: Some(runtime.to_owned()), ..DockerOptions::default() };
    builder.options(ProviderOptions::Docker(Box::new(options))).least_isolation(Isolation::Gvisor)
}

fn program() -> PathBuf {
    std::env::current_exe().expect("a test knows its program")
}

/// The body of the ignored test `elsewhere`, which whoever uses a target has: the part of a check that is killed.
pub async fn elsewhere() {
    if is_elsewhere() {
        let which = Which::named(&std::env::var(PROVIDER).unwrap_or_default());
        serve(&bare(which).fixtures(own_images(which))).await;
    }
}
