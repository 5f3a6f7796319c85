//! Who the leader is, and what it may do: ids, groups and capabilities, set between clone and execve.
//!
//! Raw system calls only: glibc's setuid family signals every thread it believes to exist, and the leader shares its
//! memory with the supervisor until it executes.
#![allow(unsafe_code)]

use libc::c_long;
use rustix::io::Errno;

use super::sys::{check, prctl};

/// The ids a command runs with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Credentials {
    /// Real, effective and saved user id.
    pub(crate) uid: u32,
    /// Real, effective and saved group id.
    pub(crate) gid: u32,
    /// Every supplementary group; the agent's own are dropped.
    pub(crate) groups: Vec<u32>,
}

impl Credentials {
    /// Takes these ids on.
    ///
    /// A user namespace with one mapped id denies setgroups to everybody. There, asking for the ids that are in effect
    /// already is granted, because nothing else could be meant; asking for any other is an error.
    pub(super) fn assume(&self) -> Result<(), Errno> {
        match call(libc::SYS_setgroups, [self.groups.len() as c_long, self.groups.as_ptr() as c_long, 0]) {
            Err(Errno::PERM | Errno::INVAL) if self.in_effect() => return Ok(()),
            result => result?,
        }
        call(libc::SYS_setresgid, [self.gid.into(); 3])?;
        call(libc::SYS_setresuid, [self.uid.into(); 3])
    }

    fn in_effect(&self) -> bool {
        rustix::process::geteuid().as_raw() == self.uid && rustix::process::getegid().as_raw() == self.gid
    }
}

/// Takes every capability outside `keep` from the bounding set. Needs CAP_SETPCAP, so it comes before the change of user.
///
/// Under no-new-privileges a capability that is not permitted cannot be gained by execve, so there a refusal is harmless.
pub(super) fn limit_bounding(keep: u64, no_new_privs: bool) -> Result<(), Errno> {
    for capability in (0..64).filter(|bit| keep & (1 << bit) == 0) {
        match prctl(libc::PR_CAPBSET_READ, capability) {
            // Past the last capability that this kernel knows.
            Err(_) => break,
            Ok(0) => continue,
            Ok(_) => {}
        }
        match prctl(libc::PR_CAPBSET_DROP, capability) {
            Err(Errno::PERM) if no_new_privs => return Ok(()),
            result => drop(result?),
        }
    }
    Ok(())
}

/// Takes every capability outside `keep` from the permitted, effective, inheritable and ambient sets.
pub(super) fn limit_current(keep: u64) -> Result<(), Errno> {
    // Version 3 of the interface: two words for each of effective, permitted, inheritable, low words first.
    let header = [0x2008_0522u32, 0];
    let mut sets = [0u32; 6];
    call(libc::SYS_capget, [header.as_ptr() as c_long, sets.as_mut_ptr() as c_long, 0])?;
    for (index, set) in sets.iter_mut().enumerate() {
        *set &= if index < 3 { keep as u32 } else { (keep >> 32) as u32 };
    }
    // The kernel lowers the ambient set by itself to what stays permitted and inheritable.
    call(libc::SYS_capset, [header.as_ptr() as c_long, sets.as_ptr() as c_long, 0])
}

fn call(number: c_long, arguments: [c_long; 3]) -> Result<(), Errno> {
    let [a, b, c] = arguments;
    // SAFETY: the callers above pass numbers or pointers to buffers of the sizes these calls use.
    check(unsafe { libc::syscall(number, a, b, c) }).map(drop)
}
