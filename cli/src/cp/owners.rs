//! `isobox cp --archive`: owners, by their numbers, once everything is copied.

use futures::{StreamExt, TryStreamExt};
use isobox::{Error, ErrorCode, FileKind, Files, Result, SandboxPath};
use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, ResolveFlags, Uid, chownat, openat, openat2};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// How many are changed at once.
const AT_ONCE: usize = 16;
/// How deep a tree is listed: deeper than any path is long.
const DEEP: u32 = 4096;

/// Gives what was copied into a sandbox the owners that it has here. Links keep theirs.
pub(super) async fn inward(files: &Files, from: &Path, to: &SandboxPath) -> Result<()> {
    let mut owners = Vec::new();
    // The source itself may be a link that was followed.
    let collected = from.canonicalize().and_then(|from| collect(&from, to, &mut owners));
    collected.map_err(|error| Error::io(from.display(), error))?;
    let changes = owners.into_iter().map(async |(path, owner)| files.chown(path, owner).await);
    futures::stream::iter(changes).buffer_unordered(AT_ONCE).try_collect().await
}

fn collect(from: &Path, to: &SandboxPath, owners: &mut Vec<(SandboxPath, String)>) -> std::io::Result<()> {
    let metadata = std::fs::symlink_metadata(from)?;
    if metadata.is_dir() {
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            let name = SandboxPath::new(entry.file_name().as_bytes().to_vec());
            collect(&entry.path(), &to.join(&name), owners)?;
        }
    }
    if metadata.is_dir() || metadata.is_file() {
        owners.push((to.clone(), format!("{}:{}", metadata.uid(), metadata.gid())));
    }
    Ok(())
}

/// Gives what was copied out of a sandbox the owners that it has there. What the sandbox says is trusted in nothing but the
/// numbers: every path is looked for beneath the copy and over no link.
pub(super) async fn outward(files: &Files, from: &SandboxPath, to: &Path) -> Result<()> {
    let top = files.stat(from).await?;
    let failed = |error: rustix::io::Errno| Error::io(to.display(), error.into());
    if top.kind != FileKind::Directory {
        let file = openat(CWD, to, OFlags::PATH | OFlags::NOFOLLOW, Mode::empty()).map_err(failed)?;
        return give(&file, top.uid, top.gid, to);
    }
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW;
    let directory = openat(CWD, to, flags, Mode::empty()).map_err(failed)?;
    for entry in files.list_depth(from, DEEP).await? {
        if !matches!(entry.metadata.kind, FileKind::File | FileKind::Directory) {
            continue;
        }
        match beneath(&directory, entry.path.as_bytes()) {
            Ok(file) => give(&file, entry.metadata.uid, entry.metadata.gid, to)?,
            // It came or went since it was copied, or is a link by now.
            Err(rustix::io::Errno::NOENT | rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR) => {}
            Err(error) => return Err(failed(error)),
        }
    }
    give(&directory, top.uid, top.gid, to)
}

fn beneath(directory: &OwnedFd, path: &[u8]) -> rustix::io::Result<OwnedFd> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    openat2(directory, path, OFlags::PATH | OFlags::NOFOLLOW, Mode::empty(), resolve)
}

fn give(file: &OwnedFd, uid: Option<u32>, gid: Option<u32>, to: &Path) -> Result<()> {
    let (uid, gid) = (uid.map(Uid::from_raw), gid.map(Gid::from_raw));
    chownat(file.as_fd(), "", uid, gid, AtFlags::EMPTY_PATH).map_err(|error| {
        if error == rustix::io::Errno::PERM {
            let message = format!("{} cannot have other owners, which needs root: leave --archive out", to.display());
            return Error::new(ErrorCode::PermissionDenied, message);
        }
        Error::io(to.display(), error.into())
    })
}
