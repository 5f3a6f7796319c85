//! Programs of Debian 13's packages, unpacked and not installed: newer engines and runtimes beside those of Debian 12.

use super::{PLACE, images::mirror};
use crate::steps::output;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program of a package; fetched when it is not there yet.
pub(super) fn program(package: &str, program: &str) -> Result<PathBuf, String> {
    let place = Path::new(PLACE).join("trixie");
    let wanted = place.join("root").join(program);
    if !wanted.exists() {
        eprintln!("xtask: fetching {package} of Debian 13");
        fetch(&place, package)?;
    }
    Ok(wanted)
}

fn fetch(place: &Path, package: &str) -> Result<(), String> {
    let failed = |error: io::Error| format!("cannot make {}: {error}", place.display());
    let fresh = place.join("packages");
    if fresh.exists() {
        fs::remove_dir_all(&fresh).map_err(failed)?;
    }
    for directory in [&fresh, &place.join("lists/partial"), &place.join("root")] {
        fs::create_dir_all(directory).map_err(failed)?;
    }
    let keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
    fs::write(place.join("sources.list"), format!("deb [signed-by={keys}] {} trixie main\n", mirror()?))
        .map_err(failed)?;
    output(apt(place).arg("update"))?;
    output(apt(place).current_dir(&fresh).args(["download", package]))?;
    for archive in fs::read_dir(&fresh).map_err(failed)? {
        let archive = archive.map_err(failed)?.path();
        output(Command::new("dpkg").arg("-x").arg(archive).arg(place.join("root")))?;
    }
    Ok(())
}

/// apt with lists of its own, so that the machine's know nothing of Debian 13.
fn apt(place: &Path) -> Command {
    let mut command = Command::new("apt-get");
    command.args(["-qq", "-o", "APT::Sandbox::User=root", "-o", "Dir::Etc::sourceparts=/dev/null"]);
    for (option, value) in [
        ("Dir::Etc::sourcelist", place.join("sources.list").display().to_string()),
        ("Dir::State::lists", place.join("lists").display().to_string()),
        ("Dir::Cache::pkgcache", String::new()),
        ("Dir::Cache::srcpkgcache", String::new()),
    ] {
        command.arg("-o").arg(format!("{option}={value}"));
    }
    command
}
