//! The second disk: what was built, and what to do with it.
//!
//! ```text
//! start              the script that the machine is started for
//! cargo-nextest      the test runner
//! sources/           a copy of the workspace
//! target/            of cargo's target directory the programs alone
//! N.json             the test programs of one selection of packages
//! cargo.json         what cargo says of the workspace
//! ```
//!
//! Tests know from when they were built where programs and sources are, so the machine has both at the same places.

use super::image::{USER, file_system};
use crate::Outcome;
use crate::ordinary::runner;
use crate::steps::output;
use crate::workspace::{agent_program, cargo, copy_sources, metadata, root, target_directory};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Packages whose tests depend on the kernel.
const PACKAGES: [&str; 5] = ["isobox", "isobox-namespace", "isobox-host", "isobox-cgroup", "isobox-images"];

/// The list of the test programs that run as an ordinary user too. Those of the agent take other users' places themselves.
const LIBRARY: &str = "library";

/// What both users' runs begin with. `$1` is a list of test programs, `$2` a filter.
const FUNCTIONS: &str = r#"
tests() {
    cd "$workspace" && /isobox/cargo-nextest nextest run --profile vm --color never --no-tests pass \
        --cargo-metadata /isobox/cargo.json --binaries-metadata "/isobox/$1.json" --filterset "$2"
}
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin RUST_BACKTRACE=1
export HOME="${HOME:-/root}"
"#;

/// What is built for the machine.
pub(super) struct Contents {
    directory: PathBuf,
    /// Cargo's target directory.
    target: PathBuf,
    lists: Vec<String>,
}

impl Contents {
    /// Begins with an empty directory.
    pub(super) fn begin(directory: &Path) -> Result<Self, String> {
        let failed = |error: io::Error| format!("cannot make {}: {error}", directory.display());
        for made in ["sources", "target"] {
            fs::create_dir_all(directory.join(made)).map_err(failed)?;
        }
        fs::set_permissions(directory, fs::Permissions::from_mode(0o755)).map_err(failed)?;
        Ok(Self { directory: directory.to_owned(), target: target_directory()?, lists: Vec::new() })
    }

    /// Builds the tests that depend on the kernel, of the named packages or of all that have some.
    pub(super) fn add_tests(&mut self, named: &[String]) -> Outcome {
        let metadata = metadata()?;
        let known = String::from_utf8_lossy(&metadata).into_owned();
        let is_known = |package: &&str| known.contains(&format!("{{\"name\":\"{package}\",\"version\":"));
        let is_named = |package: &&str| named.is_empty() || named.iter().any(|name| name == package);
        let packages = PACKAGES.into_iter().filter(is_known).filter(is_named);
        let packages: Vec<&str> = packages.flat_map(|name| ["--package", name]).collect();
        let agent = agent_program(named).map(Vec::from).unwrap_or_default();
        let selections = [(LIBRARY, packages), ("agent", agent)].into_iter().filter(|(_, options)| !options.is_empty());
        for (name, selection) in selections {
            let list = ["nextest", "list", "--list-type", "binaries-only", "--message-format", "json"];
            let list = output(cargo(list).args(selection))?;
            self.add_list(name, &list).map_err(|error| format!("cannot copy the tests: {error}"))?;
        }
        let copied = fs::write(self.directory.join("cargo.json"), metadata);
        let copied = copied.and_then(|()| fs::copy(runner()?, self.directory.join("cargo-nextest")));
        let copied = copied.and_then(|_| copy_sources(&root(), &self.directory.join("sources")));
        copied.map_err(|error| format!("cannot copy the sources: {error}"))
    }

    /// Builds the command.
    pub(super) fn add_command(&self) -> Outcome {
        output(&mut cargo(["build", "--package", "isobox-cli"]))?;
        self.add_program(Path::new("debug/isobox")).map_err(|error| format!("cannot copy the command: {error}"))
    }

    fn add_list(&mut self, name: &str, list: &[u8]) -> io::Result<()> {
        for program in programs(&String::from_utf8_lossy(list), &self.target) {
            self.add_program(&program)?;
        }
        fs::write(self.directory.join(format!("{name}.json")), list)?;
        self.lists.push(name.to_owned());
        Ok(())
    }

    fn add_program(&self, program: &Path) -> io::Result<()> {
        let copy = self.directory.join("target").join(program);
        fs::create_dir_all(copy.parent().expect("it is below the target directory"))?;
        if copy.exists() {
            return Ok(());
        }
        // No link: cargo writes a program that it builds once more into the same file.
        fs::copy(self.target.join(program), &copy).map(drop)
    }

    /// A script that runs the tests that a filter selects, as root and as an ordinary user whose session may divide its
    /// cgroup.
    pub(super) fn tests(&self, filter: &str) -> Result<String, String> {
        let filter = filter.replace('\'', r"'\''");
        let run = |lists: &[&str]| {
            let each = lists.iter().map(|list| format!("tests {list} '{filter}' || status=1\n"));
            format!("status=0\n{}exit $status\n", each.collect::<String>())
        };
        let lists: Vec<&str> = self.lists.iter().map(String::as_str).collect();
        let ordinary: Vec<&str> = lists.iter().copied().filter(|list| *list == LIBRARY).collect();
        self.script(&run(&lists), &run(&ordinary))
    }

    /// A script that does `root` as root and then `ordinary` as an ordinary user, both with the places of the tests.
    pub(super) fn script(&self, root_part: &str, ordinary: &str) -> Result<String, String> {
        let workspace = root();
        let (workspace, target) = (workspace.display(), self.target.display());
        let common = format!("workspace='{workspace}' target='{target}'\n{FUNCTIONS}");
        for (name, part) in [("as-root", root_part), ("as-ordinary", ordinary)] {
            let text = format!("{common}{part}");
            fs::write(self.directory.join(name), text).map_err(|error| format!("cannot write {name}: {error}"))?;
        }
        // Nobody's standard error is a terminal: a runner would draw on it, and one without a size shows nothing.
        Ok(format!(
            "chmod 755 /root\n\
             mkdir -p '{workspace}' '{target}'\n\
             mount --bind /isobox/sources '{workspace}'\n\
             mount --bind /isobox/target '{target}'\n\
             {{\n\
             echo \"$(uname -sr), ready after $(cut -d . -f 1 /proc/uptime) s\"\n\
             status=0\n\
             sh /isobox/as-root || status=1\n\
             su --login {USER} --command 'systemd-run --user --scope --quiet --property Delegate=yes sh /isobox/as-ordinary' \
             || status=1\n\
             echo $status > /dev/ttyS2\n\
             }} < /dev/null 2>&1 | cat\n\
             systemctl poweroff --force --force\n"
        ))
    }

    /// Makes the disk, whose script is `start`.
    pub(super) fn disk(&self, start: &str, file: &Path) -> Outcome {
        let failed = |error: io::Error| format!("cannot make {}: {error}", file.display());
        fs::write(self.directory.join("start"), start).map_err(failed)?;
        file_system("isobox-tests", &self.directory, file, 8 << 30)
    }
}

/// The programs that a list of test programs names, relative to the target directory.
fn programs(list: &str, target: &Path) -> Vec<PathBuf> {
    let tests = list.split("\"binary-path\":\"").skip(1);
    let others = list.split("\"path\":\"").skip(1);
    let first = |rest: &str| rest.split('"').next().map(PathBuf::from);
    let relative = |path: PathBuf| path.strip_prefix(target).map(Path::to_owned).unwrap_or(path);
    let paths = tests.chain(others).filter_map(first).map(relative);
    paths.filter(|path| path.is_relative() && target.join(path).is_file()).collect()
}
