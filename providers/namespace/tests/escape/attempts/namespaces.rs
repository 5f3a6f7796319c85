//! Namespaces of one's own, where a process has every capability.

use super::{Attempt, EPERM, row};
use crate::seen::{Seen, of, past};
use crate::system::{at, call, open};

/// Makes a child in new namespaces with the call that has the flags in a register.
fn clone(flags: i32) -> Seen {
    match call(libc::SYS_clone, [i64::from(flags | libc::SIGCHLD), 0]) {
        // SAFETY: this is the child, which ends at once.
        Ok(0) => unsafe { libc::_exit(0) },
        result => of(result),
    }
}

/// The same with the call that has the flags in memory, where no filter sees them.
fn clone3(flags: u64) -> Seen {
    let arguments = [flags, 0, 0, 0, libc::SIGCHLD as u64, 0, 0, 0];
    match call(libc::SYS_clone3, [at(&arguments), size_of_val(&arguments) as i64]) {
        // SAFETY: this is the child, which ends at once.
        Ok(0) => unsafe { libc::_exit(0) },
        result => of(result),
    }
}

fn unshare(flags: i32) -> Seen {
    of(call(libc::SYS_unshare, [flags.into()]))
}

fn enter(path: &str) -> Seen {
    match open(path, libc::O_RDONLY) {
        // One's own user namespace cannot be entered again, which is told after the permission.
        Ok(namespace) => past(call(libc::SYS_setns, [namespace, 0]), &[libc::EINVAL]),
        Err(error) => Seen::Refused(error),
    }
}

const NONE_LEFT: &[Seen] = &[Seen::Refused(libc::ENOSPC)];

pub(super) fn attempts() -> Vec<Attempt> {
    vec![
        row("unshare_user", "makes a user namespace, with unshare", EPERM, || unshare(libc::CLONE_NEWUSER)),
        row("clone_user", "makes a process in a user namespace, with clone", EPERM, || clone(libc::CLONE_NEWUSER)),
        row("clone3_user", "the same with clone3, whose flags no filter sees", NONE_LEFT, || {
            clone3(libc::CLONE_NEWUSER as u64)
        }),
        row("clone3_user_mount", "user and mount namespace at once, with clone3", NONE_LEFT, || {
            clone3((libc::CLONE_NEWUSER | libc::CLONE_NEWNS) as u64)
        }),
        row("unshare_mount", "makes a mount namespace", EPERM, || unshare(libc::CLONE_NEWNS)),
        row("clone3_mount", "makes a process in a mount namespace, with clone3", EPERM, || {
            clone3(libc::CLONE_NEWNS as u64)
        }),
        row("clone3_pid", "makes a process in a process namespace, with clone3", EPERM, || {
            clone3(libc::CLONE_NEWPID as u64)
        }),
        row("unshare_net", "makes a network namespace", EPERM, || unshare(libc::CLONE_NEWNET)),
        row("clone3_net", "makes a process in a network namespace, with clone3", EPERM, || {
            clone3(libc::CLONE_NEWNET as u64)
        }),
        row("unshare_cgroup", "makes a cgroup namespace", EPERM, || unshare(0x0200_0000)),
        row("unshare_time", "makes a time namespace", EPERM, || unshare(0x80)),
        row("setns_own", "enters a namespace through its file", EPERM, || enter("/proc/self/ns/uts")),
        row(
            "setns_agent",
            "enters the mount namespace of the agent",
            &[Seen::Refused(libc::EACCES), Seen::Refused(libc::EPERM)],
            || enter(&crate::target::of_agent("ns/mnt")),
        ),
        row("sethostname", "names the machine, with the name it has", EPERM, || {
            let name = std::fs::read("/proc/sys/kernel/hostname").unwrap();
            of(call(libc::SYS_sethostname, [at(&name[..]), name.len() as i64 - 1]))
        }),
    ]
}
