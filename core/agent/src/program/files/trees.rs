//! Whole directories: in, out, and from one place to another.

use super::entries::{make_parents, split};
use super::line::Line;
use super::{describe, failed};
use crate::process::Account;
use isobox_tree::{CopyOptions, Error, PackOptions, Report, UnpackOptions};
use isobox_wire::file::{Limits, Transfer};
use isobox_wire::{Blob, Failure, FailureCode, Reply};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Left-out entries that are named.
const EXAMPLES: usize = 16;

fn directory(path: &Path) -> Result<OwnedFd, Failure> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    open(path, flags, Mode::empty()).map_err(|errno| failed(path, errno))
}

/// Takes a tree and lays it out in `path`, which is made when it is missing.
pub(super) fn upload(line: &mut Line, path: &Path, owner: Option<&Account>, limits: Limits) -> Result<Reply, Failure> {
    let target =
        make_parents(path).and_then(|()| directory(path)).and_then(|target| line.reply(Reply::Done).map(|()| target));
    let target = match target {
        Ok(target) => target,
        Err(failure) => {
            line.drain();
            return Err(failure);
        }
    };
    let options = UnpackOptions {
        owner: owner.map(|account| (account.credentials.uid, account.credentials.gid)),
        max_entries: limits.entries,
        max_bytes: limits.bytes,
        keep_root: true,
        ..UnpackOptions::default()
    };
    let unpacked = isobox_tree::unpack(target.as_fd(), line, &options);
    line.drain();
    unpacked.map(|report| Reply::Transferred(transfer(&report))).map_err(|error| tree_failed(path, &error))
}

/// Sends the tree at `path`.
pub(super) fn download(line: &mut Line, path: &Path, exclude: &[String], limits: Limits) -> Result<Reply, Failure> {
    let source = directory(path)?;
    line.reply(Reply::Done)?;
    let options = PackOptions {
        max_entries: limits.entries,
        max_bytes: limits.bytes,
        exclude: exclude.to_vec(),
        ..PackOptions::default()
    };
    let packed = isobox_tree::pack(source.as_fd(), line, &options);
    line.eof()?;
    packed.map(|report| Reply::Transferred(transfer(&report))).map_err(|error| tree_failed(path, &error))
}

/// Copies a file or a directory within the sandbox.
pub(super) fn copy(from: &Path, to: &Path) -> Result<Reply, Failure> {
    let ((source, from_name), (target, to_name)) = (split(from)?, split(to)?);
    let options = CopyOptions::default();
    let copied = isobox_tree::copy(source.as_fd(), &from_name, target.as_fd(), &to_name, &options);
    copied.map(|report| Reply::Transferred(transfer(&report))).map_err(|error| tree_failed(from, &error))
}

fn transfer(report: &Report) -> Transfer {
    let example = |skipped: &isobox_tree::Skipped| (Blob::from(skipped.path.clone()), format!("{:?}", skipped.reason));
    Transfer {
        files: report.files,
        directories: report.directories,
        links: report.links,
        bytes: report.bytes,
        skipped: report.skipped_total,
        examples: report.skipped.iter().take(EXAMPLES).map(example).collect(),
    }
}

/// What went wrong with a tree below `root`.
pub(super) fn tree_failed(root: &Path, error: &Error) -> Failure {
    let path = error.path().map_or_else(|| root.to_owned(), |path| root.join(std::ffi::OsStr::from_bytes(path)));
    let code = match error {
        Error::Io { source, .. } => return failed(&path, clone(source)),
        Error::Limit { .. } => FailureCode::LimitExceeded,
        Error::Conflict { .. } => FailureCode::AlreadyExists,
        Error::Unsafe { .. } | Error::Corrupt { .. } | Error::Pattern { .. } => FailureCode::InvalidSpec,
        _ => FailureCode::Io,
    };
    Failure::new(code, error.to_string()).on(path.as_os_str().as_bytes())
}

fn clone(error: &std::io::Error) -> std::io::Error {
    match error.raw_os_error() {
        Some(number) => Errno::from_raw_os_error(number).into(),
        None => std::io::Error::new(error.kind(), describe(error)),
    }
}
