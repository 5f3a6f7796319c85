//! Installs what a fresh Debian 12 with a Rust toolchain lacks. What is there is left alone.

use crate::Outcome;
use crate::steps::{line, output, succeeds};
use crate::swift;
use crate::workspace::{OTHER_PROCESSOR, has_standard_library, is_root};
use std::process::Command;

/// A C compiler to link with, and the static C library that the agent is linked with.
const BUILD: [&str; 2] = ["gcc", "libc6-dev"];

/// What tests and benchmarks run, or compare with, and what fuzzing is linked with.
const TEST: [&str; 19] = [
    "apache2-utils",
    "btrfs-progs",
    "bubblewrap",
    "busybox-static",
    "catatonit",
    "debootstrap",
    "docker-registry",
    "docker.io",
    "e2fsprogs",
    "g++",
    "git",
    "iproute2",
    "openssl",
    "podman",
    "procps",
    "python3",
    "python3-venv",
    "uidmap",
    "xfsprogs",
];

/// The shells that sessions are tested with, besides bash, dash and busybox.
const SHELLS: [&str; 4] = ["ksh", "mksh", "yash", "zsh"];

/// What to prepare for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Building and running.
    Build,
    /// Tests, checks and benchmarks too.
    Everything,
}

/// Installs what is missing.
pub(crate) fn run(extent: Extent) -> Outcome {
    let test: &[&str] = if extent == Extent::Everything { &TEST } else { &[] };
    let shells: &[&str] = if extent == Extent::Everything { &SHELLS } else { &[] };
    let wanted: Vec<&str> = BUILD.iter().chain(test).chain(shells).copied().collect();
    install(&wanted)?;
    if extent == Extent::Everything {
        add_components()?;
        add_other_processor();
        add_command("nextest")?;
        add_command("fuzz")?;
        swift::setup().unwrap_or_else(|problem| eprintln!("xtask: the Swift package cannot be tested here: {problem}"));
    }
    eprintln!("xtask: setup is complete");
    Ok(())
}

/// Installs packages of Debian that are missing.
pub(crate) fn install(wanted: &[&str]) -> Outcome {
    if !succeeds("apt-get", &["--version"]) {
        eprintln!("xtask: this is no Debian; install the equivalents of: {}", wanted.join(" "));
        return Ok(());
    }
    let missing: Vec<&str> = wanted.iter().copied().filter(|package| !is_installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut update = Command::new("apt-get");
    update.args(["-o", "DPkg::Lock::Timeout=300", "update"]);
    let mut install = Command::new("apt-get");
    install.args(["-o", "DPkg::Lock::Timeout=300", "install", "--yes", "--no-install-recommends"]).args(&missing);
    if !is_root() {
        let commands = format!("sudo {} && sudo {}", line(&update), line(&install));
        return Err(format!("missing: {}; run this, then setup again:\n  {commands}", missing.join(" ")));
    }
    execute(&mut update)?;
    execute(install.env("DEBIAN_FRONTEND", "noninteractive"))
}

fn is_installed(package: &str) -> bool {
    let query = Command::new("dpkg-query").args(["--show", "--showformat=${db:Status-Abbrev}", package]).output();
    query.is_ok_and(|query| query.stdout.starts_with(b"ii"))
}

/// The toolchain's own tools, which a minimal one comes without.
fn add_components() -> Outcome {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !succeeds("cargo", &[tool, "--version"]) {
            execute(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    Ok(())
}

/// The standard library for the other processor, to lint the agent for it. Setup goes on without: a check that cannot be made says so.
fn add_other_processor() {
    if !has_standard_library(OTHER_PROCESSOR) {
        let added = execute(Command::new("rustup").args(["target", "add", OTHER_PROCESSOR]));
        added.unwrap_or_else(|problem| eprintln!("xtask: {problem}"));
    }
}

/// A command of cargo's that does not come with it.
fn add_command(name: &str) -> Outcome {
    if succeeds("cargo", &[name, "--version"]) {
        return Ok(());
    }
    execute(Command::new("cargo").args(["install", &format!("cargo-{name}"), "--locked"]))
}

fn execute(command: &mut Command) -> Outcome {
    eprintln!("xtask: {}", line(command));
    output(command).map(drop)
}
