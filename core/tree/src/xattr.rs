//! Copying extended attributes, which an overlay's layer cannot do without.

use rustix::fd::BorrowedFd;
use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
use rustix::io::{Errno, Result};

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
