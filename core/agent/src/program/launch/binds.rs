//! Puts the bind mounts in their places. Paths are resolved in the new root, where links cannot lead out.

use super::failure::{At, Outcome, refused, shown};
use super::tree::Tree;
use isobox_wire::launch::{BindMount, LaunchStep};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, fstat, mkdirat, mknodat, openat2};
use rustix::io::Errno;

/// Mounts `trees` on the targets of `mounts`, one after the other.
pub(super) fn mount(root: BorrowedFd<'_>, mounts: &[BindMount], trees: Vec<Tree>) -> Outcome {
    for (mount, tree) in mounts.iter().zip(trees) {
        let what = || format!("cannot mount {} on {}", shown(&mount.source), shown(&mount.target));
        let directory = is_directory(&tree).at(LaunchStep::BindMount, what)?;
        let target = target(root, &mount.target, directory).at(LaunchStep::BindMount, what)?;
        if is_directory(&target).at(LaunchStep::BindMount, what)? != directory {
            let hint = "a directory goes on a directory, a file on a file: choose another target";
            return Err(refused(LaunchStep::BindMount, format!("{}: they are of different kinds", what()), hint));
        }
        tree.attach(&target, c"").at(LaunchStep::BindMount, what)?;
    }
    Ok(())
}

fn is_directory(file: impl rustix::fd::AsFd) -> Result<bool, Errno> {
    fstat(file).map(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory)
}

/// Opens the target, after making what is missing of it.
fn target(root: BorrowedFd<'_>, path: &[u8], directory: bool) -> Result<OwnedFd, Errno> {
    match open(root, path) {
        Err(Errno::NOENT) => {}
        other => return other,
    }
    let names: Vec<&[u8]> = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty() && *name != b".").collect();
    let mut parent = open(root, b"/")?;
    for end in 1..=names.len() {
        let name = names[end - 1];
        let made = if end == names.len() && !directory {
            mknodat(&parent, name, FileType::RegularFile, Mode::from_raw_mode(0o644), 0)
        } else {
            mkdirat(&parent, name, Mode::from_raw_mode(0o755))
        };
        match made {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(errno) => return Err(errno),
        }
        // From the root each time: a name that exists may be a link to elsewhere in it.
        parent = open(root, &names[..end].join(&b'/'))?;
    }
    Ok(parent)
}

fn open(root: BorrowedFd<'_>, path: &[u8]) -> Result<OwnedFd, Errno> {
    let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
    openat2(root, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), resolve)
}
