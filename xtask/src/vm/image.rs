//! The disk that the machine boots from: a Debian with systemd, made from packages and kept until the recipe changes.
//!
//! ```text
//! /var/cache/isobox-vm/<recipe>     remove it for newer packages
//!   root.img                        an ext4 file system
//!   kernel-6.1, initrd-6.1, ...     what is booted; the kernel for user mode has no initial RAM disk
//! ```

use crate::Outcome;
use crate::setup;
use crate::steps::{line, output};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where images are kept.
const PLACE: &str = "/var/cache/isobox-vm";

/// For images and for files of runs.
pub(super) fn place() -> &'static Path {
    Path::new(PLACE)
}

/// What makes and boots images.
const TOOLS: [&str; 3] = ["e2fsprogs", "mmdebstrap", "qemu-system-x86"];

const SUITE: &str = "bookworm";

/// What is in the machine, beside the kernels: an init with user sessions, and what tests run.
const PACKAGES: [&str; 15] = [
    "bubblewrap",
    "busybox-static",
    "dbus",
    "dbus-user-session",
    "e2fsprogs",
    "git",
    "iproute2",
    "kmod",
    "libpam-systemd",
    "procps",
    "python3",
    "systemd-sysv",
    "udev",
    "uidmap",
    "xfsprogs",
];

/// Kernels by the beginning of their version, and the packages that they are in.
pub(super) const KERNELS: [(&str, &str); 3] =
    [("6.1", "linux-image-amd64"), ("6.12", "linux-image-6.12-amd64"), (USER_MODE, "user-mode-linux")];

/// The kernel that is a program: Debian's sources, built to run on another kernel in place of a machine.
pub(super) const USER_MODE: &str = "user-mode";

/// An ordinary user, with a password nobody has and a range of subordinate ids.
pub(super) const USER: &str = "ordinary";

/// Services that do nothing for the tests and take long where every instruction is emulated.
const MASKED: [&str; 4] = ["e2scrub_reap.service", "systemd-binfmt.service", "apt-daily.timer", "fstrim.timer"];

/// What the machine is started for, as a unit of systemd. Each kind of machine has another name for the other disk.
const UNIT: &str = "\
[Unit]
Description=What the machine was started for
Requires=basic.target
Wants=dbus.service systemd-logind.service systemd-user-sessions.service
After=basic.target dbus.service systemd-logind.service systemd-user-sessions.service

[Service]
Type=oneshot
TimeoutStartSec=infinity
ExecStart=/bin/sh -c 'stty raw -echo < /dev/ttyS1; exec > /dev/ttyS1 2>&1; \
mkdir -p /isobox; mount -o ro LABEL=isobox-tests /isobox && exec sh /isobox/start'
";

/// What the file systems can do beyond the default, or not: nobody reads them after a crash.
const FEATURES: &str = "^has_journal";

/// A disk with what it boots with.
pub(super) struct Image {
    directory: PathBuf,
}

impl Image {
    /// Makes it, or finds the one that was made before.
    pub(super) fn prepare() -> Result<Self, String> {
        setup::install(&TOOLS)?;
        let directory = Path::new(PLACE).join(recipe());
        if !directory.exists() {
            let making = Path::new(PLACE).join("making");
            make(&making).and_then(|()| fs::rename(&making, &directory).map_err(|error| error.to_string()))?;
        }
        Ok(Self { directory })
    }

    pub(super) fn disk(&self) -> PathBuf {
        self.directory.join("root.img")
    }

    pub(super) fn kernel(&self, version: &str) -> PathBuf {
        self.directory.join(format!("kernel-{version}"))
    }

    pub(super) fn initrd(&self, version: &str) -> PathBuf {
        self.directory.join(format!("initrd-{version}"))
    }
}

