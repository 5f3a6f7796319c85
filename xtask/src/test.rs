//! Every test: the workspace's, those of the agent's program, the examples in the documentation, and as root once more
//! as an ordinary user what works differently then.

use crate::Outcome;
use crate::docker::{ADDRESS, Engine, Version};
use crate::ordinary::{self, Ordinary};
use crate::steps::Steps;
use crate::workspace::{agent_program, cargo, is_root, libraries, selection};
use std::process::Command;

/// Packages whose tests use a Docker engine where there is one.
const WITH_ENGINE: [&str; 4] = ["isobox", "isobox-docker", "isobox-conformance", "isobox-cli"];

/// Runs the tests of the named packages, or of all.
pub(crate) fn run(packages: &[String]) -> Outcome {
    let root = is_root();
    let me = if root { "root" } else { "this user" };
    let target = if root { ordinary::target_directory()? } else { None };
    let mut steps = Steps::default();
    let engine = if root && wants_engine(packages) {
        steps.try_to("a Docker engine", Engine::start(Version::Installed, false))
    } else {
        None
    };
    let built = |mut command: Command| {
        if let Some(target) = &target {
            command.env("CARGO_TARGET_DIR", target);
        }
        if let Some(engine) = &engine {
            command.env(ADDRESS, engine.address());
        }
        command
    };
    steps.run(&format!("tests as {me}"), built(cargo(["nextest", "run"])).args(selection(packages)));
    if let Some(agent) = agent_program(packages) {
        steps.run(&format!("tests of the agent as {me}"), built(cargo(["nextest", "run"])).args(agent));
    }
    if let Some(libraries) = libraries(packages)? {
        steps.run(&format!("examples as {me}"), built(cargo(["test", "--doc"])).args(libraries));
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
    drop(engine);
    steps.finish("test")
}

/// Whether tests of these packages run something in Docker.
fn wants_engine(packages: &[String]) -> bool {
    packages.is_empty() || packages.iter().any(|name| WITH_ENGINE.contains(&name.as_str()))
}
