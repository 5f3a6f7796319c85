//! A disk image: a sparse file with an ext4 in it, mounted by descriptor.
//!
//! The filesystem is written by the kernel alone, on behalf of a sandbox that sees files and no blocks. It has no journal: the
//! overlay on it does not outlive a crash of the machine either. What is removed in it is given back to the disk that the
//! file is on (`discard`).

use crate::loops::Device;
use crate::obstacle::{Error, To};
use crate::ways;
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, Uid, chownat, ftruncate, linkat, openat};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, fsconfig_create, fsconfig_set_flag, fsconfig_set_string, fsmount, fsopen,
};
use std::path::Path;
use std::process::{Command, Stdio};

/// The least bytes of an image.
pub const LEAST: u64 = 4 << 20;

/// Bytes of a block of the filesystem, and of the disk for each file that there can be.
const BLOCK: u64 = 4096;
const BYTES_PER_FILE: u64 = 8192;

/// An image that has no name yet, and goes with this unless it is given one.
#[derive(Debug)]
pub struct Image {
    file: OwnedFd,
}

impl Image {
    /// Makes one of so many bytes on the filesystem of a directory, and mounts it; its root belongs to `owner`. Blocks for as
    /// long as mkfs.ext4 takes, some hundredths of a second.
    ///
    /// # Errors
    /// [`Error::Obstacle`] where there can be none, [`Error::TooSmall`], and what went wrong.
    pub fn make(directory: &Path, bytes: u64, owner: (u32, u32)) -> Result<(Self, OwnedFd), Error> {
        let maker = ways::image()?;
        if bytes < LEAST {
            return Err(Error::TooSmall);
        }
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = openat(CWD, directory, flags, Mode::RUSR | Mode::WUSR).to("make a file for a disk image")?;
        ftruncate(&file, bytes / BLOCK * BLOCK).to("give a disk image its size")?;
        fill(&maker, &file)?;
        let mount = mount(&file)?;
        let (user, group) = (Uid::from_raw(owner.0), Gid::from_raw(owner.1));
        let own = chownat(&mount, c"", Some(user), Some(group), AtFlags::EMPTY_PATH);
        own.to("give a disk image to its owner")?;
        Ok((Self { file }, mount))
    }

    /// Gives it a name in an existing directory of the same filesystem.
    ///
    /// # Errors
    /// What went wrong.
    pub fn link(&self, path: &Path) -> Result<(), Error> {
        let named = linkat(CWD, &*name_of(&self.file), CWD, path, AtFlags::SYMLINK_FOLLOW);
        named.to("give a disk image its name")
    }

    /// Mounts the image with this name, wherever else it is mounted, and answers its root directory. Nobody may do so with
    /// the same one at the same time.
    ///
    /// # Errors
    /// What went wrong; `NOENT` when there is none.
    pub fn open(path: &Path) -> Result<OwnedFd, Error> {
        mount(&named(path)?)
    }
}

/// Makes the filesystem.
fn fill(maker: &Path, file: &OwnedFd) -> Result<(), Error> {
    let standard = file.try_clone().to("make a file for a disk image")?;
    let made = Command::new(maker)
        .args(["-q", "-F", "-m", "0", "-O", "^has_journal,^resize_inode"])
        .args(["-b", &BLOCK.to_string(), "-i", &BYTES_PER_FILE.to_string()])
        .args(["-E", "nodiscard,lazy_itable_init=1", "/proc/self/fd/0"])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::from(standard))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output();
    let made = made.to("start mkfs.ext4")?;
    if made.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&made.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    Err(Error::Maker(last.chars().filter(|c| !c.is_control()).take(300).collect()))
}

/// Mounts what is in a file, on the loop device that the file is on already, or on a new one.
fn mount(file: &OwnedFd) -> Result<OwnedFd, Error> {
    let device = match Device::of(file).to("look at the loop devices")? {
        Some(device) => device,
        None => Device::attach(file).to("put a disk image on a loop device")?,
    };
    let mounted = || {
        let context = fsopen(c"ext4", FsOpenFlags::FSOPEN_CLOEXEC)?;
        fsconfig_set_string(&context, c"source", &*device.path)?;
        fsconfig_set_flag(&context, c"discard")?;
        // The tables of files are holes in the image, which read as zeros as they should.
        fsconfig_set_flag(&context, c"noinit_itable")?;
        fsconfig_create(&context)?;
        fsmount(
            &context,
            FsMountFlags::FSMOUNT_CLOEXEC,
            MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV,
        )
    };
    mounted().to("mount a disk image")
}

fn named(path: &Path) -> Result<OwnedFd, Error> {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(CWD, path, flags, Mode::empty()).to("open a disk image")
}

fn name_of(open: &OwnedFd) -> String {
    format!("/proc/self/fd/{}", open.as_fd().as_raw_fd())
}
