//! Other processes of the machine's.

use super::{Attempt, row};
use crate::seen::{Seen, found, of};
use crate::system::call;
use crate::target::number;

const NO_SUCH_PROCESS: &[Seen] = &[Seen::Refused(libc::ESRCH)];

pub(super) fn attempts() -> Vec<Attempt> {
    vec![
        row("signal", "signals a process of the machine's", NO_SUCH_PROCESS, || {
            of(call(libc::SYS_kill, [number("PROCESS"), 0]))
        }),
        row("pidfd_open", "opens a process of the machine's", NO_SUCH_PROCESS, || {
            of(call(libc::SYS_pidfd_open, [number("PROCESS"), 0]))
        }),
        row("ptrace", "traces a process of the machine's", NO_SUCH_PROCESS, || {
            of(call(libc::SYS_ptrace, [libc::PTRACE_SEIZE.into(), number("PROCESS"), 0, 0]))
        }),
        row("process_list", "sees a process of the machine's in /proc", &[Seen::Nothing], || {
            found(std::path::Path::new(&format!("/proc/{}", number("PROCESS"))).exists())
        }),
        row("priority", "changes the priority of a process of the machine's", NO_SUCH_PROCESS, || {
            of(call(libc::SYS_setpriority, [0, number("PROCESS"), 19]))
        }),
        row("shared_memory", "attaches shared memory of the machine's", &[Seen::Refused(libc::EINVAL)], || {
            of(call(libc::SYS_shmat, [number("MEMORY"), 0, libc::SHM_RDONLY.into()]))
        }),
    ]
}
