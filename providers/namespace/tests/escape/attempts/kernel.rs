//! The kernel itself: its code, its clock, its memory, and the calls that have given it away before.

use super::{Attempt, EPERM, row};
use crate::seen::{Seen, of, past};
use crate::system::{at, call, to};

const NO_SUCH_CALL: &[Seen] = &[Seen::Refused(libc::ENOSYS)];

fn text(text: &std::ffi::CStr) -> i64 {
    at(text.to_bytes_with_nul())
}

/// Gives a file's number, and opens it by that.
fn by_handle() -> Seen {
    let mut handle = [0u32; 34];
    handle[0] = 128;
    let mut mount = 0i32;
    let named =
        call(libc::SYS_name_to_handle_at, [libc::AT_FDCWD.into(), text(c"/etc"), to(&mut handle), to(&mut mount), 0]);
    // Where the filesystem has no handles, the call is tried with a made up one.
    let behind = if named.is_ok() { &[][..] } else { &[libc::ESTALE, libc::EINVAL, libc::EOPNOTSUPP][..] };
    handle[0] = if named.is_ok() { handle[0] } else { 8 };
    past(call(libc::SYS_open_by_handle_at, [libc::AT_FDCWD.into(), at(&handle), 0]), behind)
}

/// Makes a call as 32-bit programs do.
#[cfg(target_arch = "x86_64")]
fn call32(number: u32, first: u32, second: u32) -> Seen {
    let result: i32;
    // SAFETY: the old entry takes a number and arguments in these registers and gives back one; r8 to r11 may be lost.
    unsafe {
        std::arch::asm!(
            "push rbx", "mov ebx, {first:e}", "int 0x80", "pop rbx",
            first = in(reg) first,
            inlateout("eax") number => result,
            in("ecx") second,
            in("edx") 0,
            lateout("r8") _, lateout("r9") _, lateout("r10") _, lateout("r11") _,
        );
    }
    if result < 0 { Seen::Refused(-result) } else { Seen::Reached }
}

#[cfg(not(target_arch = "x86_64"))]
fn call32(_: u32, _: u32, _: u32) -> Seen {
    Seen::Refused(libc::ENOSYS)
}

/// Three words in memory below 4 GiB, for arguments of 32-bit calls.
#[cfg(target_arch = "x86_64")]
fn low(words: [u32; 3]) -> u32 {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_32BIT;
    let page =
        call(libc::SYS_mmap, [0, 4096, (libc::PROT_READ | libc::PROT_WRITE).into(), flags.into(), -1, 0]).unwrap();
    // SAFETY: the page has just been made and is large enough.
    unsafe { std::ptr::with_exposed_provenance_mut::<[u32; 3]>(page as usize).write(words) };
    page as u32
}

#[cfg(not(target_arch = "x86_64"))]
fn low(_: [u32; 3]) -> u32 {
    0
}

#[cfg(target_arch = "x86_64")]
fn port_access() -> Seen {
    of(call(libc::SYS_ioperm, [0x80, 1, 1]))
}

#[cfg(not(target_arch = "x86_64"))]
fn port_access() -> Seen {
    Seen::Refused(libc::ENOSYS)
}

#[cfg(target_arch = "x86_64")]
fn segments() -> Seen {
    let mut table = [0u8; 16];
    of(call(libc::SYS_modify_ldt, [0, to(&mut table), 16]))
}

#[cfg(not(target_arch = "x86_64"))]
fn segments() -> Seen {
    Seen::Refused(libc::ENOSYS)
}

