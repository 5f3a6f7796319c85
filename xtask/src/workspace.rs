//! Where things are, and which packages a task is for.

use crate::steps::output;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package whose program is built with a feature that nobody else sets.
const AGENT: &str = "isobox-agent";

/// What the agent runs on beside the processors that this is developed on.
pub(crate) const OTHER_PROCESSOR: &str = "aarch64-unknown-linux-gnu";

/// Whether the toolchain can build for a target.
pub(crate) fn has_standard_library(target: &str) -> bool {
    let asked = Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output();
    asked.is_ok_and(|asked| Path::new(String::from_utf8_lossy(&asked.stdout).trim()).is_dir())
}

/// The workspace's directory.
pub(crate) fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it for `cargo run`");
    Path::new(&package).parent().expect("this package is in the workspace").to_owned()
}

/// Cargo with one subcommand, in the workspace.
pub(crate) fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root()).args(arguments);
    command
}

/// What cargo says about the workspace, as JSON.
pub(crate) fn metadata() -> Result<Vec<u8>, String> {
    output(&mut cargo(["metadata", "--format-version", "1"]))
}

/// Where cargo builds.
pub(crate) fn target_directory() -> Result<PathBuf, String> {
    let metadata = String::from_utf8_lossy(&metadata()?).into_owned();
    let named = metadata.split("\"target_directory\":\"").nth(1).and_then(|rest| rest.split('"').next());
    named.map(PathBuf::from).ok_or_else(|| "cargo metadata names no target directory".into())
}

/// Cargo's options for the packages that were named, or for all.
pub(crate) fn selection(packages: &[String]) -> Vec<&str> {
    if packages.is_empty() {
        return vec!["--workspace"];
    }
    packages.iter().flat_map(|package| ["--package", package]).collect()
}

/// Cargo's options for the libraries among the packages that were named, or for all; none when there is no library.
pub(crate) fn libraries(packages: &[String]) -> Result<Option<Vec<&str>>, String> {
    if packages.is_empty() {
        return Ok(Some(selection(packages)));
    }
    let metadata = output(&mut cargo(["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata = String::from_utf8_lossy(&metadata);
    let is_library = |package: &&String| {
        let description = metadata.split(&format!("{{\"name\":\"{package}\",\"version\":")).nth(1).unwrap_or_default();
        description.split("\"manifest_path\"").next().is_some_and(|targets| targets.contains("\"kind\":[\"lib\"]"))
    };
    let options: Vec<&str> = packages.iter().filter(is_library).flat_map(|package| ["--package", package]).collect();
    Ok((!options.is_empty()).then_some(options))
}

/// Cargo's options for the agent's program, if it was named.
pub(crate) fn agent_program(packages: &[String]) -> Option<[&'static str; 4]> {
    let named = packages.is_empty() || packages.iter().any(|package| package == AGENT);
    named.then_some(["--package", AGENT, "--features", "program"])
}

/// Whether this process is root.
pub(crate) fn is_root() -> bool {
    // The directory of a process belongs to its effective user.
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// Whether everybody may enter a directory and all above it. What does not exist yet will be made for everybody.
pub(crate) fn is_open_to_all(directory: &Path) -> bool {
    let existing = directory.ancestors().find_map(|path| path.canonicalize().ok());
    existing.is_some_and(|path| {
        let open = |path: &Path| path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o001 != 0);
        path.ancestors().all(open)
    })
}

/// Copies the sources, without what git and cargo made.
pub(crate) fn copy_sources(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (name, kind, target) = (entry.file_name(), entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() && name != ".git" && name != "target" {
            copy_sources(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