/// A name for what decides how an image comes out, the packages' versions aside.
fn recipe() -> String {
    let mut hasher = DefaultHasher::new();
    (line(&install(Path::new("root"))), MASKED, UNIT, FEATURES).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn make(directory: &Path) -> Outcome {
    let failed = |error: io::Error| format!("cannot make {}: {error}", directory.display());
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(failed)?;
    }
    fs::create_dir_all(directory).map_err(failed)?;
    let root = directory.join("root");
    let mut install = install(&root);
    eprintln!("xtask: making the machine's disk: {}", line(&install));
    output(&mut install)?;
    fill(&root).map_err(failed)?;
    take_kernels(&root, directory).map_err(failed)?;
    file_system("isobox-root", &root, &directory.join("root.img"), 8 << 30)?;
    fs::remove_dir_all(&root).map_err(failed)
}

/// Installs the packages. The initial RAM disk gets the modules that find the disk and no others.
fn install(root: &Path) -> Command {
    let kernels = KERNELS.map(|(_, package)| package);
    let packages = PACKAGES.into_iter().chain(kernels).collect::<Vec<_>>().join(",");
    let modules = "mkdir -p \"$1/etc/initramfs-tools/conf.d\" && cd \"$1/etc/initramfs-tools\" && \
                   echo MODULES=list > conf.d/isobox && printf 'virtio_pci\\nvirtio_blk\\next4\\n' > modules";
    let mut command = Command::new("mmdebstrap");
    command.args(["--mode=root", "--variant=minbase", "--quiet", "--aptopt=Acquire::Languages \"none\""]);
    for left_out in ["doc", "man", "locale"] {
        command.arg(format!("--dpkgopt=path-exclude=/usr/share/{left_out}/*"));
    }
    command.arg(format!("--include={packages}")).arg(format!("--essential-hook={modules}"));
    command.arg(format!("--customize-hook=chroot \"$1\" useradd --create-home --shell /bin/bash {USER}"));
    command.arg(SUITE).arg(root);
    command
}

fn fill(root: &Path) -> io::Result<()> {
    let units = root.join("etc/systemd/system");
    fs::write(units.join("isobox.service"), UNIT)?;
    for masked in MASKED {
        let place = units.join(masked);
        let _ = fs::remove_file(&place);
        std::os::unix::fs::symlink("/dev/null", place)?;
    }
    fs::write(root.join("etc/hostname"), "isobox-vm\n")?;
    fs::write(root.join("etc/hosts"), "127.0.0.1 localhost isobox-vm\n::1 localhost\n")?;
    for unneeded in ["var/lib/apt/lists", "var/cache/apt"] {
        fs::remove_dir_all(root.join(unneeded))?;
    }
    Ok(())
}

/// Copies what is booted to where it can be booted from.
fn take_kernels(root: &Path, directory: &Path) -> io::Result<()> {
    for (version, _) in KERNELS.into_iter().filter(|(version, _)| *version != USER_MODE) {
        for (prefix, name) in [("vmlinuz-", "kernel-"), ("initrd.img-", "initrd-")] {
            let found = boot_file(root, &format!("{prefix}{version}."))?;
            fs::copy(found, directory.join(format!("{name}{version}")))?;
        }
    }
    fs::rename(root.join("usr/bin/linux.uml"), directory.join(format!("kernel-{USER_MODE}")))?;
    for modules in fs::read_dir(root.join("usr/lib/uml/modules"))? {
        let modules = modules?;
        fs::rename(modules.path(), root.join("lib/modules").join(modules.file_name()))?;
    }
    Ok(())
}

fn boot_file(root: &Path, prefix: &str) -> io::Result<PathBuf> {
    let found = fs::read_dir(root.join("boot"))?.flatten().map(|entry| entry.path());
    let is_it = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix));
    found.into_iter().find(is_it).ok_or_else(|| io::Error::other(format!("the packages have no /boot/{prefix}*")))
}

/// Makes a file with an ext4 file system of `size` bytes, sparse, that has what is in a directory.
pub(super) fn file_system(label: &str, contents: &Path, file: &Path, size: u64) -> Outcome {
    let made = fs::File::create(file).and_then(|made| made.set_len(size));
    made.map_err(|error| format!("cannot make {}: {error}", file.display()))?;
    let options = ["-q", "-F", "-O", FEATURES, "-E", "root_owner=0:0", "-L", label, "-d"];
    output(Command::new("mkfs.ext4").args(options).arg(contents).arg(file)).map(drop)
}
