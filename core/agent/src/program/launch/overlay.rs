//! Copy-on-write: an overlay of read-only layers and one of the sandbox's own in the state directory, which is the
//! current one.

use super::failure::{At, OrHint, Outcome};
use super::tree::{FsOption, Tree};
use isobox_wire::launch::LaunchStep;
use rustix::fd::{AsFd, AsRawFd};
use rustix::fs::{CWD, Mode, mkdirat};
use rustix::io::Errno;
use rustix::mount::MountAttrFlags;
use std::ffi::CStr;

/// Makes a layer of the sandbox's own and what overlayfs needs beside it. The sandbox's root owns it, mode 0755,
/// whatever the directories below have.
pub(super) fn make_layer(upper: &CStr, work: &CStr) -> Outcome {
    let make = |name| mkdirat(CWD, name, Mode::from_raw_mode(0o755));
    make(upper).and_then(|()| make(work)).at(LaunchStep::StateDirectory, || format!("cannot make the layer {upper:?}"))
}

/// The overlay of `lower` (separated by colons, the first on top) under the layer `upper`, not attached yet. `user.*`
/// attributes keep its bookkeeping, which is what a user namespace may write; nothing is synced, since the layer does
/// not outlive a crash.
pub(super) fn mount(lower: &str, upper: &CStr, work: &CStr) -> Outcome<Tree> {
    try_mount(lower, upper, work).or_else(|(errno, complaint)| {
        let detail = if complaint.is_empty() { String::new() } else { format!(" ({complaint})") };
        Err(errno)
            .at(LaunchStep::RootFilesystem, || format!("cannot mount the overlay{detail}"))
            .or_hint(|| hint(errno))
    })
}

/// [`mount`] for a caller that can do something about a failure.
pub(super) fn try_mount(lower: &str, upper: &CStr, work: &CStr) -> Result<Tree, (Errno, String)> {
    let options = [
        FsOption::Value(c"lowerdir", lower),
        FsOption::Value(c"upperdir", upper.to_str().expect("the name is ascii")),
        FsOption::Value(c"workdir", work.to_str().expect("the name is ascii")),
        FsOption::Flag(c"userxattr"),
        FsOption::Flag(c"volatile"),
    ];
    Tree::create(c"overlay", &options, MountAttrFlags::MOUNT_ATTR_NODEV)
}

/// A name for what is open, which needs no quoting in an option.
pub(super) fn name_of(open: &impl AsFd) -> String {
    format!("/proc/self/fd/{}", open.as_fd().as_raw_fd())
}

fn hint(errno: Errno) -> String {
    match errno {
        Errno::NODEV => "the kernel has no overlayfs: load the module `overlay`".into(),
        Errno::PERM => "an overlay in a user namespace needs linux 5.11 or newer and no AppArmor or SELinux rule against it".into(),
        Errno::LOOP => "the state directory must not be inside the root file system's directory".into(),
        Errno::NOSPC => "free some space or inodes on the file system of the state directory".into(),
        _ => "the state directory must be on a file system that can hold an overlay's upper layer, such as ext4, xfs, btrfs or \
              tmpfs (not overlayfs, NFS or vfat), and nothing may be mounted below the root file system's directory"
            .into(),
    }
}
