//! The npm package: built and tested with the Node that is here.

use crate::steps::{Steps, output};
use crate::workspace::{cargo, root, target_directory};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The packages whose change is seen in Node.
const CONCERNED: [&str; 3] = ["isobox", "isobox-bindings", "isobox-node"];
/// The oldest that the package is for.
const OLDEST: u32 = 20;

/// Whether the package is to be looked at when these were named.
pub(crate) fn is_concerned(packages: &[String]) -> bool {
    packages.is_empty() || packages.iter().any(|name| CONCERNED.contains(&name.as_str()))
}

/// Runs its tests, with the native module built where cargo builds, or in `target`.
pub(crate) fn test(steps: &mut Steps, target: Option<&Path>) {
    if is_here() && build(steps, target) {
        steps.run("tests of the npm package", npm().args(["test", "--silent"]));
    }
}

/// Checks its types, as those who import and those who require it see them.
pub(crate) fn check(steps: &mut Steps) {
    if is_here() && build(steps, None) {
        steps.run("types of the npm package", npm().args(["run", "--silent", "types"]));
    }
}

fn is_here() -> bool {
    let told = output(Command::new("node").arg("--version")).unwrap_or_default();
    let told = String::from_utf8_lossy(&told).into_owned();
    let major = told.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    let here = major.is_some_and(|major| major >= OLDEST);
    if !here {
        eprintln!("xtask: the npm package is not looked at, it needs Node {OLDEST} or newer");
    }
    here
}

fn npm() -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(root().join("node"));
    npm
}

/// Builds the native module and compiles the TypeScript.
fn build(steps: &mut Steps, target: Option<&Path>) -> bool {
    let Some(own) = steps.try_to("where cargo builds", target_directory()) else { return false };
    let target = target.map_or(own, Path::to_owned);
    let mut native = cargo(["build", "--package", "isobox-node"]);
    if !steps.run("the native module for Node", native.env("CARGO_TARGET_DIR", &target)) {
        return false;
    }
    let package = root().join("node");
    let copied = fs::copy(target.join("debug/libisobox_node.so"), package.join("isobox.node"));
    if let Err(error) = copied {
        steps.fail("the native module for Node", &error.to_string());
        return false;
    }
    let _ = fs::remove_dir_all(package.join("dist"));
    let _ = fs::remove_dir_all(package.join("test-dist"));
    steps.run("tools for Node", npm().args(["install", "--silent", "--no-audit", "--no-fund"]))
        && steps.run("the npm package", npm().args(["run", "--silent", "build"]))
}
