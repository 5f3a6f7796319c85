//! The agent, which keeps the sandbox's deadlines and its secret.

use super::{Attempt, EPERM, row};
use crate::seen::{Seen, found, of};
use crate::system::{at, call, open, opens_for_writing, reads, to};
use crate::target::{agent, named, of_agent};

const CLOSED: &[Seen] = &[Seen::Refused(libc::EACCES), Seen::Refused(libc::EPERM)];
/// Let through, because it is the sandbox's root, and without effect on the first process of a namespace.
const SURVIVES: &[Seen] = &[Seen::Nothing, Seen::Refused(libc::EPERM)];

/// Reads or writes a word of the agent's memory.
fn memory(number: i64) -> Seen {
    let mut word = 0u64;
    // Its program is not at the address of this word, except in a copy of this process.
    let (local, remote) = ([to(&mut word), 8], [to(&mut word), 8]);
    of(call(number, [agent(), at(&local), 1, at(&remote), 1, 0]))
}

fn take_descriptor() -> Seen {
    match call(libc::SYS_pidfd_open, [agent(), 0]) {
        Ok(process) => of(call(libc::SYS_pidfd_getfd, [process, 0, 0])),
        Err(error) => Seen::Refused(error),
    }
}

/// Sends a signal and sees in which state the process is then.
fn signal(signal: i32, states: &[char]) -> Seen {
    let pid = agent();
    if let Err(error) = call(libc::SYS_kill, [pid, signal.into()]) {
        return Seen::Refused(error);
    }
    let state = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next())
    };
    // A signal is delivered before long; one that is ignored is not even noted.
    let looked = (0..100).any(|_| {
        std::thread::yield_now();
        state().is_none_or(|state| states.contains(&state))
    });
    found(looked)
}

fn connect() -> Seen {
    use std::os::unix::net::UnixStream;
    let error = |error: std::io::Error| Seen::Refused(error.raw_os_error().unwrap_or(libc::EIO));
    UnixStream::connect(named("SOCKET")).map_or_else(error, |_| Seen::Reached)
}

pub(super) fn attempts() -> Vec<Attempt> {
    vec![
        row("agent_ptrace", "traces the agent", EPERM, || {
            of(call(libc::SYS_ptrace, [libc::PTRACE_SEIZE.into(), agent(), 0, 0]))
        }),
        row("agent_memory_read", "reads the agent's memory", EPERM, || memory(libc::SYS_process_vm_readv)),
        row("agent_memory_write", "writes the agent's memory", EPERM, || memory(libc::SYS_process_vm_writev)),
        row("agent_mem_file", "opens the agent's memory as a file", CLOSED, || {
            of(open(&of_agent("mem"), libc::O_RDWR))
        }),
        row("agent_descriptor", "takes a descriptor of the agent's", EPERM, take_descriptor),
        row("agent_descriptors", "lists the agent's descriptors", CLOSED, || {
            of(open(&of_agent("fd"), libc::O_RDONLY | libc::O_DIRECTORY))
        }),
        row("agent_environment", "reads the agent's environment", CLOSED, || reads(&of_agent("environ"))),
        row("agent_program", "changes the agent's program, which lies on the machine", CLOSED, || {
            opens_for_writing(&of_agent("exe"))
        }),
        row("agent_root", "goes through the agent's root", CLOSED, || {
            of(open(&of_agent("root"), libc::O_RDONLY | libc::O_DIRECTORY))
        }),
        row("agent_directory", "goes through the agent's working directory", CLOSED, || {
            of(open(&of_agent("cwd"), libc::O_RDONLY | libc::O_DIRECTORY))
        }),
        row("agent_kill", "kills the agent, and its deadlines with it", SURVIVES, || {
            signal(libc::SIGKILL, &['Z', 'X'])
        }),
        row("agent_stop", "stops the agent, and its deadlines with it", SURVIVES, || signal(libc::SIGSTOP, &['T'])),
        row(
            "agent_socket",
            "connects to the agent's socket as the machine does",
            &[Seen::Refused(libc::ENOENT)],
            connect,
        ),
    ]
}
