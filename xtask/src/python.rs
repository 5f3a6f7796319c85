//! The Python package: built as its users get it, and tested and checked in an environment of its own.

use crate::steps::{Steps, succeeds};
use crate::workspace::{root, target_directory};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages whose change is seen in Python.
const CONCERNED: [&str; 3] = ["isobox", "isobox-bindings", "isobox-python"];

/// Whether the package is to be looked at when these were named.
pub(crate) fn is_concerned(packages: &[String]) -> bool {
    packages.is_empty() || packages.iter().any(|name| CONCERNED.contains(&name.as_str()))
}

/// An environment with what the tests need, beside what cargo builds.
struct Environment {
    place: PathBuf,
    target: PathBuf,
}

impl Environment {
    fn prepare(steps: &mut Steps, target: Option<&Path>) -> Option<Self> {
        let target = match target {
            Some(target) => target.to_owned(),
            None => steps.try_to("where cargo builds", target_directory())?,
        };
        let this = Self { place: target.join("python"), target };
        let python = this.program("python");
        if !succeeds(&python.to_string_lossy(), &["--version"]) {
            let made = steps.run("a Python environment", Command::new("python3").args(["-m", "venv"]).arg(&this.place));
            made.then_some(())?;
        }
        let mut install = this.command("pip");
        install.args(["install", "--quiet", "--disable-pip-version-check", "--requirement"]);
        install.arg(root().join("python/requirements.txt"));
        steps.run("tools for Python", &mut install).then_some(this)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.place.join("bin").join(name)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.program(name));
        command
            .current_dir(root().join("python"))
            .env("CARGO_TARGET_DIR", &self.target)
            .env("VIRTUAL_ENV", &self.place);
        command
    }

    /// Builds the wheel and installs it.
    fn install(&self, steps: &mut Steps) -> bool {
        let wheels = self.place.join("wheels");
        let _ = std::fs::remove_dir_all(&wheels);
        let mut build = self.command("maturin");
        build.args(["build", "--profile", "dev", "--auditwheel", "skip", "--interpreter"]);
        build.arg(self.program("python")).arg("--out").arg(&wheels);
        if !steps.run("the Python package", &mut build) {
            return false;
        }
        let wheel = std::fs::read_dir(&wheels).ok().and_then(|mut files| files.next()?.ok());
        let Some(wheel) = wheel else {
            steps.fail("the Python package", &format!("there is no wheel in {}", wheels.display()));
            return false;
        };
        let mut install = self.command("pip");
        install.args(["install", "--quiet", "--disable-pip-version-check", "--force-reinstall", "--no-deps"]);
        steps.run("installing the Python package", install.arg(wheel.path()))
    }
}

/// Runs its tests, built where cargo builds, or in `target`.
pub(crate) fn test(steps: &mut Steps, target: Option<&Path>) {
    let Some(environment) = Environment::prepare(steps, target) else { return };
    if environment.install(steps) {
        steps.run("tests of the Python package", environment.command("pytest").args(["--quiet", "tests"]));
    }
}

/// Checks its types and its style.
pub(crate) fn check(steps: &mut Steps) {
    let Some(environment) = Environment::prepare(steps, None) else { return };
    if environment.install(steps) {
        steps.run("types of the Python package", environment.command("mypy").args(["tests/typed.py"]));
    }
    steps.run("format of the Python package", environment.command("ruff").args(["format", "--check", "tests"]));
    steps.run("lints of the Python package", environment.command("ruff").args(["check", "isobox", "tests"]));
}
