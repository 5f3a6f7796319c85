//! Quotas of projects (quotactl(2), `linux/quota.h`, `linux/dqblk_xfs.h`): directories that carry a number, with a limit of
//! what all files with that number have together.
//!
//! The number is on the sandbox's directory, and what is made in it inherits it. A process in a user namespace can neither
//! change it nor go beyond the limit. Numbers are not remembered anywhere: a number is free when nothing uses it.
#![allow(unsafe_code, reason = "rustix has no quotactl_fd")]

use crate::obstacle::{Error, To};
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::path::Path;

const GET_LIMITS: i32 = 0x80_0007;
const SET_LIMITS: i32 = 0x80_0008;
/// `Q_XGETQSTATV`.
const GET_STATE: i32 = 0x5808;
const PROJECTS: i32 = 2;
/// Limits of blocks are given.
const BLOCKS: u32 = 1;
/// What is in use is given.
const IN_USE: u32 = 2;
/// `FS_QUOTA_PDQ_ENFD`.
const ENFORCED: u16 = 1 << 5;
/// Bytes of a block, in which limits are counted.
const BLOCK: u64 = 1024;

/// Numbers of sandboxes begin here; those that people choose are small.
const FIRST: u32 = 0x4000_0000;
/// How many numbers are tried until one is free.
const ATTEMPTS: u32 = 1000;

/// A number with a limit. It lives until [`end`](Self::end), whatever happens to this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project(u32);

/// `struct if_dqblk`.
#[repr(C)]
#[derive(Default)]
struct Limits {
    block_hard: u64,
    block_soft: u64,
    space: u64,
    inode_hard: u64,
    inode_soft: u64,
    inodes: u64,
    block_time: u64,
    inode_time: u64,
    valid: u32,
}

/// `struct fs_quota_statv`.
#[repr(C)]
#[derive(Default)]
struct State {
    version: i8,
    padding: u8,
    flags: u16,
    loaded: u32,
    files: [[u64; 3]; 3],
    times: [i32; 3],
    warnings: [u16; 4],
    more: u32,
    reserved: [u64; 7],
}

/// `struct fsxattr` (linux/fs.h, ioctl_xfs_fsgetxattr(2)).
#[repr(C)]
#[derive(Default)]
struct Attributes {
    flags: u32,
    extent_size: u32,
    extents: u32,
    project: u32,
    rest: [u32; 3],
}

const GET_ATTRIBUTES: u32 = 0x801C_581F;
const SET_ATTRIBUTES: u32 = 0x401C_5820;
/// What is made in the directory belongs to its project (`FS_XFLAG_PROJINHERIT`).
const INHERITED: u32 = 0x200;

impl Project {
    /// Takes a free number, seeded by anything, on the filesystem of a directory, and gives it a limit. `remember` is told the
    /// number before that: nothing else says that somebody has it until a directory does.
    ///
    /// # Errors
    /// What the kernel says, and what `remember` does.
    pub fn take(
        directory: &Path,
        seed: u64,
        bytes: u64,
        remember: impl FnOnce(Self) -> std::io::Result<()>,
    ) -> Result<Self, Error> {
        let directory = open(directory)?;
        let mut tried = 0;
        loop {
            let number = FIRST + (seed.wrapping_add(u64::from(tried)) % u64::from(FIRST)) as u32;
            if is_free(&directory, number).to("look at a project's quota")? {
                remember(Self(number)).to("write down a project's number")?;
                set(&directory, number, bytes).to("set a project's quota")?;
                return Ok(Self(number));
            }
            tried += 1;
            if tried == ATTEMPTS {
                return Err(Errno::USERS).to("find a free project number");
            }
        }
    }

    /// The one with this number, if it is one of a sandbox.
    pub fn numbered(number: u32) -> Option<Self> {
        (FIRST..FIRST + FIRST).contains(&number).then_some(Self(number))
    }

    /// The one that a directory is in, if it is one of a sandbox.
    pub fn of(directory: &Path) -> Option<Self> {
        let mut attributes = Attributes::default();
        attributes_by(&open(directory).ok()?, GET_ATTRIBUTES, &mut attributes).ok()?;
        Self::numbered(attributes.project)
    }

