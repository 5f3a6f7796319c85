//! Everything about the code that can be told without running it.

use crate::Outcome;
use crate::steps::Steps;
use crate::workspace::{agent_program, cargo, libraries, selection};
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
    if packages.is_empty() {
        lint_fuzz_targets(&mut steps, &strict);
    }
    steps.finish("check")
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
