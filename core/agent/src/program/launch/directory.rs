//! A root file system from directories, such as an unpacked image, one or several layers of it. They are hostile: any
//! name in them may be a link.

use super::accounts;
use super::failure::{At, Outcome, note};
use super::layers::{self, Lower, Plan};
use super::overlay::{self, make_layer};
use super::state::{UPPER, WORK};
use super::tree::{FsOption, PLAIN, Tree};
use isobox_wire::launch::{LaunchConfig, LaunchStep};
use rustix::fd::{AsFd, BorrowedFd};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, mkdirat, openat, openat2, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::CStr;

/// What is mounted on in every sandbox, and `/tmp`, which programs expect.
const MOUNT_POINTS: [(&CStr, u32); 4] = [(c"proc", 0o555), (c"sys", 0o555), (c"dev", 0o755), (c"tmp", 0o1777)];

/// Mounts the overlay of the config's layers, which are in `lower`, on the current directory.
pub(super) fn mount(lower: &[Lower], config: &LaunchConfig) -> Outcome<Tree> {
    let what = || "cannot mount the root file system".to_owned();
    layers::attach(lower)?;
    let layers = Plan::of(config).resolve(lower, None)?;
    make_layer(UPPER, WORK)?;
    let root = overlay::mount(&layers, UPPER, WORK)?;
    root.attach(CWD, c".").at(LaunchStep::RootFilesystem, what)?;
    make_mount_points(root.as_fd()).at(LaunchStep::RootFilesystem, || "cannot make the mount points".into())?;
    mount_tmp(&root, config)?;
    name_host(root.as_fd(), &config.hostname)?;
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

/// Puts directories in the place of mount points that are missing, or are links or files. What is under the sandbox's
/// layer is not touched by that.
fn make_mount_points(root: BorrowedFd<'_>) -> Result<(), Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for (name, mode) in MOUNT_POINTS {
        match openat(root, name, flags, Mode::empty()) {
            Ok(_) => continue,
            Err(Errno::NOENT) => {}
            Err(_) => unlinkat(root, name, AtFlags::empty())?,
        }
        mkdirat(root, name, Mode::from_raw_mode(mode))?;
    }
    Ok(())
}

/// Gives a root file system that has no `/etc/hosts` and `/etc/hostname`, or empty ones as in most images, their
/// content. Without the first, `localhost` would be unknown.
fn name_host(root: BorrowedFd<'_>, hostname: &str) -> Outcome {
    for (name, text) in [(c"etc/hosts", accounts::hosts(hostname)), (c"etc/hostname", format!("{hostname}\n"))] {
        if !wanting(root, name) {
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

/// Whether a file is missing or empty, and its place is no link.
fn wanting(root: BorrowedFd<'_>, name: &CStr) -> bool {
    let real = statat(root, c"etc", AtFlags::SYMLINK_NOFOLLOW);
    if !real.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory) {
        return false;
    }
    match statat(root, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_size == 0,
        Err(errno) => errno == Errno::NOENT,
    }
}
