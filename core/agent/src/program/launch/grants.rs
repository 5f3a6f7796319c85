//! What the sandbox is given of the host: directories opened where the right to open them is, and handed over as
//! descriptors.
//!
//! As root that is the keeper, before the sandbox exists for itself: it reaches every path, and it alone may id-map a
//! mount. As an ordinary user it is the sandbox, whose mounts are the user's own.

use super::cgroups::Granted;
use super::failure::{At, OrHint, Outcome, failed, refused, shown};
use super::layers::{Lower, Parent, Plan};
use super::tree::{PLAIN, READ_ONLY, Tree};
use isobox_wire::launch::{BindMount, LaunchConfig, LaunchFailure, LaunchStep};
use rustix::cmsg_space;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, fstat, openat, openat2, stat};
use rustix::io::{Errno, IoSlice, IoSliceMut};
use rustix::mount::MountAttrFlags;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use std::mem::MaybeUninit;

/// How many descriptors travel in one message; the kernel's limit is 253.
const BATCH: usize = 128;

/// Everything of the host that a sandbox is given.
pub(super) struct Grants {
    /// The directories with the layers in them, in the order of the [`Plan`].
    pub(super) lower: Vec<Lower>,
    /// The sources of the bind mounts, in order, already restricted.
    pub(super) mounts: Vec<Tree>,
    /// The cgroups of its commands.
    pub(super) cgroups: Granted,
}

impl Grants {
    /// Opens everything in the sandbox, as an ordinary user.
    pub(super) fn open_here(config: &LaunchConfig) -> Outcome<Self> {
        Self::open(config, None, |directory, _| Ok(Lower::Here(directory)))
    }

    /// Opens everything outside, as root, mapped to the ids of a user namespace if the config says so.
    pub(super) fn open_for(config: &LaunchConfig, namespace: BorrowedFd<'_>) -> Outcome<Self> {
        Self::open(config, config.id_mapped.then_some(namespace), |directory, id_mapped| {
            let tree = Tree::clone_of(directory, c"", false)?;
            restrict(&tree, MountAttrFlags::empty(), id_mapped.then_some(namespace))?;
            Ok(Lower::Detached(tree))
        })
    }

    fn open(
        config: &LaunchConfig,
        namespace: Option<BorrowedFd<'_>>,
        lower: impl Fn(OwnedFd, bool) -> Result<Lower, Errno>,
    ) -> Outcome<Self> {
        let open = |parent: &Parent<'_>| {
            let directory = root_directory(parent)?;
            let what = || format!("cannot use {} as a root file system", shown(parent.path));
            let made = lower(directory, parent.id_mapped).at(LaunchStep::RootFilesystem, what);
            if parent.id_mapped { made.or_hint(|| unmappable(parent.path)) } else { made }
        };
        let lower = Plan::of(config).parents.iter().map(open).collect::<Outcome<_>>()?;
        let mounts = config.mounts.iter().map(|mount| source(mount, namespace)).collect::<Outcome<_>>()?;
        Ok(Self { lower, mounts, cgroups: Granted::open(config)? })
    }

    /// Hands everything over.
    pub(super) fn send(&self, socket: BorrowedFd<'_>) -> Outcome {
        let lower = self.lower.iter().map(AsFd::as_fd);
        let mounts = self.mounts.iter().map(AsFd::as_fd);
        let all: Vec<_> = lower.chain(mounts).chain(self.cgroups.descriptors()).collect();
        // An empty message as well: it says that the id maps are there.
        let batches = if all.is_empty() { vec![&all[..]] } else { all.chunks(BATCH).collect() };
        batches.into_iter().try_for_each(|batch| send_batch(socket, batch)).map_err(lost)
    }

    /// Waits for what [`Self::send`] hands over.
    pub(super) fn receive(socket: BorrowedFd<'_>, config: &LaunchConfig) -> Outcome<Self> {
        let parents = Plan::of(config).parents.len();
        let count = parents + config.mounts.len() + Granted::count(config);
        let mut all = Vec::with_capacity(count);
        loop {
            receive_batch(socket, &mut all).map_err(lost)?;
            if all.len() >= count {
                break;
            }
        }
        let mut all = all.into_iter();
        let lower = all.by_ref().take(parents).map(|tree| Lower::Detached(Tree::received(tree))).collect();
        let mounts = all.by_ref().take(config.mounts.len()).map(Tree::received).collect();
        Ok(Self { lower, mounts, cgroups: Granted::received(config, &mut all) })
    }
}

