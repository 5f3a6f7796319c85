//! Owners, modes, times and attributes of what was made.

use super::Owners;
use super::owners::id;
use crate::problem::{Outcome, Problem};
use crate::tar::Entry;
use rustix::fd::BorrowedFd;
use rustix::fs::{AtFlags, Gid, Mode, Timespec, Timestamps, UTIME_OMIT, Uid, XattrFlags};
use rustix::io::Errno;

/// How a directory says to the overlay that it hides what is below it.
pub(super) const OPAQUE: &str = "user.overlay.opaque";

/// What an entry gets once its contents are there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Metadata {
    mode: u32,
    owner: Option<(Uid, Gid)>,
    mtime: (i64, u32),
}

impl Metadata {
    pub(super) fn of(entry: &Entry, owners: &Owners) -> Outcome<Self> {
        let owner = match owners {
            Owners::Caller | Owners::Range(_) => None,
            Owners::Kept => {
                Some((Uid::from_raw(id(entry, "user", entry.uid)?), Gid::from_raw(id(entry, "group", entry.gid)?)))
            }
        };
        Ok(Self { mode: entry.mode, owner, mtime: entry.mtime })
    }

    /// Gives them to an open file or directory. The owner comes first: a change of it takes setuid bits away.
    pub(super) fn give(&self, file: BorrowedFd<'_>, xattrs: &[(String, impl AsRef<[u8]>)]) -> rustix::io::Result<()> {
        if let Some((user, group)) = self.owner {
            rustix::fs::fchown(file, Some(user), Some(group))?;
        }
        for (name, value) in xattrs {
            rustix::fs::fsetxattr(file, name.as_str(), value.as_ref(), XattrFlags::empty())?;
        }
        rustix::fs::fchmod(file, Mode::from_raw_mode(self.mode))?;
        rustix::fs::futimens(file, &self.times())
    }

    /// Gives them to a name that cannot be opened: a link or a fifo.
    pub(super) fn give_name(&self, at: BorrowedFd<'_>, name: &[u8], is_link: bool) -> rustix::io::Result<()> {
        if let Some((user, group)) = self.owner {
            rustix::fs::chownat(at, name, Some(user), Some(group), AtFlags::SYMLINK_NOFOLLOW)?;
        }
        if !is_link {
            // Nobody else has the layer's directory open for writing, so it is what was just made.
            rustix::fs::chmodat(at, name, Mode::from_raw_mode(self.mode), AtFlags::empty())?;
        }
        rustix::fs::utimensat(at, name, &self.times(), AtFlags::SYMLINK_NOFOLLOW)
    }

    fn times(&self) -> Timestamps {
        let (seconds, nanos) = self.mtime;
        Timestamps {
            last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
            last_modification: Timespec { tv_sec: seconds, tv_nsec: nanos.into() },
        }
    }
}

/// The attributes of an entry that its file gets. What the overlay keeps its books in is left out, what only means
/// something to the machine that the image was made on as well, and what needs root where it is not.
pub(super) fn xattrs<'a>(entry: &'a Entry, owners: &Owners) -> Outcome<Vec<(String, &'a [u8])>> {
    let mut kept = Vec::new();
    for (name, value) in &entry.xattrs {
        let Ok(name) = str::from_utf8(name) else {
            return Err(Problem::refused(&entry.path, "the name of an attribute is no text"));
        };
        if name.contains('\0') {
            return Err(Problem::refused(&entry.path, "the name of an attribute has a zero byte"));
        }
        let for_all = name.starts_with("user.") && !name.starts_with("user.overlay.");
        let for_root = ["security.capability", "system.posix_acl_access", "system.posix_acl_default"].contains(&name);
        if for_all || (for_root && owners.are_kept()) {
            kept.push((name.to_owned(), value.as_slice()));
        }
    }
    Ok(kept)
}

/// What a failed system call says about an entry: some reasons are the image's, the others the machine's.
pub(super) fn failed(path: &[u8], action: &str, errno: Errno) -> Problem {
    match errno {
        Errno::NAMETOOLONG => Problem::refused(path, "its name is too long"),
        Errno::LOOP => Problem::refused(path, "it is behind too many links"),
        Errno::NOTDIR | Errno::NOENT => Problem::refused(path, "it is below something that is no directory"),
        Errno::XDEV => Problem::refused(path, "it is behind a link that leads out"),
        Errno::MLINK => Problem::refused(path, "there are too many hard links of one file"),
        Errno::OPNOTSUPP => Problem::io(
            format!("{action} {}, the images' file system must have extended attributes", crate::problem::show(path)),
            errno,
        ),
        _ => Problem::io(format!("{action} {}", crate::problem::show(path)), errno),
    }
}
