//! Loop devices: block devices whose blocks are in a file (`linux/loop.h`, loop(4)).
#![allow(unsafe_code, reason = "rustix has no controls of loop devices")]

use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};
use rustix::io::Errno;
use std::fs;
use std::path::PathBuf;

const CONFIGURE: libc::Ioctl = 0x4C0A;
const STATUS: libc::Ioctl = 0x4C05;
const FREE: libc::Ioctl = 0x4C82;

/// The device lets go of its file when nobody uses it any more.
const AUTOCLEAR: u32 = 4;
/// Somebody else may take the free device first.
const ATTEMPTS: usize = 64;

/// `struct loop_info64`.
#[repr(C)]
struct Info {
    device: u64,
    inode: u64,
    rdevice: u64,
    offset: u64,
    size_limit: u64,
    number: u32,
    encrypt_type: u32,
    encrypt_key_size: u32,
    flags: u32,
    file_name: [u8; 64],
    crypt_name: [u8; 64],
    encrypt_key: [u8; 32],
    init: [u64; 2],
}

/// `struct loop_config`.
#[repr(C)]
struct Config {
    fd: u32,
    block_size: u32,
    info: Info,
    reserved: [u64; 8],
}

/// A loop device that is open, and so keeps its file.
pub(crate) struct Device {
    pub(crate) path: PathBuf,
    descriptor: OwnedFd,
}

impl Device {
    /// Puts a file on a free device. Needs Linux 5.8.
    pub(crate) fn attach(file: impl AsFd) -> Result<Self, Errno> {
        let control = openat(CWD, c"/dev/loop-control", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
        let mut tried = 0;
        loop {
            let number = control_with(&control, FREE, None::<&mut Info>)?;
            let path = PathBuf::from(format!("/dev/loop{number}"));
            let device = Self::open(path, OFlags::RDWR)?;
            let mut config = Config {
                fd: u32::try_from(file.as_fd().as_raw_fd()).map_err(|_| Errno::BADF)?,
                block_size: 0,
                info: Info { flags: AUTOCLEAR, ..Info::empty() },
                reserved: [0; 8],
            };
            match control_with(&device.descriptor, CONFIGURE, Some(&mut config)) {
                Ok(_) => return Ok(device),
                Err(Errno::BUSY) if tried < ATTEMPTS => tried += 1,
                Err(errno) => return Err(errno),
            }
        }
    }

    /// The device that a file is on already. Two on one file would each have their own idea of what is in it.
    pub(crate) fn of(file: impl AsFd) -> Result<Option<Self>, Errno> {
        let wanted = fstat(file)?;
        let Ok(entries) = fs::read_dir("/sys/block") else { return Err(Errno::NOENT) };
        let names = entries.flatten().filter(|entry| entry.path().join("loop").is_dir()).map(|entry| entry.file_name());
        for name in names {
            // Open, it keeps its file while it is looked at.
            let Ok(device) = Self::open(PathBuf::from("/dev").join(name), OFlags::RDWR) else { continue };
            let mut info = Info::empty();
            let known = control_with(&device.descriptor, STATUS, Some(&mut info)).is_ok();
            if known && (info.device, info.inode) == (wanted.st_dev, wanted.st_ino) {
                return Ok(Some(device));
            }
        }
        Ok(None)
    }

    fn open(path: PathBuf, flags: OFlags) -> Result<Self, Errno> {
        let descriptor = openat(CWD, &path, flags | OFlags::CLOEXEC, Mode::empty())?;
        match FileType::from_raw_mode(fstat(&descriptor)?.st_mode) {
            FileType::BlockDevice => Ok(Self { path, descriptor }),
            _ => Err(Errno::NOTBLK),
        }
    }
}

/// One of the controls above, with the structure that it reads or writes.
fn control_with<T>(device: &OwnedFd, request: libc::Ioctl, argument: Option<&mut T>) -> Result<i32, Errno> {
    let argument = argument.map_or(std::ptr::null_mut(), std::ptr::from_mut);
    // SAFETY: each request is used with the structure that the kernel knows it with, or with none, and the kernel keeps
    // nothing of it.
    match unsafe { libc::ioctl(device.as_raw_fd(), request, argument) } {
        result if result >= 0 => Ok(result),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
    }
}

impl Info {
    fn empty() -> Self {
        Self {
            device: 0,
            inode: 0,
            rdevice: 0,
            offset: 0,
            size_limit: 0,
            number: 0,
            encrypt_type: 0,
            encrypt_key_size: 0,
            flags: 0,
            file_name: [0; 64],
            crypt_name: [0; 64],
            encrypt_key: [0; 32],
            init: [0; 2],
        }
    }
}
