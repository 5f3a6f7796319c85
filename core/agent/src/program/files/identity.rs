//! Takes on another user's identity for one thread and one piece of work.
//!
//! The file identity decides about access and ownership (credentials(7)); when it leaves 0 the kernel takes the file
//! capabilities out of effect, and puts them back with it. gVisor's kernel has no file identity, so there it is the
//! effective one. Both are properties of the thread as long as the system calls are made directly: the C library would
//! change all threads.
#![allow(unsafe_code)]

use crate::process::Credentials;
use isobox_wire::{Failure, FailureCode};

/// Runs `work` as `who`; as the agent itself when there is nobody.
pub(super) fn assume<T>(who: Option<Credentials>, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let Some(who) = who else { return work() };
    let _restored = Assumed::new(&who)?;
    work()
}

/// Gives the identity back when dropped, also when the work panics.
struct Assumed {
    groups: Vec<u32>,
}

impl Assumed {
    fn new(who: &Credentials) -> Result<Self, Failure> {
        let groups = rustix::process::getgroups().unwrap_or_default().into_iter().map(|gid| gid.as_raw()).collect();
        let assumed = Self { groups };
        set_groups(&who.groups);
        set_identity(who.uid, who.gid);
        // The calls for the file identity report no errors.
        if identity() == (who.uid, who.gid) {
            Ok(assumed)
        } else {
            let message =
                format!("the agent may not act as user {} and group {}; leave the user out", who.uid, who.gid);
            Err(Failure::new(FailureCode::Unsupported, message).at("user"))
        }
    }
}

impl Drop for Assumed {
    fn drop(&mut self) {
        take_own();
        set_groups(&self.groups);
    }
}

/// Takes the agent's own identity: the real ids, which nothing changes.
fn take_own() {
    set_identity(rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
}

/// The user and the group that decide about files.
fn identity() -> (u32, u32) {
    match (current(libc::SYS_setfsuid), current(libc::SYS_setfsgid)) {
        (UNCHANGED, _) => (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw()),
        file => file,
    }
}

/// Leaves an id as it is; from a call that asks, that there is no such call.
const UNCHANGED: u32 = u32::MAX;

fn set_identity(uid: u32, gid: u32) {
    // SAFETY: all take integers and change this thread only. The group goes first, while the rights are there.
    unsafe {
        if current(libc::SYS_setfsuid) == UNCHANGED {
            let own = rustix::process::getuid().as_raw();
            libc::syscall(libc::SYS_setresuid, UNCHANGED, own, UNCHANGED);
            libc::syscall(libc::SYS_setresgid, UNCHANGED, gid, UNCHANGED);
            libc::syscall(libc::SYS_setresuid, UNCHANGED, uid, UNCHANGED);
        } else {
            libc::syscall(libc::SYS_setfsgid, gid);
            libc::syscall(libc::SYS_setfsuid, uid);
        }
    }
}

fn current(call: libc::c_long) -> u32 {
    // SAFETY: an invalid id changes nothing and returns the one in force.
    unsafe { libc::syscall(call, u32::MAX) as u32 }
}

fn set_groups(groups: &[u32]) {
    // SAFETY: the pointer and the length describe the slice, which outlives the call.
    unsafe { libc::syscall(libc::SYS_setgroups, groups.len(), groups.as_ptr()) };
}

/// Runs one call with the agent's own identity, in the middle of work for somebody else: giving files away is the agent's
/// right, on behalf of the client that asked for it.
pub(super) fn as_agent<T>(call: impl FnOnce() -> T) -> T {
    let (uid, gid) = identity();
    take_own();
    let result = call();
    set_identity(uid, gid);
    result
}
