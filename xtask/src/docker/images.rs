//! The images that tests run in, made of Debian's packages, since there is no registry to pull from.

use super::{PLACE, engine::Engine};
use crate::steps::{output, succeeds};
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `debian` has beside a minimal Debian 12.
const PACKAGES: &str = "ca-certificates,git,procps,python3";

/// Counts up when what is in them changes, so that older ones are not taken for them.
const EDITION: u32 = 2;

/// Gives an engine both images.
pub(super) fn import(engine: &Engine) -> Result<(), String> {
    for (name, fill) in [("tiny", fill_tiny as fn(&Path) -> Result<(), String>), ("debian", fill_debian)] {
        let archive = archive(name, fill)?;
        output(engine.client().arg("import").arg(archive).arg(format!("isobox-test/{name}:1")))?;
    }
    Ok(())
}

/// The archive of a root filesystem; made when there is none yet.
fn archive(name: &str, fill: fn(&Path) -> Result<(), String>) -> Result<PathBuf, String> {
    let place = Path::new(PLACE).join("images");
    let archive = place.join(format!("{name}-{EDITION}.tar"));
    if archive.exists() {
        return Ok(archive);
    }
    eprintln!("xtask: making the image {name}");
    let (root, part) = (place.join(name), place.join(format!("{name}.part")));
    let failed = |error: io::Error| format!("cannot make {}: {error}", root.display());
    if root.exists() {
        fs::remove_dir_all(&root).map_err(failed)?;
    }
    fs::create_dir_all(&root).map_err(failed)?;
    fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    fill(&root)?;
    output(Command::new("tar").arg("-C").arg(&root).arg("-cf").arg(&part).arg("."))?;
    fs::rename(part, &archive).and_then(|()| fs::remove_dir_all(&root)).map_err(failed)?;
    Ok(archive)
}

fn fill_tiny(root: &Path) -> Result<(), String> {
    let names = output(Command::new("busybox").arg("--list"))?;
    let make = || {
        for directory in ["bin", "etc", "root", "tmp"] {
            fs::create_dir(root.join(directory))?;
        }
        fs::set_permissions(root.join("tmp"), fs::Permissions::from_mode(0o1777))?;
        fs::copy("/bin/busybox", root.join("bin/busybox"))?;
        for name in String::from_utf8_lossy(&names).lines().filter(|name| *name != "busybox") {
            symlink("busybox", root.join("bin").join(name))?;
        }
        fs::write(root.join("etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n")
    };
    make().map_err(|error: io::Error| format!("cannot fill {}: {error}", root.display()))
}

fn fill_debian(root: &Path) -> Result<(), String> {
    if !succeeds("debootstrap", &["--version"]) {
        return Err("debootstrap is missing: run `cargo xtask setup`".to_owned());
    }
    let mut command = Command::new("debootstrap");
    command.args(["--variant=minbase", &format!("--include={PACKAGES}"), "bookworm"]).arg(root).arg(mirror()?);
    output(&mut command)?;
    for emptied in ["var/cache/apt/archives", "var/lib/apt/lists"] {
        let emptied = root.join(emptied);
        let done = fs::remove_dir_all(&emptied).and_then(|()| fs::create_dir(&emptied));
        done.map_err(|error| format!("cannot empty {}: {error}", emptied.display()))?;
    }
    Ok(())
}

/// Where this machine has its packages from: the site that most of its lists are of.
pub(crate) fn mirror() -> Result<String, String> {
    let sites = output(Command::new("apt-get").args(["indextargets", "--format", "$(SITE)", "Created-By: Packages"]))?;
    let sites = String::from_utf8_lossy(&sites);
    let count = |site: &str| sites.lines().filter(|line| *line == site).count();
    let most = sites.lines().max_by_key(|site| count(site));
    most.map(str::to_owned).ok_or_else(|| "apt knows no source of packages".to_owned())
}
