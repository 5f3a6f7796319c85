//! Runs tests that root has built as an ordinary user.
//!
//! ```text
//! /var/cache/isobox-test     root's, open to all
//!   bin/cargo-nextest        the test runner, which is in root's home otherwise
//!   sources/                 a copy: tests start in the directory of their package
//!   target/                  only when cargo's own target directory is not open to all
//!   home/                    the user's: HOME, ISOBOX_HOME and TMPDIR are in it
//! ```
//!
//! Nothing is compiled as that user. Tests that start a program of the workspace know where it is from when they were built, so
//! the target directory must be one that the user may enter; when it is not, another is used for all tests.

use crate::docker::{ADDRESS, Engine};
use crate::steps::{output, succeeds};
use crate::workspace::{self, copy_sources, is_open_to_all, metadata, root};
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where everything is.
const PLACE: &str = "/var/cache/isobox-test";

/// Who runs the tests.
const NAME: &str = "isobox-test";

/// Where its programs are looked for.
const SEARCHED: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Its variables that name directories.
const HOMES: [(&str, &str); 3] = [("HOME", "home"), ("ISOBOX_HOME", "home/isobox"), ("TMPDIR", "home/tmp")];

/// Its subordinate ids, at the end of those that login.defs(5) sets aside, whose beginning is given to people.
const SUBORDINATE: &str = "600000000-600065535";

/// Packages that work differently without root's rights.
const CONCERNED: [&str; 8] = [
    "isobox-tree",
    "isobox-images",
    "isobox-control",
    "isobox",
    "isobox-namespace",
    "isobox-host",
    "isobox-conformance",
    "isobox-cli",
];

/// The packages among `packages` that work differently without root's rights; all of them when none is named.
pub(crate) fn concerned(packages: &[String]) -> Vec<&'static str> {
    let named = |package: &&str| packages.is_empty() || packages.iter().any(|name| name == package);
    CONCERNED.into_iter().filter(named).collect()
}

/// The target directory that tests need in place of cargo's own.
pub(crate) fn target_directory() -> Result<Option<PathBuf>, String> {
    let own = workspace::target_directory()?;
    if is_open_to_all(&own) {
        return Ok(None);
    }
    let open = Path::new(PLACE).join("target");
    eprintln!("xtask: building in {}, because {} is not open to the user {NAME}", open.display(), own.display());
    Ok(Some(open))
}

/// The group of the user, which is made if it is missing.
pub(crate) fn group() -> Result<&'static str, String> {
    Ordinary::find_or_make().map(|_| NAME)
}

/// The user, and a place where it can run the tests.
pub(crate) struct Ordinary {
    uid: u32,
    gid: u32,
}

impl Ordinary {
    /// Makes the user if it is missing, and the place anew. `list` prints the metadata of the test binaries.
    pub(crate) fn prepare(list: &mut Command) -> Result<Self, String> {
        let binaries = output(list)?;
        let user = Self::find_or_make()?;
        user.fill(&binaries).map_err(|error| format!("cannot make {PLACE}: {error}"))?;
        Ok(user)
    }

    fn find_or_make() -> Result<Self, String> {
        if !succeeds("id", &[NAME]) {
            let options =
                ["--system", "--user-group", "--no-create-home", "--home-dir", PLACE, "--shell", "/usr/sbin/nologin"];
            output(Command::new("useradd").args(options).arg(NAME))?;
        }
        for (file, option) in [("/etc/subuid", "--add-subuids"), ("/etc/subgid", "--add-subgids")] {
            let given = fs::read_to_string(file).unwrap_or_default();
            if !given.lines().any(|line| line.starts_with(&format!("{NAME}:"))) {
                output(Command::new("usermod").args([option, SUBORDINATE, NAME]))?;
            }
        }
        Ok(Self { uid: id("-u")?, gid: id("-g")? })
    }

