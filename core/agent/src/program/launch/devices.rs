//! The sandbox's `/dev`: six harmless devices of the machine, terminals and shared memory of its own.

use super::failure::{At, Outcome};
use super::maps::outside;
use super::tree::{DATA, FsOption, Tree};
use isobox_wire::launch::{LaunchConfig, LaunchStep};
use rustix::fd::BorrowedFd;
use rustix::fs::{CWD, FileType, Mode, mkdirat, mknodat, symlinkat};
use rustix::io::Errno;
use rustix::mount::MountAttrFlags;
use std::ffi::CStr;

/// The devices that are the machine's own.
const DEVICES: [&CStr; 6] = [c"null", c"zero", c"full", c"random", c"urandom", c"tty"];

const LINKS: [(&CStr, &CStr); 5] = [
    (c"pts/ptmx", c"ptmx"),
    (c"/proc/self/fd", c"fd"),
    (c"/proc/self/fd/0", c"stdin"),
    (c"/proc/self/fd/1", c"stdout"),
    (c"/proc/self/fd/2", c"stderr"),
];

const DIRECTORIES: [(&CStr, u32); 3] = [(c"pts", 0o755), (c"shm", 0o1777), (c"mqueue", 0o1777)];

/// The size of `/dev/shm` that container engines give.
const SHM_SIZE: u64 = 64 << 20;

/// The group of terminals in most distributions.
const TTY: u32 = 5;

/// Without set-user-id programs and without execution; devices are what this directory is for.
const ATTRIBUTES: MountAttrFlags = MountAttrFlags::MOUNT_ATTR_NOSUID.union(MountAttrFlags::MOUNT_ATTR_NOEXEC);

/// Mounts `/dev`.
pub(super) fn mount(root: BorrowedFd<'_>, config: &LaunchConfig) -> Outcome {
    let dev = base(root).at(LaunchStep::Devices, || "cannot make /dev".into())?;
    for name in DEVICES {
        let shown = Tree::clone_of(CWD, format!("/dev/{}", name.to_string_lossy()), false)
            .and_then(|tree| tree.attach(&dev, name));
        shown.at(LaunchStep::Devices, || format!("cannot show /dev/{}", name.to_string_lossy()))?;
    }
    terminals(&dev, config).at(LaunchStep::Devices, || "cannot mount /dev/pts".into())?;
    memory(&dev, config).at(LaunchStep::Devices, || "cannot mount /dev/shm".into())?;
    queues(&dev).at(LaunchStep::Devices, || "cannot mount /dev/mqueue".into())
}

fn base(root: BorrowedFd<'_>) -> Result<Tree, Errno> {
    let dev = Tree::new(c"tmpfs", &[FsOption::Value(c"size", "64k"), FsOption::Value(c"mode", "755")], ATTRIBUTES)?;
    for name in DEVICES {
        mknodat(&dev, name, FileType::RegularFile, Mode::from_raw_mode(0o666), 0)?;
    }
    for (name, mode) in DIRECTORIES {
        mkdirat(&dev, name, Mode::from_raw_mode(mode))?;
    }
    for (target, name) in LINKS {
        symlinkat(target, &dev, name)?;
    }
    dev.attach(root, c"dev")?;
    Ok(dev)
}

fn terminals(dev: &Tree, config: &LaunchConfig) -> Result<(), Errno> {
    let mut options = vec![FsOption::Value(c"ptmxmode", "0666"), FsOption::Value(c"mode", "0620")];
    if outside(&config.gid_map, TTY).is_some() {
        options.push(FsOption::Value(c"gid", "5"));
    }
    Tree::new(c"devpts", &options, ATTRIBUTES)?.attach(dev, c"pts")
}

fn memory(dev: &Tree, config: &LaunchConfig) -> Result<(), Errno> {
    let size = config.shm_size.unwrap_or(SHM_SIZE).to_string();
    Tree::new(c"tmpfs", &[FsOption::Value(c"size", &size), FsOption::Value(c"mode", "1777")], DATA)?.attach(dev, c"shm")
}

/// POSIX message queues, on a kernel that has them.
fn queues(dev: &Tree) -> Result<(), Errno> {
    match Tree::new(c"mqueue", &[], DATA) {
        Ok(tree) => tree.attach(dev, c"mqueue"),
        Err(Errno::NODEV) => Ok(()),
        Err(errno) => Err(errno),
    }
}
