//! Swift as Debian 13 has it, unpacked into a directory and not installed, since Debian 12 has none. It runs in there, in namespaces of
//! its own: its programs want a newer C library than the machine has.

use crate::Outcome;
use crate::docker::mirror;
use crate::steps::{output, succeeds};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the toolchain is kept, outside of the clone.
const PLACE: &str = "/var/cache/isobox-swift";

/// What is unpacked, with all that it needs. Nothing is essential to a machine without packages, so that is named too, with what tests
/// run in sandboxes.
const PACKAGES: [&str; 10] = [
    "base-files",
    "bash",
    "ca-certificates",
    "coreutils",
    "dash",
    "git",
    "libc6-dev",
    "libstdc++-14-dev",
    "python3-minimal",
    "swiftlang",
];

/// Where its programs are.
const PROGRAMS: &str = "usr/libexec/swift/bin";

/// A toolchain that works.
pub(super) struct Toolchain {
    root: PathBuf,
}

impl Toolchain {
    /// The one that setup has fetched; what is missing otherwise.
    pub(super) fn find() -> Result<Self, String> {
        let this = Self { root: Path::new(PLACE).join("root") };
        if !this.root.join(PROGRAMS).join("swift").exists() {
            return Err(format!("there is no toolchain in {PLACE}, `cargo xtask setup` fetches one"));
        }
        let mut version = this.command("swiftc", &[], Path::new("/tmp"));
        output(version.arg("--version")).map(|_| this)
    }

    /// One of its programs, which sees some directories of the machine as they are, and can write into one.
    pub(super) fn command(&self, program: &str, seen: &[&Path], written: &Path) -> Command {
        let mut command = Command::new("bwrap");
        // The machine's own /proc: of one that parts are laid over the kernel gives no new one to sandboxes.
        command.arg("--bind").arg(&self.root).args(["/", "--bind", "/proc", "/proc", "--dev-bind", "/dev", "/dev"]);
        command.args(["--bind", "/sys", "/sys", "--tmpfs", "/tmp", "--die-with-parent"]);
        for directory in seen {
            command.arg("--ro-bind").args([directory, directory]);
        }
        command.arg("--bind").args([written, written]);
        command.args(["--setenv", "HOME", "/tmp", "--setenv", "PATH", &format!("/{PROGRAMS}:/usr/bin:/bin")]);
        command.args(["--chdir", "/tmp", program]);
        command
    }
}

/// Fetches it, unless it is there. Half a gigabyte comes, and becomes 2.6. A machine without the packages goes on without.
pub(super) fn fetch() -> Outcome {
    let place = Path::new(PLACE);
    if place.join("root").exists() || !succeeds("apt-get", &["--version"]) {
        return Ok(());
    }
    eprintln!("xtask: fetching Swift of Debian 13 to {PLACE}");
    let failed = |error: io::Error| format!("cannot make {PLACE}: {error}");
    let fresh = place.join("fresh");
    for directory in ["lists/partial", "archives/partial", "fresh"] {
        fs::create_dir_all(place.join(directory)).map_err(failed)?;
    }
    let keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
    fs::write(place.join("sources.list"), format!("deb [signed-by={keys}] {} trixie main\n", mirror()?))
        .and_then(|()| fs::write(place.join("status"), ""))
        .map_err(failed)?;
    output(apt(place).arg("update"))?;
    output(apt(place).args(["install", "--yes", "--no-install-recommends", "--download-only"]).args(PACKAGES))?;
    for archive in fs::read_dir(place.join("archives")).map_err(failed)? {
        let archive = archive.map_err(failed)?.path();
        if archive.extension().is_some_and(|extension| extension == "deb") {
            output(Command::new("dpkg").arg("-x").arg(archive).arg(&fresh))?;
        }
    }
    fs::remove_dir_all(place.join("archives")).map_err(failed)?;
    fs::rename(fresh, place.join("root")).map_err(failed)
}

/// apt for a machine that has no packages, so that everything comes; it knows and changes nothing of this one.
fn apt(place: &Path) -> Command {
    let mut command = Command::new("apt-get");
    command.args(["-qq", "-o", "APT::Sandbox::User=root", "-o", "Dir::Etc::sourceparts=/dev/null"]);
    for (option, file) in [
        ("Dir::Etc::sourcelist", "sources.list"),
        ("Dir::State::lists", "lists"),
        ("Dir::State::status", "status"),
        ("Dir::Cache::archives", "archives"),
    ] {
        command.arg("-o").arg(format!("{option}={}", place.join(file).display()));
    }
    command.args(["-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache="]);
    command
}
