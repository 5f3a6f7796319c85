//! Copying extended attributes, which an overlay's layer cannot do without.

use crate::layer::{IdShift, LayerOptions, shifted};
use rustix::fd::BorrowedFd;
use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
use rustix::io::{Errno, Result};

/// A name and a value.
pub(crate) type Attribute = (Vec<u8>, Vec<u8>);

/// The kernel's limit of a list and of a value.
const VALUE_MAX: usize = 64 << 10;
/// `security.*` labels belong to the machine's policy and are not ours to set, except for capabilities.
const COPIED: [&[u8]; 4] = [b"user.", b"trusted.", b"security.capability", b"system.posix_acl_"];

/// Makes the attributes of the copied kinds the same, so an ACL that `to` inherited goes.
pub(crate) fn copy(from: BorrowedFd<'_>, to: BorrowedFd<'_>) -> Result<()> {
    let (wanted, present) = (list(from)?, list(to)?);
    for name in names(&present).filter(|name| !names(&wanted).any(|wanted| wanted == *name)) {
        fremovexattr(to, name)?;
    }
    for name in names(&wanted) {
        match read(|into| fgetxattr(from, name, into)) {
            // Removed meanwhile.
            Err(Errno::NODATA) => {}
            value => fsetxattr(to, name, &value?, XattrFlags::empty())?,
        }
    }
    Ok(())
}

/// What overlayfs writes into an upper layer about layers below that exact one, or about its own mount.
const OVERLAY_OWN: [&[u8]; 4] =
    [b"user.overlay.origin", b"user.overlay.impure", b"user.overlay.nlink", b"user.overlay.uuid"];

/// Copies the attributes to a file or directory that has none, for a layer: with ids shifted, and without what says
/// something about where the layer was.
pub(crate) fn copy_layers(from: BorrowedFd<'_>, to: BorrowedFd<'_>, options: &LayerOptions<'_>) -> Result<()> {
    for name in names(&list(from)?).filter(|name| !OVERLAY_OWN.contains(name)) {
        let mut value = match read(|into| fgetxattr(from, name, into)) {
            Err(Errno::NODATA) => continue,
            value => value?,
        };
        let capabilities = name == b"security.capability";
        shift(name, &mut value, options);
        match fsetxattr(to, name, &value, XattrFlags::empty()) {
            // Only root can give them, and nothing in a sandbox gains by them: it has no new privileges.
            Err(Errno::PERM) if capabilities => {}
            set => set?,
        }
    }
    Ok(())
}

/// How a directory of a layer says that it hides what is below it (the kernel's overlayfs.rst).
const OPAQUE: &[u8] = b"user.overlay.opaque";
/// What is shown of a layer: overlayfs' books mean nothing without it, and `trusted.*` nothing to a sandbox.
const SHOWN: [&[u8]; 3] = [b"user.", b"security.capability", b"system.posix_acl_"];

/// Whether a directory of a layer hides what is below it, and the attributes, sorted by name, that a sandbox sees.
pub(crate) fn shown(file: BorrowedFd<'_>, options: &LayerOptions<'_>) -> Result<(bool, Vec<Attribute>)> {
    let (mut opaque, mut attributes) = (false, Vec::new());
    for name in names(&list(file)?).filter(|name| SHOWN.iter().any(|kind| name.starts_with(kind))) {
        let mut value = match read(|into| fgetxattr(file, name, into)) {
            Err(Errno::NODATA) => continue,
            value => value?,
        };
        opaque |= name == OPAQUE && value == b"y";
        if name.starts_with(b"user.overlay.") {
            continue;
        }
        shift(name, &mut value, options);
        attributes.push((name.to_vec(), value));
    }
    attributes.sort();
    Ok((opaque, attributes))
}

/// Puts the sandbox's ids into the value of an attribute that holds some.
fn shift(name: &[u8], value: &mut Vec<u8>, options: &LayerOptions<'_>) {
    match name {
        b"security.capability" => shift_capabilities(value, options.users),
        b"system.posix_acl_access" | b"system.posix_acl_default" => shift_acl(value, options),
        _ => {}
    }
}

/// Capabilities of a file that name the root they are for (version 3) lose the name, where that is the shifted root: they
/// are for the root of whoever mounts the layer (the kernel's `vfs_ns_cap_data`).
fn shift_capabilities(value: &mut Vec<u8>, users: &[IdShift]) {
    const VERSION_2: u32 = 0x0200_0000;
    const VERSION_3: u32 = 0x0300_0000;
    let word = |value: &[u8], at: usize| u32::from_le_bytes(value[at..at + 4].try_into().expect("four bytes"));
    if value.len() != 24 || word(value, 0) & 0xff00_0000 != VERSION_3 {
        return;
    }
    match shifted(users, word(value, 20)) {
        Some(0) => {
            let magic = (word(value, 0) & 0x00ff_ffff) | VERSION_2;
            value[..4].copy_from_slice(&magic.to_le_bytes());
            value.truncate(20);
        }
        Some(root) => value[20..].copy_from_slice(&root.to_le_bytes()),
        None => {}
    }
}

/// The ids in an ACL: a version of four bytes, then entries of tag, permissions and id (the kernel's
/// `posix_acl_xattr_entry`).
fn shift_acl(value: &mut [u8], options: &LayerOptions<'_>) {
    const USER: u16 = 0x02;
    const GROUP: u16 = 0x08;
    for entry in value.get_mut(4..).unwrap_or_default().chunks_exact_mut(8) {
        let shifts = match u16::from_le_bytes([entry[0], entry[1]]) {
            USER => options.users,
            GROUP => options.groups,
            _ => continue,
        };
        let id = u32::from_le_bytes(entry[4..].try_into().expect("four bytes"));
        if let Some(id) = shifted(shifts, id) {
            entry[4..].copy_from_slice(&id.to_le_bytes());
        }
    }
}

fn list(file: BorrowedFd<'_>) -> Result<Vec<u8>> {
    match read(|into| flistxattr(file, into)) {
        Err(Errno::OPNOTSUPP) => Ok(Vec::new()),
        list => list,
    }
}

fn names(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|byte| *byte == 0).filter(|name| COPIED.iter().any(|kind| name.starts_with(kind)))
}

/// Most files have none, so the small buffer comes first.
fn read(get: impl Fn(&mut [u8]) -> Result<usize>) -> Result<Vec<u8>> {
    let mut small = [0; 256];
    match get(&mut small) {
        Ok(length) => return Ok(small[..length].to_vec()),
        Err(Errno::RANGE) => {}
        Err(error) => return Err(error),
    }
    let mut large = vec![0; VALUE_MAX];
    let length = get(&mut large)?;
    large.truncate(length);
    Ok(large)
}
