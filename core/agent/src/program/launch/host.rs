//! A root file system from the machine's own: its programs read-only, its settings under a layer of the sandbox's
//! own, everything else private and empty.
//!
//! ```text
//! /            overlay: <state>/upper over given layers over a skeleton in memory
//! /usr ...     the machine's, read-only
//! /etc         overlay: <state>/etc over given layers over our accounts and names over the machine's
//! ```
//!
//! Nothing here is id-mapped, so the machine's files belong to nobody: readable is what anybody on the machine may
//! read.

use super::accounts::{self, HIDDEN, USER};
use super::copy;
use super::directory::mount_tmp;
use super::failure::{At, Outcome};
use super::layers::{self, HOST_PARTS, Lower, Plan};
use super::overlay::{self, Below, make_layer};
use super::state::{ETC_UPPER, ETC_WORK, UPPER, WORK};
use super::tree::{FsOption, PLAIN, READ_ONLY, Tree};
use isobox_wire::launch::{LaunchConfig, LaunchStep};
use rustix::fd::AsFd;
use rustix::fs::{AtFlags, Gid, Uid};
use rustix::fs::{CWD, FileType, Mode, OFlags, chownat, mkdirat, mknodat, openat, readlinkat, symlinkat};
use rustix::io::Errno;
use std::ffi::CStr;

/// What is taken from the machine, as it is there: a directory, or a link as on a merged `/usr`.
const PROGRAMS: [&CStr; 8] = [c"usr", c"bin", c"sbin", c"lib", c"lib32", c"lib64", c"libx32", c"nix"];

/// The sandbox's own directories, and their modes.
const DIRECTORIES: [(&CStr, u32); 19] = [
    (c"proc", 0o555),
    (c"sys", 0o555),
    (c"dev", 0o755),
    (c"etc", 0o755),
    (c"tmp", 0o1777),
    (c"home", 0o755),
    (c"root", 0o700),
    (c"run", 0o755),
    (c"run/lock", 0o1777),
    (c"media", 0o755),
    (c"mnt", 0o755),
    (c"opt", 0o755),
    (c"srv", 0o755),
    (c"var", 0o755),
    (c"var/tmp", 0o1777),
    (c"var/lib", 0o755),
    (c"var/cache", 0o755),
    (c"var/log", 0o755),
    (c"var/spool", 0o755),
];

const LINKS: [(&CStr, &CStr); 2] = [(c"/run", c"var/run"), (c"/run/lock", c"var/lock")];

/// Mounts everything on the current directory.
pub(super) fn mount(lower: &[Lower], config: &LaunchConfig) -> Outcome<Tree> {
    layers::attach(lower)?;
    let [root, etc] = HOST_PARTS.map(|part| Plan::of(config).resolve(lower, Some(part)));
    let (skeleton, programs) =
        skeleton(config).at(LaunchStep::RootFilesystem, || "cannot make the root directory".into())?;
    make_layer(UPPER, WORK)?;
    let mut below = root?;
    below.push(Below::itself(skeleton.as_fd()));
    let root = overlay::mount(&below, UPPER, WORK)?;
    root.attach(CWD, c".").at(LaunchStep::RootFilesystem, || "cannot mount the root file system".into())?;
    settings(&skeleton, etc?)?.attach(&root, c"etc").at(LaunchStep::RootFilesystem, || "cannot mount /etc".into())?;
    for name in programs {
        show(&root, name)
            .at(LaunchStep::RootFilesystem, || format!("cannot show the machine's /{}", name.to_string_lossy()))?;
    }
    mount_tmp(&root, config)?;
    Ok(root)
}

/// The directories, links and files under the sandbox's layer; answers also which directories of the machine go into
/// it. It lies in memory, so that it costs nothing on disk and goes away by itself.
fn skeleton(config: &LaunchConfig) -> Result<(Tree, Vec<&'static CStr>), Errno> {
    let size = (copy::MOST + (16 << 20)).to_string();
    let options = [FsOption::Value(c"mode", "755"), FsOption::Value(c"size", &size)];
    let tree = Tree::new(c"tmpfs", &options, PLAIN)?;
    // Kernels before 6.15 take only what is attached as a layer.
    tree.attach(CWD, c".")?;
    for (name, mode) in DIRECTORIES {
        mkdirat(&tree, name, Mode::from_raw_mode(mode))?;
    }
    for (target, name) in LINKS {
        symlinkat(target, &tree, name)?;
    }
    if accounts::has_user(config) {
        mkdirat(&tree, c"home/user", Mode::from_raw_mode(0o755))?;
        let (user, group) = (Uid::from_raw(USER), Gid::from_raw(USER));
        chownat(&tree, c"home/user", Some(user), Some(group), AtFlags::SYMLINK_NOFOLLOW)?;
    }
    fill_etc(&tree, config)?;
    let programs = copy_names(&tree)?;
    Ok((tree, programs))
}

/// The sandbox's `/etc`. When something is mounted on a file in the machine's, as engines do in containers, the
/// kernel does not let a user namespace take what lies below for a layer; then the sandbox gets a copy.
fn settings<'a>(skeleton: &'a Tree, mut below: Vec<Below<'a>>) -> Outcome<Tree> {
    make_layer(ETC_UPPER, ETC_WORK)?;
    below.push(Below::named(skeleton.as_fd(), c"etc"));
    let machine = Below::named(CWD, c"/etc");
    if let Ok(tree) = overlay::try_mount(&[&below[..], &[machine]].concat(), ETC_UPPER, ETC_WORK) {
        return Ok(tree);
    }
    let copied = || {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let from = openat(CWD, c"/etc", OFlags::RDONLY | flags, Mode::empty())?;
        let to = openat(skeleton, c"etc", OFlags::PATH | flags, Mode::empty())?;
        copy::copy(from, to.as_fd())?;
        // The attempt has marked it as used.
        overlay::renew(ETC_WORK)
    };
    copied().at(LaunchStep::RootFilesystem, || "cannot copy /etc".into())?;
    overlay::mount(&below, ETC_UPPER, ETC_WORK)
}

fn fill_etc(skeleton: &Tree, config: &LaunchConfig) -> Result<(), Errno> {
    let etc = openat(skeleton, c"etc", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    for file in accounts::files(config) {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let opened = openat(&etc, file.name, flags, Mode::from_raw_mode(file.mode))?;
        rustix::io::write(opened, file.text.as_bytes())?;
    }
    for name in HIDDEN {
        // This is how a layer says that the ones below do not have a name.
        mknodat(&etc, name, FileType::CharacterDevice, Mode::empty(), 0)?;
    }
    Ok(())
}

/// Copies the machine's links and makes directories for its directories.
fn copy_names(skeleton: &Tree) -> Result<Vec<&'static CStr>, Errno> {
    let host = openat(CWD, c"/", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut directories = Vec::with_capacity(PROGRAMS.len());
    for name in PROGRAMS {
        match readlinkat(&host, name, [0; 64]) {
            Ok(target) => symlinkat(target, skeleton, name)?,
            Err(Errno::NOENT) => {}
            // Not a link.
            Err(Errno::INVAL) => {
                mkdirat(skeleton, name, Mode::from_raw_mode(0o755))?;
                directories.push(name);
            }
            Err(errno) => return Err(errno),
        }
    }
    Ok(directories)
}

fn show(root: &Tree, name: &CStr) -> Result<(), Errno> {
    let host = openat(CWD, c"/", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let tree = Tree::clone_of(host.as_fd(), name, true)?;
    tree.restrict(PLAIN | READ_ONLY)?;
    tree.attach(root, name)
}
