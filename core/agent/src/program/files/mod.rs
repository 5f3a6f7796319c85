//! Files and directories of the sandbox.
//!
//! Every operation runs on a thread of its own, because the filesystem may take its time, and with the identity of the
//! user it is for: permissions are the kernel's answer, and what is made belongs to that user.

mod content;
mod entries;
mod identity;
mod line;
mod place;
mod trees;
mod watch;

pub(crate) use place::Place;

use crate::server::{Agent, Channel};
use isobox_wire::{Blob, Failure, FailureCode, FileOp, FileRequest, Reply};
use line::Line;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::sync::Arc;

/// Answers one request.
pub(crate) async fn operate(agent: Arc<Agent>, channel: Channel, request: FileRequest) {
    if let FileOp::Watch { path, recursive } = &request.op {
        return watch::watch(&agent.place, channel, &request, path, *recursive).await;
    }
    let activity = agent.deadlines.busy();
    let runtime = tokio::runtime::Handle::current();
    let mut line = Line::new(channel, runtime.clone());
    let work = move || {
        let answer =
            perform(&agent, &mut line, &request).map_err(|failure| name_as_given(&agent.place, &request.op, failure));
        let failed = answer.is_err();
        runtime.block_on(async {
            let sent = line.channel().sender().answer(&answer).await;
            // A client that is still sending has to get to see why that is of no use; then it goes away.
            while failed && sent.is_ok() && matches!(line.channel().receive().await, Ok(Some(_))) {}
            drop(activity);
            line.channel().sender().close().await;
        });
    };
    // The thread goes on until its client's stream breaks, which it notices at its next frame.
    let _ = tokio::task::spawn_blocking(work).await;
}

fn perform(agent: &Agent, line: &mut Line, request: &FileRequest) -> Result<Reply, Failure> {
    let place = &agent.place;
    let account = place.account(request.user.as_deref())?;
    let owner = |owner: &Option<String>| owner.as_deref().map(|owner| place.account(Some(owner))).transpose();
    let path = |path: &[u8]| place.resolve(path);
    identity::assume(place.change_to(&account), || match &request.op {
        FileOp::Read { path: file, offset, length } => content::read(line, &path(file), *offset, *length),
        FileOp::Write(write) => content::write(line, &path(&write.path), write, owner(&write.owner)?.as_ref()),
        FileOp::Stat { path: file, follow } => entries::stat(&path(file), *follow).map(Reply::Metadata),
        FileOp::List { path: file, depth } => entries::list(line, &path(file), *depth),
        FileOp::Mkdir { path: file, parents, exclusive, mode, owner: given } => {
            let new = entries::New { parents: *parents, exclusive: *exclusive, mode: *mode };
            entries::mkdir(&path(file), &new, owner(given)?.as_ref())
        }
        FileOp::Rename { from, to } => entries::rename(&path(from), &path(to)),
        FileOp::Copy { from, to } => trees::copy(&path(from), &path(to)),
        FileOp::Symlink { target, link } => entries::symlink(target, &path(link)),
        FileOp::ReadLink { path: file } => entries::read_link(&path(file)),
        FileOp::RealPath { path: file } => entries::real_path(&path(file)),
        FileOp::Chmod { path: file, mode } => entries::chmod(&path(file), *mode),
        FileOp::Chown { path: file, owner, recursive } => {
            entries::chown(&path(file), &place.account(Some(owner))?, *recursive)
        }
        FileOp::Remove { path: file, recursive } => entries::remove(&path(file), *recursive),
        FileOp::Upload { path: file, owner: given, limits } => {
            trees::upload(line, &path(file), owner(given)?.as_ref(), *limits)
        }
        FileOp::Download { path: file, exclude, limits } => trees::download(line, &path(file), exclude, *limits),
        FileOp::Watch { .. } => Err(Failure::new(FailureCode::Internal, "a watch has no thread")),
    })
}

/// A failure is about the path as the client gave it: a relative one stays relative.
fn name_as_given(place: &Place, op: &FileOp, mut failure: Failure) -> Failure {
    let given = |path: &Blob| -> Option<Blob> {
        let named = Path::new(OsStr::from_bytes(failure.path.as_deref()?));
        let rest = named.strip_prefix(place.resolve(path)).ok()?;
        let given = Path::new(OsStr::from_bytes(path));
        let whole = if rest.as_os_str().is_empty() { given.to_owned() } else { given.join(rest) };
        Some(Blob::from(whole.into_os_string().into_vec()))
    };
    let renamed = paths(op).into_iter().find_map(given).or_else(|| {
        // Above what was given: relative to the same directory, when that is what the client's path was.
        let relative = paths(op).into_iter().all(|path| !path.starts_with(b"/"));
        let named = Path::new(OsStr::from_bytes(failure.path.as_deref()?));
        let rest =
            named.strip_prefix(place.workdir_os()).ok().filter(|rest| relative && !rest.as_os_str().is_empty())?;
        Some(Blob::from(rest.as_os_str().as_bytes().to_vec()))
    });
    failure.path = renamed.or(failure.path);
    failure
}

/// The paths that an operation is about.
fn paths(op: &FileOp) -> Vec<&Blob> {
    match op {
        FileOp::Rename { from, to } | FileOp::Copy { from, to } => vec![from, to],
        FileOp::Symlink { link, .. } => vec![link],
        FileOp::Write(write) => vec![&write.path],
        FileOp::Read { path, .. }
        | FileOp::Stat { path, .. }
        | FileOp::List { path, .. }
        | FileOp::Mkdir { path, .. }
        | FileOp::ReadLink { path }
        | FileOp::RealPath { path }
        | FileOp::Chmod { path, .. }
        | FileOp::Chown { path, .. }
        | FileOp::Remove { path, .. }
        | FileOp::Watch { path, .. }
        | FileOp::Upload { path, .. }
        | FileOp::Download { path, .. } => vec![path],
    }
}

/// What a system error about a path means.
fn failed(path: &Path, error: impl Into<std::io::Error>) -> Failure {
    let error = error.into();
    let code = match error.raw_os_error() {
        Some(libc::ENOENT) => FailureCode::NotFound,
        Some(libc::EACCES | libc::EPERM | libc::EROFS) => FailureCode::PermissionDenied,
        Some(libc::EEXIST) => FailureCode::AlreadyExists,
        Some(libc::ENOSPC | libc::EDQUOT) => FailureCode::OutOfDisk,
        Some(libc::ENAMETOOLONG | libc::EINVAL) => FailureCode::InvalidSpec,
        Some(libc::EFBIG) => FailureCode::LimitExceeded,
        _ => FailureCode::Io,
    };
    let failure = Failure::new(code, format!("{}: {}", path.display(), describe(&error)));
    error.raw_os_error().into_iter().fold(failure.on(path.as_os_str().as_bytes()), Failure::errno)
}

/// The system's words without its number.
fn describe(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
