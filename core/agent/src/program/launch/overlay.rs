//! Copy-on-write: an overlay of read-only layers and one of the sandbox's own in the state directory, which is the
//! current one.
//!
//! ```text
//! up to 10 layers      one option with all of them, by descriptor
//! more, linux 6.8      an option for each, `lowerdir+`
//! more, before that    mount(2), which takes a page of options, with short names: links in the state directory
//! ```
//!
//! An option of fsconfig(2) has 256 bytes at most, and `lowerdir+` is documented for 6.8 and newer (the kernel's
//! overlayfs.rst).

use super::failure::{At, OrHint, Outcome};
use super::tree::{FsOption, Options, Tree};
use isobox_wire::launch::LaunchStep;
use rustix::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat, symlinkat};
use rustix::io::Errno;
use rustix::mount::{MountAttrFlags, MountFlags, UnmountFlags, mount as mount_here, unmount};
use std::ffi::{CStr, CString};

/// So many layers certainly fit into one option.
const FEW: usize = 10;

/// The directory of the links to layers.
const LINKS: &CStr = c"layers";

/// Where what mount(2) mounts is before it is taken from there.
const SPOT: &CStr = c"mounted";

/// One read-only layer.
#[derive(Clone, Debug)]
pub(super) struct Below<'a> {
    pub(super) directory: BorrowedFd<'a>,
    /// Its name in the directory; the directory itself when empty.
    pub(super) name: CString,
}

impl<'a> Below<'a> {
    /// The directory itself.
    pub(super) fn itself(directory: BorrowedFd<'a>) -> Self {
        Self { directory, name: CString::default() }
    }

    /// A directory in it.
    pub(super) fn named(directory: BorrowedFd<'a>, name: &CStr) -> Self {
        Self { directory, name: name.to_owned() }
    }

    fn open(&self) -> Result<OwnedFd, Errno> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let name = if self.name.is_empty() { c"." } else { &self.name };
        openat(self.directory, name, flags, Mode::empty())
    }
}

/// Why there is no overlay: the error, and what the kernel says about it.
pub(super) type Refusal = (Errno, String);

/// Makes a layer of the sandbox's own and what overlayfs needs beside it. The sandbox's root owns it, mode 0755,
/// whatever the directories below have. A layer that was used before is used again.
pub(super) fn make_layer(upper: &CStr, work: &CStr) -> Outcome {
    let make = |name| mkdirat(CWD, name, Mode::from_raw_mode(0o755));
    let made = match make(upper) {
        Err(Errno::EXIST) => renew(work),
        made => made.and_then(|()| make(work)),
    };
    made.at(LaunchStep::StateDirectory, || format!("cannot make the layer {upper:?}"))
}

/// Puts a new directory in the place of the one that overlayfs has used, and marked as such: it takes a volatile one
/// once.
pub(super) fn renew(work: &CStr) -> Result<(), Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let here = openat(CWD, c".", flags, Mode::empty())?;
    isobox_tree::remove(here.as_fd(), work.to_bytes())
        .map_err(|error| error.raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error))?;
    mkdirat(CWD, work, Mode::from_raw_mode(0o755))
}

