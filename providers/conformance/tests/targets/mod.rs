//! The providers of this repository, and what there is for the suite to use with them.

use isobox_conformance::{Fixtures, Target};
use isobox_docker::DockerProvider;
use std::process::Command;
use std::sync::Arc;

/// Which target the other process has.
pub const PROVIDER: &str = "ISOBOX_TEST_PROVIDER";

/// Names the Docker engine of the tests.
pub const DOCKER: &str = "ISOBOX_TEST_DOCKER_HOST";
/// What is in it: a busybox without users, and a Debian with git and python3.
const IMAGES: [&str; 2] = ["isobox-test/tiny:1", "isobox-test/debian:1"];

fn docker() -> Target {
    let [tiny, debian] = IMAGES.map(str::to_owned);
    let target = Target::opened("docker", |home| {
        let host = std::env::var(DOCKER).unwrap_or_default();
        Ok(Arc::new(DockerProvider::at(home, &host)?))
    });
    target.fixtures(Fixtures {
        dockerfile: Some(format!("FROM {tiny}\nRUN echo made > /conformance\n")),
        image: Some(debian),
        one_shot_image: Some(tiny),
        ..Fixtures::default()
    })
}

/// One of them, by its kind. Whoever uses it has an ignored test `elsewhere` that serves it.
pub fn target(provider: &str) -> Target {
    let name = provider.to_owned();
    let target = if provider == "docker" { docker() } else { Target::built_in(provider) };
    target.elsewhere(move || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "--nocapture", "elsewhere"]).env(PROVIDER, &name);
        command
    })
}
