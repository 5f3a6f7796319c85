//! Fuzzing: every target for the same time, from what the repository keeps in `fuzz/corpus`.
//!
//! What a run finds goes below cargo's target directory, so that the repository holds only what somebody has chosen to keep:
//!
//! ```text
//! fuzz/corpus/TARGET             kept: inputs that reach different code, as few as `cargo xtask fuzz --keep` can do with
//! target/fuzz/found/TARGET       new inputs; a longer run goes on from them
//! target/fuzz/crashes/TARGET-*   inputs that crash, hang or take too much memory
//! ```

use crate::Outcome;
use crate::steps::{Steps, output, succeeds};
use crate::workspace::{root, target_directory};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// For each target, unless another time is asked for.
const SECONDS: u32 = 600;
/// The longest time for one input, in seconds. Machines that build are slow.
const PATIENCE: u32 = 30;
/// The most memory, in megabytes.
const MEMORY: u32 = 2048;

/// What to do with the targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    /// Look for inputs for this many seconds each.
    Search(u32),
    /// Put what was found into the repository, without what reaches no new code.
    Keep,
}

/// Fuzzes the named targets, or all: `[--seconds N | --keep] [TARGET...]`.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let (task, named) = parse(arguments)?;
    if !succeeds("cargo", &["fuzz", "--version"]) {
        return Err("cargo-fuzz is missing; `cargo xtask setup` installs it".into());
    }
    let targets = targets()?;
    if let Some(unknown) = named.iter().find(|name| !targets.contains(name)) {
        return Err(format!("there is no target {unknown}; there are: {}", targets.join(" ")));
    }
    let chosen = if named.is_empty() { targets } else { named };
    let place = target_directory()?.join("fuzz");
    let mut steps = Steps::default();
    // Without sanitizers, which need an unstable compiler; what is unsafe is run under valgrind's and the kernel's eyes.
    if steps.run("fuzz targets", cargo_fuzz("build").args(["--sanitizer", "none"])) {
        for target in chosen {
            let directories = Directories::of(&place, &target)?;
            match task {
                Task::Search(seconds) => {
                    steps.run(&format!("fuzz {target}"), &mut directories.search(&target, seconds))
                }
                Task::Keep => directories.keep(&target, &mut steps)?,
            };
        }
    }
    steps.finish("fuzz")
}

fn parse(arguments: &[String]) -> Result<(Task, Vec<String>), String> {
    match arguments {
        [option, seconds, rest @ ..] if option == "--seconds" => {
            let seconds = seconds.parse().map_err(|_| format!("--seconds {seconds} is no number of seconds"))?;
            Ok((Task::Search(seconds), rest.to_vec()))
        }
        [option, rest @ ..] if option == "--keep" => Ok((Task::Keep, rest.to_vec())),
        [option, ..] if option.starts_with('-') => Err(format!("fuzz has no option {option}")),
        names => Ok((Task::Search(SECONDS), names.to_vec())),
    }
}

fn targets() -> Result<Vec<String>, String> {
    let listed = output(Command::new("cargo").args(["fuzz", "list"]).current_dir(root()))?;
    Ok(String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect())
}

fn cargo_fuzz(task: &str) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root()).args(["fuzz", task]);
    command
}

/// Where the inputs of one target are.
struct Directories {
    kept: PathBuf,
    found: PathBuf,
    crashes: PathBuf,
}

impl Directories {
    fn of(place: &Path, target: &str) -> Result<Self, String> {
        let kept = root().join("fuzz/corpus").join(target);
        let made = Self { kept, found: place.join("found").join(target), crashes: place.join("crashes") };
        for directory in [&made.kept, &made.found, &made.crashes] {
            fs::create_dir_all(directory).map_err(|error| format!("cannot make {}: {error}", directory.display()))?;
        }
        Ok(made)
    }

    fn search(&self, target: &str, seconds: u32) -> Command {
        let mut command = cargo_fuzz("run");
        command.args(["--sanitizer", "none", target]).arg(&self.found).arg(&self.kept).arg("--");
        command.arg(format!("-max_total_time={seconds}")).arg(format!("-timeout={PATIENCE}"));
        command.arg(format!("-rss_limit_mb={MEMORY}")).arg("-verbosity=0").arg("-print_final_stats=1");
        command.arg(format!("-artifact_prefix={}/{target}-", self.crashes.display()));
        command
    }

    /// The smallest set of inputs that reaches what all reach takes the place of what was kept.
    fn keep(&self, target: &str, steps: &mut Steps) -> Result<bool, String> {
        let failed = |error: std::io::Error| format!("cannot change {}: {error}", self.kept.display());
        let chosen = self.found.with_extension("chosen");
        let _ = fs::remove_dir_all(&chosen);
        fs::create_dir_all(&chosen).map_err(failed)?;
        let mut command = cargo_fuzz("run");
        command.args(["--sanitizer", "none", target]).arg(&chosen).arg(&self.kept).arg(&self.found);
        command.args(["--", "-set_cover_merge=1", "-verbosity=0"]).arg(format!("-timeout={PATIENCE}"));
        if !steps.run(&format!("keep {target}"), &mut command) {
            return Ok(false);
        }
        fs::remove_dir_all(&self.kept).and_then(|()| fs::create_dir_all(&self.kept)).map_err(failed)?;
        for input in fs::read_dir(&chosen).map_err(failed)?.flatten() {
            fs::copy(input.path(), self.kept.join(input.file_name())).map_err(failed)?;
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_time_and_the_targets_can_be_chosen() {
        assert_eq!(parse(&words("--seconds 5 spec")), Ok((Task::Search(5), words("spec"))));
        assert_eq!(parse(&[]), Ok((Task::Search(SECONDS), Vec::new())));
        assert_eq!(parse(&words("--keep")), Ok((Task::Keep, Vec::new())));
        assert!(parse(&words("--seconds soon")).is_err());
        assert!(parse(&words("--forever")).is_err());
    }
}
