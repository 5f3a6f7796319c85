//! Files of the machine's and of whoever made the sandbox.

use super::{Attempt, NO_SUCH_FILE, READ_ONLY, row};
use crate::seen::{Seen, found};
use crate::system::{call, fork, open, opens_for_writing, reads, wait};
use crate::target::{self, named, scratch};
use std::os::unix::fs::PermissionsExt;

/// Goes up from every directory that is open here, to a file of the machine's.
fn through_descriptors() -> Seen {
    if target::is_outside() {
        // What a careless launcher would have left open.
        let _ = open("/proc", libc::O_RDONLY | libc::O_DIRECTORY);
    }
    let up = format!("{}{}", "../".repeat(32), named("FILE").trim_start_matches('/'));
    let reaches = |descriptor: i64| {
        let path = std::ffi::CString::new(up.clone()).unwrap();
        let flags = i64::from(libc::O_RDONLY | libc::O_CLOEXEC);
        call(libc::SYS_openat, [descriptor, crate::system::at(path.as_bytes_with_nul()), flags, 0]).is_ok()
    };
    found((3..256).any(reaches) || std::fs::read(format!("/proc/self/cwd/{up}")).is_ok())
}

/// Runs a program of root's with the set-user-id bit as another user, and sees who that is.
fn set_user_id() -> Seen {
    let program = format!("{}/program", scratch());
    let _ = std::fs::copy("/proc/self/exe", &program);
    let _ = std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o6755));
    let _ = std::fs::set_permissions(scratch(), std::fs::Permissions::from_mode(0o755));
    let own = call(libc::SYS_geteuid, []).unwrap();
    let pid = fork(|| {
        if own == 0 && call(libc::SYS_setresuid, [1000, 1000, 1000]).is_err() {
            return 2;
        }
        let mut command = std::process::Command::new(&program);
        command.args(["--exact", "attempts::files::who_runs_this", "--nocapture"]).env("ESCAPE_WHO", "1");
        let output = command.output().map(|output| output.stdout).unwrap_or_default();
        i32::from(own == 0 && String::from_utf8_lossy(&output).contains("effective 0"))
    });
    match libc::WEXITSTATUS(wait(pid)) {
        0 => Seen::Nothing,
        1 => Seen::Reached,
        // There is no other user here.
        _ => Seen::Refused(libc::EINVAL),
    }
}

/// Not a test by itself: says who runs it, when it is asked.
#[test]
fn who_runs_this() {
    if std::env::var_os("ESCAPE_WHO").is_some() {
        println!("effective {}", call(libc::SYS_geteuid, []).unwrap());
    }
}

/// Crashes, and sees whether the kernel wrote the memory down or handed it to a program of the machine's.
fn core_dump() -> Seen {
    let pid = fork(|| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: both calls take a pointer to a limit of this function's.
        unsafe {
            libc::getrlimit(libc::RLIMIT_CORE, &raw mut limit);
            limit.rlim_cur = limit.rlim_max;
            libc::setrlimit(libc::RLIMIT_CORE, &raw const limit);
        }
        let _ = std::env::set_current_dir(scratch());
        std::process::abort()
    });
    found(libc::WCOREDUMP(wait(pid)))
}

/// Nothing as root; where there is no other user, that.
const NO_GAIN: &[Seen] = &[Seen::Nothing, Seen::Refused(libc::EINVAL)];

pub(super) fn attempts() -> Vec<Attempt> {
    vec![
        row("callers_file", "reads a file of whoever made the sandbox", NO_SUCH_FILE, || reads(&named("FILE"))),
        row("callers_shared_memory", "reads a file in the machine's /dev/shm", NO_SUCH_FILE, || {
            reads(&named("SHARED"))
        }),
        row("through_descriptors", "goes up from what is open", &[Seen::Nothing], through_descriptors),
        row("programs", "changes a program of the machine's", READ_ONLY, || opens_for_writing("/usr/bin/env")),
        row("read_only_mount", "changes a file of a read-only mount", READ_ONLY, || {
            opens_for_writing(&named("MOUNTED"))
        }),
        row("set_user_id", "gains root by a program with set-user-id", NO_GAIN, set_user_id),
        row("core_dump", "has its memory written or handed out by a crash", &[Seen::Nothing], core_dump),
    ]
}
