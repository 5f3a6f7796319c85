//! A detached mount: prepared outside the file system, then attached at one place.

use super::call;
use rustix::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use rustix::io::{Errno, Result};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags, OpenTreeFlags, fsconfig_create, fsconfig_set_flag,
    fsconfig_set_string, fsmount, fsopen, move_mount, open_tree,
};
use rustix::path::Arg;
use std::ffi::CStr;

/// No set-user-id programs and no devices, as for every mount of the host's files.
pub(super) const PLAIN: MountAttrFlags = MountAttrFlags::MOUNT_ATTR_NOSUID.union(MountAttrFlags::MOUNT_ATTR_NODEV);

/// [`PLAIN`] and nothing to execute.
pub(super) const DATA: MountAttrFlags = PLAIN.union(MountAttrFlags::MOUNT_ATTR_NOEXEC);

/// Cannot be written through this mount.
pub(super) const READ_ONLY: MountAttrFlags = MountAttrFlags::MOUNT_ATTR_RDONLY;

/// One option of a new file system.
pub(super) enum FsOption<'a> {
    /// A flag.
    Flag(&'a CStr),
    /// A key and its value.
    Value(&'a CStr, &'a str),
}

/// A new file system that is being told its options. After the first that the kernel refuses, nothing is done any more.
pub(super) struct Options {
    context: OwnedFd,
    state: Result<()>,
}

impl Options {
    /// Begins with none.
    pub(super) fn open(kind: &CStr) -> Result<Self> {
        Ok(Self { context: fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?, state: Ok(()) })
    }

    /// Tells the next one.
    pub(super) fn add(&mut self, option: &FsOption<'_>) {
        self.state = self.state.and_then(|()| match option {
            FsOption::Flag(key) => fsconfig_set_flag(&self.context, *key),
            FsOption::Value(key, value) => fsconfig_set_string(&self.context, *key, *value),
        });
    }

    /// Why it will not be made.
    pub(super) fn failed(&self) -> Option<Errno> {
        self.state.err()
    }

    /// Makes it; a failure comes with what the kernel says about it, which may be nothing.
    pub(super) fn create(self, attributes: MountAttrFlags) -> std::result::Result<Tree, (Errno, String)> {
        let made = self
            .state
            .and_then(|()| fsconfig_create(&self.context))
            .and_then(|()| fsmount(&self.context, FsMountFlags::FSMOUNT_CLOEXEC, attributes));
        made.map(Tree).map_err(|errno| (errno, complaint(&self.context)))
    }
}

/// A mount by descriptor. Dropping one that was never attached unmounts it.
pub(super) struct Tree(OwnedFd);

impl Tree {
    /// A new file system.
    pub(super) fn new(kind: &CStr, options: &[FsOption<'_>], attributes: MountAttrFlags) -> Result<Self> {
        Self::create(kind, options, attributes).map_err(|(errno, _)| errno)
    }

    /// A new file system; a failure comes with what the kernel says about it, which may be nothing.
    pub(super) fn create(
        kind: &CStr,
        options: &[FsOption<'_>],
        attributes: MountAttrFlags,
    ) -> std::result::Result<Self, (Errno, String)> {
        let mut opened = Options::open(kind).map_err(|errno| (errno, String::new()))?;
        options.iter().for_each(|option| opened.add(option));
        opened.create(attributes)
    }

    /// A second view of what is at `path` below `dir`. Without `recursive` submounts are left out, which the kernel
    /// refuses to an ordinary user when there are some, because they may hide something.
    pub(super) fn clone_of(dir: impl AsFd, path: impl Arg, recursive: bool) -> Result<Self> {
        let mut flags =
            OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_EMPTY_PATH;
        flags.set(OpenTreeFlags::AT_RECURSIVE, recursive);
        open_tree(dir, path, flags).map(Self)
    }

    /// A tree that another process opened.
    pub(super) fn received(descriptor: OwnedFd) -> Self {
        Self(descriptor)
    }

    /// Sets attributes on the mount and its submounts, and cuts them from whatever they propagated with.
    pub(super) fn restrict(&self, attributes: MountAttrFlags) -> Result<()> {
        self.change(&libc::mount_attr { attr_set: attributes.bits().into(), ..unchanged() })
    }

    /// [`Self::restrict`], and shows owners through the map of a user namespace.
    pub(super) fn restrict_mapped(&self, attributes: MountAttrFlags, namespace: BorrowedFd<'_>) -> Result<()> {
        let attributes = attributes | MountAttrFlags::MOUNT_ATTR_IDMAP;
        let userns_fd = namespace.as_raw_fd().cast_unsigned().into();
        self.change(&libc::mount_attr { attr_set: attributes.bits().into(), userns_fd, ..unchanged() })
    }

    /// Sets [`READ_ONLY`] on the mount, whatever is mounted in it.
    pub(super) fn make_read_only(directory: impl AsFd) -> Result<()> {
        let change = libc::mount_attr { attr_set: READ_ONLY.bits().into(), ..unchanged() };
        call::mount_setattr(directory.as_fd(), c"", false, &change)
    }

    /// Takes [`READ_ONLY`] back.
    pub(super) fn make_writable(&self) -> Result<()> {
        let change = libc::mount_attr { attr_clr: READ_ONLY.bits().into(), ..unchanged() };
        call::mount_setattr(self.as_fd(), c"", false, &change)
    }

    /// Makes the tree visible at `path` below `dir`, on top of what may be mounted there.
    pub(super) fn attach(&self, dir: impl AsFd, path: &CStr) -> Result<()> {
        let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
        move_mount(self, c"", dir, path, flags)
    }

    fn change(&self, change: &libc::mount_attr) -> Result<()> {
        let change = libc::mount_attr { propagation: libc::MS_PRIVATE, ..*change };
        call::mount_setattr(self.as_fd(), c"", true, &change)
    }
}

impl AsFd for Tree {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl From<Tree> for OwnedFd {
    fn from(tree: Tree) -> Self {
        tree.0
    }
}

fn unchanged() -> libc::mount_attr {
    libc::mount_attr { attr_set: 0, attr_clr: 0, propagation: 0, userns_fd: 0 }
}

/// What the kernel has to say: messages such as "e overlay: ..." in the context's log.
fn complaint(context: &OwnedFd) -> String {
    let mut buffer = [0; 256];
    let length = rustix::io::read(context, &mut buffer).unwrap_or(0);
    String::from_utf8_lossy(&buffer[..length]).trim().trim_start_matches("e ").to_owned()
}
