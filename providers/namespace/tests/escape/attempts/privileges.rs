//! More rights and more of the machine for oneself.

use super::{Attempt, EPERM, row};
use crate::seen::{Seen, found, of};
use crate::system::{at, call, open};

/// Takes the capability that most of the kernel asks for, cap_sys_admin.
fn capabilities() -> Seen {
    let header = [0x2008_0522u32, 0];
    let wanted = [1u32 << 21, 1 << 21, 0, 0, 0, 0];
    of(call(libc::SYS_capset, [at(&header), at(&wanted)]))
}

fn limit(resource: i64) -> Seen {
    let more = [u64::MAX - 1, u64::MAX - 1];
    of(call(libc::SYS_prlimit64, [0, resource, at(&more), 0]))
}

fn write(path: &str, text: &str) -> Seen {
    match open(path, libc::O_WRONLY) {
        Ok(file) => of(call(libc::SYS_write, [file, at(text.as_bytes()), text.len() as i64])),
        Err(error) => Seen::Refused(error),
    }
}

const DENIED: &[Seen] = &[Seen::Refused(libc::EACCES), Seen::Refused(libc::EPERM)];

pub(super) fn attempts() -> Vec<Attempt> {
    vec![
        row("capset", "takes cap_sys_admin", EPERM, capabilities),
        row("bounding_set", "finds cap_sys_admin among what a program could gain", &[Seen::Nothing], || {
            found(call(libc::SYS_prctl, [libc::PR_CAPBSET_READ.into(), 21]) == Ok(1))
        }),
        row("locked_memory", "raises the hard limit of locked memory", EPERM, || limit(libc::RLIMIT_MEMLOCK.into())),
        row("nice", "runs before everybody else", DENIED, || {
            // The lowest first, so that what follows is a rise whatever it was.
            of(call(libc::SYS_setpriority, [0, 0, -20]))
        }),
        row("realtime", "runs before everybody else, for good", EPERM, || {
            of(call(libc::SYS_sched_setscheduler, [0, libc::SCHED_FIFO.into(), at(&1i32)]))
        }),
        row("ioprio", "reads and writes before everybody else", EPERM, || {
            of(call(libc::SYS_ioprio_set, [1, 0, 1 << 13]))
        }),
        row("oom_score", "is the last to be killed when memory is short", DENIED, || {
            write("/proc/self/oom_score_adj", "-1000")
        }),
    ]
}
