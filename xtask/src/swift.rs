//! The Swift package: its native module built by cargo, and its tests run with a toolchain of its own.

mod toolchain;

use crate::Outcome;
use crate::steps::Steps;
use crate::workspace::{cargo, root, target_directory};
use std::path::{Path, PathBuf};
use std::process::Command;
use toolchain::Toolchain;

/// The packages whose change is seen in Swift.
const CONCERNED: [&str; 3] = ["isobox", "isobox-bindings", "isobox-swift"];

/// Whether the package is to be looked at when these were named.
pub(crate) fn is_concerned(packages: &[String]) -> bool {
    packages.is_empty() || packages.iter().any(|name| CONCERNED.contains(&name.as_str()))
}

/// Fetches what the tests need.
pub(crate) fn setup() -> Outcome {
    toolchain::fetch()
}

/// Builds the native module, where cargo builds or in `target`, and says where it is.
pub(crate) fn native(steps: &mut Steps, target: Option<&Path>) -> Option<PathBuf> {
    let target = match target {
        Some(target) => target.to_owned(),
        None => steps.try_to("where cargo builds", target_directory())?,
    };
    let mut build = cargo(["build", "--package", "isobox-swift"]);
    let built = steps.run("the native module of the Swift package", build.env("CARGO_TARGET_DIR", &target));
    built.then(|| target.join("debug/libisobox_swift.so"))
}

/// Runs its tests, built where cargo builds, or in `target`.
pub(crate) fn test(steps: &mut Steps, target: Option<&Path>) {
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(problem) => return eprintln!("xtask: the tests of the Swift package were skipped: {problem}"),
    };
    let Some(library) = native(steps, target) else { return };
    let Some(libraries) = library.parent() else { return };
    let scratch = libraries.with_file_name("swift");
    let made = std::fs::create_dir_all(&scratch).map_err(|error| format!("cannot make {}: {error}", scratch.display()));
    if steps.try_to("a place for Swift to build in", made).is_none() {
        return;
    }
    // The tests read the guide.
    let mut command = toolchain.command("swift", &[&root(), libraries], &scratch);
    steps.run("tests of the Swift package", arguments(&mut command, &scratch, libraries));
}

fn arguments<'a>(command: &'a mut Command, scratch: &Path, libraries: &Path) -> &'a mut Command {
    let linker = [format!("-L{}", libraries.display()), "-rpath".to_owned(), libraries.display().to_string()];
    command.args(["test", "--disable-xctest", "--package-path"]).arg(root().join("bindings/swift"));
    command.arg("--scratch-path").arg(scratch);
    for argument in linker {
        command.args(["-Xlinker", &argument]);
    }
    command
}
