//! Puts the bind mounts and the filesystems in memory in their places. Paths are resolved in the new root, where links cannot lead out.

use super::failure::{At, Outcome, refused, shown};
use super::tree::{FsOption, PLAIN, READ_ONLY, Tree};
use isobox_wire::launch::{LaunchConfig, LaunchStep, MemoryMount};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, fstat, mkdirat, mknodat, openat2};
use rustix::io::Errno;

/// Mounts `trees` on the targets of the config's bind mounts, one after the other, and what is in memory among them.
pub(super) fn mount(root: BorrowedFd<'_>, config: &LaunchConfig, trees: Vec<Tree>) -> Outcome {
    let mut memory = config.memory.iter().peekable();
    for (index, (mount, tree)) in config.mounts.iter().zip(trees).enumerate() {
        while let Some(mount) = memory.next_if(|mount| mount.after as usize <= index) {
            mount_memory(root, mount)?;
        }
        let what = || format!("cannot mount {} on {}", shown(&mount.source), shown(&mount.target));
        let directory = is_directory(&tree).at(LaunchStep::BindMount, what)?;
        let target = target(root, &mount.target, directory).at(LaunchStep::BindMount, what)?;
        if is_directory(&target).at(LaunchStep::BindMount, what)? != directory {
            let hint = "a directory goes on a directory, a file on a file: choose another target";
            return Err(refused(LaunchStep::BindMount, format!("{}: they are of different kinds", what()), hint));
        }
        tree.attach(&target, c"").at(LaunchStep::BindMount, what)?;
    }
    memory.try_for_each(|mount| mount_memory(root, mount))
}

/// Bytes for each file that there may be, because files that are empty cost memory too.
const BYTES_A_FILE: u64 = 4096;
/// Files that there may be in the smallest.
const FEWEST_FILES: u64 = 1024;

fn mount_memory(root: BorrowedFd<'_>, mount: &MemoryMount) -> Outcome {
    let what = || format!("cannot mount a filesystem of {} bytes in memory on {}", mount.size, shown(&mount.target));
    let files = (mount.size / BYTES_A_FILE).max(FEWEST_FILES).to_string();
    let (size, mode) = (mount.size.to_string(), format!("{:o}", mount.mode));
    let options =
        [FsOption::Value(c"size", &size), FsOption::Value(c"mode", &mode), FsOption::Value(c"nr_inodes", &files)];
    let attributes = if mount.writable { PLAIN } else { PLAIN | READ_ONLY };
    let mounted = target(root, &mount.target, true)
        .and_then(|target| Tree::new(c"tmpfs", &options, attributes)?.attach(target, c""));
    mounted.at(LaunchStep::BindMount, what)
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
