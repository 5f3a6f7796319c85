//! Everything about the code that can be told without running it.

use crate::Outcome;
use crate::steps::Steps;
use crate::workspace::{OTHER_PROCESSOR, agent_program, cargo, has_standard_library, libraries, selection};
use crate::{generate, node, python, swift};
use std::process::Stdio;

/// Fails when formatting, lints or documentation leave anything to say.
pub(crate) fn run(packages: &[String]) -> Outcome {
    let mut steps = Steps::default();
    let format = if packages.is_empty() { vec!["--all"] } else { selection(packages) };
    steps.run("formatting", cargo(["fmt", "--check"]).args(format));
    let strict = ["--all-targets", "--", "-D", "warnings"];
    steps.run("lints", cargo(["clippy"]).args(selection(packages)).args(strict));
    // The command has the library's name, and both cannot have the same pages; the public ones are the library's.
    if let Some(libraries) = libraries(packages)? {
        let document = ["doc", "--no-deps", "--lib"];
        steps.run("documentation", cargo(document).args(libraries).env("RUSTDOCFLAGS", "-D warnings"));
    }
    if let Some(agent) = agent_program(packages) {
        steps.run("lints of the agent", cargo(["clippy"]).args(agent).args(strict));
        let document = ["doc", "--no-deps", "--bin", "isobox-agent", "--document-private-items"];
        steps.run("documentation of the agent", cargo(document).args(agent).env("RUSTDOCFLAGS", "-D warnings"));
    }
    if agent_program(packages).is_some() {
        lint_for_other_processor(&mut steps);
    }
    if python::is_concerned(packages) || swift::is_concerned(packages) {
        generate::add(&mut steps, true);
    }
    if python::is_concerned(packages) {
        python::check(&mut steps);
    }
    if node::is_concerned(packages) {
        node::check(&mut steps);
    }
    if packages.is_empty() {
        lint_fuzz_targets(&mut steps, &strict);
    }
    steps.finish("check")
}

/// Numbers and characters of the system have other types there. Without tests, which cannot be linked here.
fn lint_for_other_processor(steps: &mut Steps) {
    if has_standard_library(OTHER_PROCESSOR) {
        let agent =
            ["clippy", "--package", "isobox-agent", "--features", "program", "--bin", "isobox-agent", "--target"];
        steps.run("lints of the agent for aarch64", cargo(agent).args([OTHER_PROCESSOR, "--", "-D", "warnings"]));
    } else {
        eprintln!("xtask: the agent is not linted for aarch64: rustup target add {OTHER_PROCESSOR}");
    }
}

/// The fuzz targets are a workspace of their own. What they depend on is fetched for fuzzing, not for this.
fn lint_fuzz_targets(steps: &mut Steps, strict: &[&str]) {
    let manifest = ["--manifest-path", "fuzz/Cargo.toml"];
    let fetched = cargo(["metadata", "--format-version", "1", "--offline", "--locked"])
        .args(manifest)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if fetched.is_ok_and(|status| status.success()) {
        steps.run("formatting of the fuzz targets", cargo(["fmt", "--check"]).args(manifest));
        steps.run("lints of the fuzz targets", cargo(["clippy", "--offline", "--locked"]).args(manifest).args(strict));
    } else {
        let fetch = "cargo fetch --manifest-path fuzz/Cargo.toml";
        eprintln!("xtask: the fuzz targets are not linted, their dependencies are not here: {fetch}");
    }
}