/// The directory for a root file system, which is not the host's own.
fn root_directory(parent: &Parent<'_>) -> Outcome<OwnedFd> {
    let name = shown(parent.path);
    let directory = openat(CWD, parent.path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .at(LaunchStep::RootFilesystem, || format!("cannot open the root file system {name}"))
        .or_hint(|| "the root file system must be an existing directory that this user may enter".into())?;
    let identity = |stat: rustix::fs::Stat| (stat.st_dev, stat.st_ino);
    if parent.whole && fstat(&directory).map(identity).ok() == stat(c"/").map(identity).ok() {
        let message = format!("{name} is the host's own root");
        return Err(refused(
            LaunchStep::RootFilesystem,
            message,
            "use the root file system `host` for the machine's own programs",
        ));
    }
    Ok(directory)
}

/// The tree of a bind mount, restricted.
fn source(mount: &BindMount, namespace: Option<BorrowedFd<'_>>) -> Outcome<Tree> {
    let path = mount.source.as_slice();
    let tree = clone(path, &mount.part)
        .at(LaunchStep::BindMount, || format!("cannot open the source of a mount {}", shown(path)))
        .or_hint(|| "the source of a mount must exist and be reachable for this user".into())?;
    let attributes = if mount.writable { PLAIN } else { PLAIN | READ_ONLY };
    let restricted = restrict(&tree, attributes, namespace)
        .at(LaunchStep::BindMount, || format!("cannot restrict the mount of {}", shown(path)));
    if namespace.is_some() { restricted.or_hint(|| unmappable(path)) } else { restricted }?;
    Ok(tree)
}

/// A second view of what is at a path, or of a part of it, to which no link may lead: sandboxes write there.
fn clone(path: &[u8], part: &[u8]) -> Result<Tree, Errno> {
    if part.is_empty() {
        return Tree::clone_of(CWD, path, true);
    }
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let whole = openat(CWD, path, flags | OFlags::DIRECTORY, Mode::empty())?;
    let part = openat2(whole, part, flags, Mode::empty(), ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS)?;
    Tree::clone_of(part, c"", true)
}

fn restrict(tree: &Tree, attributes: MountAttrFlags, namespace: Option<BorrowedFd<'_>>) -> Result<(), Errno> {
    match namespace {
        Some(namespace) => tree.restrict_mapped(attributes, namespace),
        None => tree.restrict(attributes),
    }
}

fn unmappable(path: &[u8]) -> String {
    format!(
        "the file system of {0}, or of something mounted below it, cannot be id-mapped on this kernel: copy it to ext4, xfs, btrfs \
         or (from Linux 6.3 on) tmpfs, or turn id mapping off and give {0} to the sandbox's ids",
        shown(path)
    )
}

/// Tells the sandbox that its keeper has done what has to come first.
pub(super) fn let_go_on(socket: BorrowedFd<'_>) -> Outcome {
    send_batch(socket, &[]).map_err(lost)
}

/// Waits for [`let_go_on`].
pub(super) fn wait_for_leave(socket: BorrowedFd<'_>) -> Outcome {
    receive_batch(socket, &mut Vec::new()).map(drop).map_err(lost)
}

fn send_batch(socket: BorrowedFd<'_>, batch: &[BorrowedFd<'_>]) -> Result<(), Errno> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(BATCH))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !batch.is_empty() {
        control.push(SendAncillaryMessage::ScmRights(batch));
    }
    sendmsg(socket, &[IoSlice::new(&[0])], &mut control, SendFlags::NOSIGNAL).map(drop)
}

/// Receives one byte, and the descriptors with it.
pub(super) fn receive_batch(socket: BorrowedFd<'_>, all: &mut Vec<OwnedFd>) -> Result<u8, Errno> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(BATCH))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let message = recvmsg(socket, &mut [IoSliceMut::new(&mut byte)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
    // Truncated descriptors mean that this process may not open so many.
    if message.flags.contains(ReturnFlags::CTRUNC) {
        return Err(Errno::MFILE);
    }
    if message.bytes == 0 {
        return Err(Errno::PIPE);
    }
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            all.extend(descriptors);
        }
    }
    Ok(byte[0])
}

fn lost(errno: Errno) -> LaunchFailure {
    failed(LaunchStep::IdMap, errno, "the launcher's processes lost each other")
}
