//! The id maps of an ordinary user's namespace with more than one id. The kernel lets only the privileged write those:
//! `newuidmap` and `newgidmap`, which look up what the administrator has given to the user.
//!
//! A namespace that was mapped so holds files that are not its maker's. Its maker can enter it and remove them there.
#![allow(unsafe_code, reason = "a helper is executed between clone and exec")]

use super::call::{Cloned, clone_process};
use super::failure::{At, Outcome, note, refused, shown};
use isobox_wire::launch::{IdHelpers, IdRange, LaunchFailure, LaunchStep};
use isobox_wire::remedy;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::{Errno, read, retry_on_intr};
use rustix::net::{RecvFlags, SendFlags, recv, send};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, pidfd_send_signal, waitid};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use std::ffi::CString;

/// How long a helper may take. It reads two files, or asks a directory service.
const PATIENCE: Timespec = Timespec { tv_sec: 10, tv_nsec: 0 };

/// Maps the ids of a process that was cloned into a user namespace, and opens that.
pub(super) fn write(pid: Pid, helpers: &IdHelpers, uid_map: &[IdRange], gid_map: &[IdRange]) -> Outcome<OwnedFd> {
    let users = Helper::start(&helpers.users, pid, uid_map)?;
    let groups = Helper::start(&helpers.groups, pid, gid_map)?;
    users.finish().and(groups.finish())?;
    openat(CWD, format!("/proc/{pid}/ns/user"), OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
        .at(LaunchStep::IdMap, || "cannot open the sandbox's user namespace".into())
}

/// Tells the process that its ids are there.
pub(super) fn announce(socket: BorrowedFd<'_>) {
    // One that failed in the meantime has reported that itself.
    let _ = send(socket, &[0], SendFlags::NOSIGNAL);
}

/// Waits for [`announce`].
pub(super) fn wait_for(socket: BorrowedFd<'_>) -> Outcome {
    let mut byte = [0];
    let received = retry_on_intr(|| recv(socket, &mut byte[..], RecvFlags::empty()));
    let heard = received.and_then(|(count, _)| if count > 0 { Ok(()) } else { Err(Errno::PIPE) });
    heard.at(LaunchStep::IdMap, || "the launcher's processes lost each other".into())
}

/// Makes this process, which has one thread, root of a namespace that it made.
pub(super) fn enter(namespace: BorrowedFd<'_>) {
    if let Err(errno) = move_into_link_name_space(namespace, Some(LinkNameSpaceType::User)) {
        note(&format!("files of the sandbox's other users may be left, its user namespace cannot be entered: {errno}"));
    }
}

/// A helper at work.
struct Helper<'a> {
    program: &'a [u8],
    pidfd: OwnedFd,
    output: OwnedFd,
}

impl<'a> Helper<'a> {
    fn start(program: &'a [u8], pid: Pid, map: &[IdRange]) -> Outcome<Self> {
        Self::spawn(program, pid, map).at(LaunchStep::IdMap, || format!("cannot start {}", shown(program)))
    }

    fn spawn(program: &'a [u8], pid: Pid, map: &[IdRange]) -> Result<Self, Errno> {
        let numbers = map.iter().flat_map(|range| [range.inside, range.outside, range.count]);
        let words = std::iter::once(pid.to_string()).chain(numbers.map(|number| number.to_string()));
        let path = CString::new(program).map_err(|_| Errno::INVAL)?;
        let words: Vec<CString> = words.map(|word| CString::new(word).expect("digits")).collect();
        let mut argv = vec![path.as_ptr()];
        argv.extend(words.iter().map(|word| word.as_ptr()));
        argv.push(std::ptr::null());
        let nothing = openat(CWD, c"/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        let (output, written) = pipe_with(PipeFlags::CLOEXEC)?;
        match clone_process(0, None)? {
            Cloned::Parent(_, pidfd) => Ok(Self { program, pidfd, output }),
            Cloned::Child => {
                let environment = [std::ptr::null()];
                let streams = [(&nothing, 0), (&written, 1), (&written, 2)].map(|(from, to)| (from.as_raw_fd(), to));
                // SAFETY: nothing here owns descriptors 0 to 2 as anything else than the stream and the log. The lists end with null and their texts with zero, and all live until the call. When it
                // returns, the copy of this process ends without running anything of it.
                unsafe {
                    for (from, to) in streams {
                        libc::dup2(from, to);
                    }
                    libc::execve(path.as_ptr(), argv.as_ptr(), environment.as_ptr());
                    libc::_exit(127)
                }
            }
        }
    }

    /// Waits for its end, which must be a good one.
    fn finish(self) -> Outcome {
        let ended = retry_on_intr(|| poll(&mut [PollFd::new(&self.pidfd, PollFlags::IN)], Some(&PATIENCE)));
        if ended != Ok(1) {
            let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
        }
        let status = retry_on_intr(|| waitid(WaitId::PidFd(self.pidfd.as_fd()), WaitIdOptions::EXITED));
        match status.ok().flatten().and_then(|status| status.exit_status()) {
            Some(0) => Ok(()),
            Some(127) => Err(self.failed("it cannot be executed")),
            _ if ended != Ok(1) => Err(self.failed("it did not answer")),
            _ => {
                let mut said = [0; 512];
                let count = read(&self.output, &mut said).unwrap_or(0);
                let line = said[..count].split(|byte| *byte == b'\n').next().unwrap_or_default();
                Err(self.failed(&shown(line)))
            }
        }
    }

    fn failed(&self, why: &str) -> LaunchFailure {
        let message = format!("{} could not map the sandbox's ids: {why}", shown(self.program));
        refused(LaunchStep::IdMap, message, &remedy::NO_ID_RANGE.hint())
    }
}
