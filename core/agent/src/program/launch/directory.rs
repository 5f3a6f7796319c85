//! A root file system from a directory, such as an unpacked image. The directory is hostile: any name in it may be a
//! link.

use super::accounts;
use super::failure::{At, Outcome, note};
use super::grants::Lower;
use super::overlay;
use super::overlay::{make_layer, name_of};
use super::state::{UPPER, WORK};
use super::tree::{FsOption, PLAIN, Tree};
use isobox_wire::launch::{LaunchConfig, LaunchStep};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, mkdirat, openat, openat2, statat};
use rustix::io::Errno;
use std::ffi::CStr;

/// What is mounted on in every sandbox, and `/tmp`, which programs expect.
const MOUNT_POINTS: [(&CStr, u32); 4] = [(c"proc", 0o555), (c"sys", 0o555), (c"dev", 0o755), (c"tmp", 0o1777)];

/// Mounts the overlay of a directory on the current directory.
pub(super) fn mount(lower: Lower, config: &LaunchConfig) -> Outcome<Tree> {
    let what = || "cannot mount the root file system".to_owned();
    let lower: OwnedFd = match lower {
        Lower::Here(directory) => directory,
        Lower::Detached(tree) => {
            // Kernels before 6.15 take only what is attached as a layer.
            tree.attach(CWD, c".").at(LaunchStep::RootFilesystem, what)?;
            tree.into()
        }
    };
    make_layer(UPPER, WORK)?;
    shadow(lower.as_fd()).at(LaunchStep::StateDirectory, || "cannot make the mount points".into())?;
    let root = overlay::mount(&name_of(&lower), UPPER, WORK)?;
    root.attach(CWD, c".").at(LaunchStep::RootFilesystem, what)?;
    mount_tmp(&root, config)?;
    name_host(lower.as_fd(), root.as_fd(), &config.hostname)?;
    Ok(root)
}

/// A `/tmp` of limited size, when one is asked for.
pub(super) fn mount_tmp(root: &Tree, config: &LaunchConfig) -> Outcome {
    let Some(size) = config.tmp_size else { return Ok(()) };
    let options = [FsOption::Value(c"size", &size.to_string()), FsOption::Value(c"mode", "1777")];
    Tree::new(c"tmpfs", &options, PLAIN)
        .and_then(|tree| tree.attach(root, c"tmp"))
        .at(LaunchStep::RootFilesystem, || format!("cannot mount /tmp of {size} bytes"))
}

/// Puts directories in the sandbox's layer over mount points that are missing, or are links or files.
fn shadow(lower: BorrowedFd<'_>) -> Result<(), Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let upper = std::cell::OnceCell::new();
    for (name, mode) in MOUNT_POINTS {
        if openat(lower, name, flags, Mode::empty()).is_ok() {
            continue;
        }
        let upper = match upper.get() {
            Some(upper) => upper,
            None => upper.get_or_init(|| openat(CWD, UPPER, flags, Mode::empty())),
        };
        let upper = upper.as_ref().map_err(|errno| *errno)?;
        mkdirat(upper, name, Mode::from_raw_mode(mode))?;
    }
    Ok(())
}

/// Gives a root file system that has no `/etc/hosts` and `/etc/hostname`, or empty ones as in most images, their
/// content. Without the first, `localhost` would be unknown.
fn name_host(lower: BorrowedFd<'_>, root: BorrowedFd<'_>, hostname: &str) -> Outcome {
    for (name, text) in [(c"etc/hosts", accounts::hosts(hostname)), (c"etc/hostname", format!("{hostname}\n"))] {
        if !wanting(lower, name) {
            continue;
        }
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC;
        let written = openat2(root, name, flags, Mode::from_raw_mode(0o644), resolve)
            .and_then(|file| rustix::io::write(file, text.as_bytes()));
        match written {
            // Somebody else's directory, in which the sandbox's root may not write either.
            Err(errno @ (Errno::ACCESS | Errno::PERM)) => note(&format!("{name:?} is left as it is: {errno}")),
            other => {
                other.at(LaunchStep::RootFilesystem, || format!("cannot write {name:?}"))?;
            }
        }
    }
    Ok(())
}

/// Whether a file of the directory is missing or empty, and its place is no link.
fn wanting(lower: BorrowedFd<'_>, name: &CStr) -> bool {
    let real = statat(lower, c"etc", AtFlags::SYMLINK_NOFOLLOW);
    if !real.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory) {
        return false;
    }
    match statat(lower, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_size == 0,
        Err(errno) => errno == Errno::NOENT,
    }
}
