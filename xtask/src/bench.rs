//! The benchmarks: those of single packages, then the command's own, which compares providers.

use crate::Outcome;
use crate::steps::Steps;
use crate::workspace::{cargo, root};
use std::fs;
use std::path::Path;

/// Runs them all, in release builds. `arguments` are for `isobox bench`.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let mut steps = Steps::default();
    if has_benches(&root(), 3) {
        steps.run("benchmarks of packages", &mut cargo(["bench", "--workspace", "--bench", "*"]));
    }
    let command = ["run", "--release", "--package", "isobox-cli", "--", "bench"];
    steps.run("benchmarks of sandboxes", cargo(command).args(arguments));
    steps.finish("bench")
}

/// Whether a package has a directory for benchmarks, which cargo finds by its name.
fn has_benches(directory: &Path, depth: u32) -> bool {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut directories = entries.filter(|path| path.is_dir() && !path.ends_with("target") && !path.ends_with(".git"));
    directories.any(|path| path.ends_with("benches") || (depth > 0 && has_benches(&path, depth - 1)))
}
