//! Removes what a sandbox with several ids left whose keeper was killed. Nobody but root of a namespace with the same ids
//! can: files and closed directories of the sandbox's users belong to none of the caller's own.

use super::call::{Cloned, clone_process};
use super::connection::Connection;
use super::failure::{At, Outcome, refused};
use super::ranges;
use isobox_wire::launch::{LaunchFailure, LaunchReport, LaunchStep, RemoveConfig};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::retry_on_intr;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{WaitId, WaitIdOptions, waitid};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;

/// Removes on behalf of descriptor 0. Answers `Ready` when everything is gone.
pub(crate) fn run() -> ExitCode {
    let connection = Connection::inherited();
    let Some(body) = connection.read_body() else { return ExitCode::FAILURE };
    let removed = match RemoveConfig::from_body(&body) {
        Ok(config) => in_namespace(&config),
        Err(error) => Err(refused(LaunchStep::Config, error.to_string(), "use library and agent of one build")),
    };
    let report = match removed {
        Ok(()) => LaunchReport::Ready { pid: 0 },
        Err(failure) => LaunchReport::Failed(failure),
    };
    let _ = connection.report(&report);
    ExitCode::SUCCESS
}

/// Makes a namespace, which needs a process in it, and moves into it.
fn in_namespace(config: &RemoveConfig) -> Outcome {
    let internal = || "cannot prepare the removal".to_owned();
    let pair = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None);
    let (ours, theirs) = pair.at(LaunchStep::Internal, internal)?;
    let cloned = clone_process(libc::CLONE_NEWUSER as u64, None);
    match cloned.at(LaunchStep::Namespaces, || "cannot make a user namespace".into())? {
        Cloned::Child => {
            drop(ours);
            // It is there for its namespace alone, until this end or the other process goes.
            let _ = ranges::wait_for(theirs.as_fd());
            std::process::exit(0)
        }
        Cloned::Parent(pid, pidfd) => {
            drop(theirs);
            let mapped = ranges::write(pid, &config.helpers, &config.uid_map, &config.gid_map);
            drop(ours);
            let _ = retry_on_intr(|| waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED));
            remove(mapped?, &config.path)
        }
    }
}

fn remove(namespace: OwnedFd, path: &[u8]) -> Outcome {
    let failed =
        |message: String| -> LaunchFailure { refused(LaunchStep::StateDirectory, message, "remove it as root") };
    let path = Path::new(OsStr::from_bytes(path));
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(failed("there is no name to remove".to_owned()));
    };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let parent = openat(CWD, parent, flags, Mode::empty());
    let parent = parent.at(LaunchStep::StateDirectory, || "cannot open the sandboxes' directory".into())?;
    ranges::enter(namespace.as_fd());
    isobox_tree::remove(parent.as_fd(), name.as_bytes()).map_err(|error| failed(error.to_string()))
}
