//! What the sandbox's root may do: what container engines allow, and nothing that changes mounts, the network or the
//! kernel.

use rustix::io::{Errno, Result};
use rustix::process::{DumpableBehavior, Resource, Rlimit, getrlimit, set_dumpable_behavior, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set, remove_capability_from_bounding_set, set_capabilities,
    set_no_new_privs,
};

/// The capabilities that Docker gives by default, without two that have no effect in a user namespace: no device can
/// be made in one (`mknod`), and the kernel takes no audit messages from one (`audit_write`).
const KEPT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::NET_RAW)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SETFCAP)
    .union(CapabilitySet::SETPCAP)
    .union(CapabilitySet::NET_BIND_SERVICE)
    .union(CapabilitySet::SYS_CHROOT)
    .union(CapabilitySet::KILL);

/// Gives up everything else, for this process and all that it starts, and closes this process to them: with the
/// sandbox's root they share a user, and would otherwise reach its memory, its descriptors and, through its
/// executable, the host's file.
pub(super) fn reduce() -> Result<()> {
    set_no_new_privs(true)?;
    forbid_core_dumps()?;
    for bit in 0..u64::BITS {
        let capability = CapabilitySet::from_bits_retain(1 << bit);
        if KEPT.contains(capability) {
            continue;
        }
        match remove_capability_from_bounding_set(capability) {
            Ok(()) => {}
            // Past the last one that this kernel knows.
            Err(Errno::INVAL) => break,
            Err(errno) => return Err(errno),
        }
    }
    clear_ambient_capability_set()?;
    set_capabilities(None, CapabilitySets { effective: KEPT, permitted: KEPT, inheritable: CapabilitySet::empty() })?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
}

/// No process leaves its memory behind when it crashes. A dump goes to a file or, on many machines, to a program that
/// runs as the machine's root outside of every sandbox. A limit of one byte is the one that keeps the kernel from both.
fn forbid_core_dumps() -> Result<()> {
    let most = getrlimit(Resource::Core).maximum.map_or(1, |maximum| maximum.min(1));
    setrlimit(Resource::Core, Rlimit { current: Some(most), maximum: Some(most) })
}
