//! Devices: of the machine, and terminals.

use super::{Attempt, EPERM, NO_SUCH_FILE, row};
use crate::seen::{Seen, of, past};
use crate::system::{at, call, open, to};
use crate::target::scratch;
use std::ffi::CString;

fn opens(path: &str) -> Seen {
    // One that is there and has no hardware behind it.
    past(open(path, libc::O_RDONLY | libc::O_NONBLOCK), &[libc::ENXIO, libc::EIO, libc::EBUSY])
}

/// Makes a device of one's own with the numbers of the machine's disk or memory.
fn make(kind: u32, major: u32, minor: u32) -> Seen {
    let path = CString::new(format!("{}/device", scratch())).unwrap();
    let _ = std::fs::remove_file(path.to_str().unwrap());
    let device = libc::makedev(major, minor) as i64;
    of(call(libc::SYS_mknodat, [libc::AT_FDCWD.into(), at(path.as_bytes_with_nul()), (kind | 0o600).into(), device]))
}

/// Asks something of a terminal that is this process's own controlling one.
fn terminal(request: u32, argument: i64) -> Seen {
    let steps = call(libc::SYS_setsid, [])
        .or(Ok(0))
        .and_then(|_| open("/dev/ptmx", libc::O_RDWR | libc::O_NOCTTY))
        .and_then(|main| {
            let (mut number, unlock) = (0i32, 0i32);
            call(libc::SYS_ioctl, [main, libc::TIOCSPTLCK as i64, at(&unlock)])?;
            call(libc::SYS_ioctl, [main, libc::TIOCGPTN as i64, to(&mut number)])?;
            open(&format!("/dev/pts/{number}"), libc::O_RDWR)
        });
    match steps {
        Ok(terminal) => of(call(libc::SYS_ioctl, [terminal, request.into(), argument])),
        Err(error) => Seen::Refused(error),
    }
}

pub(super) fn attempts() -> Vec<Attempt> {
    vec![
        row("dev_mem", "opens the machine's memory", NO_SUCH_FILE, || opens("/dev/mem")),
        row("dev_kmsg", "opens the kernel's log", NO_SUCH_FILE, || opens("/dev/kmsg")),
        row("dev_kvm", "opens the processor's machines", NO_SUCH_FILE, || opens("/dev/kvm")),
        row("dev_fuse", "opens the way to filesystems of its own", NO_SUCH_FILE, || opens("/dev/fuse")),
        row("dev_loop", "opens the control of loop devices", NO_SUCH_FILE, || opens("/dev/loop-control")),
        row("dev_tun", "opens the way to network interfaces", NO_SUCH_FILE, || opens("/dev/net/tun")),
        row("dev_console", "opens the machine's console", NO_SUCH_FILE, || opens("/dev/console")),
        row("dev_tty1", "opens a terminal of the machine's", NO_SUCH_FILE, || opens("/dev/tty1")),
        row("mknod_disk", "makes a device with the numbers of a disk", EPERM, || make(libc::S_IFBLK, 8, 0)),
        row("mknod_memory", "makes a device with the numbers of the memory", EPERM, || make(libc::S_IFCHR, 1, 1)),
        row("tiocsti", "types into its terminal as if its user had", EPERM, || terminal(0x5412, at(b"x"))),
        row("tiocsetd", "gives its terminal another line discipline", EPERM, || terminal(0x5423, at(&0i32))),
    ]
}