pub(super) fn attempts() -> Vec<Attempt> {
    let mut rows = vec![
        row("init_module", "loads a module", EPERM, || {
            past(call(libc::SYS_init_module, [0, 0, text(c"")]), &[libc::EFAULT, libc::ENOEXEC, libc::EINVAL])
        }),
        row("finit_module", "loads a module from a file", EPERM, || {
            past(call(libc::SYS_finit_module, [-1, text(c""), 0]), &[libc::EBADF])
        }),
        row("delete_module", "takes a module out", EPERM, || {
            past(call(libc::SYS_delete_module, [text(c"isobox-none"), 0]), &[libc::ENOENT])
        }),
        row("kexec_load", "boots another kernel", EPERM, || {
            past(call(libc::SYS_kexec_load, [0, 0, 0, 0xFF]), &[libc::EINVAL])
        }),
        row("reboot", "restarts the machine, with the wrong magic number", EPERM, || {
            past(call(libc::SYS_reboot, [0, 0, 0, 0]), &[libc::EINVAL])
        }),
        row("swapon", "swaps to a file that is not there", EPERM, || {
            past(call(libc::SYS_swapon, [text(c"/isobox-none"), 0]), &[libc::ENOENT])
        }),
        row("swapoff", "takes swap away", EPERM, || {
            past(call(libc::SYS_swapoff, [text(c"/isobox-none")]), &[libc::ENOENT])
        }),
        row("acct", "accounts for all processes into a file that is not there", EPERM, || {
            past(call(libc::SYS_acct, [text(c"/isobox-none")]), &[libc::ENOENT])
        }),
        row("settimeofday", "sets the clock, to what it is", EPERM, || of(call(libc::SYS_settimeofday, [0, 0]))),
        row("clock_settime", "sets the clock, to a time that does not exist", EPERM, || {
            past(call(libc::SYS_clock_settime, [0, at(&[0i64, -1])]), &[libc::EINVAL])
        }),
        row("adjtimex", "moves the clock, by nothing", EPERM, || {
            let mut change = [0i64; 32];
            change[0] = 0x0100;
            of(call(libc::SYS_adjtimex, [to(&mut change)]))
        }),
        row("syslog", "reads the kernel's log", EPERM, || {
            let mut buffer = [0u8; 256];
            of(call(libc::SYS_syslog, [3, to(&mut buffer), 256]))
        }),
        row("quotactl", "writes out quotas", EPERM, || {
            of(call(libc::SYS_quotactl, [0x8000_0100u32 as i32 as i64, 0, 0, 0]))
        }),
        row("bpf", "makes a map for programs in the kernel", EPERM, || {
            let map = [2u32, 4, 4, 1, 0, 0, 0, 0];
            of(call(libc::SYS_bpf, [0, at(&map), 32]))
        }),
        row("perf_event_open", "counts what the processor does", EPERM, || {
            let mut event = [0u32; 32];
            (event[0], event[1]) = (1, 128);
            of(call(libc::SYS_perf_event_open, [at(&event), 0, -1, -1, 0]))
        }),
        row("userfaultfd", "handles page faults itself", EPERM, || {
            of(call(libc::SYS_userfaultfd, [libc::O_CLOEXEC.into()]))
        }),
        row("io_uring", "makes a ring of calls that no filter sees", EPERM, || {
            let mut parameters = [0u8; 120];
            of(call(libc::SYS_io_uring_setup, [1, to(&mut parameters)]))
        }),
        row("fanotify", "watches whole mounts", EPERM, || of(call(libc::SYS_fanotify_init, [0, 0]))),
        row("add_key", "keeps a key in the kernel", EPERM, || {
            of(call(libc::SYS_add_key, [text(c"user"), text(c"isobox"), text(c"x"), 1, -1]))
        }),
        row("request_key", "asks the machine's programs for a key", EPERM, || {
            past(call(libc::SYS_request_key, [text(c"user"), text(c"isobox-none"), 0, 0]), &[libc::ENOKEY])
        }),
        row("keyctl", "finds the session keyring of whoever started the sandbox", EPERM, || {
            of(call(libc::SYS_keyctl, [0, -3, 1]))
        }),
        row("open_by_handle", "opens a file by its number, past every directory", EPERM, by_handle),
        row("get_mempolicy", "asks where memory lies", EPERM, || {
            let mut mode = 0i32;
            of(call(libc::SYS_get_mempolicy, [to(&mut mode), 0, 0, 0, 0]))
        }),
        row("kcmp", "compares addresses of the kernel's", EPERM, || {
            let me = i64::from(std::process::id());
            of(call(libc::SYS_kcmp, [me, me, 1, 0, 0]))
        }),
        row("personality", "makes all readable memory executable", EPERM, || {
            of(call(libc::SYS_personality, [0x0040_0000]))
        }),
        row("modify_ldt", "makes 16 bit segments", NO_SUCH_CALL, segments),
    ];
    if cfg!(target_arch = "x86_64") {
        rows.extend([
            row("ioperm", "reaches a port of the hardware", EPERM, port_access),
            row("keyctl_32", "finds the session keyring with a 32-bit call", EPERM, || call32(288, 0, 0xFFFF_FFFD)),
            row(
                "socketcall_32",
                "makes a socket with a 32-bit call, whose arguments no filter sees",
                NO_SUCH_CALL,
                || call32(102, 1, low([2, 2, 0])),
            ),
            row("unshare_32", "makes a user namespace with a 32-bit call", EPERM, || call32(310, 0x1000_0000, 0)),
        ]);
    }
    rows
}
