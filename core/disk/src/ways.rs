//! What this machine offers.

use crate::obstacle::Obstacle;
use crate::project;
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use rustix::thread::{CapabilitySet, capabilities};
use std::fs;
use std::path::{Path, PathBuf};

/// Which ways to limit a disk work for sandboxes below a directory, and why the others do not.
#[derive(Clone, Debug)]
pub struct Ways {
    /// A layer in memory.
    pub memory: Result<(), Obstacle>,
    /// A disk image.
    pub image: Result<(), Obstacle>,
    /// A quota of the filesystem.
    pub quota: Result<(), Obstacle>,
}

impl Ways {
    /// Looks, and changes nothing.
    pub fn below(directory: &Path) -> Self {
        Self { memory: memory(), image: image().map(drop), quota: quota(directory) }
    }

    /// Whether there is any.
    pub fn any(&self) -> bool {
        self.memory.is_ok() || self.image.is_ok() || self.quota.is_ok()
    }
}

/// Whether the upper layer of an overlay in a user namespace can be in a tmpfs, which needs its `user.*` attributes: Linux
/// 6.6 (the kernel's tmpfs.rst).
///
/// # Errors
/// That it cannot.
pub fn memory() -> Result<(), Obstacle> {
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse::<u32>().ok());
    if (numbers.next(), numbers.next()) >= (Some(6), Some(6)) { Ok(()) } else { Err(Obstacle::OldTmpfs) }
}

/// Whether disk images can be made and mounted; the answer is the program that makes them.
///
/// # Errors
/// Why not.
pub fn image() -> Result<PathBuf, Obstacle> {
    if !is_root_of_the_machine() {
        return Err(Obstacle::NotRoot("a disk image"));
    }
    let maker = maker().ok_or(Obstacle::NoMaker)?;
    match openat(CWD, c"/dev/loop-control", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()) {
        Err(Errno::ACCESS | Errno::PERM) => Err(Obstacle::NotRoot("a disk image")),
        Err(_) => Err(Obstacle::NoLoop),
        // As a module it is loaded by the first mount.
        Ok(_) if has_ext4() || Path::new("/lib/modules").is_dir() => Ok(maker),
        Ok(_) => Err(Obstacle::NoExt4),
    }
}

/// Whether the filesystem of a directory, or of the nearest one above that exists, enforces quotas of projects.
///
/// # Errors
/// Why not.
pub fn quota(directory: &Path) -> Result<(), Obstacle> {
    if !is_root_of_the_machine() {
        return Err(Obstacle::NotRoot("a project quota"));
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let none = || Obstacle::NoQuota(directory.to_owned());
    let opened = directory.ancestors().find_map(|path| openat(CWD, path, flags, Mode::empty()).ok());
    match project::is_enforced(opened.ok_or_else(none)?) {
        Ok(true) => Ok(()),
        Err(Errno::NOSYS) if is_missing_call() => Err(Obstacle::NoQuotaCall),
        Ok(false) | Err(_) => Err(none()),
    }
}

/// A filesystem without quotas answers so too.
fn is_missing_call() -> bool {
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse::<u32>().ok());
    (numbers.next(), numbers.next()) < (Some(5), Some(14))
}

/// Whether this is root with the right to mount, in the user namespace that everything began in: only there can a
/// filesystem with a device be mounted.
fn is_root_of_the_machine() -> bool {
    let may_mount = capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN));
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let first = map.split_whitespace().eq(["0", "0", "4294967295"]);
    rustix::process::geteuid().is_root() && may_mount && first
}

fn has_ext4() -> bool {
    fs::read_to_string("/proc/filesystems").is_ok_and(|all| all.lines().any(|line| line.trim() == "ext4"))
}

/// The program that makes an ext4, on the PATH or where it usually is.
fn maker() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let usual = ["/usr/sbin", "/sbin"].map(PathBuf::from);
    std::env::split_paths(&path).chain(usual).map(|directory| directory.join("mkfs.ext4")).find(|path| path.is_file())
}
