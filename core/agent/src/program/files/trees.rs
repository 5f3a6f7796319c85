//! Whole directories: in, out, and from one place to another.

use super::entries::{give_all, make_parents, split};
use super::line::Line;
use super::{describe, failed, identity};
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

/// Takes a tree and lays it out in `path`. One that is missing is made, and is then like the root of the tree.
pub(super) fn upload(line: &mut Line, path: &Path, owner: Option<&Account>, limits: Limits) -> Result<Reply, Failure> {
    let made = make_parents(path)?;
    let target = directory(path)?;
    line.reply(Reply::Done)?;
    let options = UnpackOptions {
        owner: owner.map(|account| (account.credentials.uid, account.credentials.gid)),
        max_entries: limits.entries,
        max_bytes: limits.bytes,
        keep_root: made.is_empty(),
        ..UnpackOptions::default()
    };
    let mut unpack = || isobox_tree::unpack(target.as_fd(), line, &options);
    // Giving files away takes the agent's own rights.
    let unpacked = if owner.is_some() { identity::as_agent(&mut unpack) } else { unpack() };
    let report = unpacked.map_err(|error| tree_failed(path, &error))?;
    give_all(&made, owner)?;
    line.drain();
    Ok(Reply::Transferred(transfer(&report)))
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
    copied.map(|report| Reply::Transferred(transfer(&report))).map_err(|error| copy_failed(from, to, &error))
}

/// The names that a copy reports begin with the original's or the copy's own.
fn copy_failed(from: &Path, to: &Path, error: &Error) -> Failure {
    let name = |path: &Path| path.file_name().map(|name| name.as_bytes().to_vec());
    let first = error.path().map(|path| path.split(|byte| *byte == b'/').next().unwrap_or_default().to_vec());
    let of_target = first.is_some() && first == name(to) && rustix::fs::lstat(from).is_ok();
    let whose = if of_target { to } else { from };
    tree_failed(whose.parent().unwrap_or(whose), error)
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
        Error::Limit { what, .. } => {
            return Failure::new(FailureCode::LimitExceeded, error.to_string()).at(&format!("limits.{what}"));
        }
        Error::Pattern { .. } => return Failure::invalid("exclude", error.to_string()),
        Error::Conflict { .. } => FailureCode::AlreadyExists,
        Error::Unsafe { .. } | Error::Corrupt { .. } => FailureCode::InvalidSpec,
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
