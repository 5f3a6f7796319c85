//! A Docker engine of the tests' own, beside one that the machine may have: its containers, images and networks go with it.
//!
//! ```text
//! /var/cache/isobox-docker      root's
//!   images/NAME-EDITION.tar     what the test images are made of, kept for the next time
//!   trixie/                     packages of Debian 13, unpacked: Docker 26 and gVisor
//!   ENGINE/                     what an engine keeps, its socket and its log; made anew each time
//! ```
//!
//! Tests find its address in [`ADDRESS`], a command that is run with it in `DOCKER_HOST` too, and in it the images `isobox-test/tiny:1`, a busybox without users
//! and without bash, and `isobox-test/debian:1`, with bash, git, procps and python3.

mod engine;
mod images;
mod trixie;

pub(crate) use engine::{Engine, Version};
pub(crate) use images::mirror;

use crate::Outcome;
use crate::steps::Steps;
use crate::workspace::is_root;
use std::process::Command;

/// Where everything is.
const PLACE: &str = "/var/cache/isobox-docker";

/// The variable that names the engine, as `DOCKER_HOST` would.
pub(crate) const ADDRESS: &str = "ISOBOX_TEST_DOCKER_HOST";

const USAGE: &str = "usage: cargo xtask docker [--engine 20.10|26|podman] [--runsc] -- COMMAND [ARGUMENT...]";

/// Runs a command that has an engine.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let mut version = Version::Installed;
    let mut runsc = false;
    let mut rest = arguments.iter();
    loop {
        match rest.next().map(String::as_str) {
            Some("--engine") => match rest.next().map(String::as_str) {
                Some("20.10") => version = Version::Installed,
                Some("26") => version = Version::Newer,
                Some("podman") => version = Version::Podman,
                _ => return Err(USAGE.to_owned()),
            },
            Some("--runsc") => runsc = true,
            Some("--") => break,
            _ => return Err(USAGE.to_owned()),
        }
    }
    let Some((program, arguments)) = rest.as_slice().split_first() else { return Err(USAGE.to_owned()) };
    if !is_root() {
        return Err("only root can start a Docker engine".to_owned());
    }
    let engine = Engine::start(version, runsc)?;
    let mut steps = Steps::default();
    let mut command = Command::new(program);
    steps.run(
        "with a Docker engine",
        command.args(arguments).env(ADDRESS, engine.address()).env("DOCKER_HOST", engine.address()),
    );
    drop(engine);
    steps.finish("docker")
}