    /// Puts a directory, in which nothing is yet, into it: what is made there counts for its limit.
    ///
    /// # Errors
    /// What the kernel says.
    pub fn assign(self, directory: &Path) -> std::io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = openat(CWD, directory, flags, Mode::empty())?;
        let mut attributes = Attributes::default();
        attributes_by(&directory, GET_ATTRIBUTES, &mut attributes)?;
        attributes.project = self.0;
        attributes.flags |= INHERITED;
        Ok(attributes_by(&directory, SET_ATTRIBUTES, &mut attributes)?)
    }

    /// The number.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Changes the limit, at once and for what is written from now on.
    ///
    /// # Errors
    /// [`Error::InUse`] when more is in use, and what the kernel says.
    pub fn resize(self, directory: &Path, bytes: u64) -> Result<(), Error> {
        let directory = open(directory)?;
        if get(&directory, self.0).to("look at a project's quota")?.space > bytes {
            return Err(Error::InUse);
        }
        set(&directory, self.0, bytes).to("set a project's quota")
    }

    /// Bytes in use.
    ///
    /// # Errors
    /// What the kernel says.
    pub fn usage(self, directory: &Path) -> Result<u64, Error> {
        get(open(directory)?, self.0).map(|limits| limits.space).to("look at a project's quota")
    }

    /// The limit in force, in bytes.
    ///
    /// # Errors
    /// What the kernel says.
    pub fn limit(self, directory: &Path) -> Result<u64, Error> {
        get(open(directory)?, self.0).map(|limits| limits.block_hard * BLOCK).to("look at a project's quota")
    }

    /// Takes the limit away: the number is free once nothing has it.
    ///
    /// # Errors
    /// What the kernel says.
    pub fn end(self, directory: &Path) -> Result<(), Error> {
        set(open(directory)?, self.0, 0).to("take a project's quota away")
    }
}

fn attributes_by(directory: &OwnedFd, request: u32, attributes: &mut Attributes) -> Result<(), Errno> {
    // SAFETY: the kernel reads or writes a `struct fsxattr`, which this is.
    match unsafe { libc::ioctl(directory.as_raw_fd(), request as libc::Ioctl, std::ptr::from_mut(attributes)) } {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
    }
}

fn open(directory: &Path) -> Result<OwnedFd, Error> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    openat(CWD, directory, flags, Mode::empty()).to("open the directory of sandboxes or volumes")
}

/// Whether the filesystem of a directory enforces limits of projects.
pub(crate) fn is_enforced(directory: impl AsFd) -> Result<bool, Errno> {
    let mut state = State { version: 1, ..State::default() };
    control(directory, GET_STATE, 0, &mut state)?;
    Ok(state.flags & ENFORCED != 0)
}

fn is_free(directory: impl AsFd, number: u32) -> Result<bool, Errno> {
    match get(directory, number) {
        Ok(limits) => Ok((limits.block_hard, limits.space, limits.inodes) == (0, 0, 0)),
        // XFS does not know a number that was never used.
        Err(Errno::NOENT) => Ok(true),
        Err(errno) => Err(errno),
    }
}

fn get(directory: impl AsFd, number: u32) -> Result<Limits, Errno> {
    let mut limits = Limits { valid: BLOCKS | IN_USE, ..Limits::default() };
    control(directory, GET_LIMITS, number, &mut limits).map(|()| limits)
}

fn set(directory: impl AsFd, number: u32, bytes: u64) -> Result<(), Errno> {
    // A limit of less than a block would be none.
    let block_hard = if bytes == 0 { 0 } else { (bytes / BLOCK).max(1) };
    let mut limits = Limits { block_hard, valid: BLOCKS, ..Limits::default() };
    control(directory, SET_LIMITS, number, &mut limits)
}

fn control<T>(directory: impl AsFd, command: i32, number: u32, argument: &mut T) -> Result<(), Errno> {
    let descriptor = directory.as_fd().as_raw_fd();
    let command = (command << 8) | PROJECTS;
    // SAFETY: each command is used with the structure that the kernel knows it with, and the kernel keeps nothing of it.
    match unsafe { libc::syscall(libc::SYS_quotactl_fd, descriptor, command, number, std::ptr::from_mut(argument)) } {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_the_kernels() {
        assert_eq!(size_of::<Limits>(), 72);
        assert_eq!(size_of::<State>(), 160);
        assert_eq!(size_of::<Attributes>(), 28);
    }
}
