//! The system calls that a launch needs and that a machine may not have or not allow. Each can be asked for in a form
//! that does nothing, so that a failure can name the one that is to blame.
#![allow(unsafe_code, reason = "each call is made with arguments that the kernel refuses before it looks at memory")]

use rustix::io::Errno;
use rustix::thread::{CapabilitySet, capabilities};

/// A call, the arguments with which it does nothing, and whether the kernel first wants to see the right to mount.
struct Call {
    name: &'static str,
    number: libc::c_long,
    arguments: [libc::c_long; 5],
    privileged: bool,
}

const fn call(name: &'static str, number: libc::c_long, arguments: [libc::c_long; 5]) -> Call {
    Call { name, number, arguments, privileged: false }
}

const fn privileged(name: &'static str, number: libc::c_long, arguments: [libc::c_long; 5]) -> Call {
    Call { name, number, arguments, privileged: true }
}

/// No flags are these.
const BAD: libc::c_long = 0x7fff_ffff;

const CALLS: [Call; 16] = [
    call("clone3", libc::SYS_clone3, [0, 0, 0, 0, 0]),
    call("unshare", libc::SYS_unshare, [0, 0, 0, 0, 0]),
    call("pidfd_open", libc::SYS_pidfd_open, [-1, 0, 0, 0, 0]),
    call("pidfd_send_signal", libc::SYS_pidfd_send_signal, [-1, 0, 0, BAD, 0]),
    call("close_range", libc::SYS_close_range, [1, 0, 0, 0, 0]),
    call("openat2", libc::SYS_openat2, [-1, 0, 0, 0, 0]),
    call("mount", libc::SYS_mount, [0, 0, 0, 0, 0]),
    call("umount2", libc::SYS_umount2, [0, BAD, 0, 0, 0]),
    call("open_tree", libc::SYS_open_tree, [-1, 0, BAD, 0, 0]),
    call("mount_setattr", libc::SYS_mount_setattr, [-1, 0, BAD, 0, 0]),
    call("fsconfig", libc::SYS_fsconfig, [-1, BAD, 0, 0, 0]),
    privileged("fsopen", libc::SYS_fsopen, [0, BAD, 0, 0, 0]),
    privileged("fsmount", libc::SYS_fsmount, [-1, BAD, 0, 0, 0]),
    privileged("move_mount", libc::SYS_move_mount, [-1, 0, -1, 0, BAD]),
    privileged("pivot_root", libc::SYS_pivot_root, [0, 0, 0, 0, 0]),
    privileged("sethostname", libc::SYS_sethostname, [0, -1, 0, 0, 0]),
];

/// The calls that this kernel does not have, or that a filter says it does not have.
pub(super) fn missing() -> Vec<&'static str> {
    CALLS.iter().filter(|call| answer(call) == Some(Errno::NOSYS)).map(|call| call.name).collect()
}

/// The calls that are refused although the kernel has no reason to.
pub(super) fn refused() -> Vec<&'static str> {
    let may_mount = capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN));
    let concerns = |call: &&Call| may_mount || !call.privileged;
    let refused = |call: &&Call| matches!(answer(call), Some(Errno::PERM | Errno::ACCESS));
    CALLS.iter().filter(concerns).filter(refused).map(|call| call.name).collect()
}

fn answer(call: &Call) -> Option<Errno> {
    let [a, b, c, d, e] = call.arguments;
    // SAFETY: null pointers, no descriptors and flags that do not exist: the kernel changes nothing and says so.
    let result = unsafe { libc::syscall(call.number, a, b, c, d, e) };
    (result < 0).then(|| Errno::from_io_error(&std::io::Error::last_os_error()))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_kernel_has_them_all() {
        assert_eq!((missing(), refused()), (vec![], vec![]));
    }
}
