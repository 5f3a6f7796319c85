//! Projects of a filesystem with quotas: what is made in a directory of one counts for its limit, which the library has set.
#![allow(unsafe_code, reason = "rustix has neither of the calls")]

use rustix::fd::{AsRawFd, BorrowedFd};
use rustix::io::Errno;

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

const GET_ATTRIBUTES: libc::Ioctl = 0x801C_581Fu32 as libc::Ioctl;
const SET_ATTRIBUTES: libc::Ioctl = 0x401C_5820;
/// What is made in the directory belongs to its project.
const INHERITED: u32 = 0x200;

/// Puts a directory, in which nothing is yet, into a project.
pub(super) fn assign(directory: BorrowedFd<'_>, number: u32) -> Result<(), Errno> {
    let mut attributes = Attributes::default();
    control(directory, GET_ATTRIBUTES, &mut attributes)?;
    attributes.project = number;
    attributes.flags |= INHERITED;
    control(directory, SET_ATTRIBUTES, &mut attributes)
}

/// Takes the limit of a project away. One that stays is found by the library.
pub(super) fn end(directory: BorrowedFd<'_>, number: u32) {
    /// `Q_SETQUOTA` for projects.
    const SET: i32 = (0x80_0008 << 8) | 2;
    // `struct if_dqblk`: limits of nothing, and `QIF_BLIMITS` in its last field.
    let none: [u64; 9] = [0, 0, 0, 0, 0, 0, 0, 0, 1];
    // SAFETY: the kernel reads 72 bytes.
    unsafe { libc::syscall(libc::SYS_quotactl_fd, directory.as_raw_fd(), SET, number, none.as_ptr()) };
}

fn control(directory: BorrowedFd<'_>, request: libc::Ioctl, attributes: &mut Attributes) -> Result<(), Errno> {
    // SAFETY: the kernel reads or writes a `struct fsxattr`, which this is.
    match unsafe { libc::ioctl(directory.as_raw_fd(), request, std::ptr::from_mut(attributes)) } {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
    }
}
