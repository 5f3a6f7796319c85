//! Gives what is in the layer of an image to the ids that the image says, as the sandboxes of an ordinary user have them.
//!
//! The layer is hostile: a path is resolved within it, and nothing follows a link at its end.

use super::connection::Connection;
use super::failure::{At, Outcome, refused, shown};
use super::ranges;
use isobox_wire::Owner;
use isobox_wire::launch::LaunchStep;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, ResolveFlags, Uid, chownat, fchmod, openat, openat2};
use rustix::io::{Errno, Result};

const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Gives everything away that the messages name, up to the empty one.
pub(crate) fn give(connection: &Connection, namespace: &OwnedFd, path: &[u8]) -> Outcome {
    let root = openat(CWD, path, FOLDER | OFlags::NOFOLLOW, Mode::empty());
    let root = root.at(LaunchStep::RootFilesystem, || format!("cannot open the layer {}", shown(path)))?;
    ranges::enter(namespace.as_fd());
    loop {
        let Some(body) = connection.read_body() else {
            return Err(refused(LaunchStep::Config, "the owners of the files did not come".into(), "try again"));
        };
        if body.is_empty() {
            return Ok(());
        }
        let mut rest = body.as_slice();
        while let Some(owner) = Owner::read(&mut rest) {
            let given = match give_one(&root, &owner) {
                // Something else took its place further on in the layer.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NXIO) => Ok(()),
                given => given,
            };
            given.at(LaunchStep::RootFilesystem, || {
                format!("cannot give {} to {}:{}", shown(owner.path), owner.user, owner.group)
            })?;
        }
    }
}

fn give_one(root: &OwnedFd, owner: &Owner<'_>) -> Result<()> {
    let slash = owner.path.iter().rposition(|byte| *byte == b'/');
    let (parent, name) = slash.map_or((&b"."[..], owner.path), |at| (&owner.path[..at], &owner.path[at + 1..]));
    let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_XDEV;
    let folder = openat2(root, parent, FOLDER, Mode::empty(), resolve)?;
    let (user, group) = (Uid::from_raw(owner.user), Gid::from_raw(owner.group));
    chownat(&folder, name, Some(user), Some(group), AtFlags::SYMLINK_NOFOLLOW)?;
    if owner.mode == 0 {
        return Ok(());
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    fchmod(openat(&folder, name, flags, Mode::empty())?, Mode::from_raw_mode(owner.mode))
}
