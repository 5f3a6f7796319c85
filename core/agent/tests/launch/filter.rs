//! Takes system calls away from a program that is about to start, as a container's filter or an old kernel does.
#![allow(
    unsafe_code,
    dead_code,
    unreachable_pub,
    reason = "installing a filter is a system call, and each test binary uses its own part"
)]

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Lets the calls fail with their error numbers, in the program and in everything that it starts.
pub fn deny(command: &mut Command, denied: &[(libc::c_long, libc::c_int)]) {
    let program = program(denied);
    // SAFETY: the closure makes two system calls and touches nothing that a lock could protect.
    unsafe { command.pre_exec(move || install(&program)) };
}

fn program(denied: &[(libc::c_long, libc::c_int)]) -> Vec<libc::sock_filter> {
    let statement = |code: u32, k| libc::sock_filter { code: code as u16, jt: 0, jf: 0, k };
    let load = statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0);
    let answer = |k| statement(libc::BPF_RET | libc::BPF_K, k);
    let rules = denied.iter().flat_map(|(call, errno)| {
        let number = u32::try_from(*call).expect("numbers of calls are small");
        let is = libc::sock_filter { jf: 1, ..statement(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, number) };
        [is, answer(libc::SECCOMP_RET_ERRNO | errno.unsigned_abs())]
    });
    std::iter::once(load).chain(rules).chain([answer(libc::SECCOMP_RET_ALLOW)]).collect()
}

fn install(program: &[libc::sock_filter]) -> io::Result<()> {
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_ptr().cast_mut() };
    // SAFETY: the filter lives until the kernel has copied it.
    let done = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) == 0
    };
    if done { Ok(()) } else { Err(io::Error::last_os_error()) }
}