    fn fill(&self, binaries: &[u8]) -> io::Result<()> {
        let place = Path::new(PLACE);
        make_open(place)?;
        for stale in ["bin", "sources", "home"] {
            match fs::remove_dir_all(place.join(stale)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        make_open(&place.join("bin"))?;
        fs::copy(runner()?, place.join("bin/cargo-nextest"))?;
        copy_sources(&root(), &place.join("sources"))?;
        fs::write(place.join("binaries.json"), binaries)?;
        fs::write(place.join("cargo.json"), metadata().map_err(io::Error::other)?)?;
        self.settle()
    }

    /// Makes its home where there is none.
    fn settle(&self) -> io::Result<()> {
        ["home", "home/tmp"].into_iter().try_for_each(|directory| self.own(&Path::new(PLACE).join(directory)))
    }

    /// Makes a directory that is its own.
    fn own(&self, directory: &Path) -> io::Result<()> {
        fs::create_dir_all(directory)?;
        fs::set_permissions(directory, fs::Permissions::from_mode(0o700))?;
        chown(directory, Some(self.uid), Some(self.gid))
    }

    /// The user, with a home and nothing else.
    pub(crate) fn at_home() -> Result<Self, String> {
        let user = Self::find_or_make()?;
        let settled = make_open(Path::new(PLACE)).and_then(|()| user.settle());
        settled.map_err(|error| format!("cannot make {PLACE}: {error}")).map(|()| user)
    }

    /// A directory of its own with nothing in it.
    pub(crate) fn fresh(&self, name: &str) -> Result<PathBuf, String> {
        let directory = Path::new(PLACE).join("home").join(name);
        let removed = match fs::remove_dir_all(&directory) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        let made = removed.and_then(|()| self.own(&directory));
        made.map_err(|error| format!("cannot make {}: {error}", directory.display())).map(|()| directory)
    }

    /// A program, run as this user in its own home.
    pub(crate) fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new("setpriv");
        command.current_dir(Path::new(PLACE).join("home"));
        command.args(["--reuid", NAME, "--regid", NAME, "--clear-groups"]).arg(program).args(arguments);
        command
            .env_clear()
            .env("PATH", SEARCHED)
            .env("ISOBOX_TEST_AS_USER", "1")
            .env("USER", NAME)
            .env("LOGNAME", NAME);
        for (name, directory) in HOMES {
            command.env(name, Path::new(PLACE).join(directory));
        }
        command
    }

    /// The command that runs the tests of `packages` as this user, with an engine if there is one.
    pub(crate) fn run(&self, packages: &[&str], engine: Option<&Engine>) -> Command {
        let filter = packages.iter().map(|package| format!("package(={package})")).collect::<Vec<_>>().join(" + ");
        // Whether the suite finds faults does not depend on who runs it, and takes its time.
        let filter = format!("({filter}) - binary(faults)");
        let mut command = Command::new("setpriv");
        command.current_dir(Path::new(PLACE).join("sources"));
        command.args(["--reuid", NAME, "--regid", NAME, "--clear-groups", "env", "-i"]);
        command.arg(format!("PATH={SEARCHED}")).arg("ISOBOX_TEST_AS_USER=1");
        command.arg(format!("USER={NAME}")).arg(format!("LOGNAME={NAME}"));
        for (name, directory) in HOMES {
            command.arg(format!("{name}={PLACE}/{directory}"));
        }
        for name in ["CI", "RUST_BACKTRACE", "CARGO_TERM_COLOR"] {
            command.args(std::env::var(name).map(|value| format!("{name}={value}")));
        }
        command.args(engine.map(|engine| format!("{ADDRESS}={}", engine.address())));
        command.arg(format!("{PLACE}/bin/cargo-nextest")).args(["nextest", "run"]);
        for (option, file) in [
            ("--cargo-metadata", "cargo.json"),
            ("--binaries-metadata", "binaries.json"),
            ("--workspace-remap", "sources"),
        ] {
            command.arg(option).arg(format!("{PLACE}/{file}"));
        }
        command.args(["--filterset", &filter]);
        command
    }
}

impl fmt::Display for Ordinary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{NAME} (uid {})", self.uid)
    }
}

fn id(which: &str) -> Result<u32, String> {
    let printed = output(Command::new("id").args([which, NAME]))?;
    let number = String::from_utf8_lossy(&printed).trim().parse();
    number.map_err(|_| format!("`id {which} {NAME}` prints no number"))
}

fn make_open(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    if fs::metadata(directory)?.uid() != 0 {
        return Err(io::Error::other(format!("{} does not belong to root", directory.display())));
    }
    fs::set_permissions(directory, fs::Permissions::from_mode(0o755))
}

/// The test runner, as cargo finds it.
pub(crate) fn runner() -> io::Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let directories = home.map(|home| home.join("bin")).into_iter().chain(std::env::split_paths(&path));
    let found = directories.map(|directory| directory.join("cargo-nextest")).find(|file| file.is_file());
    found.ok_or_else(|| io::Error::other("cargo-nextest is not on the PATH: run `cargo xtask setup`"))
}