/// The overlay of `lower` (the first on top) under the layer `upper`, not attached yet. `user.*` attributes keep its
/// bookkeeping, which is what a user namespace may write; nothing is synced, since the layer does not outlive a crash
/// of the machine.
pub(super) fn mount(lower: &[Below<'_>], upper: &CStr, work: &CStr) -> Outcome<Tree> {
    try_mount(lower, upper, work).or_else(|(errno, complaint)| {
        let detail = if complaint.is_empty() { String::new() } else { format!(" ({complaint})") };
        Err(errno)
            .at(LaunchStep::RootFilesystem, || format!("cannot mount the overlay{detail}"))
            .or_hint(|| hint(errno))
    })
}

/// [`mount`] for a caller that can do something about a failure.
pub(super) fn try_mount(lower: &[Below<'_>], upper: &CStr, work: &CStr) -> Result<Tree, Refusal> {
    if lower.len() <= FEW {
        return in_one(lower, upper, work);
    }
    match one_by_one(lower, upper, work) {
        // Before 6.5 every option is taken, and the mount refused without a word.
        Err((Errno::INVAL, complaint)) if complaint.is_empty() => by_links(lower, upper, work),
        done => done,
    }
}

/// All layers in one option.
fn in_one(lower: &[Below<'_>], upper: &CStr, work: &CStr) -> Result<Tree, Refusal> {
    let opened: Vec<OwnedFd> = lower.iter().map(Below::open).collect::<Result<_, _>>().map_err(silent)?;
    let names: Vec<String> = opened.iter().map(name_of).collect();
    let mut options = Options::open(c"overlay").map_err(silent)?;
    options.add(&FsOption::Value(c"lowerdir", &names.join(":")));
    finish(options, upper, work)
}

/// An option for each layer.
fn one_by_one(lower: &[Below<'_>], upper: &CStr, work: &CStr) -> Result<Tree, Refusal> {
    let mut options = Options::open(c"overlay").map_err(silent)?;
    for below in lower {
        // The kernel has a reference of its own once the option is set.
        let opened = below.open().map_err(silent)?;
        options.add(&FsOption::Value(c"lowerdir+", &name_of(&opened)));
        if options.failed() == Some(Errno::INVAL) {
            return Err(silent(Errno::INVAL));
        }
    }
    finish(options, upper, work)
}

fn finish(mut options: Options, upper: &CStr, work: &CStr) -> Result<Tree, Refusal> {
    options.add(&FsOption::Value(c"upperdir", text(upper)));
    options.add(&FsOption::Value(c"workdir", text(work)));
    options.add(&FsOption::Flag(c"userxattr"));
    options.add(&FsOption::Flag(c"volatile"));
    options.create(MountAttrFlags::MOUNT_ATTR_NODEV)
}

/// mount(2), with a link for each layer, whose names are short and need no quoting.
fn by_links(lower: &[Below<'_>], upper: &CStr, work: &CStr) -> Result<Tree, Refusal> {
    renew(LINKS).and_then(|()| renew(SPOT)).map_err(silent)?;
    let mut names = Vec::with_capacity(lower.len());
    for (index, below) in lower.iter().enumerate() {
        let name = format!("{}/{index}", text(LINKS));
        let target = [name_of(&below.directory).as_bytes(), b"/", below.name.as_bytes()].concat();
        symlinkat(target, CWD, name.as_str()).map_err(silent)?;
        names.push(name);
    }
    let data =
        format!("lowerdir={},upperdir={},workdir={},userxattr,volatile", names.join(":"), text(upper), text(work));
    let data = CString::new(data).map_err(|_| silent(Errno::INVAL))?;
    let mounted = mount_here(c"overlay", SPOT, c"overlay", MountFlags::NODEV, Some(data.as_c_str()));
    mounted
        .map_err(|errno| (errno, format!("{} layers; linux 6.8 and newer take more, and say why not", lower.len())))?;
    let tree = Tree::clone_of(CWD, SPOT, false).map_err(silent);
    unmount(SPOT, UnmountFlags::DETACH).map_err(silent)?;
    tree
}

fn silent(errno: Errno) -> Refusal {
    (errno, String::new())
}

fn text(name: &CStr) -> &str {
    name.to_str().expect("the name is ascii")
}

/// A name for what is open, which needs no quoting in an option.
fn name_of(open: &impl AsFd) -> String {
    format!("/proc/self/fd/{}", open.as_fd().as_raw_fd())
}

fn hint(errno: Errno) -> String {
    match errno {
        Errno::NODEV => "the kernel has no overlayfs: load the module `overlay`".into(),
        Errno::PERM => "an overlay in a user namespace needs linux 5.11 or newer and no AppArmor or SELinux rule against it".into(),
        Errno::LOOP => {
            "the state directory must not be inside a layer, and no layer may be there twice or inside another one".into()
        }
        Errno::NOSPC => "free some space or inodes on the file system of the state directory".into(),
        Errno::NOENT | Errno::NOTDIR => "every layer must be an existing directory".into(),
        _ => "the state directory must be on a file system that can hold an overlay's upper layer, such as ext4, xfs, btrfs or \
              tmpfs (not overlayfs, NFS or vfat; in a container set ISOBOX_HOME to a volume), and nothing may be mounted below the root file system's directory; as root, \
              layers are id-mapped, which an overlay takes from linux 5.19 on"
            .into(),
    }
}

#[cfg(test)]
#[path = "overlay_tests.rs"]
mod tests;
