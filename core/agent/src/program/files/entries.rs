//! Entries of directories: looking at them, making them, moving them, taking them away.

use super::line::Line;
use super::{failed, identity};
use crate::process::Account;
use isobox_wire::file::{Entry, FileKind, Metadata};
use isobox_wire::{Blob, Failure, Reply};
use rustix::fs::{
    AtFlags, CWD, FileType, Gid, Mode, OFlags, Stat, Uid, chmodat, chownat, lstat, mkdir as make, open, readlink,
    rename as move_to, stat as stat_of, symlink as link_to,
};
use rustix::io::Errno;
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Mode of new directories.
const DIRECTORY_MODE: u32 = 0o755;
/// Entries in one message of a listing.
const PAGE: usize = 1000;
/// Entries that a listing may have in all.
const LISTED: usize = 1_000_000;

/// What a path names.
pub(super) fn stat(path: &Path, follow: bool) -> Result<Metadata, Failure> {
    let status = if follow { stat_of(path) } else { lstat(path) };
    Ok(metadata(path, &status.map_err(|errno| failed(path, errno))?))
}

fn metadata(path: &Path, status: &Stat) -> Metadata {
    let kind = match FileType::from_raw_mode(status.st_mode) {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Directory,
        FileType::Symlink => FileKind::Symlink,
        _ => FileKind::Other,
    };
    let target = (kind == FileKind::Symlink).then(|| readlink(path, Vec::new()).ok()).flatten();
    Metadata {
        kind,
        size: status.st_size as u64,
        mode: status.st_mode & 0o7777,
        uid: status.st_uid,
        gid: status.st_gid,
        modified: status.st_mtime,
        modified_nanos: status.st_mtime_nsec as u32,
        links: links(status),
        target: target.map(|target| Blob::from(target.into_bytes())),
    }
}

/// The type of this number differs between processors.
#[allow(clippy::useless_conversion, reason = "it is a smaller type on aarch64")]
fn links(status: &Stat) -> u64 {
    u64::from(status.st_nlink)
}

/// Sends what is below a directory, sorted by path.
pub(super) fn list(line: &mut Line, path: &Path, depth: u32) -> Result<Reply, Failure> {
    if depth == 0 {
        return Err(Failure::invalid("depth", "depth is zero; 1 lists the directory's own entries"));
    }
    let mut found = Vec::new();
    collect(path, path, depth, &mut found)?;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    for page in found.chunks(PAGE) {
        line.reply(Reply::Entries(page.to_vec()))?;
    }
    Ok(Reply::Entries(Vec::new()))
}

fn collect(root: &Path, directory: &Path, depth: u32, found: &mut Vec<Entry>) -> Result<(), Failure> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        // What may not be read further down is listed and left alone.
        Err(_) if directory != root => return Ok(()),
        Err(error) => return Err(failed(directory, error)),
    };
    for entry in entries {
        let path = entry.map_err(|error| failed(directory, error))?.path();
        // An entry that goes away while it is listed is not there.
        let Ok(status) = lstat(&path) else { continue };
        let metadata = metadata(&path, &status);
        let is_directory = metadata.kind == FileKind::Directory;
        let relative = path.strip_prefix(root).unwrap_or(&path);
        found.push(Entry { path: Blob::from(relative.as_os_str().as_bytes().to_vec()), metadata });
        if found.len() > LISTED {
            let message = format!("{} has more than {LISTED} entries; list a part of it, or less deep", root.display());
            return Err(Failure::new(isobox_wire::FailureCode::LimitExceeded, message).at("depth"));
        }
        if is_directory && depth > 1 {
            collect(root, &path, depth - 1, found)?;
        }
    }
    Ok(())
}

/// How a directory is made.
pub(super) struct New {
    /// Whether missing directories on the way are made.
    pub(super) parents: bool,
    /// Whether one that exists is an error.
    pub(super) exclusive: bool,
    /// Permission bits.
    pub(super) mode: Option<u32>,
}

/// Makes a directory.
pub(super) fn mkdir(path: &Path, new: &New, owner: Option<&Account>) -> Result<Reply, Failure> {
    let parents = match path.parent() {
        Some(parent) if new.parents => make_parents(parent)?,
        _ => Vec::new(),
    };
    match make(path, Mode::from_raw_mode(DIRECTORY_MODE)) {
        Ok(()) => {}
        Err(Errno::EXIST) if !new.exclusive && path.is_dir() => return Ok(Reply::Done),
        Err(errno) => return Err(failed(path, errno)),
    }
    if let Some(account) = owner {
        give(path, account).map_err(|errno| failed(path, errno))?;
    }
    if let Some(mode) = new.mode {
        identity::as_agent(|| chmod_entry(path, mode))?;
    }
    give_all(&parents, owner).map(|()| Reply::Done)
}

