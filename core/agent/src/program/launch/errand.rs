//! What is done for the library with the rights of a sandbox that an ordinary user could make, and without a sandbox: its
//! files are out of the reach of the user alone.

use super::call::{Cloned, clone_process};
use super::connection::Connection;
use super::failure::{At, Outcome, refused};
use super::ranges;
use isobox_wire::launch::{LaunchReport, LaunchStep, RangeConfig};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::retry_on_intr;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{WaitId, WaitIdOptions, waitid};
use std::process::ExitCode;

/// Does something about the directory at a path, in the namespace that it enters.
type Errand = fn(&Connection, &OwnedFd, &[u8]) -> Outcome;

/// Runs an errand for descriptor 0. Answers `Ready` when all of it is done.
pub(crate) fn run(errand: Errand) -> ExitCode {
    let connection = Connection::inherited();
    let Some(body) = connection.read_body() else { return ExitCode::FAILURE };
    let done = match RangeConfig::from_body(&body) {
        Ok(config) => namespace(&config).and_then(|namespace| errand(&connection, &namespace, &config.path)),
        Err(error) => Err(refused(LaunchStep::Config, error.to_string(), "use library and agent of one build")),
    };
    let report = match done {
        Ok(()) => LaunchReport::Ready { pid: 0 },
        Err(failure) => LaunchReport::Failed(failure),
    };
    let _ = connection.report(&report);
    ExitCode::SUCCESS
}

/// Makes a namespace, which needs a process in it until somebody else holds it.
fn namespace(config: &RangeConfig) -> Outcome<OwnedFd> {
    let internal = || "cannot prepare a user namespace".to_owned();
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
            mapped
        }
    }
}
