//! What the filter costs: to install it, and at each call. Prints, and asserts nothing about time.
#![allow(unsafe_code, clippy::print_stdout, reason = "installs a filter in a copy of this process, and prints")]

use super::filter;
use std::io::Read;
use std::time::{Duration, Instant};

const ROUNDS: usize = 200;
const CALLS: u32 = 5_000;

/// What `body` prints in a copy of this process.
fn apart(body: impl FnOnce() -> String) -> String {
    let (mut ours, theirs) = std::io::pipe().unwrap();
    // SAFETY: the copy writes what it found to the pipe and ends; the harness's other thread only waits.
    match unsafe { libc::fork() } {
        0 => {
            use std::io::Write;
            let written = { theirs }.write_all(body().as_bytes()).is_ok();
            // SAFETY: ends the copy without running anything of the original's.
            unsafe { libc::_exit(i32::from(!written)) }
        }
        pid => {
            drop(theirs);
            let mut text = String::new();
            ours.read_to_string(&mut text).unwrap();
            // SAFETY: waits for the copy that was just made.
            unsafe { libc::waitpid(pid, std::ptr::null_mut(), 0) };
            text
        }
    }
}

fn install() -> Duration {
    let bytes = filter(false);
    let mut program: Vec<u64> =
        bytes.chunks_exact(8).map(|chunk| u64::from_ne_bytes(chunk.try_into().unwrap())).collect();
    let program = libc::sock_fprog { len: u16::try_from(program.len()).unwrap(), filter: program.as_mut_ptr().cast() };
    let start = Instant::now();
    // SAFETY: the first takes numbers; the second a program that is alive and of the length it says.
    let done = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program)
    };
    assert_eq!(done, 0, "{}", std::io::Error::last_os_error());
    start.elapsed()
}

/// Nanoseconds of one call, the least of many rounds.
fn each(call: impl Fn()) -> u128 {
    let round = || {
        let start = Instant::now();
        (0..CALLS).for_each(|_| call());
        start.elapsed().as_nanos() / u128::from(CALLS)
    };
    (0..ROUNDS / 2).map(|_| round()).min().unwrap()
}

fn calls() -> String {
    // SAFETY: neither call takes a pointer that is used.
    let (simple, checked) = unsafe {
        (
            each(|| _ = libc::syscall(libc::SYS_getppid)),
            each(|| _ = libc::syscall(libc::SYS_ioctl, -1, libc::TIOCGWINSZ, 0)),
        )
    };
    format!("a call that its number decides {simple} ns, one that an argument decides {checked} ns")
}

#[test]
fn the_filter_costs_little() {
    let mut times: Vec<u128> =
        (0..ROUNDS).map(|_| apart(|| install().as_nanos().to_string()).parse().unwrap()).collect();
    times.sort_unstable();
    println!("installing {} instructions: {} us (p50)", filter(false).len() / 8, times[ROUNDS / 2] / 1000);
    println!("without: {}", apart(calls));
    let with = || {
        install();
        calls()
    };
    println!("with: {}", apart(with));
}