/// Makes the directories that are missing on the way to and including `path`, and says which, the outermost first.
pub(super) fn make_parents(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let made = || Ok(vec![path.to_owned()]);
    match make(path, Mode::from_raw_mode(DIRECTORY_MODE)) {
        _ if path.as_os_str().is_empty() => Ok(Vec::new()),
        Ok(()) => made(),
        Err(Errno::EXIST) => Ok(Vec::new()),
        // The root, or a filesystem that cannot be written to, is there all the same.
        Err(_) if path.is_dir() => Ok(Vec::new()),
        Err(Errno::NOENT) => {
            let mut all = make_parents(path.parent().unwrap_or(Path::new("")))?;
            match make(path, Mode::from_raw_mode(DIRECTORY_MODE)) {
                Ok(()) => all.push(path.to_owned()),
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(failed(path, errno)),
            }
            Ok(all)
        }
        Err(errno) => Err(failed(path, errno)),
    }
}

/// Gives directories away that were made on the way, once what they were made for is in them: before, their new owner's
/// permissions would be in the way.
pub(super) fn give_all(made: &[PathBuf], owner: Option<&Account>) -> Result<(), Failure> {
    let Some(account) = owner else { return Ok(()) };
    made.iter().try_for_each(|path| give(path, account).map_err(|errno| failed(path, errno)))
}

fn give(path: &Path, account: &Account) -> Result<(), Errno> {
    let (uid, gid) = (Uid::from_raw(account.credentials.uid), Gid::from_raw(account.credentials.gid));
    identity::as_agent(|| chownat(CWD, path, Some(uid), Some(gid), AtFlags::SYMLINK_NOFOLLOW))
}

pub(super) fn rename(from: &Path, to: &Path) -> Result<Reply, Failure> {
    match move_to(from, to) {
        Ok(()) => Ok(Reply::Done),
        // The kernel does not say which of the two it means.
        Err(errno) if lstat(from).is_err() => Err(failed(from, errno)),
        Err(errno) => Err(failed(to, errno)),
    }
}

pub(super) fn symlink(target: &[u8], link: &Path) -> Result<Reply, Failure> {
    link_to(target, link).map_err(|errno| failed(link, errno))?;
    Ok(Reply::Done)
}

pub(super) fn read_link(path: &Path) -> Result<Reply, Failure> {
    let target = readlink(path, Vec::new()).map_err(|errno| failed(path, errno))?;
    Ok(Reply::Path(Blob::from(target.into_bytes())))
}

pub(super) fn real_path(path: &Path) -> Result<Reply, Failure> {
    let real = fs::canonicalize(path).map_err(|error| failed(path, error))?;
    Ok(Reply::Path(Blob::from(real.into_os_string().as_bytes().to_vec())))
}

pub(super) fn chmod(path: &Path, mode: u32) -> Result<Reply, Failure> {
    chmod_entry(path, mode)
}

fn chmod_entry(path: &Path, mode: u32) -> Result<Reply, Failure> {
    chmodat(CWD, path, Mode::from_raw_mode(mode & 0o7777), AtFlags::empty()).map_err(|errno| failed(path, errno))?;
    Ok(Reply::Done)
}

/// Gives a path, and with `recursive` all below it, to somebody else. Links are given themselves and never followed.
pub(super) fn chown(path: &Path, account: &Account, recursive: bool) -> Result<Reply, Failure> {
    give(path, account).map_err(|errno| failed(path, errno))?;
    if recursive && lstat(path).is_ok_and(|status| FileType::from_raw_mode(status.st_mode) == FileType::Directory) {
        for entry in fs::read_dir(path).map_err(|error| failed(path, error))? {
            chown(&entry.map_err(|error| failed(path, error))?.path(), account, true)?;
        }
    }
    Ok(Reply::Done)
}

/// Takes a path away. What is not there is fine.
pub(super) fn remove(path: &Path, recursive: bool) -> Result<Reply, Failure> {
    let status = match lstat(path) {
        Ok(status) => status,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(Reply::Done),
        Err(errno) => return Err(failed(path, errno)),
    };
    let directory = FileType::from_raw_mode(status.st_mode) == FileType::Directory;
    let removed = match (directory, recursive) {
        (true, true) => return remove_tree(path),
        (true, false) => fs::remove_dir(path),
        (false, _) => fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed(path, error)),
        _ => Ok(Reply::Done),
    }
}

fn remove_tree(path: &Path) -> Result<Reply, Failure> {
    let (parent, name) = split(path)?;
    let holder = path.parent().unwrap_or(path);
    isobox_tree::remove(parent.as_fd(), &name).map_err(|error| super::trees::tree_failed(holder, &error))?;
    Ok(Reply::Done)
}

/// The directory that holds a path, open, and the path's name in it.
pub(super) fn split(path: &Path) -> Result<(OwnedFd, Vec<u8>), Failure> {
    let path: PathBuf = path.components().collect();
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Failure::invalid(
            "path",
            format!("{} has no name to work on; give a path below it", path.display()),
        ));
    };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let directory = open(parent, flags, Mode::empty()).map_err(|errno| failed(&path, errno))?;
    Ok((directory, name.as_bytes().to_vec()))
}
