//! How much of the disk a volume takes.

use super::store::beneath;
use isobox_contract::{Error, ErrorCode, Result};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, openat2, statat};
use rustix::io::Errno;
use std::collections::HashSet;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Instant;

/// Bytes of what `st_blocks` counts (stat(2)).
const BLOCK: u64 = 512;
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A walk through everything in a volume, by paths from its root that no link may be in.
struct Walk {
    root: OwnedFd,
    pending: Vec<Vec<u8>>,
    /// Files with several names, which count once.
    seen: HashSet<u64>,
    bytes: u64,
}

/// Bytes on the disk; none when something in it is closed to this user, or too deep to be named.
///
/// # Errors
/// `timeout` at the deadline.
pub(super) fn of(contents: &Path, deadline: Option<Instant>) -> Result<Option<u64>> {
    let failed = |errno: Errno| Error::io("cannot measure the volume", errno.into());
    let root = openat(CWD, contents, FOLDER | OFlags::NOFOLLOW, Mode::empty()).map_err(failed)?;
    let mut walk = Walk { root, pending: vec![b".".to_vec()], seen: HashSet::new(), bytes: 0 };
    while let Some(folder) = walk.pending.pop() {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Error::new(ErrorCode::Timeout, "the volume was not measured in time, it has many files"));
        }
        match walk.count(&folder) {
            Ok(()) => {}
            // It was removed, or replaced, while this looked.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {}
            Err(Errno::ACCESS | Errno::NAMETOOLONG) => return Ok(None),
            Err(errno) => return Err(failed(errno)),
        }
    }
    Ok(Some(walk.bytes))
}

impl Walk {
    fn count(&mut self, path: &[u8]) -> Result<(), Errno> {
        let folder = openat2(&self.root, path, FOLDER, Mode::empty(), beneath())?;
        for entry in Dir::read_from(&folder)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b".." || (name == b"." && path != b".") {
                continue;
            }
            let stat = match statat(&folder, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => continue,
                stat => stat?,
            };
            let directory = FileType::from_raw_mode(stat.st_mode) == FileType::Directory;
            if directory || stat.st_nlink < 2 || self.seen.insert(stat.st_ino) {
                self.bytes = self.bytes.saturating_add(u64::try_from(stat.st_blocks).unwrap_or(0) * BLOCK);
            }
            if directory && name != b"." {
                self.pending.push([path, b"/", name].concat());
            }
        }
        Ok(())
    }
}
