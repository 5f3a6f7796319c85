//! Every test: the workspace's, beside a Docker engine of their own, those of the agent's program, the examples in the documentation, and as root once more
//! as an ordinary user what works differently then, and what is about Docker beside a newer engine with gVisor, and beside Podman.

use crate::Outcome;
use crate::docker::{ADDRESS, Engine, Version};
use crate::ordinary::{self, Ordinary};
use crate::steps::Steps;
use crate::workspace::{agent_program, cargo, is_root, libraries, selection};
use crate::{node, python, swift};
use std::process::Command;

/// Packages whose tests use a Docker engine where there is one.
const WITH_ENGINE: [&str; 4] = ["isobox", "isobox-docker", "isobox-conformance", "isobox-cli"];

/// The tests that are run with Podman.
const PODMAN: &str = "test(=podman_passes)";

/// Runs the tests of the named packages, or of all.
pub(crate) fn run(packages: &[String]) -> Outcome {
    let root = is_root();
    let me = if root { "root" } else { "this user" };
    let target = if root { ordinary::target_directory()? } else { None };
    let mut steps = Steps::default();
    let mut engine = if root && wants_engine(packages) {
        steps.try_to("a Docker engine", Engine::start(Version::Installed, false))
    } else {
        None
    };
    let address = engine.as_ref().map(Engine::address);
    let built = |mut command: Command| {
        if let Some(target) = &target {
            command.env("CARGO_TARGET_DIR", target);
        }
        if let Some(address) = &address {
            command.env(ADDRESS, address);
        }
        command
    };
    steps.run(
        &format!("tests as {me}"),
        built(cargo(["nextest", "run", "--no-tests", "pass"])).args(selection(packages)),
    );
    if let Some(agent) = agent_program(packages) {
        steps.run(&format!("tests of the agent as {me}"), built(cargo(["nextest", "run"])).args(agent));
    }
    if let Some(libraries) = libraries(packages)? {
        steps.run(&format!("examples as {me}"), built(cargo(["test", "--doc"])).args(libraries));
    }
    if python::is_concerned(packages) {
        python::test(&mut steps, target.as_deref());
    }
    if node::is_concerned(packages) {
        node::test(&mut steps, target.as_deref());
    }
    if swift::is_concerned(packages) {
        swift::test(&mut steps, target.as_deref());
    }
    let concerned = ordinary::concerned(packages);
    if !root {
        eprintln!("xtask: tests that need root were skipped; run `cargo xtask test` as root for all");
    } else if !concerned.is_empty() {
        let binaries = ["nextest", "list", "--list-type", "binaries-only", "--message-format", "json"];
        let ready = Ordinary::prepare(built(cargo(binaries)).args(selection(packages)));
        match ready {
            Ok(user) => drop(steps.run(&format!("tests as {user}"), &mut user.run(&concerned, engine.as_ref()))),
            Err(problem) => steps.fail("tests as an ordinary user", &problem),
        }
    }
    if engine.take().is_none() {
        return steps.finish("test");
    }
    if let Some(newer) = steps.try_to("Docker 26 with gVisor", Engine::start(Version::Newer, true)) {
        let mut command = built(cargo(["nextest", "run"]));
        command.args(selection(packages)).args(["--no-tests", "pass", "--filterset", "binary(/^docker_/)"]);
        steps.run("tests of Docker 26 and gVisor", command.env(ADDRESS, newer.address()));
    }
    if let Some(podman) = steps.try_to("Podman", Engine::start(Version::Podman, false)) {
        let mut command = built(cargo(["nextest", "run"]));
        command.args(selection(packages)).args(["--no-tests", "pass", "--filterset", PODMAN]);
        steps.run("tests of Podman", command.env(ADDRESS, podman.address()));
    }
    steps.finish("test")
}

/// Whether tests of these packages run something in Docker.
fn wants_engine(packages: &[String]) -> bool {
    packages.is_empty() || packages.iter().any(|name| WITH_ENGINE.contains(&name.as_str()))
}
