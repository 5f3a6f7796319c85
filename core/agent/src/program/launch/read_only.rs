//! The root filesystem read-only, when that is asked for. Layers and mounts are made before as always, then the mounts of the
//! root itself are closed: what else is mounted stays as it is.

use super::failure::{At, Outcome};
use super::tree::Tree;
use isobox_wire::launch::{LaunchConfig, LaunchStep, RootFs};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{Mode, OFlags, openat};

/// The mounts that the root is made of, before anything of the caller's is mounted on them.
pub(super) fn places(root: BorrowedFd<'_>, config: &LaunchConfig) -> Outcome<Vec<OwnedFd>> {
    let names: &[_] = if config.root == RootFs::Host { &[c".", c"etc"] } else { &[c"."] };
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let open = names.iter().map(|name| openat(root, *name, flags, Mode::empty()));
    open.collect::<Result<_, _>>().at(LaunchStep::RootFilesystem, || "cannot open the root file system".into())
}

/// Closes them for writing.
pub(super) fn close(places: Option<Vec<OwnedFd>>) -> Outcome {
    let closed = places.iter().flatten().try_for_each(Tree::make_read_only);
    closed.at(LaunchStep::RootFilesystem, || "cannot make the root file system read-only".into())
}
